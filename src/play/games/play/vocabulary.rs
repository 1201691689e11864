//! What strategy rules may speak of in a game: its actions and what holds in its positions.
//!
//! Sides are numbered as in [`Rules::sides`](super::Rules::sides): 1 is the existential player.

use crate::program::Quantifier;

/// A name with whole numbers as indices: `p(1,3)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The name without its indices.
    pub name: &'static str,
    /// The indices; none for a plain name.
    pub indices: Vec<i64>,
}

impl Term {
    /// A name with indices.
    ///
    /// ```
    /// use quip::games::play::Term;
    /// assert_eq!(Term::new("p", [1, 3]).indices, [1, 3]);
    /// ```
    pub fn new(name: &'static str, indices: impl IntoIterator<Item = usize>) -> Self {
        let whole = |index| i64::try_from(index).expect("invariant: games are small");
        Self {
            name,
            indices: indices.into_iter().map(whole).collect(),
        }
    }
}

/// An option of one side, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Whose option it is.
    pub side: Quantifier,
    /// The option, as the game numbers it.
    pub option: usize,
    /// What it is called.
    pub term: Term,
}

/// The words of a game.
///
/// **Invariant:** an option of a side stands for one action, and terms are different.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Numbers under names, such as the size of the board.
    pub constants: Vec<(&'static str, usize)>,
    /// Every action that may ever be taken.
    pub actions: Vec<Action>,
    /// Everything that may ever hold.
    pub propositions: Vec<Term>,
}

impl Vocabulary {
    /// Numbers under names, and no words yet.
    pub(super) fn of(constants: impl IntoIterator<Item = (&'static str, usize)>) -> Self {
        Self {
            constants: constants.into_iter().collect(),
            ..Self::default()
        }
    }

    /// An action of a side, called `name` with the number of the side and more indices.
    pub(super) fn act(
        &mut self,
        name: &'static str,
        side: Quantifier,
        option: usize,
        indices: impl IntoIterator<Item = usize>,
    ) {
        let indices = std::iter::once(number(side)).chain(indices);
        self.actions.push(Action {
            side,
            option,
            term: Term::new(name, indices),
        });
    }

    /// Something that may hold.
    pub(super) fn may_hold(
        &mut self,
        name: &'static str,
        indices: impl IntoIterator<Item = usize>,
    ) {
        self.propositions.push(Term::new(name, indices));
    }
}

/// The two sides in order.
pub(super) const SIDES: [Quantifier; 2] = [Quantifier::Exists, Quantifier::Forall];

/// What a side is called: 1 for the existential one.
pub(super) fn number(side: Quantifier) -> usize {
    match side {
        Quantifier::Exists => 1,
        Quantifier::Forall => 2,
    }
}
