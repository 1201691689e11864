//! Why a move of the opponent is not taken.

use num_traits::Signed;

use crate::num::Rational;
use crate::program::{Kind, Program, Row, RowId, VarId};

/// Why a move of the opponent is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The owner of the strategy is to move first.
    #[error("it is not the opponent's turn: `{variable}` is to be fixed first")]
    NotTheirTurn {
        /// The owner's variable.
        variable: String,
    },
    /// The play is decided.
    #[error("the play is over")]
    Over,
    /// A number outside the domain of the variable.
    #[error("{variable} = {value} is illegal: {variable} is {domain}")]
    OutsideDomain {
        /// The variable.
        variable: String,
        /// The value that was tried.
        value: Rational,
        /// What it may be, in words.
        domain: String,
    },
    /// One row of the opponent cannot hold any more.
    #[error("{variable} = {value} is illegal: it breaks row {row} of the opponent")]
    Row {
        /// The variable.
        variable: String,
        /// The value that was tried.
        value: Rational,
        /// The row's name or number.
        row: String,
    },
    /// Several rows of the opponent cannot hold together any more.
    #[error(
        "{variable} = {value} is illegal: rows {} of the opponent cannot hold together after it",
        rows.join(", ")
    )]
    Rows {
        /// The variable.
        variable: String,
        /// The value that was tried.
        value: Rational,
        /// The rows' names or numbers.
        rows: Vec<String>,
    },
}

impl Refusal {
    /// Why a move shows by itself that it is illegal: it is outside its domain, or one row of its owner
    /// cannot hold after it. `values` are those of the variables that are fixed.
    pub fn of_move<'a>(
        program: &Program,
        (variable, value): (VarId, &'a Rational),
        values: impl Fn(VarId) -> Option<&'a Rational>,
    ) -> Option<Self> {
        let it = &program.variables()[variable];
        if !it.admits(value) {
            return Some(Self::outside(program, variable, value.clone()));
        }
        let with_move = |var: VarId| match var == variable {
            true => Some(value),
            false => values(var),
        };
        let mut rows = program.system(it.quantifier).pairs();
        let (row, _) = rows.find(|(_, row)| !is_possible(program, row, with_move))?;
        Some(Self::Row {
            variable: it.name.clone(),
            value: value.clone(),
            row: program.row_label(it.quantifier, row),
        })
    }

    /// A value that the variable cannot take.
    fn outside(program: &Program, variable: VarId, value: Rational) -> Self {
        let it = &program.variables()[variable];
        let end = |end: &Option<Rational>, infinite: &str| {
            end.as_ref()
                .map_or_else(|| infinite.to_owned(), Rational::to_string)
        };
        let domain = it.domain();
        let kind = match it.kind {
            Kind::Integer => "a whole number in",
            Kind::Real => "in",
        };
        Self::OutsideDomain {
            variable: it.name.clone(),
            value,
            domain: format!(
                "{kind} [{}, {}]",
                end(&domain.lower, "-inf"),
                end(&domain.upper, "inf")
            ),
        }
    }

    /// A move that no row shows to be illegal by itself: those that are `known` to show it together, and if
    /// none are named all that are not complete.
    pub(super) fn together<'a>(
        program: &Program,
        (variable, value): (VarId, &'a Rational),
        known: &[RowId],
        values: impl Fn(VarId) -> Option<&'a Rational>,
    ) -> Self {
        let it = &program.variables()[variable];
        let is_free = |var: VarId| var != variable && values(var).is_none();
        let open = |row: &Row| row.terms.iter().any(|(var, _)| is_free(*var));
        let pairs = program.system(it.quantifier).pairs();
        let blamed: Vec<RowId> = match known {
            [] => pairs
                .filter_map(|(id, row)| open(row).then_some(id))
                .collect(),
            known => known.to_vec(),
        };
        let label = |row: &RowId| program.row_label(it.quantifier, *row);
        Self::Rows {
            variable: it.name.clone(),
            value: value.clone(),
            rows: blamed.iter().map(label).collect(),
        }
    }
}

/// Whether a row can hold for some values of the variables that have none, inside their domains.
fn is_possible<'a>(
    program: &Program,
    row: &Row,
    value: impl Fn(VarId) -> Option<&'a Rational>,
) -> bool {
    let zero = || Some(Rational::from_integer(0.into()));
    let (mut least, mut most) = (zero(), zero());
    for (var, by) in &row.terms {
        let [low, high] = match value(*var) {
            Some(value) => [Some(by * value), Some(by * value)],
            None => {
                let domain = program.variables()[*var].domain();
                let [lower, upper] = [domain.lower, domain.upper].map(|end| end.map(|it| by * it));
                if by.is_negative() {
                    [upper, lower]
                } else {
                    [lower, upper]
                }
            }
        };
        least = least.zip(low).map(|(sum, part)| sum + part);
        most = most.zip(high).map(|(sum, part)| sum + part);
    }
    let reaches = |side: &Rational| most.as_ref().is_none_or(|most| side <= most);
    let stays = |side: &Rational| least.as_ref().is_none_or(|least| least <= side);
    row.lower.as_ref().is_none_or(reaches) && row.upper.as_ref().is_none_or(stays)
}
