//! Translation of regular expressions of JavaScript to the syntax of the crate `regex`.
//!
//! `regex` matches in linear time. It has no look-around and no back-references: a pattern that
//! needs one of them is refused. `\d`, `\w`, `\s` and `\b` are those of ASCII.
//!
//! Some differences remain. A character above the basic plane is one character, not two halves. A
//! group inside a repetition keeps what it matched last, even if it takes no part in the last
//! repetition. With the flag `m`, a line neither begins nor ends at U+2028 and U+2029, and none
//! begins between a carriage return and a line feed.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use crate::ast::Pattern;
use crate::group_names::{GroupNames, begins_name, continues_name};

/// The most bytes of a pattern. See [`translate`].
pub const MAX_PATTERN: usize = 8 << 10;

/// A reason to refuse a pattern.
type Refusal = &'static str;

const LOOK_AROUND: Refusal = "look-around is not supported";
const BACK_REFERENCES: Refusal = "back-references are not supported";

/// The kinds of reasons to refuse a pattern.
///
/// ```
/// use workflow_jsonata::{PatternProblem, ProblemKind, check, parse};
///
/// let problems = check(&parse("$match($states.input, /a(?=b)/)")?, &["input"]);
/// assert!(matches!(problems[0].kind, ProblemKind::Pattern { kind: PatternProblem::Unsupported, .. }));
/// # Ok::<(), workflow_jsonata::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternProblem {
    /// A pattern that JavaScript refuses, too.
    Invalid,
    /// A pattern with look-around or back-references.
    Unsupported,
    /// A pattern of more than [`MAX_PATTERN`] bytes.
    TooLong,
}

/// A function that returns the ranges of the characters that are like one of a range, for a
/// pattern with the flag `i`.
type Alike<'a> = &'a dyn Fn(char, char) -> Vec<(char, char)>;

const DIGITS: &str = "0-9";
const WORDS: &str = "0-9A-Za-z_";
const SPACES: &str = "\\t\\n\\x0B\\x0C\\r ";

/// Returns the pattern in the syntax of the crate `regex`. For a pattern with the flag `i`,
/// `alike` returns the ranges of the characters that are like a character of a range.
///
/// ```
/// use workflow_jsonata::{Pattern, translate};
///
/// let pattern = |text: &str| Pattern { text: text.to_owned(), ignores_case: false, is_multiline: false };
/// let same = |first, last| vec![(first, last)];
/// assert_eq!(translate(&pattern("^a|b$"), &same).as_deref(), Ok(r"\Aa|b\z"));
/// let refused = translate(&pattern("a(?=b)"), &same).unwrap_err();
/// assert_eq!(refused, "Invalid regular expression: /a(?=b)/: look-around is not supported");
/// ```
///
/// # Errors
/// Fails with a message if the pattern is invalid, if it needs what `regex` does not have, and if
/// it has more than [`MAX_PATTERN`] bytes.
pub fn translate(pattern: &Pattern, alike: Alike<'_>) -> Result<String, String> {
    translate_or_classify(pattern, alike).map_err(|(message, _)| message)
}

/// Translates a pattern as [`translate`] does. Its error is the message and the kind of the
/// problem.
pub(crate) fn translate_or_classify(pattern: &Pattern, alike: Alike<'_>) -> Result<String, (String, PatternProblem)> {
    if pattern.text.len() > MAX_PATTERN {
        return Err(("Invalid regular expression: it is too large".to_owned(), PatternProblem::TooLong));
    }
    translated(pattern, alike).map_err(|reason| {
        let kind = match reason {
            LOOK_AROUND | BACK_REFERENCES => PatternProblem::Unsupported,
            _ => PatternProblem::Invalid,
        };
        (format!("Invalid regular expression: /{}/: {reason}", pattern.text), kind)
    })
}

fn translated(pattern: &Pattern, alike: Alike<'_>) -> Result<String, Refusal> {
    let Pattern { text: pattern, is_multiline, ignores_case } = pattern;
    let mut writer = Writer {
        rest: pattern.chars().peekable(),
        out: String::with_capacity(pattern.len() + 16),
        open: 0,
        repeatable: false,
        is_multiline: *is_multiline,
        alike: ignores_case.then_some(alike),
        groups: Groups::of(pattern),
        names: GroupNames::default(),
    };
    while let Some(c) = writer.rest.next() {
        writer.one(c)?;
    }
    if writer.open > 0 { Err("Unterminated group") } else { Ok(writer.out) }
}

