//! Graphs that fail on the way: what is given of a worst-case dynamic graph reliability game, and
//! its text format.
//!
//! ```text
//! source v1              # where the traveller starts
//! target t               # where he wants to go
//! edge e1 v1 v2          # name, tail, head
//! edge e4 v2 t
//! fail v2 e4             # f(v2, e4) = 1: when he arrives at v2, e4 may be erased
//! never e4 e5            # g(e4, e5) = 0: not both
//! budget 1 e4 e5         # at most one erasure among these edges, all arrivals together
//! ```
//!
//! Nodes need no declaration: an edge, `source` or `target` introduces them.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use crate::games::GameError;
use crate::games::text::{Line, Word, end_of_text, lines};

/// An edge, by the places of its ends in [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub tail: usize,
    /// Where it ends.
    pub head: usize,
}

/// At most `most` erasures among `edges`, counted over all arrivals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How many erasures are allowed.
    pub most: usize,
    /// Places in [`Graph::edges`].
    pub edges: Vec<usize>,
}

/// A directed acyclic graph with source and target, and what the opponent may do to it.
///
/// **Invariant:** names are unique and fit a program; there is no cycle; all places exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub(super) nodes: Vec<String>,
    pub(super) edges: Vec<Edge>,
    pub(super) source: usize,
    pub(super) target: usize,
    /// The pairs `(v, e)` with `f(v, e) = 1`.
    pub(super) failures: Vec<(usize, usize)>,
    /// The pairs with `g = 0`.
    pub(super) never: Vec<(usize, usize)>,
    /// Budgets beyond the pairs.
    pub(super) budgets: Vec<Rule>,
    /// All nodes, tails before heads.
    pub(super) order: Vec<usize>,
}

impl Graph {
    /// Reads a graph.
    ///
    /// ```
    /// use quip::games::dgr::Graph;
    /// let graph = Graph::parse("source s\ntarget t\nedge e s t\nfail s e\n")?;
    /// assert_eq!(graph.edges().len(), 1);
    /// let error = Graph::parse("source s\ntarget t\nedge e s t\nfail q e\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 4, column 6: there is no node `q`");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let mut reader = Reader::default();
        let lines = lines(text);
        for line in &lines {
            reader.declare(line)?;
        }
        for line in &lines {
            reader.restrict(line)?;
        }
        reader.finish(text)
    }

    /// The graph of the paper's Figure 3, with the rule of its text.
    pub fn figure_3() -> Self {
        Self::parse(FIGURE_3).expect("invariant: the figure is a graph")
    }

    /// The same graph under other budgets; pairs are dropped.
    #[must_use]
    pub fn with_rules(&self, budgets: Vec<Rule>) -> Self {
        Self {
            never: Vec::new(),
            budgets,
            ..self.clone()
        }
    }

    /// The nodes in a topological order.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The names of the nodes.
    pub fn nodes(&self) -> &[String] {
        &self.nodes
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Start and destination.
    pub fn ends(&self) -> (usize, usize) {
        (self.source, self.target)
    }

    /// The pairs of a node and an edge that may be erased on arrival there.
    pub fn failures(&self) -> &[(usize, usize)] {
        &self.failures
    }

    /// Every rule of the opponent as a budget: a pair is a budget of one.
    pub fn rules(&self) -> Vec<Rule> {
        let pair = |&(first, second): &(usize, usize)| Rule {
            most: 1,
            edges: vec![first, second],
        };
        self.never
            .iter()
            .map(pair)
            .chain(self.budgets.iter().cloned())
            .collect()
    }

    /// The pairs of different edges that may not both be erased.
    pub fn never(&self) -> &[(usize, usize)] {
        &self.never
    }

    /// Budgets beyond the pairs.
    pub fn budgets(&self) -> &[Rule] {
        &self.budgets
    }

    /// The graph in the format it is read from.
    pub fn to_text(&self) -> String {
        let name = |edge: &usize| self.edges[*edge].name.as_str();
        let mut text = format!(
            "source {}\ntarget {}\n",
            self.nodes[self.source], self.nodes[self.target]
        );
        for edge in &self.edges {
            let (tail, head) = (&self.nodes[edge.tail], &self.nodes[edge.head]);
            text += &format!("edge {} {tail} {head}\n", edge.name);
        }
        for (node, edge) in &self.failures {
            text += &format!("fail {} {}\n", self.nodes[*node], name(edge));
        }
        for (first, second) in &self.never {
            text += &format!("never {} {}\n", name(first), name(second));
        }
        for budget in &self.budgets {
            let edges = budget.edges.iter().map(name).join(" ");
            text += &format!("budget {} {edges}\n", budget.most);
        }
        text
    }

    /// The paper's pre-manipulation: every node is entered by at most one edge. A node `v` with
    /// several incoming edges gets a gate `v'` that they enter instead, and the edge `v'` from the gate to `v`.
    #[must_use]
    pub fn entered_by_one_edge(&self) -> Self {
        let mut graph = self.clone();
        for node in 0..self.nodes.len() {
            let entering = self.edges.iter().filter(|edge| edge.head == node).count();
            if entering < 2 {
                continue;
            }
            let gate = graph.nodes.len();
            let name = graph.unused_name(&self.nodes[node]);
            graph.nodes.push(name.clone());
            for edge in &mut graph.edges {
                if edge.head == node {
                    edge.head = gate;
                }
            }
            graph.edges.push(Edge {
                name,
                tail: gate,
                head: node,
            });
        }
        graph.order =
            topological(graph.nodes.len(), &graph.edges).expect("invariant: gates close no cycle");
        graph
    }

    fn unused_name(&self, base: &str) -> String {
        let taken = |name: &String| {
            self.nodes.contains(name) || self.edges.iter().any(|edge| edge.name == *name)
        };
        let mut name = format!("{base}'");
        while taken(&name) {
            name.push('\'');
        }
        name
    }
}

