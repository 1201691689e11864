//! Two axes, lines between them, and a legend beside.

use super::scale::Scale;
use super::svg::Svg;

/// Colours that stay apart for most eyes and in grey (after Okabe and Ito).
pub(super) const COLORS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9",
];

const DASHES: [&str; 4] = ["", "6 3", "2 2", "8 3 2 3"];

/// How limits are drawn.
const LIMIT: &str = "stroke=\"#888888\" stroke-dasharray=\"1 3\"";

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 176.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 50.0;

/// The longest name that the legend has room for.
const LONGEST_NAME: usize = 22;

/// Text and axes of a chart.
pub(super) struct Frame<'a> {
    pub title: &'a str,
    pub x_title: &'a str,
    pub y_title: &'a str,
    pub x: Scale,
    pub y: Scale,
}

/// A chart under construction.
pub(super) struct Chart {
    pub picture: Svg,
    x: Scale,
    y: Scale,
    names: usize,
}

impl Chart {
    /// Draws the frame.
    pub fn new(frame: &Frame<'_>) -> Self {
        let mut chart = Self {
            picture: Svg::new(WIDTH, HEIGHT),
            x: frame.x,
            y: frame.y,
            names: 0,
        };
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (middle, half) = (f64::midpoint(LEFT, right), f64::midpoint(TOP, bottom));
        let grid = "stroke=\"#dddddd\" stroke-width=\"0.7\"";
        for (number, label) in frame.x.ticks() {
            let x = chart.x_of(number);
            chart.picture.line((x, TOP), (x, bottom), grid);
            chart.picture.text(x, bottom + 16.0, "middle", &label);
        }
        for (number, label) in frame.y.ticks() {
            let y = chart.y_of(number);
            chart.picture.line((LEFT, y), (right, y), grid);
            chart.picture.text(LEFT - 6.0, y + 4.0, "end", &label);
        }
        let outline = "fill=\"none\" stroke=\"black\"";
        chart
            .picture
            .rectangle(LEFT, TOP, right - LEFT, bottom - TOP, outline);
        chart
            .picture
            .text(middle, TOP - 12.0, "middle", frame.title);
        chart
            .picture
            .text(middle, bottom + 36.0, "middle", frame.x_title);
        chart.picture.upright_text(16.0, half, frame.y_title);
        chart
    }

    pub fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x_of(x), self.y_of(y))
    }

    fn x_of(&self, number: f64) -> f64 {
        LEFT + self.x.place(number) * (WIDTH - RIGHT - LEFT)
    }

    fn y_of(&self, number: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(number) * (HEIGHT - BOTTOM - TOP)
    }

    /// A line through the whole frame at a time limit of the vertical axis.
    pub fn horizontal_limit(&mut self, limit: f64) {
        let y = self.y_of(limit);
        self.picture.line((LEFT, y), (WIDTH - RIGHT, y), LIMIT);
        self.picture.text(LEFT + 4.0, y - 4.0, "start", "limit");
    }

    /// The same for the horizontal axis.
    pub fn vertical_limit(&mut self, limit: f64) {
        let x = self.x_of(limit);
        self.picture.line((x, TOP), (x, HEIGHT - BOTTOM), LIMIT);
        self.picture.text(x - 4.0, TOP + 14.0, "end", "limit");
    }

    /// A line with marks, and its entry in the legend. `marked` are the places that get a mark.
    pub fn series(&mut self, name: &str, line: &[(f64, f64)], marked: &[(f64, f64)]) {
        let number = self.names;
        let style = line_style(number);
        let points: Vec<_> = line.iter().map(|&(x, y)| self.point(x, y)).collect();
        self.picture.path(&points, &style);
        // Many marks make a line unreadable.
        let every = marked.len() / 40 + 1;
        for &(x, y) in marked.iter().step_by(every) {
            let place = self.point(x, y);
            self.picture.mark(place, number, color(number));
        }
        let y = self.legend_entry(name);
        let x = WIDTH - RIGHT + 12.0;
        self.picture.path(&[(x, y), (x + 24.0, y)], &style);
        self.picture.mark((x + 12.0, y), number, color(number));
    }

    /// Points without a line, and their entry in the legend.
    pub fn points(&mut self, name: &str, points: &[(f64, f64)]) {
        let number = self.names;
        for &(x, y) in points {
            let place = self.point(x, y);
            self.picture.mark(place, number, color(number));
        }
        let y = self.legend_entry(name);
        self.picture
            .mark((WIDTH - RIGHT + 24.0, y), number, color(number));
    }

    fn legend_entry(&mut self, name: &str) -> f64 {
        let y = TOP + 10.0 + 18.0 * self.names as f64;
        self.names += 1;
        let x = WIDTH - RIGHT + 42.0;
        self.picture.text(x, y + 4.0, "start", &shortened(name));
        y
    }
}

fn line_style(number: usize) -> String {
    let dash = DASHES[number % DASHES.len()];
    let color = color(number);
    format!("stroke=\"{color}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\"")
}

pub(super) fn color(number: usize) -> &'static str {
    COLORS[number % COLORS.len()]
}

pub(super) fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    let start: String = name.chars().take(LONGEST_NAME - 1).collect();
    start + "…"
}
