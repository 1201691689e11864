//! How programs are written: in files of many formats, and by a builder in Rust.

pub mod format;
pub mod model;

use quip_ground::{num, program};
