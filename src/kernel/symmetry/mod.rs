//! Symmetries of a program: ways to rename its variables that change nothing.
//!
//! A board has mirror images, machines and periods are often alike. A symmetry maps variables to
//! variables of the same block, and with them inequalities to inequalities, so that both systems,
//! the domains and the objective stay what they are. A position and its image are then worth the
//! same.
//!
//! One thing goes beyond renaming. Where a universal integer *names* one of many binaries
//! (`naming`), its values are renamed with the binaries.
//!
//! **Invariant:** every symmetry that is handed out was compared with the rows, exactly. How it was
//! found (`colour`, `find`) decides only which ones are missed.

mod colour;
mod find;
mod naming;

pub use find::symmetries;
pub use naming::{Naming, namings};

use rustc_hash::FxHashMap;

use crate::program::{BlockId, Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{Entry, Inequalities, InequalityId};

/// One way to rename. See the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// What each variable becomes.
    pub variables: Vec<VarId>,
    /// What each inequality becomes; those of a naming go with their variable and stand still here.
    pub inequalities: Vec<InequalityId>,
}

/// A program, prepared for looking at its symmetries.
pub struct Subject<'a> {
    /// The program itself.
    pub program: &'a Program,
    /// Its rows in integers.
    pub inequalities: &'a Inequalities,
    /// Its numbers that only name binaries.
    pub namings: Vec<Naming>,
    /// The naming that an inequality belongs to; it is no row like others then.
    pub naming_of: IdVec<InequalityId, Option<usize>>,
    blocks: Vec<BlockId>,
    costs: Vec<i64>,
    /// Where an inequality with these terms is found, in the order of the prefix.
    by_content: FxHashMap<Content, Vec<InequalityId>>,
}

type Content = (Quantifier, i64, Vec<(VarId, i64)>);

impl<'a> Subject<'a> {
    /// What is looked up in it is prepared once.
    pub fn new(program: &'a Program, inequalities: &'a Inequalities) -> Self {
        let namings = namings(program, inequalities);
        let mut naming_of = IdVec::filled(inequalities.heads().len(), None);
        for (number, naming) in namings.iter().enumerate() {
            for entry in inequalities.column(naming.number) {
                naming_of[entry.at] = Some(number);
            }
        }
        let mut blocks = Vec::with_capacity(program.variables().len());
        for (id, block) in program.blocks().pairs() {
            blocks.extend(block.variables().map(|_| id));
        }
        let mut costs = vec![0; program.variables().len()];
        for term in inequalities.terms(inequalities.objective()) {
            costs[term.at.index()] = term.coefficient;
        }
        let mut subject = Self {
            program,
            inequalities,
            namings,
            naming_of,
            blocks,
            costs,
            by_content: FxHashMap::default(),
        };
        for id in subject.plain() {
            let content = subject.content(id, |var| var);
            subject.by_content.entry(content).or_default().push(id);
        }
        subject
    }

    /// The inequalities that are rows like others: not the objective, and of no naming.
    pub fn plain(&self) -> Vec<InequalityId> {
        let ids = self.inequalities.heads().ids();
        let objective = self.inequalities.objective();
        ids.filter(|&id| id != objective && self.naming_of[id].is_none())
            .collect()
    }

    fn content(&self, id: InequalityId, rename: impl Fn(VarId) -> VarId) -> Content {
        let head = &self.inequalities.heads()[id];
        let renamed = |term: &Entry<VarId>| (rename(term.at), term.coefficient);
        let mut terms: Vec<_> = self.inequalities.terms(id).iter().map(renamed).collect();
        terms.sort_unstable();
        (head.owner, head.rhs, terms)
    }

    /// The symmetry that renames the variables like this, if it is one.
    pub fn verified(&self, variables: Vec<VarId>) -> Option<Symmetry> {
        let all = self.program.variables();
        let mut taken = vec![false; variables.len()];
        for (&image, var) in variables.iter().zip(all.ids()) {
            let (here, there) = (&all[var], &all[image]);
            let alike = !std::mem::replace(&mut taken[image.index()], true)
                && self.blocks[var.index()] == self.blocks[image.index()]
                && here.kind == there.kind
                && here.domain() == there.domain()
                && self.costs[var.index()] == self.costs[image.index()];
            if !alike {
                return None;
            }
        }
        let mut inequalities: Vec<_> = self.inequalities.heads().ids().collect();
        let mut used: FxHashMap<&Content, usize> = FxHashMap::default();
        for id in self.plain() {
            // Rows that say the same twice are matched in their order.
            let content = self.content(id, |var| variables[var.index()]);
            let (content, images) = self.by_content.get_key_value(&content)?;
            let next = used.entry(content).or_default();
            inequalities[id.index()] = *images.get(*next)?;
            *next += 1;
        }
        let renamed = |var: VarId| variables[var.index()];
        for naming in &self.namings {
            let number = renamed(naming.number);
            let image = self.namings.iter().find(|other| other.number == number)?;
            let inside = |&(_, named): &(i64, VarId)| image.value_of(renamed(named)).is_some();
            if !naming.named.iter().all(inside) {
                return None;
            }
        }
        Some(Symmetry {
            variables,
            inequalities,
        })
    }
}

