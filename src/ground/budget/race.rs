//! Two solves of one program that know of each other.
//!
//! Each has a *seat* in its [`Budget`](super::Budget). Through it both tell what they have proved: the cost of the best
//! strategy and the bound on the other side; and *scenarios*, plays of the universal player that
//! refuted something, which are worth trying first. Where strategy and bound meet the race is over, whoever proved
//! which half, and both are asked to stop.
//!
//! Seats also take turns. The first seat usually begins alone: a program that it solves in its first slice
//! needs no company, which is therefore brought when that slice ends ([`Seat::bringing`]). Afterwards
//! both run at once, or, with one thread, in alternation: then a slice ends after a number of
//! positions, never by the clock, so that one thread does the same every time.
//!
//! **Invariant:** with [`Pace::Alternate`] at most one seat works at any time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::num::Rational;

/// Who works when.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Both seats work from the beginning.
    AtOnce,
    /// Both seats work after the first slice of the first seat.
    Together,
    /// They work in turns, and every turn is twice as long as the one before.
    Alternate,
}

/// Whether a solve has ended, and what it left.
#[derive(Debug)]
struct Table {
    turn: usize,
    free: bool,
    left: [bool; 2],
    finished: bool,
    cost: Option<Rational>,
    bound: Option<Rational>,
    /// Who told it, and the play.
    scenarios: Vec<(usize, Scenario)>,
}

/// A play of the universal player: numbers of variables, with their values.
pub type Scenario = Vec<(usize, i64)>;

/// How many scenarios are told; later ones are nobody's news.
const MOST_SCENARIOS: usize = 4096;

impl Table {
    fn is_met(&self) -> bool {
        matches!((&self.cost, &self.bound), (Some(cost), Some(bound)) if cost <= bound)
    }
}

/// What the two solves share. See the module.
#[derive(Debug)]
pub struct Race {
    pace: Pace,
    /// Whether objectives are costs with the sign turned.
    maximises: bool,
    table: Mutex<Table>,
    moved: Condvar,
}

/// A turn does not grow beyond this many positions: the other side's news should arrive.
const LONGEST_SLICE: u64 = 1 << 18;

/// With two threads nobody works alone for longer than this, however few positions it were: long
/// enough for what one engine is known to be better at, short beside what people wait for.
pub const LONGEST_ALONE: Duration = Duration::from_secs(2);

impl Race {
    /// A race that the first seat begins, on a program that is maximised or minimised.
    pub fn new(pace: Pace, maximises: bool) -> Arc<Self> {
        let table = Table {
            turn: 0,
            free: pace == Pace::AtOnce,
            left: [false; 2],
            finished: false,
            cost: None,
            bound: None,
            scenarios: Vec::new(),
        };
        Arc::new(Self {
            pace,
            maximises,
            table: Mutex::new(table),
            moved: Condvar::new(),
        })
    }

    /// The seat of that number, 0 or 1, whose first turn has `slice` positions.
    pub fn seat(self: &Arc<Self>, number: usize, slice: u64) -> Seat {
        assert!(number < 2, "invariant: a race has two seats");
        Seat {
            race: Arc::clone(self),
            number,
            slice,
            left: slice,
            heard: 0,
            company: None,
        }
    }

    /// Whether at most one seat works at a time.
    pub fn is_in_turns(&self) -> bool {
        self.pace == Pace::Alternate
    }

    /// Ends the race; both seats are asked to stop.
    pub fn finish(&self) {
        self.lock().finished = true;
        self.moved.notify_all();
    }

    /// Whether the race has ended.
    pub fn is_finished(&self) -> bool {
        self.lock().finished
    }

    /// Tells the objective of a strategy and a bound, both proved; what is better than before counts.
    pub fn tell(&self, objective: Option<&Rational>, bound: Option<&Rational>) {
        let mut table = self.lock();
        let told = objective.map(|objective| self.turned(objective));
        let known = table.cost.take();
        table.cost = known.into_iter().chain(told).min();
        let told = bound.map(|bound| self.turned(bound));
        table.bound = table.bound.take().max(told);
        if table.is_met() {
            table.finished = true;
            self.moved.notify_all();
        }
    }

