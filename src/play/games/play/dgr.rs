//! Travelling through a failing graph at the table.

use itertools::Itertools as _;

use super::{Effect, End, Read, Rules, Scene, Term, Vocabulary};
use crate::games::GameError;
use crate::games::dgr::{Graph, Guard, program, referee};
use crate::program::{Program, Quantifier};

/// Worst-case dynamic graph reliability. Where the traveller arrives, the opponent erases edges one by
/// one until he is done; then the traveller goes on.
///
/// For strategy rules, `go(1,e)` is the traveller taking edge `e`, `erase(2,e)` the opponent erasing it, and
/// `done(2)` ends his turn; `at(v)` says where the traveller is and `gone(e)` what was erased. Nodes
/// and edges count from 1 in the order of the file.
pub struct DgrRules {
    graph: Graph,
    guard: Guard,
}

/// How it stands.
struct Stand {
    node: usize,
    /// The edges that were erased, in order.
    gone: Vec<usize>,
    /// How many of them at this node.
    here: usize,
    /// Whether the opponent has ended his turn at this node.
    done: bool,
}

impl DgrRules {
    /// The game on a graph, with a program guarded in one way or the other.
    pub fn new(graph: Graph, guard: Guard) -> Self {
        Self { graph, guard }
    }

    /// The option that ends the opponent's turn; the others are edges.
    fn done(&self) -> usize {
        self.graph.edges().len()
    }

    fn stand(&self, history: &[usize]) -> Stand {
        let mut stand = Stand {
            node: self.graph.ends().0,
            gone: Vec::new(),
            here: 0,
            done: false,
        };
        for &option in history {
            if option == self.done() {
                stand.done = true;
            } else if self.asks(&stand) {
                stand.gone.push(option);
                stand.here += 1;
            } else {
                stand.node = self.graph.edges()[option].head;
                (stand.here, stand.done) = (0, false);
            }
        }
        stand
    }

    /// Whether it is the opponent's turn: he is not done, and he had something to erase here.
    fn asks(&self, stand: &Stand) -> bool {
        !stand.done && (stand.here > 0 || !self.erasable(stand).is_empty())
    }

    fn failing_at(&self, node: usize) -> impl Iterator<Item = usize> {
        let failures = self.graph.failures().iter();
        failures
            .filter(move |(at, _)| *at == node)
            .map(|&(_, edge)| edge)
    }

    fn erasable(&self, stand: &Stand) -> Vec<usize> {
        let may = |edge: &usize| {
            !stand.gone.contains(edge) && referee::allows(&self.graph, &stand.gone, *edge)
        };
        let edges = self.failing_at(stand.node).filter(may);
        edges.sorted().dedup().collect()
    }

    fn leaving(&self, node: usize) -> impl Iterator<Item = usize> {
        let edges = (0..).zip(self.graph.edges());
        edges
            .filter(move |(_, edge)| edge.tail == node)
            .map(|(place, _)| place)
    }

    fn open(&self, stand: &Stand) -> Vec<usize> {
        let edges = self.leaving(stand.node);
        edges.filter(|edge| !stand.gone.contains(edge)).collect()
    }

    fn takes(&self, edge: usize) -> String {
        format!("x[{}]", self.graph.edges()[edge].name)
    }

    fn erases(&self, node: usize, edge: usize) -> String {
        let name = &self.graph.edges()[edge].name;
        format!("y[{},{name}]", self.graph.nodes()[node])
    }

    /// Nothing is erased or taken at the nodes that are passed by.
    fn passed_by(&self, from: usize, to: usize) -> Vec<(String, i64)> {
        let order = self.graph.order().iter().copied();
        let between = order.skip_while(|&node| node != from).skip(1);
        let between = between.take_while(|&node| node != to);
        between
            .flat_map(|node| {
                let erased = self
                    .failing_at(node)
                    .map(move |edge| self.erases(node, edge));
                erased.chain(self.leaving(node).map(|edge| self.takes(edge)))
            })
            .map(|name| (name, 0))
            .collect()
    }

