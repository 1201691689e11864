//! What a solve says: the score of a game, the status of an answer, the whole outcome.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::num::Rational;
pub use crate::program::cost_of_objective;
use crate::program::{Program, Quantifier, ScalingError, VarId};
use crate::strategy::{Beside, Certificate, Evidence, Guarantee, Plan, Strategy};

/// The worth of a position, in the order of the existential player's wishes: **smaller is better
/// for him**. Programs that maximise are scored by the negated objective.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// The universal system is dead: the existential player has won outright.
    Won,
    /// The existential player can push the cost below every bound.
    Unbounded,
    /// The play ends with both systems alive, at this cost.
    Cost(Rational),
    /// The existential system is dead.
    Lost,
}

impl Score {
    /// Whether `self` is better than `other` for the player.
    pub fn is_better(&self, other: &Self, player: Quantifier) -> bool {
        match player {
            Quantifier::Exists => self < other,
            Quantifier::Forall => self > other,
        }
    }

    /// The worst score a player can have.
    pub fn worst_for(player: Quantifier) -> Self {
        match player {
            Quantifier::Exists => Self::Lost,
            Quantifier::Forall => Self::Won,
        }
    }
}

impl From<Score> for Guarantee {
    fn from(score: Score) -> Self {
        match score {
            Score::Won => Self::Won,
            Score::Unbounded => Self::Unbounded,
            Score::Cost(cost) => Self::Cost(cost),
            Score::Lost => Self::Lost,
        }
    }
}

/// The kind of answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The value is proved.
    Optimal,
    /// There is no objective, and the existential player wins.
    Feasible,
    /// The existential player loses against best play.
    Infeasible,
    /// The existential player can force the universal system to die: he wins outright.
    UniversalStuck,
    /// The existential player can push the objective beyond every bound.
    Unbounded,
    /// The target that was asked for can be guaranteed.
    TargetReached,
    /// A strategy that is as good as was asked for; whether there is a better one was not found out.
    GoodEnough,
    /// A limit or a signal stopped the search.
    Interrupted,
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
            Self::Infeasible => "infeasible",
            Self::UniversalStuck => "universal_stuck",
            Self::Unbounded => "unbounded",
            Self::TargetReached => "target_reached",
            Self::GoodEnough => "good_enough",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Why an engine does not take a program. Limits and lost games are outcomes, not errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The program is outside the class the engine solves.
    #[error("the {engine} engine does not solve this program: {reason}")]
    Unsupported {
        /// The engine's name on the command line.
        engine: &'static str,
        /// A sentence that names the variable or row in the way.
        reason: String,
    },
    /// A target was given for a program that has nothing to aim at.
    #[error("a target needs an objective, and this program has none; ask only who wins instead")]
    TargetWithoutObjective,
    /// A row does not fit machine integers.
    #[error(transparent)]
    Scaling(#[from] ScalingError),
}

/// Why a solve ended before its proof.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The wall clock.
    Time,
    /// The node limit.
    Nodes,
    /// The memory limit.
    Memory,
    /// Ctrl-C or SIGTERM.
    Signal,
    /// The engine goes no further: what is next is too large for it, or its bounds cannot meet.
    Reach,
}

