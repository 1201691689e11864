//! Finding symmetries: tell variables apart one by one, and try to do it differently.
//!
//! One variable after the other is told apart until every variable has a colour of its own. The
//! same is tried with another member of its group in the place of one of them; if the same colours
//! come out, equal colours say what is renamed to what. Found symmetries are multiplied with each
//! other until there are [`MOST`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::colour::{Colours, Graph};
use super::{Subject, Symmetry};
use crate::program::{Id, Program, VarId};
use crate::propagate::Inequalities;

/// More symmetries than this would cost more than they save.
const MOST: usize = 64;

/// Points and neighbours that colourings may look at: a small part of a second.
const WORK: usize = 64_000_000;

/// Programs with more terms are too large to be coloured often enough.
const LARGEST: usize = 500_000;

/// Symmetries of a program other than leaving everything as it is: all of them if they are few,
/// else some.
pub fn symmetries(program: &Program, inequalities: &Inequalities) -> Vec<Symmetry> {
    let ids = inequalities.heads().ids();
    if ids.map(|id| inequalities.terms(id).len()).sum::<usize>() > LARGEST {
        return Vec::new();
    }
    let subject = Subject::new(program, inequalities);
    let graph = Graph::new(&subject);
    let mut search = Search {
        subject,
        graph,
        work: WORK,
    };
    products(&search.generators())
}

struct Search<'a> {
    subject: Subject<'a>,
    graph: Graph,
    /// What colourings may still look at.
    work: usize,
}

/// One variable told apart from the rest of its group.
struct Level {
    before: Colours,
    group: Vec<usize>,
    after: Colours,
}

impl Search<'_> {
    /// Symmetries of which all others are products, as far as the work allows.
    fn generators(&mut self) -> Vec<Symmetry> {
        let mut levels: Vec<Level> = Vec::new();
        let Some(mut colours) = self.graph.start(&mut self.work) else {
            return Vec::new();
        };
        while let Some(group) = self.graph.undecided(&colours) {
            let Some(after) = self.told_apart(&colours, group[0]) else {
                break;
            };
            let before = std::mem::replace(&mut colours, after.clone());
            levels.push(Level {
                before,
                group,
                after,
            });
        }
        let mut found: Vec<Symmetry> = Vec::new();
        for level in (0..levels.len()).rev() {
            let Level { before, group, .. } = &levels[level];
            let mut reached = orbit(&found, group[0]);
            for &other in &group[1..] {
                if reached.contains(&other) {
                    continue;
                }
                let image = self.told_apart(before, other);
                let Some(image) = image.filter(|_| found.len() < MOST) else {
                    return found;
                };
                if let Some(symmetry) = self.completed(&levels[level..], &image) {
                    found.push(symmetry);
                    reached = orbit(&found, group[0]);
                }
            }
        }
        found
    }

    fn told_apart(&mut self, colours: &Colours, var: usize) -> Option<Colours> {
        self.graph.with(colours, var, &mut self.work)
    }

    /// A symmetry that turns the colours after the first of `levels` into `image`.
    fn completed(&mut self, levels: &[Level], image: &Colours) -> Option<Symmetry> {
        let (first, rest) = levels.split_first()?;
        if !same_colours(&first.after, image) {
            return None;
        }
        let Some(next) = rest.first() else {
            return self.read_off(&first.after, image);
        };
        let wanted = next.before[next.group[0]];
        let choices = 0..next.before.len();
        let choices: Vec<usize> = choices.filter(|&var| image[var] == wanted).collect();
        for choice in choices {
            let image = self.told_apart(image, choice)?;
            if let Some(found) = self.completed(rest, &image) {
                return Some(found);
            }
        }
        None
    }

    fn read_off(&self, from: &Colours, to: &Colours) -> Option<Symmetry> {
        let count = self.subject.program.variables().len();
        let idle = &self.graph.idle;
        let places = (0..count).filter(|&var| !idle[var]);
        let places: FxHashMap<u64, usize> = places.map(|var| (to[var], var)).collect();
        let image = |var: usize| match idle[var] {
            true => Some(VarId::new(var)),
            false => places.get(&from[var]).map(|&place| VarId::new(place)),
        };
        let variables: Option<Vec<VarId>> = (0..count).map(image).collect();
        self.subject.verified(variables?)
    }
}

fn same_colours(one: &Colours, two: &Colours) -> bool {
    let sorted = |colours: &Colours| {
        let mut colours = colours.clone();
        colours.sort_unstable();
        colours
    };
    sorted(one) == sorted(two)
}

/// The variables that products of the symmetries carry one to.
fn orbit(found: &[Symmetry], from: usize) -> FxHashSet<usize> {
    let mut seen = FxHashSet::from_iter([from]);
    let mut open = vec![from];
    while let Some(var) = open.pop() {
        for symmetry in found {
            let image = symmetry.variables[var].index();
            if seen.insert(image) {
                open.push(image);
            }
        }
    }
    seen
}

/// The symmetries and their products, without the one that changes nothing.
fn products(generators: &[Symmetry]) -> Vec<Symmetry> {
    let is_change = |symmetry: &Symmetry| {
        let variables = symmetry.variables.iter().enumerate();
        variables
            .into_iter()
            .any(|(var, image)| var != image.index())
    };
    let mut seen: FxHashSet<Vec<VarId>> = FxHashSet::default();
    let mut all: Vec<Symmetry> = Vec::new();
    for generator in generators {
        if seen.insert(generator.variables.clone()) {
            all.push(generator.clone());
        }
    }
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        for generator in generators {
            let product = all[next].then(generator);
            if all.len() < MOST && is_change(&product) && seen.insert(product.variables.clone()) {
                all.push(product);
            }
        }
        next += 1;
    }
    all
}