    /// Whether the best strategy is as good as the best bound allows.
    pub fn is_met(&self) -> bool {
        self.lock().is_met()
    }

    /// The objective of the best strategy and the best bound so far.
    pub fn known(&self) -> (Option<Rational>, Option<Rational>) {
        let table = self.lock();
        let turned = |cost: &Option<Rational>| cost.as_ref().map(|cost| self.turned(cost));
        (turned(&table.cost), turned(&table.bound))
    }

    /// The cost of the best strategy so far.
    pub fn cost(&self) -> Option<Rational> {
        self.lock().cost.clone()
    }

    /// The best bound so far, as a cost.
    pub fn bound(&self) -> Option<Rational> {
        self.lock().bound.clone()
    }

    /// From objectives to costs and back.
    fn turned(&self, value: &Rational) -> Rational {
        if self.maximises {
            -value
        } else {
            value.clone()
        }
    }

    /// A thread that panicked had only told what was proved: the table is good.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the other side of a race.
pub type Company = Box<dyn FnOnce() + Send>;

/// One side of a race.
pub struct Seat {
    race: Arc<Race>,
    number: usize,
    slice: u64,
    left: u64,
    /// How many scenarios of the table this side has looked at.
    heard: usize,
    /// Starts the other side, if that is not at work yet.
    company: Option<Company>,
}

impl Seat {
    /// The same seat; when it first hands its turn over, the other side is started by this.
    #[must_use]
    pub fn bringing(mut self, company: impl FnOnce() + Send + 'static) -> Self {
        self.company = Some(Box::new(company));
        self
    }

    /// The race that the seat belongs to.
    pub fn race(&self) -> &Arc<Race> {
        &self.race
    }

    /// Tells the other side a play that refuted something.
    pub fn tell_scenario(&self, scenario: Scenario) {
        let mut table = self.race.lock();
        if table.scenarios.len() < MOST_SCENARIOS {
            table.scenarios.push((self.number, scenario));
        }
    }

    /// The scenarios that the other side has told since this was asked last.
    pub fn hear_scenarios(&mut self) -> Vec<Scenario> {
        let table = self.race.lock();
        let news = table.scenarios[self.heard..].iter();
        let news = news.filter(|(from, _)| *from != self.number);
        let news = news.map(|(_, scenario)| scenario.clone()).collect();
        self.heard = table.scenarios.len();
        news
    }

