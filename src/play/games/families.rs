//! The list of families.

use super::board::Board;
use super::family::{Arguments, Family, MakeParts, Parameter, ParameterKind};
use super::or::{mixed, registry};
use super::play::{
    ChessRules, CopsRules, DgrRules, GeographyRules, GomokuRules, HexRules, NimRules,
    PositionalRules, Rules, TicTacToeRules,
};
use super::{
    GameError, chess, connect, cops, crossdot, dgr, geography, gomoku, hex, nim, positional,
    tictactoe,
};
use crate::program::Program;

/// Every family, by name.
///
/// ```
/// use quip::games::FAMILIES;
/// assert!(FAMILIES.iter().any(|family| family.name == "geography"));
/// ```
pub const FAMILIES: &[Family] = &[
    Family {
        name: "gomoku",
        about: "first row of k stones on an n × n board; minimised: moves to win",
        parameters: &[
            number_or(
                "size",
                "",
                "rows of the board; taken from --board if that is given",
            ),
            number("row", "stones in a row that win"),
            number_or("horizon", "", "last move, counted from the empty board"),
            file_or("board", "position to start from: rows of . b w"),
            choice(
                "guard",
                &["index", "rows", "indicator"],
                "how white is kept to the rules",
            ),
            choice(
                "after-win",
                &["play-on", "freeze"],
                "whether stones are placed after a row",
            ),
        ],
        build: |given| gomoku_encoded(given)?.program(),
        formula: None,
        rules: Some(|given| Ok(Box::new(GomokuRules::new(gomoku_game(given)?)?))),
    },
    Family {
        name: "tictactoe",
        about: "strategy of X or O on a K × K board that is filled; feasible if there is one",
        parameters: &[
            number_or("size", "3", "rows of the board"),
            choice("player", &["x", "o"], "whose strategy"),
            choice(
                "reading",
                &["first-line", "final-board"],
                "what a win of X is",
            ),
            choice(
                "guard",
                &["index", "rows"],
                "how the opponent is kept to the rules",
            ),
            choice("formula", &["whole", "start", "theta", "win"], A_PART),
            number_or("step", "0", "which step the part is about: theta"),
        ],
        build: |given| {
            refuse_a_part(given)?;
            tictactoe_game(given).program()
        },
        formula: Some(|given| match given.text("formula") {
            "whole" => tictactoe_game(given).formula(),
            part => tictactoe_game(given).part(part, given.number("step")),
        }),
        rules: Some(|given| {
            refuse_a_part(given)?;
            let game = tictactoe_game(given);
            game.program()?;
            Ok(Box::new(TicTacToeRules::new(game)))
        }),
    },
    Family {
        name: "one-move-win",
        about: "whether X, to move on a 3 × 3 board, wins at once; no opponent",
        parameters: &[Parameter::file("board", "three rows of . x o")],
        build: |given| tictactoe::one_move_win(&Board::parse(given.text("board"))?),
        formula: Some(|given| tictactoe::one_move_formula(&Board::parse(given.text("board"))?)),
        rules: None,
    },
    Family {
        name: "dgr",
        about: "travel through a graph that fails on the way; feasible if the target can be reached",
        parameters: &[
            Parameter::file("graph", "source, target, edge, fail, never, budget"),
            choice(
                "guard",
                &["rows", "indicator"],
                "how the opponent is kept to the rules",
            ),
        ],
        build: |given| dgr::program(&dgr::Graph::parse(given.text("graph"))?, dgr_guard(given)),
        formula: None,
        rules: Some(|given| {
            let graph = dgr::Graph::parse(given.text("graph"))?;
            Ok(Box::new(DgrRules::new(graph, dgr_guard(given))))
        }),
    },
    Family {
        name: "dgr-random",
        about: "the same on a random graph",
        parameters: &[
            number_or("nodes", "6", "nodes of the graph"),
            number_or("edges", "10", "edges of the graph"),
            number_or(
                "failures",
                "8",
                "pairs of a node and an edge that fails there",
            ),
            number_or("never", "2", "pairs of edges that never both fail"),
            number_or("budget", "", "most failures of all"),
            number_or("seed", "0", "seed"),
            choice(
                "guard",
                &["rows", "indicator"],
                "how the opponent is kept to the rules",
            ),
        ],
        build: |given| dgr::program(&random_dag(given), dgr_guard(given)),
        formula: None,
        rules: Some(|given| Ok(Box::new(DgrRules::new(random_dag(given), dgr_guard(given))))),
    },
    Family {
        name: "geography",
        about: "move to a fresh neighbour or lose; feasible if player 1 wins (guard rows: or exit 11)",
        parameters: &[
            Parameter::file("graph", "rounds, then each node with its neighbours"),
            choice(
                "guard",
                &["index", "rows"],
                "how player 2 is kept to the rules; with rows it may get stuck: won outright, exit 11",
            ),
        ],
        build: |given| {
            let graph = geography::Graph::parse(given.text("graph"))?;
            geography::program(&graph, geography_guard(given))
        },
        formula: Some(|given| {
            let graph = geography::Graph::parse(given.text("graph"))?;
            Ok(geography::formula(&graph))
        }),
        rules: Some(|given| {
            Ok(Box::new(GeographyRules::new(geography::Graph::parse(
                given.text("graph"),
            )?)))
        }),
    },
    Family {
        name: "geography-random",
        about: "the same on a random graph",
        parameters: &[
            number_or("nodes", "10", "nodes of the graph"),
            number_or("rounds", "5", "rounds"),
            number_or("degree", "3", "neighbours of a node, about"),
            number_or("seed", "0", "seed"),
            choice(
                "guard",
                &["index", "rows"],
                "how player 2 is kept to the rules; with rows it may get stuck: won outright, exit 11",
            ),
        ],
        build: |given| geography::program(&random_graph(given)?, geography_guard(given)),
        formula: Some(|given| Ok(geography::formula(&random_graph(given)?))),
        rules: Some(|given| Ok(Box::new(GeographyRules::new(random_graph(given)?)))),
    },
    Family {
        name: "crossdot",
        about: "mark boxes in a line, k in a row win; maximised: 1 win, 0 tie, -1 loss",
        parameters: &[
            number("boxes", "boxes in the line"),
            number("row", "boxes in a row that win"),
        ],
        build: |given| crossdot::game(given.number("boxes"), given.number("row"))?.program(),
        formula: None,
        rules: Some(|given| {
            let row = given.number("row");
            let game = crossdot::game(given.number("boxes"), row)?;
            Ok(Box::new(PositionalRules::line(game, row)))
        }),
    },
    Family {
        name: "chess",
        about: "take the black king within K steps; feasible if White can",
        parameters: &[
            file_or("board", "position to start from: ranks of . KQRBNP kqrbnp"),
            number_or("steps", "3", "steps, an odd number"),
            Parameter::optional(
                "black",
                ParameterKind::Words(chess::Kind::WORDS),
                "all",
                "which pieces Black may move",
            ),
            choice(
                "guard",
                &["index", "rows"],
                "how Black is kept to the rules",
            ),
            choice("formula", &["whole", "I0", "phi", "psi", "T", "G"], A_PART),
            number_or("step", "0", "which step the part is about: phi, psi, T"),
        ],
        build: |given| {
            refuse_a_part(given)?;
            chess_game(given)?.program()
        },
        formula: Some(|given| match given.text("formula") {
            "whole" => Ok(chess_game(given)?.formula()),
            part => chess_game(given)?.part(part, given.number("step")),
        }),
        rules: Some(chess_rules),
    },
    Family {
        name: "connect",
        about: "drop stones into columns, k in a row win; maximised: 1 win, 0 tie, -1 loss",
        parameters: &[
            number("columns", "columns of the board"),
            number("height", "height of the columns"),
            number("row", "stones in a row that win"),
            choice(
                "cylinder",
                &["no", "yes"],
                "whether the last column is next to the first",
            ),
        ],
        build: |given| connect_board(given).game()?.program(),
        formula: None,
        rules: Some(|given| Ok(Box::new(PositionalRules::columns(&connect_board(given))?))),
    },
    Family {
        name: "positional",
        about: "claim cells, the first full winning set wins; maximised: 1 win, 0 tie, -1 loss",
        parameters: &[
            Parameter::file("sets", "each line a winning set of named cells"),
            number_or("moves", "", "most moves"),
        ],
        build: positional_program,
        formula: None,
        rules: Some(|given| {
            let sets = positional::Hypergraph::parse(given.text("sets"))?;
            let moves = given.some_number("moves").unwrap_or(usize::MAX);
            Ok(Box::new(PositionalRules::sets(&sets, moves)))
        }),
    },
    Family {
        name: "hex",
        about: "connect left and right before top and bottom are; feasible if player 1 wins",
        parameters: &[number("size", "rows of the rhombus")],
        build: |given| hex::program(given.number("size")),
        formula: None,
        rules: Some(hex_rules),
    },
    Family {
        name: "nim",
        about: "take stones from one heap, who cannot loses; feasible if player 1 wins",
        parameters: &[Parameter::required(
            "heaps",
            ParameterKind::Numbers,
            "sizes of the heaps, as 1,2,3",
        )],
        build: |given| nim::program(&given.numbers("heaps")),
        formula: None,
        rules: Some(|given| {
            let heaps = given.numbers("heaps");
            nim::program(&heaps)?;
            Ok(Box::new(NimRules::new(heaps)))
        }),
    },
    Family {
        name: "cops",
        about: "cops catch a robber within some rounds; feasible if they do",
        parameters: &[
            Parameter::file("graph", "rounds, then each node with its neighbours"),
            number_or("cops", "1", "how many cops"),
        ],
        build: |given| {
            let graph = geography::Graph::parse(given.text("graph"))?;
            cops::program(&graph, given.number("cops"))
        },
        formula: None,
        rules: Some(|given| {
            let graph = geography::Graph::parse(given.text("graph"))?;
            Ok(Box::new(CopsRules::new(graph, given.number("cops"))?))
        }),
    },
    registry::KNAPSACK,
    registry::LOT_SIZING,
    registry::SELECTION,
    registry::ASSIGNMENT,
    registry::FACILITY,
    registry::INTERDICTION,
    registry::RUNWAY,
    registry::PRODUCTION,
    mixed::LOCATION,
    mixed::INVENTORY,
    mixed::HYDRO,
    mixed::EXPANSION,
    mixed::SURGES,
    mixed::SETUPS,
    mixed::CRASHING,
    mixed::PORTFOLIO,
    mixed::COMMITMENT,
];

