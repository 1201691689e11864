//! Variables of a model as those of its program, also when the model has gone on.

use super::Model;
use super::variable::{Token, Var};
use crate::program::{Id, VarId};

/// Which variable of the program each variable of a model is, as the model stood when it was asked.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::with_prefix("∃a ∀b")?;
/// let y = model.block("b").binary("y");
/// let program = model.build()?;
/// let ids = model.ids();
/// let x = model.block("a").binary("x");
/// assert_eq!(ids.get(y), program.find("y"));
/// assert_eq!(ids.get(x), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    model: Token,
    ids: Vec<VarId>,
}

impl Ids {
    /// The variable of the program; `None` for one of another model, or one that came later.
    pub fn get(&self, var: Var) -> Option<VarId> {
        let known = self.ids.get(var.index as usize);
        known.copied().filter(|_| var.model == self.model)
    }
}

impl Model {
    /// The variables of the program that the model describes as it stands now.
    pub fn ids(&self) -> Ids {
        let mut ids = vec![VarId::new(0); self.variables.len()];
        let members = self.stages.iter().flat_map(|stage| &stage.members);
        for (place, &member) in members.enumerate() {
            ids[member as usize] = VarId::new(place);
        }
        Ids {
            model: self.token,
            ids,
        }
    }
}
