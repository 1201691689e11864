//! TOML files. Numbers are read as they are spelled, not as floats.

use toml::de::{DeTable, DeValue};

use super::super::ast::Span;
use super::{Datum, DatumKind};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::Exact;

/// The names of a file with their values.
pub(super) fn read(text: &str) -> Result<Vec<(String, Span, Datum)>, Draft> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Draft::new(Code::BadData, error.message().to_owned()).at(span, "")
    })?;
    entries(table.get_ref())
}

fn entries(table: &DeTable<'_>) -> Result<Vec<(String, Span, Datum)>, Draft> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let datum = datum(value.get_ref(), value.span())?;
        entries.push((key.get_ref().to_string(), key.span(), datum));
    }
    Ok(entries)
}

fn datum(value: &DeValue<'_>, span: Span) -> Result<Datum, Draft> {
    let number = |spelled: &str| {
        let spelled = spelled.replace('_', "");
        Exact::parse(&spelled)
            .map(DatumKind::Number)
            .map_err(|error| Draft::new(Code::BadNumber, error.to_string()).at(span.clone(), ""))
    };
    let kind = match value {
        DeValue::String(text) => DatumKind::Text(text.to_string()),
        DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str())?,
        DeValue::Float(float) => number(float.as_str())?,
        DeValue::Array(parts) => {
            let parts = parts.iter().map(|part| datum(part.get_ref(), part.span()));
            DatumKind::List(parts.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => DatumKind::Table(entries(table)?),
        _ => {
            let message = "data are numbers, texts, lists and tables";
            return Err(Draft::new(Code::BadData, message).at(span, ""));
        }
    };
    Ok(Datum { kind, span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_are_spelled() {
        let text = "cap = 0.1\nbig = 1_000\n[cost]\na = 1e-3\nb = -7\n";
        let read = read(text).unwrap_or_else(|_| panic!("it reads"));
        let shown = format!("{read:?}");
        for part in [
            "Small(1, 10)",
            "Small(1000, 1)",
            "Small(1, 1000)",
            "Small(-7, 1)",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(super::read("cap = ").is_err() && super::read("cap = true").is_err());
    }
}
