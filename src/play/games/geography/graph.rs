//! Graphs for geography and their file: the number of rounds, then for each node a line with the
//! node and its neighbours.
//!
//! ```text
//! 3
//! 0 1 2
//! 1 0 3 4
//! ```
//!
//! Where the first node is no number, nodes are called by names, such as those of cities, and numbered in the
//! order of their lines.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use crate::games::GameError;
use crate::games::text::{Line, Word, end_of_text, lines};

/// The largest graph.
pub const MOST_NODES: usize = 1000;

/// A directed graph on the nodes 0, 1, …, which have names, and how many rounds are played on it.
///
/// **Invariant:** every neighbour is a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    rounds: usize,
    neighbours: Vec<Vec<usize>>,
    names: Vec<String>,
}

/// The lines in the order of their nodes: node 0 is the one that is called so, or else the first one. Numbers
/// without a gap are in their own order, other names in that of the lines.
fn order(heads: &[Word<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..heads.len()).collect();
    let numbers: Vec<Option<usize>> = heads.iter().map(|head| head.text.parse().ok()).collect();
    let all = 0..heads.len();
    match all.clone().all(|number| numbers.contains(&Some(number))) {
        true => order.sort_by_key(|&head| numbers[head]),
        false => order.sort_by_key(|&head| heads[head].text != "0"),
    }
    order
}

impl Graph {
    /// Reads a graph.
    ///
    /// ```
    /// use quip::games::geography::Graph;
    /// let graph = Graph::parse("2\n0 1\n1 0 2\n2\n")?;
    /// assert_eq!(graph.nodes(), 3);
    /// let error = Graph::parse("2\n0 7\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 3: node `7` has no line of its own");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let lines = lines(text);
        let Some((first, rest)) = lines.split_first() else {
            return Err(end_of_text(text, "the number of rounds is missing"));
        };
        let [] = first.exactly([])?;
        let rounds = first.head().number("a number of rounds")?;
        if rest.len() > MOST_NODES {
            let message = format!("a graph has at most {MOST_NODES} nodes");
            return Err(rest[MOST_NODES].head().error(message));
        }
        if rest.is_empty() {
            return Err(end_of_text(text, "there is no node"));
        }
        let heads: Vec<Word<'_>> = rest.iter().map(Line::head).collect();
        let order = order(&heads);
        let mut places = FxHashMap::default();
        for (place, &head) in order.iter().enumerate() {
            let word = heads[head];
            if places.insert(word.text, place).is_some() {
                return Err(word.error(format!("a second line for node `{}`", word.text)));
            }
        }
        let mut neighbours = Vec::new();
        for &head in &order {
            let mut list: Vec<usize> = Vec::new();
            for word in &rest[head].words[1..] {
                let Some(&neighbour) = places.get(word.text) else {
                    let message = format!("node `{}` has no line of its own", word.text);
                    return Err(word.error(message));
                };
                if list.contains(&neighbour) {
                    let message = format!("neighbour `{}` is there already", word.text);
                    return Err(word.error(message));
                }
                list.push(neighbour);
            }
            neighbours.push(list);
        }
        Ok(Self {
            rounds,
            neighbours,
            names: order
                .iter()
                .map(|&head| heads[head].text.to_owned())
                .collect(),
        })
    }

    /// The graph of the thesis.
    pub fn thesis() -> Self {
        let text = "3\n0 1 2\n1 0 3 4\n2 0 5\n3 1 6\n4 1 7\n5 2\n6 3\n7 4\n";
        Self::parse(text).expect("invariant: the thesis's file is a graph")
    }

    /// A random graph in which each node leads to about `degree` others.
    pub fn random(nodes: usize, rounds: usize, degree: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut neighbours = vec![Vec::new(); nodes];
        for (node, list) in neighbours.iter_mut().enumerate() {
            for other in (0..nodes).filter(|&other| other != node) {
                if random.random_range(0..nodes.max(2) - 1) < degree {
                    list.push(other);
                }
            }
        }
        let names = (0..nodes).map(|node| node.to_string()).collect();
        Self {
            rounds,
            neighbours,
            names,
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.neighbours.len()
    }

    /// What a node is called.
    ///
    /// ```
    /// use quip::games::geography::Graph;
    /// let graph = Graph::parse("2\nhome mill\nmill 7\n7\n")?;
    /// assert_eq!(graph.name(0), "home");
    /// assert!(graph.leads(1, 2));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn name(&self, node: usize) -> &str {
        &self.names[node]
    }

    /// How many rounds the file allows.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Where one can go from a node.
    pub fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[node]
    }

    /// Whether an edge leads from one node to the other.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        self.neighbours[from].contains(&to)
    }

    /// The graph in the format it is read from.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.rounds);
        for (node, list) in self.neighbours.iter().enumerate() {
            text += self.name(node);
            for &neighbour in list {
                text += &format!(" {}", self.name(neighbour));
            }
            text.push('\n');
        }
        text
    }

    /// Whether player 1 may open with a node: a neighbour of node 0, if there is a round at all.
    pub(super) fn opens(&self, node: usize) -> bool {
        self.rounds > 0 && self.leads(0, node)
    }

    /// The rounds that can be played at all: not more than nodes that can be entered, and one at
    /// least, in which player 1 may find that it cannot move.
    pub(super) fn playable_rounds(&self) -> usize {
        let enterable = (1..self.nodes())
            .filter(|&node| (0..self.nodes()).any(|from| self.leads(from, node)))
            .count();
        self.rounds.min(enterable).max(1)
    }
}
