//! Edits of the text of a definition, which leave everything else as it is. JSON, and objects of
//! YAML in both notations.

use std::ops::Range;
use workflow_compiler::Span;
use workflow_compiler::diagnostics::json::escape_into;
use workflow_compiler::syntax::{Entry, Node, Text};

/// The replacements in a text.
#[derive(Debug)]
pub(super) struct Edits<'t> {
    text: &'t str,
    replacements: Vec<(Range<usize>, String)>,
    /// `true` if a change has no place in the text.
    is_impossible: bool,
}

impl<'t> Edits<'t> {
    /// Returns no replacements in a text.
    pub fn new(text: &'t str) -> Edits<'t> {
        Edits { text, replacements: Vec::new(), is_impossible: false }
    }

    /// Replaces a range, which overlaps no other.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.replacements.push((range, text.into()));
    }

    /// Replaces a string by another. A block scalar of YAML is replaced with its indicator.
    pub fn set_string(&mut self, span: Span, value: &str) {
        let Range { start, end } = range(span);
        let before = self.text[..start].trim_end();
        let indicator = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
        let is_block =
            before.len() < start && self.text[before.len()..start].contains('\n') && indicator.ends_with(['|', '>']);
        let start = if is_block { indicator.len() - 1 } else { start };
        let written = self.text[start..end].trim_end().len();
        self.replace(start..start + written, string(value));
    }

    /// Replaces the name of a member.
    pub fn rename(&mut self, key: &Text, name: &str) {
        self.replace(range(key.span), self::key(name, key.is_plain()));
    }

    /// Adds other replacements.
    pub fn extend(&mut self, other: Edits<'_>) {
        self.replacements.extend(other.replacements);
        self.is_impossible |= other.is_impossible;
    }

    /// Returns the text with the replacements made, or `None` if two of them contradict each
    /// other. Aliases of YAML repeat a text, whose replacements have to be the same.
    pub fn apply(mut self) -> Option<String> {
        if self.is_impossible || self.replacements.iter().any(|(range, _)| range.end < range.start) {
            return None;
        }
        // A stable order: insertions at one place stay in the order in which they were made.
        self.replacements.sort_by_key(|(range, _)| (range.start, range.end));
        let mut result = String::with_capacity(self.text.len());
        let mut done = 0;
        let mut made: Vec<&(Range<usize>, String)> = Vec::new();
        for replacement in &self.replacements {
            let (range, text) = replacement;
            made.retain(|made| made.0 == *range);
            if made.contains(&replacement) {
                continue;
            }
            result.push_str(self.text.get(done..range.start)?);
            result.push_str(text);
            done = range.end;
            made.push(replacement);
        }
        result.push_str(self.text.get(done..)?);
        Some(result)
    }
}

/// A change of one member.
#[derive(Debug, Clone, PartialEq)]
enum Change {
    Keep,
    Remove,
    Replace(String, String),
}

/// The changes of the members of one object.
#[derive(Debug)]
pub(super) struct Members<'n> {
    node: &'n Node,
    entries: &'n [Entry],
    changes: Vec<Change>,
    /// The new members, each with the index of the member before which it stands.
    inserted: Vec<(usize, String, String)>,
}

impl<'n> Members<'n> {
    /// Returns the members of an object, without changes.
    pub fn new(node: &'n Node) -> Members<'n> {
        let entries = node.as_object().unwrap_or_default();
        Members { node, entries, changes: vec![Change::Keep; entries.len()], inserted: Vec::new() }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key.value == name)
    }

