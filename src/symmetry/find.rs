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

/// Colourings that may be computed, in neighbours looked at once each.
const WORK: usize = 4_000_000;

/// Symmetries of a program other than leaving everything as it is: all of them if they are few,
/// else some.
pub fn symmetries(program: &Program, inequalities: &Inequalities) -> Vec<Symmetry> {
    let subject = Subject::new(program, inequalities);
    let graph = Graph::new(&subject);
    let refinements = WORK / graph.size().max(1);
    let mut search = Search {
        subject,
        graph,
        refinements,
    };
    let found = search.generators();
    products(&found)
}

struct Search<'a> {
    subject: Subject<'a>,
    graph: Graph,
    /// Colourings that may still be computed.
    refinements: usize,
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
        let mut colours = self.graph.start();
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
            for &other in &group[1..] {
                if reaches(&found, group[0], other) {
                    continue;
                }
                let Some(image) = self.told_apart(before, other) else {
                    return found;
                };
                found.extend(self.completed(&levels[level..], &image));
            }
        }
        found
    }

    fn told_apart(&mut self, colours: &Colours, var: usize) -> Option<Colours> {
        self.refinements = self.refinements.checked_sub(1)?;
        Some(self.graph.with(colours, var))
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

/// Whether products of the symmetries carry one variable to another.
fn reaches(found: &[Symmetry], from: usize, to: usize) -> bool {
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
    seen.contains(&to)
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
    all.truncate(MOST);
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
