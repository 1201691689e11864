//! `quip verify`.

mod answer;
mod asp;
mod objects;
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
use super::files::{self, Output};
use super::json;
use super::output::{answer, complain};
use super::reading::{bytes_of, spoken};
use super::signals;
use super::ticker::Ticker;
use answer::Answer;
pub use objects::ObjectArgs;

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
    /// Where to write the program and its certificate.
    outputs: &'w mut [Option<Output>; 3],
    /// Why a file could not be made that was asked for.
    unmade: Option<Failure>,
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
    let chosen = wanted.game.as_deref().map(Chosen::typed).transpose()?;
    let files = wanted.files.iter().map(|path| ("RULES", &**path));
    let files: Vec<_> = files.chain(chosen.iter().flat_map(Chosen::files)).collect();
    let written = [
        ("--write", &wanted.write),
        ("--certificate", &wanted.certificate),
        ("--asp", &wanted.objects.asp),
    ];
    let written = written.map(|(name, path)| path.as_deref().map(|path| (name, path)));
    let mut outputs = files::open(&files, written)?;
    let ticker = Ticker::new("exploring the states of the game");
    let outcome = Table::set(wanted, style, chosen.as_ref(), &mut outputs)
        .and_then(|mut table| table.answer());
    drop(ticker);
    match outcome {
        Ok(exit) => Ok(exit),
        Err(Break::Failure(failure)) => files::before_work(&mut outputs, Err(failure)),
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

/// What the files say.
struct Read {
    name: Option<String>,
    theory: Theory,
    /// The game of a referee, if the files do not describe one.
    game: Option<Refereed>,
}

impl Read {
    fn all(wanted: &VerifyArgs, style: Style, chosen: Option<&Chosen>) -> Result<Self, Failure> {
        let Some(chosen) = chosen else {
            let theory = read(wanted, style, None)?;
            let name = theory.name().map(str::to_owned);
            return Ok(Self {
                name,
                theory,
                game: None,
            });
        };
        let game = Refereed::new(chosen.build(Family::rules)?);
        let theory = read(wanted, style, Some(game.signature()))?;
        Ok(Self {
            name: Some(chosen.family.name.to_owned()),
            theory,
            game: Some(game),
        })
    }
}

impl<'w> Table<'w> {
    fn set(
        wanted: &'w VerifyArgs,
        style: Style,
        chosen: Option<&Chosen>,
        outputs: &'w mut [Option<Output>; 3],
    ) -> Result<Self, Break> {
        let read = Read::all(wanted, style, chosen)?;
        let limits = Limits {
            time: wanted.time,
            ..Limits::default()
        };
        // Not before, so that a signal ends whoever waits for a file.
        let mut budget = Budget::new(limits, signals::stop_flag()?, None);
        let Read { name, theory, game } = read;
        let graph = match &game {
            Some(game) => explored(game, &mut budget)?,
            None => {
                let game = theory.game();
                let game = game.map_err(|fault| Failure::Model(format!("error: {fault}")))?;
                explored(game, &mut budget)?
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
            outputs,
            unmade: None,
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
        if let Some(exit) = self.objects()? {
            return Ok(exit);
        }
        if let Some(output) = self.outputs[2].take() {
            let text = self.answer_set_program()?;
            output.save(text.as_bytes())?;
        } else if self.rules.is_empty() {
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
        match (self.unmade.take(), answer.json.holds) {
            (Some(failure), _) => Err(failure.into()),
            (None, Some(false)) => Ok(Exit::Infeasible),
            (None, _) => Ok(Exit::Proved),
        }
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
