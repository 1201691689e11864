//! Gomoku, section 3.2 of *Modelling games with the help of quantified integer linear programs*, written with the
//! builder: a quantifier string, and the constraints (1) to (12) as blocks of rows.
//!
//! `cargo run --release --example gomoku` solves two in a row on 2 × 2: black wins at move 3, which is worth 3 − n² = −1.

#![allow(clippy::print_stdout, reason = "an example says what came out")]

use std::error::Error;

use quip::model::*;
use quip::program::Program;
use quip::solver::Solver;

/// Black and white.
const COLOURS: [usize; 2] = [0, 1];

/// The cells of every possible row of `k` on an `n` × `n` board.
fn windows(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let cell = |step: usize| {
                let row = row + step * down;
                let column = column.checked_add_signed(step as isize * right)?;
                (row < n && column < n).then_some(row * n + column)
            };
            found.extend((0..k).map(cell).collect::<Option<Vec<usize>>>());
        }
    }
    found
}

/// `k` in a row on an empty `n` × `n` board, at most `last` moves.
pub fn program(n: usize, k: usize, last: usize) -> Result<Program, Box<dyn Error>> {
    // White's stones at even moves are universal; whatever follows from a move is existential.
    let mut prefix = "exists after0".to_owned();
    for t in 1..=last {
        let mover = if t % 2 == 1 { "exists" } else { "forall" };
        prefix += &format!(", {mover} move{t}, exists after{t}");
    }
    let mut model = Model::with_prefix(&prefix)?;
    let letters = ["b", "w"];
    let mover = |t: usize| usize::from(t.is_multiple_of(2));

    // x: stones; s: somebody has had a row; p: since this move; e: and was the first.
    let (mut x, mut s, mut p, mut e) = (vec![], vec![], vec![], vec![]);
    for t in 0..=last {
        let after = format!("after{t}");
        x.push(COLOURS.map(|c| {
            let moves = t > 0 && c == mover(t);
            let mut block = model.block(&if moves {
                format!("move{t}")
            } else {
                after.clone()
            });
            let name = |cell| format!("x{}[{t},{},{}]", letters[c], cell / n + 1, cell % n + 1);
            (0..n * n)
                .map(|cell| block.binary(name(cell)))
                .collect::<Vec<Var>>()
        }));
        for (list, letter) in [(&mut s, 's'), (&mut p, 'p'), (&mut e, 'e')] {
            let name = |c: usize| format!("{letter}{}[{t}]", letters[c]);
            list.push(COLOURS.map(|c| model.block(&after).binary(name(c))));
        }
    }

    // (1) The empty board.
    for c in COLOURS {
        for &stone in &x[0][c] {
            model.rows("initial").add(row!(stone == 0));
        }
        for var in [s[0][c], p[0][c], e[0][c]] {
            model.rows("initial").add(row!(var == 0));
        }
    }
    for t in 1..=last {
        let (now, before) = (mover(t), &x[t - 1]);
        // (2) to (4) of the mover: a free intersection, stones stay, one more. They bind white as universal rows.
        let mut rules = Vec::new();
        for cell in 0..n * n {
            let (stone, mine, other) = (x[t][now][cell], before[now][cell], before[1 - now][cell]);
            rules.push(("occupation", row!(stone + other <= 1)));
            rules.push(("causality", row!(stone >= mine)));
        }
        rules.push(("alternation", sum(&x[t][now]).equals(sum(&before[now]) + 1)));
        for (name, rule) in rules {
            match now {
                0 => model.rows(name).add(rule),
                _ => model.uncertainty_rows(name).add(rule),
            };
        }
        // (3) and (4) of the other: nothing changes.
        for (&stone, &mine) in x[t][1 - now].iter().zip(&before[1 - now]) {
            model.rows("causality").add(row!(stone == mine));
        }
        for c in COLOURS {
            // (5) to (8) An indicator is true exactly for a full row.
            let mut full = Vec::new();
            for (number, cells) in windows(n, k).iter().enumerate() {
                let name = format!("row{}[{t},{number}]", letters[c]);
                let indicator = model.block(&format!("after{t}")).binary(name);
                let inside: Vec<Var> = cells.iter().map(|&cell| x[t][c][cell]).collect();
                model.rows("row").add_all(conjunction(indicator, inside));
                full.push(indicator);
            }
            // (9), (10) s rises with the first row, p peaks there.
            let (step, last_step, peak) = (s[t][c], s[t - 1][c], p[t][c]);
            full.push(last_step);
            model.rows("history").add_all(disjunction(step, full));
            model.rows("critical").add(row!(peak == step - last_step));
        }
        // (11) The first row of all wins.
        for c in COLOURS {
            let (wins, peak, other) = (e[t][c], p[t][c], s[t][1 - c]);
            model
                .rows("victory")
                .add(row!(wins <= peak))
                .add(row!(wins <= 1 - other))
                .add(row!(wins >= peak - other));
        }
    }
    // (12) r: the player does not win at all. And what it is all worth.
    let end = format!("after{last}");
    let r = COLOURS.map(|c| model.block(&end).binary(format!("r{}", letters[c])));
    for c in COLOURS {
        let victories = sum(e.iter().map(|at| at[c]));
        model.rows("retaliation").add((victories + r[c]).equals(1));
    }
    let full = (n * n) as i64;
    let mut cost = (2 * full + 1) * r[0] - full * r[1];
    for (t, wins) in (0..).zip(&e) {
        cost += t * wins[0] - t * wins[1];
    }
    model.minimize_as("moves", cost);
    Ok(model.build()?)
}

#[allow(dead_code, reason = "a test takes only the program")]
fn main() -> Result<(), Box<dyn Error>> {
    let outcome = Solver::default().solve(&program(2, 2, 4)?)?;
    println!(
        "{}: {:?}",
        outcome.status,
        outcome.objective.map(|value| value.to_string())
    );
    Ok(())
}
