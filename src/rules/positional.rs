//! Positional games of the library as games for rules, by their referee.

use super::game::{ActionId, Game, GameFault, PlayerId, PropositionId, Signature};
use crate::games::positional::{Positional, referee};

/// A positional game: `a(i,j)` is player i claiming cell j, `p(i,j)` says that he owns it, and
/// `turn(i)` that he moves. Cells are counted from 1.
///
/// ```
/// use quip::budget::Budget;
/// use quip::games::crossdot;
/// use quip::rules::{Claims, StateGraph};
/// let game = Claims::new(crossdot::game(4, 2)?);
/// let graph = StateGraph::explore(&game, &mut Budget::unlimited())?;
/// assert_eq!(graph.longest_play(), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Claims {
    game: Positional,
    signature: Signature,
}

impl Claims {
    /// The game as a state transition system.
    pub fn new(game: Positional) -> Self {
        let mut signature = Signature::new(2);
        let cells = i64::try_from(game.cells()).expect("invariant: boards are small");
        for player in signature.players() {
            let number = i64::from(mark(player));
            for cell in 1..=cells {
                signature.add_proposition("p", &[number, cell]);
                signature.add_action("a", &[number, cell], player);
            }
            signature.add_proposition("turn", &[number]);
        }
        Self { game, signature }
    }

    /// The cell of an action or proposition, counted from 0.
    fn cell(&self, index: i64) -> usize {
        usize::try_from(index - 1).expect("invariant: cells are counted from 1")
    }

    fn mover(&self, board: &[u8]) -> u8 {
        let made = board.iter().filter(|&&owner| owner != 0).count();
        if made % 2 == 0 { 1 } else { 2 }
    }
}

/// How the referee calls a player.
fn mark(player: PlayerId) -> u8 {
    u8::try_from(player.number()).expect("invariant: there are two players")
}

impl Game for Claims {
    type State = Vec<u8>;

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self) -> Result<Self::State, GameFault> {
        Ok(vec![0; self.game.cells()])
    }

    fn legal(&self, board: &Self::State, action: ActionId) -> bool {
        let cell = self.cell(self.signature.action_symbol(action).indices[1]);
        mark(self.signature.owner(action)) == self.mover(board)
            && !self.terminal(board)
            && referee::moves(&self.game, board).contains(&cell)
    }

    fn update(&self, board: &Self::State, action: ActionId) -> Result<Self::State, GameFault> {
        let cell = self.cell(self.signature.action_symbol(action).indices[1]);
        let mut after = board.clone();
        after[cell] = mark(self.signature.owner(action));
        Ok(after)
    }

    fn wins(&self, board: &Self::State, player: PlayerId) -> bool {
        referee::owns_a_set(&self.game, board, mark(player))
    }

    fn terminal(&self, board: &Self::State) -> bool {
        let made = board.iter().filter(|&&owner| owner != 0).count();
        made == self.game.moves
            || self
                .signature
                .players()
                .any(|player| self.wins(board, player))
    }

    fn holds(&self, board: &Self::State, proposition: PropositionId) -> bool {
        let symbol = self.signature.proposition_symbol(proposition);
        match symbol.indices[..] {
            [number, cell] => i64::from(board[self.cell(cell)]) == number,
            [number] => i64::from(self.mover(board)) == number,
            _ => false,
        }
    }
}
