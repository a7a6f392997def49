//! Text form of a diagnostic, in the style of rustc: code and message, the position, the line of
//! the definition with carets under the span, further spans, and the help.
//!
//! The text of a definition is untrusted. Control characters, marks that change the writing
//! direction, and invisible characters are replaced before they reach a terminal.

use super::{Diagnostic, Severity};
use crate::escape::{visible, visible_char};
use crate::source::{FileId, Sources, Span};
use unicode_width::UnicodeWidthChar;

/// Maximum number of characters that are shown of one line of a definition.
const LINE_SHOWN: usize = 120;
/// Number of characters that are kept before the caret if a line is cut.
const BEFORE_CARET: usize = 40;
const TAB: &str = "    ";
const CUT: &str = "...";

/// Returns the diagnostic in full. The last line has no line end:
///
/// ```text
/// error[WF0203]: state `Notfiy` does not exist
///   --> order.asl.json:14:13
///    |
/// 14 |     "Next": "Notfiy"
///    |             ^^^^^^^^ not found in this scope
///    = help: did you mean `Notify`?
/// ```
///
/// See the example of [`Output`](crate::Output).
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let paint = Paint { colour, severity: diagnostic.severity() };
    let code = format!("{severity}[{}]", diagnostic.code.id);
    let head = format!("{}{}", paint.severity(&code), paint.bold(&format!(": {}", visible(&diagnostic.message))));
    let mut marks = marks_of(diagnostic.span, diagnostic.label.as_deref().unwrap_or_default(), true, sources);
    for (span, label) in &diagnostic.related {
        marks.extend(marks_of(*span, label, false, sources));
    }
    // The file of the diagnostic comes first, and the others follow in their order.
    let file = diagnostic.span.file;
    marks.sort_by_key(|mark| (mark.file != file, mark.file, mark.line));
    let last_line = marks.iter().map(|mark| mark.line).max().unwrap_or(1);
    let gutter = last_line.to_string().len();

    let mut out = vec![head];
    for of_file in marks.chunk_by(|left, right| left.file == right.file) {
        show_file(of_file, diagnostic.span, sources, gutter, &paint, &mut out);
    }
    if let Some(help) = &diagnostic.help {
        let label = paint.bold("help");
        out.push(format!("{:gutter$} {} {label}: {}", "", paint.gutter("="), visible(help)));
    }
    let lines: Vec<&str> = out.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// Returns the diagnostic without its span, for `compile_error!` at an argument of the macro.
/// rustc adds the position and the word `error`.
pub fn render_argument(diagnostic: &Diagnostic) -> String {
    let head = format!("{}: {}", diagnostic.code.id, visible(&diagnostic.message));
    diagnostic.help.iter().fold(head, |head, help| format!("{head}\n= help: {}", visible(help)))
}

/// Underline on one line.
struct Mark<'d> {
    file: FileId,
    line: u32,
    /// First byte of the underline, from the start of the line.
    start: usize,
    end: usize,
    label: &'d str,
    primary: bool,
    /// Byte of the file at which the underline starts.
    byte: u32,
}

/// Returns the underlines of a span. A span of several lines has one on its first line and one on
/// its last line.
fn marks_of<'d>(span: Span, label: &'d str, primary: bool, sources: &Sources) -> Vec<Mark<'d>> {
    let file = span.file;
    let mark = |line: u32, from: u32, to: u32, label| {
        let (text, start) = (sources.line(file, line), sources.line_start(file, line));
        let first = floor_char_boundary(text, from.saturating_sub(start) as usize);
        let end = floor_char_boundary(text, to.saturating_sub(start) as usize);
        Mark { file, line, start: first, end: end.max(first), label, primary, byte: from }
    };
    let first = sources.position_of(file, span.start).line;
    // A span that ends with a line break ends on the line before the break.
    let last = sources.position_of(file, span.end.saturating_sub(1).max(span.start)).line;
    if first >= last {
        return vec![mark(first, span.start, span.end, label)];
    }
    let text = sources.line(file, last);
    let indent = (text.len() - text.trim_start().len()) as u32;
    let from = sources.line_start(file, last) + indent;
    vec![mark(first, span.start, span.end, label), mark(last, from, span.end.max(from), "")]
}

