//! A short mark by which a program is recognised again, in logs, results and certificates.

use std::hash::Hasher;

use itertools::Itertools;

use super::{Program, Row, Term};
use crate::num::Rational;

impl Program {
    /// Sixteen hexadecimal digits that depend on everything in the program, names included.
    ///
    /// Equal programs have equal fingerprints, whatever file or code they come from.
    pub fn fingerprint(&self) -> String {
        let mut mark = Fnv::default();
        for variable in self.variables() {
            let bounds = [&variable.bounds.lower, &variable.bounds.upper].map(side);
            mark.line(&format!(
                "v {} {} {:?} {} {}",
                variable.name, variable.quantifier, variable.kind, bounds[0], bounds[1]
            ));
        }
        for (system, rows) in [("r", self.rows()), ("u", self.universal_rows())] {
            for row in rows {
                mark.line(&format!("{system} {}", row_text(row)));
            }
        }
        if let Some(objective) = self.objective() {
            mark.line(&format!(
                "o {} {} {} {}",
                objective.name.as_deref().unwrap_or(""),
                objective.sense,
                terms_text(&objective.terms),
                objective.constant
            ));
        }
        format!("{:016x}", mark.finish())
    }
}

fn row_text(row: &Row) -> String {
    format!(
        "{} {} {} {}",
        row.name.as_deref().unwrap_or(""),
        terms_text(&row.terms),
        side(&row.lower),
        side(&row.upper)
    )
}

fn terms_text(terms: &[Term]) -> String {
    terms
        .iter()
        .map(|(var, coefficient)| format!("{coefficient}*{var:?}"))
        .join(" ")
}

fn side(bound: &Option<Rational>) -> String {
    bound
        .as_ref()
        .map_or_else(|| "-".to_owned(), Rational::to_string)
}

/// FNV-1a with 64 bits: stable across platforms and versions, unlike the standard hashers.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn line(&mut self, text: &str) {
        self.write(text.as_bytes());
        self.write(b"\n");
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
