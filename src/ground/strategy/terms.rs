//! A strategy as terms: each variable of the owner as a function of what the opponent does.
//!
//! ```text
//! x1_1 = true
//! x3_6 = ite(x2_4, false, true)
//! order = ite(d1 >= 2, 3, 0)
//! ```
//!
//! `ite(c, a, b)` is `a` if `c` holds and `b` otherwise. Where the opponent's rows leave him no
//! choice a term may be anything, so two terms that never contradict each other become one, and
//! what tells them apart is not asked. A term that is used more than once is named `$1`, `$2`, …
//! and stands once. `mix(y, a, s, b, t)` is `s` at `y = a`, `t` at `y = b`, and affine in between.

use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::held::{End, Strategy, StrategyNode};
use super::outline::{condition, headline, is_mixed};
use crate::num::{Digits, Rational, int};
use crate::program::{Bounds, Program, VarId};

/// How many pairs of a node and a variable are looked at.
const MOST_WORK: usize = 50_000_000;
/// How much is tried to make two terms one.
const MOST_PAIRS: usize = 400;
/// Letters of a text in which nothing is named.
const MOST_LETTERS: usize = 50_000_000;
/// Longer terms are named.
const LONGEST: usize = 160;

/// The terms of a strategy would be too many to write down.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "terms for {variables} variables over {nodes} nodes would be too many; \
     write the strategy as .txt or .json"
)]
pub struct TooManyTerms {
    /// Nodes of the strategy.
    pub nodes: usize,
    /// Variables of its owner.
    pub variables: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    /// A value, and whether it is one of a variable over zero and one.
    Value(Rational, bool),
    /// Disjoint ranges in increasing order; outside of them the term may be anything.
    Split(VarId, Vec<(Rational, Rational, usize)>),
    /// What depends on the play in a way that the strategy does not tell.
    Untold,
}

/// Terms, each once; a term's parts come before it.
#[derive(Default)]
struct Terms {
    terms: Vec<Term>,
    ids: FxHashMap<Term, usize>,
    joined: FxHashMap<(usize, usize), Option<usize>>,
    pairs: usize,
}

impl Strategy {
    /// The strategy as terms, one line for each variable of its owner.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip("subject to x + y = 1 prefix forall binary y exists binary x end")?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// assert!(strategy.to_terms(&program)?.ends_with("x = ite(y, false, true)\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_terms(&self, program: &Program) -> Result<String, TooManyTerms> {
        let (terms, roots) = self.terms(program, |_| true)?;
        let body = Printer::new(program, &terms, &roots).print(&roots);
        Ok(format!(
            "# {}\n{body}",
            headline(program, Digits::Exact, self)
        ))
    }

    /// The strategy of a Boolean program in the way of GhostQ, `list(list(x, ite(y, true(), false())), …)`: of
    /// the variables that have a `name`, so that gates may be left out. What no play fixes is false.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip("subject to x + y = 1 prefix forall binary y exists binary x end")?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// let lists = strategy.to_lists(&program, |var| Some(program.variables()[var].name.clone()))?;
    /// assert_eq!(lists, "list(list(x, ite(y, false(), true())))\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_lists(
        &self,
        program: &Program,
        name: impl Fn(VarId) -> Option<String>,
    ) -> Result<String, TooManyTerms> {
        let (terms, roots) = self.terms(program, |var| name(var).is_some())?;
        let too_many = || TooManyTerms {
            nodes: self.nodes().len(),
            variables: roots.len(),
        };
        let mut words: Vec<String> = Vec::with_capacity(terms.terms.len());
        let mut length = 0;
        for term in &terms.terms {
            let word = match term {
                Term::Value(value, _) if value.is_zero() => "false()".to_owned(),
                Term::Value(..) => "true()".to_owned(),
                Term::Untold => return Err(too_many()),
                Term::Split(variable, parts) => {
                    let end = |at: i64| {
                        let mut parts = parts.iter();
                        let part = parts.find(|(from, to, _)| *from <= int(at) && int(at) <= *to);
                        part.map_or("false()", |(_, _, part)| &words[*part])
                    };
                    let asked = name(*variable).unwrap_or_default();
                    format!("ite({asked}, {}, {})", end(1), end(0))
                }
            };
            length += word.len();
            if length > MOST_LETTERS {
                return Err(too_many());
            }
            words.push(word);
        }
        let lists = roots.iter().map(|(var, root)| {
            let word = root.map_or("false()", |root| &words[root]);
            format!("list({}, {word})", name(*var).unwrap_or_default())
        });
        Ok(format!("list({})\n", lists.collect::<Vec<_>>().join(", ")))
    }

    /// The terms of those variables of the owner that are wanted.
    fn terms(
        &self,
        program: &Program,
        is_wanted: impl Fn(VarId) -> bool,
    ) -> Result<(Terms, Roots), TooManyTerms> {
        let pairs = program.variables().pairs();
        let own = pairs.filter_map(|(var, it)| (it.quantifier == self.owner()).then_some(var));
        let own: Vec<VarId> = own.filter(|var| is_wanted(*var)).collect();
        if self.nodes().len().saturating_mul(own.len()) > MOST_WORK {
            return Err(TooManyTerms {
                nodes: self.nodes().len(),
                variables: own.len(),
            });
        }
        let mut terms = Terms::default();
        let roots = own
            .into_iter()
            .map(|var| (var, terms.of(program, self, var)))
            .collect();
        Ok((terms, roots))
    }
}

