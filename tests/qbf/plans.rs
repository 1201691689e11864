//! Plans of formulas, found move by move, before the checker.

use quip::budget::{Budget, Limits};
use quip::check::check;
use quip::format::read_path;
use quip::outcome::{CertificateError, Outcome, Stop};
use quip::program::Program;
use quip::qbf::{self, Settings};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::clauses::random_formula;
use crate::instances::formulas;
use crate::{is_true, mixture, read};

/// Has the answer proved and the proof checked; tells how many nodes the plan has.
fn proved(program: &Program, settings: &Settings, outcome: &mut Outcome) -> usize {
    qbf::prove(program, settings, outcome, &mut Budget::unlimited());
    let certificate = outcome.certificate.clone().unwrap().unwrap();
    let text = certificate.to_text(program);
    let verdict = check(program, text.as_bytes());
    let verdict = verdict.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    assert_eq!(verdict.claim, outcome.status.to_string(), "{text}");
    let sides = [certificate.strategy, certificate.refutation];
    sides
        .into_iter()
        .flatten()
        .map(|plan| plan.nodes.len())
        .sum()
}

#[test]
fn plans_of_random_formulas_are_checked() {
    let mut won = 0;
    for seed in 50_000..53_000 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let circuit = random_formula(&mut dice);
        let spelled = if seed % 2 == 0 {
            circuit.text(|number| format!("g_{number}"))
        } else {
            crate::clauses::spelled(&circuit, &mut dice)
        };
        let program = read(&spelled).program;
        let settings = mixture(&program);
        let mut outcome = qbf::solve(&program, &settings, &mut Budget::unlimited()).unwrap();
        assert_eq!(is_true(&outcome), circuit.is_true(), "seed {seed}");
        proved(&program, &settings, &mut outcome);
        won += u32::from(is_true(&outcome));
    }
    assert!((300..2_700).contains(&won), "{won} are true");
}

#[test]
fn a_wrong_answer_has_no_plan() {
    let text = "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n";
    let program = read(text).program;
    let settings = Settings::default();
    let mut outcome = qbf::solve(&program, &settings, &mut Budget::unlimited()).unwrap();
    outcome.status = quip::outcome::Status::Infeasible;
    qbf::prove(&program, &settings, &mut outcome, &mut Budget::unlimited());
    let reason = outcome.certificate.unwrap().unwrap_err();
    assert!(matches!(reason, CertificateError::Wrong(_)), "{reason}");
}

#[test]
fn public_formulas_of_little_work_have_plans() {
    let wanted = [
        "6061_SAT",
        "bosy_test",
        "nim_ue_1_1_1",
        "geo_n5_d2_t6_s1",
        "sandwich2",
    ];
    for (path, _) in formulas().unwrap_or_default() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !wanted.contains(&name.as_str()) {
            continue;
        }
        let program = read_path(&path).unwrap().program;
        let settings = Settings::default();
        let mut outcome = qbf::solve(&program, &settings, &mut Budget::unlimited()).unwrap();
        assert!(proved(&program, &settings, &mut outcome) > 0, "{name}");
    }
}

#[test]
fn a_signal_ends_a_proof() {
    let text = "p cnf 3 2\ne 1 2 0\na 3 0\n1 2 3 0\n-1 -2 0\n";
    let program = read(text).program;
    let settings = Settings::default();
    let mut outcome = qbf::solve(&program, &settings, &mut Budget::unlimited()).unwrap();
    let signal = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut budget = Budget::new(Limits::default(), signal, None);
    qbf::prove(&program, &settings, &mut outcome, &mut budget);
    let reason = outcome.certificate.unwrap().unwrap_err();
    assert_eq!(reason, CertificateError::Stopped(Stop::Signal));
}