const FIGURE_3: &str = "\
source v1
target t
edge e1 v1 v2
edge e2 v1 v3
edge e3 v2 v3
edge e4 v2 t
edge e5 v3 t
fail v2 e4
fail v2 e5
fail v3 e4
fail v3 e5
budget 1 e4 e5
";

/// The nodes, tails before heads; `None` if there is a cycle.
pub(super) fn topological(nodes: usize, edges: &[Edge]) -> Option<Vec<usize>> {
    let mut entering = vec![0_usize; nodes];
    for edge in edges {
        entering[edge.head] += 1;
    }
    let mut order: Vec<usize> = (0..nodes).filter(|&node| entering[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for edge in edges.iter().filter(|edge| edge.tail == node) {
            entering[edge.head] -= 1;
            if entering[edge.head] == 0 {
                order.push(edge.head);
            }
        }
    }
    (order.len() == nodes).then_some(order)
}

/// A graph that is being read.
#[derive(Default)]
struct Reader {
    nodes: Vec<String>,
    node_places: FxHashMap<String, usize>,
    edges: Vec<Edge>,
    edge_places: FxHashMap<String, usize>,
    source: Option<usize>,
    target: Option<usize>,
    failures: Vec<(usize, usize)>,
    never: Vec<(usize, usize)>,
    budgets: Vec<Rule>,
}

impl Reader {
    /// The first reading: nodes and edges.
    fn declare(&mut self, line: &Line<'_>) -> Result<(), GameError> {
        let head = line.head();
        match head.text {
            "source" | "target" => {
                let [node] = line.exactly(["a node"])?;
                let place = self.node(node)?;
                let end = match head.text {
                    "source" => &mut self.source,
                    _ => &mut self.target,
                };
                if end.replace(place).is_some() {
                    return Err(head.error(format!("a second `{}`", head.text)));
                }
            }
            "edge" => {
                let [name, tail, into] = line.exactly(["a name", "a tail", "a head"])?;
                self.edge(name, tail, into)?;
            }
            "fail" | "never" | "budget" => {}
            other => {
                return Err(head.error(format!(
                    "`{other}` is none of source, target, edge, fail, never, budget"
                )));
            }
        }
        Ok(())
    }

    /// The second reading, when all names are known: what the opponent may do.
    fn restrict(&mut self, line: &Line<'_>) -> Result<(), GameError> {
        match line.head().text {
            "fail" => {
                let [node, edge] = line.exactly(["a node", "an edge"])?;
                let pair = (self.known_node(node)?, self.known_edge(edge)?);
                if self.failures.contains(&pair) {
                    return Err(line.head().error("this failure is there already"));
                }
                self.failures.push(pair);
            }
            "never" => {
                let [first, second] = line.exactly(["an edge", "a second edge"])?;
                let pair = (self.known_edge(first)?, self.known_edge(second)?);
                if pair.0 == pair.1 {
                    return Err(second.error("a pair needs two different edges"));
                }
                self.never.push(pair);
            }
            "budget" => self.budget(line)?,
            _ => {}
        }
        Ok(())
    }

    fn budget(&mut self, line: &Line<'_>) -> Result<(), GameError> {
        let [_, most, edges @ ..] = line.words.as_slice() else {
            return Err(line.missing("a number"));
        };
        if edges.is_empty() {
            return Err(line.missing("an edge"));
        }
        let most = most.number("a number of erasures")?;
        let mut places = Vec::new();
        for &edge in edges {
            let place = self.known_edge(edge)?;
            if places.contains(&place) {
                return Err(edge.error(format!("`{}` is counted already", edge.text)));
            }
            places.push(place);
        }
        self.budgets.push(Rule {
            most,
            edges: places,
        });
        Ok(())
    }

    fn node(&mut self, word: Word<'_>) -> Result<usize, GameError> {
        if let Some(&place) = self.node_places.get(word.text) {
            return Ok(place);
        }
        fits_a_program(word)?;
        let place = self.nodes.len();
        self.nodes.push(word.text.to_owned());
        self.node_places.insert(word.text.to_owned(), place);
        Ok(place)
    }

    fn edge(&mut self, name: Word<'_>, tail: Word<'_>, head: Word<'_>) -> Result<(), GameError> {
        fits_a_program(name)?;
        if self.edge_places.contains_key(name.text) {
            return Err(name.error(format!("two edges are called `{}`", name.text)));
        }
        if tail.text == head.text {
            return Err(head.error("an edge needs two different ends"));
        }
        let (tail, head) = (self.node(tail)?, self.node(head)?);
        let place = self.edges.len();
        self.edge_places.insert(name.text.to_owned(), place);
        self.edges.push(Edge {
            name: name.text.to_owned(),
            tail,
            head,
        });
        Ok(())
    }

    fn known_node(&self, word: Word<'_>) -> Result<usize, GameError> {
        let place = self.node_places.get(word.text).copied();
        place.ok_or_else(|| word.error(format!("there is no node `{}`", word.text)))
    }

    fn known_edge(&self, word: Word<'_>) -> Result<usize, GameError> {
        let place = self.edge_places.get(word.text).copied();
        place.ok_or_else(|| word.error(format!("there is no edge `{}`", word.text)))
    }

    fn finish(self, text: &str) -> Result<Graph, GameError> {
        let source = self
            .source
            .ok_or_else(|| end_of_text(text, "no `source` is given"))?;
        let target = self
            .target
            .ok_or_else(|| end_of_text(text, "no `target` is given"))?;
        let order = topological(self.nodes.len(), &self.edges)
            .ok_or_else(|| end_of_text(text, "the edges close a cycle"))?;
        Ok(Graph {
            nodes: self.nodes,
            edges: self.edges,
            source,
            target,
            failures: self.failures,
            never: self.never,
            budgets: self.budgets,
            order,
        })
    }
}

/// Names of nodes and edges become parts of the names of variables.
fn fits_a_program(word: Word<'_>) -> Result<(), GameError> {
    let fits = |character: char| character.is_ascii_alphanumeric() || "_'.".contains(character);
    if word.text.chars().all(fits) {
        return Ok(());
    }
    Err(word.error(format!(
        "`{}` is no name: letters, digits and _ ' . make one",
        word.text
    )))
}
