//! One number against another: a line with a mark for each point.

use super::chart::{Chart, Frame};
use super::scale::Scale;

/// A line through points, in the order of the first numbers. `marked` is a point that stands out, with its name.
///
/// ```
/// use quip::experiment::plot::curve;
/// let picture = curve("lot.qip", ("few <=", "value"), &[(0.0, 1.0), (1.0, 3.0)], None);
/// assert!(picture.contains("few &lt;="));
/// ```
pub fn curve(
    title: &str,
    (x_title, y_title): (&str, &str),
    points: &[(f64, f64)],
    marked: Option<(&str, (f64, f64))>,
) -> String {
    let mut chart = Chart::new(&Frame {
        title,
        x_title,
        y_title,
        x: Scale::linear(points.iter().map(|point| point.0)),
        y: Scale::linear(points.iter().map(|point| point.1)),
    });
    chart.series(y_title, points, points);
    if let Some((name, point)) = marked {
        chart.points(name, &[point]);
    }
    chart.picture.finish()
}
