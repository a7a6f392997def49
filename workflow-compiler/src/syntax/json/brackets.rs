//! Detection of missing, extra and mistyped brackets.

use super::super::{Node, Tree};
use super::tokens::{Bracket, Token, TokenKind};
use super::{Opener, Reader};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};

impl Reader<'_, '_> {
    /// Handles a closing bracket or the end of the file while a bracket is open. Returns `false`
    /// if the token closes nothing and was skipped.
    pub(super) fn close(&mut self, token: Token) -> bool {
        let opener = self.open.last().copied();
        let (bracket, opener) = match (&token.kind, opener) {
            (TokenKind::Close(bracket), Some(opener)) => (*bracket, opener),
            // In an object without braces.
            (TokenKind::Close(bracket), None) => {
                let span = self.report.span(token.start, token.end);
                let message = format!("unmatched `{}`", bracket.closer());
                self.error(
                    Diagnostic::new(&codes::WF0102, span, message).help("remove it, or add the bracket that it closes"),
                );
                return false;
            }
            (_, None) => return true,
            (_, Some(_)) => {
                self.unclosed_at_end(token.start);
                return true;
            }
        };
        if bracket == opener.bracket {
            let first_on_line = token.line.first == token.start;
            let indented_unlike = first_on_line && token.line.indent() != opener.line.indent();
            if indented_unlike && self.suspect.is_none() {
                self.suspect = Some((opener, token.start));
            }
            return true;
        }
        let (open, wrong) = (opener.bracket, bracket.closer());
        let span = self.report.span(token.start, token.end);
        if !self.is_inside(bracket) {
            let message = format!("unmatched `{wrong}`");
            let help = format!("remove it, or write `{}`", open.closer());
            self.error(Diagnostic::new(&codes::WF0102, span, message).help(help).fix(span, ""));
            return false;
        }
        let opened = self.report.span(opener.at, opener.at + 1);
        if self.is_mistyped(&token, opener) {
            let message = format!("`{}` is closed by `{wrong}`", open.opener());
            self.error(
                Diagnostic::new(&codes::WF0102, span, message)
                    .related(opened, "opened here")
                    .help(format!("write `{}`", open.closer()))
                    .fix(span, open.closer()),
            );
            return true;
        }
        let message = format!("`{}` is never closed", open.opener());
        self.error(
            Diagnostic::new(&codes::WF0102, opened, message)
                .label("opened here")
                .related(span, "this bracket closes an enclosing one")
                .help(format!("write `{}` before it", open.closer()))
                .fix(span.at_start(), open.closer()),
        );
        // The innermost bracket ends before this closing bracket, which belongs to an outer one.
        self.last_end = token.start;
        self.tokens.put_back(token);
        true
    }

    /// Returns `true` if a wrong closing bracket was meant for `opener`, and not for an outer
    /// bracket: their lines have the same indentation, or they share a line and more follows.
    fn is_mistyped(&self, token: &Token, opener: Opener) -> bool {
        if token.line.first == token.start {
            return token.line.indent() == opener.line.indent();
        }
        let after = self.tokens.text[token.end..].trim_start_matches([' ', '\t', '\r', '\n']);
        token.line == opener.line && after.starts_with([',', '}', ']'])
    }

    /// Returns `true` if the next token, a key that no comma precedes, belongs to an enclosing
    /// object: it starts a line that is not indented more than the line of the innermost `{`, in
    /// contrast to the member before it.
    pub(super) fn is_of_outer_object(&mut self) -> bool {
        let [.., outer, inner] = self.open[..] else { return false };
        if outer.bracket != Bracket::Brace || inner.bracket != Bracket::Brace {
            return false;
        }
        let before = self.last_end;
        let key = self.peek();
        if key.line.first != key.start || key.line.indent() > inner.line.indent() {
            return false;
        }
        let before = &self.tokens.text[..before];
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        line.len() - line.trim_start_matches([' ', '\t']).len() > inner.line.indent()
    }

    /// Reports that the innermost object is not closed before the next token, a key of an outer
    /// object. Reports it once if several objects are not closed there.
    pub(super) fn close_before_member(&mut self) {
        let (start, end) = (self.peek().start, self.peek().end);
        let is_reported = self.closed_before.replace(start) == Some(start);
        let Some(opener) = self.open.last().filter(|_| !is_reported) else { return };
        let opened = self.report.span(opener.at, opener.at + 1);
        let member = self.report.span(start, end);
        self.error(
            Diagnostic::new(&codes::WF0102, opened, "`{` is never closed")
                .label("opened here")
                .related(member, "this member is indented like one of an enclosing object")
                .help("write `},` before this member, or indent it as a member of this object"),
        );
    }

    /// Reports one error for all brackets that are open at the end of the file.
    fn unclosed_at_end(&mut self, end: usize) {
        let missing: String = self.open.iter().rev().map(|opener| opener.bracket.closer()).collect();
        let end = self.tokens.text[..end].trim_end().len();
        let at_end = self.report.span(end, end);
        let Some(&innermost) = self.open.last() else { return };
        let guilty = self.suspect.map_or(innermost, |(opener, _)| opener);
        let span = self.report.span(guilty.at, guilty.at + 1);
        let message = format!("the file ends before `{missing}`");
        let mut diagnostic = Diagnostic::new(&codes::WF0102, at_end, message).label("the file ends here");
        diagnostic = match self.suspect {
            Some((_, closer)) => {
                let closer = self.report.span(closer, closer + 1);
                diagnostic
                    .related(span, "this bracket may be unclosed")
                    .related(closer, "its closing bracket is indented differently")
                    .help("close the bracket where it should end")
            }
            None => diagnostic
                .related(span, "this bracket is never closed")
                .help(format!("write `{missing}` at the end"))
                .fix(at_end, missing),
        };
        self.report.fail(diagnostic);
    }

    /// Reports the text after the outermost value.
    pub(super) fn end(&mut self, root: &Node) {
        let token = self.tokens.next_trailing(&mut self.report);
        if matches!(token.kind, TokenKind::End) {
            return;
        }
        let span = self.report.span(token.start, token.end);
        let (start, end) = (root.span.start as usize, root.span.end as usize);
        let last = match root.tree {
            Tree::Array(_) | Tree::Object(_) => self.report.span(end.saturating_sub(1).max(start), end),
            _ => root.span,
        };
        let mut diagnostic = match token.kind {
            TokenKind::Close(bracket) => {
                let message = format!("unmatched `{}`", bracket.closer());
                Diagnostic::new(&codes::WF0102, span, message).help("remove it").fix(span, "")
            }
            _ => Diagnostic::new(&codes::WF0101, span, "unexpected text after the end of the definition")
                .help("remove the text, or the bracket that ends the definition too early"),
        };
        diagnostic = diagnostic.related(last, "the definition ends here");
        if let Some((opener, _)) = self.suspect.filter(|(_, closer)| *closer != last.start as usize) {
            let span = self.report.span(opener.at, opener.at + 1);
            diagnostic = diagnostic.related(span, "this bracket and its closing bracket are indented differently");
        }
        self.report.fail(diagnostic);
    }

    /// Returns `true` if a bracket around the innermost one is of this kind.
    pub(super) fn is_inside(&self, bracket: Bracket) -> bool {
        self.open.iter().rev().skip(1).any(|opener| opener.bracket == bracket)
    }
}
