//! Giving rows to a model, one by one or in blocks that are named together.

use super::Model;
use super::constraint::Constraint;
use crate::program::Quantifier;

/// An open block of rows. An unnamed row of the block `stock` is called `stock[1]`, `stock[2]`, …;
/// one that has a name `cap` becomes `stock.cap`.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::with_prefix("∃order ∀demand")?;
/// let x = model.block("order").integer("x", 0..=9);
/// let d = model.block("demand").integer("d", 0..=9);
/// model.rows("serve").add(row!(x >= d)).add(row!("twice": 2 * x >= d + 1));
/// model.uncertainty_rows("limits").add(row!(d <= 5));
/// let program = model.build()?;
/// let names: Vec<_> = program.rows().iter().filter_map(|row| row.name.as_deref()).collect();
/// assert_eq!(names, ["serve[1]", "serve.twice"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowBlock<'a> {
    model: &'a mut Model,
    owner: Quantifier,
    name: String,
}

impl RowBlock<'_> {
    /// Adds a row to the block.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.rows("fix").add(x.equals(1));
    /// assert_eq!(model.build()?.rows().len(), 1);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn add(&mut self, mut constraint: Constraint) -> &mut Self {
        let name = match constraint.name.take() {
            Some(own) => format!("{}.{own}", self.name),
            None => {
                let number = self.model.unnamed.entry(self.name.clone()).or_insert(0);
                *number += 1;
                format!("{}[{number}]", self.name)
            }
        };
        self.model.system(self.owner).push(constraint.named(name));
        self
    }

    /// Adds several rows to the block.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 0..3);
    /// model.rows("fix").add_all(x.iter().map(|var| var.equals(1)));
    /// assert_eq!(model.build()?.rows().len(), 3);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn add_all(&mut self, constraints: impl IntoIterator<Item = Constraint>) -> &mut Self {
        for constraint in constraints {
            self.add(constraint);
        }
        self
    }
}

impl Model {
    /// The existential player must satisfy the constraint.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integer("x", 0..=9);
    /// model.subject_to(row!("low": x >= 2)).subject_to((x + x).leq(11));
    /// assert_eq!(model.build()?.rows().len(), 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn subject_to(&mut self, constraint: Constraint) -> &mut Self {
        self.rows.push(constraint);
        self
    }

    /// The existential player must satisfy all the constraints.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integers("x", 0..4, 0..=9);
    /// model.subject_to_all((1..4).map(|t| row!("up[{t}]": x[t] >= x[t - 1])));
    /// assert_eq!(model.build()?.rows().len(), 3);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn subject_to_all(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> &mut Self {
        self.rows.extend(constraints);
        self
    }

    /// The universal player must satisfy the constraint: it describes which of his moves are
    /// possible at all.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let failure = model.forall().binaries("failure", 0..5);
    /// model.uncertainty(row!("budget": failure.sum() <= 2));
    /// assert_eq!(model.build()?.universal_rows().len(), 1);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn uncertainty(&mut self, constraint: Constraint) -> &mut Self {
        self.universal_rows.push(constraint);
        self
    }

    /// The universal player must satisfy all the constraints.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let d = model.forall().integers("d", 0..3, 0..=9);
    /// model.uncertainty_all((1..3).map(|t| row!(-1 <= d[t] - d[t - 1] <= 1)));
    /// assert_eq!(model.build()?.universal_rows().len(), 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn uncertainty_all(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> &mut Self {
        self.universal_rows.extend(constraints);
        self
    }

    /// Opens a block of rows of the existential system, or opens it again.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.rows("logic").add(x.geq(0));
    /// model.rows("logic").add(x.leq(1));
    /// let program = model.build()?;
    /// assert_eq!(program.rows().iter().last().unwrap().name.as_deref(), Some("logic[2]"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn rows(&mut self, name: &str) -> RowBlock<'_> {
        self.row_block(Quantifier::Exists, name)
    }

    /// Opens a block of rows of the universal system, or opens it again.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let d = model.forall().integers("d", 0..2, 0..=9);
    /// model.uncertainty_rows("budget").add(d.sum().leq(12));
    /// assert_eq!(model.build()?.universal_rows().len(), 1);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn uncertainty_rows(&mut self, name: &str) -> RowBlock<'_> {
        self.row_block(Quantifier::Forall, name)
    }

    fn row_block(&mut self, owner: Quantifier, name: &str) -> RowBlock<'_> {
        RowBlock {
            model: self,
            owner,
            name: name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Compare, Model};

    #[test]
    fn blocks_of_the_two_systems_never_share_a_row_name() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        model.rows("r").add(x.leq(1));
        model.uncertainty_rows("r").add(x.leq(1));
        let program = model.build().unwrap();
        let first = program.rows().as_slice()[0].name.as_deref();
        let second = program.universal_rows().as_slice()[0].name.as_deref();
        assert_eq!((first, second), (Some("r[1]"), Some("r[2]")));
    }
}
