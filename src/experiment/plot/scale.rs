//! From numbers to places: linear and logarithmic axes with round ticks.

/// An axis from a smallest to a largest number, `low < high`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Scale {
    Linear {
        low: f64,
        high: f64,
    },
    /// Powers of ten, both ends positive.
    Logarithmic {
        low: f64,
        high: f64,
    },
}

impl Scale {
    /// A linear axis that holds all the numbers and ends at ticks.
    pub fn linear(numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = range(numbers, 0.0, 1.0);
        let (low, high) = if low == high {
            (low - 0.5, high + 0.5)
        } else {
            (low, high)
        };
        let step = round_step((high - low) / 5.0);
        Self::Linear {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
        }
    }

    /// A logarithmic axis that holds all the numbers and ends at powers of ten.
    pub fn logarithmic(numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = range(numbers.filter(|number| *number > 0.0), 1.0, 10.0);
        let (first, last) = (low.log10().floor(), high.log10().ceil());
        Self::Logarithmic {
            low: 10f64.powf(first),
            high: 10f64.powf(last.max(first + 1.0)),
        }
    }

    /// Where a number lies, from 0 at the low end to 1 at the high one; clipped to the axis.
    pub fn place(&self, number: f64) -> f64 {
        let place = match *self {
            Self::Linear { low, high } => (number - low) / (high - low),
            Self::Logarithmic { low, high } => (number.max(low) / low).ln() / (high / low).ln(),
        };
        if place.is_nan() {
            0.0
        } else {
            place.clamp(0.0, 1.0)
        }
    }

    /// Round numbers with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        match *self {
            Self::Linear { low, high } => {
                let step = round_step((high - low) / 5.0);
                let count = ((high - low) / step).round() as i64;
                let numbers = (0..=count).map(|place| low + place as f64 * step);
                numbers
                    .map(|number| (number, label(number, step)))
                    .collect()
            }
            Self::Logarithmic { low, high } => {
                let (first, last) = (low.log10().round() as i32, high.log10().round() as i32);
                let every = ((last - first) / 8 + 1).max(1) as usize;
                let powers = (first..=last).step_by(every);
                powers
                    .map(|power| (10f64.powi(power), power_label(power)))
                    .collect()
            }
        }
    }
}

fn range(numbers: impl Iterator<Item = f64>, low: f64, high: f64) -> (f64, f64) {
    let finite = numbers.filter(|number| number.is_finite());
    finite
        .fold(None, |range: Option<(f64, f64)>, number| match range {
            None => Some((number, number)),
            Some((low, high)) => Some((low.min(number), high.max(number))),
        })
        .unwrap_or((low, high))
}

/// 1, 2 or 5 times a power of ten, at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.abs().max(f64::MIN_POSITIVE).log10().floor());
    let factor = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| factor <= *round);
    round.unwrap_or(10.0) * power
}

fn label(number: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let label = format!("{number:.decimals$}");
    // A minus before nothing is no number.
    match label.strip_prefix('-') {
        Some(rest) if rest.chars().all(|digit| "0.".contains(digit)) => rest.to_owned(),
        _ => label,
    }
}

fn power_label(power: i32) -> String {
    match power {
        0..=4 => 10i64.pow(power.unsigned_abs()).to_string(),
        -3..=-1 => format!("{:.1$}", 10f64.powi(power), power.unsigned_abs() as usize),
        _ => format!("1e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers_around_the_data() {
        let scale = Scale::linear([3.0, 17.0].into_iter());
        assert_eq!(
            scale,
            Scale::Linear {
                low: 0.0,
                high: 20.0
            }
        );
        let labels: Vec<String> = scale.ticks().into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0", "5", "10", "15", "20"]);
        let scale = Scale::logarithmic([0.004, 30.0].into_iter());
        let labels: Vec<String> = scale.ticks().into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0.001", "0.01", "0.1", "1", "10", "100"]);
    }

    #[test]
    fn nothing_and_one_number_are_axes_too() {
        for scale in [
            Scale::linear([].into_iter()),
            Scale::linear([5.0].into_iter()),
            Scale::linear([f64::NAN, f64::INFINITY].into_iter()),
            Scale::logarithmic([].into_iter()),
            Scale::logarithmic([1.0, 0.0].into_iter()),
        ] {
            assert!(scale.ticks().len() >= 2, "{scale:?}");
            assert!((0.0..=1.0).contains(&scale.place(5.0)));
            assert!((0.0..=1.0).contains(&scale.place(f64::NAN)));
        }
    }
}
