//! All decisions that are as good as the best one, not one of them.
//!
//! A best decision is found in a box of decisions; what is left of the box without it falls into
//! smaller boxes, and each of them either has another one or is ruled out by a proof. So the work grows
//! with the number of best decisions, not with that of all decisions.

use super::ExplainOptions;
use super::study::Study;
use crate::num::{Rational, int};
use crate::outcome::{Move, Outcome, Score, SolveError};
use crate::program::{Block, Bounds, Id, Kind, Program, Quantifier, VarId};

/// Every best first decision, as far as they were found.
#[derive(Clone, Debug)]
pub struct FirstMoves {
    /// The answer to the program.
    pub outcome: Outcome,
    /// Who decides.
    pub player: Quantifier,
    /// The decisions, in increasing order; of real variables one value stands for all.
    pub moves: Vec<Vec<Move>>,
    /// Whether these are all.
    pub is_complete: bool,
    /// Whether there are real variables among them.
    pub has_reals: bool,
}

/// Finds all best decisions of the first block, at most so many.
///
/// ```
/// use quip::explain::{ExplainOptions, all_first_moves};
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "minimize a + b subject to a + b >= y
///      prefix exists binary a b forall binary y end",
/// )?;
/// let found = all_first_moves(&program, 100, &ExplainOptions::default())?;
/// let moves = found.moves.iter().map(|it| format!("{} {}", it[0].1, it[1].1));
/// assert_eq!(moves.collect::<Vec<_>>(), ["0 1", "1 0"]);
/// assert!(found.is_complete);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all_first_moves(
    program: &Program,
    most: usize,
    options: &ExplainOptions,
) -> Result<FirstMoves, SolveError> {
    let mut study = Study::new(options);
    let outcome = study.solve(program)?;
    Ok(listed(program, outcome, most, study))
}

/// As [`all_first_moves`], where the answer is known already.
pub fn first_moves(
    program: &Program,
    outcome: Outcome,
    most: usize,
    options: &ExplainOptions,
) -> FirstMoves {
    listed(program, outcome, most, Study::new(options))
}

fn listed(program: &Program, outcome: Outcome, most: usize, study: Study<'_>) -> FirstMoves {
    let block = program.blocks().iter().next();
    let player = block.map_or(Quantifier::Exists, |block| block.quantifier);
    let variables: Vec<VarId> = block.into_iter().flat_map(Block::variables).collect();
    let is_whole = |var: &VarId| program.variables()[*var].kind == Kind::Integer;
    let best = outcome.score(program);
    let mut found = FirstMoves {
        player,
        moves: Vec::new(),
        is_complete: best.is_some(),
        has_reals: !variables.iter().all(is_whole),
        outcome,
    };
    let is_hopeless = match (player, &best) {
        (_, None) => true,
        (player, Some(best)) => *best == Score::worst_for(player),
    };
    if let (false, Some(best)) = (is_hopeless, best) {
        let mut hunt = Hunt {
            program,
            player,
            best,
            study,
            whole: variables.iter().copied().filter(is_whole).collect(),
            variables,
            found: Vec::new(),
            certain: true,
        };
        hunt.run(most, &found.outcome);
        found.is_complete = hunt.certain;
        found.moves = hunt.found;
        found.moves.sort();
    }
    found
}

/// Domains for the whole variables of the block.
type Part = Vec<Bounds>;

struct Hunt<'a, 'o> {
    program: &'a Program,
    player: Quantifier,
    best: Score,
    study: Study<'o>,
    variables: Vec<VarId>,
    whole: Vec<VarId>,
    found: Vec<Vec<Move>>,
    certain: bool,
}

