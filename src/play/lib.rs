//! Games as families of programs with referees, and rules of play with what they guarantee.

pub mod games;
pub mod rules;

use quip_ground::{budget, num, outcome, program};
use quip_language::{format, model};