    /// Returns a member.
    pub fn get(&self, name: &str) -> Option<&'n Entry> {
        self.index(name).map(|index| &self.entries[index])
    }

    /// Removes a member, if the object has it.
    pub fn remove(&mut self, name: &str) {
        if let Some(index) = self.index(name) {
            self.changes[index] = Change::Remove;
        }
    }

    /// Puts a member with a string in the place of the first of these members that is removed, or
    /// before the transition of the state.
    pub fn put(&mut self, name: &str, value: &str, places: &[&str]) {
        let is_removed = |index: &usize| self.changes[*index] == Change::Remove;
        let place = places.iter().filter_map(|place| self.index(place)).find(is_removed);
        match place {
            Some(index) => self.changes[index] = Change::Replace(name.to_owned(), string(value)),
            None => self.insert(name, value, &["Next", "End", "Type"]),
        }
    }

    /// Inserts a member with a string before the first of these members that the object has.
    pub fn insert(&mut self, name: &str, value: &str, before: &[&str]) {
        let kept = |index: &usize| self.changes[*index] != Change::Remove;
        let place = before.iter().filter_map(|place| self.index(place)).find(kept).unwrap_or(0);
        self.inserted.push((place, name.to_owned(), string(value)));
    }

    /// Sets the query language: of a state after its type, and of the state machine at its start.
    pub fn set_language(&mut self) {
        if let Some(index) = self.index("QueryLanguage") {
            self.changes[index] = Change::Replace("QueryLanguage".to_owned(), string("JSONata"));
            return;
        }
        let after = self.index("Type").map_or(0, |index| index + 1);
        let place = (after..self.entries.len()).find(|index| self.changes[*index] != Change::Remove);
        self.inserted
            .insert(0, (place.unwrap_or(after.saturating_sub(1)), "QueryLanguage".to_owned(), string("JSONata")));
    }

    /// Adds the changes to the edits of the text.
    pub fn finish(self, edits: &mut Edits<'_>) {
        let text = edits.text;
        let is_block = self.node.is_block();
        // Without a member of its own, the object would have that of the merge key.
        let own =
            |entry: &Entry| self.node.span.start <= entry.key.span.start && entry.key.span.end <= self.node.span.end;
        let is_merged = !self.entries.iter().all(own);
        edits.is_impossible |= is_merged && self.changes.contains(&Change::Remove);
        let is_plain = self.entries.first().is_some_and(|entry| entry.key.is_plain());
        for (before, name, value) in &self.inserted {
            let Some(entry) = self.entries.get(*before) else { continue };
            let at = entry.key.span.start as usize;
            let comma = if is_block { "" } else { "," };
            let colon = colon(text, entry);
            let blank = separation(text, at, is_block, colon != ":");
            edits.replace(at..at, format!("{}{colon}{value}{comma}{blank}", key(name, is_plain)));
        }
        for (index, change) in self.changes.iter().enumerate() {
            let entry = &self.entries[index];
            if let Change::Replace(name, value) = change {
                let name = key(name, entry.key.is_plain());
                edits.replace(extent(text, entry), format!("{name}{}{value}", colon(text, entry)));
            }
        }
        let mut index = 0;
        while index < self.entries.len() {
            let first = index;
            while self.changes.get(index) == Some(&Change::Remove) {
                index += 1;
            }
            if index > first {
                self.delete(first..index, is_block, edits);
            }
            index += 1;
        }
    }

    /// Removes members that follow each other.
    fn delete(&self, run: Range<usize>, is_block: bool, edits: &mut Edits<'_>) {
        let text = edits.text;
        let start = |index: usize| extent(text, &self.entries[index]).start;
        let end = |index: usize| extent(text, &self.entries[index]).end;
        let after = self.entries.get(run.end).map(|entry| entry.key.span.start as usize);
        if is_block {
            for index in run {
                let next = self.entries.get(index + 1).map(|entry| entry.key.span.start as usize);
                edits.replace(lines(text, start(index)..end(index), next), "");
            }
            return;
        }
        let range = match (after, run.start.checked_sub(1)) {
            (Some(next), _) => start(run.start)..next,
            (None, Some(before)) => end(before)..end(run.end - 1),
            (None, None) => start(run.start)..end(run.end - 1),
        };
        edits.replace(range, "");
    }
}

/// Returns the range of a member, without blanks after it. The value of an alias of YAML is
/// elsewhere: the member then ends with the name after `*`.
fn extent(text: &str, entry: &Entry) -> Range<usize> {
    let (start, after) = (entry.key.span.start as usize, entry.key.span.end as usize);
    let end = entry.value.span.end as usize;
    if end >= after {
        return start..start + text.get(start..end).unwrap_or_default().trim_end().len();
    }
    let rest = text.get(after..).unwrap_or_default();
    let name = rest.find('*').unwrap_or(0);
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}');
    let length = rest[name..].find(is_end).unwrap_or(rest.len() - name);
    start..after + name + length
}

/// Returns the range to remove for a member of a block: its lines, or all up to a comment that
/// follows it, or all up to the next member if a `- ` stands before it.
fn lines(text: &str, member: Range<usize>, next: Option<usize>) -> Range<usize> {
    let line = text[..member.start].rfind('\n').map_or(0, |at| at + 1);
    let is_first = text[line..member.start].trim().is_empty();
    let rest = &text[member.end..];
    let end = rest.find('\n').map_or(text.len(), |at| member.end + at + 1);
    match (is_first, text[member.end..end].trim().is_empty()) {
        (true, true) => line..end,
        (false, true) => member.start..next.unwrap_or(member.end),
        (_, false) => member.start..text.len() - rest.trim_start_matches([' ', '\t']).len(),
    }
}

/// Returns the colon of a member with the blanks around it.
fn colon<'t>(text: &'t str, entry: &Entry) -> &'t str {
    let between = text.get(entry.key.span.end as usize..entry.value.span.start as usize).unwrap_or_default();
    if between.trim() == ":" && !between.contains('\n') { between } else { ": " }
}

/// Returns the blanks that separate a new member from the one at `at`: those before it. Where
/// there are none, `is_spaced` is the habit of the text.
fn separation(text: &str, at: usize, is_block: bool, is_spaced: bool) -> String {
    let before = &text[..at];
    if is_block {
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        // The line end of the line before, or of this one if it is the first.
        let end = if line > 0 { &before[..line] } else { text[at..].split_inclusive('\n').next().unwrap_or_default() };
        let end = if end.ends_with("\r\n") { "\r\n" } else { "\n" };
        return format!("{end}{}", " ".repeat(before[line..].chars().count()));
    }
    let blank = &before[before.trim_end().len()..];
    // Before the first member, `{"a"` has no blank.
    if blank.is_empty() && is_spaced { " ".to_owned() } else { blank.to_owned() }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Returns a string of JSON, which is one of YAML, too.
fn string(value: &str) -> String {
    let mut text = String::from('"');
    escape_into(value, &mut text);
    text.push('"');
    text
}

/// Returns a name of a member, without quotes if the others have none and it needs none.
fn key(name: &str, is_plain: bool) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !WORDS.contains(&name.to_ascii_lowercase().as_str());
    if is_plain && is_name { name.to_owned() } else { string(name) }
}
