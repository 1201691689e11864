//! Tic-tac-toe as the document has it: a quantified Boolean formula, in QCIR.
//!
//! θ of a step is one gate over the states before and after it. What is asked is nested step by step:
//! at his steps the existential player keeps θ *and* reaches his goal, at the others θ is broken
//! *or* he reaches it.

use super::{Player, Reading, TicTacToe, lines};
use crate::games::GameError;
use crate::games::circuit::{Bit, Circuit};
use crate::program::Quantifier;

/// The squares of X and of O after one step.
type State = [Vec<Bit>; 2];

impl TicTacToe {
    /// The formula Φ_X-strat or Φ_O-strat: true if and only if the player has a strategy.
    ///
    /// ```
    /// use quip::games::tictactoe::*;
    /// let game = TicTacToe {
    ///     size: 2,
    ///     player: Player::X,
    ///     reading: Reading::FirstLine,
    ///     guard: Guard::Rows,
    /// };
    /// assert!(game.formula()?.starts_with("#QCIR-G14\nexists(x_1_1_0, "));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn formula(&self) -> Result<String, GameError> {
        self.check()?;
        let mut circuit = Circuit::default();
        let start = self.variables(&mut circuit, 0, Quantifier::Exists);
        let empty = start.iter().flatten().map(|bit| !bit.clone());
        let empty: Vec<Bit> = empty.collect();
        let mut states = vec![start];
        let mut kept = Vec::new();
        for step in 0..self.size.pow(2) {
            let owner = match self.moves_at(step) {
                true => Quantifier::Exists,
                false => Quantifier::Forall,
            };
            let after = self.variables(&mut circuit, step + 1, owner);
            kept.push((owner, theta(&mut circuit, step % 2, &states[step], &after)));
            states.push(after);
        }
        let won = self.x_wins(&mut circuit, &states);
        let goal = match self.player {
            Player::X => won,
            Player::O => !won,
        };
        let reached = circuit.in_turns(kept, goal);
        let formula = circuit.and(empty.into_iter().chain([reached]));
        Ok(circuit.text(formula))
    }

    /// One formula of the document by itself, on the states that it speaks of, all of them existential:
    /// `start`, `theta` of a step, `win`.
    ///
    /// ```
    /// use quip::games::tictactoe::*;
    /// let game = TicTacToe {
    ///     size: 2,
    ///     player: Player::X,
    ///     reading: Reading::FirstLine,
    ///     guard: Guard::Rows,
    /// };
    /// assert!(game.part("theta", 3)?.starts_with("#QCIR-G14\nexists(x_1_1_3, "));
    /// assert!(game.part("theta", 4).is_err());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn part(&self, part: &str, step: usize) -> Result<String, GameError> {
        self.check()?;
        let last = self.size.pow(2) - 1;
        if step > last {
            let message = format!("there are steps 0 to {last}, not {step}");
            return Err(GameError::parameter("step", message));
        }
        let steps = match part {
            "start" => 0..=0,
            "theta" => step..=step + 1,
            _ => 0..=last + 1,
        };
        let mut circuit = Circuit::default();
        let states = steps.map(|step| self.variables(&mut circuit, step, Quantifier::Exists));
        let states: Vec<State> = states.collect();
        let formula = match part {
            "start" => circuit.and(states[0].iter().flatten().map(|bit| !bit.clone())),
            "theta" => theta(&mut circuit, step % 2, &states[0], &states[1]),
            "win" => self.x_wins(&mut circuit, &states),
            other => {
                let message = format!("there is no part `{other}`");
                return Err(GameError::parameter("formula", message));
            }
        };
        Ok(circuit.text(formula))
    }

    /// Whether the existential player moves at a step.
    fn moves_at(&self, step: usize) -> bool {
        step.is_multiple_of(2) == (self.player == Player::X)
    }

    fn variables(&self, circuit: &mut Circuit, step: usize, owner: Quantifier) -> State {
        let cells = self.size.pow(2);
        let name = |letter: char, cell: usize| {
            let (i, j) = (cell / self.size + 1, cell % self.size + 1);
            format!("{letter}_{i}_{j}_{step}")
        };
        let names = (0..cells).map(|cell| name('x', cell));
        let names = names.chain((0..cells).map(|cell| name('y', cell)));
        let mut x = circuit.block(owner, names);
        let y = x.split_off(cells);
        [x, y]
    }

    /// φ_X-win in the wanted reading.
    fn x_wins(&self, circuit: &mut Circuit, states: &[State]) -> Bit {
        let last = states.len() - 1;
        if self.reading == Reading::FinalBoard {
            return self.has_line(circuit, &states[last][0]);
        }
        let mut first = Vec::new();
        for step in (1..=last).step_by(2) {
            let x = self.has_line(circuit, &states[step][0]);
            let o = self.has_line(circuit, &states[step - 1][1]);
            first.push(circuit.and([x, !o]));
        }
        circuit.or(first)
    }

    fn has_line(&self, circuit: &mut Circuit, squares: &[Bit]) -> Bit {
        let mut full = Vec::new();
        for line in lines(self.size) {
            full.push(circuit.and(line.iter().map(|&cell| squares[cell].clone())));
        }
        circuit.or(full)
    }
}

/// θ_s for X (mover 0) or O (mover 1): exactly one free square becomes his, nothing else changes.
fn theta(circuit: &mut Circuit, mover: usize, before: &State, after: &State) -> Bit {
    let mut rules = Vec::new();
    let mut placed = Vec::new();
    for cell in 0..before[0].len() {
        let own = (&before[mover][cell], &after[mover][cell]);
        let other = (&before[1 - mover][cell], &after[1 - mover][cell]);
        let new = circuit.and([!own.0.clone(), own.1.clone()]);
        rules.push(circuit.or([!own.0.clone(), own.1.clone()]));
        rules.push(circuit.or([!new.clone(), !other.0.clone()]));
        rules.push(circuit.same(other.0, other.1));
        placed.push(new);
    }
    rules.push(circuit.exactly_one(&placed));
    circuit.and(rules)
}
