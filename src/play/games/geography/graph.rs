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
use crate::games::text::{Word, end_of_text, lines};

/// The largest graph.
pub const MOST_NODES: usize = 1000;

/// A directed graph on the nodes 0, 1, …, and how many rounds are played on it.
///
/// **Invariant:** every neighbour is a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    rounds: usize,
    neighbours: Vec<Vec<usize>>,
    /// Of every node; none if they are called by their numbers.
    names: Vec<String>,
}

impl Graph {
    /// Reads a graph.
    ///
    /// ```
    /// use quip::games::geography::Graph;
    /// let graph = Graph::parse("2\n0 1\n1 0 2\n2\n")?;
    /// assert_eq!(graph.nodes(), 3);
    /// let error = Graph::parse("2\n0 7\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 3: node 7 has no line of its own");
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
        let named = rest
            .first()
            .is_some_and(|line| !line.head().text.starts_with(|it: char| it.is_ascii_digit()));
        let names: Vec<String> = match named {
            true => rest
                .iter()
                .map(|line| line.head().text.to_owned())
                .collect(),
            false => Vec::new(),
        };
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, name) in names.iter().enumerate() {
            if numbers.insert(name, number).is_some() {
                let message = format!("a second line for `{name}`");
                return Err(rest[number].head().error(message));
            }
        }
        let number = |word: &Word<'_>| match named {
            false => word.number("a node"),
            true => numbers
                .get(word.text)
                .copied()
                .ok_or_else(|| word.error(format!("`{}` has no line of its own", word.text))),
        };
        let mut neighbours: Vec<Option<Vec<usize>>> = vec![None; rest.len()];
        for line in rest {
            let node: usize = number(&line.head())?;
            let Some(place) = neighbours.get_mut(node) else {
                let message = format!(
                    "node {node} is too large: {} lines are for the nodes from 0 on",
                    rest.len()
                );
                return Err(line.head().error(message));
            };
            if place.is_some() {
                return Err(line.head().error(format!("a second line for node {node}")));
            }
            let mut list: Vec<usize> = Vec::new();
            for word in &line.words[1..] {
                let neighbour = number(word)?;
                if neighbour >= rest.len() {
                    let message = format!("node {neighbour} has no line of its own");
                    return Err(word.error(message));
                }
                if list.contains(&neighbour) {
                    let message = format!("neighbour {} is there already", word.text);
                    return Err(word.error(message));
                }
                list.push(neighbour);
            }
            *place = Some(list);
        }
        if neighbours.is_empty() {
            return Err(end_of_text(text, "node 0 has no line"));
        }
        Ok(Self {
            rounds,
            neighbours: neighbours
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect(),
            names,
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
        Self {
            rounds,
            neighbours,
            names: Vec::new(),
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
    /// let graph = Graph::parse("2\nRoma Atene\nAtene Efeso\nEfeso\n")?;
    /// assert_eq!((graph.name(1), graph.leads(0, 1)), ("Atene".to_owned(), true));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn name(&self, node: usize) -> String {
        let name = self.names.get(node);
        name.cloned().unwrap_or_else(|| node.to_string())
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
            text += &self.name(node);
            for neighbour in list {
                text += &format!(" {}", self.name(*neighbour));
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