/// Why an engine has no answer.
#[derive(Debug)]
pub enum Halt {
    /// A limit was reached.
    Stop(Stop),
    /// The program turned out to be outside the class.
    Refused(SolveError),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<SolveError> for Halt {
    fn from(error: SolveError) -> Self {
        Self::Refused(error)
    }
}

/// Why there is no certificate.
///
/// A limit or a class that is not certified leaves an answer without a proof. The other two are
/// faults: something that was claimed does not hold, and [`CertificateError::is_fault`] tells them
/// from the first two.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// A limit was reached before the proofs were complete.
    #[error("the certificate was not finished: a limit was reached")]
    Stopped(Stop),
    /// The program is outside the class whose plans are certified.
    #[error("plans of this program are not certified: {0}")]
    Unsupported(String),
    /// A row does not fit machine integers.
    #[error(transparent)]
    Scaling(#[from] ScalingError),
    /// An engine claims what does not hold, so that no plan can be finished.
    #[error("the answer takes something for granted that does not hold, please report this: {0}")]
    Wrong(String),
    /// The certificate was made, and the checker does not accept it.
    #[error("it did not pass its check, please report this: {0}")]
    Rejected(String),
}

impl CertificateError {
    /// Whether something that was claimed does not hold: a bug, and never a matter of time.
    ///
    /// ```
    /// use quip::outcome::{CertificateError, Stop};
    /// assert!(CertificateError::Wrong("a move loses".into()).is_fault());
    /// assert!(!CertificateError::Stopped(Stop::Time).is_fault());
    /// ```
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Wrong(_) | Self::Rejected(_) => true,
            Self::Stopped(_) | Self::Unsupported(_) | Self::Scaling(_) => false,
        }
    }

    /// What was made, or nothing where it was not finished or not taken; a fault stays an error.
    pub fn unless_fault<T>(made: Result<T, Self>) -> Result<Option<T>, Self> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(fault) if fault.is_fault() => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// The name of its kind in results.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stopped(_) => "stopped",
            Self::Unsupported(_) | Self::Scaling(_) => "unsupported",
            Self::Wrong(_) => "wrong",
            Self::Rejected(_) => "rejected",
        }
    }
}

impl From<Stop> for CertificateError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// One move of a play.
pub type Move = (VarId, Rational);

/// What was spent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Positions visited.
    pub nodes: u64,
    /// Linear programs solved.
    pub lps: u64,
    /// Rows, cuts, clauses or cubes learnt.
    pub learnt: u64,
}

/// A whole solve.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The kind of answer.
    pub status: Status,
    /// Why it ended early, if it did.
    pub stop: Option<Stop>,
    /// The objective that the strategy in hand guarantees, in the user's sense.
    pub objective: Option<Rational>,
    /// What is proved on the other side: nothing better than this can be guaranteed.
    pub bound: Option<Rational>,
    /// The moves to make before the first universal one.
    pub first_stage: Vec<Move>,
    /// Best play of both sides from the root, as far as it is known.
    pub principal_variation: Vec<Move>,
    /// Universal values of the best play that are approached and not attained: from above, or from
    /// below (`false`). With real variables a best move need not exist; the value is exact all the same.
    pub approached: Vec<(VarId, bool)>,
    /// The existential player's plan, when asked for and known.
    pub strategy: Option<Plan>,
    /// The universal player's plan, when asked for and known.
    pub refutation: Option<Plan>,
    /// Plays of the universal player against which nothing better than the bound is possible, where the
    /// engine knows them.
    pub scenarios: Vec<Vec<(VarId, Beside)>>,
    /// The certificate, or why there is none, if one was asked for.
    pub certificate: Option<Result<Certificate, CertificateError>>,
    /// What was spent.
    pub effort: Effort,
    /// The engine that finished, where several were at work.
    pub engine: Option<&'static str>,
}

impl Outcome {
    /// The outcome of a game whose score is proved.
    pub fn proved(program: &Program, score: &Score) -> Self {
        let (status, objective) = match score {
            Score::Won => (Status::UniversalStuck, None),
            Score::Unbounded => (Status::Unbounded, None),
            Score::Lost => (Status::Infeasible, None),
            Score::Cost(_) if program.objective().is_none() => (Status::Feasible, None),
            Score::Cost(cost) => (
                Status::Optimal,
                Some(cost_of_objective(program, cost.clone())),
            ),
        };
        Self {
            status,
            bound: objective.clone(),
            objective,
            ..Self::interrupted(None)
        }
    }

