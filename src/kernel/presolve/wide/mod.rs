//! Programs whose numbers do not fit machine integers, written with numbers that do.
//!
//! Engines add up rows in 64-bit integers. A row over integers with bounds whose numbers are longer
//! than that, sixteen digits as they come from a computation, is replaced before they see it:
//! - by one row with small coefficients that the *same integer points* of the box satisfy, where one
//!   is found and proved to be that ([`reduce`]);
//! - else by several rows with a *carry* between them ([`carry`]), as numbers are added on paper. The
//!   carries are new variables of the row's owner at the end of the prefix.
//!
//! Both keep every system alive in exactly the same positions, so the game is the same: *the same
//! plays* of [`presolve`](super). A play of the result is a play of the original followed by carries.
//!
//! The objective is not touched: it has no small form in general. See `solver/wide.rs`.

mod carry;
mod cleared;
mod reduce;

use std::borrow::Cow;

pub use cleared::{Cleared, cleared_costs, objective_fits, objective_sums_fit};

use crate::program::{Id, Kind, Program, ProgramData, Quantifier, Row, VarId, Variable};

/// The program with rows that fit machine integers, and with carries behind its variables if need
/// be; `None` if it has real variables, or domains that are too large for that.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::presolve::with_small_rows;
///
/// let program = parse_qip(
///     "subject to 0.5469297933871174 q <= 0.5141737382610032 c
///      prefix exists integer c in [0, 3]  exists integer q in [0, 3]  end",
/// )?;
/// let small = with_small_rows(&program).expect("its domains are small");
/// // The same points satisfy both rows.
/// let holds = |of: &quip::program::Program, c: i64, q: i64| {
///     let point = [quip::num::int(c), quip::num::int(q)];
///     let row = &of.rows().as_slice()[0];
///     row.admits(&row.activity(|var| &point[usize::from(of.find("q") == Some(var))]))
/// };
/// for (c, q) in (0..=3).flat_map(|c| (0..=3).map(move |q| (c, q))) {
///     assert_eq!(holds(&program, c, q), holds(&small, c, q));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_small_rows(program: &Program) -> Option<Cow<'_, Program>> {
    let variables = program.variables().iter();
    let mut domains = Vec::with_capacity(variables.len());
    for variable in variables {
        (variable.kind == Kind::Integer).then_some(())?;
        domains.push(cleared::domain(variable)?);
    }
    let mut fitted = Fitted {
        domains,
        carries: [Vec::new(), Vec::new()],
        names: program.variables().len(),
    };
    let mut systems = [Vec::new(), Vec::new()];
    let mut changed = false;
    for (place, owner) in [Quantifier::Exists, Quantifier::Forall]
        .into_iter()
        .enumerate()
    {
        for (id, row) in program.system(owner).pairs() {
            if cleared::is_short(row, &fitted.domains) {
                systems[place].push(row.clone());
                continue;
            }
            let cleared = Cleared::of(row, &fitted.domains);
            if !cleared.is_long(&fitted.domains) && program.scaled_row(owner, id).is_ok() {
                systems[place].push(row.clone());
                continue;
            }
            changed = true;
            for side in cleared.tidied(&fitted.domains) {
                fitted.add(side, place, &row.name, &mut systems[place])?;
            }
        }
    }
    if !changed {
        return Some(Cow::Borrowed(program));
    }
    let [rows, universal_rows] = systems;
    fitted
        .finished(program, rows, universal_rows)
        .map(Cow::Owned)
}

/// The domains and carries of a program while its rows are made to fit.
struct Fitted {
    /// Smallest and largest value, of carries too.
    domains: Vec<(i64, i64)>,
    /// The carries of either player, by the number that stands for them until all are known.
    carries: [Vec<usize>; 2],
    /// How many variables the program has.
    names: usize,
}

impl Fitted {
    /// Adds a row to a system, in as many rows as it takes.
    fn add(
        &mut self,
        row: Cleared,
        owner: usize,
        name: &Option<String>,
        system: &mut Vec<Row>,
    ) -> Option<()> {
        let mut waiting = vec![reduce::small_form(&row, &self.domains).unwrap_or(row)];
        let mut name = name.clone();
        while let Some(row) = waiting.pop() {
            let fits = row.fits(&self.domains);
            // No linear program is made of universal rows.
            let is_good = fits && (owner == 1 || row.fits_well(&self.domains));
            let parts = match is_good {
                true => None,
                false => carry::split(&row, &self.domains),
            };
            match parts {
                Some((carry, parts)) => {
                    self.carries[owner].push(self.domains.len());
                    self.domains.push(carry);
                    waiting.extend(parts);
                }
                None if fits => system.push(row.to_row(name.take())),
                None => return None,
            }
        }
        Some(())
    }

