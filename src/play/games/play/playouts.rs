//! A move where nothing is proved: tree search by playouts.
//!
//! Source: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (UCT), which the founding papers name for
//! games that are too large to be solved. Random plays to the end are remembered in a tree; the next play follows the
//! children that did best so far, with a premium for those that were tried seldom. A move that wins at once is
//! seen without playing on. What comes out is advice, never a proof.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{End, Rules};
use crate::program::Quantifier;

/// How much a child that was tried seldom is preferred.
const CURIOSITY: f64 = 1.0;

/// Longer plays count as ties.
const LONGEST: usize = 10_000;

/// What playouts advise.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The option that was tried most often.
    pub option: usize,
    /// How many plays were made.
    pub plays: usize,
}

/// The option among `candidates` that does best in random plays from the position after `history`. `goes_on` is
/// asked before each play; the first ones are made in any case, one for each candidate.
///
/// ```
/// use quip::games::family;
/// use quip::games::play::playouts;
/// let rules = family("gomoku").unwrap().rules(&[("size", "3"), ("row", "3")])?;
/// // Black has two in the first row, white two in the second; the third of the first row wins.
/// let mut left = 500;
/// let mut goes_on = || { left -= 1; left > 0 };
/// let advice = playouts(&*rules, &[0, 3, 1, 4], &[2, 5, 6, 7, 8], &mut goes_on).unwrap();
/// assert_eq!(advice.option, 2);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn playouts(
    rules: &dyn Rules,
    history: &[usize],
    candidates: &[usize],
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Advice> {
    let mut tree = Tree {
        rules,
        nodes: vec![Node::of(candidates.to_vec())],
        random: ChaCha8Rng::seed_from_u64(0),
    };
    let mut plays = 0;
    while !candidates.is_empty() && (plays < candidates.len() || goes_on()) {
        tree.play(&mut history.to_vec());
        plays += 1;
    }
    let children = tree.nodes[0].children.iter();
    let tried = children.max_by_key(|(_, child)| tree.nodes[*child].visits);
    tried.map(|(option, _)| Advice {
        option: *option,
        plays,
    })
}

/// A position that was met.
struct Node {
    visits: u32,
    /// What the existential player got, a win being 1 and a tie 1/2.
    gained: f64,
    /// Options that were not tried yet, and those that were.
    fresh: Vec<usize>,
    children: Vec<(usize, usize)>,
}

impl Node {
    fn of(fresh: Vec<usize>) -> Self {
        Self {
            visits: 0,
            gained: 0.0,
            fresh,
            children: Vec::new(),
        }
    }
}

struct Tree<'r> {
    rules: &'r dyn Rules,
    nodes: Vec<Node>,
    random: ChaCha8Rng,
}

impl Tree<'_> {
    /// One play: down the tree, a new node, at random to the end, and back.
    fn play(&mut self, history: &mut Vec<usize>) {
        let mut path = vec![0];
        let mut at = 0;
        let end = loop {
            if let Some(end) = self.rules.end(history) {
                break end;
            }
            if let Some(fresh) = self.drawn(at) {
                history.push(fresh);
                let node = Node::of(self.options(history));
                self.nodes.push(node);
                let new = self.nodes.len() - 1;
                self.nodes[at].children.push((fresh, new));
                path.push(new);
                break self.at_random(history);
            }
            let Some((option, child)) = self.promising(at, self.rules.mover(history)) else {
                break End::Tie;
            };
            history.push(option);
            path.push(child);
            at = child;
        };
        let gained = match end {
            End::First => 1.0,
            End::Tie => 0.5,
            End::Second => 0.0,
        };
        for node in path {
            self.nodes[node].visits += 1;
            self.nodes[node].gained += gained;
        }
    }

    /// An option that was not tried yet, at random.
    fn drawn(&mut self, node: usize) -> Option<usize> {
        let count = self.nodes[node].fresh.len();
        let place = (count > 0).then(|| self.random.random_range(0..count));
        place.map(|place| self.nodes[node].fresh.swap_remove(place))
    }

    /// The options of a position; only one that wins at once, if there is any.
    fn options(&self, history: &mut Vec<usize>) -> Vec<usize> {
        if self.rules.end(history).is_some() {
            return Vec::new();
        }
        let wish = match self.rules.mover(history) {
            Quantifier::Exists => End::First,
            Quantifier::Forall => End::Second,
        };
        let options = self.rules.options(history);
        let mut wins = options.iter().copied().filter(|&option| {
            history.push(option);
            let end = self.rules.end(history);
            history.pop();
            end == Some(wish)
        });
        match wins.next() {
            Some(option) => vec![option],
            None => options,
        }
    }

    /// The child with the best prospects for the mover.
    fn promising(&self, node: usize, mover: Quantifier) -> Option<(usize, usize)> {
        let all = f64::from(self.nodes[node].visits.max(1));
        let prospects = |child: usize| {
            let it = &self.nodes[child];
            let visits = f64::from(it.visits.max(1));
            let share = match mover {
                Quantifier::Exists => it.gained / visits,
                Quantifier::Forall => 1.0 - it.gained / visits,
            };
            share + CURIOSITY * (all.ln() / visits).sqrt()
        };
        let children = self.nodes[node].children.iter().copied();
        children.max_by(|one, other| prospects(one.1).total_cmp(&prospects(other.1)))
    }

    fn at_random(&mut self, history: &mut Vec<usize>) -> End {
        for _ in 0..LONGEST {
            if let Some(end) = self.rules.end(history) {
                return end;
            }
            let options = self.rules.options(history);
            if options.is_empty() {
                return End::Tie;
            }
            let option = options[self.random.random_range(0..options.len())];
            history.push(option);
        }
        End::Tie
    }
}
