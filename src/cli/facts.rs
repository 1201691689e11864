//! What can be said about a program without solving it.

use num_traits::Signed;
use quip::num::Rational;
use quip::program::{Block, Kind, Objective, Program, Quantifier, Row, Variable};
use serde::Serialize;

/// How many variables of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Kinds {
    pub binary: usize,
    pub integer: usize,
    pub real: usize,
}

/// One block of the prefix.
#[derive(Debug, Serialize)]
pub struct BlockFacts {
    pub quantifier: String,
    pub variables: usize,
    #[serde(flatten)]
    pub kinds: Kinds,
    /// Fewest and most values of an integer variable.
    pub domain_sizes: Option<[String; 2]>,
}

/// One system of rows.
#[derive(Debug, Serialize)]
pub struct SystemFacts {
    pub rows: usize,
    pub equations: usize,
    pub nonzeros: usize,
}

/// Everything `info` says, lints aside.
#[derive(Debug, Serialize)]
pub struct Facts {
    pub class: ClassFacts,
    pub sense: Option<String>,
    pub exists: Kinds,
    pub forall: Kinds,
    pub domain_sizes: Option<[String; 2]>,
    pub blocks: Vec<BlockFacts>,
    pub existential: SystemFacts,
    pub universal: SystemFacts,
    /// Least and greatest absolute coefficient.
    pub coefficients: Option<[String; 2]>,
}

/// The class of the program.
#[derive(Debug, Serialize)]
pub struct ClassFacts {
    pub shape: String,
    pub clausal: bool,
    pub decision_dependent: bool,
    pub simply_restricted: bool,
}

impl Facts {
    /// Looks at everything once.
    pub fn of(program: &Program) -> Self {
        let class = program.class();
        let owned = |quantifier| {
            let variables = program.variables().iter();
            Kinds::count(variables.filter(move |variable| variable.quantifier == quantifier))
        };
        let spelled = |(least, most): (Rational, Rational)| [least.to_string(), most.to_string()];
        Self {
            class: ClassFacts {
                shape: class.shape.to_string(),
                clausal: class.clausal,
                decision_dependent: class.decision_dependent,
                simply_restricted: class.simply_restricted,
            },
            sense: program
                .objective()
                .map(|objective| objective.sense.to_string()),
            exists: owned(Quantifier::Exists),
            forall: owned(Quantifier::Forall),
            domain_sizes: domain_sizes(program.variables().iter()).map(spelled),
            blocks: program
                .blocks()
                .iter()
                .map(|block| BlockFacts::of(program, block))
                .collect(),
            existential: SystemFacts::of(program.rows().iter()),
            universal: SystemFacts::of(program.universal_rows().iter()),
            coefficients: coefficient_range(program).map(spelled),
        }
    }
}

impl Kinds {
    fn count<'a>(variables: impl Iterator<Item = &'a Variable>) -> Self {
        let mut kinds = Self::default();
        for variable in variables {
            match variable.kind {
                Kind::Real => kinds.real += 1,
                Kind::Integer if variable.is_binary() => kinds.binary += 1,
                Kind::Integer => kinds.integer += 1,
            }
        }
        kinds
    }

    /// All kinds together.
    pub fn total(self) -> usize {
        self.binary + self.integer + self.real
    }
}

impl BlockFacts {
    fn of(program: &Program, block: &Block) -> Self {
        let variables = || block.variables().map(|var| &program.variables()[var]);
        let sizes = domain_sizes(variables());
        Self {
            quantifier: block.quantifier.to_string(),
            variables: block.len(),
            kinds: Kinds::count(variables()),
            domain_sizes: sizes.map(|(least, most)| [least.to_string(), most.to_string()]),
        }
    }
}

impl SystemFacts {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut facts = Self {
            rows: 0,
            equations: 0,
            nonzeros: 0,
        };
        for row in rows {
            facts.rows += 1;
            facts.equations += usize::from(row.is_equation());
            facts.nonzeros += row.terms.len();
        }
        facts
    }
}

/// The fewest and the most values that an integer variable can take.
fn domain_sizes<'a>(variables: impl Iterator<Item = &'a Variable>) -> Option<(Rational, Rational)> {
    let size = |variable: &Variable| {
        let domain = variable.domain();
        let width = domain.upper? - domain.lower?;
        Some((width + quip::num::int(1)).max(quip::num::int(0)))
    };
    let integers = variables.filter(|variable| variable.kind == Kind::Integer);
    extremes(integers.filter_map(size))
}

/// The least and the greatest absolute coefficient of rows and objective.
pub fn coefficient_range(program: &Program) -> Option<(Rational, Rational)> {
    let rows = program.rows().iter().chain(program.universal_rows());
    let objective: Option<&Objective> = program.objective();
    let terms = rows
        .flat_map(|row| &row.terms)
        .chain(objective.into_iter().flat_map(|objective| &objective.terms));
    extremes(terms.map(|(_, coefficient)| coefficient.abs()))
}

/// The least and the greatest of some numbers.
pub fn extremes(numbers: impl Iterator<Item = Rational>) -> Option<(Rational, Rational)> {
    use itertools::Itertools;
    numbers.minmax().into_option()
}
