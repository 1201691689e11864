//! Questions about rules as quantified programs.
//!
//! Every step of a play has a binary variable per action; the state is given by variables that the
//! moves before it define. A rule is a *guard*: a row that keeps an action at zero where the rule
//! does not give it. Guards of the existential player are rows of his system, guards of the others
//! rows of the universal system. The existential player wins the program exactly when the player
//! that is asked about gets his goal.
//!
//! Who must move and has no move by his rule has lost. For the existential player that is the death
//! of his system. The universal system never dies: where another player is stuck, he makes no move
//! and the existential player owes nothing any more.

use rustc_hash::FxHashMap;

use super::circuit::{Bit, Gate, TooManyGates};
use super::conduct::Play;
use super::formula::{Formula, Rule};
use super::game::{ActionId, PlayerId, Symbol};
use super::graph::StateGraph;
use super::response::{ResponseError, turns};
use super::symbolic::{Reader, State};
use super::text::AxiomGame;
use super::validity::Reading;
use crate::model::{
    Auto, Compare, Constraint, Expr, Literal, Model, ModelError, Var, at_least_one, implies, sum,
};
use crate::num::int;
use crate::outcome::Move;
use crate::program::{Program, Quantifier, VarId};

/// How the player that is asked about comes to his moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// He chooses the best moves, among those of his rule if he has one: a best response.
    Chooses,
    /// He makes any move of his rule; whatever it is, he must get his goal: a guarantee.
    Follows,
}

/// A question about a game.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// The game.
    pub game: &'q AxiomGame,
    /// The same game explored.
    pub graph: &'q StateGraph,
    /// The rules of the players who have one.
    pub rules: &'q [(PlayerId, Rule)],
    /// The player that is asked about.
    pub player: PlayerId,
    /// How he comes to his moves.
    pub role: Role,
    /// What he wants of terminal states.
    pub goal: &'q Formula,
    /// When a formula is valid under a move.
    pub reading: Reading,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// Plays may go on for ever.
    #[error("plays of this game may go on for ever; a program has a last move")]
    Endless,
    /// Some legal moves lead nowhere.
    #[error(
        "some legal moves of this game lead to states from which no play ends; \
         a program cannot leave them out"
    )]
    DeadEnds,
    /// Nobody can tell whose turn it is.
    #[error(transparent)]
    NoTurns(#[from] ResponseError),
    /// The program would be too large.
    #[error("the program is too large; make the constants of the game smaller")]
    TooLarge,
    /// The model cannot be built.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl From<TooManyGates> for EncodeError {
    fn from(_: TooManyGates) -> Self {
        Self::TooLarge
    }
}

/// A program, and what its variables mean.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The program; it has no objective and is won exactly when the answer is yes.
    pub program: Program,
    /// The action behind a variable of a move.
    actions: FxHashMap<VarId, ActionId>,
}

impl Encoded {
    /// The actions that are taken in a play of the program.
    pub fn play(&self, moves: &[Move]) -> Play {
        let taken = moves.iter().filter(|(_, value)| *value == int(1));
        taken
            .filter_map(|(var, _)| self.actions.get(var).copied())
            .collect()
    }
}

/// Makes a program of a question.
///
/// ```
/// use quip::budget::Budget;
/// use quip::outcome::Status;
/// use quip::rules::{PlayerId, Question, Reading, Role, StateGraph, Theory, encode};
/// use quip::solver::Solver;
///
/// let text = include_str!("../../../models/rules/crossdot.rules");
/// let theory = Theory::read(&[("crossdot.rules", text)], &[("m", 3)])?;
/// let graph = StateGraph::explore(theory.game()?, &mut Budget::unlimited())?;
/// let encoded = encode(&Question {
///     game: theory.game()?,
///     graph: &graph,
///     rules: &[],
///     player: PlayerId::new(0),
///     role: Role::Chooses,
///     goal: &theory.formula("wins(1)")?,
///     reading: Reading::CompletePlays,
/// })?;
/// let outcome = Solver::default().solve(&encoded.program)?;
/// assert_eq!(outcome.status, Status::Feasible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encode(question: &Question<'_>) -> Result<Encoded, EncodeError> {
    if question.graph.has_dead_ends() {
        return Err(EncodeError::DeadEnds);
    }
    for player in question.game.signature.players() {
        turns(question.graph, player)?;
    }
    let horizon = question.graph.longest_play().ok_or(EncodeError::Endless)?;
    Encoder::new(question).run(horizon)
}

