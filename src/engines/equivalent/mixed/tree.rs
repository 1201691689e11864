//! A scenario tree in rationals: what is decided from a stage on, against a list of plays.
//!
//! Every history of universal values is a node; a node holds a copy of the existential variables of
//! its stage, integer or real, and plays with a common beginning share the copies before which they
//! agree. Rows are copied once for each history that completes them.
//!
//! Integers may see less than reals: only the *cell* that a universal value lies in, one number for
//! each ([`super::cells`]). Two plays then share the copies of integers as long as their cells agree, and
//! those of reals as long as their values do as well.

use std::hash::Hash;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;

use super::stages::Stages;
use crate::mip::MixedProgram;
use crate::num::{Rational, int};
use crate::program::{Bounds, Id, IdVec, Kind, Quantifier, Row, RowId, Term, VarId};

/// Universal values, in the order of the prefix.
pub(crate) type Play = Vec<Rational>;

/// The nodes along every play, one for each number of universal values seen.
type Histories = Vec<Vec<u32>>;

/// The cells of the values of a play.
pub(crate) type Cells = Vec<u32>;

/// The program of a tree.
pub(crate) struct Tree {
    pub problem: MixedProgram,
    /// The histories of every play, one for each number of universal values seen, as reals know
    /// them and as integers do.
    paths: Histories,
    coarse: Histories,
    /// The column of a variable after a history.
    columns: FxHashMap<(VarId, u32), VarId>,
    is_integer: IdVec<VarId, bool>,
    /// Which row each row is, none for what a play costs, and along which play.
    pub row_origins: IdVec<RowId, (Option<RowId>, usize)>,
    /// The row that what was decided before breaks, its play and its side.
    pub dead_by: Option<(Option<RowId>, usize, bool)>,
    /// Whether what was decided before breaks a row by itself.
    pub is_dead: bool,
}

/// The value column.
const VALUE: usize = 0;

/// Its ends are multiples of one over this, unless they are simpler fractions.
const FINEST_VALUE: i64 = 1 << 10;

impl Tree {
    /// What is decided from `stage` on after the values of the board.
    pub fn new(
        stages: &Stages<'_>,
        plays: &[&[Rational]],
        stage: usize,
        board: &IdVec<VarId, Rational>,
    ) -> Self {
        let paths = histories(plays, |play, number| &play[number], stages.universals.len());
        Self::over(stages, plays, (paths.clone(), paths, &[]), stage, board)
    }

    /// The whole program, with integers that see the cells of the plays only.
    pub fn by_cells(stages: &Stages<'_>, plays: &[(Play, Cells)]) -> Self {
        Self::of_cells(stages, plays, &[])
    }

    /// The whole program where some universal values are meant just above or just below what they
    /// are: `beside` has the sign for each universal value of each play. Rows of integers alone then keep
    /// away from their sides, and others are as they are, which is no less than what a value so near
    /// leaves.
    pub fn beside(stages: &Stages<'_>, plays: &[(Play, Cells)], beside: &[Vec<i64>]) -> Self {
        Self::of_cells(stages, plays, beside)
    }

    fn of_cells(stages: &Stages<'_>, plays: &[(Play, Cells)], beside: &[Vec<i64>]) -> Self {
        let count = stages.universals.len();
        let fine = histories(
            plays,
            |(play, cells), number| (&play[number], cells[number]),
            count,
        );
        let coarse = histories(plays, |(_, cells), number| cells[number], count);
        let values: Vec<&[Rational]> = plays.iter().map(|(play, _)| play.as_slice()).collect();
        let nothing = IdVec::filled(stages.program.variables().len(), Rational::default());
        Self::over(stages, &values, (fine, coarse, beside), 0, &nothing)
    }

