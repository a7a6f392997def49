//! Vectors with typed indexes.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// An index of one kind of item, such as a block or a local.
pub trait Id: Copy {
    /// Returns the index of the item at a position.
    fn at(position: usize) -> Self;

    /// Returns the position of the item.
    fn position(self) -> usize;
}

/// The position itself, for items without an index of their own.
impl Id for usize {
    fn at(position: usize) -> Self {
        position
    }

    fn position(self) -> usize {
        self
    }
}

/// Declares types of indexes.
macro_rules! ids {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $crate::index::Id for $name {
            fn at(position: usize) -> Self {
                $name(position as u32)
            }

            fn position(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use ids;

/// A vector with a typed index. It dereferences to a slice.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// Creates an empty vector.
    pub const fn new() -> Self {
        IndexVec { items: Vec::new(), index: PhantomData }
    }

    /// Creates a vector as long as another one, filled with a value.
    pub fn filled_like<U>(others: &IndexVec<I, U>, value: T) -> Self
    where
        T: Clone,
    {
        vec![value; others.len()].into()
    }

    /// Adds an item, and returns its index.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }

    /// Returns the item of an index, if there is one.
    pub fn find(&self, id: I) -> Option<&T> {
        self.items.get(id.position())
    }

    /// Iterates over the indexes.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    /// Iterates over the items with their indexes.
    pub fn entries(&self) -> impl Iterator<Item = (I, &T)> {
        self.ids().zip(&self.items)
    }

    /// Iterates over the items with their indexes, for changes.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (I, &mut T)> {
        self.ids().zip(&mut self.items)
    }

    /// Returns the index of the first item for which `is_it` holds.
    pub fn id_of(&self, is_it: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(is_it).map(I::at)
    }
}

/// A set of indexes. The last additions can be taken back, so that one set serves for a whole
/// tree.
#[derive(Debug)]
pub struct IndexSet<I> {
    is_member: Vec<bool>,
    /// The members in the order of their addition.
    members: Vec<I>,
}

impl<I: Id> IndexSet<I> {
    /// Creates an empty set of indexes below `count`.
    pub fn below(count: usize) -> Self {
        IndexSet { is_member: vec![false; count], members: Vec::new() }
    }

    /// Returns `true` if the set has the index.
    pub fn contains(&self, id: I) -> bool {
        self.is_member[id.position()]
    }

    /// Adds an index.
    pub fn insert(&mut self, id: I) {
        if !std::mem::replace(&mut self.is_member[id.position()], true) {
            self.members.push(id);
        }
    }

    /// Returns the mark of the present set for [`IndexSet::reset`].
    pub fn mark(&self) -> usize {
        self.members.len()
    }

    /// Takes back the additions since a mark. The mark 0 is that of the empty set.
    pub fn reset(&mut self, mark: usize) {
        while self.members.len() > mark
            && let Some(id) = self.members.pop()
        {
            self.is_member[id.position()] = false;
        }
    }
}

impl<I: Id, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        IndexVec::new()
    }
}

impl<I: Id, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        IndexVec { items, index: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<I: Id, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.position()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.position()]
    }
}

impl<I, T> Deref for IndexVec<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IndexVec<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
