//! Cops and a robber on a graph.
//!
//! The cops (existential) take places, then the robber (universal) does; in each round every cop
//! and then the robber moves along an edge or stays. The cops win if one of them is where the robber is
//! within a number of rounds. `c[t,k,v]`: cop `k` is at node `v` after round `t`; `r[t,v]`: the robber
//! is. The robber names a node by a number; if he cannot go there, the cops move him, which is never
//! worse for them. The program is feasible if and only if the cops win.
//!
//! The graph is that of a [geography game](crate::games::geography), read without directions.

pub mod referee;

use crate::games::GameError;
use crate::games::choice::announced;
use crate::games::geography::Graph;
use crate::model::{Compare, Model, Var, row, sum};
use crate::program::Program;

/// The program for a number of cops and the rounds of the graph's file.
///
/// ```
/// use quip::games::{cops, geography::Graph};
/// let path = Graph::parse("1\n0 1\n1 2\n2\n")?;
/// assert_eq!(cops::program(&path, 1)?.blocks().len(), 3);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn program(graph: &Graph, cops: usize) -> Result<Program, GameError> {
    check(cops)?;
    let mut encoding = Encoding {
        model: Model::new(),
        graph,
        cops: Vec::new(),
        robber: Vec::new(),
        caught: Vec::new(),
    };
    encoding.cops_take_places(cops);
    encoding.robber_moves(0);
    for round in 1..=graph.rounds() {
        encoding.cops_move(round);
        encoding.claim(round, "before");
        // After the last round the robber's move is of no use to him.
        if round < graph.rounds() {
            encoding.robber_moves(round);
        }
    }
    let some = sum(&encoding.caught).geq(1);
    encoding.model.rows("caught").add(some);
    Ok(encoding.model.build()?)
}

/// Whether there are enough cops, and not too many.
pub(super) fn check(cops: usize) -> Result<(), GameError> {
    if (1..=8).contains(&cops) {
        return Ok(());
    }
    let message = format!("there are 1 to 8 cops, not {cops}");
    Err(GameError::parameter("cops", message))
}

struct Encoding<'g> {
    model: Model,
    graph: &'g Graph,
    /// Where each cop is, one variable for each node.
    cops: Vec<Vec<Var>>,
    robber: Vec<Var>,
    caught: Vec<Var>,
}

impl Encoding<'_> {
    fn somewhere(&mut self, label: &str) -> Vec<Var> {
        let mut stage = self.model.exists();
        let places: Vec<Var> = (0..self.graph.nodes())
            .map(|node| stage.binary(format!("{label},{node}]")))
            .collect();
        self.model.rows("place").add(sum(&places).equals(1));
        places
    }

    fn cops_take_places(&mut self, cops: usize) {
        for cop in 1..=cops {
            let places = self.somewhere(&format!("c[0,{cop}"));
            self.cops.push(places);
        }
    }

    fn cops_move(&mut self, round: usize) {
        for cop in 0..self.cops.len() {
            let after = self.somewhere(&format!("c[{round},{}", cop + 1));
            let before = std::mem::replace(&mut self.cops[cop], after.clone());
            self.along_edges(&before, &after);
        }
    }

    fn along_edges(&mut self, before: &[Var], after: &[Var]) {
        for (node, &here) in after.iter().enumerate() {
            let near = sum(self.around(node).into_iter().map(|other| before[other]));
            self.model.rows("along").add(row!(here <= near));
        }
    }

    /// A node and its neighbours.
    fn around(&self, node: usize) -> Vec<usize> {
        let joined = |&other: &usize| {
            other == node || self.graph.leads(node, other) || self.graph.leads(other, node)
        };
        (0..self.graph.nodes()).filter(joined).collect()
    }

    fn robber_moves(&mut self, round: usize) {
        let aims = announced(
            &mut self.model,
            format!("m[{round}]"),
            self.graph.nodes(),
            |node| format!("aim[{round},{node}]"),
        );
        let mut stage = self.model.exists();
        let far: Vec<Var> = (0..aims.len())
            .map(|node| stage.binary(format!("far[{round},{node}]")))
            .collect();
        let before = std::mem::take(&mut self.robber);
        let after = self.somewhere(&format!("r[{round}"));
        for node in 0..aims.len() {
            let (aim, far) = (aims[node], far[node]);
            let near = match before.is_empty() {
                true => crate::model::Expr::from(1),
                false => sum(self.around(node).into_iter().map(|other| before[other])),
            };
            self.model
                .rows("obey")
                .add(row!(far <= aim))
                .add(row!(far <= 1 - near))
                .add(row!(after[node] >= aim - far));
        }
        if !before.is_empty() {
            self.along_edges(&before, &after);
        }
        self.robber = after;
        self.claim(round, "after");
    }

    /// The cops may claim a catch at a node where both are.
    fn claim(&mut self, round: usize, when: &str) {
        for cop in 0..self.cops.len() {
            for node in 0..self.graph.nodes() {
                let name = format!("caught_{when}[{round},{},{node}]", cop + 1);
                let caught = self.model.exists().binary(name);
                let (cop, robber) = (self.cops[cop][node], self.robber[node]);
                self.model
                    .rows("caught")
                    .add(row!(caught <= cop))
                    .add(row!(caught <= robber));
                self.caught.push(caught);
            }
        }
    }
}
