//! The moves of the universal player that matter, as a finite list of plays.
//!
//! Integer variables have finitely many values. Where everything that is decided after a variable is
//! real, the cost of what follows is convex, and few of its values suffice, be it real or integer:
//!
//! - in a box of its own: its two ends;
//! - in budgets `Σ u <= Γ` over variables that are consecutive in the prefix, each counted by its
//!   part of its range (`u` in `[0, 1]` after a substitution): where what is left of every budget is
//!   integral, that is 0 and 1 for integral `Γ`. *Why:* the vertices of what is legal afterwards
//!   are affine in what was played before on pieces whose walls are "what is left is integral", and
//!   rows of consecutive ones are totally unimodular. A single budget with a fraction adds the value
//!   that uses the fraction up.
//!
//! - under any other rows: the roots of walls that eliminating the later variables makes
//!   ([`chambers`]), as long as there are few.
//!
//! A variable in no universal row that hurts one way only keeps that end, whatever follows.
//!
//! **Invariant:** the value of the program is that of the tree over the plays that are listed.

mod chambers;

use num_traits::{One, Signed, Zero};

use rustc_hash::FxHashSet;

use super::dominance::Direction;
use super::stages::Stages;
use super::tree::Play;
use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Kind, Program, Quantifier, Row, RowId, VarId};

