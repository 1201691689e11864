//! Chess in K steps as the document has it: the quantified Boolean formula Φ_K, in QCIR.
//!
//! The variables are the document's, `x_m_n_s` for piece `m` at place `n` after step `s`, and no others: a step
//! is judged by the states before and after it. What is asked is nested step by step: White keeps the rules *and* goes
//! on to win, Black breaks them *or* White goes on to win.

use super::encode::{Candidate, candidates};
use super::geometry::Target;
use super::position::Colour;
use super::{Chess, Piece};
use crate::games::GameError;
use crate::games::circuit::{Bit, Circuit};
use crate::program::Quantifier;

/// For each piece, a bit for each place.
type State = Vec<Vec<Bit>>;

/// The formula: true if and only if White takes the king.
pub(super) fn formula(chess: &Chess) -> String {
    let mut writer = Writer {
        chess,
        circuit: Circuit::default(),
    };
    let mut before = writer.state(0, Quantifier::Exists);
    let initial = writer.initial(&before);
    let mut kept = Vec::new();
    for step in 0..chess.steps {
        let (mover, owner) = if step.is_multiple_of(2) {
            (Colour::White, Quantifier::Exists)
        } else {
            (Colour::Black, Quantifier::Forall)
        };
        let after = writer.state(step + 1, owner);
        kept.push((owner, writer.step(mover, &before, &after)));
        before = after;
    }
    let goal = writer.goal(&before);
    let won = writer.circuit.in_turns(kept, goal);
    let formula = writer.circuit.and([initial, won]);
    writer.circuit.text(formula)
}

/// One of the formulas that it is made of.
pub(super) fn part(chess: &Chess, part: &str, step: usize) -> Result<String, GameError> {
    let last = chess.steps - usize::from(part == "T");
    if step > last {
        let message = format!("`{part}` is about steps 0 to {last}, not {step}");
        return Err(GameError::parameter("step", message));
    }
    let step = match part {
        "I0" => 0,
        "G" => chess.steps,
        _ => step,
    };
    let mut writer = Writer {
        chess,
        circuit: Circuit::default(),
    };
    let state = writer.state(step, Quantifier::Exists);
    let rules = match part {
        "I0" => vec![writer.initial(&state)],
        "phi" => writer.each_somewhere(&state),
        "psi" => writer.apart(&state),
        "T" => {
            let after = writer.state(step + 1, Quantifier::Exists);
            let mover = match step.is_multiple_of(2) {
                true => Colour::White,
                false => Colour::Black,
            };
            writer.transition(mover, &state, &after)
        }
        "G" => vec![writer.goal(&state)],
        other => {
            let message = format!("there is no part `{other}`");
            return Err(GameError::parameter("formula", message));
        }
    };
    let formula = writer.circuit.and(rules);
    Ok(writer.circuit.text(formula))
}

struct Writer<'c> {
    chess: &'c Chess,
    circuit: Circuit,
}

