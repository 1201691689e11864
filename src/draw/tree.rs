//! The tree of a plan.
//!
//! Circles are positions of the existential player, squares those of the universal player. Solid
//! lines are the plan: the owner's choices, and everything the opponent may do. Whole values that
//! the owner did not choose are dashed. Ends are `+` where the existential player has satisfied his
//! rows and `−` where he cannot.

use super::DrawError;
use super::palette::{EXISTS, FORALL, INK, LOST, PAPER, QUIET, WON};
use super::svg::{Anchor, Drawing, dashed, solid};
use crate::num::{Rational, int};
use crate::program::{IdVec, Kind, Program, Quantifier, VarId};
use crate::strategy::{Branch, Ending, NodeId, Plan, PlanNode};

/// Ends that fit a page.
const MAX_ENDS: usize = 160;
/// Values of a variable that are drawn one by one.
const MAX_VALUES: usize = 7;

const LEVEL: f64 = 86.0;
const LEAF: f64 = 44.0;
const LEFT: f64 = 96.0;
const TOP: f64 = 40.0;

/// What hangs below an edge.
enum Tree {
    Position {
        mover: Quantifier,
        /// Label, whether the plan goes there, and what is there.
        branches: Vec<(String, bool, Tree)>,
    },
    End(Mark),
}

/// How a play ended.
struct Mark {
    won: bool,
    worth: Option<Rational>,
}

/// The tree of the plan as SVG.
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
///
/// let program = parse_qip("subject to x = y prefix forall binary y exists binary x end")?;
/// let outcome = quip::reference::solve(&program, &mut Budget::unlimited())?;
/// let picture = quip::draw::strategy_tree(&program, &outcome.strategy.unwrap())?;
/// assert!(picture.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strategy_tree(program: &Program, plan: &Plan) -> Result<String, DrawError> {
    let mut growth = Growth {
        program,
        plan,
        order: Vec::new(),
        values: IdVec::filled(program.variables().len(), None),
        ends: 0,
    };
    let tree = growth.grow(plan.root(), 0)?;
    let mut drawing = Drawing::default();
    let mut next_leaf = LEFT;
    place(&mut drawing, &tree, 0, &mut next_leaf);
    for (level, var) in growth.order.iter().enumerate() {
        let variable = &program.variables()[*var];
        let label = format!("{} {}", variable.quantifier.symbol(), variable.name);
        let at = (16.0, TOP + level as f64 * LEVEL);
        drawing.text(at, 17.0, color(variable.quantifier), Anchor::Start, &label);
    }
    let height = 2.0 * TOP + growth.order.len() as f64 * LEVEL;
    Ok(drawing.finish(next_leaf + 16.0, height))
}

struct Growth<'a> {
    program: &'a Program,
    plan: &'a Plan,
    /// The variable of each level, as far as it was reached.
    order: Vec<VarId>,
    values: IdVec<VarId, Option<Rational>>,
    ends: usize,
}