/// The capturing groups of a pattern.
#[derive(Default)]
struct Groups {
    count: u32,
    /// `true` if one of them has a name.
    has_names: bool,
}

impl Groups {
    /// Counts the capturing groups of a pattern.
    fn of(pattern: &str) -> Groups {
        let (mut groups, mut in_class) = (Groups::default(), false);
        let mut rest = pattern.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => {
                    rest.next();
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => {
                    let after = rest.as_str();
                    let is_named = after.starts_with("?<") && !after.starts_with("?<=") && !after.starts_with("?<!");
                    groups.has_names |= is_named;
                    if is_named || !after.starts_with('?') {
                        groups.count += 1;
                    }
                }
                _ => {}
            }
        }
        groups
    }
}

/// The meaning of a backslash and the characters after it.
enum Escape {
    /// A character.
    Char(char),
    /// A set of characters, in the syntax of a class. `true` for all others.
    Set(&'static str, bool),
    /// Half of a character, which a text cannot contain.
    Nothing,
}

struct Writer<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    /// The number of groups that are open.
    open: usize,
    /// `true` after an item that a quantifier can repeat.
    repeatable: bool,
    is_multiline: bool,
    /// Set for the flag `i`.
    alike: Option<Alike<'a>>,
    groups: Groups,
    /// The names of the groups that have been read.
    names: GroupNames,
}

