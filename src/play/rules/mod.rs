//! Strategy rules: how a player plays, written down, and what that guarantees.
//!
//! Source: Zhang and Thielscher, *Representing and reasoning about game strategies* (2014). A game is a
//! state transition system ([`Game`]), given by axioms in a text ([`Theory`]), by a referee of the
//! library ([`Refereed`]) or by other Rust code. A [`Rule`] is a formula about plays, or several combined by priority: `else` (∇) tries the next
//! rule where the first gives no move, `also` (Δ) narrows the moves down as far as some are left.
//! [`StateGraph::explore`] spells the game out, and then there are answers: which moves a rule
//! allows and whether it is complete or deterministic ([`Strategy`]), how plays may end
//! ([`outcomes`]), what is guaranteed against every opponent ([`guarantee`]) and the best response
//! to opponents whose rules are known ([`respond`]).
//!
//! ```
//! use quip::budget::Budget;
//! use quip::rules::{Conduct, PlayerId, Reading, StateGraph, Theory, guarantee};
//!
//! let theory = Theory::read(
//!     &[
//!         ("crossdot.rules", include_str!("../../../models/rules/crossdot.rules")),
//!         ("strategies.rules", include_str!("../../../models/rules/strategies.rules")),
//!     ],
//!     &[("m", 5), ("k", 2)],
//! )?;
//! let budget = &mut Budget::unlimited();
//! let graph = StateGraph::explore(theory.game()?, budget)?;
//! let first = PlayerId::called(1).unwrap();
//! let rule = theory.rule("thoughtful", first)?;
//! let conduct = Conduct::free(&graph).follow(&graph, first, &rule, Reading::CompletePlays, budget)?;
//! let goal = theory.formula("wins(1)")?;
//! assert!(guarantee(&graph, &conduct, first, &goal).holds());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`encode`] makes a quantified program of such a question, in which rules are rows
//! that guard the moves.
//!
//! **Invariant:** nothing here sees a solver; both ways of answering give the same answers.

mod circuit;
mod conduct;
mod encode;
mod explore;
mod formula;
mod game;
mod graph;
mod refereed;
mod response;
mod strategy;
mod symbolic;
mod tabulate;
mod text;
mod validity;

pub use conduct::{Conduct, Ending, Guarantee, Outcomes, Play, StopError, guarantee, outcomes};
pub use encode::{EncodeError, Encoded, Question, Role, encode};
pub use explore::{ExploreError, MAX_STATES};
pub use formula::{Formula, Rule};
pub use game::{ActionId, Game, GameFault, PlayerId, PropositionId, Signature, StateId, Symbol};
pub use graph::{Edge, StateGraph};
pub use refereed::{Position, Refereed};
pub use response::{Response, ResponseError, respond};
pub use strategy::{Strategy, moves_by_rule};
pub use tabulate::tabulated;
pub use text::{AxiomGame, Theory, TheoryError};
pub use validity::Reading;
