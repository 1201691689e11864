//! `quip verify`.

mod answer;
mod program;
mod rules;

use quip::budget::{Budget, Limits};
use quip::format::Diagnostics;
use quip::games::Family;
use quip::outcome::Stop;
use quip::rules::{
    Conduct, ExploreError, Formula, Game, PlayerId, Reading, Refereed, Rule, Signature, StateGraph,
    Theory, TheoryError, guarantee, outcomes, respond,
};

use super::args::{Style, VerifyArgs};
use super::exit::{Exit, Failure};
use super::family::Chosen;
use super::json;
use super::output::{answer, complain};
use super::reading::{bytes_of, spoken};
use super::signals;
use answer::Answer;

/// The files, explored, and what is asked about them.
struct Table<'w> {
    wanted: &'w VerifyArgs,
    style: Style,
    /// What the game is called, if it has a name.
    name: Option<String>,
    theory: Theory,
    graph: StateGraph,
    /// Who follows which rule.
    rules: Vec<(PlayerId, Rule)>,
    budget: Budget,
}

/// Why there is no answer: a failure, or a limit.
enum Break {
    Failure(Failure),
    Stopped(Stop),
}

impl From<Failure> for Break {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Stop> for Break {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Reads, explores, answers.
pub fn run(wanted: &VerifyArgs, style: Style) -> Result<Exit, Failure> {
    let outcome = Table::set(wanted, style).and_then(|mut table| table.answer());
    match outcome {
        Ok(exit) => Ok(exit),
        Err(Break::Failure(failure)) => Err(failure),
        Err(Break::Stopped(stop)) => {
            let why = match stop {
                Stop::Time => "the time is up",
                _ => "asked to stop",
            };
            complain(&format!("stopped without an answer: {why}"));
            Ok(Exit::StoppedEmptyHanded)
        }
    }
}

impl<'w> Table<'w> {
    fn set(wanted: &'w VerifyArgs, style: Style) -> Result<Self, Break> {
        let limits = Limits {
            time: wanted.time,
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, signals::stop_flag()?, None);
        let (name, theory, graph) = match &wanted.game {
            None => {
                let theory = read(wanted, style, None)?;
                let game = theory.game();
                let game = game.map_err(|fault| Failure::Model(format!("error: {fault}")))?;
                let graph = explored(game, &mut budget)?;
                (theory.name().map(str::to_owned), theory, graph)
            }
            Some(typed) => {
                let chosen = Chosen::typed(typed)?;
                let game = Refereed::new(chosen.build(Family::rules)?);
                let theory = read(wanted, style, Some(game.signature()))?;
                let graph = explored(&game, &mut budget)?;
                (Some(chosen.family.name.to_owned()), theory, graph)
            }
        };
        let mut table = Self {
            wanted,
            style,
            name,
            theory,
            graph,
            rules: Vec::new(),
            budget,
        };
        for (number, text) in &wanted.follow {
            let player = table.player(*number)?;
            let rule = table.rule(text, player)?;
            table.rules.push((player, rule));
        }
        Ok(table)
    }

    fn answer(&mut self) -> Result<Exit, Break> {
        let asks_program = self.asks_program();
        if self.wanted.best || self.wanted.goal.is_some() {
            return self.forced();
        }
        if asks_program {
            let message = "--program, --write and --certificate need a question: --goal or --best";
            return Err(Failure::Usage(message.to_owned()).into());
        }
        if let Some(play) = &self.wanted.after {
            return self.moves_after(play);
        }
        if self.rules.is_empty() {
            return self.properties();
        }
        let conduct = self.conduct()?;
        let found = outcomes(&self.graph, &conduct);
        self.say(&Answer::outcomes(self, &found))?;
        Ok(Exit::Proved)
    }