impl Writer<'_> {
    /// Translates what starts with this character.
    fn one(&mut self, c: char) -> Result<(), Refusal> {
        match c {
            '\\' => return self.escape(),
            '[' => return self.class(),
            '(' => return self.group(),
            ')' => {
                self.open = self.open.checked_sub(1).ok_or("Unmatched ')'")?;
                self.names.close();
                self.out.push(')');
                self.repeatable = true;
            }
            '|' => {
                self.names.alternative();
                self.operator("|");
            }
            '.' => self.item("[^\\n\\r\\u{2028}\\u{2029}]"),
            // A line begins after a carriage return, too.
            '^' if self.is_multiline => self.operator("(?mR:^)"),
            // It ends before the line feed that follows a carriage return, too.
            '$' if self.is_multiline => self.operator("(?:(?mR:$)|(?m:$))"),
            '^' => self.operator("\\A"),
            '$' => self.operator("\\z"),
            '*' | '+' | '?' => self.repeat(c.encode_utf8(&mut [0; 4]))?,
            '{' => return self.braces(),
            other => self.char(other),
        }
        Ok(())
    }

    fn item(&mut self, written: &str) {
        self.out.push_str(written);
        self.repeatable = true;
    }

    fn operator(&mut self, written: &str) {
        self.out.push_str(written);
        self.repeatable = false;
    }

    fn char(&mut self, c: char) {
        if self.alike.is_some() && c.is_alphabetic() {
            self.out.push('[');
            self.write_range(c, c);
            self.out.push(']');
        } else {
            // Every operator of a pattern is one of these.
            if c.is_ascii_punctuation() && !matches!(c, '<' | '>') {
                self.out.push('\\');
            }
            self.out.push(c);
        }
        self.repeatable = true;
    }

    /// Writes a quantifier, and that it is lazy.
    fn repeat(&mut self, quantifier: &str) -> Result<(), Refusal> {
        if !self.repeatable {
            return Err("Nothing to repeat");
        }
        self.operator(quantifier);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        Ok(())
    }

    /// Translates a quantifier in braces. Other braces are characters.
    fn braces(&mut self) -> Result<(), Refusal> {
        let mut ahead = self.rest.clone();
        let mut written = String::from("{");
        let mut commas = 0;
        while let Some(c) = ahead.next_if(|c| c.is_ascii_digit() || *c == ',') {
            commas += usize::from(c == ',');
            written.push(c);
        }
        if written.len() == 1 || written.starts_with("{,") || commas > 1 || ahead.next() != Some('}') {
            self.char('{');
            return Ok(());
        }
        written.push('}');
        self.rest = ahead;
        let bounds = written[1..written.len() - 1].split_once(',');
        if let Some((least, most)) = bounds
            && !most.is_empty()
            && (most.trim_start_matches('0').len(), most.trim_start_matches('0'))
                < (least.trim_start_matches('0').len(), least.trim_start_matches('0'))
        {
            return Err("numbers out of order in {} quantifier");
        }
        self.repeat(&written)
    }

    fn group(&mut self) -> Result<(), Refusal> {
        self.open += 1;
        self.names.open();
        self.repeatable = false;
        if self.rest.next_if_eq(&'?').is_none() {
            self.out.push('(');
            return Ok(());
        }
        match (self.rest.next(), self.rest.peek()) {
            (Some(':'), _) => self.out.push_str("(?:"),
            (Some('=' | '!'), _) | (Some('<'), Some('=' | '!')) => return Err(LOOK_AROUND),
            (Some('<'), _) => {
                // The names are checked, and not used.
                let name = self.group_name().ok_or("Invalid capture group name")?;
                if !self.names.add(name) {
                    return Err("Duplicate capture group name");
                }
                self.out.push('(');
            }
            _ => return Err("Invalid group"),
        }
        Ok(())
    }

    /// Reads the name of a group, and the `>` after it.
    fn group_name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            let c = match self.rest.next()? {
                '>' if !name.is_empty() => return Some(name),
                '\\' => self.name_escape()?,
                other => other,
            };
            let is_valid = if name.is_empty() { begins_name(c) } else { continues_name(c) };
            if !is_valid {
                return None;
            }
            name.push(c);
        }
    }

    /// Reads the escape of a character in a name, after the backslash.
    fn name_escape(&mut self) -> Option<char> {
        self.rest.next_if_eq(&'u')?;
        if self.rest.next_if_eq(&'{').is_none() {
            return match self.unit() {
                Escape::Char(c) => Some(c),
                Escape::Set(..) | Escape::Nothing => None,
            };
        }
        let mut code: u32 = 0;
        loop {
            match self.rest.next()? {
                '}' => return char::from_u32(code),
                digit => code = code.checked_mul(16)?.checked_add(digit.to_digit(16)?)?,
            }
        }
    }

    /// Translates an escape outside of a class.
    fn escape(&mut self) -> Result<(), Refusal> {
        match self.rest.peek().copied() {
            Some('b') => {
                self.rest.next();
                self.operator("(?-u:\\b)");
                return Ok(());
            }
            Some('B') => {
                self.rest.next();
                self.operator("(?-u:\\B)");
                return Ok(());
            }
            Some('1'..='9') if self.decimal() <= self.groups.count => return Err(BACK_REFERENCES),
            Some('k') if self.groups.has_names => return Err(BACK_REFERENCES),
            _ => {}
        }
        match self.escaped()? {
            Escape::Char(c) => self.char(c),
            Escape::Set(set, negated) => {
                let set = format!("[{}{set}]", if negated { "^" } else { "" });
                self.item(&set);
            }
            Escape::Nothing => self.item("[^\\s\\S]"),
        }
        Ok(())
    }

    /// Returns the decimal number that follows. A number that is too large is the largest one.
    fn decimal(&self) -> u32 {
        let digits = self.rest.clone().map_while(|c| c.to_digit(10));
        digits.fold(0, |number: u32, digit| number.saturating_mul(10).saturating_add(digit))
    }

    /// Reads what follows a backslash.
    fn escaped(&mut self) -> Result<Escape, Refusal> {
        let before = self.rest.clone();
        let c = self.rest.next().ok_or("\\ at end of pattern")?;
        Ok(match c {
            'd' => Escape::Set(DIGITS, false),
            'D' => Escape::Set(DIGITS, true),
            'w' => Escape::Set(WORDS, false),
            'W' => Escape::Set(WORDS, true),
            's' => Escape::Set(SPACES, false),
            'S' => Escape::Set(SPACES, true),
            't' => Escape::Char('\t'),
            'n' => Escape::Char('\n'),
            'v' => Escape::Char('\u{b}'),
            'f' => Escape::Char('\u{c}'),
            'r' => Escape::Char('\r'),
            '0'..='7' => Escape::Char(self.octal(c)),
            'c' => match self.rest.peek().filter(|c| c.is_ascii_alphabetic()) {
                // The lowest five bits of a letter.
                Some(letter) => {
                    let control = char::from(*letter as u8 & 31);
                    self.rest.next();
                    Escape::Char(control)
                }
                // The backslash is a character, and so is the letter.
                None => {
                    self.rest = before;
                    Escape::Char('\\')
                }
            },
            'x' => self.hexadecimal(2).and_then(char::from_u32).map_or(Escape::Char('x'), Escape::Char),
            'u' => self.unit(),
            // In a pattern with named groups, `\k` is always a reference.
            'k' if self.groups.has_names => return Err("Invalid escape"),
            other => Escape::Char(other),
        })
    }

    /// Reads up to three octal digits that stand for one of the first 256 characters.
    fn octal(&mut self, first: char) -> char {
        let mut value = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(8)) else { break };
            if value * 8 + digit > 0xff {
                break;
            }
            value = value * 8 + digit;
            self.rest.next();
        }
        char::from_u32(value).unwrap_or_default()
    }

    /// Reads hexadecimal digits, if there are so many.
    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let mut ahead = self.rest.clone();
        let mut value = 0;
        for _ in 0..count {
            value = value * 16 + ahead.next()?.to_digit(16)?;
        }
        self.rest = ahead;
        Some(value)
    }

    /// Reads the digits of a UTF-16 code unit, and of its second half.
    fn unit(&mut self) -> Escape {
        let Some(unit) = self.hexadecimal(4) else { return Escape::Char('u') };
        if let Some(c) = char::from_u32(unit) {
            return Escape::Char(c);
        }
        let before = self.rest.clone();
        if self.rest.next_if_eq(&'\\').is_some() && self.rest.next_if_eq(&'u').is_some() {
            let low = self.hexadecimal(4).unwrap_or(0);
            if (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(code).map_or(Escape::Nothing, Escape::Char);
            }
        }
        self.rest = before;
        Escape::Nothing
    }

    /// Translates a class, whose bracket has been read.
    fn class(&mut self) -> Result<(), Refusal> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let start = self.out.len();
        self.out.push_str(if negated { "[^" } else { "[" });
        let inside = self.out.len();
        loop {
            let part = self.class_part()?;
            let Some(part) = part else { break };
            let is_range = self.rest.peek() == Some(&'-') && {
                let mut ahead = self.rest.clone();
                ahead.next();
                ahead.peek().is_some_and(|c| *c != ']')
            };
            if !is_range {
                self.write_part(&part);
                continue;
            }
            self.rest.next();
            let end = self.class_part()?.unwrap_or(Escape::Nothing);
            match (&part, &end) {
                (Escape::Char(first), Escape::Char(last)) if first > last => {
                    return Err("Range out of order in character class");
                }
                (Escape::Char(first), Escape::Char(last)) => {
                    self.write_range(*first, *last);
                }
                _ => {
                    // Beside a set, the hyphen is a character.
                    self.write_part(&part);
                    self.write_part(&Escape::Char('-'));
                    self.write_part(&end);
                }
            }
        }
        if self.out.len() == inside {
            self.out.truncate(start);
            self.out.push_str(if negated { "[\\s\\S]" } else { "[^\\s\\S]" });
        } else {
            self.out.push(']');
        }
        self.repeatable = true;
        Ok(())
    }

    /// Reads a part of a class, or its end.
    fn class_part(&mut self) -> Result<Option<Escape>, Refusal> {
        Ok(match self.rest.next().ok_or("Unterminated character class")? {
            ']' => None,
            '\\' if self.rest.next_if_eq(&'b').is_some() => Some(Escape::Char('\u{8}')),
            '\\' => Some(self.escaped()?),
            other => Some(Escape::Char(other)),
        })
    }

    fn write_part(&mut self, part: &Escape) {
        match part {
            Escape::Char(c) => self.write_range(*c, *c),
            Escape::Set(set, false) => self.out.push_str(set),
            Escape::Set(set, true) => self.out.extend(["[^", set, "]"]),
            Escape::Nothing => self.out.push_str("[^\\s\\S]"),
        }
    }

    /// Writes a range of characters inside of a class.
    fn write_range(&mut self, first: char, last: char) {
        let ranges = self.alike.map_or_else(|| vec![(first, last)], |alike| alike(first, last));
        for (first, last) in ranges {
            // Writing to a string does not fail.
            let _ = write!(self.out, "\\x{{{:x}}}-\\x{{{:x}}}", u32::from(first), u32::from(last));
        }
    }
}
