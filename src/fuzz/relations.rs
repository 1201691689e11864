//! Changes of a program of which we know what they do to its value.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::num::{Rational, int, ratio};
use crate::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, VarId, Variable,
};

/// What becomes of the value, as a cost.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is the same.
    Same,
    /// It is the same or more: the existential player has fewer moves.
    NoBetter,
    /// It is the same or less: the existential player knows more.
    NoWorse,
}

/// A change: its name, what it does, and what becomes of the value.
pub struct Relation {
    /// In reports.
    pub name: &'static str,
    /// What becomes of the value.
    pub effect: Effect,
    change: fn(&mut ProgramData, &mut ChaCha8Rng) -> bool,
}

const fn relation(
    name: &'static str,
    effect: Effect,
    change: fn(&mut ProgramData, &mut ChaCha8Rng) -> bool,
) -> Relation {
    Relation {
        name,
        effect,
        change,
    }
}

/// All of them.
pub const RELATIONS: [Relation; 11] = [
    relation("names", Effect::Same, rename),
    relation("row order", Effect::Same, shuffle_rows),
    relation("block order", Effect::Same, shuffle_block),
    relation("scales", Effect::Same, scale),
    relation("signs", Effect::Same, negate),
    relation("shifts", Effect::Same, shift),
    relation("sense", Effect::Same, turn_round),
    relation("split rows", Effect::Same, split_rows),
    relation("dummies", Effect::Same, add_dummy),
    relation("tighter", Effect::NoBetter, tighten),
    relation("later", Effect::NoWorse, move_later),
];

impl Relation {
    /// The changed program; `None` where there is nothing to change.
    pub fn apply(&self, program: &Program, dice: &mut ChaCha8Rng) -> Option<Program> {
        let mut data = program.clone().into_data();
        let is_changed = (self.change)(&mut data, dice);
        is_changed.then(|| Program::new(data).ok()).flatten()
    }
}

fn all_rows(data: &mut ProgramData) -> impl Iterator<Item = &mut Row> {
    data.rows.iter_mut().chain(&mut data.universal_rows)
}

/// Every variable that is mentioned goes by another number.
fn renumber(data: &mut ProgramData, number: impl Fn(usize) -> usize) {
    let objective = data.objective.iter_mut().map(|it| &mut it.terms);
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    for terms in rows.map(|row| &mut row.terms).chain(objective) {
        for (var, _) in terms.iter_mut() {
            *var = VarId::new(number(var.index()));
        }
        terms.sort_by_key(|(var, _)| *var);
    }
}

fn rename(data: &mut ProgramData, _: &mut ChaCha8Rng) -> bool {
    for (place, variable) in data.variables.iter_mut().enumerate() {
        variable.name = format!("name[{place}]");
    }
    all_rows(data).for_each(|row| row.name = None);
    true
}

fn shuffle_rows(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    data.rows.shuffle(dice);
    data.universal_rows.shuffle(dice);
    true
}