/// Variables with their terms; `None` where no play fixes the variable.
type Roots = Vec<(VarId, Option<usize>)>;

impl Terms {
    fn add(&mut self, term: Term) -> usize {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        self.terms.push(term.clone());
        self.ids.insert(term, self.terms.len() - 1);
        self.terms.len() - 1
    }

    /// The term of a variable; `None` if no play fixes it.
    fn of(&mut self, program: &Program, strategy: &Strategy, wanted: VarId) -> Option<usize> {
        let is_truth = program.variables()[wanted].is_binary();
        let mut below: Vec<Option<usize>> = Vec::with_capacity(strategy.nodes().len());
        for node in strategy.nodes() {
            let term = match node {
                StrategyNode::Choose {
                    variable, value, ..
                } if *variable == wanted => Some(self.add(Term::Value(value.clone(), is_truth))),
                StrategyNode::Choose { next, .. } => below[next.index()],
                StrategyNode::End(End::Settled(moves) | End::Open(moves))
                    if moves.iter().any(|(variable, _)| *variable == wanted) =>
                {
                    let mut moves = moves.iter();
                    let made = moves.find(|(variable, _)| *variable == wanted);
                    made.map(|(_, value)| self.add(Term::Value(value.clone(), is_truth)))
                }
                StrategyNode::End(End::Open(_) | End::Cut) => Some(self.add(Term::Untold)),
                StrategyNode::End(_) => None,
                StrategyNode::Await {
                    variable, branches, ..
                } => {
                    let parts = branches.iter().filter_map(|branch| {
                        let term = below[branch.next.index()]?;
                        Some((branch.from.clone(), branch.to.clone(), term))
                    });
                    let parts: Vec<_> = parts.collect();
                    self.split(program, *variable, parts)
                }
            };
            below.push(term);
        }
        below[strategy.root().index()]
    }

    /// The parts as one term: without asking for the variable, if they never contradict each other.
    fn split(
        &mut self,
        program: &Program,
        variable: VarId,
        parts: Vec<(Rational, Rational, usize)>,
    ) -> Option<usize> {
        let (from, to, first) = parts.first()?.clone();
        let several = parts.len() > 1;
        let whole = Bounds::between(from, to) == program.variables()[variable].domain();
        if whole || (several && parts.iter().all(|(_, _, part)| *part == first)) {
            return Some(first);
        }
        if several {
            self.pairs = 0;
            let joined = parts
                .iter()
                .try_fold(first, |all, (_, _, part)| self.join(all, *part));
            if joined.is_some() {
                return joined;
            }
        }
        Some(self.add(Term::Split(variable, parts)))
    }

