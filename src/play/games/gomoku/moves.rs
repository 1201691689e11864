//! Placing stones: the initial position, the moves of both players and the rules that bind them,
//! (1) to (4).

use super::{Both, COLOURS, Encoding, Guard, Stone, letter};
use crate::games::choice::announced;
use crate::model::{Compare, Var, row, sum};

impl Encoding<'_> {
    /// (1): the stones that are there, and no row yet.
    pub(super) fn initial(&mut self) {
        let time = self.game.board.stones();
        for stone in COLOURS {
            let stones = self.existential_stones(time, stone);
            let risen = self
                .model
                .exists()
                .binary(format!("s{}[{time}]", letter(stone)));
            for (cell, &var) in stones.iter().enumerate() {
                let there = i64::from(self.game.board.at(cell) == Some(stone));
                self.model.rows("initial").add(row!(var == there));
            }
            self.model.rows("initial").add(row!(risen == 0));
            *self.stones.of_mut(stone) = stones;
            *self.risen.of_mut(stone) = Some(risen);
        }
    }

    /// The stones after move `time`, with (2) to (4) for whoever has to keep them.
    pub(super) fn place(&mut self, time: usize) {
        let mover = if time % 2 == 1 {
            Stone::Black
        } else {
            Stone::White
        };
        if mover == Stone::White && self.game.guard == Guard::Rows {
            self.place_universally(time);
            return;
        }
        let announced = (mover == Stone::White).then(|| self.announcement(time));
        let first = self.existential_stones(time, mover);
        if let Some(announced) = announced {
            self.obey(&announced, &first);
        }
        let second = self.existential_stones(time, mover.opponent());
        self.continue_by_one(mover, &first);
        self.continue_idle(mover.opponent(), &second);
        self.occupation(&first, &second);
        self.remember(mover, first, second);
    }

    /// White's stones are the universal player's variables, and his rows bind them.
    fn place_universally(&mut self, time: usize) {
        let names: Vec<String> = (0..self.cells())
            .map(|cell| self.label("xw", time, cell))
            .collect();
        let mut stage = self.model.forall();
        let white: Vec<Var> = names.into_iter().map(|name| stage.binary(name)).collect();
        let mut rules = self.model.uncertainty_rows("occupation");
        for (&black, &white) in self.stones.black.iter().zip(&white) {
            rules.add(row!(black + white <= 1));
        }
        let mut rules = self.model.uncertainty_rows("causality");
        for (&before, &after) in self.stones.white.iter().zip(&white) {
            rules.add(row!(after >= before));
        }
        let one_more = sum(&white).equals(sum(&self.stones.white) + 1 - &self.over);
        self.model.uncertainty_rows("alternation").add(one_more);
        let black = self.existential_stones(time, Stone::Black);
        self.continue_idle(Stone::Black, &black);
        self.remember(Stone::White, white, black);
    }

    pub(super) fn existential_stones(&mut self, time: usize, stone: Stone) -> Vec<Var> {
        let prefix = format!("x{}", letter(stone));
        let names: Vec<String> = (0..self.cells())
            .map(|cell| self.label(&prefix, time, cell))
            .collect();
        let mut stage = self.model.exists();
        names.into_iter().map(|name| stage.binary(name)).collect()
    }

    /// (3) and (4) of the mover.
    fn continue_by_one(&mut self, mover: Stone, after: &[Var]) {
        self.causality(mover, after);
        let one_more = sum(after).equals(sum(self.stones.of(mover)) + 1 - &self.over);
        self.model.rows("alternation").add(one_more);
    }

    /// (3) and (4) of the other player.
    fn continue_idle(&mut self, idle: Stone, after: &[Var]) {
        self.causality(idle, after);
        let as_many = sum(after).equals(sum(self.stones.of(idle)));
        self.model.rows("alternation").add(as_many);
    }

    fn causality(&mut self, stone: Stone, after: &[Var]) {
        let mut rows = self.model.rows("causality");
        for (&before, &after) in self.stones.of(stone).iter().zip(after) {
            rows.add(row!(after >= before));
        }
    }

    /// (2).
    fn occupation(&mut self, first: &[Var], second: &[Var]) {
        let mut rows = self.model.rows("occupation");
        for (&first, &second) in first.iter().zip(second) {
            rows.add(row!(first + second <= 1));
        }
    }

    fn remember(&mut self, mover: Stone, first: Vec<Var>, second: Vec<Var>) {
        self.stones = match mover {
            Stone::Black => Both {
                black: first,
                white: second,
            },
            Stone::White => Both {
                black: second,
                white: first,
            },
        };
    }

    /// White's universal announcement, and when it is void.
    fn announcement(&mut self, time: usize) -> Announcement {
        let aims = match self.game.guard {
            Guard::Index => self.one_number(time),
            _ => self.any_set(time),
        };
        let mut void = Vec::new();
        for (cell, &aim) in aims.iter().enumerate() {
            let name = self.label("taken", time, cell);
            let taken = self.model.exists().binary(name);
            let black = self.stones.black[cell];
            self.model.rows("void").add(row!(2 * taken <= aim + black));
            void.push(taken);
        }
        if self.game.guard != Guard::Index {
            let many = self.model.exists().binary(format!("many[{time}]"));
            self.model.rows("void").add(row!(2 * many <= sum(&aims)));
            void.push(many);
        }
        let broken = self.model.exists().binary(format!("void[{time}]"));
        self.model.rows("void").add(row!(broken <= sum(&void)));
        Announcement { aims, void: broken }
    }

    fn any_set(&mut self, time: usize) -> Vec<Var> {
        let names: Vec<String> = (0..self.cells())
            .map(|cell| self.label("mw", time, cell))
            .collect();
        let mut stage = self.model.forall();
        names.into_iter().map(|name| stage.binary(name)).collect()
    }

    fn one_number(&mut self, time: usize) -> Vec<Var> {
        let labels: Vec<String> = (0..self.cells())
            .map(|cell| self.label("aim", time, cell))
            .collect();
        let name = format!("mw[{time}]");
        announced(&mut self.model, name, labels.len(), |cell| {
            labels[cell].clone()
        })
    }

    /// What is announced is placed, unless it is void.
    fn obey(&mut self, announced: &Announcement, white: &[Var]) {
        let mut rows = self.model.rows("obey");
        for (&aim, &stone) in announced.aims.iter().zip(white) {
            rows.add(row!(stone >= aim - announced.void - &self.over));
        }
    }
}

/// What white says, and whether black may ignore it.
struct Announcement {
    aims: Vec<Var>,
    void: Var,
}
