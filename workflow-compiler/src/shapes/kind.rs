//! The kinds of values, and what a shape has of each.

use super::limits::{MAX_DEPTH, MAX_LITERAL, MAX_LITERALS, MAX_SIZE};
use super::{ArrayShape, RecordShape, Shape};
use std::collections::BTreeSet;
use std::ops::BitOr;
use std::sync::Arc;

/// The values of each kind that a shape has.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    /// `true` if the value can be null.
    pub null: bool,
    /// `true` if the value can be `false`.
    pub can_be_false: bool,
    /// `true` if the value can be `true`.
    pub can_be_true: bool,
    /// The numbers.
    pub numbers: Numbers,
    /// The strings.
    pub strings: Strings,
    /// The arrays, if the value can be one.
    pub array: Option<ArrayShape>,
    /// The objects, if the value can be one.
    pub object: Option<RecordShape>,
    /// The number of shapes inside, with this one.
    pub(super) size: usize,
    /// The depth of the shapes inside.
    pub(super) depth: usize,
}

/// The numbers of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// These whole numbers, or none.
    Known(BTreeSet<i64>),
    /// All whole numbers.
    Whole,
    /// All numbers.
    Any,
}

/// The strings of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Strings {
    /// These strings, or none.
    Known(BTreeSet<Arc<str>>),
    /// All strings.
    Any,
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSet(u8);

impl KindSet {
    /// No kind.
    pub const NONE: KindSet = KindSet(0);
    /// Null.
    pub const NULL: KindSet = KindSet(1);
    /// Booleans.
    pub const BOOLEAN: KindSet = KindSet(2);
    /// Numbers.
    pub const NUMBER: KindSet = KindSet(4);
    /// Strings.
    pub const STRING: KindSet = KindSet(8);
    /// Arrays.
    pub const ARRAY: KindSet = KindSet(16);
    /// Objects.
    pub const OBJECT: KindSet = KindSet(32);
    /// All kinds.
    pub const ALL: KindSet = KindSet(63);

    /// Returns `true` if there is no kind in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the sets have a kind in common.
    pub fn meets(self, other: KindSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kinds that are not in the set.
    pub fn complement(self) -> KindSet {
        KindSet(KindSet::ALL.0 & !self.0)
    }

    /// Returns the kinds of both sets.
    pub const fn or(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }

    /// Returns the kinds in words: `a string or null`.
    pub fn name(self) -> String {
        const NAMES: [(KindSet, &str); 6] = [
            (KindSet::OBJECT, "an object"),
            (KindSet::ARRAY, "an array"),
            (KindSet::STRING, "a string"),
            (KindSet::NUMBER, "a number"),
            (KindSet::BOOLEAN, "a boolean"),
            (KindSet::NULL, "null"),
        ];
        if self == KindSet::ALL {
            return "any value".to_owned();
        }
        let names: Vec<&str> = NAMES.iter().filter(|(kind, _)| self.meets(*kind)).map(|(_, name)| *name).collect();
        match &names[..] {
            [] => "no value".to_owned(),
            [only] => (*only).to_owned(),
            [others @ .., last] => format!("{} or {last}", others.join(", ")),
        }
    }
}

impl BitOr for KindSet {
    type Output = KindSet;

    fn bitor(self, other: KindSet) -> KindSet {
        self.or(other)
    }
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Known(BTreeSet::new())
    }
}

impl Default for Strings {
    fn default() -> Strings {
        Strings::Known(BTreeSet::new())
    }
}

impl Numbers {
    /// Returns `true` if there is no number.
    pub fn is_empty(&self) -> bool {
        matches!(self, Numbers::Known(known) if known.is_empty())
    }

    /// Returns the numbers of both.
    pub(super) fn join(&self, other: &Numbers) -> Numbers {
        match (self, other) {
            (Numbers::Known(left), right) if left.is_empty() => right.clone(),
            (left, Numbers::Known(right)) if right.is_empty() => left.clone(),
            (Numbers::Known(left), Numbers::Known(right)) => {
                let known: BTreeSet<i64> = left.union(right).copied().collect();
                if known.len() > MAX_LITERALS { Numbers::Whole } else { Numbers::Known(known) }
            }
            (Numbers::Any, _) | (_, Numbers::Any) => Numbers::Any,
            _ => Numbers::Whole,
        }
    }
}

impl Strings {
    /// Returns the set of one string.
    pub(super) fn one(text: &str) -> Strings {
        if text.len() > MAX_LITERAL { Strings::Any } else { Strings::Known(BTreeSet::from([text.into()])) }
    }

    /// Returns `true` if there is no string.
    pub fn is_empty(&self) -> bool {
        matches!(self, Strings::Known(known) if known.is_empty())
    }

