//! The programs behind the relaxations.

use std::collections::BTreeMap;

use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::scenario::Scenario;
use crate::lp::simplex::LinearProgram;
use crate::num::Rational;
use crate::program::{
    Bounds, Id, IdVec, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable, cost_of_objective,
};

/// Both players work together: everything is the existential player's, and both systems hold.
pub(super) fn cooperative(program: &Program) -> Program {
    let mut data = program.clone().into_data();
    for variable in &mut data.variables {
        variable.quantifier = Quantifier::Exists;
    }
    let mut rows: Vec<Row> = std::mem::take(&mut data.universal_rows);
    rows.extend(std::mem::take(&mut data.rows));
    data.rows = without_names(rows);
    valid(data)
}

/// All existential decisions first, then all universal ones, then what equations determine, such as a
/// stock: that follows and is not decided. `None` if universal rows depend on decisions, where
/// committing early changes what is legal.
pub(super) fn committed(program: &Program) -> Option<Program> {
    if depends_on_decisions(program) {
        return None;
    }
    let follows = determined(program);
    let mut order: Vec<VarId> = program.variables().ids().collect();
    order.sort_by_key(|&var| match program.variables()[var].quantifier {
        Quantifier::Exists if !follows[var] => 0,
        Quantifier::Forall => 1,
        Quantifier::Exists => 2,
    });
    let mut place = IdVec::filled(order.len(), VarId::new(0));
    for (number, &var) in order.iter().enumerate() {
        place[var] = VarId::new(number);
    }
    let mut data = program.clone().into_data();
    data.variables = order
        .iter()
        .map(|&var| program.variables()[var].clone())
        .collect();
    let moved = |terms: &mut Vec<Term>| {
        for (var, _) in terms {
            *var = place[*var];
        }
    };
    data.rows.iter_mut().for_each(|row| moved(&mut row.terms));
    data.universal_rows
        .iter_mut()
        .for_each(|row| moved(&mut row.terms));
    if let Some(objective) = &mut data.objective {
        moved(&mut objective.terms);
    }
    Some(valid(data))
}

/// The existential variables that an equation gives a value from earlier ones, among them a universal
/// one: each equation determines its last variable.
fn determined(program: &Program) -> IdVec<VarId, bool> {
    let universal = |var: VarId| program.variables()[var].quantifier == Quantifier::Forall;
    let mut found = IdVec::filled(program.variables().len(), false);
    // In the order of the last variables, so that what depends on a determined one is determined too.
    let mut equations: Vec<&Row> = program
        .rows()
        .iter()
        .filter(|row| row.is_equation())
        .collect();
    equations.sort_by_key(|row| row.terms.last().map(|(var, _)| var.index()));
    for row in equations {
        if let Some(((last, _), earlier)) = row.terms.split_last()
            && !universal(*last)
            && earlier
                .iter()
                .any(|(var, _)| universal(*var) || found[*var])
        {
            found[*last] = true;
        }
    }
    found
}

/// Whether a universal row mentions an existential variable.
pub(super) fn depends_on_decisions(program: &Program) -> bool {
    let existential = |(var, _): &Term| program.variables()[*var].quantifier == Quantifier::Exists;
    let mut rows = program.universal_rows().iter();
    rows.any(|row| row.terms.iter().any(existential))
}

/// The game against an opponent who plays one of these scenarios, and shows which one only by his
/// moves: one copy of an existential variable for each history that is seen before it.
pub(super) fn against(program: &Program, scenarios: &[Scenario]) -> Program {
    Copies::new(program).build(scenarios)
}

struct Copies<'a> {
    program: &'a Program,
    data: ProgramData,
    /// The copy of a variable after a history.
    known: BTreeMap<(usize, Vec<Rational>), VarId>,
    /// Costs in whole multiples: the worst cost is then whole if everything is.
    costs: Vec<Term>,
    scale: Rational,
}

impl<'a> Copies<'a> {
    fn new(program: &'a Program) -> Self {
        let objective = program.objective();
        let terms = objective.map_or(Vec::new(), |objective| objective.terms.clone());
        let denominators = terms.iter().map(|(_, by)| by.denom().clone());
        let scale = denominators.fold(One::one(), |all, one| Integer::lcm(&all, &one));
        let scale = Rational::from_integer(scale);
        let costs = terms
            .into_iter()
            .map(|(var, by)| (var, cost_of_objective(program, by * &scale)));
        Self {
            costs: costs.collect(),
            scale,
            program,
            data: ProgramData::default(),
            known: BTreeMap::new(),
        }
    }