impl Hunt<'_, '_> {
    fn run(&mut self, most: usize, outcome: &Outcome) {
        let domains = self.whole.iter();
        let all: Part = domains
            .map(|var| self.program.variables()[*var].domain())
            .collect();
        let mut open = vec![all.clone()];
        if let Some(first) = self.moves_of(outcome) {
            open = self.without(&all, &first);
            self.found.push(first);
        }
        while let Some(next) = open.pop() {
            if next.iter().any(Bounds::is_crossed) {
                continue;
            }
            if self.found.len() >= most || self.study.is_over() {
                self.certain = false;
                return;
            }
            self.study.tell(&format!(
                "first decisions: {} found, {} parts to look at",
                self.found.len(),
                open.len() + 1
            ));
            let Some((is_best, outcome)) = self.is_best(&next) else {
                self.certain = false;
                continue;
            };
            if !is_best {
                continue;
            }
            let inside = self
                .moves_of(&outcome)
                .filter(|moves| self.lies_in(&next, moves));
            match inside {
                Some(moves) => {
                    open.extend(self.without(&next, &moves));
                    self.found.push(moves);
                }
                // The engine told no decision: the part is halved until it is one.
                None => match halves(&next) {
                    Some(parts) => open.extend(parts),
                    None => self.found.push(self.only(&next)),
                },
            }
        }
    }

    /// Whether the best can still be had inside of a box.
    fn is_best(&mut self, inside: &Part) -> Option<(bool, Outcome)> {
        let program = self.inside(inside);
        if let (Quantifier::Exists, Score::Cost(cost)) = (self.player, &self.best) {
            let target = self
                .program
                .objective()
                .map(|_| crate::outcome::cost_of_objective(self.program, cost.clone()));
            return self.study.reaches(&program, target.as_ref());
        }
        let outcome = self.study.solve(&program).ok()?;
        let worth = outcome.score(&program)?;
        Some((!self.best.is_better(&worth, self.player), outcome))
    }

    fn inside(&self, inside: &Part) -> Program {
        let mut data = self.program.clone().into_data();
        for (var, bounds) in self.whole.iter().zip(inside) {
            data.variables[var.index()].bounds = bounds.clone();
        }
        Program::new(data).expect("invariant: smaller domains keep a program well formed")
    }

    /// The decision that an outcome begins with, if it tells all of it.
    fn moves_of(&self, outcome: &Outcome) -> Option<Vec<Move>> {
        let told = match self.player {
            Quantifier::Exists => &outcome.first_stage,
            Quantifier::Forall => &outcome.principal_variation,
        };
        let value = |var: &VarId| told.iter().find(|(other, _)| other == var).cloned();
        self.variables.iter().map(value).collect()
    }

    fn lies_in(&self, inside: &Part, moves: &[Move]) -> bool {
        let mut domains = self.whole.iter().zip(inside);
        domains.all(|(var, bounds)| {
            let made = moves.iter().find(|(other, _)| other == var);
            made.is_some_and(|(_, value)| bounds.contains(value))
        })
    }

    /// What is left of a box without one decision: for each variable the part below and the part above,
    /// with those before it as decided.
    fn without(&self, all: &Part, moves: &[Move]) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut fixed = all.clone();
        for (place, var) in self.whole.iter().enumerate() {
            let Some((_, value)) = moves.iter().find(|(other, _)| other == var) else {
                continue;
            };
            let sides = [
                Bounds {
                    lower: all[place].lower.clone(),
                    upper: Some(value - int(1)),
                },
                Bounds {
                    lower: Some(value + int(1)),
                    upper: all[place].upper.clone(),
                },
            ];
            for side in sides.into_iter().filter(|side| !side.is_crossed()) {
                let mut part = fixed.clone();
                part[place] = side;
                parts.push(part);
            }
            fixed[place] = Bounds::between(value.clone(), value.clone());
        }
        parts
    }

    /// The decision of a box that has only one.
    fn only(&self, inside: &Part) -> Vec<Move> {
        let values = self.whole.iter().zip(inside);
        values
            .filter_map(|(var, bounds)| Some((*var, bounds.lower.clone()?)))
            .collect()
    }
}

/// The halves of a box; `None` of a single point.
fn halves(all: &Part) -> Option<[Part; 2]> {
    let wide = all.iter().position(|bounds| bounds.lower != bounds.upper)?;
    let (lower, upper) = (all[wide].lower.clone()?, all[wide].upper.clone()?);
    let middle: Rational = ((&lower + &upper) / int(2)).floor();
    let [mut low, mut high] = [all.clone(), all.clone()];
    low[wide] = Bounds::between(lower, middle.clone());
    high[wide] = Bounds::between(middle + int(1), upper);
    Some([low, high])
}
