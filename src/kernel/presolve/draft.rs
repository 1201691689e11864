//! The working copy that techniques change: domains and rows in machine integers.
//!
//! The rows of a draft have coefficients without a common divisor and whole sides, rounded inward:
//! over integers they hold in the same plays as the rows they come from.
//!
//! **Invariant:** the least and the greatest sum of a row, its sides, and any sum or difference of
//! two of them fit an `i64`, because techniques shrink coefficients and domains and move a side by
//! no more than the row's sum.

use num_integer::Integer;

use crate::num::{Rational, int, to_i64};
use crate::program::{
    Bounds, Id, IdVec, Kind, Program, Quantifier, Row, RowId, ScaledRow, Sense, VarId,
};

/// A row. See the module.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub owner: Quantifier,
    /// Sorted by variable, no zeros.
    pub terms: Vec<(VarId, i64)>,
    pub lower: Option<i64>,
    pub upper: Option<i64>,
    /// Whether it differs from the row it comes from.
    pub changed: bool,
    /// The row it comes from, if any.
    source: Option<RowId>,
}

/// The domain of a variable and who fixes it.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub owner: Quantifier,
    pub lower: i64,
    pub upper: i64,
    /// Whether it differs from the variable's domain.
    pub changed: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub domains: IdVec<VarId, Domain>,
    /// The rows that are left, of both systems.
    pub lines: Vec<Line>,
    /// The order of the costs of a larger value: zero costs nothing, what makes a play dearer is positive.
    pub cost_ranks: IdVec<VarId, i64>,
    /// Whether pressing is sound; see [`super`].
    pub may_press: bool,
}

/// Larger numbers are left to the engines, which refuse them in words.
const LIMIT: i64 = i64::MAX / 64;