    fn build(mut self, scenarios: &[Scenario]) -> Program {
        let worst = (scenarios.len() > 1 && !self.costs.is_empty()).then(|| self.worst_cost());
        for scenario in scenarios {
            let copies = self.copies(scenario);
            for row in self.program.rows() {
                let (terms, constant) = put_in(&row.terms, scenario, &copies);
                self.data.rows.push(Row {
                    name: None,
                    terms,
                    lower: row.lower.as_ref().map(|side| side - &constant),
                    upper: row.upper.as_ref().map(|side| side - &constant),
                });
            }
            let (mut terms, constant) = put_in(&self.costs, scenario, &copies);
            match worst {
                Some(worst) => {
                    terms.push((worst, -Rational::one()));
                    self.data.rows.push(Row::at_most(terms, -constant));
                }
                None => self.set_objective(&terms, &constant),
            }
        }
        if let Some(worst) = worst {
            self.set_objective(&[(worst, Rational::one())], &Rational::zero());
        }
        valid(self.data)
    }

    /// Back from whole costs to the user's objective.
    fn set_objective(&mut self, costs: &[Term], constant: &Rational) {
        let Some(objective) = self.program.objective() else {
            return;
        };
        let user = |cost: &Rational| cost_of_objective(self.program, cost / &self.scale);
        self.data.objective = Some(Objective {
            name: None,
            sense: objective.sense,
            terms: costs.iter().map(|(var, by)| (*var, user(by))).collect(),
            constant: user(constant) + &objective.constant,
        });
    }

    /// A variable for the worst cost, with the range that costs can have.
    fn worst_cost(&mut self) -> VarId {
        let (mut lower, mut upper) = (Some(Rational::zero()), Some(Rational::zero()));
        let mut kind = Kind::Integer;
        for (var, by) in &self.costs {
            let variable = &self.program.variables()[*var];
            let domain = variable.domain();
            let (first, second) = if by.is_positive() {
                (domain.lower, domain.upper)
            } else {
                (domain.upper, domain.lower)
            };
            lower = lower.zip(first).map(|(sum, end)| sum + by * end);
            upper = upper.zip(second).map(|(sum, end)| sum + by * end);
            if variable.kind == Kind::Real {
                kind = Kind::Real;
            }
        }
        self.add(Variable {
            name: "worst".to_owned(),
            quantifier: Quantifier::Exists,
            kind,
            bounds: Bounds { lower, upper },
        })
    }

    fn add(&mut self, variable: Variable) -> VarId {
        let number = self.data.variables.len();
        self.data.variables.push(Variable {
            name: format!("x{number}"),
            ..variable
        });
        VarId::new(number)
    }

    /// The copies that a scenario sees; those it shares with earlier ones are theirs.
    fn copies(&mut self, scenario: &Scenario) -> IdVec<VarId, Option<VarId>> {
        let mut seen: Vec<Rational> = Vec::new();
        let mut copies = IdVec::filled(scenario.len(), None);
        for (var, variable) in self.program.variables().pairs() {
            if let Some(value) = &scenario[var] {
                seen.push(value.clone());
                continue;
            }
            let history = (var.index(), seen.clone());
            let copy = match self.known.get(&history) {
                Some(&copy) => copy,
                None => {
                    let copy = self.add(variable.clone());
                    self.known.insert(history, copy);
                    copy
                }
            };
            copies[var] = Some(copy);
        }
        copies
    }
}

/// Terms over copies, and what the scenario makes of the rest.
fn put_in(
    terms: &[Term],
    scenario: &Scenario,
    copies: &IdVec<VarId, Option<VarId>>,
) -> (Vec<Term>, Rational) {
    let mut constant = Rational::zero();
    let mut kept = Vec::new();
    for (var, by) in terms {
        match (&scenario[*var], copies[*var]) {
            (Some(value), _) => constant += by * value,
            (None, Some(copy)) => kept.push((copy, by.clone())),
            (None, None) => unreachable!("every existential variable has a copy"),
        }
    }
    (kept, constant)
}

/// The linear program that is left when integers may be anything between their bounds, as costs.
pub(super) fn linear(program: &Program) -> LinearProgram {
    let objective = program.objective();
    let terms = objective.map_or(Vec::new(), |objective| objective.terms.clone());
    let costs = terms.into_iter();
    LinearProgram {
        objective: costs
            .map(|(var, by)| (var, cost_of_objective(program, by)))
            .collect(),
        bounds: IdVec::from_vec(program.variables().iter().map(Variable::domain).collect()),
        rows: program.rows().clone(),
    }
}

/// The constant of the objective, as a cost.
pub(super) fn constant_cost(program: &Program) -> Rational {
    match program.objective() {
        Some(Objective {
            sense: Sense::Maximize,
            constant,
            ..
        }) => -constant,
        Some(objective) => objective.constant.clone(),
        None => Rational::zero(),
    }
}

fn without_names(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter()
        .map(|row| Row { name: None, ..row })
        .collect()
}

fn valid(data: ProgramData) -> Program {
    Program::new(data).expect("invariant: derived programs are well formed")
}
