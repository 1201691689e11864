//! Bars with their numbers: what each option costs, what each relaxation reaches.

use super::chart::{COLORS, shortened};
use super::svg::Svg;
use crate::experiment::Results;
use crate::experiment::summary::summaries;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What stands before it.
    pub name: String,
    /// Its length; not finite for a bar that cannot be drawn.
    pub length: f64,
    /// What stands behind it.
    pub label: String,
}

const LEFT: f64 = 176.0;
const ROOM: f64 = 320.0;
const WIDTH: f64 = 640.0;
const STEP: f64 = 22.0;

/// Bars below each other, with a line at `reference` that says what `reference_name` is.
pub fn bars(title: &str, entries: &[Bar], reference: f64, reference_name: &str) -> String {
    let height = 76.0 + STEP * entries.len() as f64;
    let mut picture = Svg::new(WIDTH, height);
    picture.text(WIDTH / 2.0, 22.0, "middle", title);
    let lengths = entries.iter().map(|bar| bar.length);
    let finite = lengths.filter(|length| length.is_finite());
    let most = finite.fold(reference.max(f64::MIN_POSITIVE), f64::max);
    let scale = ROOM / most;
    let mut y = 40.0;
    for bar in entries {
        picture.text(LEFT - 8.0, y + 13.0, "end", &shortened(&bar.name));
        let length = if bar.length.is_finite() {
            bar.length.max(0.0) * scale
        } else {
            0.0
        };
        let style = format!("fill=\"{}\" fill-opacity=\"0.75\"", COLORS[0]);
        picture.rectangle(LEFT, y + 2.0, length, STEP - 7.0, &style);
        picture.text(LEFT + length + 6.0, y + 13.0, "start", &bar.label);
        y += STEP;
    }
    picture.line((LEFT, 38.0), (LEFT, y), "stroke=\"black\"");
    let at = LEFT + reference * scale;
    let dashed = "stroke=\"#d55e00\" stroke-dasharray=\"4 3\"";
    picture.line((at, 36.0), (at, y), dashed);
    picture.text(at, y + 16.0, "middle", reference_name);
    picture.finish()
}

/// How much slower each solver is than the baseline, by shifted geometric mean.
pub fn ablation(results: &Results, baseline: &str, shift: f64, title: &str) -> String {
    let all = summaries(results, shift);
    let base = all.iter().find(|summary| summary.solver == baseline);
    let base = base.map_or(f64::NAN, |summary| summary.mean_seconds);
    let entries: Vec<Bar> = all
        .iter()
        .map(|summary| {
            let ratio = summary.mean_seconds / base;
            Bar {
                name: summary.solver.clone(),
                length: ratio,
                label: match ratio.is_finite() {
                    true => format!("{ratio:.2} × ({} solved)", summary.solved),
                    false => format!("({} solved)", summary.solved),
                },
            }
        })
        .collect();
    bars(title, &entries, 1.0, &format!("{baseline} = 1"))
}
