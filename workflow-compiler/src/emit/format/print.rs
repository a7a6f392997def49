//! Printing of entries: items, statements, arms, lines of tables.

use super::list::ending;
use super::tree::{self, Attribute, Group, Kind, LayoutEntry, LayoutTree, Lead, Role};
use super::{INDENT, MAX_WIDTH};

/// The text printed so far, and the position of its end.
#[derive(Default)]
pub struct Printer {
    out: String,
    /// The column of the end.
    pub column: usize,
    /// The indentation of the current block.
    pub indent: usize,
}

impl Printer {
    /// Returns the text, with a line break at its end.
    pub fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += tree::columns(text);
    }

    /// Prints trees on one line, without leading space.
    pub fn flat(&mut self, trees: &[LayoutTree]) {
        let before = self.out.len();
        tree::write_trees(trees, &mut self.out);
        self.column += tree::columns(&self.out[before..]);
    }

    /// Prints the space before a tree, if it has one.
    pub fn gap(&mut self, trees: &[LayoutTree]) {
        if trees.first().is_some_and(|first| first.space) {
            self.text(" ");
        }
    }

    /// Starts a line.
    pub fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.column = self.indent;
    }

    /// Returns `true` if trees fit on the line with `tail` columns after them.
    pub fn fits(&self, trees: &[LayoutTree], tail: usize) -> bool {
        !tree::breaks(trees) && self.column + tree::width(trees) + tail <= MAX_WIDTH
    }

    /// Prints one level deeper.
    pub fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += INDENT;
        print(self);
        self.indent -= INDENT;
    }

    /// Returns the text from the offset `from` on.
    pub fn since(&self, from: usize) -> &str {
        self.out.get(from..).unwrap_or("")
    }

    pub fn length(&self) -> usize {
        self.out.len()
    }

    /// Prints items with blank lines between them. Items of one line are adjacent.
    pub fn items(&mut self, items: &[LayoutEntry]) {
        let mut before = None;
        for (at, item) in items.iter().enumerate() {
            let start = self.out.len();
            if at > 0 {
                self.line();
            }
            self.entry(item);
            let is_line = matches!(item.lead, Lead::Use | Lead::Line)
                && item.attributes.is_empty()
                && !self.since(start).trim_start().contains('\n');
            let group = is_line.then_some(item.lead);
            if at > 0 && (group.is_none() || group != before) {
                self.out.insert(start, '\n');
            }
            before = group;
        }
    }

    /// Prints entries on lines of their own.
    pub fn lines(&mut self, entries: &[LayoutEntry]) {
        for entry in entries {
            self.line();
            self.entry(entry);
        }
    }

    /// Prints an entry at the start of a line.
    pub fn entry(&mut self, entry: &LayoutEntry) {
        self.ended(entry, entry.separator);
    }

    /// Prints an entry with `separator` after it.
    pub fn ended(&mut self, entry: &LayoutEntry, separator: &str) {
        self.attributes(entry);
        let tail = separator.len();
        match entry.lead {
            Lead::Fn => self.function(&entry.trees, tail),
            Lead::Item => self.grouped(&entry.trees, tail),
            _ => self.expr(&entry.trees, tail),
        }
        self.text(separator);
    }

    /// Prints the attributes of an entry, each on its line, and starts the line after them.
    fn attributes(&mut self, entry: &LayoutEntry) {
        for (at, attribute) in entry.attributes.iter().enumerate() {
            if at > 0 {
                self.line();
            }
            self.attribute(attribute);
        }
        let alone = entry.trees.is_empty() && entry.separator.is_empty();
        if !entry.attributes.is_empty() && !alone {
            self.line();
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        match &attribute.doc {
            None => match &attribute.body[..] {
                [only] if self.column + tree::columns(&attribute.text) > MAX_WIDTH => {
                    self.text(if attribute.text.starts_with("#!") { "#![" } else { "#[" });
                    self.grouped(&only.trees, 1);
                    self.text(only.separator);
                    self.text("]");
                }
                _ => self.text(&attribute.text),
            },
            Some(lines) => {
                for (at, line) in lines.iter().enumerate() {
                    if at > 0 {
                        self.line();
                    }
                    self.text("///");
                    self.text(line);
                }
            }
        }
    }

    /// Prints a function: its signature on one line if it fits, otherwise a line for each
    /// parameter.
    fn function(&mut self, trees: &[LayoutTree], tail: usize) {
        let body = trees.iter().position(|tree| tree.role() == Some(Role::Block)).unwrap_or(trees.len());
        let (signature, body) = trees.split_at(body);
        let after = if body.is_empty() { tail } else { 2 };
        let params = signature.iter().position(|tree| tree.role() == Some(Role::Parens) && tree.is_breakable());
        match params {
            Some(params) if !self.fits(signature, after) => {
                self.flat(&signature[..params]);
                if let Some(group) = signature[params].group() {
                    self.vertical(group);
                }
                self.gap(&signature[params + 1..]);
                self.flat(&signature[params + 1..]);
            }
            _ => self.flat(signature),
        }
        self.gap(body);
        self.expr(body, tail);
    }

    /// Prints a group whose entries have lines of their own.
    pub fn block(&mut self, group: &Group) {
        self.text(group.role.open());
        self.indented(|printer| match group.role {
            Role::Items => {
                printer.line();
                printer.items(&group.entries);
            }
            Role::Arms => {
                for (at, arm) in group.entries.iter().enumerate() {
                    printer.line();
                    printer.arm(arm, ending(group, at));
                }
            }
            Role::Table => {
                for row in &group.entries {
                    printer.line();
                    printer.row(row);
                }
            }
            _ => printer.lines(&group.entries),
        });
        self.line();
        self.text(group.role.close());
    }

    fn row(&mut self, row: &LayoutEntry) {
        self.attributes(row);
        self.flat(&row.trees);
        self.text(row.separator);
    }

    /// Prints an arm of a `match`.
    fn arm(&mut self, arm: &LayoutEntry, separator: &str) {
        let tail = separator.len();
        let arrow = arm.trees.iter().position(|tree| tree.is_op("=>"));
        let Some(arrow) = arrow.filter(|_| !self.fits(&arm.trees, tail)) else {
            return self.ended(arm, separator);
        };
        self.attributes(arm);
        let (pattern, body) = arm.trees.split_at(arrow + 1);
        self.pattern(&pattern[..arrow]);
        self.text(" =>");
        self.assigned(body, tail);
        self.text(separator);
    }

    /// Prints a pattern and its guard.
    fn pattern(&mut self, pattern: &[LayoutTree]) {
        if self.fits(pattern, 5) {
            return self.flat(pattern);
        }
        let bars: Vec<usize> = (1..pattern.len()).filter(|at| pattern[*at].is_op("|")).collect();
        if bars.is_empty() {
            return self.grouped(pattern, 5);
        }
        let ends = bars.iter().copied().chain([pattern.len()]);
        let mut start = 0;
        let alternatives: Vec<&[LayoutTree]> =
            ends.map(|end| &pattern[std::mem::replace(&mut start, end)..end]).collect();
        let short = alternatives.iter().all(|alternative| {
            tree::width(alternative) <= 22 && !alternative.iter().any(|tree| matches!(tree.kind, Kind::Group(_)))
        });
        for (at, alternative) in alternatives.iter().enumerate() {
            if at > 0 {
                match short && self.column + 1 + tree::width(alternative) + 4 <= MAX_WIDTH {
                    true => self.text(" "),
                    false => self.line(),
                }
            }
            self.flat(alternative);
        }
    }
}
