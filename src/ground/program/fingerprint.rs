//! A short mark by which a program is recognised again, in logs, results and certificates.

use std::fmt::{self, Write};

use super::{Program, Row, Term};
use crate::num::{Rational, to_i64};

impl Program {
    /// Sixteen hexadecimal digits that depend on everything in the program, names included.
    ///
    /// Equal programs have equal fingerprints, whatever file or code they come from.
    pub fn fingerprint(&self) -> String {
        let mut mark = Fnv::default();
        mark.program(self)
            .expect("invariant: a mark takes any text");
        format!("{:016x}", mark.0)
    }
}

/// FNV-1a with 64 bits: stable across platforms and versions, unlike the standard hashers.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

/// The text that is marked. It is not held anywhere: spelled into strings it took four times the
/// instructions, half as many as both plans of a small program.
impl Fnv {
    fn program(&mut self, program: &Program) -> fmt::Result {
        for variable in program.variables() {
            let (name, quantifier) = (&variable.name, variable.quantifier);
            write!(self, "v {name} {quantifier} {:?} ", variable.kind)?;
            self.side(&variable.bounds.lower)?;
            self.write_str(" ")?;
            self.side(&variable.bounds.upper)?;
            self.write_str("\n")?;
        }
        for (system, rows) in [("r", program.rows()), ("u", program.universal_rows())] {
            for row in rows {
                self.row(system, row)?;
            }
        }
        if let Some(objective) = program.objective() {
            let name = objective.name.as_deref().unwrap_or("");
            write!(self, "o {name} {} ", objective.sense)?;
            self.terms(&objective.terms)?;
            self.write_str(" ")?;
            self.number(&objective.constant)?;
            self.write_str("\n")?;
        }
        Ok(())
    }

    fn row(&mut self, system: &str, row: &Row) -> fmt::Result {
        write!(self, "{system} {} ", row.name.as_deref().unwrap_or(""))?;
        self.terms(&row.terms)?;
        for side in [&row.lower, &row.upper] {
            self.write_str(" ")?;
            self.side(side)?;
        }
        self.write_str("\n")
    }

    fn terms(&mut self, terms: &[Term]) -> fmt::Result {
        for (place, (var, coefficient)) in terms.iter().enumerate() {
            self.write_str(if place == 0 { "" } else { " " })?;
            self.number(coefficient)?;
            write!(self, "*{var:?}")?;
        }
        Ok(())
    }

    fn side(&mut self, bound: &Option<Rational>) -> fmt::Result {
        match bound {
            Some(bound) => self.number(bound),
            None => self.write_str("-"),
        }
    }

    fn number(&mut self, number: &Rational) -> fmt::Result {
        match to_i64(number) {
            Some(small) => write!(self, "{small}"),
            None => write!(self, "{number}"),
        }
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}
