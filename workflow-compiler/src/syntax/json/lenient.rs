//! Mends what is almost JSON, as definitions in some languages are written by hand: expressions without quotes, commas before
//! closing brackets or none between values, curly quotes, lists in braces, and members without braces around them. Each of
//! them is a warning with the text that should stand there; all else is as wrong as it is in JSON.

use super::super::report::shown;
use super::super::{Node, Text, Tree};
use super::Reader;
use super::tokens::{Bracket, Kind, Tokens};
use super::words::quote;
use crate::diagnostics::{Code, Diagnostic, codes::syntax as codes};

impl Tokens<'_> {
    /// The code of a mistake that is mended: of a warning, if this is done.
    pub(super) fn mended_as(&self, strict: &'static Code) -> &'static Code {
        if self.lenient { &codes::W0102 } else { strict }
    }

    /// `${ … }` without quotes around it, up to the brace that closes it.
    pub(super) fn expression(&mut self, report: &mut super::Report) -> Kind {
        let start = self.at;
        let Some(length) = expression_length(self.rest()) else { return self.word(report) };
        let expression = &self.rest()[..length];
        self.at += length;
        let (span, quoted) = (report.span(start, self.at), quote(expression));
        report.push(
            Diagnostic::new(&codes::W0102, span, "an expression stands without quotes")
                .help(format!("write `{}`", shown(&quoted)))
                .fix(span, quoted),
        );
        Kind::String(Text::verbatim(expression, span, start))
    }
}

impl Reader<'_, '_> {
    /// The outermost value: members without braces around them are an object.
    pub(super) fn root(&mut self) -> Node {
        if !self.tokens.lenient {
            return self.value();
        }
        let first = self.next();
        let has_key = matches!(first.kind, Kind::String(_)) && matches!(self.peek().kind, Kind::Colon);
        let start = first.start;
        self.tokens.put_back(first);
        if !has_key {
            return self.value();
        }
        let tree = self.object();
        let span = self.report.span(start, self.last_end.max(start));
        let members = &self.tokens.text[start..span.end as usize];
        let fix = format!("{{\n{}\n}}", members.trim_end());
        self.error(
            Diagnostic::new(&codes::W0102, span.at_start(), "no braces stand around these members")
                .help("write `{` before them, and `}` after them")
                .fix(span, fix),
        );
        Node { span, tree }
    }

    /// Whether the brace that was taken opens a list: what follows is no key.
    pub(super) fn is_list(&mut self) -> bool {
        if !self.tokens.lenient {
            return false;
        }
        self.tokens.at_key = true;
        let first = self.next();
        let is_list = match first.kind {
            Kind::Open(Bracket::Square) => true,
            Kind::String(_) => matches!(self.peek().kind, Kind::Comma | Kind::Close(Bracket::Brace)),
            _ => false,
        };
        self.tokens.put_back(first);
        is_list
    }

    /// `{ "a", "b" }`: values in braces are a list. The opening brace stands at `start`.
    pub(super) fn list_in_braces(&mut self, start: usize) -> Tree {
        let tree = self.array();
        let end = self.last_end.max(start + 1);
        let span = self.report.span(start, end);
        let inner = self.tokens.text[start + 1..end].strip_suffix('}').unwrap_or_default();
        let list = format!("[{inner}]");
        self.error(
            Diagnostic::new(&codes::W0102, span, "a list stands in braces")
                .label("these are values without keys")
                .help(format!("write `{}`", shown(&list)))
                .fix(span, list),
        );
        tree
    }
}

/// The length of the `${ … }` that a text begins with: braces in it match, those in strings do not count.
fn expression_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("${")?;
    let (mut depth, mut in_string, mut escaped) = (1_usize, false, false);
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some("${".len() + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
