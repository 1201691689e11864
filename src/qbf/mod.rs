//! The engine for quantified Boolean formulas: search with learning for both players.
//!
//! Programs that are 0/1 and whose rows are clauses are decided by conflict-driven learning: the
//! outermost open variables are decided first, consequences are drawn from clauses and cubes
//! ([`propagate`]), and every lost line ends in a constraint that its loser will not break again
//! ([`analyze`]). Clauses belong to the existential player, cubes to the universal one; see
//! [`store`] for why one set of rules serves both.
//!
//! **Invariant:** every constraint follows from the clauses, in the sense that its owner has lost
//! where all its literals are false. So the game is over when an owner has no literal left.

mod analyze;
mod forget;
mod gates;
mod literal;
mod order;
mod propagate;
mod solution;
mod store;
#[cfg(test)]
mod tests;
mod trail;

use analyze::Lesson;
use forget::Pace;
use gates::Gates;
use literal::{Literal, Prefix};
use order::Order;
use propagate::Finding;
use store::{Constraint, Store};
use trail::Trail;

use crate::budget::{Budget, Progress};
use crate::num::int;
use crate::outcome::{Effort, Move, Outcome, SolveError, Status, Stop};
use crate::program::{Id, Program, Quantifier, VarId};

/// Decides a clausal program; see [`Class::clausal`](crate::program::Class::clausal).
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::read_bytes;
/// use quip::outcome::Status;
///
/// let parity = b"p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n";
/// let program = read_bytes("parity.qdimacs", parity)?.program;
/// let outcome = quip::qbf::solve(&program, &mut Budget::unlimited())?;
/// assert_eq!(outcome.status, Status::Feasible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    solve_at(program, Pace::default(), budget)
}

fn solve_at(program: &Program, pace: Pace, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let Some(clauses) = program.clauses() else {
        return Err(SolveError::Unsupported {
            engine: "clausal",
            reason: "it is not a quantified Boolean formula in clauses".into(),
        });
    };
    let literals = |clause: &Vec<(VarId, bool)>| {
        let literals = clause.iter();
        literals
            .map(|&(var, positive)| Literal::new(var, positive))
            .collect()
    };
    let clauses: Vec<Vec<Literal>> = clauses.iter().map(literals).collect();
    let mut engine = Engine::new(program, &clauses, pace, budget);
    let answer = engine.run(&clauses);
    let effort = Effort {
        nodes: engine.budget.nodes(),
        lps: 0,
    };
    let outcome = match answer {
        Ok(victory) => outcome(
            victory.winner,
            engine.first_moves(program, &victory, &clauses),
        ),
        Err(stop) => Outcome::interrupted(stop),
    };
    Ok(Outcome { effort, ..outcome })
}

/// Who has won, and how he plays the outermost block if that is his.
struct Victory {
    winner: Quantifier,
    /// Literals of the outermost block that he makes false; the others are free.
    false_literals: Vec<Literal>,
}

fn outcome(winner: Quantifier, moves: Vec<Move>) -> Outcome {
    let (status, first_stage) = match winner {
        Quantifier::Exists => (Status::Feasible, moves.clone()),
        Quantifier::Forall => (Status::Infeasible, Vec::new()),
    };
    Outcome {
        status,
        first_stage,
        principal_variation: moves,
        ..Outcome::interrupted(None)
    }
}

/// The state of a solve.
struct Engine<'a> {
    budget: &'a mut Budget,
    prefix: Prefix,
    store: Store,
    trail: Trail,
    order: Order,
    gates: Gates,
    /// What values cost in a cube, by variable; see [`solution`].
    costs: Vec<solution::Cost>,
    /// Values to try first, by variable.
    phases: Vec<bool>,
    /// Scratch of the analysis, by literal; all false in between.
    marked: Vec<bool>,
    conflicts: u64,
    conflicts_since_restart: u64,
    restarts: u64,
    learnt: usize,
    learnt_limit: usize,
    pace: Pace,
}

impl<'a> Engine<'a> {
    fn new(
        program: &Program,
        clauses: &[Vec<Literal>],
        pace: Pace,
        budget: &'a mut Budget,
    ) -> Self {
        let prefix = Prefix::new(program);
        let gates = Gates::find(&prefix, clauses);
        let count = prefix.len();
        let blocks = program.variables().ids();
        let blocks = blocks.map(|var| prefix.block(Literal::new(var, true)));
        Self {
            budget,
            store: Store::new(count),
            trail: Trail::new(count),
            order: Order::new(blocks.collect()),
            gates,
            costs: vec![(0, 0); count],
            phases: vec![false; count],
            marked: vec![false; 2 * count],
            conflicts: 0,
            conflicts_since_restart: 0,
            restarts: 0,
            learnt: 0,
            pace,
            learnt_limit: pace.kept_at_least + program.rows().len() / 2,
            prefix,
        }
    }

