//! Lenient JSON, for dialects whose definitions are written by hand: unquoted expressions,
//! trailing or missing commas, curly quotes, lists in braces, and members without braces around
//! them. Each of them is a warning with a fix. All other errors are those of strict JSON.

use super::super::expressions::{OPEN, length_on_line};
use super::super::report::Report;
use super::super::{Node, Text, Tree};
use super::Reader;
use super::barewords::quote;
use super::tokens::{Bracket, TokenKind, Tokens};
use crate::diagnostics::{Code, Diagnostic, codes::syntax as codes};
use crate::escape::shown;

impl Tokens<'_> {
    /// Returns the code of a correctable error: a warning in lenient mode.
    pub(super) fn lenient_code(&self, strict: &'static Code) -> &'static Code {
        if self.lenient { &codes::WF0152 } else { strict }
    }

    /// Reads an unquoted `${ … }`, up to its closing brace. As a key it is an error.
    pub(super) fn expression(&mut self, report: &mut Report) -> TokenKind {
        let start = self.at;
        let rest = self.rest();
        let Some(length) = length_on_line(rest) else { return self.open_expression(report) };
        let expression = &rest[..length];
        let is_lone_key = self.is_lone_key(length);
        self.at += length;
        let (span, quoted) = (report.span(start, self.at), quote(expression));
        let code = if self.at_key { &codes::WF0106 } else { &codes::WF0152 };
        let diagnostic =
            Diagnostic::new(code, span, "the expression is not in quotes").help(format!("write `{}`", shown(&quoted)));
        report.push(if is_lone_key || self.text_follows() { diagnostic } else { diagnostic.fix(span, quoted) });
        TokenKind::String(Text::verbatim(expression, span, start))
    }

    /// Reads text that begins with `$` and is not a whole expression: an expression that does not
    /// end on its line, or a bareword. A comma at the end of the line is taken as the separator
    /// after the value.
    fn open_expression(&mut self, report: &mut Report) -> TokenKind {
        let (start, rest) = (self.at, self.rest());
        if !rest.starts_with(OPEN) {
            return self.word(report);
        }
        let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_end();
        let line = line.strip_suffix(',').map_or(line, str::trim_end);
        self.at += line.len();
        report.push(
            Diagnostic::new(
                &codes::WF0102,
                report.span(start, start + OPEN.len()),
                "unclosed expression: no `}` on this line",
            )
            .label("the expression starts here")
            .help("add the missing `}`, or put the expression in quotes"),
        );
        TokenKind::String(Text::verbatim(line, report.span(start, self.at), start))
    }
}

impl Reader<'_, '_> {
    /// Reads the outermost value. Members without braces around them are an object.
    pub(super) fn root(&mut self) -> Node {
        if !self.tokens.lenient {
            return self.value();
        }
        let first = self.next();
        let has_key = matches!(first.kind, TokenKind::String(_)) && matches!(self.peek().kind, TokenKind::Colon);
        let start = first.start;
        self.tokens.put_back(first);
        if !has_key {
            return self.value();
        }
        self.is_fragment = true;
        let errors = self.report.errors();
        let tree = self.object();
        let members = self.tokens.text[start..self.last_end.max(start)].trim_end();
        let span = self.report.span(start, start + members.len());
        let mut diagnostic = Diagnostic::new(&codes::WF0152, span.at_start(), "missing braces around these members")
            .help("write `{` before them, and `}` after them");
        // If brackets do not match, another brace may be missing.
        if self.report.errors() == errors {
            let line_end = if members.contains("\r\n") { "\r\n" } else { "\n" };
            diagnostic = diagnostic.fix(span, format!("{{{line_end}{members}{line_end}}}"));
        }
        self.error(diagnostic);
        self.report.spend(1, span);
        Node { span, tree }
    }

    /// Returns `true` if the brace just read opens a list, because no key follows. A list in
    /// braces contains no other list in braces, which bounds the total length of the fixes by the
    /// length of the text.
    pub(super) fn is_list(&mut self) -> bool {
        if !self.tokens.lenient || self.in_list {
            return false;
        }
        (self.tokens.at_key, self.tokens.in_braces) = (true, false);
        let first = self.next();
        let is_list = match first.kind {
            TokenKind::Open(Bracket::Square) => true,
            TokenKind::String(_) => matches!(self.peek().kind, TokenKind::Comma | TokenKind::Close(Bracket::Brace)),
            _ => false,
        };
        self.tokens.put_back(first);
        is_list
    }

    /// Reads values in braces as a list: `{ "a", "b" }`. `start` is the offset of the opening
    /// brace, and `errors` the number of errors before it.
    pub(super) fn list_in_braces(&mut self, start: usize, errors: usize) -> Tree {
        self.in_list = true;
        let tree = self.array();
        self.in_list = false;
        let end = self.last_end;
        // With an error inside it may not be a list.
        let inner = self.tokens.text[start..end].strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if let Some(inner) = inner.filter(|_| self.report.errors() == errors) {
            let span = self.report.span(start, end);
            let list = format!("[{inner}]");
            self.error(
                Diagnostic::new(&codes::WF0152, span, "the list is in braces instead of brackets")
                    .label("these are values without keys")
                    .help(format!("write `{}`", shown(&list)))
                    .fix(span, list),
            );
        }
        tree
    }
}

#[cfg(test)]
mod tests;