/// The family of that name.
///
/// ```
/// assert!(quip::games::family("hex").is_some());
/// assert!(quip::games::family("checkers").is_none());
/// ```
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

const fn number(name: &'static str, help: &'static str) -> Parameter {
    Parameter::required(name, ParameterKind::Number, help)
}

const fn number_or(name: &'static str, default: &'static str, help: &'static str) -> Parameter {
    Parameter::optional(name, ParameterKind::Number, default, help)
}

const fn file_or(name: &'static str, help: &'static str) -> Parameter {
    Parameter::optional(name, ParameterKind::File, "", help)
}

/// The first word is the default.
const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    help: &'static str,
) -> Parameter {
    Parameter::optional(name, ParameterKind::Choice(words), words[0], help)
}

const A_PART: &str = "a part of the formula alone, its states existential";

fn refuse_a_part(given: &Arguments) -> Result<(), GameError> {
    match given.text("formula") {
        "" | "whole" => Ok(()),
        part => {
            let message = format!("`{part}` alone is a formula: write it as .qcir or .qdimacs");
            Err(GameError::parameter("formula", message))
        }
    }
}

/// The families whose programs can be too large to hold.
pub(super) const IN_PARTS: &[(&str, MakeParts)] =
    &[("gomoku", |given, give| gomoku_encoded(given)?.parts(give))];