    fn finished(
        self,
        program: &Program,
        rows: Vec<Row>,
        universal_rows: Vec<Row>,
    ) -> Option<Program> {
        let mut data = ProgramData {
            rows,
            universal_rows,
            ..program.clone().into_data()
        };
        // The carries of the existential player come first, whatever the order they were made in.
        let mut place = vec![VarId::new(0); self.domains.len()];
        for (number, at) in place.iter_mut().enumerate().take(self.names) {
            *at = VarId::new(number);
        }
        let owners = [Quantifier::Exists, Quantifier::Forall];
        for (quantifier, carries) in owners.into_iter().zip(&self.carries) {
            for &number in carries {
                place[number] = VarId::new(data.variables.len());
                data.variables.push(Variable {
                    name: unused_name(program, number - self.names),
                    quantifier,
                    kind: Kind::Integer,
                    bounds: cleared::bounds(self.domains[number]),
                });
            }
        }
        let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
        for (var, _) in rows.flat_map(|row| &mut row.terms) {
            *var = place[var.index()];
        }
        Program::new(data).ok()
    }
}

/// A name for a carry that no variable has.
fn unused_name(program: &Program, number: usize) -> String {
    let mut name = format!("carry_{number}");
    while program.find(&name).is_some() {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::{Rational, int};
    use crate::program::{IdVec, evaluate};

    /// Whether some values of the variables from a place on satisfy all rows.
    fn completes(program: &Program, play: &mut IdVec<VarId, Rational>, place: usize) -> bool {
        if place == program.variables().len() {
            let mut rows = program.rows().iter().chain(program.universal_rows());
            return rows.all(|row| row.admits(&evaluate(&row.terms, |var| &play[var])));
        }
        let domain = program.variables()[VarId::new(place)].domain();
        let ends = (domain.lower.expect("finite"), domain.upper.expect("finite"));
        let mut value = ends.0;
        while value <= ends.1 {
            play[VarId::new(place)] = value.clone();
            if completes(program, play, place + 1) {
                return true;
            }
            value += int(1);
        }
        false
    }

    /// The points of the first variables that can be completed.
    fn points(program: &Program, first: usize) -> Vec<bool> {
        let mut found = Vec::new();
        let mut play = IdVec::filled(program.variables().len(), int(0));
        let mut at = vec![-2_i64; first];
        loop {
            for (place, value) in at.iter().enumerate() {
                play[VarId::new(place)] = int(*value);
            }
            found.push(completes(program, &mut play, first));
            let Some(next) = at.iter().rposition(|&value| value < 2) else {
                return found;
            };
            at[next] += 1;
            at[next + 1..].fill(-2);
        }
    }

    #[test]
    fn rows_of_small_numbers_hold_at_the_same_points() {
        let long = [
            "0.73728621273892732 x - 1.8376523765237652 y + 0.1234567890123456789 z",
            "123456789012345678901234567890 x + 98765432109876543210 y - z",
            "1000000000000000000000000000000000000000000000000000007 x - 3 y + 1/3 z",
        ];
        let relations = ["<= 0.3", ">= -0.2", "= 0", "<= 1.1002002003003", ">= -1e40"];
        let (mut with_carries, mut without) = (0, 0);
        for terms in long {
            for relation in relations {
                for section in ["subject to", "uncertainty"] {
                    let text = format!(
                        "{section} {terms} {relation} prefix exists integer x in [-2, 2] \
                         forall integer y in [-2, 2] exists integer z in [-2, 2] end"
                    );
                    let program = parse_qip(&text).expect("a good program");
                    let small = with_small_rows(&program).expect("small domains");
                    let rows = small.rows().iter().chain(small.universal_rows());
                    let domains: Vec<_> = small.variables().iter().map(cleared::domain).collect();
                    let domains: Option<Vec<_>> = domains.into_iter().collect();
                    let domains = domains.expect("carries are small");
                    for row in rows {
                        assert!(Cleared::of(row, &domains).fits(&domains), "{text}");
                    }
                    assert_eq!(points(&small, 3), points(&program, 3), "{text}");
                    match small.variables().len() {
                        3 => without += 1,
                        _ => with_carries += 1,
                    }
                }
            }
        }
        assert!(without > 0, "{with_carries}, {without}");
    }
}
