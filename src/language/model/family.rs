//! Indexed families of variables: `x[i]`, `x[(i, j)]`, `x["steel"]`.
//!
//! **Invariant:** the variables of a family are consecutive in their stage, in the order of the
//! indices; the member of index `i` is called `x[i]`, that of `(i, j)` `x[i,j]`.

use std::hash::Hash;
use std::ops::Index;

use rustc_hash::FxHashMap;

use super::expression::{Expr, sum};
use super::number::Number;
use super::variable::Var;

/// What may index a family: integers, characters, texts, and tuples of these.
///
/// ```
/// use quip::model::Key;
/// assert_eq!((3, "oil").label(), "3,oil");
/// assert_eq!((-1).label(), "m1"); // a name cannot contain a minus sign
/// ```
pub trait Key: Clone + Eq + Hash {
    /// How the index is written inside the brackets of the name.
    fn label(&self) -> String;
}

macro_rules! number_keys {
    ($($number:ty)*) => {$(
        impl Key for $number {
            fn label(&self) -> String {
                self.to_string().replace('-', "m")
            }
        }
    )*};
}
number_keys!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! text_keys {
    ($($text:ty)*) => {$(
        impl Key for $text {
            fn label(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
text_keys!(char &str String);

macro_rules! tuple_keys {
    ($($part:ident $place:tt),*) => {
        impl<$($part: Key),*> Key for ($($part,)*) {
            fn label(&self) -> String {
                [$(self.$place.label()),*].join(",")
            }
        }
    };
}
tuple_keys!(A 0, B 1);
tuple_keys!(A 0, B 1, C 2);
tuple_keys!(A 0, B 1, C 2, D 3);

/// Every pair of an item of `rows` and one of `columns`, row by row.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binaries("x", grid(0..2, 0..3));
/// assert_eq!(x.len(), 6);
/// assert_eq!(model.name(x[(1, 2)]), Some("x[1,2]"));
/// ```
pub fn grid<A: Clone, B>(
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B, IntoIter: Clone>,
) -> impl Iterator<Item = (A, B)> {
    let columns = columns.into_iter();
    rows.into_iter()
        .flat_map(move |row| columns.clone().map(move |column| (row.clone(), column)))
}

/// A family of variables.
///
/// `x[i]` panics when there is no such index, as a slice or a map does; [`Family::get`] asks.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let demand = model.forall().integers("d", 1..=3, 0..=9);
/// let total = demand.sum();
/// let later = sum(demand.select(|&day| day > 1));
/// assert_eq!(total.terms().len(), 3);
/// assert_eq!(later.terms().len(), 2);
/// assert_eq!(model.name(demand[2]), Some("d[2]"));
/// ```
#[derive(Clone, Debug)]
pub struct Family<K> {
    keys: Vec<K>,
    variables: Vec<Var>,
    places: FxHashMap<K, usize>,
}

impl<K: Key> Family<K> {
    /// The family whose `n`-th index belongs to the `n`-th variable.
    pub(super) fn new(keys: Vec<K>, variables: Vec<Var>) -> Self {
        let places = keys.iter().cloned().zip(0..).collect();
        Self {
            keys,
            variables,
            places,
        }
    }

    /// The variable of that index, if there is one.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", ["oil", "gas"]);
    /// assert_eq!(x.get(&"gas"), Some(x["gas"]));
    /// assert_eq!(x.get(&"coal"), None);
    /// ```
    pub fn get(&self, key: &K) -> Option<Var> {
        self.places.get(key).map(|&place| self.variables[place])
    }

    /// The indices, in order.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 5..8);
    /// assert_eq!(x.keys(), [5, 6, 7]);
    /// ```
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// The variables, in the order of the indices.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 0..3);
    /// assert_eq!(x.iter().last(), Some(x[2]));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + '_ {
        self.variables.iter().copied()
    }

    /// Every index with its variable.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", grid(0..2, 0..2));
    /// let diagonal = sum(x.pairs().filter(|((i, j), _)| i == j).map(|(_, var)| var));
    /// assert_eq!(diagonal.terms().len(), 2);
    /// ```
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (&K, Var)> + ExactSizeIterator {
        self.keys.iter().zip(self.iter())
    }

    /// The variables whose index fulfils `wanted`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let queen = model.exists().binaries("queen", grid(0..4, 0..4));
    /// for r in 0..4 {
    ///     model.subject_to(exactly_one(queen.select(|&(row, _)| row == r)));
    /// }
    /// assert_eq!(model.build()?.rows().iter().next().unwrap().terms.len(), 4);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn select(&self, wanted: impl Fn(&K) -> bool) -> impl Iterator<Item = Var> {
        self.pairs()
            .filter(move |(key, _)| wanted(key))
            .map(|(_, var)| var)
    }

    /// How many variables there are.
    ///
    /// ```
    /// use quip::model::*;
    /// assert_eq!(Model::new().exists().binaries("x", 0..3).len(), 3);
    /// ```
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there is no variable.
    ///
    /// ```
    /// use quip::model::*;
    /// assert!(Model::new().exists().binaries("x", 0..0).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// `Σ x[i]`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 0..3);
    /// model.subject_to(row!("two": x.sum() == 2));
    /// ```
    pub fn sum(&self) -> Expr {
        sum(self)
    }

    /// `Σ weight(i) · x[i]`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 0..3);
    /// let price = ["0.5", "2.5", "1.5"];
    /// model.minimize(x.weighted(|&i: &usize| dec(price[i])));
    /// ```
    pub fn weighted<N: Into<Number>>(&self, weight: impl Fn(&K) -> N) -> Expr {
        let mut total = Expr::new();
        for (key, var) in self.pairs() {
            total.add_term(weight(key), var);
        }
        total
    }
}

impl<K: Key> Index<K> for Family<K> {
    type Output = Var;

    fn index(&self, key: K) -> &Var {
        match self.places.get(&key) {
            Some(&place) => &self.variables[place],
            None => panic!("the family has no index [{}]", key.label()),
        }
    }
}

impl<'a, K> IntoIterator for &'a Family<K> {
    type Item = Var;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Var>>;

    fn into_iter(self) -> Self::IntoIter {
        self.variables.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::num::int;

    #[test]
    fn labels_are_joined_by_commas_and_spell_out_the_minus() {
        assert_eq!((1_usize, 'c').label(), "1,c");
        assert_eq!((-2, "a", 0).label(), "m2,a,0");
        assert_eq!((1, 2, 3, String::from("d")).label(), "1,2,3,d");
    }

    #[test]
    fn a_grid_runs_row_by_row() {
        let cells: Vec<_> = grid(["a", "b"], 0..2).collect();
        assert_eq!(cells, [("a", 0), ("a", 1), ("b", 0), ("b", 1)]);
    }

    #[test]
    fn weights_are_those_of_the_index() {
        let mut model = Model::new();
        let x = model.exists().binaries("x", 1..=3);
        let weighted = x.weighted(|&i| i * i);
        assert_eq!(weighted.value(|_| int(1)), Ok(int(14)));
    }

    #[test]
    #[should_panic(expected = "the family has no index [7]")]
    fn a_missing_index_panics_with_its_label() {
        let x = Model::new().exists().binaries("x", 1..=3);
        let _ = x[7];
    }
}