fn gomoku_game(given: &Arguments) -> Result<gomoku::Gomoku, GameError> {
    let board = match (given.text("board"), given.some_number("size")) {
        ("", None) => return Err(GameError::parameter("size", "must be given, or a board")),
        ("", Some(size)) => Board::empty(size)?,
        (text, size) => {
            let board = Board::parse(text)?;
            if size.is_some_and(|size| size != board.size()) {
                return Err(GameError::parameter("size", "the board has another size"));
            }
            board
        }
    };
    let game = gomoku::Gomoku::from(board, given.number("row"))?;
    match given.some_number("horizon") {
        Some(last) => game.until(last),
        None => Ok(game),
    }
}

fn gomoku_encoded(given: &Arguments) -> Result<gomoku::Gomoku, GameError> {
    let guard = match given.text("guard") {
        "rows" => gomoku::Guard::Rows,
        "indicator" => gomoku::Guard::Indicator,
        _ => gomoku::Guard::Index,
    };
    let after_win = match given.text("after-win") {
        "freeze" => gomoku::AfterWin::Freeze,
        _ => gomoku::AfterWin::PlayOn,
    };
    let game = gomoku_game(given)?;
    Ok(game.guarded_by(guard).after_win(after_win))
}

fn tictactoe_game(given: &Arguments) -> tictactoe::TicTacToe {
    use tictactoe::{Guard, Player, Reading, TicTacToe};
    TicTacToe {
        size: given.number("size"),
        player: match given.text("player") {
            "o" => Player::O,
            _ => Player::X,
        },
        reading: match given.text("reading") {
            "final-board" => Reading::FinalBoard,
            _ => Reading::FirstLine,
        },
        guard: match given.text("guard") {
            "rows" => Guard::Rows,
            _ => Guard::Index,
        },
    }
}