fn shuffle_block(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    let old = data.variables.clone();
    let mut order: Vec<usize> = (0..old.len()).collect();
    let mut start = 0;
    while start < old.len() {
        let owner = old[start].quantifier;
        let length = old[start..].iter().take_while(|it| it.quantifier == owner);
        let end = start + length.count();
        order[start..end].shuffle(dice);
        start = end;
    }
    let mut place = vec![0; old.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    data.variables = order.iter().map(|&it| old[it].clone()).collect();
    renumber(data, |it| place[it]);
    true
}

fn scale(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    for row in all_rows(data) {
        multiply(
            row,
            &ratio(dice.random_range(1..=12), dice.random_range(1..=7)),
        );
    }
    true
}

fn negate(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    for row in all_rows(data) {
        if dice.random() {
            multiply(row, &int(-1));
            std::mem::swap(&mut row.lower, &mut row.upper);
        }
    }
    true
}

fn multiply(row: &mut Row, by: &Rational) {
    row.terms.iter_mut().for_each(|term| term.1 *= by);
    let ends = [&mut row.lower, &mut row.upper];
    ends.into_iter().flatten().for_each(|end| *end *= by);
}

/// `x` becomes `x + by`.
fn shift(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    for place in 0..data.variables.len() {
        if data.variables[place].kind != Kind::Integer {
            continue;
        }
        let by = int(dice.random_range(-9..=9));
        let bounds = &mut data.variables[place].bounds;
        let ends = [&mut bounds.lower, &mut bounds.upper];
        ends.into_iter().flatten().for_each(|end| *end += &by);
        let var = VarId::new(place);
        let moved = |terms: &[(VarId, Rational)]| -> Rational {
            let own = terms.iter().filter(|(other, _)| *other == var);
            own.map(|(_, factor)| factor * &by).sum()
        };
        for row in all_rows(data) {
            let moved = moved(&row.terms);
            let ends = [&mut row.lower, &mut row.upper];
            ends.into_iter().flatten().for_each(|end| *end += &moved);
        }
        if let Some(objective) = &mut data.objective {
            objective.constant -= moved(&objective.terms);
        }
    }
    true
}

fn turn_round(data: &mut ProgramData, _: &mut ChaCha8Rng) -> bool {
    let Some(objective) = &mut data.objective else {
        return false;
    };
    let Objective {
        sense,
        terms,
        constant,
        ..
    } = objective;
    *sense = match sense {
        Sense::Minimize => Sense::Maximize,
        Sense::Maximize => Sense::Minimize,
    };
    *constant *= int(-1);
    terms.iter_mut().for_each(|term| term.1 *= int(-1));
    true
}

/// Ranges and equations become two rows.
fn split_rows(data: &mut ProgramData, _: &mut ChaCha8Rng) -> bool {
    let mut has_split = false;
    for rows in [&mut data.rows, &mut data.universal_rows] {
        let mut halves = Vec::new();
        for row in rows.iter_mut() {
            row.name = None;
            if row.lower.is_some() && row.upper.is_some() {
                let mut half = row.clone();
                half.lower = None;
                row.upper = None;
                halves.push(half);
            }
        }
        has_split |= !halves.is_empty();
        rows.extend(halves);
    }
    has_split
}

/// A variable that no row mentions, somewhere; between two of the other player it splits their block.
fn add_dummy(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    let at = dice.random_range(0..=data.variables.len());
    let quantifier = match dice.random() {
        true => Quantifier::Exists,
        false => Quantifier::Forall,
    };
    let dummy = Variable {
        name: "dummy".into(),
        quantifier,
        kind: Kind::Integer,
        bounds: Bounds::between(int(0), int(dice.random_range(0..=2))),
    };
    data.variables.insert(at, dummy);
    renumber(data, |it| it + usize::from(it >= at));
    true
}

fn tighten(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    let mut has_ends = false;
    for row in &mut data.rows {
        let by = int(dice.random_range(0..=1));
        if row.is_equation() {
            continue;
        }
        match (&mut row.lower, &mut row.upper) {
            (Some(lower), None) => *lower += by,
            (None, Some(upper)) => *upper -= by,
            _ => continue,
        }
        has_ends = true;
    }
    has_ends
}

/// An existential variable is decided behind the next universal block. Only where the opponent's rows do
/// not speak of decisions: else whom a move leaves without a reply may change.
fn move_later(data: &mut ProgramData, dice: &mut ChaCha8Rng) -> bool {
    let is_own = |place: usize| data.variables[place].quantifier == Quantifier::Exists;
    let mut ruled = data.universal_rows.iter().flat_map(|row| &row.terms);
    if ruled.any(|(var, _)| is_own(var.index())) {
        return false;
    }
    let count = data.variables.len();
    let own: Vec<usize> = (0..count).filter(|&place| is_own(place)).collect();
    let Some(&from) = own.get(dice.random_range(0..own.len().max(1))) else {
        return false;
    };
    let Some(universal) = (from..count).find(|&place| !is_own(place)) else {
        return false;
    };
    let to = (universal..count)
        .find(|&place| is_own(place))
        .unwrap_or(count)
        - 1;
    let moved = data.variables.remove(from);
    data.variables.insert(to, moved);
    renumber(data, |it| match it {
        it if it == from => to,
        it if from < it && it <= to => it - 1,
        it => it,
    });
    true
}
