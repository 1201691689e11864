//! What splitting at a column has brought so far.
//!
//! **Definition:** the *gain* of a column in one direction is by how much the linear program's cost
//! rose, on average, for each unit that a split took from the column that way. Splitting where
//! both halves promise to rise closes nodes sooner than splitting where the fraction is nearest to
//! a half (pseudo-costs; Achterberg, Koch and Martin 2005). On the critical node problem with 60
//! nodes (n60_2-2-2_020) an answer to a refutation took a tenth of the nodes.
//!
//! **Invariant:** floats, and nothing but the order of the work depends on them.

/// Risen cost and units taken, downward and upward.
#[derive(Copy, Clone, Debug, Default)]
struct Record {
    rise: [f64; 2],
    units: [f64; 2],
}

/// A half of a split that the linear program is about to see.
#[derive(Copy, Clone, Debug)]
pub struct Half {
    /// The column that was split.
    pub column: usize,
    /// Whether this is the upper half.
    pub is_upper: bool,
    /// What the linear program cost before, and the column's value there.
    pub before: (f64, f64),
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Gains {
    of: Vec<Record>,
    all: Record,
}

impl Gains {
    /// Room for that many columns.
    pub fn grow(&mut self, columns: usize) {
        self.of.resize(columns, Record::default());
    }

    /// Takes over the records of another program's columns, each as one unit.
    pub fn expect(&mut self, other: &Self) {
        let columns = self.of.len().min(other.of.len());
        let one_unit = |record: &Record| {
            let mut light = *record;
            for side in 0..2 {
                if light.units[side] > 1.0 {
                    light.rise[side] /= light.units[side];
                    light.units[side] = 1.0;
                }
            }
            light
        };
        for (own, theirs) in self.of[..columns].iter_mut().zip(&other.of) {
            *own = one_unit(theirs);
        }
        self.all = one_unit(&other.all);
    }

    /// A half was solved: its linear program costs that much.
    pub fn learn(&mut self, half: Half, cost: f64, lower: i64, upper: i64) {
        let (before, value) = half.before;
        let units = if half.is_upper {
            lower as f64 - value
        } else {
            value - upper as f64
        };
        if units > 1e-6 {
            let side = usize::from(half.is_upper);
            for record in [&mut self.of[half.column], &mut self.all] {
                record.rise[side] += (cost - before).max(0.0);
                record.units[side] += units;
            }
        }
    }

    /// Whether both halves of a column have been seen.
    pub fn is_known(&self, column: usize) -> bool {
        self.of[column].units.iter().all(|&units| units > 0.0)
    }

    /// How much splitting at a column with that fractional part promises.
    pub fn promise(&self, column: usize, part: f64) -> f64 {
        const LEAST: f64 = 1e-6;
        let gain = |side: usize| {
            let own = self.of[column];
            let known = if own.units[side] > 0.0 { own } else { self.all };
            if known.units[side] > 0.0 {
                known.rise[side] / known.units[side]
            } else {
                1.0
            }
        };
        (gain(0) * part).max(LEAST) * (gain(1) * (1.0 - part)).max(LEAST)
    }
}
