//! Refutations by scenarios: some legal plays of the universal player against which nothing better
//! than a value is possible.
//!
//! Universal rows must be about universal variables alone, so that a play that satisfies them is
//! legal whatever the existential player does. He sees a play as it unfolds: a variable has one
//! *copy* after each history, and plays with the same history share it. A strategy that is better
//! than the value would give a value to every copy that satisfies the rows of every play and keeps
//! `value`, the most that a play costs, below what is guaranteed. The proof shows that there is
//! none: it narrows the copies, derives rows, splits integer copies, and ends every branch by a
//! weighted sum of rows that cannot hold.
//!
//! **Invariant:** a column's room holds every value that it has in a strategy that is better.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Proved;
use super::near::Near;
use super::sums::{Row, least};
use super::view::{SideId, View};
use crate::num::Exact;
use crate::program::{Program, Quantifier};
use crate::strategy::Guarantee;
use crate::strategy::words::{Checked, Words, ensure, unexpected};

/// The column of what the plays cost at most.
const VALUE: usize = 0;

/// A refutation by scenarios while it is being read.
pub(super) struct Scenarios<'v> {
    view: View<'v>,
    /// The universal variables before each place.
    seen: Vec<usize>,
    /// The places of the universal variables.
    universals: Vec<usize>,
    plays: Vec<Vec<Near>>,
    due: usize,
    /// What is known of every play after so many universal values; equal beginnings are one history.
    histories: Vec<Vec<usize>>,
    nodes: FxHashMap<(usize, Near), usize>,
    columns: FxHashMap<(usize, usize), usize>,
    room: Rooms,
    rows: FxHashMap<(SideId, usize), Rc<Row>>,
    derived: Vec<Rc<Row>>,
    /// The upper halves that are to be proved: how much was narrowed before, the column, its lower end.
    open: Vec<(usize, usize, Near)>,
    has_split: bool,
    pub proved: Proved,
}

/// What is left of every column.
#[derive(Default)]
pub(super) struct Rooms {
    pub ends: Vec<[Option<Near>; 2]>,
    pub whole: Vec<bool>,
    trail: Vec<(usize, [Option<Near>; 2])>,
    /// A column without values, and since when.
    empty: Option<usize>,
}

impl Rooms {
    fn add(&mut self, ends: [Option<Near>; 2], whole: bool) {
        self.ends.push(ends);
        self.whole.push(whole);
    }

    fn narrow(&mut self, column: usize, upper: bool, to: Near) {
        let to = match (self.whole[column], upper) {
            (false, _) => to,
            (true, true) => to.floor(),
            (true, false) => to.negated().floor().negated(),
        };
        let end = &self.ends[column][usize::from(upper)];
        if end
            .as_ref()
            .is_some_and(|end| if upper { to >= *end } else { to <= *end })
        {
            return;
        }
        self.trail.push((column, self.ends[column].clone()));
        self.ends[column][usize::from(upper)] = Some(to);
        if let [Some(lower), Some(upper)] = &self.ends[column]
            && lower > upper
        {
            self.empty.get_or_insert(self.trail.len());
        }
    }

    fn undo_to(&mut self, mark: usize) {
        for (column, ends) in self.trail.drain(mark..).rev() {
            self.ends[column] = ends;
        }
        self.empty = self.empty.filter(|since| *since <= mark);
    }
}

impl<'v> Scenarios<'v> {
    pub fn new(program: &'v Program, guarantee: Guarantee, plays: usize) -> Checked<Self> {
        let view = View::new(program, guarantee.cost());
        ensure!(view.lacking.is_empty(); "a domain is empty: nobody moves");
        let tied = (view.places.iter()).find(|at| at.restricted && at.owner == Quantifier::Exists);
        if let Some(at) = tied {
            return Err(format!(
                "`{}` stands in a universal row: plays by themselves are not legal",
                at.name
            ));
        }
        let (mut seen, mut universals) = (Vec::new(), Vec::new());
        for (place, at) in view.places.iter().enumerate() {
            seen.push(universals.len());
            if at.owner == Quantifier::Forall {
                universals.push(place);
            }
        }
        let mut room = Rooms::default();
        let most = view
            .objective
            .map(|id| Near::below(view.sides[id].rhs.clone()));
        room.add([None, most], false);
        Ok(Self {
            view,
            seen,
            universals,
            plays: Vec::new(),
            due: plays,
            histories: Vec::new(),
            nodes: FxHashMap::default(),
            columns: FxHashMap::default(),
            room,
            rows: FxHashMap::default(),
            derived: Vec::new(),
            open: Vec::new(),
            has_split: false,
            proved: Proved {
                guarantee,
                nodes: 0,
                peak: 0,
            },
        })
    }

