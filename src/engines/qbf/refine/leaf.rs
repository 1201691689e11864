//! A player who moves last, in all games at once: a question for the SAT solver.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Table;
use super::encoding::Encoding;
use super::game::{Game, Symbol};
use crate::program::Quantifier;
use crate::qbf::turns::Pause;

/// How much more work a literal is that is written than one that is propagated.
const WORK_OF_A_LITERAL: u64 = 2;

pub(super) struct Leaf {
    player: Quantifier,
    own: FxHashSet<Symbol>,
    encoding: Encoding,
    games: Vec<Rc<Game>>,
}

impl Leaf {
    pub fn new(player: Quantifier, own: &[Symbol]) -> Self {
        Self {
            player,
            own: own.iter().copied().collect(),
            encoding: Encoding::new(),
            games: Vec::new(),
        }
    }

    pub fn own(&mut self, own: &[Symbol]) {
        self.own.extend(own);
    }

    pub fn add(&mut self, game: Rc<Game>, table: &mut Table<'_, '_>) -> Result<(), Pause> {
        let written = self.encoding.add(&table.formula, &game, self.player);
        self.games.push(game);
        table.spend(WORK_OF_A_LITERAL * written as u64, written)
    }

    /// Whether the player wins all games; then his symbols have the values by which he does.
    pub fn solve(&mut self, table: &mut Table<'_, '_>) -> Result<bool, Pause> {
        let (own, encoding) = (&self.own, &mut self.encoding);
        let given = encoding.symbols.iter();
        let given = given.filter(|(symbol, _)| !own.contains(symbol));
        let assumptions: Vec<_> = given
            .map(|&(symbol, literal)| literal.apply_sign(table.values[symbol.index()]))
            .collect();
        let answer = loop {
            let before = encoding.oracle.work();
            let answer = encoding.oracle.solve(&assumptions);
            let work = encoding.oracle.work() - before + assumptions.len() as u64;
            table.spend(work, 0)?;
            if let Some(answer) = answer {
                break answer;
            }
        };
        if answer {
            for &(symbol, literal) in &encoding.symbols {
                if own.contains(&symbol) {
                    table.values[symbol.index()] = encoding.oracle.is_true(literal);
                }
            }
            self.play_through(table);
        }
        Ok(answer)
    }

    /// The SAT solver's model is not believed but played.
    fn play_through(&self, table: &Table<'_, '_>) {
        let wins = self.player == Quantifier::Exists;
        let mut games = self.games.iter();
        let all = games.all(|game| game.is_won(&table.formula, &table.values) == wins);
        assert!(all, "invariant: the moves of a model win every game");
    }
}
