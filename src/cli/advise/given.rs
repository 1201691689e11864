//! Moves as they are typed: `open=1, d1=2`.

use std::collections::BTreeMap;

use quip::format::nearest;
use quip::num::{Rational, parse_rational};
use quip::outcome::Move;
use quip::program::{Program, Quantifier, VarId};

use crate::cli::exit::Failure;

/// What has happened.
#[derive(Debug)]
pub struct Given {
    values: BTreeMap<VarId, Rational>,
    /// Names for messages.
    names: BTreeMap<VarId, String>,
}

impl Given {
    /// Reads moves; commas inside of names are understood, since a move has one `=`.
    pub fn read(program: &Program, text: &str) -> Result<Self, Failure> {
        let mut values = BTreeMap::new();
        let mut names = BTreeMap::new();
        let mut open = String::new();
        for piece in text.split(',') {
            open += piece;
            if !piece.contains('=') {
                open.push(',');
                continue;
            }
            let (variable, value) = one(program, &std::mem::take(&mut open))?;
            let name = &program.variables()[variable].name;
            if values.insert(variable, value).is_some() {
                return Err(Failure::Usage(format!("`{name}` is given twice")));
            }
            names.insert(variable, name.clone());
        }
        match open.trim_matches([',', ' ', '\t', '\n']) {
            "" => Ok(Self { values, names }),
            rest => Err(Failure::Usage(format!(
                "`{rest}` is no move; write moves like 'open=1, d1=2'"
            ))),
        }
    }

    /// What a variable was fixed to.
    pub fn value(&self, variable: VarId) -> Option<&Rational> {
        self.values.get(&variable)
    }

    /// The last variable of the prefix that is given.
    pub fn last(&self) -> Option<VarId> {
        self.values.keys().next_back().copied()
    }

    /// Fails if something later than an observation that is missing is given.
    pub fn is_over_before(
        &self,
        program: &Program,
        played: &[Move],
        missing: VarId,
    ) -> Result<(), Failure> {
        let mut given = self.values.keys();
        let is_played = |variable: &VarId| played.iter().any(|(made, _)| made == variable);
        match given.find(|variable| !is_played(variable)) {
            None => Ok(()),
            Some(later) => Err(Failure::Usage(format!(
                "`{}` is fixed by the opponent before `{}` and has to be given, too",
                program.variables()[missing].name,
                self.names[later]
            ))),
        }
    }

    /// All moves up to a variable, where every one of them is given.
    pub fn prefix(&self, program: &Program, last: VarId) -> Result<Vec<Move>, Failure> {
        let mut moves = Vec::new();
        for (variable, it) in program.variables().pairs() {
            if variable > last {
                break;
            }
            match self.values.get(&variable) {
                Some(value) => moves.push((variable, value.clone())),
                None if it.quantifier == Quantifier::Exists => {}
                None => {
                    return Err(Failure::Usage(format!(
                        "`{}` is fixed by the opponent before `{}` and has to be given, too",
                        it.name, self.names[&last]
                    )));
                }
            }
        }
        Ok(moves)
    }
}

fn one(program: &Program, text: &str) -> Result<Move, Failure> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    let variable = program.find(name).ok_or_else(|| {
        let names = program.variables().iter().map(|it| it.name.as_str());
        let help = nearest(name, names).map(|near| format!("; did you mean `{near}`?"));
        Failure::Usage(format!(
            "the model has no variable `{name}`{}",
            help.unwrap_or_default()
        ))
    })?;
    let value = parse_rational(value)
        .map_err(|fault| Failure::Usage(format!("`{value}` for `{name}`: {fault}")))?;
    let it = &program.variables()[variable];
    // What the opponent may not do is an answer, not a mistake.
    if it.quantifier == Quantifier::Exists && !it.admits(&value) {
        return Err(Failure::Usage(format!(
            "`{name}` cannot be {value}: it is outside of its domain"
        )));
    }
    Ok((variable, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::parse_qip;
    use quip::num::int;

    fn read(text: &str) -> Result<Vec<(String, Rational)>, String> {
        let program = parse_qip(
            "prefix exists binary open x[1,2] forall integer d1 in [0, 2] exists binary y end",
        )
        .expect("it is well formed");
        let given = Given::read(&program, text).map_err(|failure| failure.to_string())?;
        let pairs = given.values.iter();
        Ok(pairs
            .map(|(var, value)| (given.names[var].clone(), value.clone()))
            .collect())
    }

    #[test]
    fn commas_part_moves_and_may_be_inside_of_names() {
        let expected = vec![("x[1,2]".to_owned(), int(1)), ("d1".to_owned(), int(2))];
        assert_eq!(read("d1 = 2, x[1,2]=1"), Ok(expected));
        assert_eq!(read("  "), Ok(Vec::new()));
        assert_eq!(read("open=0,"), Ok(vec![("open".to_owned(), int(0))]));
    }

    #[test]
    fn what_is_no_move_is_said() {
        for (text, words) in [
            ("opne=1", "did you mean `open`?"),
            ("open", "is no move"),
            ("open=maybe", "`maybe` for `open`"),
            ("open=2", "outside of its domain"),
            ("open=1, open=0", "given twice"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