    /// Returns the strings of both.
    pub(super) fn join(&self, other: &Strings) -> Strings {
        match (self, other) {
            (Strings::Known(left), right) if left.is_empty() => right.clone(),
            (left, Strings::Known(right)) if right.is_empty() => left.clone(),
            (Strings::Known(left), Strings::Known(right)) => {
                let known: BTreeSet<Arc<str>> = left.union(right).cloned().collect();
                if known.len() > MAX_LITERALS { Strings::Any } else { Strings::Known(known) }
            }
            _ => Strings::Any,
        }
    }
}

impl PartialEq for Kinds {
    fn eq(&self, other: &Kinds) -> bool {
        #[cfg(test)]
        super::tests::count_comparison();
        // The size is not compared: a member that says no more than the others adds to it, but not
        // to the set. It does not add to the depth, so that equal shapes have the same depth.
        self.depth == other.depth
            && (self.null, self.can_be_false, self.can_be_true) == (other.null, other.can_be_false, other.can_be_true)
            && self.numbers == other.numbers
            && self.strings == other.strings
            && self.array == other.array
            && self.object == other.object
    }
}

impl Kinds {
    /// Returns all values, kind by kind.
    pub(super) fn all() -> Kinds {
        Kinds {
            null: true,
            can_be_false: true,
            can_be_true: true,
            numbers: Numbers::Any,
            strings: Strings::Any,
            array: Some(ArrayShape::open()),
            object: Some(RecordShape::open()),
            size: 1,
            depth: 1,
        }
    }

    /// Returns the kinds that have a value.
    pub fn set(&self) -> KindSet {
        let has = |kind: KindSet, has: bool| if has { kind.0 } else { 0 };
        KindSet(
            has(KindSet::NULL, self.null)
                | has(KindSet::BOOLEAN, self.can_be_false || self.can_be_true)
                | has(KindSet::NUMBER, !self.numbers.is_empty())
                | has(KindSet::STRING, !self.strings.is_empty())
                | has(KindSet::ARRAY, self.array.is_some())
                | has(KindSet::OBJECT, self.object.is_some()),
        )
    }

    /// Returns the shape, which is all values if a limit is exceeded.
    pub(super) fn finish(mut self) -> Shape {
        let (mut size, mut depth) = (1_usize, 0);
        let mut add = |shape: &Shape| {
            let (inner, below) = shape.kinds().map_or((0, 0), |kinds| (kinds.size, kinds.depth));
            size = size.saturating_add(1).saturating_add(inner);
            depth = depth.max(below);
        };
        if let Some(array) = &self.array {
            array.prefix.iter().for_each(&mut add);
            add(&array.rest);
        }
        if let Some(object) = &self.object {
            add(&object.rest);
            size = size.saturating_add(object.fields.size());
            depth = depth.max(object.fields.depth());
        }
        (self.size, self.depth) = (size, depth + 1);
        if self.size > MAX_SIZE || self.depth > MAX_DEPTH || self.is_all() {
            return Shape::any();
        }
        Shape { kinds: Some(Arc::new(self)), origin: None, rust: None }
    }

    /// Returns the shape like [`Kinds::finish`]. It shares the kinds of one of these shapes if
    /// they are the same.
    pub(super) fn finish_like(self, known: [&Arc<Kinds>; 2]) -> Shape {
        match known.into_iter().find(|known| self.is_same(known)) {
            Some(known) => Shape { kinds: Some(Arc::clone(known)), origin: None, rust: None },
            None => self.finish(),
        }
    }

    /// Returns `true` if the kinds are the same, with the same origins.
    fn is_same(&self, other: &Kinds) -> bool {
        let arrays = match (&self.array, &other.array) {
            (Some(left), Some(right)) => left.is_same(right),
            (left, right) => left.is_none() && right.is_none(),
        };
        let objects = match (&self.object, &other.object) {
            (Some(left), Some(right)) => left.rest.is_same(&right.rest) && left.fields.is_same(&right.fields),
            (left, right) => left.is_none() && right.is_none(),
        };
        (self.null, self.can_be_false, self.can_be_true) == (other.null, other.can_be_false, other.can_be_true)
            && arrays
            && objects
            && self.numbers == other.numbers
            && self.strings == other.strings
    }

    fn is_all(&self) -> bool {
        self.set() == KindSet::ALL
            && self.can_be_false
            && self.can_be_true
            && self.numbers == Numbers::Any
            && self.strings == Strings::Any
            && self
                .array
                .as_ref()
                .is_some_and(|array| array.prefix.is_empty() && array.least == 0 && array.rest.is_unknown())
            && self.object.as_ref().is_some_and(|object| object.rest.is_unknown() && *object == RecordShape::open())
    }
}
