//! The program: states, moves and what binds them.

use super::geometry::{Target, Way, ways};
use super::position::{Colour, Piece};
use super::{Chess, Guard};
use crate::games::GameError;
use crate::games::choice::announced;
use crate::model::{Compare, Constraint, Expr, Model, Var, row, sum};
use crate::program::{Program, Quantifier};

pub(super) fn program(chess: &Chess) -> Result<Program, GameError> {
    let mut encoding = Encoding {
        chess,
        model: Model::new(),
        states: Vec::new(),
        over: Vec::new(),
    };
    encoding.initial();
    for step in 0..chess.steps {
        encoding.step(step);
    }
    encoding.goal();
    Ok(encoding.model.build()?)
}

/// The number by which Black names a move.
pub(super) fn number_of_move(chess: &Chess, piece: usize, from: usize, to: usize) -> Option<usize> {
    let candidates = candidates(chess, Colour::Black);
    let place = candidates.iter().position(|candidate| {
        (candidate.piece, candidate.way.from, candidate.way.to) == (piece, from, to)
    });
    place.map(|place| place + 1)
}

/// Every move that a side may ever make, in the order in which they are numbered.
pub(super) fn candidates(chess: &Chess, mover: Colour) -> Vec<Candidate> {
    let position = &chess.position;
    let is_free = mover == Colour::White || chess.black.is_empty();
    let movers = position.pieces.iter().enumerate().filter(|(_, piece)| {
        piece.colour == mover && (is_free || chess.black.contains(&piece.kind))
    });
    movers
        .flat_map(|(piece, what)| {
            let ways = ways(position, what.kind, what.colour);
            ways.into_iter().map(move |way| Candidate { piece, way })
        })
        .collect()
}

/// For each piece, a variable for each place.
type State = Vec<Vec<Var>>;

/// A move that may be possible: piece and way.
pub(super) struct Candidate {
    pub(super) piece: usize,
    pub(super) way: Way,
}

struct Encoding<'c> {
    chess: &'c Chess,
    model: Model,
    states: Vec<State>,
    /// Whether Black was without a move, for each of his steps with [`Guard::Index`].
    over: Vec<Var>,
}

