//! Mends what is almost JSON, as definitions in some languages are written by hand: expressions without quotes, commas before
//! closing brackets or none between values, curly quotes, lists in braces, and members without braces around them. Each of
//! them is a warning with the text that should stand there; all else is as wrong as it is in JSON.

use super::super::expressions::{OPEN, length_on_line};
use super::super::report::{Report, shown};
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

    /// `${ … }` without quotes around it, up to the brace that closes it. As a key it is an error.
    pub(super) fn expression(&mut self, report: &mut Report) -> Kind {
        let start = self.at;
        let rest = self.rest();
        let Some(length) = length_on_line(rest) else { return self.open_expression(report) };
        let expression = &rest[..length];
        let is_lone_key = self.is_lone_key(length);
        self.at += length;
        let (span, quoted) = (report.span(start, self.at), quote(expression));
        let code = if self.at_key { &codes::E0106 } else { &codes::W0102 };
        let found = Diagnostic::new(code, span, "an expression stands without quotes")
            .help(format!("write `{}`", shown(&quoted)));
        report.push(if is_lone_key || self.text_follows() { found } else { found.fix(span, quoted) });
        Kind::String(Text::verbatim(expression, span, start))
    }

    /// What begins with `$` and is no whole expression: one that does not end on its line, or a word. A comma at the end of the
    /// line is taken for the one after the value.
    fn open_expression(&mut self, report: &mut Report) -> Kind {
        let (start, rest) = (self.at, self.rest());
        if !rest.starts_with(OPEN) {
            return self.word(report);
        }
        let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_end();
        let line = line.strip_suffix(',').map_or(line, str::trim_end);
        self.at += line.len();
        report.push(
            Diagnostic::new(&codes::E0102, report.span(start, start + OPEN.len()), "`${` is not closed on its line")
                .label("the expression starts here")
                .help("write the `}` that is missing, or put the expression in quotes"),
        );
        Kind::String(Text::verbatim(line, report.span(start, self.at), start))
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
        self.is_fragment = true;
        let errors = self.report.errors();
        let tree = self.object();
        let members = self.tokens.text[start..self.last_end.max(start)].trim_end();
        let span = self.report.span(start, start + members.len());
        let mut found = Diagnostic::new(&codes::W0102, span.at_start(), "no braces stand around these members")
            .help("write `{` before them, and `}` after them");
        // Where brackets do not match, it may be a brace among them that is missing.
        if self.report.errors() == errors {
            let line_end = if members.contains("\r\n") { "\r\n" } else { "\n" };
            found = found.fix(span, format!("{{{line_end}{members}{line_end}}}"));
        }
        self.error(found);
        self.report.spend(1, span);
        Node { span, tree }
    }

    /// Whether the brace that was taken opens a list: what follows is no key. No list in braces holds another one, so that
    /// what is to be written for all of them is no longer than the text.
    pub(super) fn is_list(&mut self) -> bool {
        if !self.tokens.lenient || self.in_list {
            return false;
        }
        (self.tokens.at_key, self.tokens.in_braces) = (true, false);
        let first = self.next();
        let is_list = match first.kind {
            Kind::Open(Bracket::Square) => true,
            Kind::String(_) => matches!(self.peek().kind, Kind::Comma | Kind::Close(Bracket::Brace)),
            _ => false,
        };
        self.tokens.put_back(first);
        is_list
    }

    /// `{ "a", "b" }`: values in braces are a list. The opening brace stands at `start`, and there were `errors` before it.
    pub(super) fn list_in_braces(&mut self, start: usize, errors: usize) -> Tree {
        self.in_list = true;
        let tree = self.array();
        self.in_list = false;
        let end = self.last_end;
        // Where something is wrong inside, it may be no list.
        let inner = self.tokens.text[start..end].strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if let Some(inner) = inner.filter(|_| self.report.errors() == errors) {
            let span = self.report.span(start, end);
            let list = format!("[{inner}]");
            self.error(
                Diagnostic::new(&codes::W0102, span, "a list stands in braces")
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
