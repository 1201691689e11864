//! Refutations by scenarios: legal plays of the universal player, and the proof that nothing better
//! than a value is possible against all of them. What each step means is in `docs/certificate.md`.

use std::fmt;
use std::io::{self, Write};

use super::Guarantee;
use super::certificate::{Player, SideRef};
use crate::num::Rational;
use crate::program::{Id, Program, VarId, cost_of_objective};

/// A value, and so many times an infinitesimal beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Beside {
    /// The value.
    pub at: Rational,
    /// How many infinitesimals are added.
    pub by: Rational,
}

/// A column of the scenario tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TreeColumn {
    /// What a play costs at most.
    Value,
    /// The copy of a variable after what it knows of a play.
    Copy(VarId, u32),
}

/// A row side in the scenario tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TreeSide {
    /// A side of the program along a play; the objective is what the play costs.
    Of(SideRef, u32),
    /// A row that was derived, by its place.
    Derived(u32),
    /// The side of a half, in the sums of a derivation.
    Half,
}

/// Sides with non-negative weights.
pub type TreeSum = Vec<(TreeSide, Rational)>;

/// `Σ terms <= side`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// Coefficients.
    pub terms: Vec<(TreeColumn, Rational)>,
    /// The side.
    pub side: Rational,
}

/// A step of the proof. What follows a split is the proof of its lower part and then that of its
/// upper part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeStep {
    /// The side leaves less room to the column.
    Cut(TreeSide, TreeColumn),
    /// The sum leaves less room to its columns.
    Tighten(TreeSum),
    /// A row follows, whether an integer sum is at most its side or at least one more.
    Round {
        /// The row.
        row: TreeRow,
        /// The integer sum.
        at: TreeRow,
        /// Why the row follows on either side.
        halves: [TreeSum; 2],
    },
    /// Either the column is at most the value or it is greater.
    Split(TreeColumn, Rational),
    /// The sum cannot hold, or a column has no value left. Ends a branch.
    Mix(TreeSum),
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenarios {
    /// What the universal player is guaranteed.
    pub guarantee: Guarantee,
    /// The plays: a value for every universal variable.
    pub plays: Vec<Vec<(VarId, Beside)>>,
    /// The proof.
    pub steps: Vec<TreeStep>,
}

impl fmt::Display for Beside {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zero = Rational::default();
        match self.by.cmp(&zero) {
            std::cmp::Ordering::Equal => write!(out, "{}", self.at),
            std::cmp::Ordering::Greater => write!(out, "{}+{}e", self.at, self.by),
            std::cmp::Ordering::Less => write!(out, "{}{}e", self.at, self.by),
        }
    }
}

impl Scenarios {
    /// Calls every variable by another name.
    pub fn rename(&mut self, new: impl Fn(&mut VarId)) {
        let column = |column: &mut TreeColumn| {
            if let TreeColumn::Copy(var, _) = column {
                new(var);
            }
        };
        let row = |row: &mut TreeRow| row.terms.iter_mut().for_each(|(it, _)| column(it));
        self.plays
            .iter_mut()
            .flatten()
            .for_each(|(var, _)| new(var));
        for step in &mut self.steps {
            match step {
                TreeStep::Cut(_, it) | TreeStep::Split(it, _) => column(it),
                TreeStep::Round { row: it, at, .. } => [it, at].into_iter().for_each(&row),
                TreeStep::Tighten(_) | TreeStep::Mix(_) => {}
            }
        }
    }

    pub(super) fn write(&self, program: &Program, out: &mut impl Write) -> io::Result<()> {
        let guarantee = match &self.guarantee {
            Guarantee::Cost(cost) => cost_of_objective(program, cost.clone()).to_string(),
            other => other.to_string(),
        };
        writeln!(out, "refutation {guarantee} plays {}", self.plays.len())?;
        let name = |var: VarId| program.variables()[var].name.as_str();
        for play in &self.plays {
            write!(out, "play")?;
            for (var, value) in play {
                write!(out, " {}={value}", name(*var))?;
            }
            writeln!(out)?;
        }
        let mut derived = 0;
        for step in &self.steps {
            match step {
                TreeStep::Cut(cut, at) => {
                    write!(out, "cut")?;
                    side(out, *cut)?;
                    column(program, out, at)?;
                }
                TreeStep::Tighten(mixture) => {
                    write!(out, "tighten")?;
                    sum(out, mixture)?;
                }
                TreeStep::Round {
                    row: made,
                    at,
                    halves: [below, above],
                } => {
                    derived += 1;
                    write!(out, "round d{derived}")?;
                    row(program, out, made)?;
                    write!(out, " at")?;
                    row(program, out, at)?;
                    write!(out, " below")?;
                    sum(out, below)?;
                    write!(out, " above")?;
                    sum(out, above)?;
                }
                TreeStep::Split(at, value) => {
                    write!(out, "split")?;
                    column(program, out, at)?;
                    write!(out, " {value}")?;
                }
                TreeStep::Mix(mixture) => {
                    write!(out, "mix")?;
                    sum(out, mixture)?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn column(program: &Program, out: &mut impl Write, column: &TreeColumn) -> io::Result<()> {
    match column {
        TreeColumn::Value => write!(out, " value"),
        TreeColumn::Copy(var, play) => {
            write!(out, " {}@{}", program.variables()[*var].name, play + 1)
        }
    }
}

fn row(program: &Program, out: &mut impl Write, row: &TreeRow) -> io::Result<()> {
    write!(out, " {}", row.terms.len())?;
    for (at, by) in &row.terms {
        column(program, out, at)?;
        write!(out, " {by}")?;
    }
    write!(out, " {}", row.side)
}

fn side(out: &mut impl Write, side: TreeSide) -> io::Result<()> {
    match side {
        TreeSide::Half => write!(out, " at"),
        TreeSide::Derived(place) => write!(out, " d{}", place + 1),
        TreeSide::Of(side, play) => {
            let letter = |player: Player| if player == Player::Exists { 'r' } else { 'u' };
            match side {
                SideRef::Upper(player, row) => {
                    write!(out, " {}{}+", letter(player), row.index() + 1)?;
                }
                SideRef::Lower(player, row) => {
                    write!(out, " {}{}-", letter(player), row.index() + 1)?;
                }
                SideRef::Objective => write!(out, " z")?,
                SideRef::Derived(place) => write!(out, " d{}", place + 1)?,
            }
            write!(out, "@{}", play + 1)
        }
    }
}

fn sum(out: &mut impl Write, sum: &TreeSum) -> io::Result<()> {
    write!(out, " {}", sum.len())?;
    for (at, by) in sum {
        side(out, *at)?;
        write!(out, " {by}")?;
    }
    Ok(())
}
