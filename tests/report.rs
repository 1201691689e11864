//! Pages that `quip report` writes: what they hold, and what they do in a real browser.
//!
//! The browser is chromium, found by its usual names or by `QUIP_BROWSER`; where there is none,
//! those tests say so and do nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

#[expect(dead_code, reason = "sessions of other tests have more needs")]
mod session;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quip::format::parse_qip;
use quip::num::{Rational, parse_rational};
use quip::program::{Program, Quantifier};
use quip::solver::{Options, Solver};
use quip::strategy::{Play, Strategy, Turn};
use serde_json::{Value, json};
use session::run;

const LOT: &str = "models/or/lot-sizing.qip";

/// The page of a model, and the folder that it stands in.
fn page(model: &str, more: &[&str]) -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let mut typed = vec!["report", "-q", model, "-o", path.to_str().unwrap()];
    typed.extend(more);
    let session = run(&typed);
    assert!([0, 10, 11].contains(&session.code), "{}", session.stderr);
    let html = fs::read_to_string(&path).unwrap();
    (folder, path, html)
}

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("QUIP_BROWSER").map(PathBuf::from);
    let usual = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = usual
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = named.into_iter().chain(places).find(|it| it.is_file());
    if found.is_none() {
        eprintln!("skipped: no chromium here; name one in QUIP_BROWSER");
    }
    found
}

/// Opens a page in the browser, runs a script behind those of the page, and hands back what it tells.
fn told(browser: &Path, page: &Path, hash: &str, script: &str) -> Value {
    let html = fs::read_to_string(page).unwrap();
    let asked = format!(
        "<script>(() => {{
           const errors = [];
           addEventListener('error', (event) => errors.push(event.message));
           const tell = (it) => {{
             const line = document.createElement('pre');
             line.id = 'told';
             line.textContent = 'TOLD' + JSON.stringify(it).replace(/[&<>]/g, (c) => '\\\\u00' + c.charCodeAt(0).toString(16)) + 'TOLD';
             document.body.append(line);
           }};
           {script}
         }})();</script></body>"
    );
    let (body, rest) = html.rsplit_once("</body>").unwrap();
    let place = page.with_file_name("asked.html");
    fs::write(&place, format!("{body}{asked}{rest}")).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let ran = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
        ])
        .args(["--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{hash}", place.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&ran.stdout);
    let line = dom
        .rsplit("TOLD")
        .nth(1)
        .unwrap_or_else(|| panic!("nothing was told: {dom}"));
    serde_json::from_str(line).unwrap()
}

/// Looks at one position of the explorer.
const LOOK: &str = "
  const all = (what) => [...document.querySelectorAll('#explorer ' + what)];
  const text = (what) => all(what).map((it) => it.textContent)[0] ?? null;
  const look = (hash) => {
    history.replaceState(null, '', hash);
    dispatchEvent(new Event('hashchange'));
    return {
      running: text('#running'), guaranteed: text('#guaranteed'),
      moves: all('ol.play code').map((it) => it.textContent),
      buttons: all('.choices button').map((it) => [it.dataset.value, it.getAttribute('aria-disabled') === 'true', it.title]),
      status: text('[role=status]'),
      rows: all('#rows tbody tr').map((it) => [...it.cells].map((cell) => cell.textContent)),
    };
  };";

/// Walks through every history of a side.
fn histories(side: &str) -> String {
    format!(
        "{LOOK}
         const seen = [];
         const walk = (made) => {{
           if (seen.length > 400) return;
           const hash = '#{side}' + made.map((it) => ';' + encodeURIComponent(it[0]) + '=' + it[1]).join('');
           const it = look(hash);
           seen.push([made, it]);
           const legend = text('legend');
           if (legend === null) return;
           const name = /choose (.*?), /.exec(legend)[1];
           for (const [value, off] of it.buttons) if (!off) walk([...made, [name, value]]);
         }};
         walk([]);
         tell(seen);"
    )
}

