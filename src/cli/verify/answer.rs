//! What `quip verify` says about plays, in words and as JSON (`quip-verify/1`).

use itertools::Itertools;
use quip::rules::{ActionId, Ending, Guarantee, Outcomes, PlayerId};
use serde::Serialize;

use super::Table;
use crate::cli::text::{counted, grouped};

/// An answer in both forms.
pub struct Answer {
    pub text: String,
    pub json: AnswerJson,
}

/// The answer for programs; what was not asked is left out.
#[derive(Default, Serialize)]
pub struct AnswerJson {
    pub schema: &'static str,
    pub game: Option<String>,
    pub states: usize,
    pub moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_actions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<EndingJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<super::rules::RuleJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// One way in which plays end.
#[derive(Serialize)]
pub struct EndingJson {
    ending: String,
    states: usize,
    play: Vec<String>,
}

impl AnswerJson {
    /// An answer about the game and nothing else yet.
    pub fn about(table: &Table<'_>) -> Self {
        Self {
            schema: "quip-verify/1",
            game: table.name.clone(),
            states: table.graph.states().len(),
            moves: table.graph.move_count(),
            ..Self::default()
        }
    }
}

impl Answer {
    /// How plays may end.
    pub fn outcomes(table: &Table<'_>, found: &Outcomes) -> Self {
        let mut lines = vec![match found.plays {
            Some(1) => format!("1 play, {}", counted(found.states, "state")),
            Some(plays) => format!("{plays} plays, {}", counted(found.states, "state")),
            None => format!("plays without number, {}", counted(found.states, "state")),
        }];
        let mut json = AnswerJson::about(table);
        json.plays = found.plays.map(|plays| plays.to_string());
        for (ending, (states, play)) in &found.endings {
            let said = spelled(ending);
            let line = table.graph.spell_play(play);
            lines.push(format!(
                "  {said:<22} in {:<12} e.g. {line}",
                counted(*states, "state")
            ));
            json.outcomes.push(EndingJson {
                ending: said,
                states: *states,
                play: names(table, play),
            });
        }
        Self::new(&lines, json)
    }

    /// Whether a goal is guaranteed.
    pub fn guarantee(table: &Table<'_>, player: PlayerId, goal: &str, verdict: &Guarantee) -> Self {
        let mut lines = Vec::new();
        match verdict {
            Guarantee::Holds => {
                lines.push(format!(
                    "Guaranteed: {goal} holds at the end of every play."
                ));
            }
            Guarantee::Refuted(play) => {
                lines.push(format!("Not guaranteed: a play ends without {goal}."));
                lines.push(format!("  play   {}", table.graph.spell_play(play)));
            }
            Guarantee::Stuck(play) => {
                let stuck = format!("the rule of player {player} gives no move");
                lines.push(format!("Not guaranteed: {stuck} after this play."));
                lines.push(format!("  play   {}", table.graph.spell_play(play)));
            }
        }
        let mut json = AnswerJson::about(table);
        json.goal = Some(goal.to_owned());
        json.holds = Some(verdict.holds());
        json.play = verdict.refutation().map(|play| names(table, play));
        Self::new(&lines, json)
    }

    /// Whether a player can force a goal.
    pub fn response(
        table: &Table<'_>,
        player: PlayerId,
        goal: &str,
        wins: bool,
        first: &[ActionId],
        line: &[ActionId],
    ) -> Self {
        let can = if wins { "can" } else { "cannot" };
        let mut lines = vec![format!("Player {player} {can} force {goal}.")];
        let first = names(table, first);
        if !first.is_empty() {
            lines.push(format!("  play now   {}", first.join(" or ")));
        }
        lines.push(format!("  best play  {}", table.graph.spell_play(line)));
        let mut json = AnswerJson::about(table);
        json.goal = Some(goal.to_owned());
        json.holds = Some(wins);
        json.first_actions = first;
        json.play = Some(names(table, line));
        Self::new(&lines, json)
    }

    /// Says what the certificate proves.
    pub fn add_proof(&mut self, proof: &str) {
        self.text += &format!("  proof      {proof}\n");
        self.json.proof = Some(proof.to_owned());
    }

    pub fn new(lines: &[String], json: AnswerJson) -> Self {
        Self {
            text: lines.join("\n") + "\n",
            json,
        }
    }
}

/// `crossdot: 2 players, 44 states, …`.
pub fn headline(table: &Table<'_>) -> String {
    let constants = table.theory.constants().iter();
    let constants = constants
        .map(|(name, value)| format!("{name} = {value}"))
        .join(", ");
    let name = table.name.as_deref().unwrap_or("game");
    let name = match constants.is_empty() {
        true => name.to_owned(),
        false => format!("{name} ({constants})"),
    };
    let longest = table.graph.longest_play();
    let longest = longest.map_or_else(
        || "plays without end".to_owned(),
        |most| format!("plays of at most {}", counted(most, "move")),
    );
    format!(
        "{name}: {}, {} states, {} moves, {longest}",
        counted(table.graph.signature().players().len(), "player"),
        grouped(table.graph.states().len() as u64),
        grouped(table.graph.move_count() as u64),
    )
}

pub fn names(table: &Table<'_>, actions: &[ActionId]) -> Vec<String> {
    let signature = table.graph.signature();
    let actions = actions.iter();
    actions
        .map(|&action| signature.action_symbol(action).to_string())
        .collect()
}

fn spelled(ending: &Ending) -> String {
    match ending {
        Ending::Winners(nobody) if nobody.is_empty() => "nobody wins".to_owned(),
        Ending::Winners(winners) => format!("player {} wins", winners.iter().join(" and ")),
        Ending::Stuck(players) => format!("player {} is stuck", players.iter().join(" or ")),
    }
}
