//! A program whose numbers are read as the simple fractions that they are near to.
//!
//! Data that was computed in floats spells 1/3 as `0.3333333333333333`, and exact rows then hold other
//! points than their author meant. Nothing is changed unless somebody asks for it, and then all that
//! was changed is listed.

use rustc_hash::FxHashMap;

use super::{Id, Program, ProgramData, Quantifier};
use crate::num::{Rational, simplest_within};

/// What was read as something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reread {
    /// The number as it is spelled.
    pub from: Rational,
    /// The number that is taken for it.
    pub to: Rational,
    /// How often.
    pub times: usize,
    /// Where it is met first.
    pub place: String,
}

impl Program {
    /// The program with every number read as the simplest fraction at most `distance` away, and the
    /// numbers that are others now, in the order of the program. A number below one moves by at most
    /// that share of itself; integers stay.
    ///
    /// ```
    /// use quip::num::parse_rational;
    /// let text = "subject to share: 0.3333333333333333 a + 0.6666666666666667 b = 1
    ///             prefix exists binary a b end";
    /// let program = quip::format::parse_qip(text)?;
    /// let (program, reread) = program.rationalized(&parse_rational("1e-12").unwrap());
    /// assert_eq!(reread[0].to.to_string(), "1/3");
    /// assert_eq!(reread[0].place, "row `share`, variable `a`");
    /// let outcome = quip::solver::Solver::default().solve(&program).unwrap();
    /// assert_eq!(outcome.status, quip::outcome::Status::Feasible);
    /// # Ok::<(), quip::format::Diagnostics>(())
    /// ```
    pub fn rationalized(&self, distance: &Rational) -> (Self, Vec<Reread>) {
        self.reread(|number| simplest_within(number, distance))
    }

    /// The program with every fraction replaced, and what was. The other number must be near, and of
    /// two fractions the larger one must not become the smaller one.
    pub fn reread(&self, read: impl Fn(&Rational) -> Rational) -> (Self, Vec<Reread>) {
        let mut list = List {
            read,
            places: FxHashMap::default(),
            found: Vec::new(),
        };
        let mut data = self.clone().into_data();
        list.read(self, &mut data);
        let program = Self::new(data);
        let program = program.expect("invariant: other numbers keep a program valid");
        (program, list.found)
    }
}

struct List<F> {
    read: F,
    places: FxHashMap<Rational, usize>,
    found: Vec<Reread>,
}

impl<F: Fn(&Rational) -> Rational> List<F> {
    fn read(&mut self, program: &Program, data: &mut ProgramData) {
        let name = |var| &program.variables()[var].name;
        for variable in &mut data.variables {
            let place = || format!("bounds of `{}`", variable.name);
            let bounds = &mut variable.bounds;
            let ends = bounds.lower.iter_mut().chain(&mut bounds.upper);
            ends.for_each(|end| self.number(end, place));
        }
        let systems = [
            (Quantifier::Exists, &mut data.rows),
            (Quantifier::Forall, &mut data.universal_rows),
        ];
        for (owner, rows) in systems {
            for (index, row) in rows.iter_mut().enumerate() {
                let label = || format!("row {}", program.row_label(owner, Id::new(index)));
                for (var, factor) in &mut row.terms {
                    self.number(factor, || format!("{}, variable `{}`", label(), name(*var)));
                }
                let sides = row.lower.iter_mut().chain(&mut row.upper);
                sides.for_each(|side| self.number(side, || format!("{}, its side", label())));
            }
        }
        if let Some(objective) = &mut data.objective {
            for (var, factor) in &mut objective.terms {
                self.number(factor, || format!("objective, variable `{}`", name(*var)));
            }
            self.number(&mut objective.constant, || "objective, its constant".into());
        }
    }

    fn number(&mut self, number: &mut Rational, place: impl Fn() -> String) {
        if number.is_integer() {
            return;
        }
        if let Some(known) = self.places.get(number) {
            let reread = &mut self.found[*known];
            reread.times += 1;
            *number = reread.to.clone();
            return;
        }
        let to = (self.read)(number);
        if to != *number {
            let from = std::mem::replace(number, to.clone());
            self.places.insert(from.clone(), self.found.len());
            self.found.push(Reread {
                from,
                to,
                times: 1,
                place: place(),
            });
        }
    }
}
