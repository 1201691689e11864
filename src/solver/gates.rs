//! Moves of the opponent that decisions close: `u <= 1 - x` says that `u` cannot be attacked where `x` protects it.
//!
//! A *gate* is a universal row with one universal variable, a binary `u`, that a sum over earlier existential
//! binaries closes or leaves open: it is closed if and only if no *literal* (`x`, or `1 - x`) holds, and even
//! then `u = 0` keeps the row. Where every other universal row with `u` speaks of universal variables alone, and
//! is kept all the more at `u = 0`, the gate is dropped and `u` counts as far as it is open: in the rows of the
//! existential player and the objective a new variable at the end of the prefix stands for it,
//!
//! ```text
//! w <= u    w <= Σ literals    w >= u + literal - 1 for each literal
//! ```
//!
//! which leaves `w` one value, `u` where the gate is open and zero where it is closed; where more of `u` never helps
//! the existential player, the last rows are enough. **The value stays:** a
//! move through a closed gate does what `u = 0` does and leaves the opponent no more than that; all other moves
//! are legal in both games. So the opponent's rows depend on no decision any more, and engines that know his
//! moves beforehand take the program.

use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use crate::num::{Rational, int};
use crate::outcome::{Move, Outcome};
use crate::program::{
    Bounds, Id, IdVec, Kind, Program, ProgramData, Quantifier, Row, Term, VarId, Variable,
    cost_of_objective, normalized,
};
use crate::strategy::{Branch, NodeId, Plan, PlanBuilder, PlanNode};

/// A decision that opens a gate: the variable, and the value at which it does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Literal {
    var: VarId,
    opens_at_one: bool,
}

impl Literal {
    fn holds(&self, value: &Rational) -> bool {
        value.is_one() == self.opens_at_one
    }

    /// Adds the literal, so many times, to a sum; what it adds by itself.
    fn add_to(&self, terms: &mut Vec<Term>, times: i64) -> Rational {
        let by = if self.opens_at_one { times } else { -times };
        terms.push((self.var, int(by)));
        int(times - by) / int(2)
    }
}

/// See the module.
struct Gate {
    /// What it closes.
    var: VarId,
    /// It is open where one of them holds.
    literals: Vec<Literal>,
}

/// A program without its gates.
pub(super) struct Ungated {
    /// The same game.
    pub program: Program,
    gates: Vec<Gate>,
    /// How many variables the program that was given has.
    count: usize,
}

/// The program without its gates, if it has some and no other universal row speaks of decisions.
pub(super) fn ungated(program: &Program) -> Option<Ungated> {
    let variables = program.variables();
    let is_own = |term: &Term| variables[term.0].quantifier == Quantifier::Exists;
    let (mut gates, mut rest) = (Vec::new(), Vec::new());
    for row in program.universal_rows() {
        match row.terms.iter().any(is_own) {
            true => gates.extend(gate(program, row)?),
            false => rest.push(row.clone()),
        }
    }
    let is_closed = |var: &VarId| gates.iter().any(|gate: &Gate| gate.var == *var);
    let is_kept_below = |row: &Row| {
        let mut closed = row.terms.iter().filter(|(var, _)| is_closed(var));
        closed.all(|(_, by)| match by > &Rational::zero() {
            true => row.lower.is_none(),
            false => row.upper.is_none(),
        })
    };
    if gates.is_empty() || !rest.iter().all(is_kept_below) {
        return None;
    }
    let mut data = program.clone().into_data();
    data.universal_rows = rest;
    let count = data.variables.len();
    let stand_ins = stand_ins(&mut data, &gates, &|var| hurts(program, var));
    let replaced = |terms: &mut Vec<Term>| {
        for (var, _) in terms.iter_mut() {
            *var = *stand_ins.get(var).unwrap_or(var);
        }
        terms.sort_by_key(|(var, _)| *var);
    };
    let own_rows = program.rows().len();
    data.rows[..own_rows]
        .iter_mut()
        .for_each(|row| replaced(&mut row.terms));
    data.objective
        .iter_mut()
        .for_each(|it| replaced(&mut it.terms));
    Some(Ungated {
        program: Program::new(data).ok()?,
        gates,
        count,
    })
}

