//! Worst-case dynamic graph reliability: travel through a graph that fails on the way.
//!
//! Source: Ederer, Lorenz, Opfer, Wolf, *Modelling games with the help of quantified integer linear
//! programs*, section 3.1 and Figure 3. A traveller goes from `s` to `t` along the edges of an
//! acyclic graph. When he arrives at `v`, the opponent may erase every edge `e` with `f(v, e) = 1`,
//! as far as his rules allow: never both edges of a pair with `g = 0`, and not more than a budget.
//!
//! The prefix follows the topological order: for each node, first the opponent's `y[v,e]`, then the
//! traveller's `x[e]` for the edges that leave. The families of rows are the figure's:
//! 1. `flow`: what enters a node leaves it; one unit goes from `s` to `t`;
//! 2. `fail`: `x[e] <= (1 - y[v,e]) + (1 - arrived at v)`, and `+ x_Δ` with indicators;
//! 3. `rule`: the opponent's budgets. As universal rows `Σ y <= b`, or as indicators
//!    `(b + 1) x_Δ <= Σ y`, which the traveller may raise once a rule is broken.
//!
//! # What was corrected
//! - "Arrived at `v`" is the sum of the edges that enter `v` (1 for `s`), which is right for every
//!   acyclic graph. The pre-manipulation that the paper asks for, so that one edge tells it, is
//!   there as [`Graph::entered_by_one_edge`] and changes no value.
//! - The paper's rule `y34 + y35 + y24 + y25 <= 1` is a budget, stronger than its own `g`: it also
//!   counts an edge that is erased twice. Both are here, `never` for `g` and `budget` for the rule.
//! - An edge that cannot be reached from `v` any more gets no `fail` row: it could never bind.
//! - With several rules there is one indicator for each of them.

mod graph;
mod random;
pub mod referee;

pub use graph::{Edge, Graph, Rule};
pub use random::{DagShape, random_dag};

use crate::games::GameError;
use crate::model::{Compare, Expr, Model, Var, row, sum};
use crate::program::Program;

/// How the opponent is made to follow his rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// By rows of the universal system.
    Rows,
    /// By existential indicators `x_Δ` that trivialise the `fail` rows.
    Indicator,
}

/// The program of the game: feasible if and only if the traveller can reach the target against
/// every opponent.
///
/// ```
/// use quip::games::dgr::{Graph, Guard, program};
/// let program = program(&Graph::figure_3(), Guard::Rows)?;
/// assert_eq!(program.variables().len(), 9);
/// assert_eq!(program.universal_rows().len(), 1);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn program(graph: &Graph, guard: Guard) -> Result<Program, GameError> {
    let mut encoding = Encoding::new(graph);
    encoding.variables();
    encoding.flow();
    encoding.rules(guard);
    encoding.fail();
    Ok(encoding.model.build()?)
}

struct Encoding<'g> {
    graph: &'g Graph,
    model: Model,
    /// For every edge, whether the traveller takes it.
    takes: Vec<Option<Var>>,
    /// For every pair of `f`, whether the opponent uses it.
    erases: Vec<Option<Var>>,
    /// One for every rule, if rules are indicators.
    broken: Vec<Var>,
}

impl<'g> Encoding<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            model: Model::new(),
            takes: vec![None; graph.edges.len()],
            erases: vec![None; graph.failures.len()],
            broken: Vec::new(),
        }
    }

    fn variables(&mut self) {
        for &node in &self.graph.order {
            let mut stage = self.model.forall();
            for (place, &(_, edge)) in self.graph.failures.iter().enumerate() {
                if self.graph.failures[place].0 == node {
                    let (at, what) = (&self.graph.nodes[node], &self.graph.edges[edge].name);
                    self.erases[place] = Some(stage.binary(format!("y[{at},{what}]")));
                }
            }
            let mut stage = self.model.exists();
            for (place, edge) in self.graph.edges.iter().enumerate() {
                if edge.tail == node {
                    self.takes[place] = Some(stage.binary(format!("x[{}]", edge.name)));
                }
            }
        }
    }

    /// Family 1.
    fn flow(&mut self) {
        for (node, name) in self.graph.nodes.iter().enumerate() {
            let supply =
                i64::from(node == self.graph.source) - i64::from(node == self.graph.target);
            let leaving = self.through(|edge| edge.tail == node);
            let entering = self.through(|edge| edge.head == node);
            let row = (leaving - entering).equals(supply);
            self.model.rows("flow").add(row.named(name.as_str()));
        }
    }

    /// Family 2. Pre: the indicators, if any, are there.
    fn fail(&mut self) {
        let relief = sum(&self.broken);
        for (place, &(node, edge)) in self.graph.failures.iter().enumerate() {
            if !self.reaches(node, self.graph.edges[edge].tail) {
                continue;
            }
            let (Some(erases), Some(takes)) = (self.erases[place], self.takes[edge]) else {
                unreachable!("every node and edge has its stage");
            };
            let arrived = self.arrived(node);
            let row = row!(takes <= (1 - erases) + (1 - arrived) + &relief);
            let label = format!("{},{}", self.graph.nodes[node], self.graph.edges[edge].name);
            self.model.rows("fail").add(row.named(label));
        }
    }

    /// Family 3.
    fn rules(&mut self, guard: Guard) {
        for (number, rule) in (1..).zip(self.graph.rules()) {
            let pairs = self.graph.failures.iter().zip(&self.erases);
            let counted = pairs.filter(|((_, edge), _)| rule.edges.contains(edge));
            let erasures = sum(counted.filter_map(|(_, erases)| *erases));
            match guard {
                Guard::Rows => {
                    let row = erasures.leq(rule.most);
                    self.model
                        .uncertainty_rows("rule")
                        .add(row.named(number.to_string()));
                }
                Guard::Indicator => {
                    let broken = self.model.exists().binary(format!("x_delta[{number}]"));
                    self.broken.push(broken);
                    let too_many = Expr::from(rule.most) + 1;
                    let factor = too_many.constant().clone();
                    let row = row!(factor * broken <= erasures);
                    self.model.rows("rule").add(row.named(number.to_string()));
                }
            }
        }
    }

    fn through(&self, wanted: impl Fn(&Edge) -> bool) -> Expr {
        let edges = self.graph.edges.iter().zip(&self.takes);
        sum(edges
            .filter(|(edge, _)| wanted(edge))
            .filter_map(|(_, takes)| *takes))
    }

    fn arrived(&self, node: usize) -> Expr {
        if node == self.graph.source {
            Expr::from(1)
        } else {
            self.through(|edge| edge.head == node)
        }
    }

    /// Whether a path leads from one node to the other.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.graph.nodes.len()];
        seen[from] = true;
        for &node in &self.graph.order {
            if seen[node] {
                for edge in self.graph.edges.iter().filter(|edge| edge.tail == node) {
                    seen[edge.head] = true;
                }
            }
        }
        seen[to]
    }
}
