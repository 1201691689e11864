//! Ids: small typed indices, and the vector that only they index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index.
pub trait Id: Copy {
    /// The id of the `index`-th thing.
    fn new(index: usize) -> Self;
    /// The position this id stands for.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("invariant: ids fit 32 bits"))
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A variable, by its place in the quantifier prefix: `VarId::new(0)` is fixed first.
    VarId
}
id! {
    /// A row, by its place in its system.
    RowId
}
id! {
    /// A block, counted from the outermost.
    BlockId
}

/// A vector that is indexed by one kind of id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Wraps a plain vector: its `k`-th element belongs to the `k`-th id.
    pub fn from_vec(items: Vec<T>) -> Self {
        Self {
            items,
            id: PhantomData,
        }
    }

    /// `count` copies of `item`.
    pub fn filled(count: usize, item: T) -> Self
    where
        T: Clone,
    {
        Self::from_vec(vec![item; count])
    }

    /// Appends an item and tells its id.
    #[inline]
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// How many items there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every id in order.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Every item in order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Every item in order, with its id.
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items
            .iter()
            .enumerate()
            .map(|(index, item)| (I::new(index), item))
    }

    /// Every item in order, with its id, to be changed.
    #[inline]
    pub fn pairs_mut(&mut self) -> impl Iterator<Item = (I, &mut T)> {
        let items = self.items.iter_mut().enumerate();
        items.map(|(index, item)| (I::new(index), item))
    }

    /// Keeps the first `count` items.
    #[inline]
    pub fn truncate(&mut self, count: usize) {
        self.items.truncate(count);
    }

    /// The items as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    #[inline]
    fn default() -> Self {
        Self::from_vec(Vec::new())
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    #[inline]
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