    /// Reads a line: whether it was the last one.
    pub fn read(&mut self, words: &mut Words<'_>) -> Checked<bool> {
        if self.plays.len() < self.due {
            words.keyword("play")?;
            return self.play(words).map(|()| false);
        }
        self.proved.nodes += 1;
        self.proved.peak = self.proved.peak.max(self.room.ends.len());
        match words.word("a step of a proof")? {
            "cut" => self.cut(words)?,
            "tighten" => self.tighten(words)?,
            "round" => self.round(words)?,
            "split" => self.split(words)?,
            "mix" => return self.contradict(words),
            other => {
                return Err(unexpected(
                    "`cut`, `tighten`, `round`, `split` or `mix`",
                    other,
                ));
            }
        }
        Ok(false)
    }

    /// `play NAME=VALUE…`: legal, and whole where the variable is.
    fn play(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let mut values: Vec<Option<Near>> = vec![None; self.universals.len()];
        while let Some((name, value)) = words.assignment() {
            let (place, value) = (self.view.find(name)?, Near::parse(value)?);
            let at = &self.view.places[place];
            ensure!(at.owner == Quantifier::Forall; "`{name}` is not moved by this player");
            let [lower, upper] = &at.domain;
            let inside = lower.clone().is_none_or(|end| Near::from(end) <= value)
                && upper.clone().is_none_or(|end| value <= Near::from(end))
                && (!at.whole || value.plain().is_some_and(Exact::is_whole));
            ensure!(inside; "this value is not in the domain of `{name}`");
            let own = &mut values[self.seen[place]];
            ensure!(own.is_none(); "`{name}` is set twice");
            *own = Some(value);
        }
        let missing = values.iter().position(Option::is_none);
        if let Some(number) = missing {
            let at = &self.view.places[self.universals[number]];
            return Err(format!("the play says nothing about `{}`", at.name));
        }
        let values: Vec<Near> = values.into_iter().flatten().collect();
        for side in self
            .view
            .sides
            .iter()
            .filter(|side| side.owner == Quantifier::Forall)
        {
            let mut rest = Near::from(side.rhs.clone());
            for (place, by) in &side.terms {
                rest = &rest - &(&values[self.seen[*place]] * by);
            }
            ensure!(rest >= Near::default(); "the play breaks {}", side.name);
        }
        let mut path = vec![0];
        for value in &values {
            let next = self.nodes.len() + 1;
            let key = (path[path.len() - 1], value.clone());
            path.push(*self.nodes.entry(key).or_insert(next));
        }
        self.histories.push(path);
        self.plays.push(values);
        Ok(())
    }

    /// `cut SIDE COLUMN`: what the side leaves of the column with all others at their best.
    fn cut(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let row = self.side(words.word("a row side")?)?;
        let column = self.column(words.word("a column")?)?;
        let term = row.terms.iter().find(|term| term.0 == column);
        let (_, by) = term.ok_or("the column is not in that row")?;
        let others = row.terms.iter().filter(|term| term.0 != column);
        let rest = least(others, &self.room.ends)?;
        self.cut_off(column, by, &(&row.rhs - &rest));
        Ok(())
    }

    /// `tighten SUM`: what the sum leaves of every column.
    fn tighten(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let row = self.mixed(words, None)?;
        let total = least(row.terms.iter(), &self.room.ends)?;
        for (column, by) in &row.terms {
            let own = least(std::iter::once(&(*column, by.clone())), &self.room.ends)?;
            self.cut_off(*column, by, &(&(&row.rhs - &total) + &own));
        }
        Ok(())
    }

    /// `by` times the column is at most that.
    fn cut_off(&mut self, column: usize, by: &Exact, most: &Near) {
        self.room.narrow(column, by.is_positive(), most.over(by));
    }

    /// `round dN ROW at ROW below SUM above SUM`: a row that follows where an integer sum is at most
    /// its side, by the first sum, and where it is at least one more, by the second.
    fn round(&mut self, words: &mut Words<'_>) -> Checked<()> {
        // Behind a split a row would hold in one half only.
        ensure!(!self.has_split; "rows are derived before the first split");
        words.keyword(&format!("d{}", self.derived.len() + 1))?;
        let row = self.spelled(words)?;
        words.keyword("at")?;
        let at = self.spelled(words)?;
        let is_whole = |term: &(usize, Exact)| self.room.whole[term.0] && term.1.is_whole();
        let side = at.rhs.plain().filter(|side| side.is_whole()).cloned();
        let side = side.filter(|_| at.terms.iter().all(is_whole));
        let side = side.ok_or("only sums of integers are below an integer or above it")?;
        for (word, is_above) in [("below", false), ("above", true)] {
            words.keyword(word)?;
            let half = match is_above {
                false => at.clone(),
                true => Row {
                    terms: at.terms.iter().map(|(column, by)| (*column, -by)).collect(),
                    rhs: (-&(&side + &Exact::ONE)).into(),
                },
            };
            let sum = self.mixed(words, Some(&half))?;
            // Row less sum is at most zero everywhere in the room.
            let rest = sum.less(&row);
            let least = least(rest.terms.iter(), &self.room.ends)?;
            ensure!(least >= rest.rhs; "the row does not follow {word} the side");
        }
        self.derived
            .push(Rc::new(row.strengthened(&self.room.whole)));
        Ok(())
    }