fn solved(model: &str, owner: Quantifier) -> (Program, Strategy) {
    let program = parse_qip(&fs::read_to_string(model).unwrap()).unwrap();
    let options = Options {
        certificate: true,
        ..Options::default()
    };
    let outcome = Solver::new(options).solve(&program).unwrap();
    let strategy = outcome.held(&program, owner).expect("there is one");
    (program, strategy)
}

/// The play after these moves of the opponent.
fn played<'a>(program: &'a Program, strategy: &'a Strategy, made: &Value) -> Play<'a> {
    let made: BTreeMap<&str, Rational> = made
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it[0].as_str().unwrap(),
                parse_rational(it[1].as_str().unwrap()).unwrap(),
            )
        })
        .collect();
    let mut play = strategy.play(program);
    loop {
        play.reply();
        let Turn::Observe(variable) = play.turn() else {
            return play;
        };
        let name = program.variables()[variable].name.as_str();
        let Some(value) = made.get(name) else {
            return play;
        };
        play.observe(value.clone()).unwrap();
    }
}

/// What stands before the decimal.
fn exact(text: &Value) -> Rational {
    let text = text.as_str().unwrap();
    parse_rational(text.split(' ').next().unwrap()).unwrap()
}

#[test]
fn the_explorer_plays_every_history_as_the_library_does() {
    let Some(browser) = browser() else { return };
    for (model, side, owner, least) in [
        (LOT, "planner", Quantifier::Exists, 11),
        (LOT, "opponent", Quantifier::Forall, 2),
        (
            "models/seed/three-variables-real.qip",
            "planner",
            Quantifier::Exists,
            7,
        ),
        (
            "models/seed/restricted-opponent.qip",
            "planner",
            Quantifier::Exists,
            2,
        ),
        (
            "models/corner/interior-worst-case.qip",
            "opponent",
            Quantifier::Forall,
            1,
        ),
    ] {
        let (_folder, path, _) = page(model, &["--brief"]);
        let seen = told(&browser, &path, "", &histories(side));
        let (program, strategy) = solved(model, owner);
        let seen = seen.as_array().unwrap();
        assert!(seen.len() >= least, "{model}: {} histories", seen.len());
        for it in seen {
            let (made, shown) = (&it[0], &it[1]);
            let play = played(&program, &strategy, made);
            let moves = play.moves().iter().map(|(variable, value)| {
                format!("{} = {value}", program.variables()[*variable].name)
            });
            assert_eq!(
                shown["moves"],
                json!(moves.collect::<Vec<_>>()),
                "{model} {made}"
            );
            if program.objective().is_some() {
                assert_eq!(
                    exact(&shown["running"]),
                    play.objective_so_far(),
                    "{model} {made}"
                );
            }
            for button in shown["buttons"].as_array().unwrap() {
                let value = parse_rational(button[0].as_str().unwrap()).unwrap();
                let refused = play.clone().observe(value).err();
                assert_eq!(
                    button[1],
                    json!(refused.is_some()),
                    "{model} {made} {button}"
                );
            }
        }
    }
}

#[test]
fn what_is_guaranteed_never_gets_worse_and_ends_in_what_was_paid() {
    let Some(browser) = browser() else { return };
    let (_folder, path, _) = page(LOT, &["--brief"]);
    let seen = told(&browser, &path, "", &histories("planner"));
    let mut ends = 0;
    for it in seen.as_array().unwrap() {
        let shown = &it[1];
        let guaranteed = exact(&shown["guaranteed"]);
        assert!(guaranteed <= parse_rational("16").unwrap(), "{it}");
        if shown["buttons"].as_array().unwrap().is_empty() {
            assert_eq!(guaranteed, exact(&shown["running"]), "{it}");
            ends += 1;
        }
    }
    assert_eq!(ends, 8, "legal plays of the opponent");
}

