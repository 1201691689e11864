//! Runs the techniques in turn until none finds anything.

use std::borrow::Cow;

use super::draft::Draft;
use super::switches::{Switches, Technique};
use super::{
    bounds, coefficients, dominated, fixed, monotone, parallel, reduction, redundant,
    with_implied_integers,
};
use crate::program::Program;

/// A program that is easier than the one it comes from and has the same value.
#[derive(Clone, Debug)]
pub struct Simplified<'a> {
    /// The program; borrowed if nothing was found.
    pub program: Cow<'a, Program>,
    /// What was found.
    pub report: Report,
}

/// How often each technique changed something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    changes: [usize; Technique::ALL.len()],
}

impl Report {
    /// How many domains, sides, terms or coefficients the technique changed.
    pub fn changes(&self, technique: Technique) -> usize {
        self.changes[technique as usize]
    }

    /// How much was changed in all.
    pub fn total(&self) -> usize {
        self.changes.iter().sum()
    }
}

/// Bounds of general integers can creep forever; this keeps the time linear in the size.
const MAX_PASSES: usize = 16;

/// Applies the techniques that are on. Programs with reals that may not as well be integers, with
/// empty domains or with very large numbers stay as they are.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::presolve::{Switches, Technique, simplify};
///
/// let program = parse_qip(
///     "minimize x
///      subject to serve: x >= 2 y
///      prefix exists integer x in [0, 9]  forall integer y in [0, 3]
///      end",
/// )?;
/// let simplified = simplify(&program, &Switches::default());
/// assert_eq!(simplified.report.changes(Technique::Reduction), 1);
/// assert_eq!(simplified.program.rows().len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simplify<'a>(program: &'a Program, switches: &Switches) -> Simplified<'a> {
    let program = with_implied_integers(program).map_or(Cow::Borrowed(program), Cow::Owned);
    let mut report = Report::default();
    let Some(mut draft) = Draft::new(&program) else {
        return Simplified { program, report };
    };
    let on = Technique::ALL.into_iter().filter(|&it| switches.is_on(it));
    // Last, when the others have found all they can: it makes columns longer.
    let (once, repeated): (Vec<_>, Vec<_>) = on.partition(|it| *it == Technique::Dominated);
    for _ in 0..MAX_PASSES {
        let before = report.total();
        for &technique in &repeated {
            report.changes[technique as usize] += apply(technique, &mut draft, &program);
        }
        if report.total() == before {
            break;
        }
    }
    for technique in once {
        report.changes[technique as usize] = apply(technique, &mut draft, &program);
    }
    let program = if report.total() == 0 {
        program
    } else {
        Cow::Owned(draft.into_program(&program))
    };
    Simplified { program, report }
}

fn apply(technique: Technique, draft: &mut Draft, program: &Program) -> usize {
    match technique {
        Technique::Fixed => fixed::leave_rows(draft),
        Technique::Reduction => reduction::reduce(draft),
        Technique::Monotone => monotone::fix(draft),
        Technique::Bounds => bounds::tighten(draft),
        Technique::Redundant => redundant::drop_sides(draft),
        Technique::Parallel => parallel::merge(draft),
        Technique::Coefficients => coefficients::shrink(draft),
        Technique::Dominated => dominated::order(draft, program),
    }
}