    /// The value of a variable: what to decide now, or what best play of both sides makes of it;
    /// `None` where that is not known.
    ///
    /// ```
    /// use quip::model::*;
    /// use quip::num::int;
    /// use quip::solver::Solver;
    ///
    /// let mut model = Model::new();
    /// let stock = model.decide().integer("stock", 0..=9);
    /// let demand = model.reveal().integer("demand", 2..=4);
    /// model.minimize(stock).subject_to(row!(stock >= demand));
    /// let outcome = Solver::default().solve(&model.build()?)?;
    /// assert_eq!(model.id(stock).and_then(|it| outcome.value(it)), Some(&int(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self, var: VarId) -> Option<&Rational> {
        let mut moves = self.first_stage.iter().chain(&self.principal_variation);
        moves.find_map(|(fixed, value)| (*fixed == var).then_some(value))
    }

    /// The strategy of a player that the outcome holds: the plan that was enumerated, or the one
    /// of the certificate. A solve that was asked for a certificate has one, where the player can
    /// guarantee himself anything.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip("subject to x = y prefix forall binary y exists binary x end")?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// assert!(outcome.held(&program, Quantifier::Exists).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn held(&self, program: &Program, player: Quantifier) -> Option<Strategy> {
        let (plan, value) = match player {
            Quantifier::Exists => (&self.strategy, &self.objective),
            Quantifier::Forall => (&self.refutation, &self.bound),
        };
        if let Some(plan) = plan {
            let guarantee = match self.status {
                Status::Feasible => Guarantee::Kept,
                _ => self.score_at(program, value.as_ref()).into(),
            };
            return Some(Strategy::of_plan(plan, guarantee));
        }
        let certificate = self.certificate.as_ref()?.as_ref().ok()?;
        let side: &Option<Evidence> = match player {
            Quantifier::Exists => &certificate.strategy,
            Quantifier::Forall => &certificate.refutation,
        };
        let evidence = side.as_ref()?;
        Some(Strategy::of_evidence(program, evidence))
    }

    /// What the program is worth, where that is proved.
    ///
    /// ```
    /// use quip::outcome::{Outcome, Score};
    /// use quip::program::{Program, ProgramData};
    /// let nothing = Program::new(ProgramData::default()).unwrap();
    /// assert_eq!(Outcome::proved(&nothing, &Score::Lost).score(&nothing), Some(Score::Lost));
    /// assert_eq!(Outcome::interrupted(None).score(&nothing), None);
    /// ```
    pub fn score(&self, program: &Program) -> Option<Score> {
        let is_open = matches!(
            self.status,
            Status::Interrupted | Status::TargetReached | Status::GoodEnough
        );
        (!is_open).then(|| self.score_at(program, self.objective.as_ref()))
    }

    /// The score that the status stands for; where that is a cost, the cost of `value`.
    fn score_at(&self, program: &Program, value: Option<&Rational>) -> Score {
        match self.status {
            Status::UniversalStuck => Score::Won,
            Status::Unbounded => Score::Unbounded,
            Status::Infeasible => Score::Lost,
            _ => Score::Cost(cost_of_objective(
                program,
                value.cloned().unwrap_or_default(),
            )),
        }
    }

    /// A certificate that claims this answer and proves nothing yet.
    pub fn claim(&self, program: &Program) -> Certificate {
        Certificate {
            model: program.fingerprint(),
            status: self.status.to_string(),
            value: match self.status {
                Status::Optimal => self.objective.clone(),
                _ => None,
            },
            strategy: None,
            refutation: None,
            scenarios: None,
        }
    }

    /// The outcome of a solve that was stopped with nothing in hand.
    pub fn interrupted(stop: impl Into<Option<Stop>>) -> Self {
        Self {
            status: Status::Interrupted,
            stop: stop.into(),
            objective: None,
            bound: None,
            first_stage: Vec::new(),
            principal_variation: Vec::new(),
            approached: Vec::new(),
            strategy: None,
            refutation: None,
            scenarios: Vec::new(),
            certificate: None,
            effort: Effort::default(),
            engine: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::int;

    #[test]
    fn scores_are_ordered_by_the_existential_players_wishes() {
        let ladder = [
            Score::Won,
            Score::Unbounded,
            Score::Cost(int(-1)),
            Score::Cost(int(2)),
            Score::Lost,
        ];
        assert!(ladder.is_sorted());
        assert!(ladder[0].is_better(&ladder[1], Quantifier::Exists));
        assert!(ladder[4].is_better(&ladder[3], Quantifier::Forall));
    }
}