impl Draft {
    /// The draft of a program of integers; `None` if it has reals, a domain without a value or
    /// numbers that are too large.
    pub fn new(program: &Program) -> Option<Self> {
        let domains = program.variables().iter().map(|variable| {
            let domain = variable.domain();
            let (lower, upper) = (to_i64(&domain.lower?)?, to_i64(&domain.upper?)?);
            let fits = -LIMIT <= lower && lower <= upper && upper <= LIMIT;
            (variable.kind == Kind::Integer && fits).then_some(Domain {
                owner: variable.quantifier,
                lower,
                upper,
                changed: false,
            })
        });
        let mut draft = Self {
            domains: IdVec::from_vec(domains.collect::<Option<_>>()?),
            lines: Vec::new(),
            cost_ranks: cost_ranks(program),
            may_press: false,
        };
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            let rows = program.scaled_system(owner).ok()?;
            for (index, row) in rows.into_iter().enumerate() {
                let line = line(owner, RowId::new(index), row);
                draft.sums_fit(&line).then_some(())?;
                draft.lines.push(line);
            }
        }
        draft.may_press = draft.universal_player_always_moves(program);
        Some(draft)
    }

    fn sums_fit(&self, line: &Line) -> bool {
        let reach = |(var, coefficient): &(VarId, i64)| {
            let domain = &self.domains[*var];
            i128::from(domain.lower.abs().max(domain.upper.abs())) * i128::from(coefficient.abs())
        };
        let sides = line.lower.into_iter().chain(line.upper);
        line.terms.iter().map(reach).sum::<i128>() <= i128::from(LIMIT)
            && sides
                .into_iter()
                .all(|side| (-LIMIT..=LIMIT).contains(&side))
    }

    /// Whether the universal rows mention universal variables only and can be satisfied: by a scan
    /// where that is exact, else by one of two plays that are easy to try.
    fn universal_player_always_moves(&self, program: &Program) -> bool {
        let class = program.class();
        let all = |test: &dyn Fn(&Line) -> bool| {
            let mut universal = self.lines_of(Quantifier::Forall);
            universal.all(test)
        };
        let holds_at = |line: &Line, end: &dyn Fn(&Domain) -> i64| {
            let terms = line.terms.iter();
            line.admits(terms.map(|(var, a)| a * end(&self.domains[*var])).sum())
        };
        let scanned = |line: &Line| {
            let (least, greatest) = self.range(line);
            line.upper.is_none_or(|upper| least <= upper)
                && line.lower.is_none_or(|lower| lower <= greatest)
        };
        !class.decision_dependent
            && (class.simply_restricted && all(&scanned)
                || all(&|line| holds_at(line, &|domain| domain.lower))
                || all(&|line| holds_at(line, &|domain| domain.upper)))
    }

    pub fn lines_of(&self, owner: Quantifier) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.owner == owner)
    }

    /// The least and the greatest that a term can be.
    pub fn term_range(&self, (var, coefficient): (VarId, i64)) -> (i64, i64) {
        let domain = &self.domains[var];
        let ends = (coefficient * domain.lower, coefficient * domain.upper);
        (ends.0.min(ends.1), ends.0.max(ends.1))
    }

    /// The least and the greatest that the sum of a row can be.
    pub fn range(&self, line: &Line) -> (i64, i64) {
        let ranges = line.terms.iter().map(|&term| self.term_range(term));
        ranges.fold((0, 0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
    }

    /// For each variable whether some universal row mentions it.
    pub fn restricted(&self) -> IdVec<VarId, bool> {
        let mut restricted = IdVec::filled(self.domains.len(), false);
        for line in self.lines_of(Quantifier::Forall) {
            for (var, _) in &line.terms {
                restricted[*var] = true;
            }
        }
        restricted
    }

    /// The program that this is the draft of, as changed.
    pub fn into_program(self, original: &Program) -> Program {
        let mut data = original.clone().into_data();
        for (variable, domain) in data.variables.iter_mut().zip(&self.domains) {
            if domain.changed {
                variable.bounds = Bounds::between(int(domain.lower), int(domain.upper));
            }
        }
        let rows = |owner: Quantifier| {
            let lines = self.lines_of(owner);
            lines
                .map(|line| line.to_row(line.source.map(|row| &original.system(owner)[row])))
                .collect()
        };
        data.rows = rows(Quantifier::Exists);
        data.universal_rows = rows(Quantifier::Forall);
        Program::new(data).expect("invariant: fewer rows and smaller domains keep a program valid")
    }
}

impl Domain {
    pub fn is_fixed(&self) -> bool {
        self.lower == self.upper
    }

    /// Narrows the domain.
    ///
    /// Pre: a value is left.
    pub fn narrow(&mut self, lower: i64, upper: i64) {
        debug_assert!(self.lower <= lower && lower <= upper && upper <= self.upper);
        (self.lower, self.upper) = (lower, upper);
        self.changed = true;
    }
}

impl Line {
    fn admits(&self, sum: i64) -> bool {
        self.lower.is_none_or(|lower| lower <= sum) && self.upper.is_none_or(|upper| sum <= upper)
    }

    /// Divides by the common divisor of the coefficients and rounds the sides inward.
    pub fn normalize(&mut self) {
        let divisor = self.terms.iter().fold(0, |gcd: i64, (_, a)| gcd.gcd(a));
        if divisor > 1 {
            self.terms.iter_mut().for_each(|(_, a)| *a /= divisor);
            self.lower = self.lower.map(|side| Integer::div_ceil(&side, &divisor));
            self.upper = self.upper.map(|side| Integer::div_floor(&side, &divisor));
        }
    }

    /// Moves both sides and marks the row as changed.
    pub fn shift_sides(&mut self, lower: i64, upper: i64) {
        self.lower = self.lower.map(|side| side + lower);
        self.upper = self.upper.map(|side| side + upper);
        self.changed = true;
    }

    /// The row of the existential player that says `first >= second`.
    pub fn ordering(first: VarId, second: VarId) -> Self {
        let is_turned = second < first;
        let (low, high, sign) = if is_turned {
            (second, first, -1)
        } else {
            (first, second, 1)
        };
        Self {
            owner: Quantifier::Exists,
            terms: vec![(low, sign), (high, -sign)],
            lower: Some(0),
            upper: None,
            changed: true,
            source: None,
        }
    }

    fn to_row(&self, source: Option<&Row>) -> Row {
        if let (Some(source), false) = (source, self.changed) {
            return source.clone();
        }
        let terms = self.terms.iter();
        Row {
            name: source.and_then(|source| source.name.clone()),
            terms: terms.map(|&(var, a)| (var, int(a))).collect(),
            lower: self.lower.map(int),
            upper: self.upper.map(int),
        }
    }
}

fn line(owner: Quantifier, source: RowId, row: ScaledRow) -> Line {
    let mut line = Line {
        owner,
        terms: row.terms,
        lower: row.lower,
        upper: row.upper,
        changed: false,
        source: Some(source),
    };
    line.normalize();
    line
}

fn cost_ranks(program: &Program) -> IdVec<VarId, i64> {
    let mut ranks = IdVec::filled(program.variables().len(), 0);
    let Some(objective) = program.objective() else {
        return ranks;
    };
    let sign = match objective.sense {
        Sense::Minimize => 1,
        Sense::Maximize => -1,
    };
    let zero = Rational::default();
    let mut costs: Vec<&Rational> = objective.terms.iter().map(|term| &term.1).collect();
    costs.push(&zero);
    costs.sort_unstable();
    costs.dedup();
    let place = |cost: &Rational| costs.partition_point(|other| *other < cost) as i64;
    for (var, cost) in &objective.terms {
        ranks[*var] = sign * (place(cost) - place(&zero));
    }
    ranks
}
