//! The slow twin of presolve: the definition says what the program is worth before and after.
//!
//! With the feature `paranoid` every small program that is simplified is compared, technique by
//! technique and all together.

use crate::presolve::{Switches, Technique, simplify};
use crate::program::{Kind, Program};
use crate::{num, reference};

/// More plays than this take too long.
const MOST_PLAYS: i64 = 4096;

/// Panics unless each technique that is on keeps what the program is worth.
pub(super) fn assert_same_worth(program: &Program, switches: &Switches) {
    if !is_small(program) {
        return;
    }
    let worth = reference::value(program);
    let techniques = Technique::ALL.into_iter().filter(|&it| switches.is_on(it));
    let alone = techniques.map(Switches::only);
    for switches in alone.chain([switches.clone()]) {
        let easier = simplify(program, &switches);
        assert_eq!(
            reference::value(&easier.program),
            worth,
            "invariant: presolve keeps the worth, with {switches:?}"
        );
    }
}

fn is_small(program: &Program) -> bool {
    let mut plays = 1_i64;
    for variable in program.variables() {
        let domain = variable.domain();
        let width = match (variable.kind, domain.lower, domain.upper) {
            (Kind::Integer, Some(lower), Some(upper)) => num::to_i64(&(upper - lower)),
            _ => None,
        };
        let Some(width) = width else { return false };
        plays = plays.saturating_mul(width.saturating_add(1).max(1));
    }
    plays <= MOST_PLAYS
}
