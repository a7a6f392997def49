//! Printing of method and field chains that do not fit on their line: `root.a(…)?.b(…)`.

use super::print::Printer;
use super::tree::{self, LayoutTree};
use super::{INDENT, MAX_WIDTH};

/// The number of lines from which arguments may be broken after a chain on one line.
const MANY_LINES: usize = 5;

/// Returns the positions of the links of a chain.
pub fn dots(trees: &[LayoutTree]) -> Vec<usize> {
    (1..trees.len()).filter(|at| trees[*at].is_op(".")).collect()
}

impl Printer {
    /// Prints a chain: broken in its last arguments if the rest fits on the line, otherwise before
    /// each link.
    pub fn chain(&mut self, trees: &[LayoutTree], dots: &[usize], tail: usize) {
        let (Some(first), Some(last)) = (dots.first(), dots.last()) else { return self.grouped(trees, tail) };
        let (root, links) = trees.split_at(*first);
        if !self.fits(root, 0) {
            self.expr(root, 0);
            return match self.column <= self.indent + INDENT {
                true => self.links(links, tail),
                false => self.indented(|printer| printer.links(links, tail)),
            };
        }
        if self.ends_in_arguments(&trees[..*last], &trees[*last..], tail) {
            return self.grouped(trees, tail);
        }
        // A root that is no wider than the indentation shares its line with the first links.
        let mut beside = 0;
        if self.column == self.indent {
            beside = dots.iter().take_while(|at| tree::width(&trees[..**at]) <= INDENT).count();
        }
        let joined = dots.get(beside).copied().unwrap_or(trees.len());
        self.grouped(&trees[..joined], if joined == trees.len() { tail } else { 0 });
        self.indented(|printer| printer.links(&trees[joined..], tail));
    }

    /// Returns `true` if a chain is best broken within the arguments of its last link.
    fn ends_in_arguments(&self, before: &[LayoutTree], last: &[LayoutTree], tail: usize) -> bool {
        let Some(at) = last.iter().rposition(|tree| !tree.is_op("?")) else { return false };
        let arguments = last.get(at).filter(|tree| tree.is_breakable()).and_then(LayoutTree::group);
        let (Some(arguments), Some(first)) = (arguments, before.first()) else { return false };
        let opening = last[at].start - first.start + 1;
        if tree::breaks(before) || self.column + opening > MAX_WIDTH {
            return false;
        }
        let below = self.indent + INDENT;
        let fits_below = !tree::breaks(last) && below + tree::width(last) + tail <= MAX_WIDTH;
        let inner = below + INDENT;
        let many = arguments.entries.len() + 2 >= MANY_LINES
            || arguments.entries.iter().any(|entry| inner + entry.width() > MAX_WIDTH);
        !fits_below || many
    }

    /// Prints links on lines of their own.
    fn links(&mut self, links: &[LayoutTree], tail: usize) {
        let starts = [0].into_iter().chain(dots(links));
        let ends = dots(links).into_iter().chain([links.len()]);
        for (start, end) in starts.zip(ends) {
            if start < end {
                self.line();
                self.grouped(&links[start..end], if end == links.len() { tail } else { 0 });
            }
        }
    }
}
