//! The lookup of paths in the shapes of types. All functions are evaluated by rustc.

use super::{PathUse, TypeShape};

/// The most shapes that the lookup of one path visits. A path that needs more is not checked.
const MOST_VISITS: u32 = 4096;
/// The most shapes inside each other that it visits. rustc evaluates up to 128 nested calls.
const MOST_DEPTH: u32 = 40;
/// The longest name, in bytes, that is compared by its edit distance.
const LONGEST: usize = 48;

/// The most shapes without a member of which the names of their members are compared.
const MOST_FAILURES: usize = 32;
/// The most names of members of which each is counted once.
const MOST_NAMES: usize = 64;

/// A step of a path: `.name`, `*name` in JSONata, `[]` or `[*]`, and `!` for a value that is not
/// null. Before it comes the hash of its name, or 0 for a step without a name.
pub type TypeStep = (u64, &'static str);

/// A lookup of a path.
pub struct Lookup<'p> {
    /// The paths.
    used: &'p PathUse,
    /// The first step of the path, and the end of its steps.
    start: usize,
    end: usize,
    visits: u32,
    depth: u32,
    /// `true` if steps that find nothing are noted.
    notes: bool,
    /// The deepest step that finds nothing.
    failed: Option<Failure>,
}

/// A step of a path that finds nothing.
#[derive(Clone, Copy)]
pub struct Failure {
    /// The index of the step.
    pub at: usize,
    /// The shape that it is applied to. Of several, the first, or the one around them.
    pub of: &'static TypeShape,
    /// `true` if the step is applied to an object, maybe beside other values.
    pub of_object: bool,
    /// `true` if the step is applied to null, maybe beside other values.
    pub of_null: bool,
    /// The shapes that it is applied to, each with `true` if the object around it has its members.
    shapes: [(&'static TypeShape, bool); MOST_FAILURES],
    /// The number of these shapes, which may be more than are kept.
    count: usize,
}

impl<'p> Lookup<'p> {
    /// Creates the lookup of the path with these steps among those of all paths.
    pub const fn new(used: &'p PathUse, start: usize, end: usize) -> Lookup<'p> {
        Lookup { used, start, end, visits: 0, depth: 0, notes: false, failed: None }
    }

    /// Returns `true` if a value of the shape may have a value at the path.
    pub const fn finds(&mut self, shape: &'static TypeShape) -> bool {
        self.finds_from(shape, self.start, false, false)
    }

    /// Returns the deepest step that finds nothing, after a lookup without a value. Notes take
    /// time, so that the first lookup goes without.
    pub const fn failure(&mut self, shape: &'static TypeShape) -> Option<Failure> {
        (self.visits, self.depth, self.notes) = (0, 0, true);
        self.finds(shape);
        self.failed
    }

    /// Looks up the steps from `at` on. `maps` is `true` if names apply to the elements of arrays,
    /// and `is_flattened` if the members of the value are members of the object around it.
    const fn finds_from(&mut self, shape: &'static TypeShape, at: usize, maps: bool, is_flattened: bool) -> bool {
        self.visits += 1;
        if self.visits > MOST_VISITS || self.depth > MOST_DEPTH || at == self.end {
            return true;
        }
        self.depth += 1;
        let (hash, step) = self.used.step(at);
        let kind = step.as_bytes()[0];
        let maps = maps || kind == b'*';
        let before = if self.notes { self.failures_at(at) } else { 0 };
        let is_found = match shape {
            TypeShape::Any => true,
            // The path is not reached, as no value is left.
            _ if kind == b'!' && is_null(shape) => true,
            // A type without variants has no values.
            TypeShape::OneOf(_, shapes) => shapes.is_empty() || self.finds_one(shapes, at, maps, is_flattened),
            _ if kind == b'!' => self.finds_from(shape, at + 1, maps, is_flattened),
            TypeShape::List(of) if kind == b'[' => self.finds_from(of, at + 1, maps, false),
            TypeShape::Tuple(of) if kind == b'[' => self.finds_one(of, at + 1, maps, false),
            TypeShape::List(of) if maps => self.finds_from(of, at, maps, false),
            TypeShape::Tuple(of) if maps => self.finds_one(of, at, maps, false),
            // An index of a sequence that is a single value.
            _ if kind == b'[' && maps => self.finds_from(shape, at + 1, maps, false),
            TypeShape::Map(_) | TypeShape::Record { .. } if kind == b'[' && step.len() == 3 => true,
            TypeShape::Map(of) if kind != b'[' => self.finds_from(of, at + 1, maps, false),
            TypeShape::Unit(own, _) if is_flattened && kind != b'[' && *own == hash => {
                self.finds_from(&TypeShape::Null, at + 1, maps, false)
            }
            TypeShape::Record { members, flattened, .. } if kind != b'[' => {
                // Names of one hash of 64 bits are taken for equal, because rustc compares letters
                // slowly.
                let mut members = *members;
                let mut found = false;
                while let [first, others @ ..] = members {
                    if first.0 == hash {
                        found = self.finds_from(first.2, at + 1, maps, false);
                        break;
                    }
                    members = others;
                }
                if !found {
                    // Its own members are listed before those of the flattened types.
                    self.fail(shape, at, is_flattened, before);
                }
                found || self.finds_one(flattened, at, maps, true)
            }
            _ => false,
        };
        self.depth -= 1;
        let is_noted = matches!(shape, TypeShape::Record { .. }) && kind != b'[';
        if !is_found && !is_noted {
            self.fail(shape, at, is_flattened, before);
        }
        is_found
    }

    const fn finds_one(
        &mut self,
        shapes: &'static [&'static TypeShape],
        at: usize,
        maps: bool,
        is_flattened: bool,
    ) -> bool {
        let mut index = 0;
        let not_null = at < self.end && self.used.step(at).1.as_bytes()[0] == b'!';
        while index < shapes.len() {
            let is_left_out = not_null && is_null(shapes[index]);
            if !is_left_out && self.finds_from(shapes[index], at, maps, is_flattened) {
                return true;
            }
            index += 1;
        }
        false
    }

    /// Returns the number of shapes in which a step has found nothing.
    const fn failures_at(&self, at: usize) -> usize {
        match &self.failed {
            Some(failed) if failed.at == at => failed.count,
            _ => 0,
        }
    }

    /// Notes that a step finds nothing in a shape. Of these steps `before` were noted before the
    /// lookup in this shape.
    const fn fail(&mut self, shape: &'static TypeShape, at: usize, is_flattened: bool, before: usize) {
        if !self.notes {
            return;
        }
        let mut failed = match self.failed {
            Some(failed) if failed.at > at => return,
            Some(failed) if failed.at == at => failed,
            _ => {
                let shapes = [(shape, is_flattened); MOST_FAILURES];
                Failure { at, of: shape, of_object: false, of_null: false, shapes, count: 0 }
            }
        };
        if failed.count > before && before == 0 {
            // All shapes so far are parts of this one.
            failed.of = shape;
        }
        if !matches!(shape, TypeShape::OneOf(..)) {
            if failed.count < MOST_FAILURES {
                failed.shapes[failed.count] = (shape, is_flattened);
            }
            failed.count += 1;
            failed.of_object |= matches!(shape, TypeShape::Record { .. } | TypeShape::Map(_));
            failed.of_null |= matches!(shape, TypeShape::Null);
        }
        self.failed = Some(failed);
    }
}

/// Returns `true` if all steps are names of members that objects of the shape have. Most paths
/// are like this. rustc takes long for calls, so that this function makes none.
pub const fn is_plain(used: &PathUse, mut start: usize, end: usize, shape: &TypeShape) -> bool {
    let mut of = shape;
    while start < end {
        let TypeShape::Record { members, .. } = of else { return false };
        let hash = used.names[used.steps[start] as usize].0;
        let mut members = *members;
        loop {
            // A slice that shrinks costs less than an index.
            match members {
                [first, ..] if first.0 == hash => {
                    of = first.2;
                    break;
                }
                [_, others @ ..] => members = others,
                [] => return false,
            }
        }
        start += 1;
    }
    true
}

/// Returns `true` if the only value of a shape is null.
const fn is_null(shape: &TypeShape) -> bool {
    match shape {
        TypeShape::Null => true,
        TypeShape::OneOf(_, shapes) => {
            let mut index = 0;
            while index < shapes.len() {
                if !is_null(shapes[index]) {
                    return false;
                }
                index += 1;
            }
            true
        }
        _ => false,
    }
}

/// Returns the kind of a step, which is its first character, and its name.
pub const fn parts(step: TypeStep) -> (u8, &'static str) {
    let (first, name) = step.1.split_at(1);
    (first.as_bytes()[0], name)
}

/// Names of members, collected for messages.
pub struct MemberNames {
    /// The name that is looked up.
    wanted: &'static str,
    /// The nearest name, and its distance.
    pub nearest: Option<(usize, &'static str)>,
    /// The hashes of the names.
    hashes: [u64; MOST_NAMES],
    /// The first names.
    pub listed: [&'static str; 8],
    /// The number of names.
    pub count: usize,
    /// `true` if there may be more names.
    pub is_partial: bool,
}

impl MemberNames {
    /// Collects the names of the members of the values in which a step finds nothing.
    pub const fn of(failed: &Failure, wanted: &'static str) -> MemberNames {
        let (hashes, listed) = ([0; MOST_NAMES], [""; 8]);
        let is_partial = failed.count > MOST_FAILURES;
        let mut names = MemberNames { wanted, nearest: None, hashes, listed, count: 0, is_partial };
        let mut at = 0;
        while at < failed.count && at < MOST_FAILURES {
            match failed.shapes[at] {
                (TypeShape::Unit(hash, name), true) => names.note(*hash, name),
                (TypeShape::Record { members, .. }, _) => {
                    let mut index = 0;
                    while index < members.len() {
                        names.note(members[index].0, members[index].1);
                        index += 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        names
    }

    const fn note(&mut self, hash: u64, name: &'static str) {
        let mut index = 0;
        while index < self.count {
            if self.hashes[index] == hash {
                return;
            }
            index += 1;
        }
        if self.count == MOST_NAMES {
            self.is_partial = true;
        } else {
            if self.count < self.listed.len() {
                self.listed[self.count] = name;
            }
            self.hashes[self.count] = hash;
            self.count += 1;
        }
        let most = if self.wanted.len() < 3 { 1 } else { self.wanted.len() / 3 };
        let distance = distance(self.wanted.as_bytes(), name.as_bytes());
        let is_nearer = match self.nearest {
            Some((best, _)) => distance < best,
            None => distance <= most,
        };
        if is_nearer {
            self.nearest = Some((distance, name));
        }
    }
}

/// Returns the number of letters by which two names differ: 0 for names that differ in case only,
/// and the greatest number for long ones.
const fn distance(left: &[u8], right: &[u8]) -> usize {
    if left.len() > LONGEST || right.len() > LONGEST {
        return usize::MAX;
    }
    // The distances of the beginnings of the left name from those of the right one, for two rows.
    let mut before = [0; LONGEST + 1];
    let mut index = 0;
    while index <= right.len() {
        before[index] = index;
        index += 1;
    }
    let mut row = 0;
    while row < left.len() {
        let mut next = [row + 1; LONGEST + 1];
        let mut column = 0;
        while column < right.len() {
            let differs = !left[row].eq_ignore_ascii_case(&right[column]);
            let (replaced, shorter) = (before[column] + differs as usize, before[column + 1] + 1);
            let longer = next[column] + 1;
            let least = if replaced < shorter { replaced } else { shorter };
            next[column + 1] = if longer < least { longer } else { least };
            column += 1;
        }
        before = next;
        row += 1;
    }
    before[right.len()]
}
