//! Diagnostics as JSON, one object per line, for editors and scripts.
//!
//! Every object has these members, in this order. A member that does not apply is `null`, and
//! never absent:
//!
//! ```json
//! {
//!   "code": "WF0203", "severity": "error", "message": "state `Notfiy` does not exist",
//!   "file": "order.asl.json", "line": 14, "column": 13, "end_line": 14, "end_column": 21,
//!   "label": "not found in this scope",
//!   "related": [
//!     {"file": "order.asl.json", "line": 3, "column": 3, "end_line": 3, "end_column": 11, "label": "the scope starts here"}
//!   ],
//!   "help": "did you mean `Notify`?",
//!   "fix": {
//!     "file": "order.asl.json", "line": 14, "column": 13, "end_line": 14, "end_column": 21,
//!     "byte": 402, "end_byte": 410, "replacement": "\"Notify\""
//!   }
//! }
//! ```
//!
//! Lines and columns count from 1, and bytes from 0. Columns are characters. Ends are exclusive.
//! `severity` is `error`, `warning` or `note`. Later versions may add members, and keep these.

use std::fmt::Write;

use super::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Returns a diagnostic as one line of JSON, without the line end.
pub fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut out = format!("{{\"code\":\"{}\",\"severity\":\"{severity}\",\"message\":", diagnostic.code.id);
    string(&diagnostic.message, &mut out);
    out.push(',');
    place(diagnostic.span, sources, &mut out);
    out.push_str(",\"label\":");
    optional_string(diagnostic.label.as_deref(), &mut out);
    out.push_str(",\"related\":[");
    for (at, (span, label)) in diagnostic.related.iter().enumerate() {
        out.push_str(if at == 0 { "{" } else { ",{" });
        place(*span, sources, &mut out);
        out.push_str(",\"label\":");
        string(label, &mut out);
        out.push('}');
    }
    out.push_str("],\"help\":");
    optional_string(diagnostic.help.as_deref(), &mut out);
    out.push_str(",\"fix\":");
    match &diagnostic.fix {
        Some((span, replacement)) => {
            out.push('{');
            place(*span, sources, &mut out);
            number("byte", span.start, &mut out);
            number("end_byte", span.end, &mut out);
            out.push_str(",\"replacement\":");
            string(replacement, &mut out);
            out.push('}');
        }
        None => out.push_str("null"),
    }
    out.push('}');
    out
}

/// Appends `text` with the escapes of a JSON string.
pub fn escape_into(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Some readers of JSON lines take line and paragraph separators for line ends.
            '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

fn place(span: Span, sources: &Sources, out: &mut String) {
    let (start, end) = (sources.position_of(span.file, span.start), sources.position_of(span.file, span.end));
    out.push_str("\"file\":");
    string(&sources.get(span.file).name, out);
    number("line", start.line, out);
    number("column", start.column, out);
    number("end_line", end.line, out);
    number("end_column", end.column, out);
}

fn number(name: &str, number: u32, out: &mut String) {
    let _ = write!(out, ",\"{name}\":{number}");
}

fn optional_string(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => string(text, out),
        None => out.push_str("null"),
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    escape_into(text, out);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::syntax::{WF0112, WF0151};
    use crate::source::Source;

    #[test]
    fn the_shape_is_stable() {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("dir/a \"b\".json", "{\n  \"é\": 1,\n  \"é\": 2\n}\n"));
        let at = |start, end| Span::new(file, start, end);
        let full = Diagnostic::new(&WF0112, at(15, 19), "the key `é` is written\ttwice")
            .label("again")
            .related(at(4, 8), "first")
            .related(at(0, 1), "inside")
            .help("rename `\\` it")
            .fix(at(15, 24), "\"\u{2028}\u{1}\"");
        let expected = concat!(
            r#"{"code":"WF0112","severity":"error","message":"the key `é` is written\ttwice","#,
            r#""file":"dir/a \"b\".json","line":3,"column":3,"end_line":3,"end_column":6,"label":"again","related":["#,
            r#"{"file":"dir/a \"b\".json","line":2,"column":3,"end_line":2,"end_column":6,"label":"first"},"#,
            r#"{"file":"dir/a \"b\".json","line":1,"column":1,"end_line":1,"end_column":2,"label":"inside"}],"#,
            r#""help":"rename `\\` it","fix":{"file":"dir/a \"b\".json","line":3,"column":3,"end_line":4,"end_column":2,"#,
            r#""byte":15,"end_byte":24,"replacement":"\"\u2028\u0001\""}}"#,
        );
        assert_eq!(line(&full, &sources), expected);

        let bare = Diagnostic::new(&WF0151, at(0, 1), "rounded");
        let expected = concat!(
            r#"{"code":"WF0151","severity":"warning","message":"rounded","file":"dir/a \"b\".json","line":1,"column":1,"#,
            r#""end_line":1,"end_column":2,"label":null,"related":[],"help":null,"fix":null}"#,
        );
        assert_eq!(line(&bare, &sources), expected);
    }
}
