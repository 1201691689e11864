//! The games and the generated families among the shipped models are what the generators write, byte for byte.
//!
//! With `QUIP_WRITE_MODELS` set the files are written instead.

use std::fs;
use std::path::Path;

use quip::format::{parse_qip, write_qip};
use quip::games::family;

const THESIS: &str = "3\n0 1 2\n1 0 3 4\n2 0 5\n3 1 6\n4 1 7\n5 2\n6 3\n7 4\n";
const SQUARE: &str = "2\n0 1\n1 2\n2 3\n3 0\n";
const ROOK: &str = "k..\n..R\n.K.\n";

/// File, family, arguments.
type Shipped = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const MODELS: &[Shipped] = &[
    ("gomoku/2x2-2.qip", "gomoku", &[("size", "2"), ("row", "2")]),
    (
        "gomoku/2x2-2-rows.qip",
        "gomoku",
        &[("size", "2"), ("row", "2"), ("guard", "rows")],
    ),
    (
        "gomoku/2x2-2-indicator.qip",
        "gomoku",
        &[("size", "2"), ("row", "2"), ("guard", "indicator")],
    ),
    ("gomoku/3x3-2.qip", "gomoku", &[("size", "3"), ("row", "2")]),
    ("gomoku/3x3-3.qip", "gomoku", &[("size", "3"), ("row", "3")]),
    ("tictactoe/2-x.qip", "tictactoe", &[("size", "2")]),
    (
        "tictactoe/3-x-first-line.qip",
        "tictactoe",
        &[("player", "x")],
    ),
    (
        "tictactoe/3-o-first-line.qip",
        "tictactoe",
        &[("player", "o")],
    ),
    (
        "tictactoe/3-x-final-board.qip",
        "tictactoe",
        &[("player", "x"), ("reading", "final-board")],
    ),
    (
        "tictactoe/one-move-win.qip",
        "one-move-win",
        &[("board", "xox\noxo\no..\n")],
    ),
    (
        "dgr/random.qip",
        "dgr-random",
        &[
            ("nodes", "10"),
            ("edges", "30"),
            ("failures", "20"),
            ("seed", "3"),
        ],
    ),
    (
        "dgr/random-indicator.qip",
        "dgr-random",
        &[("guard", "indicator"), ("seed", "1")],
    ),
    ("geography/thesis.qip", "geography", &[("graph", THESIS)]),
    (
        "geography/thesis-rows.qip",
        "geography",
        &[("graph", THESIS), ("guard", "rows")],
    ),
    (
        "geography/20-nodes-10-rounds.qip",
        "geography-random",
        &[("nodes", "20"), ("rounds", "10")],
    ),
    (
        "crossdot/3-2.qip",
        "crossdot",
        &[("boxes", "3"), ("row", "2")],
    ),
    (
        "crossdot/6-3.qip",
        "crossdot",
        &[("boxes", "6"), ("row", "3")],
    ),
    (
        "chess/rook-mate-in-1.qip",
        "chess",
        &[("board", ROOK), ("steps", "3")],
    ),
    (
        "connect/3x3-3.qip",
        "connect",
        &[("columns", "3"), ("height", "3"), ("row", "3")],
    ),
    ("hex/2.qip", "hex", &[("size", "2")]),
    ("nim/1-2-3.qip", "nim", &[("heaps", "1,2,3")]),
    ("nim/1-1-2.qip", "nim", &[("heaps", "1,1,2")]),
    (
        "cops/square-1.qip",
        "cops",
        &[("graph", SQUARE), ("cops", "1")],
    ),
    (
        "cops/square-2.qip",
        "cops",
        &[("graph", SQUARE), ("cops", "2")],
    ),
    (
        "positional/triangle.qip",
        "positional",
        &[("sets", "a b\nb c\nc a\n")],
    ),
    (
        "or/location.qip",
        "location",
        &[
            ("sites", "3"),
            ("customers", "4"),
            ("budget", "2"),
            ("demand", "binary"),
        ],
    ),
    (
        "or/inventory.qip",
        "inventory",
        &[("periods", "2"), ("budget", "1")],
    ),
    (
        "or/hydro.qip",
        "hydro",
        &[("reservoirs", "1"), ("periods", "2"), ("budget", "1")],
    ),
    (
        "or/expansion.qip",
        "expansion",
        &[("nodes", "5"), ("chords", "2")],
    ),
    (
        "or/surges.qip",
        "surges",
        &[("sites", "3"), ("customers", "4")],
    ),
    (
        "or/crashing.qip",
        "crashing",
        &[("phases", "2"), ("activities", "2")],
    ),
    (
        "or/portfolio.qip",
        "portfolio",
        &[("assets", "3"), ("periods", "1")],
    ),
    (
        "or/commitment.qip",
        "commitment",
        &[("periods", "3"), ("units", "2"), ("budget", "1")],
    ),
    (
        "or/location-real.qip",
        "location",
        &[("sites", "3"), ("customers", "4"), ("budget", "2")],
    ),
    ("or/inventory-periods.qip", "inventory", &[("periods", "3")]),
    (
        "or/setups.qip",
        "setups",
        &[("products", "1"), ("periods", "3")],
    ),
    (
        "or/portfolio-periods.qip",
        "portfolio",
        &[("assets", "2"), ("periods", "2")],
    ),
    (
        "or/commitment-stages.qip",
        "commitment",
        &[
            ("periods", "3"),
            ("units", "2"),
            ("budget", "1"),
            ("stages", "many"),
            ("power", "mixed"),
        ],
    ),
];

