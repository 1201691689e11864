//! A program of two blocks as groups of moves and replies, and the few sums that connect them.
//!
//! Variables that share a short row belong to one group; a group's existential values are a *move*,
//! its universal values a *reply*. Rows inside a group are decided by the move and the reply alone.
//! Every other row is a *sum*: what is left of its right-hand side is what a group needs to know of
//! the groups before it.
//!
//! Existential variables after the replies belong to a reply if what is best for them is best whatever
//! the other groups do: one choice costs the least and takes the least of every existential sum.
//!
//! **Invariant:** each variable is in one group; a reply that breaks a universal row of its group is
//! not listed; every sum fits an `i64`, and the costs of a play fit an `i32` with room to spare.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::maker::Maker;
use crate::num::{Rational, approximate, to_i64};
use crate::program::{
    Components, Id, Kind, Program, Quantifier, ScaledRow, Sense, VarId, Variable,
};

/// How many sums may connect groups: a table has one dimension for each.
pub(super) const SUMS: usize = 3;

/// The most pairs of a move and a reply in one group.
pub(super) const MOST_PAIRS: usize = 256;

/// A row with more terms does not make a group of its variables.
const SHORT: usize = 4;

/// What the absolute values of a play's costs may add up to.
pub(super) const MOST_COST: i128 = 1 << 28;

/// What the absolute values of a sum may add up to.
const MOST_SUM: i128 = 1 << 40;

/// Values of the existential variables of a group.
#[derive(Debug)]
pub(super) struct Move {
    /// The variables and their values.
    pub values: Vec<(VarId, i64)>,
    /// What the universal player may answer, within the rows of the group.
    pub replies: Vec<Reply>,
}

/// Values of the universal variables of a group, together with the move before them.
#[derive(Debug)]
pub(super) struct Reply {
    /// The universal variables, those fixed after them, and their values.
    pub values: Vec<(VarId, i64)>,
    /// What move and reply cost.
    pub cost: i64,
    /// What they take from each sum.
    pub used: [i64; SUMS],
    /// Whether an existential row of the group is broken.
    pub breaks: bool,
}

/// Variables that are fixed together.
#[derive(Debug)]
pub(super) struct Group {
    pub moves: Vec<Move>,
    /// Whatever the move is, some reply takes at most this from the universal sums; `None` if some
    /// move has no reply.
    modest: Option<[i64; SUMS]>,
}

impl Group {
    pub(super) fn of(moves: Vec<Move>, sums: &[Connection]) -> Self {
        let modest = modest(&moves, sums);
        Self { moves, modest }
    }
}

/// A row `Σ <= rhs` of several groups.
#[derive(Copy, Clone, Debug)]
pub(super) struct Connection {
    pub owner: Quantifier,
    pub rhs: i64,
}

/// What can still happen to a sum at a level: after that many groups.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Range {
    /// The least that the groups to come take. With less left the row is broken.
    pub least: i64,
    /// The most that they take. With that much left it holds, whatever follows.
    pub most: i64,
    /// The least that can be left.
    pub poorest: i64,
    /// The most that can be left.
    pub richest: i64,
    /// With this much left in all of them, the universal player can keep its rows, whatever the
    /// existential player does; `i64::MAX` where nobody knows.
    pub safe: i64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Board {
    pub groups: Vec<Group>,
    pub sums: Vec<Connection>,
    /// By level, then by sum.
    pub ranges: Vec<[Range; SUMS]>,
    /// What a cost of one in the objective is here.
    pub scale: BigInt,
}

/// A row side in machine integers.
pub(super) struct Side {
    pub owner: Quantifier,
    pub terms: Vec<(VarId, i64)>,
    pub rhs: i64,
}