    fn over(
        stages: &Stages<'_>,
        plays: &[&[Rational]],
        (paths, coarse, beside): (Histories, Histories, &[Vec<i64>]),
        stage: usize,
        board: &IdVec<VarId, Rational>,
    ) -> Self {
        let mut tree = Self {
            problem: MixedProgram::default(),
            paths,
            coarse,
            is_integer: stages
                .program
                .variables()
                .iter()
                .map(|it| it.kind == Kind::Integer)
                .collect(),
            row_origins: IdVec::default(),
            dead_by: None,
            columns: FxHashMap::default(),
            is_dead: false,
        };
        let program = stages.program;
        let value = match program.objective() {
            Some(_) => Bounds {
                lower: None,
                upper: None,
            },
            None => Bounds::between(int(0), int(0)),
        };
        tree.problem.linear.bounds.push(value);
        tree.problem.integer.push(false);
        tree.problem.linear.objective = vec![(VarId::new(VALUE), int(1))];
        let depths: Vec<usize> = program
            .rows()
            .iter()
            .map(|row| stages.depth(&row.terms))
            .collect();
        let mut seen: Vec<FxHashMap<u32, ()>> = vec![FxHashMap::default(); depths.len()];
        for (number, play) in plays.iter().enumerate() {
            tree.add_columns(stages, number, stage);
            for (id, row) in program.rows().pairs() {
                let at = id.index();
                let history = tree.paths[number][depths[at]];
                if seen[at].insert(history, ()).is_none() {
                    let (terms, constant) =
                        tree.put_in(stages, &row.terms, number, play, (stage, board));
                    let signs = beside.get(number);
                    let lean = signs.map_or_else(Rational::default, |signs| {
                        let universal = row.terms.iter().filter(|(var, _)| {
                            stages.program.variables()[*var].quantifier == Quantifier::Forall
                        });
                        let leans = universal.map(|(var, by)| by * int(signs[stages.seen[*var]]));
                        leans.sum()
                    });
                    tree.add_row(terms, &constant, &lean, row, (id, number));
                }
            }
            if program.objective().is_some() {
                let (mut terms, constant) =
                    tree.put_in(stages, &stages.costs, number, play, (stage, board));
                terms.push((VarId::new(VALUE), int(-1)));
                let row = Row::at_most(terms, -constant);
                tree.close_value(&row, number == 0);
                tree.problem.linear.rows.push(row);
                tree.row_origins.push((None, number));
            }
        }
        tree.shorten_value();
        tree
    }

    /// Ends of the value of many digits become ends of few beyond them: the kernel keeps columns on the grid of
    /// their ends, which that of data with sixteen digits is too fine for.
    fn shorten_value(&mut self) {
        let shortened = |end: Rational, rounded: fn(&Rational) -> Rational| {
            let grid = int(FINEST_VALUE);
            match end.denom() > grid.numer() {
                true => rounded(&(end * &grid)) / grid,
                false => end,
            }
        };
        let value = &mut self.problem.linear.bounds[VarId::new(VALUE)];
        value.lower = value
            .lower
            .take()
            .map(|end| shortened(end, Rational::floor));
        value.upper = value.upper.take().map(|end| shortened(end, Rational::ceil));
    }

    /// The value need not be above the most that a play can cost, nor can it be below the least.
    /// Where a play has no end of cost, the value has none either.
    fn close_value(&mut self, row: &Row, is_first: bool) {
        let costs = row
            .terms
            .iter()
            .filter(|(column, _)| column.index() != VALUE);
        let ends = |most: bool| -> Option<Rational> {
            let constant = row.upper.as_ref().map(|side| -side)?;
            let sum: Option<Rational> = costs
                .clone()
                .map(|(column, by)| {
                    let range = &self.problem.linear.bounds[*column];
                    let end = match by.is_positive() == most {
                        true => &range.upper,
                        false => &range.lower,
                    };
                    Some(end.as_ref()? * by)
                })
                .sum();
            Some(sum? + constant)
        };
        let (least, most) = (ends(false), ends(true));
        let value = &mut self.problem.linear.bounds[VarId::new(VALUE)];
        value.upper = match (value.upper.take(), most) {
            (Some(upper), Some(most)) => Some(upper.max(most)),
            (None, most) if is_first => most,
            _ => None,
        };
        value.lower = match (value.lower.take(), least) {
            (Some(lower), Some(least)) => Some(lower.max(least)),
            (lower, least) => lower.or(least),
        };
    }

    fn add_columns(&mut self, stages: &Stages<'_>, play: usize, stage: usize) {
        for (var, variable) in stages.program.variables().pairs() {
            let seen = stages.seen[var];
            if variable.quantifier == Quantifier::Forall || seen < stage {
                continue;
            }
            let key = (var, self.history(var, seen, play));
            if !self.columns.contains_key(&key) {
                let column = VarId::new(self.problem.linear.bounds.len());
                self.problem.linear.bounds.push(variable.domain());
                self.problem.integer.push(variable.kind == Kind::Integer);
                self.columns.insert(key, column);
            }
        }
    }

