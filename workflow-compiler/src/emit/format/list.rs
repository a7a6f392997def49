//! Prints groups that do not fit on their line.

use super::MAX_WIDTH;
use super::expr::{hugs, opening};
use super::print::Printer;
use super::tree::{self, Entry, Group, Kind, Role};

/// The widest element of a list whose lines are filled.
const SHORT_ELEMENT: usize = 10;

impl Printer {
    /// A group, with `tail` columns after it.
    pub fn group(&mut self, group: &Group, tail: usize) {
        let fits = !group.breaks && self.column + group.width + tail <= MAX_WIDTH;
        match group.role {
            _ if fits || group.entries.is_empty() => self.inline(group),
            Role::Generics | Role::Params => self.inline(group),
            Role::Block | Role::Arms | Role::Members | Role::Items | Role::Table => self.block(group),
            Role::Imports => self.filled(group),
            Role::Parens | Role::Brackets | Role::Fields => match self.hugged(group) {
                Some(last) => self.hug(group, last, tail),
                None if are_short(&group.entries) => self.filled(group),
                None => self.vertical(group),
            },
        }
    }

    fn inline(&mut self, group: &Group) {
        let mut text = String::with_capacity(group.width);
        tree::write_group(group, &mut text);
        self.text(&text);
    }

    /// The last element, if the group can be broken within it alone.
    fn hugged<'a>(&self, group: &'a Group) -> Option<&'a Entry> {
        let (last, before) = group.entries.split_last()?;
        let plain = |entry: &Entry| !entry.breaks() && entry.attributes.is_empty();
        let can = group.role != Role::Fields
            && last.separator.is_empty()
            && last.attributes.is_empty()
            && before.iter().all(plain)
            && hugs(&last.trees, before.is_empty());
        let start = self.column + 1 + before.iter().map(|entry| entry.width() + 1).sum::<usize>();
        last_fits(start, last).filter(|_| can)
    }

    fn hug(&mut self, group: &Group, last: &Entry, tail: usize) {
        self.text(group.role.open());
        for entry in group.entries.iter().take(group.entries.len().saturating_sub(1)) {
            self.flat(&entry.trees);
            self.text(entry.separator);
            self.text(" ");
        }
        self.expr(&last.trees, tail + 1);
        self.text(group.role.close());
    }

    /// Every element on a line of its own.
    pub fn vertical(&mut self, group: &Group) {
        self.text(group.role.open());
        self.indented(|printer| printer.lines(&group.entries));
        self.line();
        self.text(group.role.close());
    }

    /// As many elements on a line as fit.
    fn filled(&mut self, group: &Group) {
        self.text(group.role.open());
        self.indented(|printer| {
            for (at, entry) in group.entries.iter().enumerate() {
                if at > 0 && printer.column + 1 + entry.width() <= MAX_WIDTH {
                    printer.text(" ");
                } else {
                    printer.line();
                }
                printer.entry(entry);
            }
        });
        self.line();
        self.text(group.role.close());
    }
}

/// The last element, if the delimiter after which it is broken stands on the line.
fn last_fits(start: usize, last: &Entry) -> Option<&Entry> {
    opening(&last.trees).filter(|opening| start + opening <= MAX_WIDTH).map(|_| last)
}

/// Whether the elements are short literals or names.
fn are_short(entries: &[Entry]) -> bool {
    entries.iter().all(|entry| {
        entry.attributes.is_empty()
            && tree::width(&entry.trees) <= SHORT_ELEMENT
            && !entry.trees.iter().any(|tree| matches!(tree.kind, Kind::Group(_)))
    })
}
