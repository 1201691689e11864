//! Why a program is lost: few rows and few moves of the opponent that are already enough.
//!
//! Two things make a lost program easier: without a row there is less to keep, and a universal
//! variable that is given to the existential player cannot hurt him any more. As long as the
//! program stays lost, what was taken away was not needed. Winning is monotone in both, so what a
//! single pass cannot take away is needed, also when everything else that is not needed is gone.
//!
//! 1. Of the opponent's variables as few first ones are kept as possible: the shortest refutation.
//!    With one less, the existential player could still be saved by an opponent who helps from there.
//! 2. Rows and variables are taken away, many at once first, then one by one.
//! 3. The opponent is held to single moves, as far as he still wins with them.
//!
//! A variable that is given away keeps the rules of the opponent: where these do not depend on the
//! existential player's decisions, they become rows of his as well.

use super::study::Study;
use crate::num::{Rational, int};
use crate::outcome::{Move, Status};
use crate::program::{Bounds, Id, Program, Quantifier, Row, RowId, VarId};
use crate::solver::fixed;
use crate::strategy::{End, Strategy, Turn};

/// How many values of a variable are tried to hold the opponent to one.
const MOST_VALUES: usize = 8;
/// How many values are tried to find one that a refutation answers.
const MOST_TRIES: usize = 1000;

/// A variable that the opponent needs to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pressure {
    /// His variable.
    pub variable: VarId,
    /// The value that wins whatever the existential player does before it; `None` if the right one
    /// depends on that, or if this was not found out.
    pub value: Option<Rational>,
}

/// What already refutes a lost program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// Rows of the existential player.
    pub rows: Vec<RowId>,
    /// Moves of the opponent.
    pub pressure: Vec<Pressure>,
    /// A refuting play, up to the last of these moves. If the core is minimal, then with fewer of
    /// the opponent's first variables the game would not be lost.
    pub play: Vec<Move>,
    /// Whether it was verified that nothing of it can be left out.
    pub is_minimal: bool,
    /// A variable of the existential player without any value: that alone is the reason.
    pub empty_domain: Option<VarId>,
}

/// The core of a lost program; `None` if there was no time for anything.
pub(super) fn of(program: &Program, study: &mut Study<'_>) -> Option<Core> {
    let mut variables = program.variables().pairs();
    let empty =
        variables.find(|(_, it)| it.quantifier == Quantifier::Exists && it.has_empty_domain());
    if let Some((var, _)) = empty {
        return Some(Core {
            rows: Vec::new(),
            pressure: Vec::new(),
            play: Vec::new(),
            is_minimal: true,
            empty_domain: Some(var),
        });
    }
    if program.first_empty_domain().is_some() {
        return Some(dead_from_the_start(program, study));
    }
    let pairs = program.variables().pairs();
    let theirs = pairs.filter_map(|(var, it)| (it.quantifier == Quantifier::Forall).then_some(var));
    let mut filter = Filter {
        program,
        study,
        copies_rules: !program.class().decision_dependent,
        kept: Kept {
            rows: program.rows().ids().collect(),
            moves: theirs.map(|var| (var, None)).collect(),
        },
        certain: true,
    };
    filter.study.tell("the shortest refutation");
    filter.shorten();
    filter.study.tell("rows and moves that already refute");
    filter.thin_out();
    filter.study.tell("moves that the opponent can be held to");
    filter.commit();
    let play = filter.play();
    let play = filter.closed(play);
    Some(Core {
        rows: filter.kept.rows,
        pressure: filter
            .kept
            .moves
            .into_iter()
            .map(|(variable, value)| Pressure { variable, value })
            .collect(),
        play,
        is_minimal: filter.certain,
        empty_domain: None,
    })
}

/// The rows that are lost before the first move, of the player who makes it: the opponent has no
/// value to take, but nobody comes to that.
fn dead_from_the_start(program: &Program, study: &mut Study<'_>) -> Core {
    let mut rows: Vec<RowId> = program.rows().ids().collect();
    let mut certain = true;
    for row in program.rows().ids() {
        let fewer: Vec<RowId> = rows.iter().copied().filter(|it| *it != row).collect();
        let mut data = program.clone().into_data();
        data.rows = fewer.iter().map(|it| program.rows()[*it].clone()).collect();
        let easier = Program::new(data).expect("invariant: fewer rows keep a program valid");
        match study.solve(&easier).map(|outcome| outcome.status) {
            Ok(Status::Infeasible) => rows = fewer,
            Ok(Status::Interrupted) | Err(_) => certain = false,
            Ok(_) => {}
        }
    }
    Core {
        rows,
        pressure: Vec::new(),
        play: Vec::new(),
        is_minimal: certain,
        empty_domain: None,
    }
}

