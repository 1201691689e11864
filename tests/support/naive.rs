//! A second, independent reading of the definition for integer programs.
//!
//! Every complete play is written down, legal or not, and scored by comparing *when* the two
//! systems died in it. The value is the plain nested minimum and maximum of these scores: a move
//! that kills the mover's own system needs no rule of its own, because every play through it is
//! lost for him.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use quip::num::Rational;
use quip::outcome::Score;
use quip::program::{Id, Program, Quantifier, Row, Sense};

/// All plays of a program, in lexicographic order, with their scores.
pub struct Plays {
    owners: Vec<Quantifier>,
    ranges: Vec<(i64, i64)>,
    pub scores: Vec<Score>,
    /// After how many moves of each play the existential and the universal system died.
    deaths: [Vec<Option<usize>>; 2],
}

impl Plays {
    /// Writes down every play; `None` when there are more than `most`, or a domain is empty.
    pub fn of(program: &Program, most: usize) -> Option<Self> {
        let variables = program.variables();
        let ranges: Vec<(i64, i64)> = variables
            .iter()
            .map(|variable| {
                let domain = variable.domain();
                let end = |end: Option<Rational>| end.unwrap().to_integer().to_i64().unwrap();
                (end(domain.lower), end(domain.upper))
            })
            .collect();
        if ranges.iter().any(|(lower, upper)| lower > upper) {
            return None;
        }
        let count = ranges.iter().try_fold(1usize, |count, (lower, upper)| {
            count.checked_mul((upper - lower + 1) as usize)
        })?;
        if count > most {
            return None;
        }
        let mut plays = Self {
            owners: variables
                .iter()
                .map(|variable| variable.quantifier)
                .collect(),
            ranges,
            scores: Vec::new(),
            deaths: Default::default(),
        };
        plays.judge(program, count);
        Some(plays)
    }

    /// How many plays agree in the first `depth` moves.
    pub fn stride(&self, depth: usize) -> usize {
        self.ranges[depth..]
            .iter()
            .map(|(lower, upper)| (upper - lower + 1) as usize)
            .product()
    }

    /// The lower bound of the variable fixed at `depth`, and how many values it has.
    pub fn values(&self, depth: usize) -> (i64, usize) {
        let (lower, upper) = self.ranges[depth];
        (lower, (upper - lower + 1) as usize)
    }

    pub fn owner(&self, depth: usize) -> Quantifier {
        self.owners[depth]
    }

    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// The nested minimum and maximum.
    pub fn value(&self) -> Score {
        self.levels().remove(0).remove(0)
    }

    /// The value of every position, by the number of moves that lead to it.
    pub fn levels(&self) -> Vec<Vec<Score>> {
        let mut levels = vec![self.scores.clone()];
        for depth in (0..self.len()).rev() {
            let (_, width) = self.values(depth);
            let pick = |scores: &[Score]| match self.owners[depth] {
                Quantifier::Exists => scores.iter().min().unwrap().clone(),
                Quantifier::Forall => scores.iter().max().unwrap().clone(),
            };
            let level = levels.last().unwrap().chunks(width).map(pick).collect();
            levels.push(level);
        }
        levels.reverse();
        levels
    }

    /// Whether a system is alive at a position: the `place`-th after `depth` moves.
    pub fn is_alive(&self, owner: Quantifier, depth: usize, place: usize) -> bool {
        let side = usize::from(owner == Quantifier::Forall);
        let death = self.deaths[side][place * self.stride(depth)];
        death.is_none_or(|death| death > depth)
    }

    /// The moves of a play.
    pub fn play(&self, mut number: usize) -> Vec<i64> {
        let mut play = vec![0; self.len()];
        for depth in (0..self.len()).rev() {
            let (lower, width) = self.values(depth);
            play[depth] = lower + (number % width) as i64;
            number /= width;
        }
        play
    }

