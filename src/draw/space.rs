//! What the rows of a program of three variables allow, seen from two sides.
//!
//! The grey solid is the solution space. Orange is what the plan leaves of it: the slices at the
//! values that the first variable takes in the plan, which may be facets, segments or points. Dots
//! are the plays that the plan ends in.

use itertools::Itertools;

use super::DrawError;
use super::palette::{EXISTS, FACE, FORALL, INK, QUIET, SLICE};
use super::solid::{Point, Solid};
use super::svg::{Anchor, Drawing, dashed, solid};
use super::tree::minus;
use crate::num::{Rational, approximate};
use crate::program::{Id, Program, Quantifier, VarId};
use crate::strategy::{Plan, PlanNode};

const PANEL: f64 = 430.0;
const EDGE: f64 = 230.0;

/// A point of the page.
type Flat = (f64, f64);

/// The solution space of a program of three variables, and the plan's part of it, as SVG.
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "subject to x1 + x2 + x3 <= 2
///      prefix forall real x1 in [0, 1]  forall real x2 in [0, 1]  exists real x3 in [0, 1] end",
/// )?;
/// let outcome = quip::reference::solve(&program, &mut Budget::unlimited())?;
/// let picture = quip::draw::solution_space(&program, outcome.strategy.as_ref())?;
/// assert!(picture.contains("polygon"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solution_space(program: &Program, plan: Option<&Plan>) -> Result<String, DrawError> {
    let count = program.variables().len();
    if count != 3 {
        return Err(DrawError::NotThreeVariables(count));
    }
    if let Some(variable) = program.variables().iter().find(|it| !it.bounds.is_finite()) {
        return Err(DrawError::Unbounded(variable.name.clone()));
    }
    let space = Space {
        program,
        solid: Solid::of(program),
        ends: plan.map(ends).unwrap_or_default(),
    };
    let mut drawing = Drawing::default();
    space.panel(&mut drawing, &View::new(program, 0.0, -0.62));
    space.panel(&mut drawing, &View::new(program, PANEL, 0.95));
    Ok(drawing.finish(2.0 * PANEL, PANEL))
}

struct Space<'a> {
    program: &'a Program,
    solid: Solid,
    ends: Vec<Point>,
}

impl Space<'_> {
    fn panel(&self, drawing: &mut Drawing, view: &View) {
        self.frame(drawing, view);
        // Faces from the far ones to the near ones.
        let mut faces: Vec<&Vec<usize>> = self.solid.faces.iter().collect();
        faces.sort_by(|left, right| self.depth(view, left).total_cmp(&self.depth(view, right)));
        for face in faces {
            let points = face.iter().map(|at| &self.solid.corners[*at]);
            let outline = convex_order(points.map(|point| view.flat(point)).collect());
            drawing.polygon(&outline, FACE, 0.45, solid("#5f7d95", 1.2));
        }
        for value in self.ends.iter().map(|end| &end[0]).unique() {
            self.slice(drawing, view, value);
        }
        for end in self.ends.iter().unique() {
            drawing.circle(view.flat(end), 4.5, EXISTS, solid("#ffffff", 1.5));
        }
        self.labels(drawing, view);
    }

    fn depth(&self, view: &View, face: &[usize]) -> f64 {
        let sum: f64 = face
            .iter()
            .map(|at| view.depth(&self.solid.corners[*at]))
            .sum();
        sum / face.len() as f64
    }

    fn slice(&self, drawing: &mut Drawing, view: &View, value: &Rational) {
        let slice = Solid::slice(self.program, value);
        let outline = convex_order(slice.iter().map(|point| view.flat(point)).collect());
        match outline.as_slice() {
            [] | [_] => {}
            [from, to] => drawing.line(*from, *to, solid(SLICE, 4.5)),
            _ => drawing.polygon(&outline, SLICE, 0.55, solid(SLICE, 2.5)),
        }
    }

    /// The box of the bounds, and its three edges with their names.
    fn frame(&self, drawing: &mut Drawing, view: &View) {
        for (from, to) in box_edges() {
            drawing.line(view.at(from), view.at(to), dashed(QUIET, 0.8));
        }
    }

    fn labels(&self, drawing: &mut Drawing, view: &View) {
        for (place, variable) in self.program.variables().iter().enumerate() {
            let (from, to) = view.axes[place];
            let outward = |at: Flat, far: f64| {
                let middle = view.at([0.5, 0.5, 0.5]);
                let (x, y) = (at.0 - middle.0, at.1 - middle.1);
                let length = x.hypot(y).max(1.0);
                (at.0 + x / length * far, at.1 + y / length * far)
            };
            let (start, end) = (view.at(from), view.at(to));
            let middle = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
            let ink = match variable.quantifier {
                Quantifier::Exists => EXISTS,
                Quantifier::Forall => FORALL,
            };
            drawing.text(
                outward(middle, 24.0),
                16.0,
                ink,
                Anchor::Middle,
                &variable.name,
            );
            let bounds = [
                (start, &variable.bounds.lower),
                (end, &variable.bounds.upper),
            ];
            for (at, bound) in bounds {
                let text = bound.as_ref().map(|bound| minus(&bound.to_string()));
                let along = (
                    at.0 + (middle.0 - at.0) * 0.12,
                    at.1 + (middle.1 - at.1) * 0.12,
                );
                let text = text.unwrap_or_default();
                drawing.text(outward(along, 15.0), 12.0, INK, Anchor::Middle, &text);
            }
        }
    }
}

