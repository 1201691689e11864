//! The game and the rules that are followed as an answer set program: each of its answer sets is a play.
//!
//! The source writes axioms and rules as logic programs and has the solver find the plays. Here the states that
//! were explored are facts, and so are the moves of the rules.

use std::fmt::Write;

use quip::rules::{ActionId, PlayerId};

use super::{Break, Table};
use crate::cli::exit::Failure;

/// What follows from the facts.
const RULES: &str = "\
at(0,S) :- start(S).
allowed(S,A) :- edge(S,A,_), owner(A,P), not follows(P).
allowed(S,A) :- rule(P,S,A), follows(P).
can(S) :- allowed(S,_).
{ does(T,A) : allowed(S,A) } = 1 :- at(T,S), can(S), not terminal(S), T < last.
at(T+1,N) :- at(T,S), does(T,A), edge(S,A,N).
wins(P) :- at(_,S), terminal(S), won(S,P).
stuck(S) :- at(_,S), not terminal(S), not can(S).
#defined rule/3.
#defined follows/1.
#defined won/2.
#defined edge/3.
#defined owner/2.
#defined terminal/1.
#show does/2.
#show wins/1.
#show stuck/1.
";

impl Table<'_> {
    /// The text for `--asp`.
    pub(super) fn answer_set_program(&mut self) -> Result<String, Break> {
        let Some(last) = self.graph.longest_play() else {
            let message = "--asp needs a game that ends: here a state can come again";
            return Err(Failure::Usage(message.to_owned()).into());
        };
        let conduct = self.conduct()?;
        let signature = self.graph.signature();
        let action = |id: ActionId| term(&signature.action_symbol(id).to_string());
        let players: Vec<PlayerId> = signature.players().collect();
        let mut text = "% Every answer set is a play: clingo FILE 0\n".to_owned();
        let _ = writeln!(text, "#const last = {last}.");
        let _ = writeln!(text, "start({}).", self.graph.initial().index());
        for id in signature.actions() {
            let _ = writeln!(text, "owner({},{}).", action(id), signature.owner(id));
        }
        for &player in &players {
            if conduct.strategy(player).is_some() {
                let _ = writeln!(text, "follows({player}).");
            }
        }
        for state in self.graph.states() {
            let here = state.index();
            if self.graph.terminal(state) {
                let _ = writeln!(text, "terminal({here}).");
            }
            for edge in self.graph.moves(state) {
                let (by, to) = (action(edge.action), edge.to.index());
                let _ = writeln!(text, "edge({here},{by},{to}).");
            }
            for &player in &players {
                if self.graph.wins(state, player) {
                    let _ = writeln!(text, "won({here},{player}).");
                }
                let strategy = conduct.strategy(player);
                let moves = strategy.map(|strategy| strategy.actions(&self.graph, state));
                for id in moves.into_iter().flatten() {
                    let _ = writeln!(text, "rule({player},{here},{}).", action(id));
                }
            }
        }
        Ok(text + RULES)
    }
}

/// A symbol as a term: a text where it would be a variable or something else.
fn term(symbol: &str) -> String {
    let is_plain = symbol.starts_with(|letter: char| letter.is_ascii_lowercase())
        && symbol
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_(),-".contains(letter));
    match is_plain {
        true => symbol.to_owned(),
        false => format!("\"{symbol}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::term;

    #[test]
    fn what_is_no_term_is_a_text() {
        assert_eq!(term("a(1,-2)"), "a(1,-2)");
        assert_eq!(term("pass"), "pass");
        assert_eq!(term("Pass"), "\"Pass\"");
        assert_eq!(term("x'"), "\"x'\"");
    }
}
