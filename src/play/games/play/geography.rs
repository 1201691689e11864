//! Geography at the table.

use super::vocabulary::SIDES;
use super::{Effect, End, Read, Role, Rules, Scene, Term, Vocabulary, loss_of};
use crate::games::GameError;
use crate::games::geography::{Graph, Guard, Plan, program, referee};
use crate::program::{Program, Quantifier};

/// Geography. For strategy rules, `go(i,v)` is side `i` moving to node `v`; `at(v)` says that the last move led
/// there, and `visited(v)` that some move did.
pub struct GeographyRules {
    graph: Graph,
}

impl GeographyRules {
    /// Geography on a graph.
    pub fn new(graph: Graph) -> Self {
        Self { graph }
    }

    fn path(history: &[usize]) -> Vec<usize> {
        std::iter::once(0).chain(history.iter().copied()).collect()
    }
}

impl Rules for GeographyRules {
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    fn how_to_move(&self) -> String {
        "the next node is a neighbour of the last one and was not visited before".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        referee::moves(&self.graph, &Self::path(history))
    }

    fn word(&self, option: usize) -> String {
        self.graph.name(option).to_owned()
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let is_stuck = self.options(history).is_empty();
        is_stuck.then(|| loss_of(self.mover(history)))
    }

    fn draw(&self, history: &[usize]) -> String {
        let named = |nodes: Vec<usize>| -> Vec<String> {
            let names = nodes.iter().map(|&node| self.graph.name(node).to_owned());
            names.collect()
        };
        let path = named(Self::path(history));
        let options = named(self.options(history));
        format!("path {}\nto   {}\n", path.join(" "), options.join(" "))
    }

    fn scene(&self) -> Scene {
        let nodes = 0..self.graph.nodes();
        let arrows = nodes.clone().flat_map(|node| {
            let ends = self.graph.neighbours(node).iter();
            ends.map(move |&end| (node, end, String::new()))
        });
        let names = nodes.map(|node| self.graph.name(node).to_owned()).collect();
        let mut scene = Scene::graph(names, arrows.collect())
            .at_times(
                1..=self.graph.rounds().min(self.graph.nodes()),
                |round| round % 2 == 1,
                |round| Read::chosen(&format!("x{round}_#"), Effect::Walk, "●", &[1, 0, 0]),
                |round| Read::chosen(&format!("x{round}_#"), Effect::Walk, "●", &[1, 0, 0]),
            )
            .reading(Read::named("m#", Effect::Walk, "●", &[0, 1, 0]).in_role(Role::Announced));
        scene.tokens = vec![(0, "●".to_owned())];
        scene
    }

    fn program(&self) -> Result<Program, GameError> {
        program(&self.graph, Guard::Index)
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        match self.mover(history) {
            Quantifier::Exists => self.traces(history, option),
            Quantifier::Forall => vec![(format!("m{}", history.len() + 1), option as i64)],
        }
    }

    fn traces(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        vec![(format!("x{}_{option}", history.len() + 1), 1)]
    }

    fn spelled_plan(&self, plan: &[(Vec<usize>, usize)]) -> Option<String> {
        let replies = plan.iter().map(|(made, reply)| {
            let of_player_2 = made.iter().copied().skip(1).step_by(2);
            (of_player_2.collect(), *reply)
        });
        Some(Plan::new(replies).to_string())
    }

    fn vocabulary(&self) -> Vocabulary {
        let nodes = self.graph.nodes();
        let mut words = Vocabulary::of([("nodes", nodes), ("rounds", self.graph.rounds())]);
        for node in 0..nodes {
            for side in SIDES {
                words.act("go", side, node, [node]);
            }
            words.may_hold("at", [node]);
            words.may_hold("visited", [node]);
        }
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let path = Self::path(history);
        let here = path.last().map(|&node| Term::new("at", [node]));
        let visited = path.iter().map(|&node| Term::new("visited", [node]));
        visited.chain(here).collect()
    }
}