impl Board {
    /// The board of a program; nothing if it is of another kind.
    pub(super) fn of(program: &Program) -> Option<Self> {
        let blocks: Vec<Quantifier> =
            { program.blocks().iter().map(|block| block.quantifier) }.collect();
        let later = match blocks[..] {
            [Quantifier::Exists, Quantifier::Forall] => program.variables().len(),
            [Quantifier::Exists, Quantifier::Forall, Quantifier::Exists] => {
                let mut last = program.blocks().iter().skip(2);
                last.find_map(|block| block.variables().next())?.index()
            }
            _ => return None,
        };
        let domains: Vec<(i64, i64)> =
            { program.variables().iter().map(domain) }.collect::<Option<_>>()?;
        let (costs, scale) = costs(program, &domains)?;
        let sides = sides(program, &domains)?;
        let is_late = |side: &Side| { side.terms.iter() }.any(|(var, _)| var.index() >= later);
        if { sides.iter() }.any(|side| side.owner == Quantifier::Forall && is_late(side)) {
            return None;
        }
        let group_of = grouped(&sides, &domains);
        let is_inside = |side: &&Side| {
            let first = group_of[side.terms[0].0.index()];
            { side.terms.iter() }.all(|(var, _)| group_of[var.index()] == first)
        };
        let (inside, across): (Vec<&Side>, Vec<&Side>) = sides.iter().partition(is_inside);
        if across.len() > SUMS {
            return None;
        }
        let count = domains.len();
        let mut members = vec![Vec::new(); count];
        for var in program.variables().ids() {
            members[group_of[var.index()]].push(var);
        }
        let mut rows_of: Vec<Vec<&Side>> = vec![Vec::new(); count];
        for side in inside {
            rows_of[group_of[side.terms[0].0.index()]].push(side);
        }
        let mut used = vec![[0; SUMS]; count];
        for (place, side) in across.iter().enumerate() {
            for &(var, by) in &side.terms {
                used[var.index()][place] = by;
            }
        }
        let sums: Vec<Connection> = { across.iter() }
            .map(|side| Connection {
                owner: side.owner,
                rhs: side.rhs,
            })
            .collect();
        let mut groups = Vec::new();
        for (vars, rows) in members.iter().zip(&rows_of) {
            if vars.is_empty() {
                continue;
            }
            let maker = Maker {
                program,
                domains: &domains,
                costs: &costs,
                used: &used,
                sums: &sums,
                rows,
                later,
            };
            let group = Group::of(maker.moves(vars)?, &sums);
            groups.push((appeal(&group.moves, &sums), group));
        }
        // An order only: which one it is decides how good the bound is, never whether it holds.
        groups.sort_by(|left, right| right.0.total_cmp(&left.0));
        let groups: Vec<Group> = groups.into_iter().map(|group| group.1).collect();
        let ranges = ranges(&groups, &sums);
        Some(Self {
            groups,
            sums,
            ranges,
            scale,
        })
    }

    /// Whether some sum is broken before the first move.
    pub(super) fn is_dead(&self) -> bool {
        let mut sums = self.sums.iter().zip(&self.ranges[0]);
        sums.any(|(sum, range)| sum.rhs < range.least)
    }

    /// What is left of each sum before the first move.
    pub(super) fn start(&self) -> [i64; SUMS] {
        let mut left = [0; SUMS];
        for (left, sum) in left.iter_mut().zip(&self.sums) {
            *left = sum.rhs;
        }
        left
    }

    /// Whether the universal player can keep its rows from this level on, with `left` of its sums.
    pub(super) fn is_safe(&self, level: usize, left: &[i64; SUMS]) -> bool {
        let ranges = &self.ranges[level];
        let mut sums = self.sums.iter().enumerate();
        sums.all(|(place, sum)| {
            sum.owner == Quantifier::Exists || left[place] >= ranges[place].safe
        }) && ranges.iter().all(|range| range.safe < i64::MAX)
    }
}

fn domain(variable: &Variable) -> Option<(i64, i64)> {
    let domain = variable.domain();
    let ends = (
        to_i64(domain.lower.as_ref()?)?,
        to_i64(domain.upper.as_ref()?)?,
    );
    let is_small = ends.0 <= ends.1 && i128::from(ends.1) - i128::from(ends.0) < MOST_PAIRS as i128;
    (variable.kind == Kind::Integer && is_small).then_some(ends)
}

/// The most that a sum can be, either way.
fn reach(terms: &[(VarId, i64)], domains: &[(i64, i64)]) -> i128 {
    let most = |&(var, by): &(VarId, i64)| {
        let (lower, upper) = domains[var.index()];
        i128::from(lower.unsigned_abs().max(upper.unsigned_abs())) * i128::from(by.unsigned_abs())
    };
    { terms.iter() }.map(most).fold(0, i128::saturating_add)
}

/// The cost of each variable, in whole numbers: smaller is better for the existential player.
fn costs(program: &Program, domains: &[(i64, i64)]) -> Option<(Vec<i64>, BigInt)> {
    let objective = program.objective()?;
    let denominators = objective.terms.iter().map(|(_, by)| by.denom());
    let scale = denominators.fold(BigInt::one(), |lcm, denominator| lcm.lcm(denominator));
    let mut terms = Vec::new();
    for (var, by) in &objective.terms {
        let whole = (by * Rational::from_integer(scale.clone())).to_integer();
        let whole = whole.to_i64().filter(|&whole| whole != i64::MIN)?;
        terms.push((
            *var,
            if objective.sense == Sense::Maximize {
                -whole
            } else {
                whole
            },
        ));
    }
    if reach(&terms, domains) > MOST_COST {
        return None;
    }
    let mut costs = vec![0; domains.len()];
    for (var, by) in terms {
        costs[var.index()] = by;
    }
    Some((costs, scale))
}

