//! The check of the paths of a definition against the shape of a type, which rustc evaluates while
//! it compiles the generated code.

use super::TypeShape;
use super::lookup::{Failure, Lookup, MemberNames, TypeStep, is_plain, parts};

/// The longest message, in bytes. Of more mistakes than fit, the last are counted only.
const LONGEST_MESSAGE: usize = 8192;

/// The rule for members that a type never has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRule {
    /// A missing member is a fault, and a path to it a mistake.
    Fault,
    /// A missing member of an object or of null is null. A path to it is a mistake only if the
    /// type has a member of a similar name. A member of another value is a fault.
    Null,
    /// A missing member is passed over. A path to it is a mistake only if the type has a member of
    /// a similar name.
    Nothing,
}

/// The paths that begin at values of one type, of one source.
#[derive(Debug, Clone, Copy)]
pub struct PathUse {
    /// The definition.
    pub file: &'static str,
    /// The source of the values: `the output of "ChargeCard"`.
    pub source: &'static str,
    /// The type as written.
    pub name: &'static str,
    /// The rule.
    pub rule: PathRule,
    /// The code of the diagnostic.
    pub code: &'static str,
    /// Three numbers for each path: that of the steps from a value of the type, that of the steps
    /// that are not checked, and that of the places where the definition has the path. Equal paths
    /// are checked once. rustc takes less time for few long slices of numbers than for many short
    /// ones, or for tuples.
    pub paths: &'static [u32],
    /// The steps of all paths, by their numbers in the list of names.
    pub steps: &'static [u32],
    /// The steps that differ.
    pub names: &'static [TypeStep],
    /// Three numbers for each place of each path: its line and column, and the number of its base.
    pub places: &'static [u32],
    /// The paths before a first checked step, as written.
    pub bases: &'static [&'static str],
}

impl PathUse {
    /// Returns a step.
    pub const fn step(&self, at: usize) -> TypeStep {
        self.names[self.steps[at] as usize]
    }
}

/// Fails the build if a path leads to a member that no value of the type has.
#[track_caller]
pub const fn check_paths(shape: &'static TypeShape, used: &PathUse) {
    let mistakes = Text::of_mistakes(shape, used);
    if mistakes.length > 0 {
        panic!("{}", mistakes.as_str());
    }
}

/// The message, built during constant evaluation.
pub struct Text {
    bytes: [u8; LONGEST_MESSAGE],
    length: usize,
}

impl Text {
    const fn new() -> Text {
        Text { bytes: [0; LONGEST_MESSAGE], length: 0 }
    }

    /// Returns the messages of the mistakes in the paths: the empty text if there are none.
    pub const fn of_mistakes(shape: &'static TypeShape, used: &PathUse) -> Text {
        let mut text = Text::new();
        if matches!(shape, TypeShape::Any) {
            return text;
        }
        let (mut index, mut left_out) = (0, 0);
        let (mut start, mut place) = (0, 0);
        let count = used.paths.len();
        while index < count {
            let (end, unchecked) = (start + used.paths[index] as usize, used.paths[index + 1] as usize);
            let (checked_from, last) = (start + unchecked, place + 3 * used.paths[index + 2] as usize);
            if is_plain(used, start, end, shape) {
                (index, start, place) = (index + 3, end, last);
                continue;
            }
            let mut lookup = Lookup::new(used, start, end);
            if !lookup.finds(shape)
                && let Some(failed) = &lookup.failure(shape)
                && failed.at >= checked_from
            {
                let names = MemberNames::of(failed, parts(used.step(failed.at)).1);
                let is_mistake = match used.rule {
                    PathRule::Fault => true,
                    PathRule::Null => names.nearest.is_some() || !(failed.of_object || failed.of_null),
                    PathRule::Nothing => names.nearest.is_some(),
                };
                while is_mistake && place < last {
                    match LONGEST_MESSAGE - text.length < LONGEST_MESSAGE / 4 {
                        true => left_out += 1,
                        false => text.add_mistake(used, (checked_from, unchecked == 0), place, failed, &names),
                    }
                    place += 3;
                }
            }
            (index, start, place) = (index + 3, end, last);
        }
        if left_out > 0 {
            text.push("\nand ");
            text.push_number(left_out);
            text.push(if left_out == 1 { " more error" } else { " more errors" });
        }
        text
    }