    /// `--goal` and `--best`: is the goal guaranteed, or can it be forced?
    fn forced(&mut self) -> Result<Exit, Break> {
        let player = self.player(self.wanted.player)?;
        let text = match &self.wanted.goal {
            Some(text) => text.clone(),
            None => format!("wins({player})"),
        };
        let goal = self.theory.formula(&text);
        let goal = goal.map_err(|faults| self.fault(&faults))?;
        if !goal.is_about_state() {
            let message = "a goal is about the last state: it cannot say `does` or `next`";
            return Err(Failure::Usage(message.to_owned()).into());
        }
        let answer = if self.asks_program() {
            self.by_program(player, &goal, &text)?
        } else {
            self.by_states(player, &goal, &text)?
        };
        let Some(answer) = answer else {
            return Ok(Exit::Proved);
        };
        self.say(&answer)?;
        Ok(match answer.json.holds {
            Some(false) => Exit::Infeasible,
            _ => Exit::Proved,
        })
    }

    fn by_states(
        &mut self,
        player: PlayerId,
        goal: &Formula,
        text: &str,
    ) -> Result<Option<Answer>, Break> {
        let conduct = self.conduct()?;
        if self.wanted.best {
            let response = respond(&self.graph, &conduct, player, goal);
            let response = response.map_err(|fault| Failure::Model(format!("error: {fault}")))?;
            let wins = response.wins(&self.graph);
            let line = response.main_line(&self.graph);
            let good = response.good_actions(&self.graph, self.graph.initial());
            return Ok(Some(Answer::response(
                self, player, text, wins, &good, &line,
            )));
        }
        let verdict = guarantee(&self.graph, &conduct, player, goal);
        Ok(Some(Answer::guarantee(self, player, text, &verdict)))
    }

    fn conduct(&mut self) -> Result<Conduct, Break> {
        let mut conduct = Conduct::free(&self.graph);
        for (player, rule) in &self.rules {
            let followed = conduct.follow(
                &self.graph,
                *player,
                rule,
                reading(self.wanted),
                &mut self.budget,
            );
            conduct = followed.map_err(|stopped| stopped.0)?;
        }
        Ok(conduct)
    }

    fn reading(&self) -> Reading {
        reading(self.wanted)
    }

    fn player(&self, number: usize) -> Result<PlayerId, Failure> {
        let players = self.graph.signature().players().len();
        let player = PlayerId::called(number).filter(|player| player.index() < players);
        player.ok_or_else(|| {
            let message = format!("there is no player {number}; the players are 1 to {players}");
            Failure::Usage(message)
        })
    }

    fn rule(&self, text: &str, player: PlayerId) -> Result<Rule, Failure> {
        let rule = self.theory.rule(text, player);
        rule.map_err(|faults| self.fault(&faults))
    }

    fn fault(&self, faults: &Diagnostics) -> Failure {
        Failure::Model(faults.render(self.style.log))
    }

    fn say(&self, said: &Answer) -> Result<(), Failure> {
        if self.wanted.json {
            answer(&json::to_line(&said.json))
        } else {
            answer(&said.text)
        }
    }
}

fn reading(wanted: &VerifyArgs) -> Reading {
    if wanted.segments {
        Reading::Segments
    } else {
        Reading::CompletePlays
    }
}

fn explored<G: Game>(game: &G, budget: &mut Budget) -> Result<StateGraph, Break> {
    StateGraph::explore(game, budget).map_err(|fault| match fault {
        ExploreError::Stopped(stop) => Break::Stopped(stop),
        _ => Failure::Model(format!("error: {fault}")).into(),
    })
}

/// Reads the files: a game and rules, or rules for a game that is given.
fn read(wanted: &VerifyArgs, style: Style, given: Option<&Signature>) -> Result<Theory, Failure> {
    let mut files = Vec::new();
    for path in &wanted.files {
        let bytes = bytes_of(path).map_err(|reason| Failure::Read {
            name: spoken(path),
            reason,
        })?;
        files.push((path.display().to_string(), bytes));
    }
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    let constants = wanted.constant.iter();
    let constants: Vec<(&str, i64)> = constants.map(|(name, value)| (&**name, *value)).collect();
    let theory = match given {
        Some(signature) => Theory::read_bytes_for(signature, &files, &constants),
        None => Theory::read_bytes(&files, &constants),
    };
    theory.map_err(|fault| match fault {
        TheoryError::Text(faults) => Failure::Model(faults.render(style.log)),
        TheoryError::UnknownConstant { .. } | TheoryError::ConstantOfGame { .. } => {
            Failure::Usage(fault.to_string())
        }
        TheoryError::NoGame => Failure::Model(format!("error: {fault}")),
    })
}