impl Symmetry {
    /// First this one, then the other.
    pub fn then(&self, other: &Self) -> Self {
        let variables = self.variables.iter();
        let inequalities = self.inequalities.iter();
        Self {
            variables: variables.map(|var| other.variables[var.index()]).collect(),
            inequalities: inequalities
                .map(|id| other.inequalities[id.index()])
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::games::tictactoe::{Guard, Player, Reading, TicTacToe};

    fn parsed(text: &str) -> Program {
        parse_qip(text).expect("the test's model is well formed")
    }

    fn found(program: &Program) -> Vec<Symmetry> {
        let inequalities = Inequalities::new(program).expect("the numbers are small");
        symmetries(program, &inequalities)
    }

    fn images(program: &Program, symmetry: &Symmetry) -> String {
        let variables = symmetry.variables.iter();
        let names = variables.map(|&var| program.variables()[var].name.as_str());
        names.collect::<Vec<_>>().join(" ")
    }

    const TWINS: &str = "minimize a + b + 3 s + 3 t
         subject to
           first: a + 2 u + s >= 2
           second: b + 2 v + t >= 2
           both: a + b + s + t <= 3
         prefix
           exists binary a b
           forall binary u v
           exists binary s t
         end";

    #[test]
    fn what_is_alike_is_exchanged_together() {
        let program = parsed(TWINS);
        let found = found(&program);
        assert_eq!(found.len(), 1);
        assert_eq!(images(&program, &found[0]), "b a v u t s");
        let rows = &found[0].inequalities;
        assert_eq!(
            (rows[0].index(), rows[1].index(), rows[2].index()),
            (1, 0, 2)
        );
    }

    #[test]
    fn one_number_that_differs_leaves_nothing_alike() {
        for (from, to) in [
            ("+ 3 t", "+ 4 t"),
            ("b + 2 v", "b + v"),
            ("t >= 2", "t >= 1"),
        ] {
            assert!(found(&parsed(&TWINS.replace(from, to))).is_empty(), "{to}");
        }
        let across = TWINS.replace(
            "exists binary a b",
            "exists binary a forall binary c exists binary b",
        );
        assert!(found(&parsed(&across)).is_empty());
    }

    #[test]
    fn a_wrong_renaming_is_refused() {
        let program = parsed(TWINS);
        let inequalities = Inequalities::new(&program).expect("the numbers are small");
        let subject = Subject::new(&program, &inequalities);
        let renamed = |places: [usize; 6]| subject.verified(places.map(VarId::new).to_vec());
        assert!(renamed([1, 0, 3, 2, 5, 4]).is_some());
        assert!(renamed([1, 0, 3, 2, 4, 5]).is_none());
        assert!(renamed([1, 1, 3, 2, 5, 4]).is_none());
    }

    #[test]
    fn a_number_that_names_squares_is_renamed_with_them() {
        let game = TicTacToe {
            size: 3,
            player: Player::X,
            reading: Reading::FinalBoard,
            guard: Guard::Index,
        };
        let program = game.program().expect("a program");
        let inequalities = Inequalities::new(&program).expect("the numbers are small");
        let namings = namings(&program, &inequalities);
        assert_eq!(namings.len(), 4);
        assert!(namings.iter().all(|naming| naming.named.len() == 9));
        // The images of a square, without the square itself.
        assert_eq!(found(&program).len(), 7);
    }

    #[test]
    fn a_number_that_another_row_mentions_keeps_its_values() {
        let naming = "maximize z
             subject to
               one: p + q + r = 1
               p2: m + 2 p <= 3
               q1: 2 q <= m
               q2: m + q <= 3
               r1: 3 r <= m
               last: z <= p + 2 q
             prefix
               forall integer m in [1, 3]
               exists binary p q r z
             end";
        let count = |text: &str| {
            let program = parsed(text);
            namings(&program, &Inequalities::new(&program).expect("small")).len()
        };
        assert_eq!(count(naming), 1);
        assert_eq!(count(&naming.replace("z <= p", "z <= m + p")), 0);
        assert_eq!(count(&naming.replace("= 1", "<= 1")), 0);
        assert_eq!(count(&naming.replace("r1: 3 r <= m", "r1: 2 r <= m")), 0);
    }

    /// Each variable excludes the next; read backwards it is the same.
    fn chain(length: usize) -> Program {
        let mut text = "subject to\n".to_owned();
        for place in 1..length {
            text += &format!("x{place} + x{} <= 1\n", place + 1);
        }
        text += "prefix exists binary";
        for place in 1..=length {
            text += &format!(" x{place}");
        }
        parsed(&(text + "\nend\n"))
    }

    #[test]
    fn a_long_chain_is_given_up_instead_of_coloured_to_the_end() {
        assert_eq!(found(&chain(40)).len(), 1);
        assert!(found(&chain(20_000)).is_empty());
    }
}
