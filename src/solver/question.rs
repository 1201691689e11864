//! Easier questions than the value: who wins, and whether a target can be guaranteed.
//!
//! The target `V` becomes a row `objective <= V` (or `>=`) of the existential player and the
//! objective goes, so that an engine may prune on it like on any other row.
//!
//! **Invariant:** that row is added only where it cannot end a play that the existential player
//! would have won outright. Without universal rows and empty domains nobody is ever stuck, so
//! there it is exact. Elsewhere the whole program is solved and its value compared.

use super::Options;
use crate::num::Rational;
use crate::outcome::{Outcome, SolveError, Status, cost_of_objective};
use crate::program::{Objective, Program, Row, Sense};

/// What is asked about a program, and the program whose solution answers it.
pub(super) enum Question<'a> {
    /// The value.
    Value(&'a Program),
    /// Only the winner, by the program without its objective.
    Winner {
        asked: &'a Program,
        program: Program,
    },
    /// Whether the target is in reach, by a program that is won exactly then.
    TargetAsRow {
        program: Program,
        target: &'a Rational,
    },
    /// Whether the target is in reach, by comparing it with the value.
    TargetByValue {
        program: &'a Program,
        target: &'a Rational,
    },
}

impl<'a> Question<'a> {
    pub(super) fn new(program: &'a Program, options: &'a Options) -> Result<Self, SolveError> {
        if options.decide {
            return Ok(Self::Winner {
                asked: program,
                program: without_objective(program, None),
            });
        }
        let Some(target) = &options.target else {
            return Ok(Self::Value(program));
        };
        let Some(objective) = program.objective() else {
            return Err(SolveError::TargetWithoutObjective);
        };
        // A certificate proves the value of the program that was given, not of one with a new row.
        let exact = program.universal_rows().is_empty() && program.first_empty_domain().is_none();
        if exact && !options.certificate {
            let row = target_row(objective, target);
            let program = without_objective(program, Some(row));
            return Ok(Self::TargetAsRow { program, target });
        }
        Ok(Self::TargetByValue { program, target })
    }

    /// What an engine has to solve.
    pub(super) fn program(&self) -> &Program {
        match self {
            Self::Value(program) => program,
            Self::Winner { program, .. } => program,
            Self::TargetAsRow { program, .. } => program,
            Self::TargetByValue { program, .. } => program,
        }
    }

    /// The engine's answer, in terms of what was asked.
    pub(super) fn answer(&self, outcome: Outcome) -> Outcome {
        match self {
            Self::Value(_) => outcome,
            Self::Winner { asked, .. } => certified_for(asked, outcome),
            Self::TargetAsRow { target, .. } => match outcome.status {
                Status::Feasible => reached(outcome, (*target).clone()),
                Status::Infeasible => out_of_reach(outcome, (*target).clone()),
                _ => outcome,
            },
            Self::TargetByValue { program, target } => compared(program, target, outcome),
        }
    }
}

/// A proof of who wins holds whatever the objective; what it would cost without one does not.
fn certified_for(asked: &Program, mut outcome: Outcome) -> Outcome {
    if let Some(Ok(certificate)) = &mut outcome.certificate {
        certificate.model = asked.fingerprint();
        for side in [&mut certificate.strategy, &mut certificate.refutation] {
            side.take_if(|side| side.guarantee.cost().is_some());
        }
        let scenarios = &mut certificate.scenarios;
        scenarios.take_if(|side| side.guarantee.cost().is_some());
    }
    outcome
}

fn compared(program: &Program, target: &Rational, outcome: Outcome) -> Outcome {
    let Some(objective) = outcome.objective.clone() else {
        return outcome;
    };
    let cost = |value: &Rational| cost_of_objective(program, value.clone());
    if cost(&objective) <= cost(target) {
        reached(outcome, objective)
    } else if outcome.status == Status::Optimal {
        out_of_reach(outcome, objective)
    } else {
        outcome
    }
}

