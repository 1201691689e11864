//! The graph of a strategy, in layers from the first move to the last.
//!
//! What several plays share is drawn once, so the picture grows with the graph and not with the
//! tree. Inside a layer nodes stand below the middle of what leads to them.

use super::palette::{EXISTS, FORALL, INK, PAPER, QUIET};
use super::svg::{Anchor, Drawing, solid};
use crate::num::Digits;
use crate::program::{Program, Quantifier};
use crate::strategy::{Picture, Strategy, headline, outline, pictures};

const LAYER: f64 = 84.0;
const TOP: f64 = 72.0;
const GAP: f64 = 24.0;
const LETTER: f64 = 7.0;
const HALF: f64 = 13.0;
/// Longer labels are cut.
const LONGEST: usize = 48;

/// The graph of a strategy as SVG.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::program::Quantifier;
/// use quip::solver::{Options, Solver};
///
/// let program = parse_qip("subject to x = y prefix forall binary y exists binary x end")?;
/// let options = Options { certificate: true, ..Options::default() };
/// let outcome = Solver::new(options).solve(&program)?;
/// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
/// let picture = quip::draw::strategy_graph(&program, &strategy);
/// assert!(picture.starts_with("<svg") && picture.contains("x = 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strategy_graph(program: &Program, strategy: &Strategy) -> String {
    let nodes = pictures(program, &outline(strategy));
    let placed = Placed::of(&nodes);
    let mut drawing = Drawing::default();
    let title = headline(program, Digits::Rounded, strategy);
    drawing.text((GAP, 28.0), 15.0, INK, Anchor::Start, &title);
    let mut labels = Labels::around(&nodes, &placed);
    for (node, &from) in nodes.iter().zip(&placed.at) {
        for (to, label) in &node.edges {
            let to = placed.at[placed.place[*to]];
            let edge = solid(QUIET, 1.4);
            drawing.line((from.0, from.1 + HALF), (to.0, to.1 - HALF), edge);
            let label = cut(brief(node, label));
            let at = labels.place(from, to, &label);
            drawing.text(at, 12.0, INK, Anchor::Middle, &label);
        }
    }
    for (node, &at) in nodes.iter().zip(&placed.at) {
        let color = match (node.waits, strategy.owner()) {
            (false, Quantifier::Exists) | (true, Quantifier::Forall) => EXISTS,
            _ => FORALL,
        };
        drawing.rectangle(at, (half_width(node), HALF), PAPER, solid(color, 2.0));
        let label = match node.waits {
            true => format!("{}?", node.label),
            false => node.label.clone(),
        };
        drawing.text(at, 13.0, INK, Anchor::Middle, &cut(&label));
    }
    let foot = legend(&mut drawing, placed.height);
    let title_width = title.chars().count() as f64 * 8.0 + 2.0 * GAP;
    drawing.finish(placed.width.max(title_width), foot)
}

/// What the colours say, below the graph; tells where the picture ends.
fn legend(drawing: &mut Drawing, top: f64) -> f64 {
    let mut left = GAP;
    for (color, words) in [
        (EXISTS, "the planner decides"),
        (FORALL, "the opponent decides"),
    ] {
        drawing.rectangle((left + 12.0, top), (12.0, 7.0), PAPER, solid(color, 2.0));
        drawing.text((left + 32.0, top), 12.0, INK, Anchor::Start, words);
        left += 32.0 + words.chars().count() as f64 * LETTER + GAP;
    }
    top + GAP
}

/// A label without the name that the node above it says already.
fn brief<'a>(node: &Picture, label: &'a str) -> &'a str {
    let value = label.strip_prefix(&node.label);
    value.map_or(label, |value| value.trim_start_matches([' ', '=']))
}

/// Labels of edges that keep off each other and off the nodes.
struct Labels {
    /// Middles, and halves of widths and heights.
    taken: Vec<((f64, f64), (f64, f64))>,
}

impl Labels {
    fn around(nodes: &[Picture], placed: &Placed) -> Self {
        let boxes = nodes.iter().zip(&placed.at);
        Self {
            taken: boxes
                .map(|(node, at)| (*at, (half_width(node), HALF)))
                .collect(),
        }
    }

    /// The first place along an edge that is free, from its middle on.
    fn place(&mut self, from: (f64, f64), to: (f64, f64), label: &str) -> (f64, f64) {
        const SHARES: [f64; 7] = [0.5, 0.4, 0.6, 0.32, 0.68, 0.25, 0.75];
        let half = (label.chars().count() as f64 * LETTER / 2.0 + 2.0, 7.0);
        let at = |share: f64| {
            (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            )
        };
        let is_free = |place: &(f64, f64)| {
            self.taken.iter().all(|(other, size)| {
                (place.0 - other.0).abs() >= half.0 + size.0
                    || (place.1 - other.1).abs() >= half.1 + size.1
            })
        };
        let found = SHARES.into_iter().map(at).find(is_free);
        let place = found.unwrap_or_else(|| at(0.5));
        self.taken.push((place, half));
        place
    }
}

/// Where the nodes stand.
struct Placed {
    at: Vec<(f64, f64)>,
    /// From the id of a node to its place in the list.
    place: Vec<usize>,
    width: f64,
    height: f64,
}

impl Placed {
    fn of(nodes: &[Picture]) -> Self {
        let most = nodes.iter().map(|node| node.id).max().unwrap_or(0);
        let mut place = vec![0; most + 1];
        for (number, node) in nodes.iter().enumerate() {
            place[node.id] = number;
        }
        // Parents come first, so one pass finds the longest way to each node.
        let mut layer = vec![0_usize; nodes.len()];
        let mut parents: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            for (to, _) in &node.edges {
                let to = place[*to];
                layer[to] = layer[to].max(layer[number] + 1);
                parents[to].push(number);
            }
        }
        let layers = layer.iter().max().map_or(1, |last| last + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); layers];
        for (number, layer) in layer.iter().enumerate() {
            members[*layer].push(number);
        }
        let mut at = vec![(0.0, 0.0); nodes.len()];
        let mut width = 0.0_f64;
        for (level, members) in members.iter().enumerate() {
            let wish = |number: &usize| {
                let above = &parents[*number];
                let sum: f64 = above.iter().map(|parent| at[*parent].0).sum();
                sum / above.len().max(1) as f64
            };
            let mut wishes: Vec<(f64, usize)> = members
                .iter()
                .map(|number| (wish(number), *number))
                .collect();
            wishes.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut left = GAP;
            for (wish, number) in wishes {
                let half = half_width(&nodes[number]);
                let x = wish.max(left + half);
                at[number] = (x, TOP + level as f64 * LAYER);
                left = x + half + GAP;
            }
            width = width.max(left);
        }
        let height = TOP + (layers - 1) as f64 * LAYER + HALF + GAP;
        Self {
            at,
            place,
            width,
            height,
        }
    }
}

fn half_width(node: &Picture) -> f64 {
    let letters = node.label.chars().count().min(LONGEST) as f64;
    (letters * LETTER / 2.0 + 10.0).max(18.0)
}

fn cut(label: &str) -> String {
    if label.chars().count() <= LONGEST {
        return label.to_owned();
    }
    let kept: String = label.chars().take(LONGEST - 1).collect();
    format!("{kept}…")
}