    /// Waits until this side may work; for the beginning.
    pub fn wait(&self) {
        let mut table = self.race.lock();
        while !(table.free || table.finished || table.turn == self.number) {
            let moved = self.race.moved.wait(table);
            table = moved.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Accounts for one position; at the end of the turn the other side works.
    pub fn spend(&mut self) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        self.hand_over();
    }

    /// With two threads, ends a turn that takes long.
    pub fn look(&mut self, elapsed: Duration) {
        let alone = self.company.is_some() && self.race.pace != Pace::Alternate;
        if alone && elapsed >= LONGEST_ALONE {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let mut table = self.race.lock();
        table.free |= self.race.pace == Pace::Together;
        let other = 1 - self.number;
        if !table.left[other] {
            table.turn = other;
        }
        drop(table);
        self.bring_company();
        self.race.moved.notify_all();
        self.wait();
        self.slice = (2 * self.slice).min(LONGEST_SLICE);
        self.left = match self.race.pace {
            Pace::AtOnce | Pace::Together => u64::MAX,
            Pace::Alternate => self.slice,
        };
    }

    fn bring_company(&mut self) {
        if let Some(company) = self.company.take() {
            company();
        }
    }
}

impl Drop for Seat {
    /// A side that has left, by an answer or a panic, hands the turn over.
    fn drop(&mut self) {
        let mut table = self.race.lock();
        table.left[self.number] = true;
        table.turn = 1 - self.number;
        let finished = table.finished;
        drop(table);
        if !finished {
            self.bring_company();
        }
        self.race.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::num::int;

    #[test]
    fn the_race_is_over_where_a_strategy_meets_a_bound() {
        for sign in [1, -1] {
            let race = Race::new(Pace::Together, sign == -1);
            race.tell(Some(&int(sign * 7)), Some(&int(sign * 3)));
            assert!(!race.is_finished());
            race.tell(Some(&int(sign * 9)), Some(&int(sign * 5)));
            assert_eq!(race.known(), (Some(int(sign * 7)), Some(int(sign * 5))));
            assert!(!race.is_finished());
            race.tell(None, Some(&int(sign * 7)));
            assert!(race.is_finished() && race.is_met());
        }
    }

    /// Lets both seats work and tells who worked when.
    fn order_of_work(pace: Pace, work: [u64; 2]) -> Vec<usize> {
        let race = Race::new(pace, false);
        let (send, receive) = mpsc::channel();
        thread::scope(|scope| {
            for (number, work) in work.into_iter().enumerate() {
                let mut seat = race.seat(number, 2);
                let send = send.clone();
                scope.spawn(move || {
                    seat.wait();
                    for _ in 0..work {
                        seat.spend();
                        send.send(number).expect("invariant: the test listens");
                    }
                });
            }
        });
        drop(send);
        receive.iter().collect()
    }

    #[test]
    fn one_thread_alternates_in_slices_that_double() {
        for _ in 0..20 {
            let order = order_of_work(Pace::Alternate, [7, 6]);
            // A turn is spent when the next position asks for more: 2, 2, then 1 + 4 each.
            assert_eq!(order, [0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        }
    }

    #[test]
    fn the_first_seat_begins_alone() {
        let order = order_of_work(Pace::Together, [5, 5]);
        assert_eq!(order[..2], [0, 0]);
        assert_eq!(order.len(), 10);
    }

    /// A first seat with a slice of two positions, and a flag that its company raises.
    fn seat_with_company(race: &Arc<Race>) -> (Seat, Arc<AtomicBool>) {
        let brought = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&brought);
        let company = move || flag.store(true, Ordering::Relaxed);
        (race.seat(0, 2).bringing(company), brought)
    }

    #[test]
    fn company_is_brought_when_the_first_slice_ends() {
        let race = Race::new(Pace::Together, false);
        let (mut seat, brought) = seat_with_company(&race);
        for is_there in [false, false, true] {
            seat.spend();
            assert_eq!(brought.load(Ordering::Relaxed), is_there);
        }
    }

    #[test]
    fn company_is_brought_where_a_slice_takes_too_long() {
        for (pace, is_hurried) in [(Pace::Together, true), (Pace::Alternate, false)] {
            let race = Race::new(pace, false);
            let (mut seat, brought) = seat_with_company(&race);
            seat.look(LONGEST_ALONE / 2);
            assert!(!brought.load(Ordering::Relaxed));
            seat.look(LONGEST_ALONE);
            assert_eq!(brought.load(Ordering::Relaxed), is_hurried);
        }
    }

    #[test]
    fn company_is_brought_by_who_leaves_an_open_race_only() {
        for is_finished in [false, true] {
            let race = Race::new(Pace::Together, false);
            let (seat, brought) = seat_with_company(&race);
            if is_finished {
                race.finish();
            }
            drop(seat);
            assert_eq!(brought.load(Ordering::Relaxed), !is_finished);
        }
    }

    #[test]
    fn who_is_left_alone_goes_on() {
        assert_eq!(order_of_work(Pace::Alternate, [0, 5]), [1; 5]);
        let order = order_of_work(Pace::Alternate, [40, 1]);
        assert_eq!(order.len(), 41);
    }

    #[test]
    fn a_scenario_is_heard_once_by_the_other_side() {
        let race = Race::new(Pace::AtOnce, false);
        let (mut first, mut second) = (race.seat(0, 0), race.seat(1, 0));
        first.tell_scenario(vec![(2, 1)]);
        second.tell_scenario(vec![(2, 0)]);
        assert_eq!(first.hear_scenarios(), [vec![(2, 0)]]);
        assert_eq!(second.hear_scenarios(), [vec![(2, 1)]]);
        assert!(first.hear_scenarios().is_empty());
    }

    #[test]
    fn a_finished_race_keeps_nobody_waiting() {
        let race = Race::new(Pace::Alternate, false);
        let (first, second) = (race.seat(0, 1), race.seat(1, 1));
        race.finish();
        second.wait();
        drop(first);
    }
}