fn dgr_guard(given: &Arguments) -> dgr::Guard {
    match given.text("guard") {
        "indicator" => dgr::Guard::Indicator,
        _ => dgr::Guard::Rows,
    }
}

fn random_dag(given: &Arguments) -> dgr::Graph {
    let shape = dgr::DagShape {
        nodes: given.number("nodes").min(1000),
        edges: given.number("edges"),
        failures: given.number("failures"),
        never: given.number("never"),
        budget: given.some_number("budget"),
    };
    dgr::random_dag(&shape, given.number("seed") as u64)
}

fn geography_guard(given: &Arguments) -> geography::Guard {
    match given.text("guard") {
        "rows" => geography::Guard::Rows,
        _ => geography::Guard::Index,
    }
}

fn random_graph(given: &Arguments) -> Result<geography::Graph, GameError> {
    let nodes = given.number("nodes");
    if !(1..=geography::MOST_NODES).contains(&nodes) {
        let message = format!("a graph has 1 to {} nodes", geography::MOST_NODES);
        return Err(GameError::parameter("nodes", message));
    }
    let (rounds, degree) = (given.number("rounds"), given.number("degree"));
    Ok(geography::Graph::random(
        nodes,
        rounds,
        degree,
        given.number("seed") as u64,
    ))
}

fn chess_position(given: &Arguments) -> Result<chess::Position, GameError> {
    match given.text("board") {
        "" => Ok(chess::Position::initial()),
        text => chess::Position::parse(text),
    }
}

fn chess_game(given: &Arguments) -> Result<chess::Chess, GameError> {
    let mut game = chess::Chess::new(chess_position(given)?, given.number("steps"))?;
    if given.text("guard") == "rows" {
        game = game.guarded_by(chess::Guard::Rows);
    }
    Ok(game.black_moves(&chess::Kind::named(given.text("black"))))
}

fn connect_board(given: &Arguments) -> connect::Connect {
    connect::Connect {
        columns: given.number("columns"),
        height: given.number("height"),
        row: given.number("row"),
        cylinder: given.text("cylinder") == "yes",
    }
}

fn hex_rules(given: &Arguments) -> Result<Box<dyn Rules>, GameError> {
    let size = given.number("size");
    hex::program(size)?;
    Ok(Box::new(HexRules::new(size)))
}

fn chess_rules(given: &Arguments) -> Result<Box<dyn Rules>, GameError> {
    refuse_a_part(given)?;
    let rules = ChessRules::new(chess_position(given)?, given.number("steps"))?;
    Ok(Box::new(
        rules.black_moves(&chess::Kind::named(given.text("black"))),
    ))
}

fn positional_program(given: &Arguments) -> Result<Program, GameError> {
    let sets = positional::Hypergraph::parse(given.text("sets"))?;
    let moves = given.some_number("moves").unwrap_or(usize::MAX);
    sets.game().clone().until(moves).program()
}