/// One way to look at the box: from above, turned by an angle.
struct View {
    left: f64,
    lower: [f64; 3],
    width: [f64; 3],
    turn: f64,
    /// The edge of the box at which each variable is written.
    axes: [([f64; 3], [f64; 3]); 3],
}

/// How far down the eye looks.
const TILT: f64 = 0.42;

impl View {
    fn new(program: &Program, left: f64, turn: f64) -> Self {
        let end = |place: usize, upper: bool| {
            let bounds = &program.variables()[VarId::new(place)].bounds;
            let end = if upper { &bounds.upper } else { &bounds.lower };
            end.as_ref().map_or(0.0, approximate)
        };
        let lower = [end(0, false), end(1, false), end(2, false)];
        let width = [0, 1, 2].map(|place| match end(place, true) - lower[place] {
            0.0 => 1.0,
            width => width,
        });
        let mut view = Self {
            left,
            lower,
            width,
            turn,
            axes: [([0.0; 3], [0.0; 3]); 3],
        };
        view.axes = [0, 1, 2].map(|axis| view.outer_edge(axis));
        view
    }

    /// Of the edges of the box along an axis the one where names do not cover the solid: the lowest
    /// one on the page, and the leftmost upright one.
    fn outer_edge(&self, axis: usize) -> ([f64; 3], [f64; 3]) {
        let along = |(from, to): &([f64; 3], [f64; 3])| from[axis] != to[axis];
        let place = |(from, to): &([f64; 3], [f64; 3])| {
            let (start, end) = (self.at(*from), self.at(*to));
            if axis == 2 {
                -start.0 - end.0
            } else {
                start.1 + end.1
            }
        };
        let edges = box_edges().filter(along);
        let outer = edges.max_by(|left, right| place(left).total_cmp(&place(right)));
        outer.expect("invariant: a box has edges along every axis")
    }

    fn scaled(&self, point: &Point) -> [f64; 3] {
        [0, 1, 2].map(|place| {
            let value = approximate(&point[place]);
            (value - self.lower[place]) / self.width[place]
        })
    }

    fn flat(&self, point: &Point) -> Flat {
        self.at(self.scaled(point))
    }

    /// The place of a point of the unit cube on the page.
    fn at(&self, point: [f64; 3]) -> Flat {
        let [x, y, z] = point.map(|value| value - 0.5);
        let (sin, cos) = self.turn.sin_cos();
        let across = x * cos - y * sin;
        let away = x * sin + y * cos;
        let up = z * TILT.cos() + away * TILT.sin();
        (
            self.left + PANEL / 2.0 + across * EDGE,
            PANEL / 2.0 - up * EDGE,
        )
    }

    /// How near the eye a point is.
    fn depth(&self, point: &Point) -> f64 {
        let [x, y, z] = self.scaled(point).map(|value| value - 0.5);
        let (sin, cos) = self.turn.sin_cos();
        z * TILT.sin() - (x * sin + y * cos) * TILT.cos()
    }
}

/// The edges of the unit cube.
fn box_edges() -> impl Iterator<Item = ([f64; 3], [f64; 3])> {
    let corners = (0..3).map(|_| [0.0, 1.0]).multi_cartesian_product();
    let corners = corners.map(|corner| [corner[0], corner[1], corner[2]]);
    corners
        .array_combinations()
        .map(|[left, right]| (left, right))
        .filter(|(left, right)| {
            let differing = left.iter().zip(right).filter(|(one, other)| one != other);
            differing.count() == 1
        })
}

/// The points of a flat convex outline, one after the other around their middle.
fn convex_order(mut points: Vec<Flat>) -> Vec<Flat> {
    let count = points.len() as f64;
    let middle = points.iter().fold((0.0, 0.0), |sum, point| {
        (sum.0 + point.0 / count, sum.1 + point.1 / count)
    });
    let angle = |point: &Flat| (point.1 - middle.1).atan2(point.0 - middle.0);
    points.sort_by(|left, right| angle(left).total_cmp(&angle(right)));
    points
}

/// The complete plays of a plan.
fn ends(plan: &Plan) -> Vec<Point> {
    let mut found = Vec::new();
    let nothing: [Option<Rational>; 3] = [None, None, None];
    let mut open = vec![(plan.root(), nothing)];
    while let Some((node, values)) = open.pop() {
        let with = |variable: VarId, value: &Rational| {
            let mut values = values.clone();
            values[variable.index()] = Some(value.clone());
            values
        };
        match plan.node(node) {
            PlanNode::Choose {
                variable,
                value,
                next,
            } => open.push((*next, with(*variable, value))),
            PlanNode::Await { variable, branches } => {
                for branch in branches {
                    for value in [&branch.from, &branch.to].into_iter().dedup() {
                        open.push((branch.next, with(*variable, value)));
                    }
                }
            }
            PlanNode::End(_) => {
                if let [Some(first), Some(second), Some(third)] = values {
                    found.push([first, second, third]);
                }
            }
        }
    }
    found
}
