//! Durations and sizes as people type them.

use std::time::Duration;

/// `60`, `1.5`, `90s`, `5m`, `1h`, `250ms`, `1h30m`: every part but a lone one has its unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    let mut sum = Duration::ZERO;
    let mut rest = text.trim();
    loop {
        let (number, behind) = split(rest);
        let end = behind.find(|character: char| !character.is_alphabetic());
        let (unit, behind) = behind.split_at(end.unwrap_or(behind.len()));
        if unit.is_empty() && rest != text.trim() {
            return Err(format!("`{number}` has no unit; write it like 1h30m"));
        }
        let part = one_duration(number, unit)?;
        let too_long = || format!("`{text}` is too long a time");
        sum = sum.checked_add(part).ok_or_else(too_long)?;
        rest = behind.trim_start();
        if rest.is_empty() {
            return Ok(sum);
        }
        if !rest.starts_with(|character: char| character.is_ascii_digit()) {
            return Err(format!("`{rest}` is not a time; write it like 1h30m"));
        }
    }
}

fn one_duration(number: &str, unit: &str) -> Result<Duration, String> {
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    let amount = amount(number)?;
    Duration::try_from_secs_f64(amount * seconds)
        .map_err(|_| format!("`{number}{unit}` is too long a time"))
}

/// `4G`, `512M`, `100K`, `1000000`: bytes, with powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let power = match unit.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => {
            return Err(format!(
                "`{unit}` is not a unit of memory; use K, M, G or T"
            ));
        }
    };
    let bytes = amount(number)? * 1024_f64.powi(power);
    if bytes < 1.0 || bytes > 2_f64.powi(60) {
        return Err(format!("`{text}` is no sensible amount of memory"));
    }
    Ok(bytes as u64)
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|character: char| !(character.is_ascii_digit() || character == '.'));
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    (number, unit.trim())
}

fn amount(number: &str) -> Result<f64, String> {
    number
        .parse()
        .map_err(|_| "write a number, and a unit after it if needed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, millis) in [
            ("60", 60_000),
            ("1.5", 1500),
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("250ms", 250),
            ("1h30m", 5_400_000),
            ("1m 30s", 90_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_not_a_duration() {
        for text in [
            "", "-1", "abc", "5 days", "1e9999h", "..", "NaN", "inf", "1h-3m", "5m,", "2m5",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(duration(&"9".repeat(400)).is_err());
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5K"), Ok(1536));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("4096"), Ok(4096));
        for text in ["", "0", "G", "4X", "-4G", "99999999T"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
