//! A line plot with a logarithmic time axis, as SVG.

use std::fmt::Write;

/// A named line.
pub struct Series<'a> {
    pub name: &'a str,
    /// Stages and seconds.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;
const COLORS: [&str; 2] = ["#1b6ca8", "#c8553d"];

/// Decades of the time axis.
const FASTEST: i32 = -3;
const SLOWEST: i32 = 2;

/// Draws the series on common axes.
pub fn draw(series: &[Series<'_>]) -> String {
    let stages = series
        .iter()
        .flat_map(|line| &line.points)
        .map(|point| point.0);
    let (first, last) = stages.fold((f64::MAX, f64::MIN), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    let across = |at: f64| MARGIN + (at - first) / (last - first).max(1.0) * (WIDTH - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    axes(&mut svg, first, last, across);
    for (place, line) in series.iter().enumerate() {
        let color = COLORS[place % COLORS.len()];
        let points = line
            .points
            .iter()
            .map(|&(at, seconds)| (across(at), down(seconds)));
        let path: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{}</text>",
            path.join(" "),
            MARGIN + 12.0,
            MARGIN + 4.0 + 18.0 * place as f64,
            line.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn down(seconds: f64) -> f64 {
    let decades = f64::from(SLOWEST - FASTEST);
    let height = (seconds.max(1e-3).log10() - f64::from(FASTEST)) / decades;
    HEIGHT - MARGIN - height * (HEIGHT - 2.0 * MARGIN)
}

fn axes(svg: &mut String, first: f64, last: f64, across: impl Fn(f64) -> f64) {
    for decade in FASTEST..=SLOWEST {
        let seconds = 10_f64.powi(decade);
        let y = down(seconds);
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{seconds} s</text>",
            WIDTH - MARGIN,
            MARGIN - 8.0,
            y + 4.0
        );
    }
    for stages in (first as u32)..=(last as u32) {
        let (x, y) = (across(f64::from(stages)), HEIGHT - MARGIN + 20.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{stages}</text>"
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">stages</text>",
        WIDTH / 2.0,
        HEIGHT - 16.0
    );
}
