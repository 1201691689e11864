//! Strategies as sets of moves: listed, compared; and formulas that hold in the whole game.

use std::path::PathBuf;

use clap::Args;
use quip::rules::{ActionId, PlayerId, StateId, Strategy};
use serde::Serialize;

use super::answer::{Answer, AnswerJson, headline, names};
use super::rules::{Kind, RuleJson};
use super::{Break, Table};
use crate::cli::exit::{Exit, Failure};

/// Questions about the sets of moves that rules are.
#[derive(Args, Clone, Debug, Default)]
pub struct ObjectArgs {
    /// List the moves of every --rule, state by state
    #[arg(long, requires = "rule", conflicts_with_all = ["goal", "best", "after", "compare"])]
    pub list: bool,
    /// Write every --rule as one formula made of its moves: what holds before them, and the action
    #[arg(long, requires = "rule", conflicts_with_all = ["goal", "best", "after", "compare", "list"])]
    pub spell: bool,
    /// Is every --rule the same as this one, a part of it, or where not?
    #[arg(long, value_name = "RULE", requires = "rule", conflicts_with_all = ["goal", "best", "after"])]
    pub compare: Option<String>,
    /// Write the game and the rules of --follow to this file as an answer set program, one answer set for
    /// each play
    #[arg(long, value_name = "FILE", conflicts_with_all = ["goal", "best", "after", "rule", "valid"])]
    pub asp: Option<PathBuf>,
    /// Is this formula true from every state on, however the game goes on?
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["goal", "best", "after", "rule", "follow"])]
    pub valid: Option<String>,
}

/// A move and a play after which it can be made.
#[derive(Serialize)]
pub struct MoveJson {
    after: Vec<String>,
    action: String,
}

/// How two sets of moves are related.
#[derive(Serialize)]
pub struct Compared {
    to: String,
    /// `equal`, `part`, `whole`, `apart` (no move in common) or `different`.
    relation: &'static str,
    only_here: Option<MoveJson>,
    only_there: Option<MoveJson>,
}