impl Growth<'_> {
    fn grow(&mut self, node: NodeId, level: usize) -> Result<Tree, DrawError> {
        match self.plan.node(node) {
            PlanNode::End(ending) => self.end(ending),
            PlanNode::Choose {
                variable,
                value,
                next,
            } => {
                self.note(level, *variable);
                let mut branches = Vec::new();
                for other in self.whole_values(*variable) {
                    let chosen = other == *value;
                    self.values[*variable] = Some(other.clone());
                    let below = if chosen {
                        self.grow(*next, level + 1)?
                    } else {
                        self.unchosen()?
                    };
                    branches.push((other.to_string(), chosen, below));
                }
                if !branches.iter().any(|(_, chosen, _)| *chosen) {
                    self.values[*variable] = Some(value.clone());
                    branches = vec![(value.to_string(), true, self.grow(*next, level + 1)?)];
                }
                self.values[*variable] = None;
                let mover = self.plan.owner();
                Ok(Tree::Position { mover, branches })
            }
            PlanNode::Await { variable, branches } => {
                self.note(level, *variable);
                let mut grown = Vec::new();
                for (label, value, next) in self.awaited(*variable, branches) {
                    self.values[*variable] = value;
                    grown.push((label, true, self.grow(next, level + 1)?));
                }
                self.values[*variable] = None;
                Ok(Tree::Position {
                    mover: self.plan.owner().opponent(),
                    branches: grown,
                })
            }
        }
    }

    fn note(&mut self, level: usize, variable: VarId) {
        if self.order.len() == level {
            self.order.push(variable);
        }
    }

    /// The values of a whole variable with few of them; none otherwise.
    fn whole_values(&self, variable: VarId) -> Vec<Rational> {
        let variable = &self.program.variables()[variable];
        let domain = variable.domain();
        let (Kind::Integer, Some(mut value), Some(upper)) =
            (variable.kind, domain.lower, domain.upper)
        else {
            return Vec::new();
        };
        let mut values = Vec::new();
        while value <= upper {
            if values.len() == MAX_VALUES {
                return Vec::new();
            }
            values.push(value.clone());
            value += int(1);
        }
        values
    }

    /// What the opponent may do: values one by one where they are few, ranges otherwise.
    fn awaited(
        &self,
        variable: VarId,
        branches: &[Branch],
    ) -> Vec<(String, Option<Rational>, NodeId)> {
        let whole = self.whole_values(variable);
        let mut list = Vec::new();
        for branch in branches {
            let inside = whole
                .iter()
                .filter(|value| branch.from <= **value && **value <= branch.to);
            let before = list.len();
            list.extend(inside.map(|value| (value.to_string(), Some(value.clone()), branch.next)));
            if list.len() == before {
                let (label, value) = if branch.from == branch.to {
                    (branch.from.to_string(), Some(branch.from.clone()))
                } else {
                    let label = format!("[{}, {}]", branch.from, branch.to);
                    (label, Some(branch.to.clone()))
                };
                list.push((label, value, branch.next));
            }
        }
        list
    }

    fn count_end(&mut self) -> Result<(), DrawError> {
        self.ends += 1;
        if self.ends > MAX_ENDS {
            return Err(DrawError::TooLarge(MAX_ENDS));
        }
        Ok(())
    }

    /// The complete play, if every variable has a value.
    fn play(&self) -> Option<IdVec<VarId, Rational>> {
        let values = self.values.iter().cloned().collect::<Option<Vec<_>>>();
        values.map(IdVec::from_vec)
    }

    fn end(&mut self, ending: &Ending) -> Result<Tree, DrawError> {
        self.count_end()?;
        let won = match ending {
            Ending::OpponentDead => self.plan.owner() == Quantifier::Exists,
            Ending::Bounded(_) => false,
            Ending::Ray(_) => true,
            Ending::Complete => return Ok(Tree::End(self.judged())),
        };
        Ok(Tree::End(Mark { won, worth: None }))
    }

    /// A value that the plan does not choose: an end if the play is over, a stub otherwise.
    fn unchosen(&mut self) -> Result<Tree, DrawError> {
        self.count_end()?;
        Ok(match self.play() {
            Some(_) => Tree::End(self.judged()),
            None => Tree::Position {
                mover: self.plan.owner(),
                branches: Vec::new(),
            },
        })
    }

    fn judged(&self) -> Mark {
        let Some(play) = self.play() else {
            return Mark {
                won: true,
                worth: None,
            };
        };
        let mut rows = self.program.rows().iter();
        let won = rows.all(|row| row.admits(&row.activity(|var| &play[var])));
        let has_objective = won && self.program.objective().is_some();
        Mark {
            won,
            worth: has_objective.then(|| self.program.objective_value(&play)),
        }
    }
}

/// Draws a tree below its place; tells where its root is.
fn place(drawing: &mut Drawing, tree: &Tree, level: usize, next_leaf: &mut f64) -> f64 {
    let height = TOP + level as f64 * LEVEL;
    match tree {
        Tree::End(mark) => {
            let at = leaf(next_leaf);
            end_mark(drawing, (at, height), mark);
            at
        }
        Tree::Position { branches, .. } if branches.is_empty() => {
            let at = leaf(next_leaf);
            drawing.circle((at, height), 2.5, QUIET, solid(QUIET, 0.0));
            at
        }
        Tree::Position { mover, branches } => {
            let below: Vec<f64> = branches
                .iter()
                .map(|(_, _, tree)| place(drawing, tree, level + 1, next_leaf))
                .collect();
            let at = (below[0] + below[below.len() - 1]) / 2.0;
            for ((label, on_plan, _), to) in branches.iter().zip(&below) {
                edge(
                    drawing,
                    (at, height),
                    (*to, height + LEVEL),
                    *on_plan,
                    *mover,
                );
                let middle = (at + (to - at) * 0.55, height + LEVEL * 0.55);
                let ink = if *on_plan { INK } else { QUIET };
                drawing.text(middle, 14.0, ink, Anchor::Middle, &minus(label));
            }
            position(drawing, (at, height), *mover);
            at
        }
    }
}

fn leaf(next_leaf: &mut f64) -> f64 {
    let at = *next_leaf + LEAF / 2.0;
    *next_leaf += LEAF;
    at
}

fn edge(drawing: &mut Drawing, from: (f64, f64), to: (f64, f64), on_plan: bool, mover: Quantifier) {
    let to = (to.0, to.1 - 9.0);
    let stroke = if on_plan {
        solid(color(mover), 2.2)
    } else {
        dashed(QUIET, 1.2)
    };
    drawing.line(from, to, stroke);
}

fn position(drawing: &mut Drawing, at: (f64, f64), mover: Quantifier) {
    let stroke = solid(color(mover), 2.2);
    match mover {
        Quantifier::Exists => drawing.circle(at, 9.0, PAPER, stroke),
        Quantifier::Forall => drawing.square(at, 8.0, PAPER, stroke),
    }
}

fn end_mark(drawing: &mut Drawing, at: (f64, f64), mark: &Mark) {
    let (ink, sign) = if mark.won { (WON, "+") } else { (LOST, "−") };
    drawing.text(at, 22.0, ink, Anchor::Middle, sign);
    if let Some(worth) = &mark.worth {
        let below = (at.0, at.1 + 20.0);
        drawing.text(below, 12.0, INK, Anchor::Middle, &minus(&worth.to_string()));
    }
}

fn color(player: Quantifier) -> &'static str {
    match player {
        Quantifier::Exists => EXISTS,
        Quantifier::Forall => FORALL,
    }
}

/// The number with a minus sign instead of a hyphen.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
}
