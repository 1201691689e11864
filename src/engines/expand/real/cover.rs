//! One reply answers many plays.
//!
//! A reply to one play also answers another one where the rows hold with the other moves in them and the cost is
//! no more than what is asked. Only rows that hold universal variables have to be looked at, and of these only
//! the ones that some play could break. So that there are few of them, the reply moves first: columns that cost
//! nothing give these rows as much room as other rows leave. Of the attacks on a network only those are left
//! that hit what the reply uses.
//!
//! **Invariant:** a play is called answered after sums in integers that are exact; plays or coefficients that are no
//! machine integers are not looked at.

use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::recourse::Recourse;
use crate::equivalent::mixed::stages::Stages;
use crate::equivalent::mixed::tree::Play;
use crate::num::Rational;
use crate::program::{Id, IdVec, RowId, Term, VarId};

/// Larger numbers are left alone: sums of a million of them fit.
const LARGEST: i128 = 1 << 50;

/// What universal variables add to a row, times `scale` a whole number.
struct Moves {
    /// The row of the program; `None` for the objective.
    row: Option<RowId>,
    /// Its place among the rows that the reply decides.
    place: Option<usize>,
    terms: Vec<(usize, i128)>,
    scale: Rational,
    /// The least and the most that plays add.
    reach: (i128, i128),
}

impl Moves {
    fn sum(&self, play: &[i128]) -> i128 {
        self.terms
            .iter()
            .map(|&(number, by)| by * play[number])
            .sum()
    }
}

/// A side of a row that some play could break: the least or the most that moves may add.
struct Limit<'a> {
    moves: &'a Moves,
    least: i128,
    most: i128,
}

/// See the module.
pub struct Cover {
    plays: Vec<Vec<i128>>,
    moves: Vec<Moves>,
    /// The rows of each column of the reply, by their places, and the columns of each row.
    columns: Vec<Vec<(usize, Rational)>>,
    rows: Vec<Vec<(usize, Rational)>>,
    /// Whether a column costs nothing.
    is_free: Vec<bool>,
}

impl Cover {
    /// For these plays; `None` where numbers are in the way.
    pub fn new(stages: &Stages<'_>, recourse: &Recourse, plays: &[Play]) -> Option<Self> {
        let whole = |value: &Rational| {
            let number = value
                .is_integer()
                .then(|| value.numer().to_i128())
                .flatten()?;
            (number.abs() < LARGEST).then_some(number)
        };
        let plays: Vec<Vec<i128>> = plays
            .iter()
            .map(|play| play.iter().map(whole).collect::<Option<_>>())
            .collect::<Option<_>>()?;
        let lp = recourse.warm.program();
        let mut columns = vec![Vec::new(); recourse.own.len()];
        let mut rows = Vec::new();
        for (place, row) in lp.rows.iter().enumerate() {
            for (column, by) in &row.terms {
                columns[column.index()].push((place, by.clone()));
            }
            let terms = row.terms.iter();
            rows.push(
                terms
                    .map(|(column, by)| (column.index(), by.clone()))
                    .collect(),
            );
        }
        let mut is_free = vec![true; recourse.own.len()];
        for (column, by) in &lp.objective {
            is_free[column.index()] &= by.is_zero();
        }
        let mut moves = Vec::new();
        let mut add = |row: Option<RowId>, terms: &[Term]| -> Option<()> {
            let number = |var: VarId| stages.universals.iter().position(|&other| other == var);
            let own = terms.iter();
            let own = own.filter_map(|(var, by)| Some((number(*var)?, by)));
            let own: Vec<(usize, &Rational)> = own.collect();
            if own.is_empty() {
                return Some(());
            }
            let denominators = own.iter().map(|(_, by)| by.denom());
            let scale = denominators.fold(1.into(), |one: num_bigint::BigInt, by| one.lcm(by));
            let scale = Rational::from_integer(scale);
            let scaled = own
                .iter()
                .map(|(number, by)| Some((*number, whole(&(*by * &scale))?)));
            let mut made = Moves {
                row,
                place: row.and_then(|row| recourse.rows.iter().position(|&other| other == row)),
                terms: scaled.collect::<Option<_>>()?,
                scale,
                reach: (0, 0),
            };
            // Products of two large numbers might not fit.
            let products = made.terms.iter().flat_map(|(number, by)| {
                plays
                    .iter()
                    .map(move |play| (by.abs(), play[*number].abs()))
            });
            if products
                .into_iter()
                .any(|(one, other)| one.saturating_mul(other) > LARGEST * LARGEST)
            {
                return None;
            }
            let sums = || plays.iter().map(|play| made.sum(play));
            made.reach = (sums().min()?, sums().max()?);
            moves.push(made);
            Some(())
        };
        for (id, row) in stages.program.rows().pairs() {
            add(Some(id), &row.terms)?;
        }
        add(None, &stages.costs)?;
        Some(Self {
            plays,
            moves,
            columns,
            rows,
            is_free,
        })
    }