#[test]
fn the_shipped_games_are_what_the_generators_write() {
    let writing = std::env::var("QUIP_WRITE_MODELS").is_ok();
    for (file, name, given) in MODELS {
        let program = family(name).unwrap().program(given).unwrap();
        let text = write_qip(&program);
        let path = Path::new("models").join(file);
        if writing {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let shipped = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            shipped == text,
            "{file} is not what `quip generate {name}` writes"
        );
        assert_eq!(parse_qip(&text).unwrap(), program, "{file}");
    }
}

#[test]
fn every_shipped_game_is_generated() {
    let folders: std::collections::BTreeSet<&str> = MODELS
        .iter()
        .map(|(file, ..)| file.split('/').next().unwrap())
        .collect();
    if std::env::var("QUIP_WRITE_MODELS").is_ok() {
        return;
    }
    // Models of operations research are also written by hand.
    for folder in folders.into_iter().filter(|&folder| folder != "or") {
        for entry in fs::read_dir(Path::new("models").join(folder)).unwrap() {
            let name = entry.unwrap().file_name();
            let file = format!("{folder}/{}", name.to_string_lossy());
            assert!(MODELS.iter().any(|(known, ..)| *known == file), "{file}");
        }
    }
}

#[test]
fn wrong_arguments_are_refused_with_a_sentence() {
    let said = |name: &str, given: &[(&str, &str)]| {
        family(name)
            .unwrap()
            .program(given)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(said("nim", &[]), "heaps: must be given");
    assert_eq!(
        said("nim", &[("heaps", "1,x")]),
        "heaps: `1,x` are not whole numbers with commas between"
    );
    assert_eq!(
        said("hex", &[("size", "2"), ("row", "3")]),
        "hex: there is no parameter `row`; there are size"
    );
    assert_eq!(
        said("tictactoe", &[("player", "z")]),
        "player: `z` is none of x, o"
    );
    assert_eq!(
        said("gomoku", &[("row", "3")]),
        "size: must be given, or a board"
    );
    assert_eq!(
        said(
            "gomoku",
            &[("size", "4"), ("row", "3"), ("board", "...\n...\n...")]
        ),
        "size: the board has another size"
    );
    assert_eq!(
        said("chess", &[("steps", "2")]),
        "steps: White moves first and last, so the number is odd, not 2"
    );
}
