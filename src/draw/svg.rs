//! The few elements that the pictures are made of.

use std::fmt::Write as _;

use super::palette::PAPER;

/// A drawing that grows; lengths are in pixels.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    body: String,
}

/// How a line or an outline looks.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stroke {
    pub color: &'static str,
    pub width: f64,
    pub dashed: bool,
}

/// Where a text stands in relation to its point.
#[derive(Copy, Clone, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
}

impl Drawing {
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        let dash = dash(stroke);
        self.push(&format!(
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{}" stroke-width="{}" stroke-linecap="round"{dash}/>"#,
            from.0, from.1, to.0, to.1, stroke.color, stroke.width
        ));
    }

    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str, opacity: f64, stroke: Stroke) {
        let list: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let dash = dash(stroke);
        self.push(&format!(
            r#"<polygon points="{}" fill="{fill}" fill-opacity="{opacity}" stroke="{}" stroke-width="{}" stroke-linejoin="round"{dash}/>"#,
            list.join(" "),
            stroke.color,
            stroke.width
        ));
    }

    pub fn circle(&mut self, at: (f64, f64), radius: f64, fill: &str, stroke: Stroke) {
        self.push(&format!(
            r#"<circle cx="{:.1}" cy="{:.1}" r="{radius}" fill="{fill}" stroke="{}" stroke-width="{}"/>"#,
            at.0, at.1, stroke.color, stroke.width
        ));
    }

    pub fn square(&mut self, at: (f64, f64), half: f64, fill: &str, stroke: Stroke) {
        self.rectangle(at, (half, half), fill, stroke);
    }

    /// A rectangle around a point, by the halves of its width and height.
    pub fn rectangle(&mut self, at: (f64, f64), half: (f64, f64), fill: &str, stroke: Stroke) {
        self.push(&format!(
            r#"<rect x="{:.1}" y="{:.1}" width="{}" height="{}" rx="2" fill="{fill}" stroke="{}" stroke-width="{}"/>"#,
            at.0 - half.0,
            at.1 - half.1,
            2.0 * half.0,
            2.0 * half.1,
            stroke.color,
            stroke.width
        ));
    }

    /// A text whose middle is at the height of the point, with a pale edge so that lines below it
    /// do not strike it through.
    pub fn text(&mut self, at: (f64, f64), size: f64, color: &str, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        self.push(&format!(
            r#"<text x="{:.1}" y="{:.1}" font-size="{size}" fill="{color}" text-anchor="{anchor}" stroke="{PAPER}" stroke-width="4" paint-order="stroke" stroke-linejoin="round">{}</text>"#,
            at.0,
            at.1 + size * 0.35,
            escaped(text)
        ));
    }

    /// The whole file.
    pub fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n{}</svg>\n",
            self.body
        )
    }

    fn push(&mut self, element: &str) {
        writeln!(self.body, "{element}").expect("invariant: a string can grow");
    }
}

fn dash(stroke: Stroke) -> &'static str {
    if stroke.dashed {
        r#" stroke-dasharray="5 5""#
    } else {
        ""
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// A plain line.
pub(super) fn solid(color: &'static str, width: f64) -> Stroke {
    Stroke {
        color,
        width,
        dashed: false,
    }
}

/// A dashed line.
pub(super) fn dashed(color: &'static str, width: f64) -> Stroke {
    Stroke {
        dashed: true,
        ..solid(color, width)
    }
}
