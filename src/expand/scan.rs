//! Branching on the first stage, each collected play on its own.
//!
//! A master over many plays is a large integer program with a weak relaxation. When the adversary
//! moves only once, the plays can stay apart instead: a part of the first stage is closed as soon
//! as *one* play alone costs too much there, which a small program shows. Where none does, a
//! candidate is put to the adversary; the play that refutes it says how the first stage must
//! differ from the candidate, and there the part is split. With a budget of `k` decisions and
//! plays that each hurt in few places this is the bounded search tree of a hitting set.
//!
//! **Invariant:** a part is closed only by exact branch and bound over one legal play.

use super::game::{Game, Worst};
use crate::budget::Budget;
use crate::equivalent::{Branching, Skeleton, Tree};
use crate::outcome::Stop;

/// One play with its own small program.
struct Scenario {
    play: usize,
    tree: Tree,
    program: Branching,
}

impl Scenario {
    fn new(skeleton: &Skeleton, play: usize, values: &[i64]) -> Self {
        let mut tree = Tree::new(skeleton);
        tree.add_play(skeleton, values);
        let mut program = Branching::new(tree.problem());
        for column in 0..tree.problem().columns.len() {
            program.set_rank(column, tree.rank(column));
        }
        Self {
            play,
            tree,
            program,
        }
    }

    /// The first stage of the cheapest answer to the play inside the box, if it is cheap enough.
    fn best_response(
        &mut self,
        part: &[(i64, i64)],
        limit: Option<i64>,
        budget: &mut Budget,
    ) -> Result<Option<(i64, Vec<i64>)>, Stop> {
        let first = self.tree.first_stage_column();
        for (place, &(lower, upper)) in part.iter().enumerate() {
            self.program.set_box(first + place, lower, upper);
        }
        let answer = self.program.minimise(limit, budget);
        match (answer.best, answer.stop) {
            (_, Some(stop)) => Err(stop),
            (None, None) => Ok(None),
            (Some(point), None) => {
                let stage = point.values[first..first + part.len()].to_vec();
                Ok(Some((point.cost, stage)))
            }
        }
    }
}

/// A part of the first stage that is still open.
struct Part {
    boxes: Vec<(i64, i64)>,
    /// A point of the part, and the scenario that refutes it.
    refuted: Option<(Vec<i64>, usize)>,
}

/// What a scan knows.
pub struct Scan {
    scenarios: Vec<Scenario>,
    /// Scenarios in the order in which they are tried: what closed a part last comes first.
    order: Vec<usize>,
    /// The best first stage so far and what it guarantees.
    pub incumbent: Option<(i64, Vec<i64>)>,
}

impl Scan {
    /// Starts with one play.
    pub fn new(skeleton: &Skeleton, game: &Game<'_>, play: usize) -> Self {
        Self {
            scenarios: vec![Scenario::new(skeleton, play, game.play(play))],
            order: vec![0],
            incumbent: None,
        }
    }

    /// How many plays were collected.
    pub fn plays(&self) -> usize {
        self.scenarios.len()
    }

    /// Linear programs solved.
    pub fn lps(&self) -> u64 {
        self.scenarios
            .iter()
            .map(|scenario| scenario.program.lps())
            .sum()
    }

    /// Closes every part of the first stage; then the incumbent is optimal, or there is none.
    pub fn exhaust(
        &mut self,
        skeleton: &Skeleton,
        game: &mut Game<'_>,
        budget: &mut Budget,
        mut improved: impl FnMut(&Self, &mut Budget),
    ) -> Result<(), Stop> {
        let boxes = skeleton.stages[0].iter().map(|&var| skeleton.boxes[var]);
        let mut open = vec![Part {
            boxes: boxes.collect(),
            refuted: None,
        }];
        while let Some(mut part) = open.pop() {
            budget.spend_node()?;
            // Step 1. One play alone closes the part.
            let Some(hardest) = self.hardest_response(&part, budget)? else {
                continue;
            };
            // Step 2. A candidate, and the play that refutes it.
            let (candidate, scenario) = match part.refuted.take() {
                Some(refuted) => refuted,
                None => {
                    let limit = self.incumbent.as_ref().map(|found| found.0);
                    match game.worst(&hardest, limit, budget)? {
                        Worst::Cost(cost) => {
                            self.incumbent = Some((cost, hardest));
                            improved(self, budget);
                            open.push(part);
                            continue;
                        }
                        Worst::Refuted(play) => (hardest, self.collect(skeleton, game, play)),
                    }
                }
            };
            // Step 3. Split where the best answer to that play differs from the candidate.
            let limit = self.incumbent.as_ref().map(|found| found.0);
            let response = self.scenarios[scenario].best_response(&part.boxes, limit, budget)?;
            let Some((_, response)) = response else {
                self.to_front(scenario);
                continue;
            };
            open.extend(split(&part.boxes, candidate, &response, scenario));
        }
        Ok(())
    }

    /// The first stage that is best against the play that costs most in the part; `None` if some
    /// play alone closes the part.
    fn hardest_response(
        &mut self,
        part: &Part,
        budget: &mut Budget,
    ) -> Result<Option<Vec<i64>>, Stop> {
        let limit = self.incumbent.as_ref().map(|found| found.0);
        let mut hardest: Option<(i64, Vec<i64>)> = None;
        for place in 0..self.order.len() {
            let scenario = self.order[place];
            let response = self.scenarios[scenario].best_response(&part.boxes, limit, budget)?;
            let Some((cost, stage)) = response else {
                self.order[..=place].rotate_right(1);
                return Ok(None);
            };
            if hardest.as_ref().is_none_or(|(most, _)| cost > *most) {
                hardest = Some((cost, stage));
            }
        }
        Ok(hardest.map(|(_, stage)| stage))
    }

    fn collect(&mut self, skeleton: &Skeleton, game: &Game<'_>, play: usize) -> usize {
        let known = self.scenarios.iter().position(|known| known.play == play);
        known.unwrap_or_else(|| {
            self.scenarios
                .push(Scenario::new(skeleton, play, game.play(play)));
            self.order.insert(0, self.scenarios.len() - 1);
            self.scenarios.len() - 1
        })
    }

    fn to_front(&mut self, scenario: usize) {
        let place = self.order.iter().position(|&other| other == scenario);
        if let Some(place) = place {
            self.order[..=place].rotate_right(1);
        }
    }
}

/// Two parts, the one with the response last: it is looked at first.
fn split(
    boxes: &[(i64, i64)],
    candidate: Vec<i64>,
    response: &[i64],
    scenario: usize,
) -> [Part; 2] {
    let differs = |place: &usize| candidate[*place] != response[*place];
    let place = (0..boxes.len()).find(differs);
    let place = place.expect("invariant: a play does not refute its own best answer");
    let (ours, theirs) = (candidate[place], response[place]);
    let (mut near, mut far) = (boxes.to_vec(), boxes.to_vec());
    if theirs > ours {
        near[place].1 = theirs - 1;
        far[place].0 = theirs;
    } else {
        near[place].0 = theirs + 1;
        far[place].1 = theirs;
    }
    [
        Part {
            boxes: near,
            refuted: Some((candidate, scenario)),
        },
        Part {
            boxes: far,
            refuted: None,
        },
    ]
}