    fn run(&mut self, clauses: &[Vec<Literal>]) -> Result<Victory, Stop> {
        self.budget.look()?;
        if let Some(victory) = self.load(clauses) {
            return Ok(victory);
        }
        loop {
            let lesson = match self.propagate()? {
                Some(lost) => {
                    let constraint = self.store.get(lost);
                    let (owner, literals) = (constraint.owner, constraint.literals.clone());
                    self.store.touch(lost, self.conflicts);
                    (owner, self.analyze(owner, &literals))
                }
                None if self.trail.is_complete() => {
                    let cover = self.cover();
                    (Quantifier::Forall, self.analyze(Quantifier::Forall, &cover))
                }
                None => {
                    self.pause()?;
                    self.decide();
                    continue;
                }
            };
            match lesson {
                (loser, Lesson::GameOver(false_literals)) => {
                    return Ok(Victory {
                        winner: loser.opponent(),
                        false_literals,
                    });
                }
                (owner, Lesson::Learnt { literals, level }) => self.learn(owner, literals, level),
            }
        }
    }

    /// The winner's moves in the outermost block, if it is his.
    fn first_moves(
        &self,
        program: &Program,
        victory: &Victory,
        clauses: &[Vec<Literal>],
    ) -> Vec<Move> {
        let first = program.blocks().iter().next();
        let Some(first) = first.filter(|block| block.quantifier == victory.winner) else {
            return Vec::new();
        };
        let mut values = vec![false; first.len()];
        for literal in &victory.false_literals {
            values[literal.var().index()] = !literal.is_positive();
        }
        // Defined variables follow from those before them.
        for var in first.variables() {
            for &clause in &self.gates.definitions[var.index()] {
                let mut others = clauses[clause]
                    .iter()
                    .filter(|literal| literal.var() != var);
                if others.all(|input| values[input.var().index()] != input.is_positive()) {
                    values[var.index()] = clauses[clause].contains(&Literal::new(var, true));
                }
            }
        }
        let value = |var: VarId| (var, int(i64::from(values[var.index()])));
        first.variables().map(value).collect()
    }

    /// Takes the clauses in; a clause without existential literals ends the game at once.
    fn load(&mut self, clauses: &[Vec<Literal>]) -> Option<Victory> {
        let mut balance = vec![0_i64; self.prefix.len()];
        for clause in clauses {
            let literals = clause.clone();
            for literal in &literals {
                balance[literal.var().index()] += if literal.is_positive() { 1 } else { -1 };
            }
            let is_own = |literal: &Literal| self.prefix.owner(*literal) == Quantifier::Exists;
            let Some(own) = literals.iter().copied().find(is_own) else {
                let outermost = |literal: &Literal| self.prefix.block(*literal) == 0;
                return Some(Victory {
                    winner: Quantifier::Forall,
                    false_literals: literals.into_iter().filter(outermost).collect(),
                });
            };
            self.add(Quantifier::Exists, literals, [own, own], false);
        }
        for (place, balance) in balance.into_iter().enumerate() {
            let literal = Literal::new(VarId::new(place), true);
            // Each player first tries what serves him in more clauses.
            self.phases[place] =
                (balance > 0) == (self.prefix.owner(literal) == Quantifier::Exists);
        }
        None
    }

    /// Adds a constraint; if it forces a literal already, it does.
    ///
    /// Pre: it is not lost; `watched` are good watches unless it is quiet.
    fn add(
        &mut self,
        owner: Quantifier,
        literals: Vec<Literal>,
        watched: [Literal; 2],
        learnt: bool,
    ) {
        let constraint = Constraint {
            owner,
            literals: literals.into_boxed_slice(),
            watched,
            learnt,
            used: self.conflicts,
        };
        let id = self.store.add(constraint);
        match self.examine(id) {
            Finding::Quiet(watched) => self.store.watch(id, watched),
            Finding::Unit(literal) => {
                self.trail.assign(literal, Some(id));
            }
            Finding::Satisfied | Finding::Lost => {}
        }
    }

    fn learn(&mut self, owner: Quantifier, literals: Vec<Literal>, level: u32) {
        self.conflicts += 1;
        self.conflicts_since_restart += 1;
        self.learnt += 1;
        self.order.fade();
        self.return_to(level);
        let forced = literals[0];
        let rest = &literals[1..];
        let partner = rest.iter().copied().filter(|&literal| {
            self.prefix.owner(literal) == owner
                || self.prefix.block(literal) < self.prefix.block(forced)
        });
        let partner = partner.max_by_key(|&literal| self.trail.place(literal));
        let watched = [forced, partner.unwrap_or(forced)];
        self.add(owner, literals, watched, true);
        assert!(
            self.trail.truth(forced) == trail::Truth::True,
            "invariant: what is learnt forces its first literal"
        );
    }

    fn return_to(&mut self, level: u32) {
        let (order, phases) = (&mut self.order, &mut self.phases);
        self.trail.return_to(level, |literal| {
            phases[literal.var().index()] = literal.is_positive();
            order.insert(literal.var());
        });
    }

    /// Between two decisions: limits, restarts, forgetting.
    fn pause(&mut self) -> Result<(), Stop> {
        self.budget.spend_node()?;
        if self.budget.heartbeat_due() {
            let progress = Progress {
                nodes: self.budget.nodes(),
                depth: self.trail.depth() as usize,
                learnt: self.learnt as u64,
                ..Progress::default()
            };
            self.budget.report(&progress);
        }
        if self.restarting() {
            self.restart();
        }
        if self.forgetting() {
            self.forget();
        }
        Ok(())
    }

    fn decide(&mut self) {
        while let Some(var) = self.order.pop() {
            if self.trail.is_open(var) {
                self.trail.open_level();
                let literal = Literal::new(var, self.phases[var.index()]);
                self.trail.assign(literal, None);
                return;
            }
        }
    }
}