struct Encoder<'q> {
    question: &'q Question<'q>,
    reader: Reader<'q>,
    model: Model,
    /// The variables of gates that have one.
    variables: FxHashMap<usize, Var>,
    names: FxHashMap<usize, String>,
    actions: Vec<(Var, ActionId)>,
    /// Whether another player has been stuck.
    excused: Bit,
}

impl<'q> Encoder<'q> {
    fn new(question: &'q Question<'q>) -> Self {
        Self {
            question,
            reader: Reader::new(question.game, question.reading),
            model: Model::new(),
            variables: FxHashMap::default(),
            names: FxHashMap::default(),
            actions: Vec::new(),
            excused: Bit::FALSE,
        }
    }

    fn run(mut self, horizon: usize) -> Result<Encoded, EncodeError> {
        let mut state = self.reader.initial();
        let mut over = self.reader.terminal(&state);
        self.goal_row(&state, over, Bit::FALSE);
        for step in 0..horizon {
            let does = self.moves(step, &state, over);
            self.reader.circuit.check()?;
            let taken = |action: ActionId| does.get(&action).copied().unwrap_or(Bit::FALSE);
            state = self.reader.after(&state, &taken);
            self.name_state(step + 1, &state);
            let ends = self.reader.terminal(&state);
            let over_now = self.reader.circuit.or([over, ends, self.excused]);
            self.goal_row(&state, over_now, over);
            over = over_now;
        }
        self.clause(Quantifier::Exists, &[over]);
        self.reader.circuit.check()?;
        let program = self.model.build()?;
        let ids = self.actions.iter();
        let actions = ids.filter_map(|&(var, action)| Some((self.model.id(var)?, action)));
        Ok(Encoded {
            program,
            actions: actions.collect(),
        })
    }

    /// When play ends here, the goal must hold.
    fn goal_row(&mut self, state: &State, over: Bit, over_before: Bit) {
        let goal = self.reader.at_end(self.question.goal, state);
        self.clause(
            Quantifier::Exists,
            &[!over, over_before, self.excused, goal],
        );
    }

    /// The move of one step: which bit says that an action is taken.
    fn moves(&mut self, step: usize, state: &State, over: Bit) -> FxHashMap<ActionId, Bit> {
        let mut does = FxHashMap::default();
        for player in self.question.game.signature.players() {
            let options = self.options(player, state, over);
            if options.must_move == Bit::FALSE {
                continue;
            }
            let owner = self.owner(player);
            let mut turn = options.must_move;
            if owner == Quantifier::Forall {
                turn = self
                    .reader
                    .circuit
                    .or(options.guards.iter().map(|&(_, bit)| bit));
                self.stuck(player, options.must_move, turn);
            }
            self.define(turn);
            options
                .guards
                .iter()
                .for_each(|&(_, guard)| self.define(guard));
            let chosen = self.choose(step, owner, &options.guards);
            let count = sum(chosen.iter().map(|&(var, ..)| Expr::from(var)));
            let turn = self.value(turn);
            self.row(owner, count.equals(turn));
            does.extend(chosen.into_iter().map(|(_, action, bit)| (action, bit)));
        }
        does
    }

    /// Where his rule gives a player no move although he must make one, the player that is asked
    /// about has failed if it is him, and is excused from everything if it is not.
    fn stuck(&mut self, player: PlayerId, must_move: Bit, can_move: Bit) {
        if player == self.question.player {
            self.clause(Quantifier::Exists, &[!must_move, can_move, self.excused]);
        } else {
            let stuck = self.reader.circuit.and([must_move, !can_move]);
            self.excused = self.reader.circuit.or([self.excused, stuck]);
        }
    }

    fn owner(&self, player: PlayerId) -> Quantifier {
        if player == self.question.player && self.question.role == Role::Chooses {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        }
    }

    fn options(&mut self, player: PlayerId, state: &State, over: Bit) -> Options {
        let actions = self.reader.own_actions(player).into_iter();
        let legal: Vec<Bit> = actions
            .map(|action| self.reader.legal(action, state))
            .collect();
        let any = self.reader.circuit.or(legal);
        let must_move = self.reader.circuit.and([any, !over]);
        let rules = self.question.rules.iter();
        let anything = Rule::from(Formula::truth());
        let rule = rules.rev().find(|(other, _)| *other == player);
        let rule = rule.map_or(&anything, |(_, rule)| rule);
        let mut guards = Vec::new();
        if must_move != Bit::FALSE {
            guards = self.reader.allowed(rule, player, state);
            for (_, guard) in &mut guards {
                *guard = self.reader.circuit.and([*guard, !over]);
            }
            guards.retain(|&(_, guard)| guard != Bit::FALSE);
        }
        Options { must_move, guards }
    }