/// The gate that a row is; none if nothing closes it; `None` if it is something else.
fn gate(program: &Program, row: &Row) -> Option<Option<Gate>> {
    let variables = program.variables();
    let is_theirs = |var: VarId| variables[var].quantifier == Quantifier::Forall;
    // As `by u + Σ … <= side` with a positive `by`.
    let mut theirs = row.terms.iter().filter(|(var, _)| is_theirs(*var));
    let (&(var, ref by), None) = (theirs.next()?, theirs.next()) else {
        return None;
    };
    let (sign, side) = match (by > &Rational::zero(), &row.lower, &row.upper) {
        (true, None, Some(upper)) => (int(1), upper.clone()),
        (false, Some(lower), None) => (int(-1), -lower),
        _ => return None,
    };
    let by = by * &sign;
    let decisions: Vec<Term> = row
        .terms
        .iter()
        .filter(|term| !is_theirs(term.0))
        .map(|(decided, factor)| (*decided, factor * &sign))
        .collect();
    let is_earlier = |term: &Term| term.0.index() < var.index();
    let is_binary = |var: VarId| is_binary(&variables[var]);
    if !is_binary(var) || !decisions.iter().all(|it| is_earlier(it) && is_binary(it.0)) {
        return None;
    }
    // What is left for `u` when every decision closes.
    let zero = Rational::zero();
    let least = decisions.iter().filter(|term| term.1 > zero);
    let least = side - least.map(|term| &term.1).sum::<Rational>();
    let missing = by - &least;
    if least < zero {
        return None;
    }
    if missing <= zero {
        return Some(None);
    }
    let opens = |term: &Term| term.1 >= missing || -&term.1 >= missing;
    decisions.iter().all(opens).then(|| {
        let literals = decisions.iter().map(|(var, factor)| Literal {
            var: *var,
            opens_at_one: *factor < zero,
        });
        Some(Gate {
            var,
            literals: literals.collect(),
        })
    })
}

fn is_binary(variable: &Variable) -> bool {
    let domain = variable.domain();
    let is = |end: &Option<Rational>, value: Rational| end.as_ref() == Some(&value);
    variable.kind == Kind::Integer && is(&domain.lower, int(0)) && is(&domain.upper, int(1))
}

/// Whether more of the variable leaves less room in every row of the existential player, and costs no less.
fn hurts(program: &Program, var: VarId) -> bool {
    let by = |terms: &[Term]| {
        let mut own = terms.iter().filter(|(other, _)| *other == var);
        own.next().map_or_else(Rational::zero, |(_, by)| by.clone())
    };
    let zero = Rational::zero();
    let rows_hurt = program.rows().iter().all(|row| {
        let by = by(&row.terms);
        by.is_zero() || (by > zero && row.lower.is_none()) || (by < zero && row.upper.is_none())
    });
    let objective = program.objective();
    rows_hurt && objective.is_none_or(|it| cost_of_objective(program, by(&it.terms)) >= zero)
}

/// Adds the variables that stand for what gates close, with their rows; by the variable.
fn stand_ins(
    data: &mut ProgramData,
    gates: &[Gate],
    hurts: &dyn Fn(VarId) -> bool,
) -> FxHashMap<VarId, VarId> {
    let mut stand_ins: FxHashMap<VarId, VarId> = FxHashMap::default();
    for gate in gates {
        let from = *stand_ins.get(&gate.var).unwrap_or(&gate.var);
        let open = VarId::new(data.variables.len());
        let mut name = format!("{}'", data.variables[from.index()].name);
        while data.variables.iter().any(|it| it.name == name) {
            name.push('\'');
        }
        data.variables.push(Variable {
            name,
            quantifier: Quantifier::Exists,
            kind: Kind::Real,
            bounds: Bounds::between(int(0), int(1)),
        });
        let difference = || vec![(open, int(1)), (from, int(-1))];
        if !hurts(gate.var) {
            let rows = &mut data.rows;
            rows.push(Row::at_most(normalized(difference()), int(0)));
            let mut most = vec![(open, int(1))];
            let sum = gate.literals.iter().map(|it| it.add_to(&mut most, -1));
            let constant: Rational = sum.sum();
            rows.push(Row::at_most(normalized(most), -constant));
        }
        for literal in &gate.literals {
            let mut least = difference();
            let constant = literal.add_to(&mut least, -1);
            data.rows
                .push(Row::at_least(normalized(least), int(-1) - constant));
        }
        stand_ins.insert(gate.var, open);
    }
    stand_ins
}