/// What has not been taken away.
#[derive(Clone)]
struct Kept {
    rows: Vec<RowId>,
    /// The opponent's variables, and the values he is held to.
    moves: Vec<(VarId, Option<Rational>)>,
}

struct Filter<'s, 'o> {
    program: &'s Program,
    study: &'s mut Study<'o>,
    copies_rules: bool,
    kept: Kept,
    /// Whether every question was answered.
    certain: bool,
}

impl Filter<'_, '_> {
    /// Keeps as few of the opponent's first variables as possible.
    fn shorten(&mut self) {
        let all = self.kept.moves.clone();
        let (mut too_few, mut enough) = (None, all.len());
        while too_few.map_or(0, |few: usize| few + 1) < enough {
            let low = too_few.map_or(0, |few| few + 1);
            let tried = low + (enough - low) / 2;
            let mut fewer = self.kept.clone();
            fewer.moves = all[..tried].to_vec();
            if self.still_lost(&fewer) {
                enough = tried;
            } else {
                too_few = Some(tried);
            }
        }
        self.kept.moves.truncate(enough);
    }

    /// Takes away rows and variables, many at once first.
    fn thin_out(&mut self) {
        for divisor in [4, 16, usize::MAX] {
            let chunk = (self.kept.rows.len() / divisor).max(1);
            let mut end = self.kept.rows.len();
            while end > 0 {
                let start = end.saturating_sub(chunk);
                let mut fewer = self.kept.clone();
                fewer.rows.drain(start..end);
                self.keep_if_lost(fewer);
                end = start;
            }
        }
        for place in (0..self.kept.moves.len()).rev() {
            let mut fewer = self.kept.clone();
            fewer.moves.remove(place);
            self.keep_if_lost(fewer);
        }
    }

    /// Holds the opponent to single moves, where they win on their own: those of his refutation
    /// first, then others.
    fn commit(&mut self) {
        let certain = self.certain;
        for place in 0..self.kept.moves.len() {
            if self.study.is_over() {
                break;
            }
            let var = self.kept.moves[place].0;
            let domain = self.program.variables()[var].domain();
            let (Some(lower), Some(upper)) = (domain.lower, domain.upper) else {
                continue;
            };
            let played = self.play().into_iter().find(|(at, _)| *at == var);
            let steps = std::iter::successors(Some(lower), |value| Some(value + int(1)));
            let inside = steps.take_while(|value| *value < upper);
            let mut values: Vec<Rational> = vec![upper.clone()];
            values.extend(inside.take(MOST_VALUES));
            values.extend(played.map(|(_, value)| value));
            values.reverse();
            for value in values {
                let mut held = self.kept.clone();
                held.moves[place].1 = Some(value);
                if self.keep_if_lost(held) {
                    break;
                }
            }
        }
        // That a single move does not suffice, or was not tried, is no doubt about the core.
        self.certain = certain;
    }

    fn keep_if_lost(&mut self, fewer: Kept) -> bool {
        let lost = self.still_lost(&fewer);
        if lost {
            self.kept = fewer;
        }
        lost
    }

    fn still_lost(&mut self, kept: &Kept) -> bool {
        let lost = match self.study.is_over() {
            true => None,
            false => self.tried(kept).and_then(|less| self.study.is_lost(&less)),
        };
        self.certain &= lost.is_some();
        lost == Some(true)
    }

    /// A refuting play of what is kept, up to the opponent's last move: best play, if it is known
    /// that far, otherwise one under the refutation. Where that is settled before, the moves that
    /// he is held to follow.
    fn play(&mut self) -> Vec<Move> {
        if self.study.is_over() {
            return Vec::new();
        }
        let reduced = self.reduced(&self.kept);
        let (best, refutation) = self.study.refutation(&reduced);
        let best = self.needed(best);
        let is_made = |(var, _): &(VarId, _)| best.iter().any(|(made, _)| made == var);
        if self.kept.moves.iter().all(is_made) {
            return best;
        }
        let followed = refutation.map(|refutation| followed(&reduced, &refutation));
        let mut moves = self.needed(followed.unwrap_or(best));
        for (var, value) in &self.kept.moves {
            if let Some(value) = value
                && moves.iter().all(|(made, _)| made < var)
            {
                moves.push((*var, value.clone()));
            }
        }
        moves
    }

