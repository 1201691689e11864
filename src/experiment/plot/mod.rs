//! Pictures of results, as SVG that can go into a paper: no colour carries meaning alone, lines
//! differ in dashes and marks too, and text stays text.

mod bars;
mod cactus;
mod chart;
mod curve;
mod growth;
mod profile;
mod scale;
mod scatter;
mod svg;
mod trace;

pub use bars::{Bar, ablation, bars};
pub use cactus::cactus;
pub use curve::curve;
pub use growth::{Measure, growth};
pub use profile::profile;
pub use scatter::scatter;
pub use svg::Svg;
pub use trace::trace;

/// Times below this are drawn as this: a logarithmic axis has no zero, and a process does not
/// start faster.
const SHORTEST: f64 = 1e-3;
