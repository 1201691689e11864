//! The refinement: a player's block in several games at once.

use std::rc::Rc;

use super::Table;
use super::formula::Formula;
use super::game::{Game, Symbol};
use super::leaf::Leaf;
use crate::program::Quantifier;
use crate::qbf::turns::Pause;

/// The games that a player has to win by the same moves.
///
/// He moves in all blocks up to `block` that are his and still open. Values of symbols that are not his
/// are given.
pub(super) struct Node {
    player: Quantifier,
    block: usize,
    kind: Kind,
}

enum Kind {
    /// Nobody moves behind him.
    Last(Box<Leaf>),
    Inner(Inner),
}

struct Inner {
    /// The games against the replies that are known.
    abstraction: Box<Node>,
    games: Vec<Opponent>,
    /// Places in `games`, those that refuted last first.
    order: Vec<usize>,
}

/// A game, and the opponent's block in it once he was asked.
struct Opponent {
    game: Rc<Game>,
    node: Option<Node>,
}

impl Node {
    /// No games yet, for the owner of these symbols.
    ///
    /// Blocks behind the last are nobody's: there every game is over.
    pub fn new(formula: &Formula, block: usize, own: &[Symbol]) -> Self {
        let first = formula.blocks[block % 2].owner;
        let kind = if block + 1 >= formula.blocks.len() {
            Kind::Last(Box::new(Leaf::new(first, own)))
        } else {
            Kind::Inner(Inner {
                abstraction: Box::new(Self::new(formula, block + 2, own)),
                games: Vec::new(),
                order: Vec::new(),
            })
        };
        Self {
            player: first,
            block,
            kind,
        }
    }

    /// Another game, in which these symbols are the player's as well.
    pub fn add(
        &mut self,
        game: impl Into<Rc<Game>>,
        own: &[Symbol],
        table: &mut Table<'_, '_>,
    ) -> Result<(), Pause> {
        self.own(own);
        match &mut self.kind {
            Kind::Last(leaf) => leaf.add(game.into(), table),
            Kind::Inner(inner) => {
                inner.order.push(inner.games.len());
                inner.games.push(Opponent {
                    game: game.into(),
                    node: None,
                });
                Ok(())
            }
        }
    }

    fn own(&mut self, own: &[Symbol]) {
        match &mut self.kind {
            Kind::Last(leaf) => leaf.own(own),
            Kind::Inner(inner) => inner.abstraction.own(own),
        }
    }

    /// Whether the player wins all games; then his symbols have the values by which he does.
    pub fn solve(&mut self, table: &mut Table<'_, '_>) -> Result<bool, Pause> {
        debug_assert_eq!(self.player, table.formula.blocks[self.block % 2].owner);
        let inner = match &mut self.kind {
            Kind::Last(leaf) => return leaf.solve(table),
            Kind::Inner(inner) => inner,
        };
        loop {
            if !inner.abstraction.solve(table)? {
                return Ok(false);
            }
            let Some(game) = inner.refuted(self.block, table)? else {
                return Ok(true);
            };
            let refined = game.after(self.block + 1, table);
            let next = table.formula.blocks.get(self.block + 2);
            let own = next.map_or_else(Vec::new, |block| refined.symbols(block));
            inner.abstraction.add(refined, &own, table)?;
        }
    }
}

impl Inner {
    /// A game that the opponent wins against the present moves; his symbols tell how.
    fn refuted(
        &mut self,
        block: usize,
        table: &mut Table<'_, '_>,
    ) -> Result<Option<Rc<Game>>, Pause> {
        for place in 0..self.order.len() {
            let number = self.order[place];
            let Opponent { game, node } = &mut self.games[number];
            let node = match node {
                Some(node) => node,
                None => {
                    let own = game.symbols(&table.formula.blocks[block + 1]);
                    let mut fresh = Node::new(&table.formula, block + 1, &own);
                    fresh.add(Rc::clone(game), &[], table)?;
                    node.insert(fresh)
                }
            };
            if node.solve(table)? {
                self.order[..=place].rotate_right(1);
                return Ok(Some(Rc::clone(&self.games[number].game)));
            }
        }
        Ok(None)
    }
}
