//! Where the replies of two neighbouring cells cost the same.

use super::super::tree::{Cells, Play};
use super::Refinement;
use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::{Rational, int};
use crate::outcome::Halt;
use crate::program::{Bounds, Kind, Quantifier, VarId};

impl Refinement<'_> {
    /// Where the reply of a cell that the worst play goes through and that of its neighbour cost the
    /// same, if the worst value is the wall between them.
    pub(super) fn crossings(
        &self,
        plays: &[(Play, Cells)],
        worst: usize,
        value: &impl Fn(VarId, usize) -> Rational,
        budget: &mut Budget,
    ) -> Result<Vec<(usize, Rational)>, Halt> {
        let mut found = Vec::new();
        for number in 0..self.last {
            let division = &self.divisions.0[number];
            if division.group.is_some() || division.walls.len() < 3 {
                continue;
            }
            let (play, cells) = &plays[worst];
            let cell = cells[number];
            let ends = [cell, cell + 1].map(|wall| &division.values[division.walls[wall as usize]]);
            let (neighbour, wall, far) = match (play[number] == *ends[0], play[number] == *ends[1])
            {
                (true, _) if cell > 0 => (cell - 1, ends[0], ends[1]),
                (_, true) if (cell as usize) + 2 < division.walls.len() => {
                    (cell + 1, ends[1], ends[0])
                }
                _ => continue,
            };
            let mut beyond = cells.clone();
            beyond[number] = neighbour;
            let Some(other) = plays.iter().position(|(_, cells)| *cells == beyond) else {
                continue;
            };
            let lead = |at: &Rational, budget: &mut Budget| -> Result<Option<Rational>, Halt> {
                let own = self.cost_along(number, at, (worst, worst), value, budget)?;
                let theirs = self.cost_along(number, at, (worst, other), value, budget)?;
                Ok(own.zip(theirs).map(|(own, theirs)| own - theirs))
            };
            found.extend(crossing(wall, far, lead, budget)?.map(|at| (number, at)));
        }
        Ok(found)
    }

    /// What the play costs with another value of a universal variable, where what was decided before it
    /// stays, integers decided later are those of `integers`, and reals are best.
    fn cost_along(
        &self,
        number: usize,
        at: &Rational,
        (play, integers): (usize, usize),
        value: &impl Fn(VarId, usize) -> Rational,
        budget: &mut Budget,
    ) -> Result<Option<Rational>, Halt> {
        let stages = &self.stages;
        let variables = stages.program.variables();
        let bounds = variables.pairs().map(|(var, variable)| {
            let is_later = stages.seen[var] > number;
            let fixed = |value: Rational| Bounds::between(value.clone(), value);
            match (variable.quantifier, variable.kind) {
                (Quantifier::Forall, _) if stages.seen[var] == number => fixed(at.clone()),
                (Quantifier::Exists, Kind::Real) if is_later => variable.domain(),
                (Quantifier::Exists, Kind::Integer) if is_later => fixed(value(var, integers)),
                _ => fixed(value(var, play)),
            }
        });
        let linear = LinearProgram {
            objective: stages.costs.clone(),
            bounds: bounds.collect(),
            rows: stages.program.rows().clone(),
        };
        Ok(match linear.solve(budget)? {
            Answer::Optimal { value, .. } => Some(value),
            _ => None,
        })
    }
}

/// A number between the wall and the far end at which a difference that is positive at the wall becomes
/// zero: false position, which ends where both are straight.
fn crossing(
    wall: &Rational,
    far: &Rational,
    lead: impl Fn(&Rational, &mut Budget) -> Result<Option<Rational>, Halt>,
    budget: &mut Budget,
) -> Result<Option<Rational>, Halt> {
    let zero = Rational::default();
    let Some(at_wall) = lead(wall, budget)?.filter(|lead| *lead > zero) else {
        return Ok(None);
    };
    let (mut above, mut below) = ((wall.clone(), at_wall), None);
    // The neighbour's reply may not reach as far as the far end.
    let mut reach = far.clone();
    for _ in 0..STEPS {
        match lead(&reach, budget)? {
            Some(lead) if lead < zero => {
                below = Some((reach, lead));
                break;
            }
            Some(lead) => above = (reach.clone(), lead),
            None => {}
        }
        reach = (&above.0 + reach) / int(2);
        if reach == above.0 {
            break;
        }
    }
    let Some(mut below) = below else {
        return Ok(None);
    };
    for _ in 0..STEPS {
        let part = &above.1 / (&above.1 - &below.1);
        let at = &above.0 + (&below.0 - &above.0) * part;
        match lead(&at, budget)? {
            Some(lead) if lead == zero => return Ok(Some(at)),
            Some(lead) if lead > zero => above = (at, lead),
            Some(lead) => below = (at, lead),
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Steps of a search for a crossing.
const STEPS: usize = 12;