impl Ungated {
    /// What the outcome says about the program that was given.
    pub fn lifted(&self, mut outcome: Outcome) -> Outcome {
        let is_given = |var: VarId| var.index() < self.count;
        outcome.first_stage.retain(|(var, _)| is_given(*var));
        outcome
            .principal_variation
            .retain(|(var, _)| is_given(*var));
        self.keep_gates(&mut outcome.principal_variation);
        outcome.approached.retain(|(var, _)| is_given(*var));
        outcome.strategy = outcome.strategy.as_ref().map(|plan| self.plan(plan));
        // They may go through closed gates.
        outcome.refutation = None;
        outcome.scenarios.clear();
        outcome
    }

    /// Moves through closed gates are made to zero.
    fn keep_gates(&self, play: &mut [Move]) {
        let decided: FxHashMap<VarId, Rational> = play.iter().cloned().collect();
        for (var, value) in play {
            if self.closes(*var, &|var| decided.get(&var).cloned()) {
                *value = Rational::zero();
            }
        }
    }

    /// Whether a gate of the variable is closed.
    fn closes(&self, var: VarId, decided: &dyn Fn(VarId) -> Option<Rational>) -> bool {
        let is_open = |gate: &Gate| {
            let mut literals = gate.literals.iter();
            literals.any(|it| decided(it.var).is_none_or(|value| it.holds(&value)))
        };
        let mut own = self.gates.iter().filter(|gate| gate.var == var);
        own.any(|gate| !is_open(gate))
    }

    /// The plan without what stands for gated variables, and without moves through closed gates.
    fn plan(&self, plan: &Plan) -> Plan {
        let mut decisions: IdVec<VarId, Option<usize>> =
            IdVec::filled(self.program.variables().len(), None);
        let mut count = 0;
        for literal in self.gates.iter().flat_map(|gate| &gate.literals) {
            decisions[literal.var].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        let mut lift = Lift {
            ungated: self,
            plan,
            decisions,
            decided: vec![None; count],
            built: PlanBuilder::default(),
            known: FxHashMap::default(),
        };
        let root = lift.node(plan.root());
        lift.built.finish(plan.owner(), root)
    }
}

/// A plan on its way to the program that was given.
struct Lift<'a> {
    ungated: &'a Ungated,
    plan: &'a Plan,
    /// Where the values of decisions that open gates are kept.
    decisions: IdVec<VarId, Option<usize>>,
    decided: Vec<Option<Rational>>,
    built: PlanBuilder,
    known: FxHashMap<(NodeId, Vec<Option<Rational>>), NodeId>,
}

impl Lift<'_> {
    /// The node after what has been decided. As deep as there are universal variables.
    fn node(&mut self, id: NodeId) -> NodeId {
        let key = (id, self.decided.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let mut chosen = Vec::new();
        let mut at = id;
        while let PlanNode::Choose {
            variable,
            value,
            next,
        } = self.plan.node(at)
        {
            if variable.index() < self.ungated.count {
                chosen.push((*variable, value.clone()));
                self.decide(*variable, Some(value));
            }
            at = *next;
        }
        let mut made = match self.plan.node(at) {
            PlanNode::Await { variable, branches } => self.answers(*variable, branches),
            other => self.built.add(other.clone()),
        };
        for (variable, value) in chosen.into_iter().rev() {
            self.decide(variable, None);
            made = self.built.add(PlanNode::Choose {
                variable,
                value,
                next: made,
            });
        }
        self.known.insert(key, made);
        made
    }

    fn decide(&mut self, var: VarId, value: Option<&Rational>) {
        if let Some(place) = self.decisions[var] {
            self.decided[place] = value.cloned();
        }
    }

    /// The answers to what is legal: behind a closed gate there is zero alone.
    fn answers(&mut self, var: VarId, branches: &[Branch]) -> NodeId {
        let (decisions, decided) = (&self.decisions, &self.decided);
        let value = |var: VarId| decided[decisions[var]?].clone();
        let is_closed = self.ungated.closes(var, &value);
        let is_left = |branch: &&Branch| !is_closed || branch.from.is_zero();
        let left: Vec<Branch> = branches.iter().filter(is_left).cloned().collect();
        let branches = left.into_iter().map(|branch| Branch {
            next: self.node(branch.next),
            to: match is_closed {
                true => branch.from.clone(),
                false => branch.to,
            },
            from: branch.from,
        });
        let branches = branches.collect();
        self.built.add(PlanNode::Await {
            variable: var,
            branches,
        })
    }
}
