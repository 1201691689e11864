//! Best play of both sides: the game walked once more, with the worth known and the table warm; and
//! what to decide before the opponent moves.
//!
//! **Invariant:** every move that is told keeps its mover's system alive, also in plays that are
//! won or lost before they end. What is not decided is left out.

use std::sync::Arc;

use num_traits::ToPrimitive;

use super::legality::completion;
use super::position::Consequence;
use crate::budget::Budget;
use crate::num::int;
use crate::outcome::{Move, Outcome, SolveError, Stop};
use crate::presolve::with_implied_integers;
use crate::program::{Block, Id, Program, Quantifier, VarId};
use crate::propagate::{Inequalities, Store};
use crate::search::worth::{LOST, WON, Window, Worth};
use crate::search::{Search, Settings};

/// Steps that finding completions of a system may take where only the report needs them.
pub(in crate::search) const STEPS: u64 = 100_000;

impl Search<'_> {
    /// Adds the first stage to an outcome that has its play.
    pub(in crate::search) fn advise(&mut self, outcome: &mut Outcome, worth: Worth) {
        if worth == LOST {
            return;
        }
        let exists = |var: VarId| self.program.variables()[var].quantifier == Quantifier::Exists;
        let play = outcome.principal_variation.iter();
        let first_stage = play.take_while(|(var, _)| exists(*var));
        outcome.first_stage = first_stage.cloned().collect();
        if let Some(found) = self.incumbent.take_if(|found| found.worth == worth)
            && found.first_stage.len() > outcome.first_stage.len()
        {
            // The play ends inside the first stage; what was found there is whole.
            if !found.first_stage.starts_with(&outcome.principal_variation) {
                outcome.principal_variation.clone_from(&found.first_stage);
            }
            outcome.first_stage = found.first_stage;
        }
    }

    /// The first stage at a position that gives the existential player what it wants. If the
    /// universal system has died before all of it was decided, the rest only has to keep the
    /// existential one alive.
    pub(in crate::search) fn decisions(&mut self) -> Vec<Move> {
        let first = self.program.blocks().iter().next();
        let first = first.filter(|block| block.quantifier == Quantifier::Exists);
        let variables: Vec<VarId> = first.into_iter().flat_map(Block::variables).collect();
        let store = &mut self.position.store;
        let is_whole = variables.iter().all(|&var| store.is_fixed(var));
        let witness = match is_whole {
            true => None,
            false => {
                completion(store, Quantifier::Exists, self.budget, &mut self.steps).unwrap_or(None)
            }
        };
        let value = |var: VarId| match &witness {
            Some(values) => Some(values[var]),
            None => store.is_fixed(var).then(|| store.lower(var)),
        };
        let decided = variables.into_iter();
        decided
            .filter_map(|var| Some((var, int(value(var)?))))
            .collect()
    }

    /// A play in which both sides keep the proved worth, as far as it goes before a system dies.
    ///
    /// Post: the position is the one on entry. A stop ends the play where it is.
    pub(in crate::search) fn principal_variation(&mut self, worth: Worth) -> Vec<Move> {
        let entered = self.position.store.mark();
        let passed = self.position.passed();
        let mut decided = Vec::new();
        // A stop only shortens what is shown; the worth is proved already.
        let end = self.walk(worth, &mut decided);
        self.position.pass_fixed();
        let moves = (passed..self.position.passed()).map(VarId::new);
        let mut moves: Vec<Move> = moves
            .map(|var| (var, int(self.position.store.lower(var))))
            .collect();
        if matches!(end, Ok(Consequence::ExistsDead)) {
            self.play_out(&mut moves);
        }
        self.position.return_to(passed);
        for var in decided.into_iter().rev() {
            self.position.forget_decision(var);
        }
        self.position.store.undo_to(entered);
        match worth {
            WON | LOST => {
                let (program, rows) = (self.program, &self.inequalities);
                legal_part(program, rows, moves, &mut self.steps, self.budget)
            }
            _ => moves,
        }
    }

    /// Adds what follows once a row fails at the worst values of universals that nothing binds:
    /// these values, and for the existential player any that are left.
    fn play_out(&mut self, moves: &mut Vec<Move>) {
        let Some(failing) = self.position.death() else {
            return;
        };
        let store = &self.position.store;
        for var in (self.position.passed()..self.program.variables().len()).map(VarId::new) {
            let terms = store.inequalities().terms(failing).iter();
            let mut own = terms.filter(|entry| entry.at == var);
            let rises = own.next().is_some_and(|entry| entry.coefficient > 0);
            let value = match store.owner(var) {
                Quantifier::Exists => store.lower(var),
                Quantifier::Forall if store.is_fixed(var) => store.lower(var),
                Quantifier::Forall if !store.presses(var) => return,
                Quantifier::Forall if rises => store.upper(var),
                Quantifier::Forall => store.lower(var),
            };
            moves.push((var, int(value)));
        }
    }

    /// Makes the moves of a play; tells how the last one turned out.
    fn walk(&mut self, worth: Worth, decided: &mut Vec<VarId>) -> Result<Consequence, Stop> {
        if worth == LOST {
            self.position.store.wake(Quantifier::Exists);
            let consequence = self.position.settle(self.first_player(), self.budget)?;
            if consequence != Consequence::Alive {
                return Ok(consequence);
            }
        }
        while let Some(var) = self.position.pass_fixed() {
            let player = self.position.store.owner(var);
            loop {
                let (lower, upper) = (
                    self.position.store.lower(var),
                    self.position.store.upper(var),
                );
                if lower == upper && self.position.is_decided(var) {
                    break;
                }
                let (lower, upper) = self.keeping_part(var, player, worth)?;
                if self.position.decide(var, lower, upper) {
                    decided.push(var);
                }
                let consequence = self.position.settle(player, self.budget)?;
                if consequence != Consequence::Alive {
                    return Ok(consequence);
                }
            }
        }
        Ok(Consequence::Alive)
    }

    /// A part of the variable's values among which one keeps the worth: a guess, or a half.
    fn keeping_part(
        &mut self,
        var: VarId,
        player: Quantifier,
        worth: Worth,
    ) -> Result<(i64, i64), Stop> {
        let (lower, upper) = (
            self.position.store.lower(var),
            self.position.store.upper(var),
        );
        let middle = lower + (upper - lower) / 2;
        let guess = self.guess(var, player);
        for (from, to) in [(guess, guess), (lower, middle)] {
            if self.keeps(var, player, (from, to), worth)? {
                return Ok((from, to));
            }
        }
        Ok((middle + 1, upper))
    }

    /// Whether the mover still has the worth after restricting himself to a part of the values.
    fn keeps(
        &mut self,
        var: VarId,
        player: Quantifier,
        part: (i64, i64),
        worth: Worth,
    ) -> Result<bool, Stop> {
        let mark = self.position.store.mark();
        let first = self.position.decide(var, part.0, part.1);
        let keeps = self.still_has(player, worth);
        if first {
            self.position.forget_decision(var);
        }
        self.position.store.undo_to(mark);
        keeps
    }

    /// Whether the player who has just moved still has the worth.
    fn still_has(&mut self, player: Quantifier, worth: Worth) -> Result<bool, Stop> {
        Ok(match (self.position.settle(player, self.budget)?, player) {
            // Who has lost plays on as long as a move is legal.
            (_, Quantifier::Exists) if worth == LOST => {
                let store = &mut self.position.store;
                completion(store, player, self.budget, &mut self.steps)?.is_some()
            }
            (Consequence::Alive, Quantifier::Forall) if worth == WON => true,
            (Consequence::Alive, Quantifier::Exists) => {
                self.worth(Window::at_most(worth))? <= worth
            }
            (Consequence::Alive, Quantifier::Forall) => {
                self.worth(Window::at_most(worth - 1))? >= worth
            }
            (Consequence::ExistsDead, _) => worth == LOST,
            (Consequence::ForallDead, _) => true,
            (Consequence::Illegal, _) => false,
        })
    }
}

