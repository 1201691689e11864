//! Games as state transition systems.
//!
//! Source: Zhang and Thielscher, *Representing and reasoning about game strategies*, Definition 1:
//! players, states, actions that belong to one player each, an initial state, legality, an update
//! function, winning states of each player and terminal states. The [`Signature`] names what
//! formulas speak about; the valuation of Definition 4 is [`Game::holds`].

use std::fmt;
use std::hash::Hash;

use rustc_hash::FxHashMap;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of the `index`-th, counted from 0.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("invariant: ids fit 32 bits"))
            }

            /// Counted from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A player. Players are called 1, 2, …
    PlayerId,
    /// An action of one player.
    ActionId,
    /// A proposition that holds in a state or does not.
    PropositionId,
    /// A state of an explored game.
    StateId,
}

impl PlayerId {
    /// The player called `number`, from 1.
    pub fn called(number: usize) -> Option<Self> {
        number.checked_sub(1).map(Self::new)
    }

    /// What the player is called: 1 for the first.
    pub fn number(self) -> usize {
        self.index() + 1
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.number())
    }
}

/// A name with whole numbers as indices: `turn(1)`, `p(1,3)`, `tie`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// The name without its indices.
    pub name: String,
    /// The indices; none for a plain name.
    pub indices: Vec<i64>,
}

impl Symbol {
    /// A symbol.
    pub fn new(name: &str, indices: &[i64]) -> Self {
        Self {
            name: name.to_owned(),
            indices: indices.to_vec(),
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        if self.indices.is_empty() {
            return Ok(());
        }
        let indices: Vec<String> = self.indices.iter().map(i64::to_string).collect();
        write!(out, "({})", indices.join(","))
    }
}

/// What formulas about a game may name.
///
/// ```
/// use quip::rules::{PlayerId, Signature};
/// let mut signature = Signature::new(2);
/// let white = PlayerId::called(1).unwrap();
/// signature.add_action("a", &[1, 3], white);
/// signature.add_proposition("p", &[1, 3]);
/// let action = signature.action("a", &[1, 3]).unwrap();
/// assert_eq!(signature.owner(action), white);
/// assert_eq!(signature.action_symbol(action).to_string(), "a(1,3)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Signature {
    players: usize,
    constants: Vec<(String, i64)>,
    actions: Vec<(Symbol, PlayerId)>,
    propositions: Vec<Symbol>,
    action_ids: FxHashMap<Symbol, ActionId>,
    proposition_ids: FxHashMap<Symbol, PropositionId>,
}

impl Signature {
    /// So many players and nothing else yet.
    pub fn new(players: usize) -> Self {
        Self {
            players,
            ..Self::default()
        }
    }

    /// A number under a name, which terms may use.
    pub fn add_constant(&mut self, name: &str, value: i64) {
        self.constants.push((name.to_owned(), value));
    }

    /// The numbers under names.
    pub fn constants(&self) -> &[(String, i64)] {
        &self.constants
    }

    /// An action of `owner`, new or already there.
    pub fn add_action(&mut self, name: &str, indices: &[i64], owner: PlayerId) -> ActionId {
        let symbol = Symbol::new(name, indices);
        let id = ActionId::new(self.actions.len());
        if let Some(&known) = self.action_ids.get(&symbol) {
            return known;
        }
        self.action_ids.insert(symbol.clone(), id);
        self.actions.push((symbol, owner));
        id
    }

    /// A proposition, new or already there.
    pub fn add_proposition(&mut self, name: &str, indices: &[i64]) -> PropositionId {
        let symbol = Symbol::new(name, indices);
        let id = PropositionId::new(self.propositions.len());
        if let Some(&known) = self.proposition_ids.get(&symbol) {
            return known;
        }
        self.proposition_ids.insert(symbol.clone(), id);
        self.propositions.push(symbol);
        id
    }

    /// Every player in order.
    pub fn players(&self) -> impl ExactSizeIterator<Item = PlayerId> + use<> {
        (0..self.players).map(PlayerId::new)
    }