    /// Variables for the actions, kept at zero by their guards.
    fn choose(
        &mut self,
        step: usize,
        owner: Quantifier,
        guards: &[(ActionId, Bit)],
    ) -> Vec<(Var, ActionId, Bit)> {
        let mut chosen = Vec::new();
        for &(action, guard) in guards {
            let symbol = self.question.game.signature.action_symbol(action);
            let name = spelled(symbol, step);
            let var = match owner {
                Quantifier::Exists => self.model.exists().binary(name),
                Quantifier::Forall => self.model.forall().binary(name),
            };
            let bit = self.reader.circuit.input();
            self.variables.insert(bit.gate(), var);
            self.actions.push((var, action));
            if guard != Bit::TRUE {
                let guard = self.literal(guard);
                self.row(owner, implies(var, guard));
            }
            chosen.push((var, action, bit));
        }
        chosen
    }

    fn name_state(&mut self, step: usize, state: &State) {
        let signature = &self.question.game.signature;
        for (proposition, bit) in signature.propositions().zip(state) {
            let name = spelled(signature.proposition_symbol(proposition), step);
            // The gate is the negation of what it is named after.
            let name = if bit.is_negated() { name + "'" } else { name };
            if !self.variables.contains_key(&bit.gate()) {
                self.names.entry(bit.gate()).or_insert(name);
            }
        }
    }

    /// At least one of the bits holds.
    fn clause(&mut self, owner: Quantifier, bits: &[Bit]) {
        if bits.contains(&Bit::TRUE) {
            return;
        }
        let open: Vec<Bit> = bits
            .iter()
            .copied()
            .filter(|&bit| bit != Bit::FALSE)
            .collect();
        let literals: Vec<Literal> = open.into_iter().map(|bit| self.literal(bit)).collect();
        self.row(owner, at_least_one(literals));
    }

    fn row(&mut self, owner: Quantifier, row: Constraint) {
        match owner {
            Quantifier::Exists => self.model.subject_to(row),
            Quantifier::Forall => self.model.uncertainty(row),
        };
    }

    fn value(&mut self, bit: Bit) -> Expr {
        match bit {
            Bit::TRUE => Expr::from(1),
            Bit::FALSE => Expr::from(0),
            _ => Expr::from(self.literal(bit)),
        }
    }

    /// The literal of a bit that is not constant.
    fn literal(&mut self, bit: Bit) -> Literal {
        self.define(bit);
        let var = Literal::from(self.variables[&bit.gate()]);
        if bit.is_negated() { !var } else { var }
    }

    /// Gives the gate of a bit, and all gates below it, existential variables that must have the
    /// value of the gate.
    fn define(&mut self, bit: Bit) {
        let mut open = vec![bit.gate()];
        while let Some(&gate) = open.last() {
            let Gate::And(parts) = self.reader.circuit.gate(gate).clone() else {
                open.pop();
                continue;
            };
            let known = |part: &Bit| self.variables.contains_key(&part.gate());
            let missing: Vec<usize> = parts
                .iter()
                .filter(|part| !known(part))
                .map(|part| part.gate())
                .collect();
            if !self.variables.contains_key(&gate) && missing.is_empty() {
                let parts: Vec<Literal> = parts.iter().map(|&part| self.literal(part)).collect();
                let mut stage = self.model.exists();
                let var = match self.names.remove(&gate) {
                    Some(name) => stage.conjunction(name, parts),
                    None => stage.conjunction(Auto, parts),
                };
                self.variables.insert(gate, var);
            }
            if self.variables.contains_key(&gate) {
                open.pop();
            } else {
                open.extend(missing);
            }
        }
    }
}

/// What a player may do in one step.
struct Options {
    /// Whether it is his move.
    must_move: Bit,
    /// The actions that are not excluded, each with the condition under which it is allowed.
    guards: Vec<(ActionId, Bit)>,
}

/// `a(1,2)` at step 3 is `a[1,2]@3`.
fn spelled(symbol: &Symbol, step: usize) -> String {
    if symbol.indices.is_empty() {
        return format!("{}@{step}", symbol.name);
    }
    let indices: Vec<String> = symbol.indices.iter().map(i64::to_string).collect();
    format!("{}[{}]@{step}", symbol.name, indices.join(","))
}
