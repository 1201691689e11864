//! The program move by move, for boards whose program is too large to hold.
//!
//! The rows of a move speak of the stones before it and of what follows from them. So each part has the
//! variables that the move before left behind, and then its own; what was written is forgotten.

use super::{AfterWin, Both, COLOURS, Encoding, Gomoku, letter};
use crate::games::GameError;
use crate::games::family::Part;
use crate::model::Expr;

impl Gomoku {
    /// Hands over the program of [`Gomoku::program`] in parts, as long as somebody wants them.
    pub fn parts(&self, give: &mut dyn FnMut(Part<'_>) -> bool) -> Result<(), GameError> {
        let (first, last) = (self.board.stones(), self.horizon);
        let mut end = Encoding::new(self);
        let victories = end.recall_victories(first + 1..=last);
        end.retaliation();
        let end = end.model.build()?;
        if !give(Part::Objective(&end)) {
            return Ok(());
        }
        let mut encoding = Encoding::new(self);
        encoding.initial();
        if !give(Part::Rows(&encoding.model.build()?, 0)) {
            return Ok(());
        }
        for time in first + 1..=last {
            let known = encoding.carry(time - 1);
            encoding.place(time);
            encoding.observe(time);
            if !give(Part::Rows(&encoding.model.build()?, known)) {
                return Ok(());
            }
        }
        give(Part::Rows(&end, victories));
        Ok(())
    }
}

impl Encoding<'_> {
    /// Begins a new part with what move `time` has left; how many variables that are.
    fn carry(&mut self, time: usize) -> usize {
        self.model = self.model.next_part();
        self.victories = Both::default();
        for stone in COLOURS {
            *self.stones.of_mut(stone) = self.existential_stones(time, stone);
        }
        for stone in COLOURS {
            let name = format!("s{}[{time}]", letter(stone));
            let risen = self.model.exists().binary(name);
            *self.risen.of_mut(stone) = Some(risen);
        }
        let known = 2 * self.cells() + 2;
        if self.game.after_win == AfterWin::PlayOn || time == self.game.board.stones() {
            return known;
        }
        self.over = Expr::from(self.model.exists().binary(format!("o[{time}]")));
        known + 1
    }

    /// The victories of all moves, which the objective counts; how many they are.
    fn recall_victories(&mut self, times: std::ops::RangeInclusive<usize>) -> usize {
        let mut count = 0;
        for time in times {
            for stone in COLOURS {
                let name = format!("e{}[{time}]", letter(stone));
                let victory = self.model.exists().binary(name);
                self.victories.of_mut(stone).push((time, victory));
                count += 1;
            }
        }
        count
    }
}