    fn step(&self, node: usize, edge: usize) -> Vec<(String, i64)> {
        let others = self.leaving(node).filter(|&other| other != edge);
        let others = others.map(|other| (self.takes(other), 0));
        let taken = [(self.takes(edge), 1)].into_iter();
        let passed = self.passed_by(node, self.graph.edges()[edge].head);
        taken.chain(others).chain(passed).collect()
    }
}

impl Rules for DgrRules {
    fn sides(&self) -> [&'static str; 2] {
        ["the traveller", "the opponent"]
    }

    fn how_to_move(&self) -> String {
        "the traveller names an edge that leaves his node and is not gone; \
         the opponent names an edge that may fail there as far as his rules allow, or is done"
            .to_owned()
    }

    fn mover(&self, history: &[usize]) -> Quantifier {
        match self.asks(&self.stand(history)) {
            true => Quantifier::Forall,
            false => Quantifier::Exists,
        }
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let stand = self.stand(history);
        if self.asks(&stand) {
            let mut options = self.erasable(&stand);
            options.push(self.done());
            options
        } else {
            self.open(&stand)
        }
    }

    fn word(&self, option: usize) -> String {
        let edge = self.graph.edges().get(option);
        edge.map_or_else(|| "done".to_owned(), |edge| edge.name.clone())
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let stand = self.stand(history);
        if stand.node == self.graph.ends().1 {
            return Some(End::First);
        }
        let stuck = !self.asks(&stand) && self.open(&stand).is_empty();
        stuck.then_some(End::Second)
    }

    fn draw(&self, history: &[usize]) -> String {
        let stand = self.stand(history);
        let mut text = format!("at {}\n", self.graph.nodes()[stand.node]);
        for (place, edge) in self.graph.edges().iter().enumerate() {
            let gone = if stand.gone.contains(&place) {
                " gone"
            } else {
                ""
            };
            let (tail, head) = (
                &self.graph.nodes()[edge.tail],
                &self.graph.nodes()[edge.head],
            );
            text += &format!("  {} {tail} {head}{gone}\n", edge.name);
        }
        text
    }

    fn scene(&self) -> Scene {
        let edges = self.graph.edges();
        let arrows = edges
            .iter()
            .map(|edge| (edge.tail, edge.head, edge.name.clone()));
        let mut scene = Scene::graph(self.graph.nodes().to_vec(), arrows.collect());
        for edge in 0..edges.len() {
            let taken = Read::chosen(&self.takes(edge), Effect::Follow, "●", &[0, edge as i64]);
            scene = scene.reading(taken);
        }
        for &(node, edge) in self.graph.failures() {
            let name = self.erases(node, edge);
            let erased = Read::chosen(&name, Effect::Erase, "", &[0, edge as i64]);
            scene = scene.reading(erased);
        }
        scene.tokens = vec![(self.graph.ends().0, "●".to_owned())];
        scene
    }

    fn program(&self) -> Result<Program, GameError> {
        program(&self.graph, self.guard)
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let stand = self.stand(history);
        if option == self.done() {
            let here = &stand.gone[stand.gone.len() - stand.here..];
            let spared = self.failing_at(stand.node);
            let spared = spared.filter(|edge| !here.contains(edge));
            return spared
                .map(|edge| (self.erases(stand.node, edge), 0))
                .collect();
        }
        if self.asks(&stand) {
            vec![(self.erases(stand.node, option), 1)]
        } else {
            self.step(stand.node, option)
        }
    }

    fn vocabulary(&self) -> Vocabulary {
        let (nodes, edges) = (self.graph.nodes().len(), self.graph.edges().len());
        let mut words = Vocabulary::of([("nodes", nodes), ("edges", edges)]);
        for edge in 0..edges {
            words.act("go", Quantifier::Exists, edge, [edge + 1]);
            words.act("erase", Quantifier::Forall, edge, [edge + 1]);
            words.may_hold("gone", [edge + 1]);
        }
        words.act("done", Quantifier::Forall, self.done(), []);
        (1..=nodes).for_each(|node| words.may_hold("at", [node]));
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let stand = self.stand(history);
        let gone = stand.gone.iter().map(|edge| Term::new("gone", [edge + 1]));
        gone.chain([Term::new("at", [stand.node + 1])]).collect()
    }
}