#[test]
fn a_link_leads_to_a_play_and_an_illegal_one_is_told_with_its_row() {
    let Some(browser) = browser() else { return };
    let (_folder, path, _) = page(LOT, &["--brief"]);
    let shown = told(
        &browser,
        &path,
        "#planner;d1=2",
        &format!("{LOOK} tell(look(location.hash));"),
    );
    assert_eq!(
        shown["moves"],
        json!(["open = 1", "d1 = 2", "q1 = 2", "s1 = 0"])
    );
    assert_eq!(shown["running"], "14");
    let refused = json!([
        "2",
        true,
        "not allowed: it breaks row budget of the opponent"
    ]);
    assert_eq!(shown["buttons"][2], refused);
    let script = format!("{LOOK} tell(look('#planner;d1=2;d2=2'));");
    let shown = told(&browser, &path, "", &script);
    let status = shown["status"].as_str().unwrap();
    assert_eq!(
        status,
        "d2 = 2 cannot be played: it breaks row budget of the opponent."
    );
}

#[test]
fn keys_and_clicks_play() {
    let Some(browser) = browser() else { return };
    let (_folder, path, _) = page(LOT, &["--brief"]);
    let script = "
      const key = (name) => dispatchEvent(new KeyboardEvent('keydown', { key: name }));
      const moves = () => [...document.querySelectorAll('#explorer ol.play code')].map((it) => it.textContent);
      const after = [];
      key('2'); after.push(moves().length, location.hash);
      key('b'); after.push(moves().length);
      key('w'); key('w'); after.push(document.querySelector('#running').textContent);
      key('r'); after.push(moves().length);
      document.querySelector('.choices button').click(); after.push(location.hash);
      document.querySelector('button.plain').click(); after.push(moves().length);
      document.querySelector('#shade').click(); after.push(document.documentElement.className);
      after.push(errors);
      tell(after);";
    // `dispatchEvent` of the window has no target that is an element.
    let after = told(
        &browser,
        &path,
        "",
        &script
            .replace("dispatchEvent(new", "document.body.dispatchEvent(new")
            .replace("{ key: name }", "{ key: name, bubbles: true }"),
    );
    assert_eq!(
        after,
        json!([
            4,
            "#planner;d1=2",
            1,
            "16",
            1,
            "#planner;d1=0",
            1,
            "dark",
            []
        ])
    );
}

#[test]
fn whatever_a_title_or_a_name_says_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("<b>&\"'.qip");
    let comment = "\\ </script><script>document.title = 'broken'</script><!-- \n";
    fs::write(
        &model,
        comment.to_owned() + &fs::read_to_string(LOT).unwrap(),
    )
    .unwrap();
    let title = "</script></title><img src=x onerror=\"document.title='broken'\">@data@";
    let (_folder, path, html) = page(model.to_str().unwrap(), &["--brief", "--title", title]);
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains("<img") && !html.contains("<b>"));
    let Some(browser) = browser() else { return };
    let script = "tell([document.title, document.querySelector('h1').textContent,
        document.images.length, document.querySelector('#model pre').textContent.length, errors]);";
    let shown = told(&browser, &path, "", script);
    assert_eq!(shown[0], title);
    assert_eq!(shown[1], title);
    assert_eq!(shown[2], 0);
    assert_eq!(shown[3], fs::read_to_string(&model).unwrap().len());
}

