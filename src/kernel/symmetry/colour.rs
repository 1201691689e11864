//! Colours: variables and rows that look different cannot be images of each other.
//!
//! Everything starts with a colour for what it is by itself; then each colour takes in those of its
//! neighbours, round by round, until no more of them differ. Colours are hashes of what was seen,
//! so that two colourings of the same program can be compared. A collision only hides a difference,
//! and what is built on it fails when it is compared with the rows.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::Subject;
use crate::program::{Id, VarId};

/// A colour for each variable, then for each row.
pub(super) type Colours = Vec<u64>;

/// Variables and rows as points, and which of them are neighbours.
pub(super) struct Graph {
    /// Variables that nothing mentions are left out of every comparison.
    pub idle: Vec<bool>,
    variables: usize,
    /// Points and neighbours, which every round looks at.
    size: usize,
    first: Colours,
    /// Neighbours of each point with the colour of the line between them.
    neighbours: Vec<Vec<(u32, u64)>>,
}

pub(super) fn mixed(parts: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    let hash = hasher.finish();
    // The hash is quick rather than good, and sums of colours need all their bits.
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Graph {
    pub(super) fn new(subject: &Subject<'_>) -> Self {
        let variables = subject.program.variables();
        let rows = subject.plain();
        let mut neighbours = vec![Vec::new(); variables.len() + rows.len()];
        let mut join = |one: usize, two: usize, line: u64| {
            neighbours[one].push((two as u32, line));
            neighbours[two].push((one as u32, line));
        };
        for (point, &id) in (variables.len()..).zip(&rows) {
            for term in subject.inequalities.terms(id) {
                join(term.at.index(), point, mixed(term.coefficient));
            }
        }
        for naming in &subject.namings {
            for (_, named) in &naming.named {
                join(naming.number.index(), named.index(), mixed("names"));
            }
        }
        let of_variable = |var: VarId| {
            let domain = variables[var].domain();
            let cost = subject.costs[var.index()];
            mixed((
                subject.blocks[var.index()].index(),
                domain.lower,
                domain.upper,
                cost,
            ))
        };
        let of_row = |id| {
            let head = &subject.inequalities.heads()[id];
            mixed((head.owner, head.rhs))
        };
        let first = variables.ids().map(of_variable);
        let first = first.chain(rows.iter().map(|&id| of_row(id))).collect();
        let idle = neighbours[..variables.len()].iter().map(Vec::is_empty);
        Self {
            idle: idle.collect(),
            variables: variables.len(),
            size: neighbours.iter().map(|of_one| of_one.len() + 1).sum(),
            first,
            neighbours,
        }
    }

    /// Colours before anything is told apart by hand, if `work` allows.
    pub(super) fn start(&self, work: &mut usize) -> Option<Colours> {
        self.refined(self.first.clone(), work)
    }

    /// The colours that follow when one variable is told apart from all others.
    pub(super) fn with(&self, colours: &Colours, var: usize, work: &mut usize) -> Option<Colours> {
        let mut colours = colours.clone();
        colours[var] = mixed((colours[var], "told apart"));
        self.refined(colours, work)
    }

    /// A chain of rows takes as many rounds as it is long, so each round counts as work.
    fn refined(&self, mut colours: Colours, work: &mut usize) -> Option<Colours> {
        let mut kinds = count(&colours);
        loop {
            *work = work.checked_sub(self.size)?;
            let around = |point: usize| {
                let seen = self.neighbours[point].iter();
                let seen = seen.map(|&(other, line)| mixed((line, colours[other as usize])));
                mixed((colours[point], seen.fold(0, u64::wrapping_add)))
            };
            let next: Colours = (0..colours.len()).map(around).collect();
            let more = count(&next);
            if more <= kinds {
                return Some(colours);
            }
            (kinds, colours) = (more, next);
        }
    }

    /// The variables that share a colour with others: the smallest such group.
    pub(super) fn undecided(&self, colours: &Colours) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.variables).filter(|&var| !self.idle[var]).collect();
        order.sort_by_key(|&var| (colours[var], var));
        let groups = order.chunk_by(|&one, &two| colours[one] == colours[two]);
        let several = groups.filter(|group| group.len() > 1);
        // By the first member, so that the choice does not hang on what a hash happens to be.
        let smallest = several.min_by_key(|group| (group.len(), group[0]));
        smallest.map(<[usize]>::to_vec)
    }
}

fn count(colours: &Colours) -> usize {
    colours.iter().collect::<FxHashSet<_>>().len()
}
