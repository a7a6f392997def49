//! Printing of groups that do not fit on their line.

use super::expr::{Argument, argument, opening};
use super::print::Printer;
use super::tree::{self, Group, Kind, LayoutEntry, LayoutTree, Role};
use super::{INDENT, MAX_WIDTH};

/// The maximum width of elements of a filled list.
const SHORT_ELEMENT: usize = 10;

impl Printer {
    /// Prints a group that `tail` columns follow.
    pub fn group(&mut self, group: &Group, tail: usize) {
        let fits = !group.breaks && self.column + group.width + tail <= MAX_WIDTH;
        match group.role {
            _ if fits || group.entries.is_empty() => self.inline(group),
            Role::Generics | Role::Params => self.inline(group),
            Role::Block | Role::Arms | Role::Members | Role::Items | Role::Table => self.block(group),
            Role::Imports => self.filled(group),
            Role::Parens | Role::Brackets | Role::Fields if self.is_too_long(group) => self.inline(group),
            Role::Parens | Role::Brackets | Role::Fields => match self.hugged(group) {
                Some(last) => self.hug(group, last, tail),
                None if are_short(&group.entries) && (!group.breaks || group.role == Role::Brackets) => {
                    self.filled(group)
                }
                None => self.vertical(group),
            },
        }
    }

    fn inline(&mut self, group: &Group) {
        let mut text = String::with_capacity(group.width);
        tree::write_group(group, &mut text);
        self.text(&text);
    }

    /// Returns `true` if a group holds one unbreakable element that would not fit on its own line
    /// either.
    fn is_too_long(&self, group: &Group) -> bool {
        let [only] = &group.entries[..] else { return false };
        !group.breaks
            && self.indent + INDENT + only.width() + group.comma_width() > MAX_WIDTH
            && !only.trees.iter().any(|tree| matches!(tree.kind, Kind::Group(_)))
    }

    /// Returns the last element, if the group can be broken within it alone.
    fn hugged<'a>(&self, group: &'a Group) -> Option<&'a LayoutEntry> {
        let (last, before) = group.entries.split_last()?;
        let plain = |entry: &LayoutEntry| !entry.breaks() && entry.attributes.is_empty();
        if group.role == Role::Fields
            || !last.separator.is_empty()
            || !last.attributes.is_empty()
            || !before.iter().all(plain)
        {
            return None;
        }
        let fits_below = !last.breaks() && self.indent + INDENT + last.width() + group.comma_width() <= MAX_WIDTH;
        let hugs = match argument(&last.trees) {
            Argument::OwnLines => false,
            Argument::Last => group.role != Role::Brackets,
            // The elements of an array have lines of their own if they fit there.
            _ if group.role == Role::Brackets => before.is_empty() && !fits_below,
            Argument::Only => before.is_empty() || is_key(before) && !fits_below,
            // Prefers the layout with fewer lines.
            Argument::List(elements) => before.is_empty() || !fits_below || elements <= group.entries.len(),
        };
        let start = self.column + 1 + before.iter().map(|entry| entry.width() + 1).sum::<usize>();
        let opening = opening(&last.trees)?;
        (hugs && start + opening <= MAX_WIDTH).then_some(last)
    }

    fn hug(&mut self, group: &Group, last: &LayoutEntry, tail: usize) {
        self.text(group.role.open());
        for entry in group.entries.iter().take(group.entries.len().saturating_sub(1)) {
            self.flat(&entry.trees);
            self.text(entry.separator);
            self.text(" ");
        }
        self.expr(&last.trees, tail + 1);
        self.text(group.role.close());
    }

    /// Prints every element on a line of its own.
    pub fn vertical(&mut self, group: &Group) {
        self.text(group.role.open());
        self.indented(|printer| {
            for (at, entry) in group.entries.iter().enumerate() {
                printer.line();
                printer.ended(entry, ending(group, at));
            }
        });
        self.line();
        self.text(group.role.close());
    }

    /// Prints as many elements on a line as fit.
    fn filled(&mut self, group: &Group) {
        self.text(group.role.open());
        self.indented(|printer| {
            for (at, entry) in group.entries.iter().enumerate() {
                let ending = ending(group, at);
                if at > 0 && printer.column + 1 + tree::width(&entry.trees) + ending.len() <= MAX_WIDTH {
                    printer.text(" ");
                } else {
                    printer.line();
                }
                printer.ended(entry, ending);
            }
        });
        self.line();
        self.text(group.role.close());
    }
}

/// Returns the separator after an entry of a list of several lines.
pub fn ending(group: &Group, at: usize) -> &'static str {
    match &group.entries[at] {
        last if group.comma && at + 1 == group.entries.len() && last.separator.is_empty() => ",",
        entry => entry.separator,
    }
}

/// Returns `true` if only a key precedes, so that a value is last.
fn is_key(before: &[LayoutEntry]) -> bool {
    match before {
        [key] => matches!(&key.trees[..], [LayoutTree { kind: Kind::Literal(_), .. }]),
        _ => false,
    }
}

/// Returns `true` if the elements are short literals or names.
fn are_short(entries: &[LayoutEntry]) -> bool {
    entries.iter().all(|entry| {
        entry.attributes.is_empty()
            && tree::width(&entry.trees) <= SHORT_ELEMENT
            && !entry.trees.iter().any(|tree| matches!(tree.kind, Kind::Group(_)))
    })
}
