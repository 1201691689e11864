//! How a game looks on a page: places, what stands on them at first, and what the moves of a play do there.
//!
//! A move of the program is a variable with a value. A [`Read`] says which variables it understands, by a
//! pattern, and what they do. So a page shows a position without knowing the game.

/// How places are drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Squares side by side.
    Squares,
    /// Hexagons in shifted rows.
    Hexes,
    /// Round nodes with arrows between them.
    Graph,
    /// Things that lie there until they are taken.
    Heaps,
}

/// A place by its column, its row from above, and its name.
pub type Place = (f64, f64, String);

/// What moves do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The token is put on the first free place of the list.
    Put,
    /// The token, of which there is one, goes to the place, and what it passed stays marked.
    Walk,
    /// As [`Effect::Walk`], without a mark; the first number of the name tells several apart.
    Stand,
    /// What stands on one place goes to another, and takes what stands there; without a table the sum is the
    /// first place times the number of places, plus the second.
    Carry,
    /// The token is put away from the last places of the list: as many as the first number says.
    Take,
    /// The arrow is gone.
    Erase,
    /// The token goes to the end of the arrow.
    Follow,
}

/// What a variable is in a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A move: it is clicked, and it changes the position.
    Move,
    /// A move that is only clicked: later variables say what came of it.
    Announced,
    /// What came of a move.
    Shown,
}

/// Which variables are moves, and what they do.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The name of the variable, with `#` where a number stands.
    pub pattern: String,
    /// What is done.
    pub effect: Effect,
    /// What is put or moved: a letter.
    pub token: &'static str,
    /// Whether it is a move, its announcement or what came of it.
    pub role: Role,
    /// Whether it is a 0/1 variable, of which only 1 is a move.
    pub binary: bool,
    /// The numbers of the name and then the value, by these factors, and the last one alone, add up to a
    /// place.
    pub factors: Vec<i64>,
    /// What that sum stands for instead of a place, if it does.
    pub table: Vec<Vec<usize>>,
}

/// A whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// How places are drawn.
    pub shape: Shape,
    /// Where they are.
    pub places: Vec<Place>,
    /// Arrows, or lines, from place to place.
    pub arrows: Vec<(usize, usize, String)>,
    /// What stands where at first.
    pub tokens: Vec<(usize, String)>,
    /// What moves do.
    pub reads: Vec<Read>,
}

impl Scene {
    /// A board of squares; rows are counted from above.
    pub(super) fn squares(columns: usize, rows: usize, name: impl Fn(usize) -> String) -> Self {
        let place = |cell: usize| {
            let (column, row) = (cell % columns, cell / columns);
            (column as f64, row as f64, name(cell))
        };
        Self {
            shape: Shape::Squares,
            places: (0..columns * rows).map(place).collect(),
            arrows: Vec::new(),
            tokens: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Nodes on a circle, the first one on the left.
    pub(super) fn graph(names: Vec<String>, arrows: Vec<(usize, usize, String)>) -> Self {
        let count = names.len().max(1) as f64;
        // Neighbours on the circle are one unit and a half apart.
        let radius = (1.5 * count / std::f64::consts::TAU).max(1.2);
        let place = |(number, name): (usize, String)| {
            let angle = std::f64::consts::PI + std::f64::consts::TAU * number as f64 / count;
            let (x, y) = (radius * angle.cos(), radius * angle.sin());
            (round(x + radius), round(y + radius), name)
        };
        Self {
            shape: Shape::Graph,
            places: names.into_iter().enumerate().map(place).collect(),
            arrows,
            tokens: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// The same with moves at each of so many times: those of the existential player, and what came of those of
    /// the other.
    #[must_use]
    pub(super) fn at_times(
        mut self,
        times: impl IntoIterator<Item = usize>,
        is_own: impl Fn(usize) -> bool,
        own: impl Fn(usize) -> Read,
        other: impl Fn(usize) -> Read,
    ) -> Self {
        self.reads
            .extend(times.into_iter().map(|time| match is_own(time) {
                true => own(time),
                false => other(time).in_role(Role::Shown),
            }));
        self
    }

    /// The same with one more kind of move.
    #[must_use]
    pub(super) fn reading(mut self, read: Read) -> Self {
        self.reads.push(read);
        self
    }
}

impl Read {
    /// A move of the existential player: a 0/1 variable.
    pub(super) fn chosen(
        pattern: &str,
        effect: Effect,
        token: &'static str,
        factors: &[i64],
    ) -> Self {
        Self {
            pattern: pattern.to_owned(),
            effect,
            token,
            role: Role::Move,
            binary: true,
            factors: factors.to_vec(),
            table: Vec::new(),
        }
    }

    /// A move of the universal player: a number.
    pub(super) fn named(
        pattern: &str,
        effect: Effect,
        token: &'static str,
        factors: &[i64],
    ) -> Self {
        Self {
            binary: false,
            ..Self::chosen(pattern, effect, token, factors)
        }
    }

    /// The same in another role.
    #[must_use]
    pub(super) fn in_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// The same with a table of what its sums stand for.
    #[must_use]
    pub(super) fn by(mut self, table: Vec<Vec<usize>>) -> Self {
        self.table = table;
        self
    }
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
