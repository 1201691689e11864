//! `quip fuzz`: random programs against the definition, until something is wrong.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use quip::format::write_qip;
use quip::fuzz::{Campaign, Class, Fault, Rule, Tally};
use serde::{Deserialize, Serialize};

use super::args::Style;
use super::exit::{Exit, Failure};
use super::json::to_line;
use super::output::{answer, complain};
use super::table::Table;
use super::{files, quantity, signals};

/// How often the state is written and a line of progress is said.
const PAUSE: Duration = Duration::from_secs(10);

/// Try the solver on random programs: answers, certificates, damaged certificates
///
/// For people who change quip. Programs of every class are solved by engines in drawn configurations and
/// compared with the definition, or with each other where they are too large for it; first stages are
/// followed, certificates checked and then damaged, programs changed in ways that must not change the
/// value, and what `bounds` and `explain` say looked at. A program on which something is wrong is made small and written down. Exits with 70 then.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip fuzz -t 60
  quip fuzz --class mixed --class long --programs 2000 --keep found
  quip fuzz -t 8h --state fuzz.json --keep found     goes on where it was stopped")]
pub struct FuzzArgs {
    /// What to draw; may be repeated; everything if not given
    #[arg(long, value_name = "CLASS", value_parser = classes())]
    class: Vec<String>,
    /// Programs of each class
    #[arg(long, value_name = "N", default_value_t = 100)]
    programs: u64,
    /// Stop after this time, such as 60, 5m or 1h; until then without a count of programs
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// Damaged texts of each certificate
    #[arg(long, value_name = "N", default_value_t = 20)]
    mutants: usize,
    /// Seed of the first program of each class
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Keep what was counted in this file, and go on with what is in it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write programs on which something is wrong into this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Count the rules of certificates as well
    #[arg(long)]
    rules: bool,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
}

fn classes() -> clap::builder::PossibleValuesParser {
    Class::ALL.map(Class::name).into()
}

/// What is kept between two runs, and said with --json.
#[derive(Serialize, Deserialize)]
struct State {
    schema: String,
    version: String,
    #[serde(flatten)]
    campaign: Campaign,
}

const SCHEMA: &str = "quip-fuzz/1";

/// Draws and tries.
pub fn run(wanted: &FuzzArgs, _: Style) -> Result<Exit, Failure> {
    let stop = signals::stop_flag()?;
    let mut campaign = wanted.begun()?;
    let classes: Vec<Class> = Class::ALL
        .into_iter()
        .filter(|it| wanted.class.is_empty() || wanted.class.iter().any(|name| name == it.name()))
        .collect();
    let usual_hook = std::panic::take_hook();
    // A panic is a finding here, and no end.
    std::panic::set_hook(Box::new(|_| {}));
    let done = wanted.tried(&mut campaign, &classes, &stop);
    std::panic::set_hook(usual_hook);
    done?;
    let faults: u64 = campaign.classes.values().map(|it| it.faults).sum();
    if wanted.json {
        answer(&to_line(&State::of(campaign)))?;
    } else {
        answer(&shown(&campaign, wanted.rules))?;
    }
    Ok(match (faults, stop.load(Ordering::Relaxed)) {
        (0, false) => Exit::Proved,
        (0, true) => Exit::StoppedEmptyHanded,
        _ => Exit::Internal,
    })
}

impl State {
    fn of(campaign: Campaign) -> Self {
        Self {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            campaign,
        }
    }
}

impl FuzzArgs {
    /// A new campaign, or the one of the state file.
    fn begun(&self) -> Result<Campaign, Failure> {
        let new = Campaign {
            first_seed: self.seed,
            mutants: self.mutants,
            ..Campaign::default()
        };
        let Some(path) = self.state.as_deref().filter(|path| path.exists()) else {
            return Ok(new);
        };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|reason| Failure::Read {
            name: name.clone(),
            reason,
        })?;
        let state: State = serde_json::from_str(&text).map_err(|reason| {
            Failure::Usage(format!("`{name}` is no state of a fuzz: {reason}"))
        })?;
        let campaign = state.campaign;
        if state.schema != SCHEMA || state.version != env!("CARGO_PKG_VERSION") {
            return Err(Failure::Usage(format!(
                "`{name}` is of another version of quip; name a new file"
            )));
        }
        if (campaign.first_seed, campaign.mutants) != (new.first_seed, new.mutants) {
            return Err(Failure::Usage(format!(
                "`{name}` was begun with --seed {} --mutants {}; go on with these, or name a new file",
                campaign.first_seed, campaign.mutants
            )));
        }
        Ok(campaign)
    }

    /// Programs of every class in turn, until there are enough, or the time is over.
    fn tried(
        &self,
        campaign: &mut Campaign,
        classes: &[Class],
        stop: &Arc<AtomicBool>,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let mut said = start;
        let is_over = || self.time.is_some_and(|time| start.elapsed() >= time);
        let mut drawn = 0;
        while (self.time.is_some() || drawn < self.programs) && !is_over() {
            for &class in classes {
                if is_over() || stop.load(Ordering::Relaxed) {
                    break;
                }
                if let Some(fault) = campaign.next(class, stop) {
                    self.report(&fault)?;
                }
                if said.elapsed() >= PAUSE {
                    said = Instant::now();
                    complain(&progress(campaign));
                    self.keep_state(campaign)?;
                }
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            drawn += 1;
        }
        self.keep_state(campaign)
    }

    fn keep_state(&self, campaign: &Campaign) -> Result<(), Failure> {
        match &self.state {
            Some(path) => save("--state", path, &to_line(&State::of(campaign.clone()))),
            None => Ok(()),
        }
    }

    /// What went wrong, on standard error, and the program in its folder.
    fn report(&self, fault: &Fault) -> Result<(), Failure> {
        let (small, wrong) = &fault.small;
        let text = kept_text(fault);
        let Some(folder) = &self.keep else {
            complain(&format!(
                "{} {}: {}\n{text}",
                fault.class, fault.seed, wrong.0
            ));
            return Ok(());
        };
        std::fs::create_dir_all(folder).map_err(|reason| Failure::Write {
            name: folder.display().to_string(),
            reason,
        })?;
        let path = folder.join(format!("{}-{}.qip", fault.class, fault.seed));
        let count = small.variables().len();
        complain(&format!(
            "{} {}: {}\n  {count} variables are left of {}: {}",
            fault.class,
            fault.seed,
            wrong.0.lines().next().unwrap_or_default(),
            fault.program.variables().len(),
            path.display()
        ));
        save("--keep", &path, &text)
    }
}