/// Why there is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoList {
    /// There are more plays than the limit.
    TooMany,
    /// Finitely many moves do not suffice; a sentence that says where.
    Infinite(String),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for NoList {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The values of a universal variable that matter.
#[derive(Clone, Debug)]
pub(crate) enum Menu {
    /// All integers of its domain.
    All,
    /// These, in increasing order.
    Few(Vec<Rational>),
    /// The roots of walls over what was played before.
    Roots(Vec<chambers::Wall>),
}

/// The legal plays in lexicographic order.
pub(crate) fn plays(
    stages: &Stages<'_>,
    most: usize,
    budget: &mut Budget,
) -> Result<Vec<Play>, NoList> {
    let values = values(stages).map_err(NoList::Infinite)?;
    let program = stages.program;
    let rows: Vec<Watched<'_>> = program
        .universal_rows()
        .iter()
        .map(|row| Watched::new(stages, row))
        .collect();
    let mut listed = Vec::new();
    let mut play: Play = Vec::new();
    let mut open: Vec<Vec<Rational>> = Vec::new();
    // Dead ends cost steps too.
    let mut steps = most.saturating_mul(64).saturating_add(4096);
    loop {
        budget.look_sometimes()?;
        steps = steps.checked_sub(1).ok_or(NoList::TooMany)?;
        if rows.iter().all(|row| row.may_hold(&play)) {
            if play.len() < stages.universals.len() {
                let var = stages.universals[play.len()];
                let mut next = match &values[play.len()] {
                    Menu::Few(values) => values.clone(),
                    Menu::All => all_integers(program, var, most)?,
                    Menu::Roots(walls) => {
                        let (lower, upper) = ends(program, var);
                        let (lower, upper) = (lower.unwrap_or_default(), upper.unwrap_or_default());
                        chambers::roots(walls, &play, (&lower, &upper))
                    }
                };
                next.reverse();
                open.push(next);
            } else {
                if listed.len() == most {
                    return Err(NoList::TooMany);
                }
                listed.push(play.clone());
            }
        }
        // Go on with the next value of the last variable that has one.
        loop {
            let depth = open.len();
            let Some(last) = open.last_mut() else {
                return Ok(listed);
            };
            play.truncate(depth - 1);
            if let Some(value) = last.pop() {
                play.push(value);
                break;
            }
            open.pop();
        }
    }
}

pub(super) fn all_integers(
    program: &Program,
    var: VarId,
    most: usize,
) -> Result<Vec<Rational>, NoList> {
    let domain = program.variables()[var].domain();
    let (Some(lower), Some(upper)) = (domain.lower, domain.upper) else {
        return Err(NoList::TooMany);
    };
    if &upper - &lower > Rational::from_integer(most.into()) {
        return Err(NoList::TooMany);
    }
    let mut values = Vec::new();
    let mut value = lower;
    while value <= upper {
        values.push(value.clone());
        value += int(1);
    }
    Ok(values)
}

/// The values that matter, or a sentence that says where finitely many do not suffice.
pub(crate) fn values(stages: &Stages<'_>) -> Result<Vec<Menu>, String> {
    let program = stages.program;
    let mut values = vec![Menu::All; stages.universals.len()];
    // From here on everything that is decided is real.
    let decided = program.variables().pairs();
    let whole =
        decided.filter(|(_, it)| it.quantifier == Quantifier::Exists && it.kind == Kind::Integer);
    let convex_from = whole.map(|(var, _)| stages.seen[var]).max().unwrap_or(0);
    let harmful = harmful_ends(stages);
    for (number, worst) in harmful.iter().enumerate().take(convex_from) {
        let variable = &program.variables()[stages.universals[number]];
        if variable.kind == Kind::Real && worst.is_none() {
            return Err(early_real(stages, number));
        }
    }
    for group in groups(stages, convex_from) {
        match group_values(stages, &group) {
            Ok(found) => {
                for (number, few) in found {
                    values[number] = Menu::Few(few);
                }
            }
            Err(reason) => {
                let is_real =
                    |it: &usize| program.variables()[stages.universals[*it]].kind == Kind::Real;
                if group.members.iter().any(is_real) {
                    let walls = chambers::walls(stages, &group);
                    for (number, walls) in walls.map_err(|why| format!("{reason}; {why}"))? {
                        values[number] = Menu::Roots(walls);
                    }
                }
            }
        }
    }
    for (number, worst) in harmful.into_iter().enumerate() {
        if let Some(worst) = worst {
            values[number] = Menu::Few(vec![worst]);
        }
    }
    Ok(values)
}

fn early_real(stages: &Stages<'_>, number: usize) -> String {
    let variables = stages.program.variables();
    let real = &variables[stages.universals[number]].name;
    let mut later = variables.pairs();
    let whole = later.find(|(var, it)| {
        let is_whole = it.quantifier == Quantifier::Exists && it.kind == Kind::Integer;
        is_whole && stages.seen[*var] > number
    });
    let whole = whole.map_or("", |(_, it)| it.name.as_str());
    format!(
        "the integer variable `{whole}` is decided after the real universal variable `{real}`, of \
         which finitely many values do not suffice then; declare `{real}` integer, or decide \
         `{whole}` before it"
    )
}

/// For each universal variable in no universal row that hurts the existential player one way only:
/// that end of its domain. Whoever answers it answers all of its values.
pub(crate) fn harmful_ends(stages: &Stages<'_>) -> Vec<Option<Rational>> {
    let program = stages.program;
    let restricted = program.universal_rows().iter().flat_map(|row| &row.terms);
    let restricted: FxHashSet<VarId> = restricted.map(|(var, _)| *var).collect();
    let directions = super::dominance::directions(stages);
    let end = |(number, &var): (usize, &VarId)| {
        let domain = program.variables()[var].domain();
        match directions[number] {
            _ if restricted.contains(&var) => None,
            Direction::Both => None,
            Direction::Up => domain.upper,
            Direction::Down | Direction::None => domain.lower,
        }
    };
    stages.universals.iter().enumerate().map(end).collect()
}

/// Universal variables that rows tie together, and these rows.
pub(super) struct Group {
    pub members: Vec<usize>,
    pub rows: Vec<RowId>,
}

/// The groups of universal variables from a number on; rows may tie them to earlier ones.
pub(super) fn groups(stages: &Stages<'_>, from: usize) -> Vec<Group> {
    let count = stages.universals.len();
    let mut head: Vec<usize> = (0..count).collect();
    fn find(head: &mut [usize], mut at: usize) -> usize {
        while head[at] != at {
            head[at] = head[head[at]];
            at = head[at];
        }
        at
    }
    let rows = stages.program.universal_rows();
    for row in rows {
        let mut members = row.terms.iter().map(|(var, _)| stages.seen[*var]);
        if let Some(first) = members.next() {
            for other in members {
                let (one, two) = (find(&mut head, first), find(&mut head, other));
                head[one.max(two)] = one.min(two);
            }
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut place: Vec<Option<usize>> = vec![None; count];
    for number in from..count {
        let head = find(&mut head, number);
        let at = *place[head].get_or_insert_with(|| {
            groups.push(Group {
                members: Vec::new(),
                rows: Vec::new(),
            });
            groups.len() - 1
        });
        groups[at].members.push(number);
    }
    for (id, row) in rows.pairs() {
        if let Some((var, _)) = row.terms.first() {
            let head = find(&mut head, stages.seen[*var]);
            if let Some(at) = place[head] {
                groups[at].rows.push(id);
            }
        }
    }
    groups
}

/// The values of the variables of a group that matter, or why there is no finite list.
fn group_values(stages: &Stages<'_>, group: &Group) -> Result<Vec<(usize, Vec<Rational>)>, String> {
    let program = stages.program;
    let variable = |number: usize| &program.variables()[stages.universals[number]];
    let budgets = budgets(stages, group)?;
    let left = budgets
        .iter()
        .map(|budget| &budget.left)
        .find(|left| !left.is_zero());
    if left.is_some() && budgets.len() > 1 {
        return Err(format!(
            "universal row {} and others leave a fraction of a budget of real variables; finitely \
             many of their values do not suffice then",
            budgets[0].label
        ));
    }
    let mut values = Vec::new();
    for &number in &group.members {
        let (lower, upper) = ends(program, stages.universals[number]);
        let (Some(lower), Some(upper)) = (lower, upper) else {
            return Err(format!("variable `{}` has no end", variable(number).name));
        };
        let mut few = vec![lower.clone()];
        if let (Some(left), Some(budget)) = (left, budgets.first()) {
            let is_flipped = budget.members.contains(&(number, true));
            let part = if is_flipped {
                Rational::one() - left
            } else {
                left.clone()
            };
            few.push(&lower + (&upper - &lower) * part);
        }
        few.push(upper);
        few.dedup();
        if variable(number).kind == Kind::Integer && !few.iter().all(Rational::is_integer) {
            return Err(format!("`{}` would take a fraction", variable(number).name));
        }
        values.push((number, few));
    }
    Ok(values)
}

pub(super) fn ends(program: &Program, var: VarId) -> (Option<Rational>, Option<Rational>) {
    let domain = program.variables()[var].domain();
    (domain.lower, domain.upper)
}

/// A row as a budget.
pub(super) struct BudgetRow {
    label: String,
    /// Numbers of universal variables, and whether the row counts the rest of their range.
    members: Vec<(usize, bool)>,
    /// The fraction that the budget leaves.
    pub left: Rational,
}

/// The rows of a group, which must be budgets over consecutive variables.
pub(super) fn budgets(stages: &Stages<'_>, group: &Group) -> Result<Vec<BudgetRow>, String> {
    let program = stages.program;
    let mut budgets: Vec<BudgetRow> = Vec::new();
    let mut flips: Vec<Option<bool>> = vec![None; stages.universals.len()];
    for &id in &group.rows {
        let row = &program.universal_rows()[id];
        let label = program.row_label(Quantifier::Forall, id);
        let outside = row
            .terms
            .iter()
            .find(|(var, _)| !group.members.contains(&stages.seen[*var]));
        if let Some((var, _)) = outside {
            return Err(format!(
                "universal row {label} ties real variables to `{}`, after which integers are \
                 decided; finitely many of their values do not suffice then",
                program.variables()[*var].name
            ));
        }
        let found = budget(stages, row, label.clone()).ok_or_else(|| {
            format!(
                "universal row {label} is no budget: finitely many values of real variables suffice \
                 only where a row counts parts of ranges, each alike"
            )
        })?;
        for &(number, is_flipped) in &found.members {
            if flips[number].is_some_and(|other| other != is_flipped) {
                return Err(format!(
                    "universal row {label} counts a real variable the other way round than another \
                     row; finitely many values do not suffice then"
                ));
            }
            flips[number] = Some(is_flipped);
        }
        budgets.push(found);
    }
    for budget in &budgets {
        let place = |number: usize| group.members.iter().position(|&other| other == number);
        let places: Vec<usize> = budget.members.iter().filter_map(|it| place(it.0)).collect();
        let (first, last) = (places.iter().min(), places.iter().max());
        let is_run =
            matches!((first, last), (Some(first), Some(last)) if last - first + 1 == places.len());
        if !is_run {
            return Err(format!(
                "universal row {} skips variables that other rows count; finitely many values of \
                 real variables suffice only for budgets over consecutive ones",
                budget.label
            ));
        }
    }
    Ok(budgets)
}

/// The row as a budget over parts of ranges, if it is one.
fn budget(stages: &Stages<'_>, row: &Row, label: String) -> Option<BudgetRow> {
    let program = stages.program;
    let mut unit: Option<Rational> = None;
    let mut least = Rational::zero();
    let mut members = Vec::new();
    for (var, by) in &row.terms {
        let (lower, upper) = ends(program, *var);
        let (lower, upper) = (lower?, upper?);
        let step = by * (&upper - &lower);
        if step.is_zero() {
            least += by * lower;
            continue;
        }
        match &unit {
            Some(unit) if *unit != step.abs() => return None,
            _ => unit = Some(step.abs()),
        }
        least += by * if by.is_positive() { lower } else { upper };
        members.push((stages.seen[*var], by.is_negative()));
    }
    let unit = unit?;
    let left = |side: &Option<Rational>| {
        let parts = side.as_ref().map(|side| (side - &least) / &unit);
        parts.map_or_else(Rational::zero, |parts| &parts - parts.floor())
    };
    let (lower, upper) = (left(&row.lower), left(&row.upper));
    if !lower.is_zero() && !upper.is_zero() && lower != upper {
        return None;
    }
    let left = if upper.is_zero() { lower } else { upper };
    Some(BudgetRow {
        label,
        members,
        left,
    })
}

/// A universal row over the numbers of the universal variables, and the reach of what is left.
pub(super) struct Watched<'a> {
    row: &'a Row,
    by: Vec<Rational>,
    /// Smallest and largest sum of the variables from a number on.
    rest: Vec<(Rational, Rational)>,
}

impl<'a> Watched<'a> {
    pub fn new(stages: &Stages<'_>, row: &'a Row) -> Self {
        let count = stages.universals.len();
        let mut by = vec![Rational::zero(); count];
        for (var, factor) in &row.terms {
            if let Some(number) = stages.universals.iter().position(|other| other == var) {
                by[number] = factor.clone();
            }
        }
        let mut rest = vec![(Rational::zero(), Rational::zero()); count + 1];
        for at in (0..count).rev() {
            let (lower, upper) = ends(stages.program, stages.universals[at]);
            let first = &by[at] * lower.unwrap_or_default();
            let second = &by[at] * upper.unwrap_or_default();
            let (low, up) = if first < second {
                (first, second)
            } else {
                (second, first)
            };
            rest[at] = (&rest[at + 1].0 + low, &rest[at + 1].1 + up);
        }
        Self { row, by, rest }
    }

    /// Whether some values of the variables that are left may satisfy the row.
    pub fn may_hold(&self, play: &[Rational]) -> bool {
        let sum: Rational = play
            .iter()
            .zip(&self.by)
            .filter(|(value, by)| !value.is_zero() && !by.is_zero())
            .map(|(value, by)| value * by)
            .sum();
        let (least, most) = &self.rest[play.len()];
        let (least, most) = (&sum + least, sum + most);
        let low = self.row.lower.as_ref().is_some_and(|side| most < *side);
        let high = self.row.upper.as_ref().is_some_and(|side| least > *side);
        !low && !high
    }
}
