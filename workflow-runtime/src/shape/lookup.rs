//! The lookup of paths in the shapes of types. All functions are evaluated by rustc.

use super::TypeShape;

/// The most shapes that the lookup of one path visits. A path that needs more is not checked.
const MOST_VISITS: u32 = 4096;
/// The most shapes inside each other that it visits. rustc evaluates up to 128 nested calls.
const MOST_DEPTH: u32 = 40;
/// The longest name, in bytes, that is compared by its edit distance.
const LONGEST: usize = 48;

/// A step of a path, `.name`, `*name` in JSONata, `[]` or `[*]`, after the hash of the name.
pub type TypeStep = (u64, &'static str);

/// A lookup of a path.
pub struct Lookup {
    steps: &'static [TypeStep],
    visits: u32,
    depth: u32,
    /// The deepest step that finds nothing, and the shape that it is applied to.
    pub failed: Option<(usize, &'static TypeShape)>,
}

impl Lookup {
    /// Creates the lookup of a path.
    pub const fn new(steps: &'static [TypeStep]) -> Lookup {
        Lookup { steps, visits: 0, depth: 0, failed: None }
    }

    /// Returns `true` if a value of the shape may have what the path leads to, from the step `at`.
    /// `maps` is `true` if names apply to the elements of arrays.
    pub const fn finds(&mut self, shape: &'static TypeShape, at: usize, maps: bool) -> bool {
        self.visits += 1;
        if self.visits > MOST_VISITS || self.depth > MOST_DEPTH || at == self.steps.len() {
            return true;
        }
        self.depth += 1;
        let (hash, step) = self.steps[at];
        let kind = step.as_bytes()[0];
        let maps = maps || kind == b'*';
        let is_found = match shape {
            TypeShape::Any => true,
            TypeShape::OneOf(_, shapes) => self.finds_one(shapes, at, maps),
            TypeShape::List(of) if kind == b'[' => self.finds(of, at + 1, maps),
            TypeShape::Tuple(of) if kind == b'[' => self.finds_one(of, at + 1, maps),
            TypeShape::List(of) if maps => self.finds(of, at, maps),
            TypeShape::Tuple(of) if maps => self.finds_one(of, at, maps),
            // An index of a sequence that is a single value.
            _ if kind == b'[' && maps => self.finds(shape, at + 1, maps),
            TypeShape::Map(_) | TypeShape::Record { .. } if kind == b'[' && step.len() == 3 => true,
            TypeShape::Map(of) if kind != b'[' => self.finds(of, at + 1, maps),
            TypeShape::Record { members, flattened, .. } if kind != b'[' => {
                let mut index = 0;
                let mut found = false;
                while index < members.len() {
                    if members[index].0 == hash {
                        found = self.finds(members[index].2, at + 1, maps);
                        break;
                    }
                    index += 1;
                }
                found || self.finds_one(flattened, at, maps)
            }
            _ => false,
        };
        self.depth -= 1;
        // Of the shapes without this member, the one around the others is kept.
        let is_deepest = match self.failed {
            Some((deepest, _)) => at >= deepest,
            None => true,
        };
        if !is_found && is_deepest {
            self.failed = Some((at, shape));
        }
        is_found
    }

    const fn finds_one(&mut self, shapes: &'static [&'static TypeShape], at: usize, maps: bool) -> bool {
        let mut index = 0;
        while index < shapes.len() {
            if self.finds(shapes[index], at, maps) {
                return true;
            }
            index += 1;
        }
        false
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
    /// The hashes of the first names.
    hashes: [u64; 8],
    /// The first names.
    pub listed: [&'static str; 8],
    /// The number of names.
    pub count: usize,
}

impl MemberNames {
    /// Collects the names of the members that values of a shape can have, which a lookup has
    /// visited.
    pub const fn of(shape: &'static TypeShape, wanted: &'static str) -> MemberNames {
        let mut names = MemberNames { wanted, nearest: None, hashes: [0; 8], listed: [""; 8], count: 0 };
        names.collect(shape);
        names
    }

    const fn collect(&mut self, shape: &'static TypeShape) {
        match shape {
            TypeShape::Record { members, flattened, .. } => {
                let mut index = 0;
                while index < members.len() {
                    self.note(members[index].0, members[index].1);
                    index += 1;
                }
                self.collect_all(flattened);
            }
            TypeShape::OneOf(_, shapes) => self.collect_all(shapes),
            _ => {}
        }
    }

    const fn collect_all(&mut self, shapes: &'static [&'static TypeShape]) {
        let mut index = 0;
        while index < shapes.len() {
            self.collect(shapes[index]);
            index += 1;
        }
    }

    const fn note(&mut self, hash: u64, name: &'static str) {
        let mut index = 0;
        while index < self.count && index < self.listed.len() {
            if self.hashes[index] == hash {
                return;
            }
            index += 1;
        }
        if self.count < self.listed.len() {
            self.hashes[self.count] = hash;
            self.listed[self.count] = name;
        }
        self.count += 1;
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