#[test]
fn a_page_tells_all_it_found_out_and_loads_nothing() {
    let (_folder, path, html) = page(LOT, &[]);
    assert!(html.len() < 1_000_000);
    for part in ["http://", "https://", "src=", "@import"] {
        let known = ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"];
        let names = known
            .iter()
            .map(|it| it.matches(part).count())
            .sum::<usize>();
        assert_eq!(html.matches(part).count(), names, "{part}");
    }
    let Some(browser) = browser() else { return };
    let script = "tell([[...document.querySelectorAll('main h2')].map((it) => it.textContent),
        document.querySelector('.headline').textContent, document.documentElement.dataset.ready,
        performance.getEntriesByType('resource').length]);";
    let shown = told(&browser, &path, "", script);
    let sections = [
        "What it is robust against",
        "Play against the strategy",
        "The price of robustness",
        "The value against the opponent's budget",
        "What else could be decided first",
        "Model and solve",
    ];
    for section in sections {
        assert!(
            shown[0].as_array().unwrap().contains(&json!(section)),
            "{section}"
        );
    }
    assert_eq!(
        shown[1],
        "Optimal: 16 can be guaranteed against every legal play of the opponent."
    );
    assert_eq!((&shown[2], &shown[3]), (&json!("yes"), &json!(0)));
}

#[test]
fn a_lost_model_shows_its_refutation() {
    let (_folder, path, html) = page("models/corner/interior-worst-case.qip", &[]);
    assert!(html.contains("already refutes"));
    let Some(browser) = browser() else { return };
    let script = "tell([document.querySelector('#lost').textContent, document.querySelector('#worst h2').textContent]);";
    let shown = told(&browser, &path, "", script);
    assert!(shown[0].as_str().unwrap().contains("already refutes"));
    assert_eq!(shown[1], "How the rows are lost");
}

#[test]
fn a_stored_result_is_shown_without_solving() {
    let folder = tempfile::tempdir().unwrap();
    let [result, stream, certificate] =
        ["result.json", "stream.json", "lot.cert"].map(|name| folder.path().join(name));
    let out = result.to_str().unwrap();
    let proof = certificate.to_str().unwrap();
    run(&["solve", "-q", "-o", out, "--certificate", proof, LOT]);
    let (_folder, _, html) = page(out, &["--brief"]);
    assert!(html.contains("16 can be guaranteed") && html.contains("checked in exact arithmetic"));
    assert!(html.contains("made from a stored result"));

    let said = run(&["solve", "-q", "--json-stream", LOT]).stdout;
    fs::write(&stream, said).unwrap();
    let (_folder, _, html) = page(stream.to_str().unwrap(), &["--brief"]);
    assert!(html.contains("No certificate was stored"));

    let other = fs::read_to_string(&result)
        .unwrap()
        .replace(LOT, "models/or/knapsack.qip");
    fs::write(&result, other).unwrap();
    let session = run(&["report", out]);
    assert_eq!(session.code, 2);
    assert!(
        session
            .stderr
            .contains("is another model than the one of this result")
    );

    for (text, words) in [
        ("{}", "is no result of `quip solve`"),
        ("{\"schema\":", "is no result of `quip solve`"),
    ] {
        fs::write(&result, text).unwrap();
        let session = run(&["report", out]);
        assert_eq!(session.code, 65, "{text}");
        assert!(session.stderr.contains(words), "{}", session.stderr);
    }
}

#[test]
fn a_page_of_a_large_strategy_stays_below_a_megabyte() {
    let (_folder, _, html) = page("models/gomoku/3x3-3.qip", &["--brief"]);
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    assert!(html.contains("\"cut\""));
}

/// Clicks on places of the board, one after the other, and tells what the board shows after each.
fn clicked(game: &str, places: &[&str]) -> Option<Vec<String>> {
    let browser = browser()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let session = run(&["report", "-q", "--game", game, "-o", path.to_str().unwrap()]);
    assert!(
        [0, 10].contains(&session.code),
        "{game}: {}",
        session.stderr
    );
    let script = format!(
        "const seen = [];
         const shown = () => seen.push(document.querySelector('.board').getAttribute('aria-label'));
         shown();
         for (const name of {}) {{
           const all = [...document.querySelectorAll('.board .choice')];
           const it = all.find((it) => it.getAttribute('aria-label') === 'play ' + name);
           if (!it) seen.push('no ' + name + ' among ' + all.length);
           else {{ it.dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); shown(); }}
         }}
         tell([seen, errors]);",
        json!(places)
    );
    let told = told(&browser, &path, "", &script);
    assert_eq!(told[1], json!([]), "{game}");
    let seen = told[0].as_array().unwrap();
    Some(
        seen.iter()
            .map(|it| it.as_str().unwrap().to_owned())
            .collect(),
    )
}

