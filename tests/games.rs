//! Games as programs: every value against a referee that knows the rules and not the encoding.
//!
//! Larger games run only when `QUIP_LARGE_GAMES` is set, and those that take hours when it is `hours`;
//! they report time and nodes.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::print_stdout, reason = "large games tell what they took")]

#[path = "games/chess.rs"]
mod chess;
#[path = "games/command.rs"]
mod command;
#[path = "games/dgr.rs"]
mod dgr;
#[path = "games/examples.rs"]
mod examples;
#[path = "games/geography.rs"]
mod geography;
#[path = "games/gomoku.rs"]
mod gomoku;
#[path = "games/models.rs"]
mod models;
#[path = "games/perft.rs"]
mod perft;
#[path = "games/positional.rs"]
mod positional;
#[path = "games/positions.rs"]
mod positions;
#[path = "games/small.rs"]
mod small;
#[path = "games/solve.rs"]
mod solve;
mod support;
#[path = "games/tictactoe.rs"]
mod tictactoe;