    /// A term that is equal to either where that is not free; `None` if there is none, or none that
    /// is easily found.
    fn join(&mut self, one: usize, other: usize) -> Option<usize> {
        if one == other {
            return Some(one);
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.joined.get(&key) {
            return known;
        }
        self.pairs += 1;
        if self.pairs > MOST_PAIRS {
            return None;
        }
        let joined = match (self.terms[one].clone(), self.terms[other].clone()) {
            (Term::Value(..) | Term::Untold, Term::Value(..) | Term::Untold) => None,
            (Term::Split(a, parts), Term::Split(b, others)) if a == b => {
                self.join_parts(a, parts, others)
            }
            // The one that is asked later does not know the other's variable.
            (Term::Split(a, parts), Term::Split(b, _)) if a < b => self.join_all(other, &parts),
            (Term::Split(..), Term::Split(_, parts)) => self.join_all(one, &parts),
            (Term::Split(_, parts), _) => self.join_all(other, &parts),
            (_, Term::Split(_, parts)) => self.join_all(one, &parts),
        };
        if self.pairs <= MOST_PAIRS {
            self.joined.insert(key, joined);
        }
        joined
    }

    fn join_all(&mut self, term: usize, parts: &[(Rational, Rational, usize)]) -> Option<usize> {
        let mut parts = parts.iter();
        parts.try_fold(term, |all, (_, _, part)| self.join(all, *part))
    }

    fn join_parts(
        &mut self,
        variable: VarId,
        mut parts: Vec<(Rational, Rational, usize)>,
        others: Vec<(Rational, Rational, usize)>,
    ) -> Option<usize> {
        for (from, to, term) in others {
            let place = parts.partition_point(|(_, end, _)| *end < from);
            match parts.get(place) {
                Some((first, last, here)) if *first == from && *last == to => {
                    parts[place].2 = self.join(*here, term)?;
                }
                Some((first, ..)) if *first <= to => return None,
                _ => parts.insert(place, (from, to, term)),
            }
        }
        Some(self.add(Term::Split(variable, parts)))
    }
}

/// Spells terms, parts before wholes.
struct Printer<'a> {
    program: &'a Program,
    terms: &'a Terms,
    /// What stands for a term: its spelling, or its name.
    words: Vec<String>,
    uses: Vec<usize>,
    text: String,
    names: usize,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, terms: &'a Terms, roots: &[(VarId, Option<usize>)]) -> Self {
        let mut uses = vec![0; terms.terms.len()];
        for id in roots.iter().filter_map(|(_, root)| *root) {
            uses[id] += 1;
        }
        for id in (0..terms.terms.len()).rev() {
            if let (Term::Split(_, parts), true) = (&terms.terms[id], uses[id] > 0) {
                let mut parts: Vec<usize> = parts.iter().map(|(_, _, part)| *part).collect();
                parts.sort_unstable();
                parts.dedup();
                parts.into_iter().for_each(|part| uses[part] += 1);
            }
        }
        Self {
            program,
            terms,
            words: Vec::with_capacity(terms.terms.len()),
            uses,
            text: String::new(),
            names: 0,
        }
    }

    fn print(mut self, roots: &[(VarId, Option<usize>)]) -> String {
        for (id, term) in self.terms.terms.iter().enumerate() {
            let words = match term {
                _ if self.uses[id] == 0 => String::new(),
                Term::Value(value, true) => (!value.is_zero()).to_string(),
                Term::Value(value, false) => value.to_string(),
                Term::Untold => "depends".to_owned(),
                Term::Split(variable, parts) => {
                    let words = self.spelled(*variable, parts);
                    let nested = words.contains('(');
                    if nested && (self.uses[id] > 1 || words.len() > LONGEST) {
                        self.names += 1;
                        self.text += &format!("${} = {words}\n", self.names);
                        format!("${}", self.names)
                    } else {
                        words
                    }
                }
            };
            self.words.push(words);
        }
        for (var, root) in roots {
            let name = &self.program.variables()[*var].name;
            let term = root.map_or("any", |root| &self.words[root]);
            self.text += &format!("{name} = {term}\n");
        }
        self.text
    }

    fn spelled(&self, variable: VarId, parts: &[(Rational, Rational, usize)]) -> String {
        type Ranges = Vec<(Rational, Rational)>;
        let mut groups: Vec<(Ranges, &str)> = Vec::new();
        for (from, to, part) in parts {
            let range = (from.clone(), to.clone());
            let words = self.words[*part].as_str();
            match groups.iter_mut().find(|(_, other)| *other == words) {
                Some((ranges, _)) => ranges.push(range),
                None => groups.push((vec![range], words)),
            }
        }
        let it = &self.program.variables()[variable];
        if is_mixed(self.program, variable) && groups.len() > 1 {
            let ends = groups.iter().map(|(ranges, word)| {
                let end = ranges.first().map(|(end, _)| end.to_string());
                format!("{}, {word}", end.unwrap_or_default())
            });
            return format!("mix({}, {})", it.name, ends.collect::<Vec<_>>().join(", "));
        }
        if let ([(_, no), (_, yes)], true) = (groups.as_slice(), it.is_binary()) {
            return format!("ite({}, {yes}, {no})", it.name);
        }
        let Some((_, last)) = groups.pop() else {
            return String::new();
        };
        let mut text = String::new();
        for (ranges, word) in &groups {
            text += &format!(
                "ite({}, {word}, ",
                condition(self.program, variable, ranges)
            );
        }
        text + last + &")".repeat(groups.len())
    }
}
