//! A strategy as a graph in Graphviz' language. Boxes are moves of the owner, diamonds wait for
//! the opponent; parts that several plays share are drawn once.

use super::held::Strategy;
use super::outline::{Step, Then, condition, end_in_words, headline, moves_in_words, outline};
use crate::num::Digits;
use crate::program::{Program, VarId};

impl Strategy {
    /// The strategy for Graphviz: `dot -Tsvg` draws it.
    pub fn to_dot(&self, program: &Program) -> String {
        let mut text = format!(
            "digraph strategy {{\n  label={};\n  node [fontname=\"sans-serif\"];\n",
            quoted(&headline(program, Digits::Rounded, self))
        );
        for picture in pictures(program, &outline(self)) {
            let shape = match picture.waits {
                true => "diamond",
                false => "box",
            };
            text += &format!(
                "  s{} [shape={shape}, label={}];\n",
                picture.id,
                quoted(&picture.label)
            );
            for (to, label) in &picture.edges {
                text += &format!("  s{} -> s{to} [label={}];\n", picture.id, quoted(label));
            }
        }
        text + "}\n"
    }
}

/// A node of a drawing: a step's moves, or the question that follows them.
pub struct Picture {
    /// Its number, from zero.
    pub id: usize,
    /// Whether it waits for the opponent.
    pub waits: bool,
    /// What stands beside it.
    pub label: String,
    /// Where it leads, and what is written there.
    pub edges: Vec<(usize, String)>,
}

/// The nodes of a drawing, each before those it leads to. Step `n` begins at node `2 n`, or at its
/// question `2 n + 1` if it has no moves.
pub fn pictures(program: &Program, steps: &[Step]) -> Vec<Picture> {
    let entry = |step: usize| {
        let asks = matches!(steps[step].then, Then::Ask(..) | Then::Any(..));
        2 * step + usize::from(asks && steps[step].moves.is_empty())
    };
    let mut pictures = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let mut label = moves_in_words(program, Digits::Rounded, &step.moves);
        let edges = match &step.then {
            Then::End(end) => {
                let end = end_in_words(program, Digits::Rounded, end);
                let gap = if label.is_empty() || end.is_empty() {
                    ""
                } else {
                    ", "
                };
                label = format!("{label}{gap}{end}");
                Vec::new()
            }
            Then::Go(to) => vec![(entry(*to), String::new())],
            Then::Ask(..) | Then::Any(..) => vec![(2 * number + 1, String::new())],
        };
        if entry(number) == 2 * number {
            pictures.push(Picture {
                id: 2 * number,
                waits: false,
                label: if label.is_empty() {
                    "done".to_owned()
                } else {
                    label
                },
                edges,
            });
        }
        pictures.extend(question(program, step, number, &entry));
    }
    pictures
}

fn question(
    program: &Program,
    step: &Step,
    number: usize,
    entry: &impl Fn(usize) -> usize,
) -> Option<Picture> {
    let name = |var: &VarId| program.variables()[*var].name.as_str();
    let (label, edges) = match &step.then {
        Then::Ask(variable, answers) => {
            let edge = |answer: &super::outline::Answer| {
                let words = condition(program, *variable, &answer.ranges);
                (entry(answer.to), words)
            };
            (
                name(variable).to_owned(),
                answers.iter().map(edge).collect(),
            )
        }
        Then::Any(variables, to) => {
            let names: Vec<&str> = variables.iter().map(name).collect();
            (names.join(", "), vec![(entry(*to), "any".to_owned())])
        }
        Then::Go(_) | Then::End(_) => return None,
    };
    Some(Picture {
        id: 2 * number + 1,
        waits: true,
        label,
        edges,
    })
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
