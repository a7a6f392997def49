//! The members of an object.

use super::{Field, Shape};
use std::cmp::Ordering;
use std::slice;
use std::sync::Arc;

/// The members of an object that are known, in the order of their names. Members that do not
/// change are shared: a copy of an object costs a pointer for each of them.
#[derive(Debug, Clone, Default)]
pub struct Members {
    list: Vec<Arc<NamedField>>,
    /// The sum of the sizes of the shapes.
    size: usize,
    /// The depth of the deepest shape.
    depth: usize,
}

/// A member with its name.
#[derive(Debug)]
pub(super) struct NamedField {
    pub name: Arc<str>,
    pub field: Field,
}

/// The members of two objects in step. Each name comes once, in order.
pub(super) struct MemberPairs<'m> {
    left: &'m [Arc<NamedField>],
    right: &'m [Arc<NamedField>],
}

/// An iterator over members.
#[derive(Debug, Clone)]
pub struct MembersIter<'m>(slice::Iter<'m, Arc<NamedField>>);

impl Members {
    /// Creates the members of an object that has none.
    pub fn new() -> Members {
        Members::default()
    }

    pub(super) fn with_capacity(capacity: usize) -> Members {
        Members { list: Vec::with_capacity(capacity), size: 0, depth: 0 }
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if there is no member.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the member with a name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.place(name).ok().map(|at| &self.list[at].field)
    }

    /// Returns `true` if there is a member with a name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.list.binary_search_by(|member| (*member.name).cmp(name))
    }

    /// Adds a member, or replaces the one with its name.
    pub fn insert(&mut self, name: &str, field: Field) {
        match self.place(name) {
            Ok(at) => {
                self.add(&field);
                let member = NamedField::new(&self.list[at].name, field);
                let before = std::mem::replace(&mut self.list[at], member);
                let (size, depth) = before.field.shape.kinds().map_or((0, 0), |kinds| (kinds.size, kinds.depth));
                match depth < self.depth {
                    true => self.size = self.size.saturating_sub(size),
                    // It may have been the deepest.
                    false => self.measure(),
                }
            }
            Err(at) => {
                self.add(&field);
                self.list.insert(at, Arc::new(NamedField { name: name.into(), field }));
            }
        }
    }

    /// Adds a member whose name follows those of the others.
    pub(super) fn push(&mut self, member: Arc<NamedField>) {
        self.add(&member.field);
        self.list.push(member);
    }

    /// Keeps some of the members.
    pub(super) fn retain(&mut self, keep: impl Fn(&Field) -> bool) {
        if !self.values().all(&keep) {
            self.list.retain(|member| keep(&member.field));
            self.measure();
        }
    }

    /// Returns the members with what `change` makes of them. Those that it does not change are
    /// shared.
    pub fn map(&self, change: impl Fn(&str, &Field) -> Field) -> Members {
        let mut all = Members::with_capacity(self.list.len());
        for member in &self.list {
            all.push(member.with(change(&member.name, &member.field)));
        }
        all
    }

    /// Iterates over the members with their names.
    pub fn iter(&self) -> MembersIter<'_> {
        MembersIter(self.list.iter())
    }

    /// Iterates over the names.
    pub fn keys(&self) -> impl Iterator<Item = &Arc<str>> {
        self.list.iter().map(|member| &member.name)
    }

    /// Iterates over the members.
    pub fn values(&self) -> impl Iterator<Item = &Field> {
        self.list.iter().map(|member| &member.field)
    }

    /// Iterates over these members and those of another object.
    pub(super) fn pairs<'m>(&'m self, other: &'m Members) -> MemberPairs<'m> {
        MemberPairs { left: &self.list, right: &other.list }
    }

    /// Returns `true` if the members are shared.
    pub(super) fn is_same(&self, other: &Members) -> bool {
        self.list.len() == other.list.len()
            && self.list.iter().zip(&other.list).all(|(left, right)| Arc::ptr_eq(left, right))
    }

    /// Returns the sum of the sizes of the shapes.
    pub(super) fn size(&self) -> usize {
        self.size + self.list.len()
    }

    /// Returns the depth of the deepest shape.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    fn add(&mut self, field: &Field) {
        if let Some(kinds) = field.shape.kinds() {
            self.size = self.size.saturating_add(kinds.size);
            self.depth = self.depth.max(kinds.depth);
        }
    }

    fn measure(&mut self) {
        let list = std::mem::take(&mut self.list);
        (self.size, self.depth) = (0, 0);
        list.iter().for_each(|member| self.add(&member.field));
        self.list = list;
    }
}

impl NamedField {
    pub fn new(name: &Arc<str>, field: Field) -> Arc<NamedField> {
        Arc::new(NamedField { name: Arc::clone(name), field })
    }

    /// Returns the member with another field. It is shared if the field is the same.
    pub fn with(self: &Arc<NamedField>, field: Field) -> Arc<NamedField> {
        match self.field.is_same(&field) {
            true => Arc::clone(self),
            false => NamedField::new(&self.name, field),
        }
    }
}

impl Field {
    /// Returns `true` if the fields are the same, with the same origins.
    pub(super) fn is_same(&self, other: &Field) -> bool {
        self.required == other.required && self.shape.is_same(&other.shape)
    }
}

impl<'m> Iterator for MembersIter<'m> {
    type Item = (&'m Arc<str>, &'m Field);

    fn next(&mut self) -> Option<(&'m Arc<str>, &'m Field)> {
        self.0.next().map(|member| (&member.name, &member.field))
    }
}

impl<'m> IntoIterator for &'m Members {
    type Item = (&'m Arc<str>, &'m Field);
    type IntoIter = MembersIter<'m>;

    fn into_iter(self) -> MembersIter<'m> {
        self.iter()
    }
}

impl FromIterator<(Arc<str>, Field)> for Members {
    /// Collects members in any order. Of those with the same name the last counts.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Field)>>(members: I) -> Members {
        let mut list: Vec<Arc<NamedField>> =
            members.into_iter().map(|(name, field)| NamedField::new(&name, field)).collect();
        if !list.is_sorted_by(|left, right| left.name < right.name) {
            list.reverse();
            list.sort_by(|left, right| left.name.cmp(&right.name));
            list.dedup_by(|later, first| later.name == first.name);
        }
        let mut all = Members { list, size: 0, depth: 0 };
        all.measure();
        all
    }
}

impl<'m> Iterator for MemberPairs<'m> {
    type Item = (Option<&'m Arc<NamedField>>, Option<&'m Arc<NamedField>>);

    fn next(&mut self) -> Option<Self::Item> {
        let order = match (self.left, self.right) {
            ([], []) => return None,
            ([], _) => Ordering::Greater,
            (_, []) => Ordering::Less,
            ([left, ..], [right, ..]) => match Arc::ptr_eq(&left.name, &right.name) {
                true => Ordering::Equal,
                false => left.name.cmp(&right.name),
            },
        };
        let left = if order == Ordering::Greater { None } else { self.left.split_off_first() };
        let right = if order == Ordering::Less { None } else { self.right.split_off_first() };
        Some((left, right))
    }
}

impl Shape {
    /// Returns `true` if the shapes are the same, with the same origin.
    pub fn is_same(&self, other: &Shape) -> bool {
        let kinds = match (&self.kinds, &other.kinds) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        kinds && self.origin == other.origin && self.rust == other.rust
    }
}
