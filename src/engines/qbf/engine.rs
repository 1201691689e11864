//! The loop: propagate, learn from what is lost, decide.

use super::analyze::Lesson;
use super::dual;
use super::forget::Pace;
use super::gates::Gates;
use super::literal::{Literal, Prefix};
use super::matrix::Matrix;
use super::order::Order;
use super::propagate::Finding;
use super::pure::Occurrences;
use super::settings::Settings;
use super::solution;
use super::store::{ConstraintId, Store};
use super::trail::{Trail, Truth};
use crate::budget::{Budget, Progress};
use crate::outcome::Stop;
use crate::program::{Id, Quantifier, VarId};

/// Who has won, and how he plays the outermost block if that is his.
pub(super) struct Victory {
    pub winner: Quantifier,
    /// Literals of the outermost block that he makes false; the others are free.
    pub false_literals: Vec<Literal>,
}

/// The rank of variables that are decided after all others.
const LATE: u32 = u32::MAX;

/// The state of a solve.
pub(super) struct Engine<'a> {
    pub budget: &'a mut Budget,
    pub prefix: Prefix,
    pub store: Store,
    pub trail: Trail,
    pub order: Order,
    pub gates: Gates,
    pub occurrences: Occurrences,
    /// What values cost in a cube, by variable; see [`solution`].
    pub costs: Vec<solution::Cost>,
    /// Values to try first, by variable.
    phases: Vec<bool>,
    /// Scratch of the analysis, by literal; all false in between.
    pub marked: Vec<bool>,
    /// Scratch of the analysis: the owner's literals in the resolvent, by level.
    pub own_by_level: Vec<u32>,
    pub conflicts: u64,
    /// Literals propagated.
    pub work: u64,
    pub conflicts_since_restart: u64,
    pub restarts: u64,
    pub learnt: usize,
    pub learnt_limit: usize,
    pub pace: Pace,
    pub settings: Settings,
}

impl<'a> Engine<'a> {
    pub fn new(matrix: &Matrix, settings: Settings, pace: Pace, budget: &'a mut Budget) -> Self {
        let gates = Gates::find(&matrix.prefix, &matrix.clauses);
        let mut prefix = matrix.prefix.clone();
        let mirrored = if settings.dual {
            dual::mirror(matrix, &gates, &mut prefix)
        } else {
            Vec::new()
        };
        let count = prefix.len();
        let is_chosen = |var: VarId| {
            let definition = gates.definitions.get(var.index());
            definition.is_some_and(Vec::is_empty)
        };
        // Gates follow from what is chosen; to decide them costs twice the time on games.
        let rank = |var: VarId| {
            if is_chosen(var) {
                prefix.block_of(var)
            } else {
                LATE
            }
        };
        let ranks = prefix.vars().map(rank).collect();
        let mut engine = Self {
            budget,
            store: Store::new(count),
            trail: Trail::new(count),
            order: Order::new(ranks),
            gates,
            occurrences: Occurrences::new(count, &matrix.clauses),
            costs: vec![(0, 0); matrix.prefix.len()],
            phases: vec![false; count],
            marked: vec![false; 2 * count],
            own_by_level: vec![0; count + 1],
            conflicts: 0,
            work: 0,
            conflicts_since_restart: 0,
            restarts: 0,
            learnt: 0,
            learnt_limit: pace.kept_at_least + matrix.clauses.len() / 2,
            pace,
            settings,
            prefix,
        };
        engine.load(Quantifier::Exists, &matrix.clauses);
        engine.load(Quantifier::Forall, &mirrored);
        engine
    }

    /// Decides the game, from where it stood; nothing if that takes more than so much work.
    pub fn run(&mut self, work: u64) -> Result<Option<Victory>, Stop> {
        self.budget.look()?;
        if self.work == 0
            && let Some(id) = self.store.ids().find(|&id| self.own_literal(id).is_none())
        {
            return Ok(Some(self.lost_at_once(id)));
        }
        let end = self.work.saturating_add(work);
        while self.work < end {
            let lesson = match self.propagate()? {
                Some(lost) => {
                    let owner = self.store.get(lost).owner;
                    let literals = self.store.literals(lost).to_vec();
                    self.store.touch(lost, self.conflicts);
                    (owner, self.analyze(owner, &literals))
                }
                None => {
                    self.pause()?;
                    if self.decide() {
                        continue;
                    }
                    let cover = self.cover();
                    (Quantifier::Forall, self.analyze(Quantifier::Forall, &cover))
                }
            };
            match lesson {
                (loser, Lesson::GameOver(false_literals)) => {
                    return Ok(Some(Victory {
                        winner: loser.opponent(),
                        false_literals,
                    }));
                }
                (owner, Lesson::Learnt { literals, level }) => self.learn(owner, &literals, level),
            }
        }
        Ok(None)
    }