    /// Takes the plays away that the reply to the play on the board answers for `left` more than it costs there.
    pub fn answered(
        &self,
        stages: &Stages<'_>,
        recourse: &Recourse,
        board: &IdVec<VarId, Rational>,
        (play, reply): (usize, &IdVec<VarId, Rational>),
        left: &Rational,
        open: &mut Vec<usize>,
    ) {
        let mut reply = Reply::new(self, recourse, reply);
        let rows = stages.program.rows();
        let mut limits = Vec::new();
        for moves in &self.moves {
            let base = moves.sum(&self.plays[play]);
            let (below, above) = match (moves.row, moves.place) {
                (None, _) => (None, Some(left.clone())),
                (Some(_), Some(place)) => {
                    // As much room as the moves of any play could take.
                    let wanted = [base - moves.reach.0, moves.reach.1 - base];
                    let wanted = wanted.map(|by| int_of(by) / &moves.scale);
                    reply.make_room(place, &wanted);
                    reply.room(place)
                }
                (Some(row), None) => {
                    let terms = rows[row].terms.iter();
                    let sum: Rational = terms.map(|(var, by)| by * &board[*var]).sum();
                    let below = rows[row].lower.as_ref().map(|side| &sum - side);
                    let above = rows[row].upper.as_ref().map(|side| side - &sum);
                    (below, above)
                }
            };
            let limit = |room: Option<Rational>| match room {
                Some(room) => (room * &moves.scale).floor().numer().to_i128(),
                None => None,
            };
            let least = limit(below).map_or(i128::MIN, |room| base.saturating_sub(room));
            let most = limit(above).map_or(i128::MAX, |room| base.saturating_add(room));
            if moves.reach.0 < least || moves.reach.1 > most {
                limits.push(Limit { moves, least, most });
            }
        }
        open.retain(|&other| {
            limits.iter().any(|limit| {
                let sum = limit.moves.sum(&self.plays[other]);
                sum < limit.least || sum > limit.most
            })
        });
    }
}

fn int_of(number: i128) -> Rational {
    Rational::from_integer(number.into())
}

/// A reply whose free columns may move.
struct Reply<'a> {
    cover: &'a Cover,
    recourse: &'a Recourse,
    values: Vec<Rational>,
    /// What the reply adds to each row.
    sums: Vec<Rational>,
}

impl<'a> Reply<'a> {
    fn new(cover: &'a Cover, recourse: &'a Recourse, values: &IdVec<VarId, Rational>) -> Self {
        let sum = |row: &Vec<(usize, Rational)>| -> Rational {
            let terms = row.iter();
            terms
                .map(|(column, by)| by * &values[VarId::new(*column)])
                .sum()
        };
        Self {
            cover,
            recourse,
            sums: cover.rows.iter().map(sum).collect(),
            values: values.iter().cloned().collect(),
        }
    }

    /// How much less and how much more the row may be.
    fn room(&self, place: usize) -> (Option<Rational>, Option<Rational>) {
        let row = &self.recourse.warm.program().rows[RowId::new(place)];
        let sum = &self.sums[place];
        let below = row.lower.as_ref().map(|side| sum - side);
        let above = row.upper.as_ref().map(|side| side - sum);
        (below, above)
    }

    /// Moves free columns until the row has the wanted room on both sides, as far as they may.
    fn make_room(&mut self, place: usize, wanted: &[Rational; 2]) {
        let cover = self.cover;
        for (column, by) in &cover.rows[place] {
            if !cover.is_free[*column] {
                continue;
            }
            let (below, above) = self.room(place);
            let missing = [below, above].into_iter().zip(wanted);
            let mut missing = missing.map(|(room, wanted)| room.map(|room| wanted - room));
            let (below, above) = (missing.next().flatten(), missing.next().flatten());
            let is_missing =
                |side: &Option<Rational>| side.as_ref().is_some_and(Signed::is_positive);
            // What the row should gain.
            let gain = match (is_missing(&below), is_missing(&above)) {
                (true, false) => below,
                (false, true) => above.map(|by| -by),
                _ => return,
            };
            let Some(gain) = gain else { return };
            self.move_column(*column, &(gain / by));
        }
    }

    /// Moves a column so far, or as far as its bounds and rows let it.
    fn move_column(&mut self, column: usize, by: &Rational) {
        let is_up = by.is_positive();
        let mut most = by.abs();
        let bounds = &self.recourse.warm.program().bounds[VarId::new(column)];
        let room = match is_up {
            true => bounds.upper.as_ref().map(|end| end - &self.values[column]),
            false => bounds.lower.as_ref().map(|end| &self.values[column] - end),
        };
        most = room.into_iter().fold(most, Rational::min);
        for (place, factor) in &self.cover.columns[column] {
            let (below, above) = self.room(*place);
            let room = match factor.is_positive() == is_up {
                true => above,
                false => below,
            };
            most = room
                .map(|room| room / factor.abs())
                .into_iter()
                .fold(most, Rational::min);
        }
        if !most.is_positive() {
            return;
        }
        let step = if is_up { most } else { -most };
        for (place, factor) in &self.cover.columns[column] {
            self.sums[*place] += factor * &step;
        }
        self.values[column] += step;
    }
}
