//! The check of the paths of a definition against the shape of a type, which rustc evaluates while
//! it compiles the generated code.

use super::TypeShape;
use super::lookup::{Lookup, MemberNames, TypeStep, parts};

/// The longest message, in bytes. Of more mistakes than fit, the last are left out.
const LONGEST_MESSAGE: usize = 8192;

/// The rule for members that a type never has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRule {
    /// A path to no member is a mistake.
    Exists,
    /// A path to no member is a mistake only if the type has a member of a similar name, since
    /// the language treats a missing member as null.
    NotMisspelt,
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
    /// The paths: the steps from a value of the type, the number of steps that are not checked,
    /// and the places where the definition has the path.
    pub paths: &'static [(&'static [TypeStep], usize, &'static [PathPlace])],
}

/// The place of a path: its line and column, and the path before its first checked step as
/// written.
pub type PathPlace = (u32, u32, &'static str);

/// Fails the build if a path leads to a member that no value of the type has.
#[track_caller]
pub const fn check_paths(shape: &'static TypeShape, used: &PathUse) {
    let mistakes = Text::of_mistakes(shape, used);
    if mistakes.length > 0 {
        panic!("{}", mistakes.as_str());
    }
}

/// A text that rustc writes.
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
        let mut index = 0;
        while index < used.paths.len() {
            let (steps, checked_from, places) = used.paths[index];
            let mut lookup = Lookup::new(steps);
            if !lookup.finds(shape, 0, false)
                && let Some((at, of)) = lookup.failed
                && at >= checked_from
            {
                let mut place = 0;
                while place < places.len() {
                    text.add_mistake(used, index, places[place], at, of);
                    place += 1;
                }
            }
            index += 1;
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

    const fn add_mistake(&mut self, used: &PathUse, index: usize, place: PathPlace, at: usize, of: &'static TypeShape) {
        let (steps, checked_from, _) = used.paths[index];
        let (line, column, base) = place;
        let (kind, name) = parts(steps[at]);
        let is_object = has_members(of);
        let names = MemberNames::of(of, name);
        if matches!(used.rule, PathRule::NotMisspelt) && names.nearest.is_none() && (is_object || has_null(of)) {
            return;
        }
        if LONGEST_MESSAGE - self.length < LONGEST_MESSAGE / 4 {
            return;
        }
        if self.length == 0 {
            self.push("the workflow definition has errors");
        }
        self.push_all(&["\nerror[", used.code, "]: `"]);
        self.push_path(base, steps, checked_from, at);
        match (kind, is_object) {
            (b'[', _) => self.push_all(&["` is ", kind_of(of), " and has no elements"]),
            (_, true) => self.push_all(&["` has no member `", name, "`"]),
            (_, false) => self.push_all(&["` is ", kind_of(of), " and has no member `", name, "`"]),
        }
        self.push_all(&["\n --> ", used.file, ":"]);
        self.push_number(line);
        self.push(":");
        self.push_number(column);
        self.push("\n  = note: `");
        self.push_path(base, steps, checked_from, checked_from);
        match checked_from {
            0 => self.push_all(&["` is ", used.source, ", of the type `", used.name, "`"]),
            _ => self.push_all(&["` comes from ", used.source, ", of the type `", used.name, "`"]),
        }
        let inner = name_of(of);
        if !inner.is_empty() && !contains(used.name, inner) {
            self.push("\n  = note: `");
            self.push_path(base, steps, checked_from, at);
            self.push_all(&["` is of the type `", inner, "`"]);
        }
        self.push("\n  = help: ");
        match names.nearest {
            Some((_, nearest)) => self.push_all(&["did you mean `", nearest, "`?"]),
            None if names.count == 0 => {
                self.push("end the path at `");
                self.push_path(base, steps, checked_from, at);
                self.push("`");
            }
            None => self.push_names(&names),
        }
    }

    const fn push_names(&mut self, names: &MemberNames) {
        self.push("the members are ");
        let mut index = 0;
        while index < names.count && index < names.listed.len() {
            let separator = match index {
                0 => "`",
                _ if index + 1 == names.count => "` and `",
                _ => "`, `",
            };
            self.push_all(&[separator, names.listed[index]]);
            index += 1;
        }
        self.push("`");
        if names.count > names.listed.len() {
            self.push(" and ");
            self.push_number((names.count - names.listed.len()) as u32);
            self.push(" more");
        }
    }

    /// Adds a path as its author writes it, without the steps from `end` on.
    const fn push_path(&mut self, base: &str, steps: &'static [TypeStep], start: usize, end: usize) {
        self.push(base);
        let mut index = start;
        while index < end {
            match parts(steps[index]) {
                (b'[', _) => self.push("[*]"),
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

/// Returns `true` if a value of the shape can be an object.
const fn has_members(shape: &TypeShape) -> bool {
    match shape {
        TypeShape::Record { .. } | TypeShape::Map(_) | TypeShape::Any => true,
        TypeShape::OneOf(_, shapes) => {
            let mut index = 0;
            while index < shapes.len() {
                if has_members(shapes[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
        _ => false,
    }
}

/// Returns `true` if a value of the shape can be null.
const fn has_null(shape: &TypeShape) -> bool {
    match shape {
        TypeShape::Null | TypeShape::Any => true,
        TypeShape::OneOf(_, shapes) => {
            let mut index = 0;
            while index < shapes.len() {
                if has_null(shapes[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
        _ => false,
    }
}

/// Returns the values of a shape in words. Of several kinds, the first that is not null.
const fn kind_of(shape: &TypeShape) -> &'static str {
    match shape {
        TypeShape::Any => "any value",
        TypeShape::Null => "null",
        TypeShape::Boolean => "a boolean",
        TypeShape::Number => "a number",
        TypeShape::String => "a string",
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