/// The strategy in hand is good enough; whether a better one exists was not asked.
fn reached(outcome: Outcome, objective: Rational) -> Outcome {
    Outcome {
        status: Status::TargetReached,
        stop: None,
        objective: Some(objective),
        refutation: None,
        ..outcome
    }
}

/// Nothing better than `bound` can be guaranteed, and that is not good enough.
fn out_of_reach(outcome: Outcome, bound: Rational) -> Outcome {
    Outcome {
        status: Status::Infeasible,
        objective: None,
        bound: Some(bound),
        strategy: None,
        ..outcome
    }
}

fn target_row(objective: &Objective, target: &Rational) -> Row {
    let rhs = target - &objective.constant;
    match objective.sense {
        Sense::Minimize => Row::at_most(objective.terms.clone(), rhs),
        Sense::Maximize => Row::at_least(objective.terms.clone(), rhs),
    }
}

fn without_objective(program: &Program, row: Option<Row>) -> Program {
    let mut data = program.clone().into_data();
    data.objective = None;
    data.rows.extend(row);
    Program::new(data).expect("invariant: a valid program stays valid under an unnamed row")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::{int, ratio};
    use crate::outcome::Score;
    use crate::solver::Solver;

    const MODELS: [&str; 6] = [
        // A minimum of 2 with an unrestricted opponent.
        "minimize x subject to x >= y prefix forall integer y in [0, 2] \
         exists integer x in [0, 5] end",
        // A maximum with a constant.
        "maximize 2 x - y + 1 subject to x <= y + 1 prefix forall integer y in [0, 2] \
         exists integer x in [0, 2] end",
        // A restricted opponent.
        "minimize x + y + z subject to x >= y - z uncertainty y + z <= 1 \
         prefix forall binary y exists integer x in [0, 2] forall binary z end",
        // An outright win at a terrible objective: the target row would have ended it.
        "minimize 5 + x uncertainty y >= 2 x prefix exists binary x forall binary y end",
        // Lost whatever the target.
        "minimize x subject to 2 x = y prefix forall integer y in [0, 2] exists binary x end",
        // An opponent without a move.
        "minimize 3 + x prefix exists binary x forall integer y in [1/3, 2/3] end",
    ];

    fn asked(program: &Program, options: Options) -> Outcome {
        Solver::new(options).solve(program).unwrap()
    }

    #[test]
    fn a_target_is_reached_exactly_when_the_value_is_as_good() {
        for text in MODELS {
            let program = parse_qip(text).unwrap();
            let value = crate::reference::value(&program).unwrap();
            for doubled in -12..=16 {
                let target = ratio(doubled, 2);
                let cost = Score::Cost(cost_of_objective(&program, target.clone()));
                let options = Options {
                    target: Some(target.clone()),
                    ..Options::default()
                };
                let outcome = asked(&program, options);
                let reached = matches!(
                    outcome.status,
                    Status::TargetReached | Status::UniversalStuck
                );
                assert_eq!(reached, value <= cost, "{text} with target {target}");
                assert_eq!(!reached, outcome.status == Status::Infeasible);
            }
        }
    }

    #[test]
    fn a_target_out_of_reach_leaves_a_bound() {
        let program = parse_qip(MODELS[0]).unwrap();
        let options = Options {
            target: Some(int(1)),
            ..Options::default()
        };
        let outcome = asked(&program, options);
        assert_eq!(outcome.status, Status::Infeasible);
        assert_eq!((outcome.objective, outcome.bound), (None, Some(int(1))));
    }

    #[test]
    fn deciding_forgets_the_objective() {
        let program = parse_qip(MODELS[0]).unwrap();
        let options = Options {
            decide: true,
            ..Options::default()
        };
        assert_eq!(asked(&program, options).status, Status::Feasible);
    }

    #[test]
    fn a_target_needs_an_objective() {
        let program = parse_qip("prefix exists binary x end").unwrap();
        let options = Options {
            target: Some(int(0)),
            ..Options::default()
        };
        let refused = Solver::new(options).solve(&program).unwrap_err();
        assert_eq!(refused, SolveError::TargetWithoutObjective);
    }
}