    fn judge(&mut self, program: &Program, count: usize) {
        let sums = |rows: &[Row]| rows.iter().map(Sum::new).collect::<Vec<_>>();
        let (existential, universal) = (
            sums(program.rows().as_slice()),
            sums(program.universal_rows().as_slice()),
        );
        let holds = |rows: &[Sum], number: usize| {
            let play = self.play(number);
            rows.iter().all(|row| row.holds(&play))
        };
        let good = |rows: &[Sum]| {
            (0..count)
                .map(|number| holds(rows, number))
                .collect::<Vec<_>>()
        };
        let existential_deaths = self.deaths(&good(&existential));
        let universal_deaths = self.deaths(&good(&universal));
        let score = |number: usize| match (existential_deaths[number], universal_deaths[number]) {
            (None, None) => Score::Cost(self.cost(program, number)),
            (Some(existential), Some(universal)) if existential == universal => {
                let mover = self.owners.get(existential.max(1) - 1);
                Score::worst_for(mover.copied().unwrap_or(Quantifier::Exists))
            }
            (None, Some(_)) => Score::Won,
            (Some(_), None) => Score::Lost,
            (Some(existential), Some(universal)) if existential < universal => Score::Lost,
            (Some(_), Some(_)) => Score::Won,
        };
        self.scores = (0..count).map(score).collect();
        self.deaths = [existential_deaths, universal_deaths];
    }

    /// After how many moves of each play no good play is reachable any more.
    fn deaths(&self, good: &[bool]) -> Vec<Option<usize>> {
        let mut deaths = vec![None; good.len()];
        for depth in (0..=self.len()).rev() {
            let stride = self.stride(depth);
            for (group, plays) in good.chunks(stride).enumerate() {
                if !plays.contains(&true) {
                    deaths[group * stride..(group + 1) * stride].fill(Some(depth));
                }
            }
        }
        deaths
    }

    fn cost(&self, program: &Program, number: usize) -> Rational {
        let Some(objective) = program.objective() else {
            return Rational::default();
        };
        let play = self.play(number);
        let mut total = objective.constant.clone();
        for (var, factor) in &objective.terms {
            total += factor * BigInt::from(play[var.index()]);
        }
        match objective.sense {
            Sense::Minimize => total,
            Sense::Maximize => -total,
        }
    }
}

/// A row with its fractions cleared, in integers of one size or another.
struct Cleared<N> {
    terms: Vec<(usize, N)>,
    lower: Option<N>,
    upper: Option<N>,
}

/// A row in machine integers, or in large ones where these do not fit.
enum Sum {
    Usual(Cleared<i128>),
    Large(Cleared<BigInt>),
}

impl Sum {
    fn new(row: &Row) -> Self {
        let sides = row.lower.iter().chain(&row.upper);
        let factors = row.terms.iter().map(|(_, factor)| factor);
        let multiple = sides
            .chain(factors)
            .fold(BigInt::from(1), |multiple, number| {
                multiple.lcm(number.denom())
            });
        let whole = |number: &Rational| (number * &multiple).to_integer();
        // A sum of a few products with values below 2^32 stays inside `i128`.
        let usual = |number: &Rational| whole(number).to_i128().filter(|it| it.abs() < 1 << 90);
        match Cleared::new(row, usual) {
            Some(row) => Self::Usual(row),
            None => Self::Large(
                Cleared::new(row, |number| Some(whole(number))).expect("any number is large"),
            ),
        }
    }

    fn holds(&self, play: &[i64]) -> bool {
        match self {
            Self::Usual(row) => row.holds(play),
            Self::Large(row) => row.holds(play),
        }
    }
}

impl<N: From<i64> + Clone + std::ops::Mul<Output = N> + std::iter::Sum + Ord> Cleared<N> {
    fn new(row: &Row, whole: impl Fn(&Rational) -> Option<N>) -> Option<Self> {
        let side = |side: &Option<Rational>| match side {
            Some(number) => whole(number).map(Some),
            None => Some(None),
        };
        let terms = row.terms.iter();
        let terms = terms.map(|(var, factor)| Some((var.index(), whole(factor)?)));
        Some(Self {
            terms: terms.collect::<Option<_>>()?,
            lower: side(&row.lower)?,
            upper: side(&row.upper)?,
        })
    }

    fn holds(&self, play: &[i64]) -> bool {
        let terms = self.terms.iter();
        let sum: N = terms
            .map(|(var, factor)| factor.clone() * N::from(play[*var]))
            .sum();
        let (lower, upper) = (&self.lower, &self.upper);
        lower.as_ref().is_none_or(|lower| *lower <= sum)
            && upper.as_ref().is_none_or(|upper| sum <= *upper)
    }
}
