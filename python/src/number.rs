//! Numbers at the border: columns of floats with exact texts beside them, in; texts, out.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use quip::num::{Digits, Rational, from_f64_shortest, int, parse_rational, ratio};

use crate::fault::Fault;

/// Floats as the bytes of a contiguous array, and the places where a text says the number instead.
pub type Column = (PyBackedBytes, Vec<(usize, String)>);

/// Below this, a float without fraction is the integer that it prints as.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Below this, a number of tenths or hundredths has at most fifteen digits.
const LONGEST: f64 = 1e15;

/// A number as people read it.
#[pyfunction]
pub fn written(number: &str) -> PyResult<String> {
    Ok(Digits::Rounded.write(&exact(number)?))
}

/// The numbers of a column; `None` where the float is infinite or NaN, which callers give a meaning.
pub fn column((floats, texts): &Column) -> Result<Vec<Option<Rational>>, Fault> {
    let mut numbers = floats
        .chunks_exact(size_of::<f64>())
        .map(|bytes| of_float(f64::from_ne_bytes(bytes.try_into().unwrap_or_default())))
        .collect::<Result<Vec<_>, Fault>>()?;
    for (place, text) in texts {
        let number =
            parse_rational(text).map_err(|fault| Fault::new("ModelError", fault.to_string()))?;
        *numbers.get_mut(*place).ok_or_else(outside)? = Some(number);
    }
    Ok(numbers)
}

/// The numbers of a column without gaps.
pub fn whole_column(given: &Column) -> Result<Vec<Rational>, Fault> {
    let missing = || Fault::new("ModelError", "a coefficient is infinite or not a number");
    column(given)?
        .into_iter()
        .map(|number| number.ok_or_else(missing))
        .collect()
}

/// The places in a contiguous array of `int64`.
pub fn places(bytes: &[u8]) -> Result<Vec<usize>, Fault> {
    bytes
        .chunks_exact(size_of::<i64>())
        .map(|bytes| i64::from_ne_bytes(bytes.try_into().unwrap_or_default()))
        .map(|place| usize::try_from(place).map_err(|_| outside()))
        .collect()
}

/// A number that a user wrote.
pub fn exact(text: &str) -> Result<Rational, Fault> {
    parse_rational(text).map_err(|fault| Fault::new("NumberError", fault.to_string()))
}

fn of_float(float: f64) -> Result<Option<Rational>, Fault> {
    if !float.is_finite() {
        return Ok(None);
    }
    if float.fract() == 0.0 && float.abs() < EXACT {
        return Ok(Some(int(float as i64)));
    }
    // Decimals of at most fifteen digits are told apart by floats: one that reads as this float is the one it prints as.
    for scale in [10_i64, 100, 1_000, 10_000, 100_000] {
        let digits = (float * scale as f64).round();
        if digits.abs() < LONGEST && digits / scale as f64 == float {
            return Ok(Some(ratio(digits as i64, scale)));
        }
    }
    let read = from_f64_shortest(float);
    read.map(Some)
        .map_err(|fault| Fault::new("ModelError", fault.to_string()))
}

/// An array that does not fit the others: only a mistake of the package makes one.
pub fn outside() -> Fault {
    Fault::new(
        "InternalError",
        "the columns of a program do not fit each other",
    )
}