impl Table<'_> {
    /// Answers `--list`, `--compare` or `--valid`; nothing if none was asked.
    pub(super) fn objects(&mut self) -> Result<Option<Exit>, Break> {
        let asked = self.wanted.objects.clone();
        if let Some(text) = &asked.valid {
            return self.valid(text).map(Some);
        }
        if !asked.list && !asked.spell && asked.compare.is_none() {
            return Ok(None);
        }
        let mut lines = vec![headline(self)];
        let mut json = AnswerJson::about(self);
        let mut all_equal = true;
        for text in &self.wanted.rule {
            let players: Vec<PlayerId> = self.graph.signature().players().collect();
            for player in players {
                let strategy = self.strategy(text, player)?;
                let kind = match &asked.compare {
                    None if asked.spell => {
                        let formula = self.spelled(&strategy);
                        lines.push(format!("  {text}, player {player}: {formula}"));
                        Kind::Spelled { formula }
                    }
                    None => self.listed(text, &strategy, &mut lines),
                    Some(other) => {
                        let with = self.strategy(other, player)?;
                        let compared = self.compared(text, other, &strategy, &with, &mut lines);
                        all_equal &= compared.relation == "equal";
                        Kind::Compared(compared)
                    }
                };
                json.rules.push(RuleJson {
                    rule: text.clone(),
                    player: player.number(),
                    kind,
                });
            }
        }
        self.say(&Answer::new(&lines, json))?;
        Ok(Some(match all_equal {
            true => Exit::Proved,
            false => Exit::Infeasible,
        }))
    }

    fn strategy(&mut self, text: &str, player: PlayerId) -> Result<Strategy, Break> {
        let rule = self.rule(text, player)?;
        let reading = self.reading();
        Ok(Strategy::of(
            &self.graph,
            &rule,
            player,
            reading,
            &mut self.budget,
        )?)
    }

    fn listed(&self, text: &str, strategy: &Strategy, lines: &mut Vec<String>) -> Kind {
        let (mut moves, mut states) = (Vec::new(), Vec::new());
        for state in self.graph.states() {
            let actions = strategy.actions(&self.graph, state);
            if !actions.is_empty() {
                let shown = names(self, &actions).join(" ");
                states.push(format!("    after {}: {shown}", self.reached(state)));
                moves.extend(actions.iter().map(|&action| self.move_of((state, action))));
            }
        }
        lines.push(format!(
            "  {text}, player {}: {} moves in {} states",
            strategy.player(),
            moves.len(),
            states.len()
        ));
        lines.extend(states);
        Kind::Set { moves }
    }

    /// The strategy as a formula (Proposition 1): a state is told by what holds there.
    fn spelled(&self, strategy: &Strategy) -> String {
        let signature = self.graph.signature();
        let moves = self.graph.states().flat_map(|state| {
            let truths = signature.propositions().map(|id| {
                let symbol = signature.proposition_symbol(id);
                match self.graph.holds(state, id) {
                    true => symbol.to_string(),
                    false => format!("~{symbol}"),
                }
            });
            let truths: Vec<String> = truths.collect();
            let actions = strategy.actions(&self.graph, state).into_iter();
            let spelled = actions.map(move |action| {
                let does = format!("does({})", signature.action_symbol(action));
                [&truths[..], &[does]].concat().join(" & ")
            });
            spelled.collect::<Vec<_>>()
        });
        let moves: Vec<String> = moves.collect();
        match moves.is_empty() {
            true => "false".to_owned(),
            false => moves.join(" | "),
        }
    }

    fn compared(
        &self,
        text: &str,
        other: &str,
        strategy: &Strategy,
        with: &Strategy,
        lines: &mut Vec<String>,
    ) -> Compared {
        let here = self.outside(strategy, with);
        let there = self.outside(with, strategy);
        let (relation, words) = match (here, there) {
            (None, None) => ("equal", "the same moves as"),
            (None, Some(_)) => ("part", "some of the moves of"),
            (Some(_), None) => ("whole", "all moves of, and more than,"),
            (Some(_), Some(_)) if !strategy.meet(with).is_valid() => ("apart", "no move of"),
            (Some(_), Some(_)) => ("different", "some but not only moves of"),
        };
        lines.push(format!(
            "  {text}, player {}: {words} {other}",
            strategy.player()
        ));
        for (whose, found) in [(text, here), (other, there)] {
            if let Some((state, action)) = found {
                let action = names(self, &[action]).join(" ");
                lines.push(format!(
                    "    only {whose} has {action} after {}",
                    self.reached(state)
                ));
            }
        }
        Compared {
            to: other.to_owned(),
            relation,
            only_here: here.map(|found| self.move_of(found)),
            only_there: there.map(|found| self.move_of(found)),
        }
    }

    /// A move that one has and the other does not.
    fn outside(&self, one: &Strategy, other: &Strategy) -> Option<(StateId, ActionId)> {
        self.graph.states().find_map(|state| {
            let others = other.actions(&self.graph, state);
            let mut own = one.actions(&self.graph, state).into_iter();
            let found = own.find(|action| !others.contains(action));
            found.map(|action| (state, action))
        })
    }

    fn move_of(&self, (state, action): (StateId, ActionId)) -> MoveJson {
        MoveJson {
            after: names(self, &self.graph.play_to(state)),
            action: names(self, &[action]).join(" "),
        }
    }

    /// `--valid`: is the formula true wherever the game may be?
    fn valid(&mut self, text: &str) -> Result<Exit, Break> {
        let formula = self.theory.formula(text);
        let formula = formula.map_err(|faults| -> Failure { self.fault(&faults) })?;
        let broken = self.graph.first_violation(&formula, self.reading());
        let mut json = AnswerJson::about(self);
        json.goal = Some(text.to_owned());
        json.holds = Some(broken.is_none());
        json.play = broken.map(|state| names(self, &self.graph.play_to(state)));
        let said = match broken {
            None => format!("  valid: {text} holds from every state on"),
            Some(state) => {
                let reached = self.reached(state);
                format!("  not valid: after {reached}, {text} may fail")
            }
        };
        self.say(&Answer::new(&[headline(self), said], json))?;
        Ok(match broken {
            None => Exit::Proved,
            Some(_) => Exit::Infeasible,
        })
    }
}