    /// The play up to the opponent's last move: where a refutation is settled before, each move
    /// that is left keeps the game lost.
    fn closed(&mut self, mut moves: Vec<Move>) -> Vec<Move> {
        let reduced = &self.reduced(&self.kept);
        let last = self.kept.moves.last().map(|(var, _)| *var);
        let made = moves.last().map(|(var, _)| *var);
        let open = reduced.variables().ids();
        let open = open.filter(|var| made < Some(*var) && Some(*var) <= last);
        for var in open {
            let is_theirs = self.kept.moves.iter().any(|(other, _)| *other == var);
            let decided = self.program.variables()[var].quantifier == Quantifier::Exists;
            let domain = reduced.variables()[var].domain();
            let (Some(lower), Some(upper)) = (domain.lower, domain.upper) else {
                break;
            };
            let keeps_it_lost = |value: &Rational, study: &mut Study<'_>| {
                let mut tried = moves.clone();
                tried.push((var, value.clone()));
                !study.is_over() && study.is_lost(&fixed(reduced, &tried)) == Some(true)
            };
            let steps = std::iter::successors(Some(lower), |value| Some(value + int(1)));
            let inside = steps.take_while(|value| *value < upper).take(MOST_VALUES);
            let mut values = std::iter::once(upper.clone()).chain(inside);
            let found = match (is_theirs, decided) {
                (true, _) => values.find(|value| keeps_it_lost(value, self.study)),
                // Whatever he decides loses.
                (false, true) => values.nth(1).or(Some(upper.clone())),
                // Given to the existential player: it is his to choose, and not needed.
                (false, false) => continue,
            };
            let Some(value) = found else { break };
            moves.push((var, value));
        }
        moves
    }

    /// Without moves after the opponent's last one, and without those that were taken from him.
    fn needed(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let last = self.kept.moves.last().map(|(var, _)| *var);
        let is_needed = |var: VarId| {
            let own = self.program.variables()[var].quantifier == Quantifier::Exists;
            own || self.kept.moves.iter().any(|(other, _)| *other == var)
        };
        moves.retain(|(var, _)| Some(*var) <= last && is_needed(*var));
        moves
    }

    /// What is kept, as a program: it was one when it was tried.
    fn reduced(&self, kept: &Kept) -> Program {
        let reduced = self.tried(kept);
        reduced.expect("invariant: what is kept was a program")
    }

    /// Less of the program; none where a real without an end comes before the last block then.
    fn tried(&self, kept: &Kept) -> Option<Program> {
        let mut data = self.program.clone().into_data();
        let mut given_away = false;
        for (place, variable) in data.variables.iter_mut().enumerate() {
            if variable.quantifier == Quantifier::Exists {
                continue;
            }
            let var = VarId::new(place);
            match kept.moves.iter().find(|(other, _)| *other == var) {
                Some((_, Some(value))) => {
                    variable.bounds = Bounds::between(value.clone(), value.clone());
                }
                Some((_, None)) => {}
                None => {
                    variable.quantifier = Quantifier::Exists;
                    given_away = true;
                }
            }
        }
        let rows = kept
            .rows
            .iter()
            .map(|row| self.program.rows()[*row].clone());
        data.rows = rows.collect();
        if given_away && self.copies_rules {
            let unnamed = |row: &Row| Row {
                name: None,
                ..row.clone()
            };
            data.rows.extend(data.universal_rows.iter().map(unnamed));
        }
        Program::new(data).ok()
    }
}

/// The moves of a play under a refutation; the existential player does the first thing that is
/// answered at all.
fn followed(program: &Program, refutation: &Strategy) -> Vec<Move> {
    let mut play = refutation.play(program);
    loop {
        play.reply();
        let Turn::Observe(var) = play.turn() else {
            break;
        };
        let domain = program.variables()[var].domain();
        let (Some(mut value), Some(upper)) = (domain.lower, domain.upper) else {
            break;
        };
        let mut tries = 0;
        while play.observe(value.clone()).is_err() {
            value += int(1);
            tries += 1;
            if value > upper || tries == MOST_TRIES {
                return play.moves().to_vec();
            }
        }
    }
    let mut moves = play.moves().to_vec();
    if let Turn::Over(End::Settled(rest) | End::Open(rest)) = play.turn() {
        moves.extend(rest.iter().cloned());
    }
    moves.sort_by_key(|(var, _)| *var);
    moves
}