/// Returns the last character boundary at or before the byte `at`.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn show_file(marks: &[Mark], finding: Span, sources: &Sources, gutter: usize, paint: &Paint, out: &mut Vec<String>) {
    let Some(first) = marks.first() else { return };
    let file = first.file;
    let (arrow, byte) = if file == finding.file { ("-->", finding.start) } else { (":::", first.byte) };
    let position = sources.position_of(file, byte);
    let name = visible(&sources.get(file).name);
    out.push(format!("{:gutter$}{} {name}:{}:{}", "", paint.gutter(arrow), position.line, position.column));
    out.push(bar(gutter, paint, ""));
    let mut shown = None;
    for on_line in marks.chunk_by(|left, right| left.line == right.line) {
        let line = on_line[0].line;
        match shown.map(|before: u32| line - before) {
            Some(2) => out.push(numbered(line - 1, &Shown::new(sources.line(file, line - 1), 0, 0), gutter, paint)),
            Some(3..) => out.push(paint.gutter(CUT)),
            _ => {}
        }
        shown = Some(line);
        show_line(on_line, sources.line(file, line), gutter, paint, out);
    }
}

fn show_line(marks: &[Mark], text: &str, gutter: usize, paint: &Paint, out: &mut Vec<String>) {
    let anchor = marks.iter().find(|mark| mark.primary).unwrap_or(&marks[0]);
    let end = marks.iter().map(|mark| mark.end).max().unwrap_or(anchor.end);
    let shown = Shown::new(text, anchor.start, end);
    out.push(numbered(marks[0].line, &shown, gutter, paint));
    let mut marks: Vec<&Mark> = marks.iter().collect();
    marks.sort_by_key(|mark| (std::cmp::Reverse(mark.start), !mark.primary));
    for mark in marks {
        let (from, to) = (shown.column_of(mark.start), shown.column_of(mark.end));
        let underline = if mark.primary { "^" } else { "-" }.repeat((to - from).max(1));
        let words = if mark.label.is_empty() { underline } else { format!("{underline} {}", visible(mark.label)) };
        let painted = if mark.primary { paint.severity(&words) } else { paint.gutter(&words) };
        out.push(bar(gutter, paint, &format!("{:from$}{painted}", "")));
    }
}

fn numbered(line: u32, shown: &Shown, gutter: usize, paint: &Paint) -> String {
    format!("{} {}", paint.gutter(&format!("{line:>gutter$} |")), shown.text)
}

fn bar(gutter: usize, paint: &Paint, after: &str) -> String {
    format!("{:gutter$} {} {after}", "", paint.gutter("|"))
}

/// Shown part of a line.
struct Shown {
    text: String,
    /// Byte of the line and column of the output, for each shown character and for the end.
    columns: Vec<(usize, usize)>,
}

impl Shown {
    /// Shows a line, or the part around the bytes `start..end` if the line is too long.
    fn new(line: &str, start: usize, end: usize) -> Self {
        let whole = line.char_indices().nth(LINE_SHOWN).map_or(line.len(), |(at, _)| at);
        let from = if end <= whole {
            0
        } else {
            line[..start].char_indices().rev().take(BEFORE_CARET).last().map_or(start, |(at, _)| at)
        };
        let window = &line[from..];
        let window = &window[..window.char_indices().nth(LINE_SHOWN).map_or(window.len(), |(at, _)| at)];
        let mut text = String::from(if from > 0 { CUT } else { "" });
        let mut column = text.len();
        let mut places = Vec::new();
        for (at, c) in window.char_indices() {
            places.push((from + at, column));
            match c {
                '\t' => {
                    text.push_str(TAB);
                    column += TAB.len();
                }
                _ => {
                    let c = visible_char(c);
                    text.push(c);
                    column += c.width().unwrap_or_default();
                }
            }
        }
        places.push((from + window.len(), column));
        if from + window.len() < line.len() {
            text.push_str(CUT);
        }
        Shown { text, columns: places }
    }

    /// Returns the column at which a byte of the line is shown, or the nearest column if the byte
    /// is not shown.
    fn column_of(&self, byte: usize) -> usize {
        let passed = self.columns.partition_point(|(at, _)| *at <= byte).max(1);
        self.columns[passed - 1].1
    }
}

struct Paint {
    colour: bool,
    severity: Severity,
}

impl Paint {
    fn severity(&self, text: &str) -> String {
        let colour = match self.severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Note => "1;36",
        };
        self.paint(colour, text)
    }

    fn gutter(&self, text: &str) -> String {
        self.paint("1;34", text)
    }

    fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests;
