//! Where the game stands: bounds and sums, how far the prefix is passed, what has been spent.

use std::sync::Arc;

use super::legality::{self, Legality};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{Death, Inequalities, InequalityId, Store, Strength};

/// How a move turned out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// The game goes on.
    Alive,
    /// The existential player cannot do better than the cost limit, or at all.
    ExistsDead,
    /// The mover's own system does not survive the move: he may not make it.
    Illegal,
    /// The existential player's move killed the universal system.
    ForallDead,
}

/// See the module.
///
/// **Invariant:** the first `passed` variables are fixed, and `done` holds their sums. `ahead` counts
/// the variables after them that were narrowed by a move.
#[derive(Debug)]
pub struct Position {
    /// Bounds and trail.
    pub store: Store,
    legality: Legality,
    strength: Strength,
    passed: usize,
    done: IdVec<InequalityId, i64>,
    decided: IdVec<VarId, bool>,
    ahead: usize,
    free_universals: Vec<VarId>,
    count: usize,
    death: Option<InequalityId>,
}

impl Position {
    /// The position before the first move.
    pub fn new(
        program: &Program,
        inequalities: Arc<Inequalities>,
        legality: Legality,
        narrow: bool,
    ) -> Self {
        let count = inequalities.heads().len();
        let store = Store::new(program, inequalities, legality.may_press());
        let variables = program.variables().ids();
        let free_universals = variables.filter(|&var| store.presses(var)).collect();
        let strength = if narrow && legality.may_press() {
            Strength::Narrow
        } else {
            Strength::Notice
        };
        Self {
            store,
            legality,
            strength,
            passed: 0,
            done: IdVec::filled(count, 0),
            decided: IdVec::filled(program.variables().len(), false),
            ahead: 0,
            free_universals,
            count: program.variables().len(),
            death: None,
        }
    }

    /// How many variables of the prefix are passed.
    pub fn passed(&self) -> usize {
        self.passed
    }

    /// What the passed variables add to an inequality.
    pub fn done(&self, id: InequalityId) -> i64 {
        self.done[id]
    }

    /// What the passed variables cost.
    pub fn spent(&self) -> i64 {
        self.done[self.store.inequalities().objective()]
    }

    /// Passes every variable that is fixed already; tells the next one to move, if any.
    pub fn pass_fixed(&mut self) -> Option<VarId> {
        while self.passed < self.count {
            let var = VarId::new(self.passed);
            if !self.store.is_fixed(var) {
                return Some(var);
            }
            self.account(var, 1);
            self.passed += 1;
            self.ahead -= usize::from(self.decided[var]);
        }
        None
    }

    /// Goes back to where `passed` variables were passed.
    ///
    /// Pre: the values of the variables in between are still in the store.
    pub fn return_to(&mut self, passed: usize) {
        while self.passed > passed {
            self.passed -= 1;
            let var = VarId::new(self.passed);
            self.account(var, -1);
            self.ahead += usize::from(self.decided[var]);
        }
    }

    fn account(&mut self, var: VarId, sign: i64) {
        let value = sign * self.store.lower(var);
        for entry in self.store.inequalities().column(var) {
            self.done[entry.at] += entry.coefficient * value;
        }
    }

    /// Narrows a variable by a move; tells whether it is the first move on it.
    pub fn decide(&mut self, var: VarId, lower: i64, upper: i64) -> bool {
        self.store.narrow(var, lower, upper);
        let first = !std::mem::replace(&mut self.decided[var], true);
        self.ahead += usize::from(first);
        first
    }

    /// Whether a move narrowed the variable.
    pub fn is_decided(&self, var: VarId) -> bool {
        self.decided[var]
    }

    /// Forgets that a variable was moved on.
    ///
    /// Pre: the variable is not passed.
    pub fn forget_decision(&mut self, var: VarId) {
        self.decided[var] = false;
        self.ahead -= 1;
    }

    /// Whether the variables that are passed are all that was decided, so that what they leave of
    /// the rows is all there is to know about the position.
    pub fn is_whole(&self) -> bool {
        self.ahead == 0
    }

    /// Draws every conclusion from the changes that `mover` made, in the order of the rules: the
    /// mover's own system is looked at first.
    pub fn settle(&mut self, mover: Quantifier, budget: &mut Budget) -> Result<Consequence, Stop> {
        match mover {
            Quantifier::Exists => self.settle_existential(budget),
            Quantifier::Forall => self.settle_universal(budget),
        }
    }

    fn settle_existential(&mut self, budget: &mut Budget) -> Result<Consequence, Stop> {
        // Values that one system takes away may wake the other, so both run until they rest.
        while self.store.is_awake() {
            if self.run(Quantifier::Exists).is_err() {
                return Ok(Consequence::ExistsDead);
            }
            if self.run(Quantifier::Forall).is_err() {
                return self.universal_died(budget);
            }
        }
        if !self.legality.universal_is_safe_from_existential()
            && !legality::completes(&mut self.store, Quantifier::Forall, budget)?
        {
            return self.universal_died(budget);
        }
        Ok(Consequence::Alive)
    }

    /// An existential move killed the universal system: a win, if the mover's own one is alive.
    fn universal_died(&mut self, budget: &mut Budget) -> Result<Consequence, Stop> {
        let alive = legality::completes(&mut self.store, Quantifier::Exists, budget)?;
        Ok(if alive {
            Consequence::ForallDead
        } else {
            Consequence::ExistsDead
        })
    }

    fn settle_universal(&mut self, budget: &mut Budget) -> Result<Consequence, Stop> {
        if self.run(Quantifier::Forall).is_err() {
            return Ok(Consequence::Illegal);
        }
        let mut existential = Ok(());
        while existential.is_ok() && self.store.is_awake() {
            existential = self.run(Quantifier::Exists);
            if self.run(Quantifier::Forall).is_err() {
                return Ok(Consequence::Illegal);
            }
        }
        if self.legality != Legality::Scan
            && !legality::completes(&mut self.store, Quantifier::Forall, budget)?
        {
            return Ok(Consequence::Illegal);
        }
        Ok(if existential.is_ok() {
            Consequence::Alive
        } else {
            Consequence::ExistsDead
        })
    }

    /// Runs a player's rows until they rest; tells if his system is dead.
    fn run(&mut self, owner: Quantifier) -> Result<(), Death> {
        let horizon = self.horizon();
        let result = self.store.propagate(owner, horizon, self.strength);
        if let Err(death) = result {
            self.death = Some(death.inequality);
        }
        result
    }

    /// The row by which the last propagation that failed saw a system dead; the objective's for the
    /// cost limit.
    pub fn death(&self) -> Option<InequalityId> {
        self.death
    }

    /// How legality is decided.
    pub fn legality(&self) -> Legality {
        self.legality
    }

    /// The first free universal that is not fixed, or the end of the prefix.
    fn horizon(&self) -> VarId {
        let from = self
            .free_universals
            .partition_point(|var| var.index() < self.passed);
        let open = self.free_universals[from..]
            .iter()
            .find(|&&var| !self.store.is_fixed(var));
        open.copied().unwrap_or_else(|| VarId::new(self.count))
    }
}