    /// `split COLUMN VALUE`
    fn split(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let name = words.word("a column")?;
        let column = self.column(name)?;
        ensure!(self.room.whole[column]; "`{name}` may not be split");
        let at = words.number()?.floor();
        self.has_split = true;
        self.open
            .push((self.room.trail.len(), column, (&at + &Exact::ONE).into()));
        self.room.narrow(column, true, at.into());
        Ok(())
    }

    /// `mix SUM`: it cannot hold, or a column has no values left. Whether no half is left to prove.
    fn contradict(&mut self, words: &mut Words<'_>) -> Checked<bool> {
        let row = self.mixed(words, None)?;
        let fails =
            self.room.empty.is_some() || least(row.terms.iter(), &self.room.ends)? > row.rhs;
        ensure!(fails; "the proof ends without a contradiction");
        let Some((mark, column, above)) = self.open.pop() else {
            return Ok(true);
        };
        self.room.undo_to(mark);
        self.room.narrow(column, false, above);
        Ok(false)
    }

    /// `COUNT (SIDE WEIGHT)…`; `at` is the side of a half.
    fn mixed(&mut self, words: &mut Words<'_>, half: Option<&Row>) -> Checked<Row> {
        let mut sum = Row::default();
        for _ in 0..words.count("how many rows are mixed")? {
            let name = words.word("a row side")?;
            let by = words.number()?;
            ensure!(by >= Exact::ZERO; "the weight {by} is negative");
            match half.filter(|_| name == "at") {
                Some(half) => sum.add(half, &by),
                None => sum.add(&*self.side(name)?, &by),
            }
        }
        Ok(sum.collected())
    }

    /// `COUNT (COLUMN COEFFICIENT)… VALUE`: a sum that is at most the value.
    fn spelled(&mut self, words: &mut Words<'_>) -> Checked<Row> {
        let mut row = Row::default();
        for _ in 0..words.count("how many columns are added")? {
            let column = self.column(words.word("a column")?)?;
            row.terms.push((column, words.number()?));
        }
        row.rhs = words.number()?.into();
        Ok(row.collected())
    }

    /// `r3+@2`, `z@2` or `d1`.
    fn side(&mut self, name: &str) -> Checked<Rc<Row>> {
        let Some((side, play)) = name.rsplit_once('@') else {
            let number = name
                .strip_prefix('d')
                .and_then(|digits| digits.parse::<usize>().ok());
            let row = number.and_then(|number| self.derived.get(number.checked_sub(1)?));
            return row.cloned().ok_or_else(|| unexpected("a row side", name));
        };
        let (id, play) = (self.view.side(side)?, self.of_plays(play)?);
        if let Some(row) = self.rows.get(&(id, play)) {
            return Ok(Rc::clone(row));
        }
        let owner = self.view.sides[id].owner;
        ensure!(owner == Quantifier::Exists; "a proof may not use `{name}` here");
        let mut row = Row::default();
        let is_cost = self.view.is_objective(id);
        if is_cost {
            row.terms.push((VALUE, -&Exact::ONE));
        } else {
            row.rhs = self.view.sides[id].rhs.clone().into();
        }
        for at in 0..self.view.sides[id].terms.len() {
            let (place, by) = self.view.sides[id].terms[at].clone();
            match self.view.places[place].owner {
                Quantifier::Forall => {
                    row.rhs = &row.rhs - &(&self.plays[play][self.seen[place]] * &by);
                }
                Quantifier::Exists => row.terms.push((self.copy(place, play), by)),
            }
        }
        let row = Rc::new(row.collected().strengthened(&self.room.whole));
        self.rows.insert((id, play), Rc::clone(&row));
        Ok(row)
    }

    /// `value`, or `x@2`: the copy of `x` after what it knows of the second play.
    fn column(&mut self, name: &str) -> Checked<usize> {
        let Some((variable, play)) = name.rsplit_once('@') else {
            return match name {
                "value" => Ok(VALUE),
                _ => Err(unexpected("a copy of a variable, or `value`", name)),
            };
        };
        let (place, play) = (self.view.find(variable)?, self.of_plays(play)?);
        let owner = self.view.places[place].owner;
        ensure!(owner == Quantifier::Exists; "`{variable}` has no copies");
        Ok(self.copy(place, play))
    }

    fn copy(&mut self, place: usize, play: usize) -> usize {
        let history = self.histories[play][self.seen[place]];
        let next = self.room.ends.len();
        let column = *self.columns.entry((place, history)).or_insert(next);
        if column == next {
            let at = &self.view.places[place];
            self.room
                .add(at.domain.clone().map(|end| end.map(Near::from)), at.whole);
        }
        column
    }

    fn of_plays(&self, number: &str) -> Checked<usize> {
        let play = number
            .parse::<usize>()
            .ok()
            .and_then(|it| it.checked_sub(1));
        let play = play.filter(|play| *play < self.plays.len());
        play.ok_or_else(|| unexpected("the number of a play", number))
    }
}