impl Encoding<'_> {
    fn pieces(&self) -> &[Piece] {
        &self.chess.position.pieces
    }

    fn state(&mut self, step: usize, owner: Quantifier) -> State {
        let (pieces, places) = (self.pieces().len(), self.chess.position.squares());
        let mut stage = match owner {
            Quantifier::Exists => self.model.exists(),
            Quantifier::Forall => self.model.forall(),
        };
        (1..=pieces)
            .map(|piece| {
                (0..=places)
                    .map(|place| stage.binary(format!("x[{piece},{place},{step}]")))
                    .collect()
            })
            .collect()
    }

    /// I₀.
    fn initial(&mut self) {
        let state = self.state(0, Quantifier::Exists);
        let places: Vec<usize> = self.pieces().iter().map(|piece| piece.place).collect();
        let mut rows = self.model.rows("initial");
        for (variables, there) in state.iter().zip(places) {
            for (place, &var) in variables.iter().enumerate() {
                rows.add(row!(var == i64::from(place == there)));
            }
        }
        self.states.push(state);
    }

    /// φ and ψ for a state.
    fn orderly(&self, state: &State) -> Vec<(&'static str, Constraint)> {
        let mut rows = Vec::new();
        for places in state {
            rows.push(("place", sum(places).equals(1)));
        }
        for square in 1..=self.chess.position.squares() {
            let here = sum(state.iter().map(|places| places[square]));
            rows.push(("apart", here.leq(1)));
        }
        rows
    }

    /// One step of the game, T^W or T^B.
    fn step(&mut self, step: usize) {
        let mover = if step.is_multiple_of(2) {
            Colour::White
        } else {
            Colour::Black
        };
        let options = candidates(self.chess, mover);
        let owner = match (mover, self.chess.guard) {
            (Colour::Black, Guard::Rows) => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let named = (mover == Colour::Black && self.chess.guard == Guard::Index)
            .then(|| self.named_move(step, &options));
        let goes = self.moves(step, &options, owner);
        let after = self.state(step + 1, owner);
        if let Some(named) = named {
            self.obey(&named, &goes);
        }
        let mut rows = self.orderly(&after);
        rows.extend(self.transition(mover, &options, &goes, &after, owner));
        for (name, row) in rows {
            match owner {
                Quantifier::Exists => self.model.rows(name).add(row),
                Quantifier::Forall => self.model.uncertainty_rows(name).add(row),
            };
        }
        self.states.push(after);
    }

    fn moves(&mut self, step: usize, options: &[Candidate], owner: Quantifier) -> Vec<Var> {
        let mut stage = match owner {
            Quantifier::Exists => self.model.exists(),
            Quantifier::Forall => self.model.forall(),
        };
        let name = |option: &Candidate| {
            let Way { from, to, .. } = option.way;
            format!("go[{step},{},{from},{to}]", option.piece + 1)
        };
        options
            .iter()
            .map(|option| stage.binary(name(option)))
            .collect()
    }

    /// Exactly one move, which is possible, and nothing else changes.
    fn transition(
        &self,
        mover: Colour,
        options: &[Candidate],
        goes: &[Var],
        after: &State,
        owner: Quantifier,
    ) -> Vec<(&'static str, Constraint)> {
        let over = match owner {
            Quantifier::Exists => sum(&self.over),
            Quantifier::Forall => Expr::new(),
        };
        let mut rows = vec![("move", (sum(goes) + over).equals(1))];
        for (option, &go) in options.iter().zip(goes) {
            for obstacle in self.obstacles(mover, option) {
                rows.push(("move", (go + obstacle).leq(1)));
            }
        }
        let before = &self.states[self.states.len() - 1];
        for square in 1..=self.chess.position.squares() {
            let into = sum(chosen(options, goes, |option| option.way.to == square));
            for (piece, what) in self.pieces().iter().enumerate() {
                let (was, is) = (before[piece][square], after[piece][square]);
                if what.colour == mover {
                    let own = |option: &Candidate| option.piece == piece;
                    let comes = sum(chosen(options, goes, |o| own(o) && o.way.to == square));
                    let leaves = sum(chosen(options, goes, |o| own(o) && o.way.from == square));
                    rows.push(("move", row!(is == was + comes - leaves)));
                } else {
                    rows.push(("move", row!(is <= was)));
                    rows.push(("move", row!(is + &into <= 1)));
                    rows.push(("move", row!(is >= was - &into)));
                }
            }
        }
        rows
    }

    /// What forbids a move: expressions of which one is at least 1, and none below 0.
    fn obstacles(&self, mover: Colour, option: &Candidate) -> Vec<Expr> {
        let before = &self.states[self.states.len() - 1];
        let Way {
            from,
            to,
            between,
            target,
        } = &option.way;
        let of = |colour: Colour, square: usize| {
            let pieces = self.pieces().iter().zip(before);
            let own = pieces.filter(|(piece, _)| piece.colour == colour);
            sum(own.map(|(_, places)| places[square]))
        };
        let enemy = match mover {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        };
        let anybody = |square: usize| of(mover, square) + of(enemy, square);
        let mut obstacles = vec![1 - before[option.piece][*from]];
        obstacles.extend(between.iter().map(|&square| anybody(square)));
        obstacles.push(match target {
            Target::NotOwn => of(mover, *to),
            Target::Empty => anybody(*to),
            Target::Enemy => 1 - of(enemy, *to),
        });
        obstacles
    }

    /// Black names a move; it may be wrong, or there may be none.
    fn named_move(&mut self, step: usize, options: &[Candidate]) -> Vec<(Var, Var)> {
        let obstacles: Vec<Expr> = options
            .iter()
            .map(|option| sum(self.obstacles(Colour::Black, option)))
            .collect();
        let label = |name: &str, place: usize| {
            let Candidate { piece, way } = &options[place];
            format!("{name}[{step},{},{},{}]", piece + 1, way.from, way.to)
        };
        let aims = match options.is_empty() {
            true => Vec::new(),
            false => announced(
                &mut self.model,
                format!("m[{step}]"),
                options.len(),
                |place| label("aim", place),
            ),
        };
        let over = self.model.exists().binary(format!("over[{step}]"));
        let earlier = sum(&self.over);
        self.model.rows("over").add((over + earlier).leq(1));
        let mut named = Vec::new();
        for (place, (aim, obstacles)) in aims.into_iter().zip(obstacles).enumerate() {
            let wrong = self.model.exists().binary(label("wrong", place));
            self.model
                .rows("named")
                .add(row!(wrong <= aim))
                .add(row!(wrong <= &obstacles));
            self.model.rows("over").add(row!(over <= obstacles));
            named.push((aim, wrong));
        }
        self.over.push(over);
        named
    }

    /// What is named is played, unless it is wrong or the game is over.
    fn obey(&mut self, named: &[(Var, Var)], goes: &[Var]) {
        let over = sum(&self.over);
        let mut rows = self.model.rows("named");
        for (&(aim, wrong), &go) in named.iter().zip(goes) {
            rows.add(row!(go >= aim - wrong - &over));
        }
    }

    /// G_K, or Black was without a move.
    fn goal(&mut self) {
        let last = &self.states[self.chess.steps];
        let over = sum(&self.over);
        let off = |colour: Colour| {
            let king = self.chess.position.king(colour);
            last[king.expect("invariant: there is one king of each colour")][0]
        };
        let (white, black) = (off(Colour::White), off(Colour::Black));
        self.model
            .rows("goal")
            .add(row!(white <= &over))
            .add(row!(black + over >= 1));
    }
}

fn chosen<'a>(
    options: &'a [Candidate],
    goes: &'a [Var],
    wanted: impl Fn(&Candidate) -> bool + 'a,
) -> impl Iterator<Item = Var> + 'a {
    let pairs = options.iter().zip(goes);
    pairs
        .filter(move |(option, _)| wanted(option))
        .map(|(_, go)| *go)
}