#[test]
fn every_game_has_a_board_that_is_played_by_clicks() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let graph = file("graph.txt", "4\n0 1 2\n1 3\n2 3 4\n3 4 5\n4 5\n5 1\n");
    let sets = file("sets.txt", "a b c\nc d e\na e f\n");
    let board = file("board.txt", "k..\n...\nK.R\n");
    let fails = file(
        "fails.txt",
        "source s\ntarget t\nedge a s t\nedge b s t\nfail s a\n",
    );
    let games = [
        ("gomoku --size 3 --row 3".to_owned(), "b2", "w"),
        ("tictactoe --size 3".to_owned(), "b2", "x"),
        ("hex --size 2".to_owned(), "", "x"),
        ("crossdot --boxes 5 --row 2".to_owned(), "", "x"),
        (
            "connect --columns 3 --height 3 --row 3".to_owned(),
            "1",
            "o",
        ),
        ("nim --heaps 1,2,3".to_owned(), "heap 1", "•"),
        (format!("positional {sets}"), "", "x"),
        (format!("geography {graph}"), "3", "●"),
        (format!("cops {graph}"), "3", "c"),
        (format!("dgr {fails}"), "", "●"),
        (format!("chess --board {board} --steps 3"), "", "♔"),
    ];
    for (game, place, token) in games {
        let places: Vec<&str> = [place].into_iter().filter(|it| !it.is_empty()).collect();
        let Some(seen) = clicked(&game, &places) else {
            return;
        };
        assert_eq!(seen.len(), 1 + places.len());
        let last = &seen[seen.len() - 1];
        assert!(last.contains(token), "{game}: {seen:?}");
        assert!(places.is_empty() || seen[0] != *last, "{game}: {seen:?}");
    }
}

#[test]
fn a_click_puts_a_stone_and_the_strategy_answers() {
    let Some(seen) = clicked("gomoku --size 3 --row 3", &["b2", "c1"]) else {
        return;
    };
    // One black stone, then a white one where it was put and a black one more, twice.
    for (turn, shown) in seen.iter().enumerate() {
        let (_, shown) = shown.split_once(": ").unwrap();
        let count = |token: &str| {
            let stones = shown.split(", ");
            stones
                .filter(|it| it.ends_with(&format!(" {token}")))
                .count()
        };
        assert_eq!(count("b"), turn + 1, "{shown}");
        assert_eq!(count("w"), turn, "{shown}");
    }
    assert!(
        seen[1].contains("b2 w") && seen[2].contains("c1 w"),
        "{seen:?}"
    );
}

#[test]
fn a_game_is_written_as_a_page_by_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nim.html");
    let page = path.to_str().unwrap();
    let session = run(&["play", "nim", "--heaps", "1,2", "--web", page]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let html = fs::read_to_string(&path).unwrap();
    assert!(html.contains("Best play: player 1 wins."));
    assert!(html.contains("\"scene\":{"));
    let session = run(&["play", LOT, "--web", page]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("\"scene\":null")
    );
}

#[test]
fn every_best_first_decision_is_on_the_page() {
    let (_folder, path, html) = page("models/or/knapsack.qip", &[]);
    assert!(
        html.contains("\"first_moves\":{\"moves\":[\"pack1 = 0"),
        "{}",
        &html[..200]
    );
    let Some(browser) = browser() else {
        return;
    };
    let listed = "tell([...document.querySelectorAll('#best li')].map((it) => it.textContent));";
    let listed = told(&browser, &path, "", listed);
    assert_eq!(listed.as_array().unwrap().len(), 6);
    assert_eq!(listed[0], "pack1 = 0, pack2 = 0, pack3 = 0, pack4 = 1");
}
