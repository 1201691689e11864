//! What `quip verify` says about rules on their own.

use quip::format::Diagnostics;
use quip::rules::{PlayerId, Rule, StateId, Strategy, moves_by_rule};
use serde::Serialize;

use super::answer::{Answer, AnswerJson, headline, names};
use super::objects::{Compared, MoveJson};
use super::{Break, Table};
use crate::cli::exit::{Exit, Failure};

/// One rule of one player.
#[derive(Serialize)]
pub struct RuleJson {
    pub rule: String,
    pub player: usize,
    #[serde(flatten)]
    pub kind: Kind,
}

/// What was found out of it.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Kind {
    Properties(Properties),
    /// All its moves.
    Set {
        moves: Vec<MoveJson>,
    },
    /// The rule as one formula.
    Spelled {
        formula: String,
    },
    Compared(Compared),
    Moves {
        actions: Vec<String>,
    },
    /// It does not make sense for the player.
    Error {
        error: String,
    },
}

/// Section 3.1 of the source, with a state for every no.
#[derive(Serialize)]
pub struct Properties {
    valid: bool,
    complete: bool,
    deterministic: bool,
    functional: bool,
    /// Whether every move of the player in the game is one of the rule's.
    complied_with: bool,
    no_move_after: Option<Vec<String>>,
    several_moves_after: Option<Vec<String>>,
    departure: Option<Vec<String>>,
}