fn save(option: &str, path: &Path, text: &str) -> Result<(), Failure> {
    match files::open(&[], [Some((option, path))])? {
        [Some(output)] => output.save(text.as_bytes()),
        [None] => Ok(()),
    }
}

/// The small program under what was wrong with it and with the program that was drawn.
fn kept_text(fault: &Fault) -> String {
    let (small, wrong) = &fault.small;
    let mut text = format!("\\ quip fuzz: class {}, seed {}\n", fault.class, fault.seed);
    for (of, wrong) in [
        ("this program", wrong),
        ("the program that was drawn", &fault.wrong),
    ] {
        text += &format!("\\ of {of}:\n");
        for line in wrong.0.lines() {
            text += &format!("\\   {line}\n");
        }
    }
    text + &write_qip(small)
}

fn progress(campaign: &Campaign) -> String {
    let sum = |count: fn(&Tally) -> u64| -> u64 { campaign.classes.values().map(count).sum() };
    format!(
        "{} programs, {} answers, {} certificates, {} damaged, {} wrong",
        sum(|it| it.programs),
        sum(|it| it.answers),
        sum(|it| it.certificates),
        sum(|it| it.mutants),
        sum(|it| it.faults)
    )
}

fn shown(campaign: &Campaign, with_rules: bool) -> String {
    type Count = fn(&Tally) -> u64;
    const COLUMNS: [(&str, Count); 13] = [
        ("programs", |it| it.programs),
        ("judged", |it| it.judged),
        ("answers", |it| it.answers),
        ("compared", |it| it.compared),
        ("stopped", |it| it.stopped),
        ("refused", |it| it.refused),
        ("followed", |it| it.followed),
        ("proofs", |it| it.certificates),
        ("unproved", |it| it.unproved),
        ("damaged", |it| it.mutants),
        ("changed", |it| it.changed),
        ("said", |it| it.said),
        ("wrong", |it| it.faults),
    ];
    let head: Vec<&str> = ["class"]
        .into_iter()
        .chain(COLUMNS.map(|it| it.0))
        .collect();
    let mut table = Table::new(&head, 1);
    let mut add = |name: &str, count: &dyn Fn(Count) -> u64| {
        let cells = COLUMNS.iter().map(|(_, of)| count(*of).to_string());
        table.row([name.to_owned()].into_iter().chain(cells).collect());
    };
    for class in Class::ALL {
        if let Some(tally) = campaign.classes.get(class.name()) {
            add(class.name(), &|count| count(tally));
        }
    }
    add("all", &|count| campaign.classes.values().map(count).sum());
    let mut text = table.text();
    if with_rules {
        text += "\n";
        text += &rules(campaign);
    }
    text
}

/// How often each rule of certificates occurred and was damaged, the rarest first.
fn rules(campaign: &Campaign) -> String {
    let mut all = std::collections::BTreeMap::<&str, Rule>::new();
    for (name, rule) in campaign.classes.values().flat_map(|tally| &tally.rules) {
        let sum = all.entry(name).or_default();
        sum.lines += rule.lines;
        sum.mutants += rule.mutants;
    }
    let mut all: Vec<(&str, Rule)> = all.into_iter().collect();
    all.sort_by_key(|(_, rule)| rule.mutants);
    let mut table = Table::new(&["rule", "lines", "damaged"], 1);
    for (name, rule) in all {
        table.row(vec![
            name.to_owned(),
            rule.lines.to_string(),
            rule.mutants.to_string(),
        ]);
    }
    table.text()
}
