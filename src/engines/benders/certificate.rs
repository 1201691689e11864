//! Certificates of what the decomposition has proved.
//!
//! A *refutation* is made of the cuts. Each cut was proved by multipliers of the rows and cuts of a
//! stage, at one corner of the universal block before it; so it becomes a sum of those rows and of
//! the sums that those cuts became, behind the moves to that corner. The multipliers of the first
//! stage mix the sums of its cuts into the bound; whole variables there are split.
//!
//! A *strategy* ([`replies`](super::replies)) answers every corner; what lies between them is
//! answered by mixing.

use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::legal::Legal;
use super::stage::Derivation;
use super::visit::{Verdict, Window};
use super::{Engine, Settings};
use crate::budget::{Budget, Limits};
use crate::empty;
use crate::lp::simplex::Answer;
use crate::num::{Rational, int};
use crate::outcome::{
    CertificateError, Move, Outcome, SolveError, Status, Stop, cost_of_objective,
};
use crate::program::{Bounds, Id, IdVec, Program, Quantifier, RowId, Term, VarId};
use crate::strategy::{
    Certificate, Evidence, EvidenceBuilder, EvidenceNode, Guarantee, Item, Mixture, NodeId, Proof,
    SideRef, Step,
};

/// What an interrupted solve may take to prove each of its bounds.
const GRACE: std::time::Duration = std::time::Duration::from_millis(200);

/// Solves a program like [`solve`](super::solve) and proves the answer.
///
/// ```
/// use quip::benders::{Settings, solve_with_certificate};
/// use quip::budget::Budget;
/// use quip::check::check;
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "minimize 3 a + 5 b
///      subject to a + 2 b >= 4 + y
///      prefix exists real a in [0, 9]  forall real y in [0, 2]  exists real b in [0, 9]
///      end",
/// )?;
/// let settings = Settings::default();
/// let outcome = solve_with_certificate(&program, &settings, &mut Budget::unlimited())?;
/// let text = outcome.certificate.expect("it is set")?.to_text(&program);
/// assert_eq!(check(&program, text.as_bytes())?.claim, "optimal 15");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_with_certificate(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let mut engine = match Engine::open(program, settings, budget)? {
        Ok(engine) => engine,
        Err(mut outcome) => {
            outcome.certificate = Some(match outcome.status {
                // Who was stopped claims nothing.
                Status::Interrupted => Ok(outcome.claim(program)),
                _ if program.first_empty_domain().is_some() => {
                    empty::certified(program, &outcome, budget)
                }
                _ => Err(CertificateError::Unsupported(
                    "the game is decided before it is decomposed".into(),
                )),
            });
            return Ok(outcome);
        }
    };
    match engine.solve_first_stage(budget) {
        Ok(_) => {
            let made = engine.proofs(budget);
            let mut outcome = engine.proved(budget);
            outcome.certificate = Some(made.map(|sides| {
                let [strategy, refutation] = sides;
                Certificate {
                    strategy,
                    refutation,
                    ..outcome.claim(program)
                }
            }));
            Ok(outcome)
        }
        Err(stop) => Ok(interrupted(engine, stop, budget)),
    }
}

/// What was reported when a limit was reached, as far as it could be proved in a little time.
fn interrupted(mut engine: Box<Engine<'_>>, stop: Stop, budget: &Budget) -> Outcome {
    let program = engine.program;
    let grace = || {
        let limits = Limits {
            time: Some(GRACE),
            ..Limits::default()
        };
        Budget::new(limits, std::sync::Arc::default(), None)
    };
    let has_objective = program.objective().is_some() && !engine.endless;
    let reached = engine.reached.clone().filter(|_| has_objective);
    let strategy = reached.map(|(value, _)| engine.strategy(&value, &mut grace()));
    let bound = engine.bound.clone().filter(|_| has_objective);
    let refutation = bound.map(|bound| engine.refutation(Some(&bound), false, &mut grace()));
    let mut outcome = engine.interrupted(stop, budget);
    if !matches!(strategy, Some(Ok(_))) {
        outcome.objective = None;
        outcome.first_stage.clear();
    }
    if !matches!(refutation, Some(Ok(_))) {
        outcome.bound = None;
    }
    let proved = |side: Option<Result<Evidence, CertificateError>>| {
        let side = side.map(CertificateError::unless_fault);
        side.transpose().map(Option::flatten)
    };
    let sides = proved(strategy).and_then(|strategy| Ok((strategy, proved(refutation)?)));
    outcome.certificate = Some(sides.map(|(strategy, refutation)| Certificate {
        strategy,
        refutation,
        ..outcome.claim(program)
    }));
    outcome
}