/// The rows of both players as `Σ <= rhs`; nothing if one is too large or broken whatever happens.
fn sides(program: &Program, domains: &[(i64, i64)]) -> Option<Vec<Side>> {
    let mut sides = Vec::new();
    for owner in [Quantifier::Exists, Quantifier::Forall] {
        for row in program.scaled_system(owner).ok()? {
            let ScaledRow {
                terms,
                lower,
                upper,
                ..
            } = row;
            let negated = || terms.iter().map(|&(var, by)| (var, -by)).collect();
            let upper = upper.map(|rhs| (terms.clone(), rhs));
            let lower = lower.map(|rhs| (negated(), -rhs));
            for (terms, rhs) in upper.into_iter().chain(lower) {
                if reach(&terms, domains) + i128::from(rhs.unsigned_abs()) > MOST_SUM {
                    return None;
                }
                match terms.is_empty() {
                    true if rhs < 0 => return None,
                    true => {}
                    false => sides.push(Side { owner, terms, rhs }),
                }
            }
        }
    }
    Some(sides)
}

/// The group of each variable: shortest rows first, as long as groups stay small.
fn grouped(sides: &[Side], domains: &[(i64, i64)]) -> Vec<usize> {
    let mut components = Components::new(domains.len());
    let width = |&(lower, upper): &(i64, i64)| (upper - lower + 1) as usize;
    let mut pairs: Vec<usize> = domains.iter().map(width).collect();
    let mut short: Vec<&Side> = sides
        .iter()
        .filter(|side| side.terms.len() <= SHORT)
        .collect();
    short.sort_by_key(|side| side.terms.len());
    for side in short {
        let mut roots: Vec<usize> = { side.terms.iter() }
            .map(|(var, _)| components.root(*var))
            .collect();
        roots.sort_unstable();
        roots.dedup();
        let product = roots.iter().fold(1_usize, |product, &root| {
            product.saturating_mul(pairs[root])
        });
        if product <= MOST_PAIRS {
            for (var, _) in &side.terms {
                components.join(side.terms[0].0, *var);
            }
            pairs[components.root(side.terms[0].0)] = product;
        }
    }
    (0..domains.len())
        .map(|place| components.root(VarId::new(place)))
        .collect()
}

/// See [`Group::modest`].
fn modest(moves: &[Move], sums: &[Connection]) -> Option<[i64; SUMS]> {
    let theirs = |reply: &Reply| {
        let pairs = sums.iter().zip(reply.used);
        let theirs = pairs.filter(|(sum, _)| sum.owner == Quantifier::Forall);
        theirs.map(|(_, used)| used).sum::<i64>()
    };
    let mut most: Option<[i64; SUMS]> = None;
    for made in moves {
        let reply = made.replies.iter().min_by_key(|reply| theirs(reply))?;
        let known = most.get_or_insert(reply.used);
        for (known, used) in known.iter_mut().zip(reply.used) {
            *known = (*known).max(used);
        }
    }
    most
}

/// How much a reply can gain for what it takes: large first makes good bounds.
fn appeal(moves: &[Move], sums: &[Connection]) -> f64 {
    let spread = |of: &dyn Fn(&Reply) -> i64| {
        let of_move = |made: &Move| {
            let values = || made.replies.iter().map(of);
            let ends = values().min().zip(values().max());
            ends.map_or(0, |(least, most)| most - least)
        };
        approximate(&Rational::from_integer(
            moves.iter().map(of_move).max().unwrap_or(0).into(),
        ))
    };
    let (mut gain, mut price) = (spread(&|reply| reply.cost), 0.0);
    for (place, sum) in sums.iter().enumerate() {
        let size = spread(&|reply| reply.used[place]) / (sum.rhs.abs().max(1) as f64);
        match sum.owner {
            Quantifier::Exists => gain += size,
            Quantifier::Forall => price += size,
        }
    }
    if price > 0.0 { gain / price } else { f64::MAX }
}

/// What each level knows of each sum.
pub(super) fn ranges(groups: &[Group], sums: &[Connection]) -> Vec<[Range; SUMS]> {
    let mut ranges = vec![[Range::default(); SUMS]; groups.len() + 1];
    for (place, sum) in sums.iter().enumerate() {
        let ends = |group: &Group| {
            let used =
                || { group.moves.iter() }.flat_map(|it| it.replies.iter().map(|it| it.used[place]));
            (used().min().unwrap_or(0), used().max().unwrap_or(0))
        };
        (ranges[0][place].poorest, ranges[0][place].richest) = (sum.rhs, sum.rhs);
        for (level, group) in groups.iter().enumerate() {
            let (least, most) = ends(group);
            let before = ranges[level][place];
            ranges[level + 1][place].poorest = before.poorest - most;
            ranges[level + 1][place].richest = before.richest - least;
        }
        for (level, group) in groups.iter().enumerate().rev() {
            let (least, most) = ends(group);
            let after = ranges[level + 1][place];
            let range = &mut ranges[level][place];
            (range.least, range.most) = (after.least + least, after.most + most);
        }
    }
    for (level, group) in groups.iter().enumerate().rev() {
        for place in 0..SUMS {
            let after = ranges[level + 1][place].safe;
            ranges[level][place].safe = match group.modest {
                Some(modest) if after < i64::MAX => after + modest[place],
                _ => i64::MAX,
            };
        }
    }
    ranges
}
