//! What may be played: values as they are typed, why one is refused, and what the rows still allow.

use quip::num::{Digits, Rational, parse_rational};
use quip::outcome::{Move, Status};
use quip::program::{Program, Quantifier, VarId};
use quip::solver::{Solver, fixed};

use super::model::{Played, name};
use crate::cli::advise::Given;
use crate::cli::exit::Failure;
use crate::cli::lint::never_holds;

/// Of so many values each is looked at by itself.
const FEW_VALUES: usize = 64;

impl Played<'_> {
    /// Why a move is illegal, if it is.
    pub(super) fn refusal(
        &self,
        player: Quantifier,
        var: VarId,
        value: &Rational,
    ) -> Result<Option<String>, Failure> {
        let variable = &self.program.variables()[var];
        let label = &variable.name;
        if !variable.admits(value) {
            return Ok(Some(format!(
                "{label} = {value} is illegal: {}",
                self.domain(var)
            )));
        }
        let mut tried = self.made.clone();
        tried.push((var, value.clone()));
        let left = fixed(self.program, &tried);
        let mut rows = left.system(player).pairs();
        if let Some((row, _)) = rows.find(|(_, row)| never_holds(&left, row)) {
            let row = self.program.row_label(player, row);
            return Ok(Some(format!(
                "{label} = {value} is illegal: it breaks row {row}"
            )));
        }
        Ok((!self.is_alive(player, &tried)?).then(|| {
            format!(
                "{label} = {value} is illegal: the rows of {} cannot hold together after it",
                name(player)
            )
        }))
    }

    /// Whether the rows of a player can still hold, whoever fixes what is left.
    pub(super) fn is_alive(&self, player: Quantifier, made: &[Move]) -> Result<bool, Failure> {
        let mut data = fixed(self.program, made).into_data();
        data.rows = self.program.system(player).iter().cloned().collect();
        data.universal_rows.clear();
        data.objective = None;
        for variable in &mut data.variables {
            variable.quantifier = Quantifier::Exists;
        }
        // A question that cannot be asked so is not answered by refusing a move.
        let Ok(free) = Program::new(data) else {
            return Ok(true);
        };
        let outcome = Solver::new(self.options(false)).solve(&free);
        Ok(outcome.map_or(true, |outcome| outcome.status != Status::Infeasible))
    }

    /// A value that is not refused; of large domains an end.
    pub(super) fn any_legal(
        &self,
        player: Quantifier,
        var: VarId,
        moves: &[Move],
    ) -> Result<Rational, Failure> {
        let made = self.made.iter().chain(moves).cloned().collect();
        let there = Played { made, ..*self };
        let domain = self.program.variables()[var].domain();
        let few = crate::cli::simulate::values(self.program, var, FEW_VALUES);
        for value in few.into_iter().flatten() {
            if there.refusal(player, var, &value)?.is_none() {
                return Ok(value);
            }
        }
        Ok(domain.lower.or(domain.upper).unwrap_or_default())
    }

    /// What the next variable may be.
    pub(super) fn moves(&self, player: Quantifier) -> Result<String, Failure> {
        let Some(&var) = self.open(player).first() else {
            return Ok(String::new());
        };
        let Some(values) = crate::cli::simulate::values(self.program, var, FEW_VALUES) else {
            return Ok(format!("{}\n", self.domain(var)));
        };
        let label = &self.program.variables()[var].name;
        let mut lines = String::new();
        for value in values {
            lines += &match self.refusal(player, var, &value)? {
                None => format!("{label} = {value}\n"),
                Some(reason) => format!("{reason}\n"),
            };
        }
        Ok(lines)
    }

    /// The rows with what they can still be.
    pub(super) fn rows(&self) -> String {
        let left = fixed(self.program, &self.made);
        let mut text = String::new();
        for player in [Quantifier::Exists, Quantifier::Forall] {
            for (row, it) in left.system(player).pairs() {
                let (least, most) = quip::explain::activity(&left, it);
                let end = |end: Option<Rational>| {
                    end.map_or_else(|| "any".to_owned(), |it| Digits::Rounded.short(&it))
                };
                let now = match least == most {
                    true => end(least),
                    false => format!("{} to {}", end(least), end(most)),
                };
                let side = |sign: &str, side: &Option<Rational>| {
                    let side = side.as_ref()?;
                    Some(format!(" {sign} {}", Digits::Rounded.short(side)))
                };
                let sides = match it.is_equation() {
                    true => side("=", &it.upper).unwrap_or_default(),
                    false => [side(">=", &it.lower), side("<=", &it.upper)]
                        .into_iter()
                        .flatten()
                        .collect(),
                };
                let label = self.program.row_label(player, row);
                text += &format!("  {} {label}: {now}{sides}\n", player.symbol());
            }
        }
        text
    }
}

/// Values in the order of the variables, or moves by name: those of the variables that are open, from the
/// first one on without a gap.
pub(super) fn read_values(
    program: &Program,
    typed: &str,
    open: &[VarId],
) -> Result<Vec<Move>, String> {
    if !typed.contains('=') {
        let words: Vec<&str> = typed
            .split([' ', ','])
            .filter(|it| !it.is_empty())
            .collect();
        if words.len() > open.len() {
            return Err(format!(
                "these are {} values for {} variables",
                words.len(),
                open.len()
            ));
        }
        return open
            .iter()
            .zip(words)
            .map(|(var, word)| match parse_rational(word) {
                Ok(value) => Ok((*var, value)),
                Err(_) => Err(format!(
                    "`{word}` is no number and no command; help lists them"
                )),
            })
            .collect();
    }
    let given = Given::read(program, typed).map_err(|failure| match failure {
        Failure::Usage(reason) => reason,
        other => other.to_string(),
    })?;
    let named = open
        .iter()
        .map(|var| Some((*var, given.value(*var)?.clone())));
    let moves: Vec<Move> = named.take_while(Option::is_some).flatten().collect();
    let all = program.variables().ids();
    let count = all.filter(|var| given.value(*var).is_some()).count();
    match (moves.len() == count, open.first()) {
        (true, _) => Ok(moves),
        (false, Some(next)) => Err(format!(
            "moves are made in order, and `{}` is next",
            program.variables()[*next].name
        )),
        (false, None) => Err("nothing is open".to_owned()),
    }
}