impl Writer<'_> {
    fn pieces(&self) -> &[Piece] {
        self.chess.position.pieces()
    }

    fn squares(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.chess.position.squares()
    }

    fn state(&mut self, step: usize, owner: Quantifier) -> State {
        let places = self.chess.position.squares() + 1;
        let pieces = 1..=self.pieces().len();
        let names = pieces.flat_map(|piece| {
            let names = 0..places;
            names.map(move |place| format!("x_{piece}_{place}_{step}"))
        });
        let bits = self.circuit.block(owner, names.collect::<Vec<_>>());
        bits.chunks(places).map(<[Bit]>::to_vec).collect()
    }

    /// I₀.
    fn initial(&mut self, state: &State) -> Bit {
        let mut facts = Vec::new();
        for (places, piece) in state.iter().zip(self.chess.position.pieces()) {
            for (place, bit) in places.iter().enumerate() {
                let is_there = place == piece.place;
                facts.push(if is_there { bit.clone() } else { !bit.clone() });
            }
        }
        self.circuit.and(facts)
    }

    /// φ and ψ, and T^W or T^B.
    fn step(&mut self, mover: Colour, before: &State, after: &State) -> Bit {
        let mut rules = self.each_somewhere(after);
        rules.extend(self.apart(after));
        rules.extend(self.transition(mover, before, after));
        self.circuit.and(rules)
    }

    /// φ: each piece is at exactly one place.
    fn each_somewhere(&mut self, state: &State) -> Vec<Bit> {
        let pieces = state.iter();
        pieces
            .map(|places| self.circuit.exactly_one(places))
            .collect()
    }

    /// ψ: not two pieces on one square.
    fn apart(&mut self, state: &State) -> Vec<Bit> {
        let mut rules = Vec::new();
        for square in self.squares() {
            let here: Vec<Bit> = state.iter().map(|places| places[square].clone()).collect();
            rules.push(self.circuit.at_most_one(&here));
        }
        rules
    }

    /// Exactly one piece of the mover changes its place, by a move; of the others only what it
    /// takes does.
    fn transition(&mut self, mover: Colour, before: &State, after: &State) -> Vec<Bit> {
        let options = candidates(self.chess, mover);
        let enemy = match mover {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        };
        let held = [self.held(mover, before), self.held(enemy, before)];
        let own_after = self.held(mover, after);
        let mut rules = Vec::new();
        let mut moved = Vec::new();
        for (piece, what) in self.chess.position.pieces().iter().enumerate() {
            let stays = self.unchanged(&before[piece], &after[piece]);
            let mut ways = vec![stays.clone()];
            if what.colour == mover {
                for option in options.iter().filter(|option| option.piece == piece) {
                    let ends = (&*before[piece], &*after[piece]);
                    ways.push(self.moves(option, ends, &held));
                }
                moved.push(!stays);
            } else {
                for square in self.squares() {
                    let taken = [&before[piece][square], &after[piece][0], &own_after[square]];
                    ways.push(self.circuit.and(taken.map(Bit::clone)));
                }
            }
            rules.push(self.circuit.or(ways));
        }
        rules.push(self.circuit.exactly_one(&moved));
        rules
    }

    fn unchanged(&mut self, before: &[Bit], after: &[Bit]) -> Bit {
        let mut same = Vec::new();
        for (before, after) in before.iter().zip(after) {
            same.push(self.circuit.same(before, after));
        }
        self.circuit.and(same)
    }

    /// For each square whether a piece of the colour is there; place 0 is of no interest.
    fn held(&mut self, colour: Colour, state: &State) -> Vec<Bit> {
        let pieces = self.chess.position.pieces();
        let own = pieces.iter().zip(state);
        let own: Vec<&Vec<Bit>> = own
            .filter(|(piece, _)| piece.colour == colour)
            .map(|(_, places)| places)
            .collect();
        let mut held = vec![Bit::Constant(false)];
        for square in self.squares() {
            let here = own.iter().map(|places| places[square].clone());
            held.push(self.circuit.or(here));
        }
        held
    }

    /// The piece, from places before to places after, goes this way, and may; `held` are the
    /// squares of its own side and of the other.
    fn moves(
        &mut self,
        option: &Candidate,
        (before, after): (&[Bit], &[Bit]),
        [own, other]: &[Vec<Bit>; 2],
    ) -> Bit {
        let way = &option.way;
        let mut needs = vec![before[way.from].clone(), after[way.to].clone()];
        for &square in &way.between {
            needs.extend([!own[square].clone(), !other[square].clone()]);
        }
        match way.target {
            Target::NotOwn => needs.push(!own[way.to].clone()),
            Target::Empty => needs.extend([!own[way.to].clone(), !other[way.to].clone()]),
            Target::Enemy => needs.push(other[way.to].clone()),
        }
        self.circuit.and(needs)
    }

    /// G_K.
    fn goal(&mut self, last: &State) -> Bit {
        let off = |colour: Colour| {
            let king = self.chess.position.king(colour);
            last[king.expect("invariant: there is one king of each colour")][0].clone()
        };
        let (white, black) = (off(Colour::White), off(Colour::Black));
        self.circuit.and([!white, black])
    }
}