    /// The owner of a constraint without a literal of his has lost.
    fn lost_at_once(&self, id: ConstraintId) -> Victory {
        let literals = self.store.literals(id).iter().copied();
        let outermost = literals.filter(|&literal| self.prefix.block(literal) < 2);
        Victory {
            winner: self.store.get(id).owner.opponent(),
            false_literals: outermost.collect(),
        }
    }

    fn own_literal(&self, id: ConstraintId) -> Option<Literal> {
        let owner = self.store.get(id).owner;
        let mut literals = self.store.literals(id).iter().copied();
        literals.find(|&literal| self.prefix.is_owner(owner, literal))
    }

    /// Takes constraints in. Each player first tries what serves him in more of his constraints.
    fn load(&mut self, owner: Quantifier, constraints: &[Vec<Literal>]) {
        let mut balance = vec![0_i64; self.prefix.len()];
        for literals in constraints {
            for literal in literals {
                self.order.insert(literal.var());
                balance[literal.var().index()] += if literal.is_positive() { 1 } else { -1 };
            }
            let is_own = |&&literal: &&Literal| self.prefix.is_owner(owner, literal);
            let first = literals.iter().find(is_own).or(literals.first());
            if let Some(&first) = first {
                self.add(owner, literals, [first, first]);
            } else {
                self.store.add_empty(owner);
            }
        }
        for var in self.prefix.vars() {
            let block = Literal::new(var, true);
            let is_own = self.prefix.is_owner(owner, block);
            if is_own || owner == Quantifier::Exists {
                self.phases[var.index()] = (balance[var.index()] > 0) == is_own;
            }
        }
    }

    /// Adds a constraint; if it forces a literal already, it does.
    ///
    /// Pre: `watched` are good watches unless it is quiet, or nothing is propagated yet.
    fn add(
        &mut self,
        owner: Quantifier,
        literals: &[Literal],
        watched: [Literal; 2],
    ) -> ConstraintId {
        let id = self.store.add(owner, literals, watched);
        self.store.touch(id, self.conflicts);
        match self.examine(id) {
            Finding::Quiet(watched) => self.store.watch(id, watched),
            Finding::Unit(literal) => {
                self.trail.assign(literal, Some(id));
            }
            Finding::Satisfied(_) | Finding::Lost => {}
        }
        id
    }

    fn learn(&mut self, owner: Quantifier, literals: &[Literal], level: u32) {
        #[cfg(any(test, feature = "paranoid"))]
        self.assert_follows(owner, literals);
        self.conflicts += 1;
        self.conflicts_since_restart += 1;
        self.learnt += 1;
        self.order.fade();
        let spread = self.spread(literals);
        self.return_to(level);
        let forced = literals[0];
        let rest = literals[1..].iter().copied().filter(|&literal| {
            self.prefix.is_owner(owner, literal)
                || self.prefix.block(literal) < self.prefix.block(forced)
        });
        let partner = rest.max_by_key(|&literal| self.trail.place(literal));
        let id = self.add(owner, literals, [forced, partner.unwrap_or(forced)]);
        let constraint = self.store.get_mut(id);
        constraint.learnt = true;
        constraint.spread = spread;
        assert!(
            self.trail.truth(forced) == Truth::True,
            "invariant: what is learnt forces its first literal"
        );
    }

    #[cfg(any(test, feature = "paranoid"))]
    fn assert_follows(&self, owner: Quantifier, literals: &[Literal]) {
        let given = self.store.ids().filter(|&id| {
            let constraint = self.store.get(id);
            constraint.owner == Quantifier::Exists && !constraint.learnt
        });
        let clauses = given.map(|id| self.store.literals(id));
        super::twin::assert_follows(&self.prefix, self.costs.len(), clauses, owner, literals);
    }

    pub(super) fn return_to(&mut self, level: u32) {
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

    /// Opens a level; false if every variable that occurs has its value.
    fn decide(&mut self) -> bool {
        while let Some(var) = self.order.pop() {
            if self.trail.is_open(var) {
                self.trail.open_level();
                let pure = self.settings.pure_moves.then(|| self.pure_literal(var));
                let usual = Literal::new(var, self.phases[var.index()]);
                let literal = pure.flatten().unwrap_or(usual);
                self.trail.assign(literal, None);
                return true;
            }
        }
        false
    }

    /// Values of the outermost variables at which the winner wins, by variable.
    pub fn winning_values(&self, matrix: &Matrix, victory: &Victory) -> Vec<bool> {
        let mut values = vec![false; self.prefix.len()];
        for literal in &victory.false_literals {
            values[literal.var().index()] = !literal.is_positive();
        }
        // Defined variables follow from those before them.
        for &var in &self.gates.order {
            for &clause in &self.gates.definitions[var.index()] {
                let clause = &matrix.clauses[clause];
                let mut others = clause.iter().filter(|literal| literal.var() != var);
                if others.all(|input| values[input.var().index()] != input.is_positive()) {
                    values[var.index()] = clause.contains(&Literal::new(var, true));
                }
            }
        }
        values
    }
}
