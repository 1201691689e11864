//! Geography at the table.

use super::{End, Rules, mover, three_results};
use crate::games::GameError;
use crate::games::geography::{Graph, Guard, program, referee};
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// Geography.
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
        option.to_string()
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let is_stuck = self.options(history).is_empty();
        is_stuck.then(|| match mover(history) {
            Quantifier::Exists => End::Second,
            Quantifier::Forall => End::First,
        })
    }

    fn draw(&self, history: &[usize]) -> String {
        let path: Vec<String> = Self::path(history).iter().map(usize::to_string).collect();
        let options: Vec<String> = self.options(history).iter().map(usize::to_string).collect();
        format!("path {}\nto   {}\n", path.join(" "), options.join(" "))
    }

    fn program(&self) -> Result<Program, GameError> {
        program(&self.graph, Guard::Index)
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let round = history.len() + 1;
        match mover(history) {
            Quantifier::Exists => (format!("x{round}_{option}"), 1),
            Quantifier::Forall => (format!("m{round}"), option as i64),
        }
    }

    fn meaning(&self, value: Option<&Rational>) -> String {
        three_results(self.sides(), value)
    }
}