impl Table<'_> {
    /// The rules that were named, or all that make sense for a player.
    fn chosen(&self) -> Vec<String> {
        if !self.wanted.rule.is_empty() {
            return self.wanted.rule.clone();
        }
        let rules = self
            .theory
            .rules()
            .filter(|(_, parameters)| *parameters <= 1);
        rules.map(|(name, _)| name.to_owned()).collect()
    }

    /// Valid, complete, deterministic and what follows, for every rule and player.
    pub(super) fn properties(&mut self) -> Result<Exit, Break> {
        let mut lines = vec![headline(self)];
        let columns = "valid  complete  deterministic  functional  complied with";
        lines.push(format!("  {:<24} player  {columns}", "rule"));
        let mut json = AnswerJson::about(self);
        let mut faulty: Vec<Failure> = Vec::new();
        let mut about_states = Vec::new();
        for text in self.chosen() {
            let players: Vec<PlayerId> = self.graph.signature().players().collect();
            let mut faults = Vec::new();
            for &player in &players {
                let rule = match self.theory.rule(&text, player) {
                    Ok(rule) => rule,
                    Err(fault) if self.wanted.rule.is_empty() => {
                        lines.push(error_row(&text, player, &fault));
                        json.rules.push(RuleJson {
                            rule: text.clone(),
                            player: player.number(),
                            kind: Kind::Error {
                                error: in_one_line(&fault),
                            },
                        });
                        faults.push(self.fault(&fault));
                        continue;
                    }
                    Err(fault) => return Err(self.fault(&fault).into()),
                };
                // A name for something that is never so is a rule that gives no move.
                let is_asked = !self.wanted.rule.is_empty();
                if !is_asked && is_about_state(&rule) && self.holds_somewhere(&rule) {
                    about_states.push(text.clone());
                    continue;
                }
                let reading = self.reading();
                let strategy = Strategy::of(&self.graph, &rule, player, reading, &mut self.budget)?;
                let (properties, remarks) = self.describe(&strategy);
                lines.push(row(&text, player, &properties));
                lines.extend(remarks);
                json.rules.push(RuleJson {
                    rule: text.clone(),
                    player: player.number(),
                    kind: Kind::Properties(properties),
                });
            }
            // A rule with an index that is no player's number may make sense for some.
            if faults.len() == players.len() {
                faulty.extend(faults.pop());
            }
        }
        about_states.dedup();
        if !about_states.is_empty() {
            lines.push(format!(
                "  about states, not moves: {}",
                about_states.join(", ")
            ));
        }
        self.say(&Answer::new(&lines, json))?;
        match faulty.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(Exit::Proved),
        }
    }

    /// Whether a rule that speaks of states only is true in one of them.
    fn holds_somewhere(&self, rule: &Rule) -> bool {
        let Rule::Formula(formula) = rule else {
            return false;
        };
        let mut states = self.graph.states();
        states.any(|state| self.graph.satisfies(state, formula))
    }

    fn describe(&self, strategy: &Strategy) -> (Properties, Vec<String>) {
        let gap = strategy.incomplete_at(&self.graph);
        let fork = strategy.ambiguous_at(&self.graph);
        let departure = strategy.departure(&self.graph);
        let mut remarks = Vec::new();
        if let Some(state) = gap.filter(|_| strategy.is_valid()) {
            remarks.push(format!("    no move after {}", self.reached(state)));
        }
        if let Some(state) = fork {
            let actions = names(self, &strategy.actions(&self.graph, state)).join(" ");
            remarks.push(format!(
                "    several moves after {}: {actions}",
                self.reached(state)
            ));
        }
        let play = |state: StateId| names(self, &self.graph.play_to(state));
        let left = departure.map(|(state, action)| {
            let mut left = play(state);
            left.extend(names(self, &[action]));
            left
        });
        // Few games are as narrow as a rule: that they are not is news only where it was asked.
        if let Some((state, action)) = departure.filter(|_| !self.wanted.rule.is_empty()) {
            let action = names(self, &[action]).join(" ");
            remarks.push(format!(
                "    another move after {}: {action}",
                self.reached(state)
            ));
        }
        let properties = Properties {
            valid: strategy.is_valid(),
            complete: gap.is_none(),
            deterministic: fork.is_none(),
            functional: gap.is_none() && fork.is_none(),
            complied_with: departure.is_none(),
            no_move_after: gap.map(play),
            several_moves_after: fork.map(play),
            departure: left,
        };
        (properties, remarks)
    }

    pub(super) fn reached(&self, state: StateId) -> String {
        self.graph.spell_play(&self.graph.play_to(state))
    }

    /// `--after`: the moves of the rules in one state.
    pub(super) fn moves_after(&self, play: &str) -> Result<Exit, Break> {
        let state = self.state_after(play)?;
        let truths = self.graph.spell_state(state);
        let mut lines = vec![headline(self), format!("  state  {truths}")];
        let mut json = AnswerJson::about(self);
        for text in self.chosen() {
            for player in self.graph.movers(state) {
                let rule = match self.theory.rule(&text, player) {
                    Ok(rule) => rule,
                    Err(fault) if self.wanted.rule.is_empty() => {
                        lines.push(error_row(&text, player, &fault));
                        continue;
                    }
                    Err(fault) => return Err(self.fault(&fault).into()),
                };
                let is_asked = !self.wanted.rule.is_empty();
                if !is_asked && is_about_state(&rule) && self.holds_somewhere(&rule) {
                    continue;
                }
                let moves = moves_by_rule(&self.graph, &rule, player, state, self.reading());
                let actions = names(self, &moves);
                let said = match actions.is_empty() {
                    true => "no move".to_owned(),
                    false => actions.join(" "),
                };
                lines.push(format!("  {text:<24} player {player}: {said}"));
                json.rules.push(RuleJson {
                    rule: text.clone(),
                    player: player.number(),
                    kind: Kind::Moves { actions },
                });
            }
        }
        self.say(&Answer::new(&lines, json))?;
        Ok(Exit::Proved)
    }

    fn state_after(&self, play: &str) -> Result<StateId, Failure> {
        let mut state = self.graph.initial();
        for text in play.split_whitespace() {
            let action = self.theory.action(text).ok_or_else(|| {
                Failure::Usage(format!(
                    "there is no action {text}; write a play as 'a(1,2) a(2,1)'"
                ))
            })?;
            let after = self.graph.after(state, action);
            state = after.ok_or_else(|| {
                let here = self.reached(state);
                Failure::Usage(format!("{text} is not legal after {here}"))
            })?;
        }
        Ok(state)
    }
}

/// Whether the rule is only a name for a property of states, and says nothing about moves.
fn is_about_state(rule: &Rule) -> bool {
    matches!(rule, Rule::Formula(formula) if formula.is_about_state())
}

/// What is wrong and where, in one line.
fn in_one_line(faults: &Diagnostics) -> String {
    let first = faults.errors().first();
    first.map_or_else(String::new, |fault| {
        let place = fault.labels.first();
        let place = place.map(|label| format!(":{}:{}", label.line, label.column));
        format!(
            "{}: {} ({}{})",
            fault.code,
            fault.message,
            fault.file,
            place.unwrap_or_default()
        )
    })
}

fn error_row(text: &str, player: PlayerId, faults: &Diagnostics) -> String {
    let wrong = in_one_line(faults);
    format!("  {text:<24} {:<7} error {wrong}", player.number())
}

fn row(text: &str, player: PlayerId, properties: &Properties) -> String {
    let word = |truth: bool| if truth { "yes" } else { "no" };
    let row = format!(
        "  {text:<24} {:<7} {:<6} {:<9} {:<14} {:<11} {}",
        player.number(),
        word(properties.valid),
        word(properties.complete),
        word(properties.deterministic),
        word(properties.functional),
        word(properties.complied_with),
    );
    row.trim_end().to_owned()
}