    /// Returns the text.
    pub const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            // Only whole texts are added.
            Err(_) => "",
        }
    }

    const fn add_mistake(
        &mut self,
        used: &PathUse,
        (checked_from, is_root): (usize, bool),
        place: usize,
        failed: &Failure,
        names: &MemberNames,
    ) {
        let (line, column) = (used.places[place], used.places[place + 1]);
        let base = used.bases[used.places[place + 2] as usize];
        let (at, of) = (failed.at, failed.of);
        let (kind, name) = parts(used.step(at));
        if self.length == 0 {
            self.push("the workflow definition has errors");
        }
        self.push_all(&["\nerror[", used.code, "]: `"]);
        self.push_path(base, used, checked_from, at);
        match (kind, failed.of_object) {
            (b'[', _) => self.push_all(&["` is ", kind_of(of), " and has no elements"]),
            (_, true) => self.push_all(&["` has no member `", name, "`"]),
            (_, false) => self.push_all(&["` is ", kind_of(of), " and has no member `", name, "`"]),
        }
        self.push_all(&["\n --> ", used.file, ":"]);
        self.push_number(line);
        self.push(":");
        self.push_number(column);
        self.push("\n  = note: `");
        self.push_path(base, used, checked_from, checked_from);
        match is_root {
            _ if used.source.is_empty() => self.push("` is a value"),
            true => self.push_all(&["` is ", used.source, ","]),
            false => self.push_all(&["` comes from ", used.source, ","]),
        }
        self.push_all(&[" of the type `", used.name, "`"]);
        let inner = name_of(of);
        if !inner.is_empty() && !contains(used.name, inner) {
            self.push("\n  = note: `");
            self.push_path(base, used, checked_from, at);
            self.push_all(&["` is of the type `", inner, "`"]);
        }
        self.push("\n  = help: ");
        match names.nearest {
            Some((_, nearest)) => self.push_all(&["did you mean `", nearest, "`?"]),
            None if names.count == 0 => {
                self.push("end the path at `");
                self.push_path(base, used, checked_from, at);
                self.push("`");
            }
            None => self.push_names(names),
        }
    }

    const fn push_names(&mut self, names: &MemberNames) {
        self.push(if names.count == 1 && !names.is_partial { "the only member is " } else { "the members are " });
        let mut index = 0;
        while index < names.count && index < names.listed.len() {
            let separator = match index {
                0 => "`",
                _ if index + 1 == names.count && !names.is_partial => "` and `",
                _ => "`, `",
            };
            self.push_all(&[separator, names.listed[index]]);
            index += 1;
        }
        self.push("`");
        if names.is_partial {
            self.push(" and more");
        } else if names.count > names.listed.len() {
            self.push(" and ");
            self.push_number((names.count - names.listed.len()) as u32);
            self.push(" more");
        }
    }

    /// Adds a path as its author writes it, without the steps from `end` on.
    const fn push_path(&mut self, base: &str, used: &PathUse, start: usize, end: usize) {
        self.push(base);
        let mut index = start;
        while index < end {
            match parts(used.step(index)) {
                (b'[', _) => self.push("[*]"),
                (b'!', _) => {}
                (_, name) => self.push_all(&[".", name]),
            }
            index += 1;
        }
    }

    const fn push_all(&mut self, texts: &[&str]) {
        let mut index = 0;
        while index < texts.len() {
            self.push(texts[index]);
            index += 1;
        }
    }

    /// Adds a text, if there is space for it.
    const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        if text.len() > LONGEST_MESSAGE - self.length {
            return;
        }
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
    }

    const fn push_number(&mut self, number: u32) {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(DIGITS[(number % 10) as usize]);
    }
}

/// Returns the values of a shape in words. Of several kinds, the first that is not null.
const fn kind_of(shape: &TypeShape) -> &'static str {
    match shape {
        TypeShape::Any => "any value",
        TypeShape::Null => "null",
        TypeShape::Boolean => "a boolean",
        TypeShape::Number => "a number",
        TypeShape::String | TypeShape::Unit(..) => "a string",
        TypeShape::List(_) | TypeShape::Tuple(_) => "an array",
        TypeShape::Map(_) | TypeShape::Record { .. } => "an object",
        TypeShape::OneOf(_, shapes) => {
            let mut index = 0;
            while index < shapes.len() {
                if !matches!(shapes[index], TypeShape::Null) {
                    return kind_of(shapes[index]);
                }
                index += 1;
            }
            "null"
        }
    }
}

/// Returns the name of the type that a shape describes, or an empty text.
const fn name_of(shape: &TypeShape) -> &'static str {
    match shape {
        TypeShape::Record { name, .. } => name,
        TypeShape::OneOf(name, shapes) => {
            let mut index = 0;
            while name.is_empty() && index < shapes.len() {
                let inner = name_of(shapes[index]);
                if !inner.is_empty() {
                    return inner;
                }
                index += 1;
            }
            name
        }
        _ => "",
    }
}

/// Returns `true` if a text contains another one.
const fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut start = 0;
    while start + part.len() <= text.len() {
        let mut index = 0;
        while index < part.len() && text[start + index] == part[index] {
            index += 1;
        }
        if index == part.len() {
            return true;
        }
        start += 1;
    }
    false
}