/// How a lost program is lost: a play of both sides, as far as the budget leads.
///
/// Answers are found on programs that were made easier. There a row may face the opponent's worst
/// values before the opponent has played them, and it does not matter any more what it plays.
pub fn lost_play(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Vec<Move>, SolveError> {
    if program.first_empty_domain().is_some() {
        return Ok(Vec::new());
    }
    let whole = with_implied_integers(program);
    let settings = Settings {
        relax: false,
        table_bytes: settings.table_bytes.min(1 << 24),
        ..settings.clone()
    };
    let mut search = Search::new(whole.as_ref().unwrap_or(program), &settings, budget)?;
    Ok(search.principal_variation(LOST))
}

/// The moves up to the first that its mover may not make, or that is not known to be legal.
pub(in crate::search) fn legal_part(
    program: &Program,
    inequalities: &Arc<Inequalities>,
    mut moves: Vec<Move>,
    steps: &mut u64,
    budget: &mut Budget,
) -> Vec<Move> {
    for owner in [Quantifier::Exists, Quantifier::Forall] {
        let mut store = Store::new(program, Arc::clone(inequalities), false);
        // A system that is dead after some moves is dead after more: after fewer than `alive` it
        // is not, after `dead` it is, or nobody knows.
        let (mut alive, mut dead) = (0, moves.len() + 1);
        while alive < dead {
            // Most plays are legal to the end.
            let count = match dead > moves.len() {
                true => moves.len(),
                false => (alive + dead) / 2,
            };
            let mark = store.mark();
            for (var, value) in &moves[..count] {
                let value = value.to_integer().to_i64().unwrap_or_default();
                store.narrow(*var, value, value);
            }
            let found = completion(&mut store, owner, budget, steps);
            store.undo_to(mark);
            match found {
                Ok(Some(_)) => alive = count + 1,
                _ => dead = count,
            }
        }
        let killer = dead.checked_sub(1).and_then(|last| moves.get(last));
        let killer = killer.map(|(var, _)| store.owner(*var));
        let legal = match killer == Some(owner.opponent()) {
            true => dead,
            false => dead.saturating_sub(1),
        };
        moves.truncate(legal);
    }
    moves
}
