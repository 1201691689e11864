//! Cops and robber at the table.

use itertools::Itertools as _;

use super::{Effect, End, Read, Rules, Scene, Term, Vocabulary};
use crate::games::GameError;
use crate::games::cops::{self, referee};
use crate::games::geography::Graph;
use crate::program::{Program, Quantifier};

/// Most places that the cops can take together.
const MOST_PLACES: usize = 100_000;

/// Cops and robber. An option of the cops is a number whose digits, to the base of the nodes, are
/// where they go; the options of the robber come behind them.
///
/// For strategy rules, `go(1,u,v)` moves two cops to `u` and `v`, `go(2,v)` the robber; `cop(c,v)` and
/// `robber(v)` say where they are, and `made(n)` that `n` moves were made.
pub struct CopsRules {
    graph: Graph,
    cops: usize,
    /// How many options the cops have at most.
    places: usize,
}

impl CopsRules {
    /// So many cops on a graph.
    pub fn new(graph: Graph, cops: usize) -> Result<Self, GameError> {
        cops::check(cops)?;
        let exponent = u32::try_from(cops).unwrap_or(u32::MAX);
        let places = graph.nodes().checked_pow(exponent);
        let Some(places) = places.filter(|&places| places <= MOST_PLACES) else {
            let message = format!("at the table they have at most {MOST_PLACES} moves together");
            return Err(GameError::parameter("cops", message));
        };
        Ok(Self {
            graph,
            cops,
            places,
        })
    }

    fn nodes(&self) -> std::ops::Range<usize> {
        0..self.graph.nodes()
    }

    /// Where an option sends the cops.
    fn spread(&self, option: usize) -> Vec<usize> {
        let mut rest = option;
        let mut nodes = Vec::new();
        for _ in 0..self.cops {
            nodes.push(rest % self.graph.nodes());
            rest /= self.graph.nodes();
        }
        nodes.reverse();
        nodes
    }

    fn gathered(&self, nodes: &[usize]) -> usize {
        let digits = nodes.iter();
        digits.fold(0, |number, node| number * self.graph.nodes() + node)
    }

    /// Where the cops and the robber are, as far as they are anywhere.
    fn positions(&self, history: &[usize]) -> (Vec<usize>, Option<usize>) {
        let last = |parity: usize| {
            let places = (0..history.len()).rev();
            let last = places.into_iter().find(|place| place % 2 == parity);
            last.map(|place| history[place])
        };
        let cops = last(0).map_or_else(Vec::new, |option| self.spread(option));
        (cops, last(1).map(|option| option - self.places))
    }

    /// How many moves are made: places are taken, then the cops have the last word.
    fn last_move(&self) -> usize {
        (2 * self.graph.rounds() + 1).max(2)
    }
}

impl Rules for CopsRules {
    fn sides(&self) -> [&'static str; 2] {
        ["the patrol", "the robber"]
    }

    fn how_to_move(&self) -> String {
        "first places are taken, then everybody stays or moves to a neighbour; \
         nodes of the cops have commas between, such as 0,2"
            .to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let (cops, robber) = self.positions(history);
        let near = |&node: &usize| referee::around(&self.graph, node);
        match self.mover(history) {
            Quantifier::Exists if cops.is_empty() => (0..self.places).collect(),
            Quantifier::Exists => {
                let choices = cops.iter().map(near).multi_cartesian_product();
                choices
                    .map(|nodes| self.gathered(&nodes))
                    .sorted()
                    .collect()
            }
            Quantifier::Forall => {
                let nodes = robber.map_or_else(|| self.nodes().collect(), |node| near(&node));
                let nodes = nodes.into_iter().sorted();
                nodes.map(|node| self.places + node).collect()
            }
        }
    }

    fn word(&self, option: usize) -> String {
        match option.checked_sub(self.places) {
            Some(node) => self.graph.name(node).to_owned(),
            None => {
                let nodes = self.spread(option).into_iter();
                nodes.map(|node| self.graph.name(node)).join(",")
            }
        }
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let (cops, robber) = self.positions(history);
        let caught = robber.is_some_and(|robber| cops.contains(&robber));
        let is_over = history.len() >= self.last_move();
        match caught {
            true => Some(End::First),
            false => is_over.then_some(End::Second),
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let (cops, robber) = self.positions(history);
        let mut text = String::new();
        for node in self.nodes() {
            let neighbours = referee::around(&self.graph, node).into_iter();
            let neighbours = neighbours.filter(|other| *other != node);
            let neighbours = neighbours.map(|other| self.graph.name(other)).join(" ");
            let name = self.graph.name(node);
            let mut here = "c".repeat(cops.iter().filter(|&&cop| cop == node).count());
            here += if robber == Some(node) { "r" } else { "" };
            text += format!("{name:>3} {here:<3} to {neighbours}").trim_end();
            text.push('\n');
        }
        let round = history.len().saturating_sub(1) / 2;
        text + &format!("{round} of {} rounds\n", self.graph.rounds())
    }

    fn scene(&self) -> Scene {
        let arrows = self.nodes().flat_map(|node| {
            let ends = self.graph.neighbours(node).iter();
            ends.map(move |&end| (node, end, String::new()))
        });
        let names = self
            .nodes()
            .map(|node| self.graph.name(node).to_owned())
            .collect();
        Scene::graph(names, arrows.collect())
            .reading(Read::chosen(
                "c[#,#,#]",
                Effect::Stand,
                "c",
                &[0, 0, 1, 0, -1],
            ))
            .reading(Read::named("m[#]", Effect::Stand, "r", &[0, 1, -1]))
    }

    fn program(&self) -> Result<Program, GameError> {
        cops::program(&self.graph, self.cops)
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let round = history.len() / 2;
        match option.checked_sub(self.places) {
            Some(node) => vec![(format!("m[{round}]"), node as i64 + 1)],
            None => {
                let nodes = (1..).zip(self.spread(option));
                nodes
                    .map(|(cop, node)| (format!("c[{round},{cop},{node}]"), 1))
                    .collect()
            }
        }
    }

    fn vocabulary(&self) -> Vocabulary {
        let constants = [
            ("nodes", self.graph.nodes()),
            ("rounds", self.graph.rounds()),
            ("cops", self.cops),
        ];
        let mut words = Vocabulary::of(constants);
        for option in 0..self.places {
            words.act("go", Quantifier::Exists, option, self.spread(option));
        }
        for node in self.nodes() {
            words.act("go", Quantifier::Forall, self.places + node, [node]);
            (1..=self.cops).for_each(|cop| words.may_hold("cop", [cop, node]));
            words.may_hold("robber", [node]);
        }
        (0..=self.last_move()).for_each(|made| words.may_hold("made", [made]));
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let (cops, robber) = self.positions(history);
        let cops = (1..)
            .zip(cops)
            .map(|(cop, node)| Term::new("cop", [cop, node]));
        let robber = robber.map(|node| Term::new("robber", [node]));
        let made = Term::new("made", [history.len()]);
        cops.chain(robber).chain([made]).collect()
    }
}