impl Engine<'_> {
    /// Both sides of a program that was solved.
    fn proofs(&mut self, budget: &mut Budget) -> Result<[Option<Evidence>; 2], CertificateError> {
        let Some((value, _)) = self.reached.clone() else {
            return Ok([None, Some(self.refutation(None, true, budget)?)]);
        };
        let strategy = self.strategy(&value, budget)?;
        let needs_both = self.program.objective().is_some() && !self.endless;
        let refutation = match needs_both {
            true => Some(self.refutation(Some(&value), true, budget)?),
            false => None,
        };
        Ok([Some(strategy), refutation])
    }

    /// That nothing below `target` can be reached, or nothing at all; `visits`: cuts may be missing.
    fn refutation(
        &mut self,
        target: Option<&Rational>,
        visits: bool,
        budget: &mut Budget,
    ) -> Result<Evidence, CertificateError> {
        let legal = Legal::of(self.program, budget)?;
        let variables = self.stages[0].columns.clone();
        let domain = |var: &VarId| self.program.variables()[*var].domain();
        let mut ranges: Vec<Bounds> = variables.iter().map(domain).collect();
        let mut steps = Vec::new();
        let mut sums = Sums::new(self, legal);
        self.split(target, visits, &mut ranges, &mut sums, &mut steps, budget)?;
        let given = Vec::new();
        let root = sums.built.add(EvidenceNode::Bound {
            place: 0,
            play: sums.play(0, &[]),
            proof: Box::new(Proof { given, steps }),
        });
        let guarantee = match target {
            Some(target) => Guarantee::Cost(target + &self.constant),
            None => Guarantee::Lost,
        };
        Ok(sums.built.finish(Quantifier::Forall, guarantee, root))
    }

    /// Proves one box of the first stage's columns, split where whole ones are between numbers.
    fn split(
        &mut self,
        target: Option<&Rational>,
        visits: bool,
        ranges: &mut [Bounds],
        sums: &mut Sums,
        steps: &mut Vec<Step>,
        budget: &mut Budget,
    ) -> Result<(), CertificateError> {
        self.stages[0].set_bounds(ranges);
        if visits {
            let beta = target.cloned();
            let window = Window {
                beta,
                ..Window::default()
            };
            if let Verdict::Fractional(column, value) = self.visit(0, &window, budget)? {
                let var = self.stages[0].columns[column];
                let (whole, at) = (ranges[column].clone(), value.floor());
                steps.push(Step::Split(var, at.clone()));
                for part in [false, true] {
                    ranges[column] = whole.clone();
                    if part {
                        ranges[column].lower = Some(&at + int(1));
                    } else {
                        ranges[column].upper = Some(at.clone());
                    }
                    self.split(target, visits, ranges, sums, steps, budget)?;
                }
                ranges[column] = whole;
                return Ok(());
            }
        }
        let nothing = IdVec::filled(self.program.variables().len(), Rational::zero());
        self.stages[0].enter(&nothing);
        let (multipliers, bounds_cost) = match self.stages[0].solve(budget)? {
            Answer::Infeasible { multipliers } => (multipliers, false),
            Answer::Optimal { multipliers, .. } => (multipliers, true),
            Answer::Unbounded { .. } => {
                return Err(CertificateError::Wrong("a stage has no bound".into()));
            }
        };
        let by = multipliers.pairs().map(|(row, by)| (row, by.clone()));
        let by: Vec<(RowId, Rational)> = by.filter(|(_, by)| !by.is_zero()).collect();
        let mixture = sums.mixture(self, 0, &by, bounds_cost);
        steps.push(Step::Mix(mixture));
        Ok(())
    }
}

/// The sums that cuts and rows have become.
struct Sums {
    built: EvidenceBuilder,
    legal: Legal,
    order: Vec<VarId>,
    /// For each stage, the places where its universal block and its own block begin, and its end.
    places: Vec<[usize; 3]>,
    /// The rows of each stage, in its order.
    rows: Vec<Vec<RowId>>,
    known: FxHashMap<(usize, RowId), NodeId>,
}

