//! Plays of the opponent against a strategy: random ones, the worst, those of a file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use num_traits::ToPrimitive;
use quip::num::{Rational, int, parse_rational, ratio};
use quip::outcome::Move;
use quip::program::{IdVec, Kind, Program, Quantifier, VarId};
use quip::solver::{Solver, fixed};
use quip::strategy::{End, Play, Strategy, Turn};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cli::exit::Failure;
use crate::cli::reading;

/// Of so many values all are tried, in random order, before a play has no legal move.
const FEW_VALUES: usize = 256;

/// How many values of a larger domain are tried.
const TRIES: usize = 256;

/// One play and what it came to.
#[derive(Debug)]
pub struct Played {
    /// `random`, `worst` or `given`.
    pub kind: &'static str,
    /// From one, among plays of its kind.
    pub number: usize,
    pub result: Result,
    pub moves: Vec<Move>,
}

/// How a play ended.
#[derive(Debug)]
pub enum Result {
    /// With this value of the objective; zero where there is none.
    Value(Rational),
    /// The opponent has no legal move left, or the objective goes on without end.
    Won,
    /// A move was not legal, or no legal one was found.
    Refused(String),
}

/// Plays in which every move is drawn among the legal ones; fewer if asked to stop.
pub fn random(
    program: &Program,
    strategy: &Strategy,
    runs: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Vec<Played> {
    let mut source = ChaCha8Rng::seed_from_u64(seed);
    let numbers = (1..=runs).take_while(|_| !stop.load(Ordering::Relaxed));
    let plays = numbers.map(|number| {
        let draw = |play: &mut Play<'_>, var| drawn(program, play, var, &mut source);
        played(strategy.play(program), "random", number, draw)
    });
    plays.collect()
}

/// The play in which the opponent follows its own strategy. Where that leaves a move open, what is
/// left of the program is solved; where that does not tell either, any legal move does.
pub fn worst(program: &Program, strategy: &Strategy, refutation: Option<&Strategy>) -> Vec<Played> {
    let Some(refutation) = refutation else {
        return Vec::new();
    };
    let mut source = ChaCha8Rng::seed_from_u64(0);
    let mut other = refutation.play(program);
    let choose = |play: &mut Play<'_>, var: VarId| {
        let meant = reply(&mut other, play, var);
        let is_legal = |value: &Rational| play.clone().observe(value.clone()).is_ok();
        let meant = meant
            .filter(is_legal)
            .or_else(|| best_of_rest(program, play.moves(), var).filter(is_legal));
        match meant {
            Some(value) => play.observe(value).map_err(|refusal| refusal.to_string()),
            None => drawn(program, play, var, &mut source),
        }
    };
    vec![played(strategy.play(program), "worst", 1, choose)]
}

/// What the opponent does at this variable in best play of both from here.
fn best_of_rest(program: &Program, made: &[Move], variable: VarId) -> Option<Rational> {
    let left = fixed(program, made);
    let outcome = Solver::default().solve(&left).ok()?;
    let mut moves = outcome.principal_variation.into_iter();
    moves
        .find(|(var, _)| *var == variable)
        .map(|(_, value)| value)
}

/// What the refutation does at this variable, told all that was played before.
fn reply(other: &mut Play<'_>, play: &Play<'_>, variable: VarId) -> Option<Rational> {
    loop {
        match other.turn() {
            Turn::Reply((var, value)) if var == variable => return Some(value),
            Turn::Reply(_) => {
                // Moves of this block that were made already.
                let before = other.moves().len();
                let mut ahead = other.clone();
                let replies = ahead.reply();
                let (_, value) = replies.iter().find(|(var, _)| *var == variable)?.clone();
                return (play.moves().len() >= before).then_some(value);
            }
            Turn::Observe(var) => {
                let (_, value) = play.moves().iter().find(|(made, _)| *made == var)?;
                let value = value.clone();
                other.observe(value).ok()?;
            }
            Turn::Over(End::Settled(moves)) => {
                let (_, value) = moves.iter().find(|(var, _)| *var == variable)?;
                return Some(value.clone());
            }
            Turn::Over(_) => return None,
        }
    }
}

/// The plays of a file.
pub fn given(program: &Program, strategy: &Strategy, table: &Table) -> Vec<Played> {
    let rows = table.rows.iter().enumerate();
    let plays = rows.map(|(place, row)| {
        let choose = |play: &mut Play<'_>, var: VarId| {
            let value = row[var].clone().ok_or("the file does not say the move")?;
            play.observe(value).map_err(|refusal| refusal.to_string())
        };
        played(strategy.play(program), "given", place + 1, choose)
    });
    plays.collect()
}

