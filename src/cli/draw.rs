//! `quip draw`.

use quip::budget::{Budget, Limits};
use quip::draw::{solution_space, strategy_tree};
use quip::reference;

use super::args::{DrawArgs, Picture, Style};
use super::exit::{Exit, Failure};
use super::files;
use super::output::{answer, complain};
use super::reading::{self, is_stream};
use super::signals;

/// Solves a small model and draws its plan or its solution space.
pub fn run(wanted: &DrawArgs, style: Style) -> Result<Exit, Failure> {
    let out = (!is_stream(&wanted.output)).then_some(("--output", &*wanted.output));
    let mut outputs = files::open(&[("MODEL", &wanted.model)], [out])?;
    let model = reading::read(&wanted.model, &wanted.data, style.log);
    let model = files::before_work(&mut outputs, model)?;
    let [out] = outputs;
    model
        .rendered_warnings
        .iter()
        .for_each(|text| complain(text));
    let limits = Limits {
        time: wanted.time,
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, signals::stop_flag()?, None);
    let outcome = reference::solve(&model.program, &mut budget)?;
    let plan = outcome.strategy.as_ref().or(outcome.refutation.as_ref());
    let picture = match (wanted.picture, plan) {
        (Picture::Space, _) => solution_space(&model.program, outcome.strategy.as_ref()),
        (Picture::Tree, Some(plan)) => strategy_tree(&model.program, plan),
        (Picture::Tree, None) => {
            complain("stopped before there was a strategy to draw");
            return Ok(Exit::StoppedEmptyHanded);
        }
    };
    let picture = picture.map_err(Failure::Draw)?;
    match out {
        None => answer(&picture)?,
        Some(out) => out.save(picture.as_bytes())?,
    }
    Ok(Exit::Proved)
}
