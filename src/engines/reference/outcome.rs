//! From a settled or interrupted game to what the user is told.

use super::game::Game;
use super::incumbent::{Incumbent, moves};
use super::plans::{Plans, Settled};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::{Effort, Move, Outcome, Score, Stop, cost_of_objective};
use crate::program::{Program, Quantifier};
use crate::strategy::{NodeId, Plan, PlanBuilder, PlanNode};

/// The outcome of a game whose value is known.
pub(super) fn proved(game: Game<'_>, settled: &Settled, budget: &Budget) -> Outcome {
    let effort = effort(&game, budget);
    let Plans {
        strategies,
        refutations,
        lines,
    } = game.plans;
    let finish = |plans: PlanBuilder, owner, root| plans.finish(owner, root);
    let line = finish(lines, Quantifier::Exists, settled.line);
    let principal_variation = walk(&line);
    Outcome {
        first_stage: first_stage(game.program, &settled.score, &principal_variation),
        principal_variation,
        strategy: settled
            .strategy
            .map(|root| finish(strategies, Quantifier::Exists, root)),
        refutation: settled
            .refutation
            .map(|root| finish(refutations, Quantifier::Forall, root)),
        effort,
        ..Outcome::proved(game.program, &settled.score)
    }
}

/// The outcome of a game that was stopped: only what was completely evaluated counts.
pub(super) fn interrupted(mut game: Game<'_>, stop: Stop, budget: &Budget) -> Outcome {
    let nothing = Outcome {
        effort: effort(&game, budget),
        ..Outcome::interrupted(stop)
    };
    let Some(incumbent) = game.incumbent.take() else {
        return nothing;
    };
    match game.board.places[0].owner {
        Quantifier::Exists => with_strategy(game, &incumbent, nothing),
        Quantifier::Forall => with_refutation(game, &incumbent, nothing),
    }
}

/// The existential player moves first: his best first stage so far can be relied on.
fn with_strategy(game: Game<'_>, incumbent: &Incumbent, nothing: Outcome) -> Outcome {
    let Some(strategy) = incumbent.settled.strategy else {
        return nothing;
    };
    let opening = moves(&game.board, &incumbent.values);
    let line = begun_with(
        &opening,
        game.plans.lines,
        Quantifier::Exists,
        incumbent.settled.line,
    );
    let principal_variation = walk(&line);
    let strategy = begun_with(
        &opening,
        game.plans.strategies,
        Quantifier::Exists,
        strategy,
    );
    Outcome {
        objective: objective(game.program, &incumbent.settled.score),
        first_stage: first_stage(game.program, &incumbent.settled.score, &principal_variation),
        principal_variation,
        strategy: Some(strategy),
        ..nothing
    }
}

/// The universal player moves first: his best first stage so far bounds the value.
fn with_refutation(game: Game<'_>, incumbent: &Incumbent, nothing: Outcome) -> Outcome {
    let Some(refutation) = incumbent.settled.refutation else {
        return nothing;
    };
    let opening = moves(&game.board, &incumbent.values);
    let refutation = begun_with(
        &opening,
        game.plans.refutations,
        Quantifier::Forall,
        refutation,
    );
    Outcome {
        bound: objective(game.program, &incumbent.settled.score),
        refutation: Some(refutation),
        ..nothing
    }
}

fn effort(game: &Game<'_>, budget: &Budget) -> Effort {
    Effort {
        nodes: budget.nodes(),
        lps: game.lps(),
        learnt: 0,
    }
}

fn objective(program: &Program, score: &Score) -> Option<Rational> {
    match score {
        Score::Cost(cost) if program.objective().is_some() => {
            Some(cost_of_objective(program, cost.clone()))
        }
        _ => None,
    }
}

/// The plan that makes some moves first.
fn begun_with(opening: &[Move], mut plans: PlanBuilder, owner: Quantifier, then: NodeId) -> Plan {
    let mut root = then;
    for (variable, value) in opening.iter().rev() {
        root = plans.add(PlanNode::Choose {
            variable: *variable,
            value: value.clone(),
            next: root,
        });
    }
    plans.finish(owner, root)
}

/// The moves of a plan that is a single line.
fn walk(line: &Plan) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut node = line.node(line.root());
    while let PlanNode::Choose {
        variable,
        value,
        next,
    } = node
    {
        moves.push((*variable, value.clone()));
        node = line.node(*next);
    }
    moves
}

/// What the existential player decides before the universal player moves, unless he loses anyway.
fn first_stage(program: &Program, score: &Score, play: &[Move]) -> Vec<Move> {
    let Some(block) = program.blocks().iter().next() else {
        return Vec::new();
    };
    if block.quantifier == Quantifier::Forall || *score == Score::Lost {
        return Vec::new();
    }
    let inside = play.iter().filter(|(var, _)| block.contains(*var));
    inside.cloned().collect()
}
