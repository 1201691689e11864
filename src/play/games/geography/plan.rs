//! A strategy of player 1, printed as the thesis prints the answer of its solver: each variable of
//! his as a term over the moves of player 2.
//!
//! ```text
//! x1_1 = true
//! x3_6 = ite(x2_4, false, true)
//! ```

use std::collections::BTreeMap;
use std::fmt;

/// What player 1 answers to the moves that player 2 has made.
///
/// ```
/// use quip::games::geography::Plan;
/// let plan = Plan::new([(vec![], 1), (vec![3], 6), (vec![4], 7)]);
/// assert_eq!(
///     plan.to_string(),
///     "x1_1 = true\nx3_6 = ite(x2_4, false, true)\nx3_7 = ite(x2_4, true, false)\n"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// By the moves of player 2 so far.
    replies: BTreeMap<Vec<usize>, usize>,
}

/// A truth that may hang on the moves of player 2.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Truth {
    Constant(bool),
    /// If the round of player 2 goes to the node, the first, otherwise the second.
    IfGoes(usize, usize, Box<Truth>, Box<Truth>),
}

impl Plan {
    /// A plan from pairs of what player 2 has done and where player 1 goes then.
    pub fn new(replies: impl IntoIterator<Item = (Vec<usize>, usize)>) -> Self {
        Self {
            replies: replies.into_iter().collect(),
        }
    }

    /// Whether player 1 goes to `node` at `round`, after player 2 has begun with `moves`.
    fn truth(&self, round: usize, node: usize, moves: &mut Vec<usize>) -> Truth {
        if 2 * moves.len() + 1 == round {
            return Truth::Constant(self.replies.get(moves) == Some(&node));
        }
        let mut choices: Vec<usize> = self
            .replies
            .keys()
            .filter(|known| known.len() > moves.len() && known.starts_with(moves))
            .map(|known| known[moves.len()])
            .collect();
        choices.dedup();
        let decided = 2 * moves.len() + 2;
        let mut truth: Option<Truth> = None;
        // The last choice that is asked for needs no question: nothing else is left.
        for choice in choices {
            moves.push(choice);
            let here = self.truth(round, node, moves);
            moves.pop();
            truth = Some(match truth {
                None => here,
                Some(others) if others == here => here,
                Some(others) => Truth::IfGoes(decided, choice, Box::new(here), Box::new(others)),
            });
        }
        truth.unwrap_or(Truth::Constant(false))
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(truth) => write!(out, "{truth}"),
            Self::IfGoes(round, node, yes, no) => write!(out, "ite(x{round}_{node}, {yes}, {no})"),
        }
    }
}

/// Variables that are always false are left out.
impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = self.replies.iter();
        let mut variables: Vec<(usize, usize)> = answers
            .map(|(moves, &node)| (2 * moves.len() + 1, node))
            .collect();
        variables.sort_unstable();
        variables.dedup();
        for (round, node) in variables {
            let truth = self.truth(round, node, &mut Vec::new());
            writeln!(out, "x{round}_{node} = {truth}")?;
        }
        Ok(())
    }
}