impl Sums {
    fn new(engine: &Engine<'_>, legal: Legal) -> Self {
        let program = engine.program;
        let order = program.playing_order();
        let mut places = Vec::new();
        let mut place = 0;
        for stage in &engine.stages {
            let own = place + stage.corners.variables().len();
            let end = own + stage.columns.len();
            places.push([place, own, end]);
            place = end;
        }
        let mut rows = vec![Vec::new(); places.len()];
        for (id, row) in program.rows().pairs() {
            let is_decided = |var: VarId| program.variables()[var].quantifier == Quantifier::Exists;
            let last = row.terms.iter().rfind(|(var, _)| is_decided(*var));
            let stage = last.and_then(|(var, _)| {
                let mut stages = engine.stages.iter();
                stages.position(|stage| stage.columns.contains(var))
            });
            if let Some(stage) = stage {
                rows[stage].push(id);
            }
        }
        Self {
            built: EvidenceBuilder::default(),
            legal,
            order,
            places,
            rows,
            known: FxHashMap::default(),
        }
    }

    /// What the universal player does with his restricted variables from a place on, so that these
    /// terms are as large as they can be.
    fn play(&self, place: usize, terms: &[Term]) -> Vec<Move> {
        self.legal.play(&self.order[place..], terms)
    }

    /// What the multipliers of a stage mix at the place where its own block begins.
    fn mixture(
        &mut self,
        engine: &Engine<'_>,
        stage: usize,
        by: &[(RowId, Rational)],
        bounds_cost: bool,
    ) -> Mixture {
        let own_rows = self.rows[stage].len();
        let (mut sums, mut sides): (Mixture, Mixture) = (Vec::new(), Vec::new());
        let mut add = |item: Item, by: Rational| match item {
            Item::Sum(_) => sums.push((item, by)),
            Item::Side(_) => sides.push((item, by)),
        };
        for (row, by) in by {
            if row.index() < own_rows {
                let id = self.rows[stage][row.index()];
                let player = Quantifier::Exists.into();
                let side = match by.is_positive() {
                    true => SideRef::Lower(player, id),
                    false => SideRef::Upper(player, id),
                };
                add(self.side(engine, stage, side), by.abs());
            } else {
                let scale = engine.stages[stage].derivation(*row).scale.clone();
                let node = self.cut(engine, stage, *row);
                add(Item::Sum(node), by * scale);
            }
        }
        if bounds_cost && engine.stages[stage].is_last() {
            add(self.side(engine, stage, SideRef::Objective), int(1));
        }
        sums.extend(sides);
        sums
    }

    /// A side that ends in a stage; universal variables after it meet it at their worst.
    fn side(&mut self, engine: &Engine<'_>, stage: usize, side: SideRef) -> Item {
        let program = engine.program;
        let terms = match side {
            SideRef::Upper(_, row) | SideRef::Lower(_, row) => &program.rows()[row].terms,
            SideRef::Objective => program.objective().map_or(&[][..], |it| &it.terms),
            SideRef::Derived(_) => &[],
        };
        let place = self.places[stage][2];
        let later = &self.order[place..];
        if !terms.iter().any(|(var, _)| later.contains(var)) {
            return Item::Side(side);
        }
        // As a sum that must not be large.
        let signed = |(var, a): &Term| match side {
            SideRef::Upper(..) => (*var, a.clone()),
            SideRef::Lower(..) => (*var, -a),
            SideRef::Objective | SideRef::Derived(_) => {
                (*var, cost_of_objective(program, a.clone()))
            }
        };
        let signed: Vec<Term> = terms.iter().map(signed).collect();
        Item::Sum(self.built.add(EvidenceNode::Sum {
            place,
            play: self.play(place, &signed),
            mixture: vec![(Item::Side(side), int(1))],
        }))
    }

    /// The sum of a cut of a stage, at the place where the stage ends.
    fn cut(&mut self, engine: &Engine<'_>, stage: usize, row: RowId) -> NodeId {
        if let Some(node) = self.known.get(&(stage, row)) {
            return *node;
        }
        let next = stage + 1;
        let Derivation {
            by,
            corner,
            bounds_cost,
            ..
        } = engine.stages[stage].derivation(row);
        let mixture = self.mixture(engine, next, by, *bounds_cost);
        let [begin, own, _] = self.places[next];
        let mut node = self.built.add(EvidenceNode::Sum {
            place: own,
            play: self.play(own, &[]),
            mixture,
        });
        for &variable in self.order[begin..own].iter().rev() {
            let variables = engine.stages[next].corners.variables();
            let place = variables.iter().position(|var| *var == variable);
            let value = place.map_or_else(Rational::zero, |place| corner[place].clone());
            node = self.built.add(EvidenceNode::Choose {
                variable,
                value: value.into(),
                next: node,
            });
        }
        self.known.insert((stage, row), node);
        node
    }
}