    /// Terms over columns, and what the values of the past and of the play add up to.
    fn put_in(
        &self,
        stages: &Stages<'_>,
        terms: &[Term],
        number: usize,
        play: &[Rational],
        (stage, board): (usize, &IdVec<VarId, Rational>),
    ) -> (Vec<Term>, Rational) {
        let mut constant = Rational::default();
        let mut own = Vec::new();
        for (var, by) in terms {
            let seen = stages.seen[*var];
            match stages.program.variables()[*var].quantifier {
                Quantifier::Forall => constant += by * &play[seen],
                Quantifier::Exists if seen < stage => constant += by * &board[*var],
                Quantifier::Exists => own.push((self.column(*var, seen, number), by.clone())),
            }
        }
        (own, constant)
    }

    /// Adds a row whose constant leans to one side by less than anything.
    fn add_row(
        &mut self,
        terms: Vec<Term>,
        constant: &Rational,
        lean: &Rational,
        row: &Row,
        (id, play): (RowId, usize),
    ) {
        let mut lower = row.lower.as_ref().map(|side| side - constant);
        let mut upper = row.upper.as_ref().map(|side| side - constant);
        if terms.is_empty() {
            let zero = Rational::default();
            let below = lower.is_some_and(|side| side > zero || side == zero && lean < &zero);
            let above = upper.is_some_and(|side| side < zero || side == zero && lean > &zero);
            if below || above {
                self.is_dead = true;
                self.dead_by = Some((Some(id), play, above));
            }
            return;
        }
        if lean != &Rational::default()
            && terms
                .iter()
                .all(|(column, _)| self.problem.integer[*column])
        {
            let step = step(&terms);
            if lean.is_negative() {
                lower = lower.map(|side| ((side / &step).floor() + int(1)) * &step);
            } else {
                upper = upper.map(|side| ((side / &step).ceil() - int(1)) * &step);
            }
        }
        self.row_origins.push((Some(id), play));
        self.problem.linear.rows.push(Row {
            name: None,
            terms,
            lower,
            upper,
        });
    }

    /// The variable of each column and a play that passes through its history; `None` for the value.
    pub fn origins(&self) -> IdVec<VarId, Option<(VarId, usize)>> {
        let mut play_of: FxHashMap<u32, usize> = FxHashMap::default();
        for (play, path) in self.paths.iter().enumerate() {
            for &node in path {
                play_of.entry(node).or_insert(play);
            }
        }
        let mut origins = IdVec::filled(self.problem.linear.bounds.len(), None);
        for (&(var, node), &column) in &self.columns {
            origins[column] = Some((var, play_of[&node]));
        }
        origins
    }

    /// The column of a variable, which follows so many universal ones, along a play.
    pub fn column(&self, var: VarId, seen: usize, play: usize) -> VarId {
        self.columns[&(var, self.history(var, seen, play))]
    }

    /// What a variable that follows so many universal ones knows of a play.
    fn history(&self, var: VarId, seen: usize, play: usize) -> u32 {
        match self.is_integer[var] {
            true => self.coarse[play][seen],
            false => self.paths[play][seen],
        }
    }
}

/// Every sum of the terms over integers is a multiple of this.
fn step(terms: &[Term]) -> Rational {
    let denominators = terms.iter().map(|(_, by)| by.denom());
    let common = denominators.fold(BigInt::one(), |common, next| common.lcm(next));
    let whole = terms
        .iter()
        .map(|(_, by)| by.numer() * (&common / by.denom()));
    let divisor = whole.fold(BigInt::default(), |divisor, next| divisor.gcd(&next));
    Rational::new(divisor, common)
}

/// The nodes along every play: plays that show the same at first share them.
fn histories<'p, P, Shown: Eq + Hash>(
    plays: &'p [P],
    shown: impl Fn(&'p P, usize) -> Shown,
    count: usize,
) -> Histories {
    let mut children: FxHashMap<(u32, Shown), u32> = FxHashMap::default();
    let mut nodes: u32 = 1;
    let mut paths = Vec::with_capacity(plays.len());
    for play in plays {
        let mut path = vec![0];
        for number in 0..count {
            let last = path[path.len() - 1];
            let next = *children
                .entry((last, shown(play, number)))
                .or_insert_with(|| {
                    nodes += 1;
                    nodes - 1
                });
            path.push(next);
        }
        paths.push(path);
    }
    paths
}
