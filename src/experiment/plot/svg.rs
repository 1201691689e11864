//! Writing SVG: a few shapes, numbers with two decimals, text escaped.

use std::fmt::{Display, Write};

/// A picture under construction.
///
/// ```
/// use quip::experiment::plot::Svg;
/// let mut picture = Svg::new(100.0, 50.0);
/// picture.text(10.0, 20.0, "start", "a < b");
/// assert!(picture.finish().contains("a &lt; b"));
/// ```
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// A white picture of that size in pixels.
    pub fn new(width: f64, height: f64) -> Self {
        let mut picture = Self {
            width,
            height,
            body: String::new(),
        };
        picture.rectangle(0.0, 0.0, width, height, "fill=\"white\"");
        picture
    }

    /// A straight line; `style` are attributes.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        self.element(format_args!(
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" {style}/>",
            from.0, from.1, to.0, to.1
        ));
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], style: &str) {
        let mut listed = String::new();
        for (x, y) in points {
            write!(listed, "{x:.2},{y:.2} ").expect("invariant: a string can grow");
        }
        let listed = listed.trim_end();
        self.element(format_args!(
            "<polyline points=\"{listed}\" fill=\"none\" {style}/>"
        ));
    }

    /// A rectangle by its upper left corner.
    pub fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, style: &str) {
        self.element(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {style}/>"
        ));
    }

    /// Text; `anchor` is `start`, `middle` or `end`.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        self.element(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        ));
    }

    /// Text that reads upwards, centred.
    pub fn upright_text(&mut self, x: f64, y: f64, text: &str) {
        self.element(format_args!(
            "<text transform=\"translate({x:.2} {y:.2}) rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            escaped(text)
        ));
    }

    /// A mark of one of six shapes around a point.
    pub fn mark(&mut self, (x, y): (f64, f64), shape: usize, color: &str) {
        let outline = format!("fill=\"white\" stroke=\"{color}\" stroke-width=\"1.3\"");
        let polygon = |points: &[(f64, f64)]| -> String {
            let listed = points.iter();
            let listed = listed.map(|(dx, dy)| format!("{:.2},{:.2}", x + dx, y + dy));
            listed.collect::<Vec<_>>().join(" ")
        };
        let points = match shape % 6 {
            0 => {
                return self.element(format_args!(
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3.2\" {outline}/>"
                ));
            }
            1 => polygon(&[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
            2 => polygon(&[(0.0, -4.0), (3.7, 2.6), (-3.7, 2.6)]),
            3 => polygon(&[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)]),
            4 => polygon(&[(0.0, 4.0), (3.7, -2.6), (-3.7, -2.6)]),
            _ => polygon(&[(-4.0, -1.4), (4.0, -1.4), (4.0, 1.4), (-4.0, 1.4)]),
        };
        self.element(format_args!("<polygon points=\"{points}\" {outline}/>"));
    }

    /// The whole file.
    pub fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"12\">\n{body}</svg>\n",
            width = self.width,
            height = self.height,
            body = self.body
        )
    }

    fn element(&mut self, element: impl Display) {
        writeln!(self.body, "{element}").expect("invariant: a string can grow");
    }
}

/// Text as XML wants it; characters that XML cannot hold become `?`.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            control if control.is_control() => safe.push('?'),
            '\u{fffe}' | '\u{ffff}' => safe.push('?'),
            plain => safe.push(plain),
        }
    }
    safe
}