/// Plays to the end.
fn played(
    mut play: Play<'_>,
    kind: &'static str,
    number: usize,
    mut choose: impl FnMut(&mut Play<'_>, VarId) -> std::result::Result<(), String>,
) -> Played {
    let result = loop {
        play.reply();
        let variable = match play.turn() {
            Turn::Observe(variable) => variable,
            Turn::Over(End::OpponentDead | End::Ray(_)) => break Result::Won,
            Turn::Over(_) => break Result::Value(play.objective_so_far()),
            Turn::Reply(_) => unreachable!("invariant: all replies were made"),
        };
        if let Err(reason) = choose(&mut play, variable) {
            break Result::Refused(reason);
        }
    };
    Played {
        kind,
        number,
        result,
        moves: play.moves().to_vec(),
    }
}

/// Makes a legal move, each value of a small domain with the same chance.
fn drawn(
    program: &Program,
    play: &mut Play<'_>,
    variable: VarId,
    source: &mut ChaCha8Rng,
) -> std::result::Result<(), String> {
    let tried: Vec<Rational> = match values(program, variable, FEW_VALUES) {
        Some(mut values) => {
            values.shuffle(source);
            values
        }
        None => {
            let some = std::iter::repeat_with(|| somewhere(program, variable, source));
            let domain = program.variables()[variable].domain();
            let ends = domain.lower.into_iter().chain(domain.upper);
            some.take(TRIES).flatten().chain(ends).collect()
        }
    };
    for value in tried {
        if play.observe(value).is_ok() {
            return Ok(());
        }
    }
    let name = &program.variables()[variable].name;
    Err(format!("no legal value of `{name}` was found"))
}

/// All values of a small domain of whole numbers.
pub fn values(program: &Program, variable: VarId, most: usize) -> Option<Vec<Rational>> {
    let it = &program.variables()[variable];
    let domain = it.domain();
    let (lower, upper) = (domain.lower?, domain.upper?);
    if it.kind == Kind::Real || &upper - &lower >= int(i64::try_from(most).ok()?) {
        return None;
    }
    let (lower, upper) = (lower.ceil(), upper.floor());
    let count = (&upper - &lower).to_i64()?;
    Some((0..=count).map(|step| &lower + int(step)).collect())
}

/// A value of a large domain, or one of 1,025 places of a real one.
fn somewhere(program: &Program, variable: VarId, source: &mut ChaCha8Rng) -> Option<Rational> {
    const PLACES: i64 = 1024;
    let it = &program.variables()[variable];
    let domain = it.domain();
    let (lower, upper) = (domain.lower?, domain.upper?);
    let part = ratio(source.random_range(0..=PLACES), PLACES);
    let value = &lower + (&upper - &lower) * part;
    Some(match it.kind {
        Kind::Real => value,
        Kind::Integer => value.floor().max(lower.ceil()),
    })
}

/// Plays that were written down.
#[derive(Debug)]
pub struct Table {
    rows: Vec<IdVec<VarId, Option<Rational>>>,
}

impl Table {
    /// Reads a file of comma-separated values; its first line names variables of the opponent.
    pub fn read(program: &Program, path: &Path) -> std::result::Result<Self, Failure> {
        let text = reading::text_of(path)?;
        let wrong = |reason: String| Failure::Usage(format!("{}: {reason}", reading::spoken(path)));
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let head = reader.headers().map_err(|fault| wrong(fault.to_string()))?;
        let mut columns = Vec::new();
        for name in head {
            let variable = program
                .find(name)
                .ok_or_else(|| wrong(format!("the model has no variable `{name}`")))?;
            if program.variables()[variable].quantifier == Quantifier::Exists {
                return Err(wrong(format!("`{name}` is not the opponent's")));
            }
            columns.push(variable);
        }
        for (variable, it) in program.variables().pairs() {
            if it.quantifier == Quantifier::Forall && !columns.contains(&variable) {
                return Err(wrong(format!(
                    "there is no column for `{}`, which the opponent fixes",
                    it.name
                )));
            }
        }
        let mut rows = Vec::new();
        for line in reader.records() {
            let line = line.map_err(|fault| wrong(fault.to_string()))?;
            let mut row = IdVec::filled(program.variables().len(), None);
            for (variable, value) in columns.iter().zip(&line) {
                let read = parse_rational(value);
                let name = &program.variables()[*variable].name;
                row[*variable] = Some(read.map_err(|fault| {
                    wrong(format!("play {}, `{name}`: {fault}", rows.len() + 1))
                })?);
            }
            rows.push(row);
        }
        Ok(Self { rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::parse_qip;
    use quip::solver::Options;

    fn solved(text: &str) -> (Program, Option<Strategy>, Option<Strategy>) {
        let program = parse_qip(text).expect("it is well formed");
        let options = Options {
            certificate: true,
            ..Options::default()
        };
        let outcome = Solver::new(options).solve(&program).expect("it is taken");
        let held = |player| outcome.held(&program, player);
        let (strategy, refutation) = (held(Quantifier::Exists), held(Quantifier::Forall));
        (program, strategy, refutation)
    }

    const LOT: &str = include_str!("../../../models/or/lot-sizing.qip");

    #[test]
    fn no_random_play_costs_more_than_is_guaranteed_and_the_worst_costs_that() {
        let (program, strategy, refutation) = solved(LOT);
        let strategy = strategy.expect("it is won");
        let plays = random(&program, &strategy, 300, 1, &AtomicBool::new(false));
        assert_eq!(plays.len(), 300);
        for it in &plays {
            let Result::Value(value) = &it.result else {
                panic!("{it:?}");
            };
            assert!(*value <= int(16), "{it:?}");
        }
        let worst = worst(&program, &strategy, refutation.as_ref());
        assert!(matches!(&worst[0].result, Result::Value(value) if *value == int(16)));
    }

    #[test]
    fn an_illegal_play_of_a_file_is_refused_with_its_row() {
        let (program, strategy, _) = solved(LOT);
        let [d1, d2] = ["d1", "d2"].map(|name| program.find(name).expect("it is there"));
        let mut row = IdVec::filled(program.variables().len(), None);
        row[d1] = Some(int(2));
        row[d2] = Some(int(2));
        let table = Table { rows: vec![row] };
        let plays = given(&program, &strategy.expect("it is won"), &table);
        let Result::Refused(reason) = &plays[0].result else {
            panic!("{plays:?}");
        };
        assert!(reason.contains("it breaks row `budget`"), "{reason}");
    }
}
