//! Looking at the stones: rows and what they mean, (5) to (11).

use super::{AfterWin, Board, COLOURS, Encoding, Stone, letter};
use crate::model::{Compare, Expr, Var, disjunction, row, sum};

/// A place where a row can be: its indicator's label and its intersections.
#[derive(Clone, Debug)]
struct Window {
    label: String,
    cells: Vec<usize>,
}

/// All windows of a board, by direction.
#[derive(Clone, Debug)]
pub(super) struct Windows(Vec<(char, &'static str, Vec<Window>)>);

impl Windows {
    pub(super) fn new(size: usize, row: usize) -> Self {
        let starts = size + 1 - row;
        let direction =
            |height: usize, width: usize, cell: &dyn Fn(usize, usize, usize) -> usize| {
                let mut windows = Vec::new();
                for k in 0..height {
                    for l in 0..width {
                        windows.push(Window {
                            label: format!("{},{}", k + 1, l + 1),
                            cells: (0..row).map(|c| cell(k, l, c)).collect(),
                        });
                    }
                }
                windows
            };
        let at = |row: usize, column: usize| row * size + column;
        Self(vec![
            (
                'h',
                "horizontal",
                direction(size, starts, &|k, l, c| at(k, l + c)),
            ),
            (
                'v',
                "vertical",
                direction(starts, size, &|k, l, c| at(k + c, l)),
            ),
            (
                'd',
                "downward",
                direction(starts, starts, &|k, l, c| at(k + c, l + c)),
            ),
            (
                'u',
                "upward",
                direction(starts, starts, &|k, l, c| at(k + c, l + row - 1 - c)),
            ),
        ])
    }
}

impl Windows {
    /// Whether the stones of one colour fill one of them.
    pub(super) fn is_full(&self, board: &Board, stone: Stone) -> bool {
        let mut windows = self.0.iter().flat_map(|(_, _, windows)| windows);
        windows.any(|window| {
            let mut cells = window.cells.iter();
            cells.all(|&cell| board.at(cell) == Some(stone))
        })
    }
}

impl Encoding<'_> {
    /// Everything that follows from the stones after move `time`.
    pub(super) fn observe(&mut self, time: usize) {
        let mut peaks = Vec::new();
        for stone in COLOURS {
            let full = self.full_rows(time, stone);
            peaks.push(self.history(time, stone, &full));
        }
        for (stone, peak) in COLOURS.into_iter().zip(peaks) {
            self.victory(time, stone, peak);
        }
        if self.game.after_win == AfterWin::Freeze {
            self.note_end(time);
        }
    }

    /// Whether somebody has a row after move `time`.
    fn note_end(&mut self, time: usize) {
        let risen = COLOURS
            .map(|stone| *self.risen.of(stone))
            .into_iter()
            .flatten();
        let risen: Vec<Var> = risen.collect();
        let over = self.model.exists().binary(format!("o[{time}]"));
        self.model.rows("over").add_all(disjunction(over, risen));
        self.over = Expr::from(over);
    }

    /// (5) to (8): an indicator for each window.
    fn full_rows(&mut self, time: usize, stone: Stone) -> Vec<Var> {
        let colour = letter(stone);
        let stones = self.stones.of(stone);
        let mut full = Vec::new();
        for (direction, name, windows) in &self.windows.0 {
            for window in windows {
                let label = format!("{direction}{colour}[{time},{}]", window.label);
                let indicator = self.model.exists().binary(label);
                let inside: Vec<Var> = window.cells.iter().map(|&cell| stones[cell]).collect();
                let mut rows = self.model.rows(name);
                for &member in &inside {
                    rows.add(row!(indicator <= member));
                }
                let but_one = inside.len() - 1;
                rows.add(row!(indicator >= sum(&inside) - but_one));
                full.push(indicator);
            }
        }
        full
    }

    /// (9) and (10): the step and the peak.
    fn history(&mut self, time: usize, stone: Stone, full: &[Var]) -> Var {
        let colour = letter(stone);
        let mut stage = self.model.exists();
        let risen = stage.binary(format!("s{colour}[{time}]"));
        let peak = stage.binary(format!("p{colour}[{time}]"));
        let before = self.risen.of_mut(stone).replace(risen);
        let before = before.expect("invariant: the initial position has its step");
        let mut rows = self.model.rows("history");
        rows.add(row!(risen >= before));
        for &row in full {
            rows.add(row!(risen >= row));
        }
        rows.add(risen.leq(before + sum(full)));
        self.model
            .rows("critical")
            .add(row!(peak == risen - before));
        peak
    }

    /// (11): the first row of all.
    fn victory(&mut self, time: usize, stone: Stone, peak: Var) {
        let opponent = self.risen.of(stone.opponent());
        let opponent = opponent.expect("invariant: the initial position has its step");
        let wins = self
            .model
            .exists()
            .binary(format!("e{}[{time}]", letter(stone)));
        self.model
            .rows("victory")
            .add(row!(wins <= peak))
            .add(row!(wins <= 1 - opponent))
            .add(row!(wins >= peak + (1 - opponent) - 1));
        self.victories.of_mut(stone).push((time, wins));
    }
}