    /// Every action in order.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = ActionId> + use<> {
        (0..self.actions.len()).map(ActionId::new)
    }

    /// Every proposition in order.
    pub fn propositions(&self) -> impl ExactSizeIterator<Item = PropositionId> + use<> {
        (0..self.propositions.len()).map(PropositionId::new)
    }

    /// The action of that name.
    pub fn action(&self, name: &str, indices: &[i64]) -> Option<ActionId> {
        self.action_ids.get(&Symbol::new(name, indices)).copied()
    }

    /// The proposition of that name.
    pub fn proposition(&self, name: &str, indices: &[i64]) -> Option<PropositionId> {
        let symbol = Symbol::new(name, indices);
        self.proposition_ids.get(&symbol).copied()
    }

    /// What an action is called.
    pub fn action_symbol(&self, action: ActionId) -> &Symbol {
        &self.actions[action.index()].0
    }

    /// Whose action it is.
    pub fn owner(&self, action: ActionId) -> PlayerId {
        self.actions[action.index()].1
    }

    /// What a proposition is called.
    pub fn proposition_symbol(&self, proposition: PropositionId) -> &Symbol {
        &self.propositions[proposition.index()]
    }
}

/// A game of perfect information in which one player acts at a time.
///
/// How to implement it for a referee: let a state be what the referee plays on, give every move an
/// action in the signature, and answer the questions from the referee's rules. Legality must end
/// with the game: in a terminal state nothing is legal.
///
/// ```
/// use quip::rules::{ActionId, Game, GameFault, PlayerId, PropositionId, Signature, StateGraph};
/// use quip::budget::Budget;
///
/// /// One heap; the player who takes the last piece wins. A state is the heap and who moves.
/// struct Nim(Signature);
///
/// impl Game for Nim {
///     type State = (i64, usize);
///     fn signature(&self) -> &Signature { &self.0 }
///     fn initial(&self) -> Result<Self::State, GameFault> { Ok((4, 1)) }
///     fn legal(&self, &(heap, mover): &Self::State, action: ActionId) -> bool {
///         let taken = self.0.action_symbol(action).indices[1];
///         self.0.owner(action).number() == mover && taken <= heap
///     }
///     fn update(&self, &(heap, mover): &Self::State, action: ActionId) -> Result<Self::State, GameFault> {
///         Ok((heap - self.0.action_symbol(action).indices[1], 3 - mover))
///     }
///     fn wins(&self, &(heap, mover): &Self::State, player: PlayerId) -> bool {
///         heap == 0 && player.number() != mover
///     }
///     fn terminal(&self, &(heap, _): &Self::State) -> bool { heap == 0 }
///     fn holds(&self, &(heap, _): &Self::State, heap_is: PropositionId) -> bool {
///         self.0.proposition_symbol(heap_is).indices[0] == heap
///     }
/// }
///
/// let mut signature = Signature::new(2);
/// for player in [1, 2] {
///     for taken in 1..=2 {
///         signature.add_action("take", &[player, taken], PlayerId::new(player as usize - 1));
///     }
/// }
/// (0..=4).for_each(|heap| { signature.add_proposition("heap", &[heap]); });
/// let graph = StateGraph::explore(&Nim(signature), &mut Budget::unlimited())?;
/// assert_eq!(graph.states().len(), 8);
/// # Ok::<(), quip::rules::ExploreError>(())
/// ```
pub trait Game {
    /// A position, with everything that matters for the rest of the play.
    type State: Clone + Eq + Hash;

    /// Players, actions and propositions.
    fn signature(&self) -> &Signature;

    /// Where play begins.
    fn initial(&self) -> Result<Self::State, GameFault>;

    /// Whether the action may be taken.
    fn legal(&self, state: &Self::State, action: ActionId) -> bool;

    /// The state after a legal action.
    fn update(&self, state: &Self::State, action: ActionId) -> Result<Self::State, GameFault>;

    /// Whether the state is a winning state of the player.
    fn wins(&self, state: &Self::State, player: PlayerId) -> bool;

    /// Whether play is over.
    fn terminal(&self, state: &Self::State) -> bool;

    /// Whether the proposition is true in the state.
    fn holds(&self, state: &Self::State, proposition: PropositionId) -> bool;
}

/// What a game does not say, or says twice, about one of its states.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// No rule of the game decides a proposition.
    #[error("nothing says whether {proposition} holds {when}; add an axiom that decides it")]
    Undecided {
        /// The proposition.
        proposition: String,
        /// At the beginning, or after some action.
        when: String,
    },
    /// Two rules of the game disagree.
    #[error("one axiom makes {proposition} true {when} and another makes it false")]
    Contradiction {
        /// The proposition.
        proposition: String,
        /// At the beginning, or after some action.
        when: String,
    },
}
