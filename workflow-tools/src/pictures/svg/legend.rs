//! The legend below a picture: the shapes, marks and lines that occur in it.

use super::draw::Writer;
use super::glyphs::glyph;
use super::layers::Size;
use super::text::{SMALL, width};
use super::{Looks, Picture};
use workflow_compiler::graph::Shape;

/// An entry of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Start,
    Shape(usize),
    Frame,
    End,
    Termination,
    Failure,
    Line,
    ErrorLine,
    Join,
}

/// The shapes, in the order of the legend.
const SHAPES: [(Shape, &str); 10] = [
    (Shape::Plain, "computes"),
    (Shape::Task, "invokes a task"),
    (Shape::Answer, "invokes a task and waits for an answer"),
    (Shape::Choice, "decides"),
    (Shape::Wait, "waits for a time"),
    (Shape::Event, "waits for events"),
    (Shape::Call, "runs another workflow"),
    (Shape::Group, "runs branches or iterations"),
    (Shape::Succeed, "succeeds"),
    (Shape::Fail, "fails"),
];

/// The size of a sample.
const SAMPLE: Size = Size { width: 30.0, height: 18.0 };
/// The height of a row.
const ROW: f64 = 26.0;
/// The distance of a sample from its text, and of a text from the next sample.
const GAP: f64 = 6.0;
const NEXT: f64 = 18.0;
/// The distance of the legend from the picture.
const ABOVE: f64 = 28.0;
/// The width in which the legend of a narrow picture breaks.
const LEAST_WIDTH: f64 = 420.0;

/// The entries of a legend, with their top left corners.
pub struct Layout {
    entries: Vec<(Entry, f64, f64)>,
    width: f64,
    top: f64,
}

/// Lays out the legend of a picture, and enlarges the size to contain both.
pub fn legend(picture: &Picture, size: &mut Size) -> Layout {
    let mut found = Vec::new();
    collect(picture, &mut found);
    found.sort_unstable();
    found.dedup();
    let most = size.width.max(LEAST_WIDTH);
    let top = size.height + ABOVE;
    let (mut x, mut y, mut widest) = (0.0, top, size.width);
    let mut entries = Vec::with_capacity(found.len());
    for entry in found {
        let length = SAMPLE.width + GAP + width(entry.text(), SMALL);
        if x > 0.0 && x + length > most {
            (x, y) = (0.0, y + ROW);
        }
        entries.push((entry, x, y));
        widest = widest.max(x + length);
        x += length + NEXT;
    }
    *size = Size { width: widest, height: y + SAMPLE.height };
    Layout { entries, width: widest, top }
}

fn collect(picture: &Picture, found: &mut Vec<Entry>) {
    for figure in &picture.figures {
        let entry = match &figure.looks {
            Looks::Start => Entry::Start,
            Looks::End => Entry::End,
            Looks::Termination => Entry::Termination,
            Looks::Failure => Entry::Failure,
            Looks::State(state) => {
                for panel in &state.panels {
                    found.push(Entry::Frame);
                    collect(&panel.picture, found);
                }
                let shape = SHAPES.iter().position(|(shape, _)| *shape == state.shape);
                Entry::Shape(shape.unwrap_or_default())
            }
        };
        found.push(entry);
    }
    for line in &picture.lines {
        found.push(if line.error { Entry::ErrorLine } else { Entry::Line });
        if line.joins.is_some() {
            found.push(Entry::Join);
        }
    }
}

impl Entry {
    fn text(self) -> &'static str {
        match self {
            Entry::Start => "start",
            Entry::Shape(at) => SHAPES[at].1,
            Entry::Frame => "branch or iteration",
            Entry::End => "end",
            Entry::Termination => "ends the whole execution",
            Entry::Failure => "failure",
            Entry::Line => "next",
            Entry::ErrorLine => "after an error",
            Entry::Join => "lines come together",
        }
    }
}

impl Layout {
    /// Draws the legend, below a line.
    pub fn draw(&self, out: &mut Writer) {
        let (right, y) = (self.width, self.top - ABOVE / 2.0);
        out.line(format_args!("<path d=\"M0 {y:.1}H{right:.1}\" stroke=\"#e5e7eb\"/>"));
        for (entry, x, y) in &self.entries {
            out.line(format_args!("<g transform=\"translate({x:.1} {y:.1})\">"));
            entry.draw(out);
            out.text("p", SAMPLE.width + GAP, SAMPLE.height / 2.0 + 3.6, entry.text());
            out.line(format_args!("</g>"));
        }
    }
}

impl Entry {
    fn draw(self, out: &mut Writer) {
        let Size { width, height } = SAMPLE;
        let centred = |size: f64| ((width - size) / 2.0, (height - size) / 2.0);
        let mark = |size: f64| (centred(size), Size { width: size, height: size });
        let middle = height / 2.0;
        match self {
            Entry::Shape(at) => {
                let shape = SHAPES[at].0;
                out.outline(shape, SAMPLE);
                if let Some(glyph) = glyph(shape) {
                    out.glyph(glyph, shape, centred(12.0));
                }
            }
            Entry::Frame => out.frame(SAMPLE),
            Entry::Start => out.mark(&Looks::Start, mark(14.0).0, mark(14.0).1),
            Entry::End => out.mark(&Looks::End, mark(18.0).0, mark(18.0).1),
            Entry::Termination => out.mark(&Looks::Termination, mark(18.0).0, mark(18.0).1),
            Entry::Failure => out.mark(&Looks::Failure, mark(18.0).0, mark(18.0).1),
            Entry::Line => out.path(&format!("M0 {middle}H{width}"), false, true),
            Entry::ErrorLine => out.path(&format!("M0 {middle}H{width}"), true, true),
            Entry::Join => {
                out.path(&format!("M0 {middle}H{width}"), false, false);
                out.path(&format!("M{} 0V{middle}", width / 2.0), false, false);
                out.join(width / 2.0, middle, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Line, Picture};
    use super::*;

    #[test]
    fn entries_are_beside_each_other_and_below_the_picture() {
        let line = |error: bool| Line {
            path: String::new(),
            joins: error.then_some((0.0, 0.0)),
            error,
            meaning: 0,
            label: Vec::new(),
            label_at: (0.0, 0.0),
            title: String::new(),
        };
        let mut size = Size { width: 100.0, height: 50.0 };
        let picture = Picture { size, figures: Vec::new(), lines: vec![line(false), line(true), line(false)] };
        let legend = legend(&picture, &mut size);
        let entries: Vec<Entry> = legend.entries.iter().map(|(entry, ..)| *entry).collect();
        assert_eq!(entries, [Entry::Line, Entry::ErrorLine, Entry::Join]);
        for (at, (entry, x, y)) in legend.entries.iter().enumerate() {
            let right = x + SAMPLE.width + GAP + width(entry.text(), SMALL);
            assert!(right <= size.width && *y > 50.0 && y + SAMPLE.height <= size.height);
            let next = legend.entries.get(at + 1);
            assert!(next.is_none_or(|(_, next, below)| below > y || *next > right), "{entry:?}");
        }
    }
}
