//! JSON reader (RFC 8259) with error recovery: after an error it continues as if the intended text
//! had been written.
//!
//! The modules `tokens`, `barewords` and `strings` detect errors inside a token. This module and
//! `brackets` detect errors between tokens.

mod barewords;
mod brackets;
pub(in crate::syntax) mod lenient;
mod strings;
#[cfg(test)]
mod tests;
mod tokens;

use self::tokens::{Bracket, Line, Token, TokenKind, Tokens};
use super::limits::max_bytes;
use super::members::MemberList;
use super::report::Report;
use super::{Node, Text, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, codes::syntax as codes};
use crate::escape::shown;
use crate::source::FileId;

/// Parses the JSON `text` of `file`. Reports errors, and returns the part that could be parsed.
pub fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Node {
    read_as(file, text, false, diagnostics)
}

/// Parses lenient JSON. Errors with a single correction (see the module `lenient`) are corrected,
/// each with a warning.
pub fn read_leniently(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Node {
    read_as(file, text, true, diagnostics)
}

fn read_as(file: FileId, text: &str, lenient: bool, diagnostics: &mut Diagnostics) -> Node {
    let mut report = Report::new(file, diagnostics);
    if !report.check_size(text, max_bytes(file)) {
        return report.null(0);
    }
    let tokens = Tokens::new(text, lenient);
    let mut reader = Reader {
        tokens,
        report,
        open: Vec::new(),
        suspect: None,
        closed_before: None,
        last_end: 0,
        last_wrong: false,
        is_fragment: false,
        in_list: false,
    };
    if let TokenKind::End = reader.peek().kind {
        let span = reader.report.span(0, 0);
        reader.report.push(Diagnostic::new(&codes::WF0114, span, "the file is empty").help("write a definition"));
        return reader.report.null(0);
    }
    let root = reader.root();
    reader.end(&root);
    root
}

struct Reader<'t, 'd> {
    tokens: Tokens<'t>,
    report: Report<'d>,
    /// The brackets that are open at the cursor, outermost first. Their number is limited, because
    /// the reader is recursive.
    open: Vec<Opener>,
    /// The first pair of brackets whose lines have different indentation. A bracket is probably
    /// missing or extra there.
    suspect: Option<(Opener, usize)>,
    /// The start of the last key that belongs to an enclosing object of one that is not closed.
    closed_before: Option<usize>,
    /// The end of the last token.
    last_end: usize,
    /// `true` if the last token was an error.
    last_wrong: bool,
    /// `true` if the outermost object has no braces. It is a level of nesting all the same.
    is_fragment: bool,
    /// `true` while a list in braces is open.
    in_list: bool,
}

#[derive(Clone, Copy)]
struct Opener {
    bracket: Bracket,
    at: usize,
    line: Line,
}

/// The separator before an array item: a comma, or the place where one is missing, and the
/// certainty of that.
#[derive(Clone, Copy)]
struct Separator {
    at: usize,
    written: bool,
    is_certain: bool,
}

impl Reader<'_, '_> {
    fn next(&mut self) -> Token {
        let token = self.tokens.next(&mut self.report);
        (self.last_end, self.last_wrong) = (token.end, token.wrong);
        token
    }

    fn peek(&mut self) -> &Token {
        self.tokens.peek(&mut self.report)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.report.push(diagnostic);
    }

    fn value(&mut self) -> Node {
        loop {
            let token = self.next();
            let span = self.report.span(token.start, token.end);
            let tree = match token.kind {
                TokenKind::String(text) => Tree::String(text),
                TokenKind::Scalar(tree) => tree,
                TokenKind::Open(bracket) => {
                    self.open.push(Opener { bracket, at: token.start, line: token.line });
                    if !self.report.check_depth(self.open.len() + usize::from(self.is_fragment), span) {
                        return self.report.null(token.start);
                    }
                    let errors = self.report.errors();
                    let tree = match bracket {
                        Bracket::Brace if self.is_list() => self.list_in_braces(token.start, errors),
                        Bracket::Brace => self.object(),
                        Bracket::Square => self.array(),
                    };
                    self.open.pop();
                    tree
                }
                TokenKind::Colon => {
                    let doubled = Diagnostic::new(&codes::WF0101, span, "expected a value, found `:`");
                    self.error(doubled.help("remove this colon").fix(span, ""));
                    continue;
                }
                TokenKind::Comma | TokenKind::Close(_) | TokenKind::End => {
                    let missing = Diagnostic::new(&codes::WF0101, span, "expected a value");
                    self.error(missing.help("write the value, or `null`"));
                    let null = self.report.null(token.start);
                    self.tokens.put_back(token);
                    return null;
                }
            };
            let span = self.report.span(token.start, self.last_end.max(token.end));
            self.report.spend(1, span);
            return Node { span, tree };
        }
    }

    fn object(&mut self) -> Tree {
        let mut members = MemberList::default();
        loop {
            (self.tokens.at_key, self.tokens.in_braces) = (true, false);
            let token = self.next();
            let span = self.report.span(token.start, token.end);
            let is_word = matches!(token.kind, TokenKind::Scalar(_));
            let key = match token.kind {
                TokenKind::String(text) => text,
                TokenKind::Close(_) | TokenKind::End => match self.close(token) {
                    true => break,
                    false => continue,
                },
                TokenKind::Comma => {
                    self.extra_comma(&token);
                    continue;
                }
                TokenKind::Scalar(_) => {
                    let word = &self.tokens.text[token.start..token.end];
                    let quoted = format!("\"{word}\"");
                    let message = format!("the key `{}` is not in double quotes", shown(word));
                    let help = format!("write `{}`", shown(&quoted));
                    let key = Text::verbatim(word, span, token.start);
                    let diagnostic = Diagnostic::new(&codes::WF0106, span, message).help(help);
                    // Without a colon it may be a value of a list.
                    let is_key = matches!(self.peek().kind, TokenKind::Colon);
                    self.error(if is_key { diagnostic.fix(span, quoted) } else { diagnostic });
                    key
                }
                TokenKind::Colon => {
                    let message = "missing key before this colon";
                    self.error(Diagnostic::new(&codes::WF0101, span, message).help("write the key of this value"));
                    self.tokens.at_key = false;
                    self.value();
                    if self.after_member() {
                        break;
                    }
                    continue;
                }
                TokenKind::Open(_) => {
                    let message = "expected a key";
                    let label = "this value has no key";
                    let help = "write a key and a colon before the value";
                    self.error(Diagnostic::new(&codes::WF0101, span, message).label(label).help(help));
                    self.tokens.put_back(token);
                    self.value();
                    if self.after_member() {
                        break;
                    }
                    continue;
                }
            };
            let value = self.member_value(&key, is_word);
            members.add(key, value, &mut self.report);
            if self.after_member() {
                break;
            }
        }
        Tree::Object(members.into_entries())
    }

    /// Reads the colon and the value after a key. The key may be a number or a JSON keyword.
    fn member_value(&mut self, key: &Text, is_word: bool) -> Node {
        let (at, is_wrong) = (self.last_end, self.last_wrong);
        let gap = self.report.span(at, at);
        match self.peek().kind {
            TokenKind::Colon => {
                self.next();
                self.tokens.at_key = false;
                self.value()
            }
            TokenKind::String(_) | TokenKind::Scalar(_) | TokenKind::Open(_) => {
                let message = format!("the key `{}` is not followed by a colon", shown(&key.value));
                // Of two numbers or strings in braces, the second may also be another value of a
                // list.
                let is_list = is_word || self.tokens.lenient && matches!(self.peek().kind, TokenKind::String(_));
                let diagnostic = Diagnostic::new(&codes::WF0105, gap, message).help("write `:` here");
                // An invalid token may contain the colon.
                let is_wrong = is_wrong || self.peek().wrong;
                self.error(if is_list || is_wrong { diagnostic } else { diagnostic.fix(gap, ":") });
                self.value()
            }
            TokenKind::Comma | TokenKind::Close(_) | TokenKind::End => {
                let message = format!("the key `{}` has no value", shown(&key.value));
                let help = "write `:` and a value after it";
                self.error(Diagnostic::new(&codes::WF0105, key.span, message).help(help));
                self.report.null(at)
            }
        }
    }

    /// Reads the comma after a member, or reports that it is missing. Returns `true` if the next
    /// member belongs to an enclosing object.
    fn after_member(&mut self) -> bool {
        (self.tokens.at_key, self.tokens.in_braces) = (true, false);
        loop {
            let last_end = self.last_end;
            match self.peek().kind {
                TokenKind::Comma => {
                    self.comma();
                    return false;
                }
                TokenKind::Close(_) | TokenKind::End => return false,
                TokenKind::String(_) => {
                    if self.is_of_outer_object() {
                        self.close_before_member();
                        return true;
                    }
                    // The missing comma belongs to the missing bracket.
                    let start = self.peek().start;
                    if self.closed_before != Some(start) {
                        let is_certain = self.is_comma_certain();
                        self.missing_comma(last_end, is_certain);
                    }
                    return false;
                }
                TokenKind::Scalar(_) | TokenKind::Open(_) | TokenKind::Colon => {
                    let token = self.peek();
                    let (start, end) = (token.start, token.end);
                    let span = self.report.span(start, end);
                    let message = "expected `,` or `}`";
                    self.error(Diagnostic::new(&codes::WF0101, span, message).help("remove the text after the value"));
                    if let TokenKind::Colon = self.peek().kind {
                        self.next();
                    }
                    if let TokenKind::String(_) | TokenKind::Scalar(_) | TokenKind::Open(_) = self.peek().kind {
                        self.value();
                    }
                }
            }
        }
    }

    fn array(&mut self) -> Tree {
        let mut items: Vec<Node> = Vec::new();
        // The separator before the last item, which is returned with the item if the item is a
        // key.
        let mut separator = None;
        let mut holds_pairs = false;
        let is_list_in_braces = self.open.last().is_some_and(|opener| opener.bracket == Bracket::Brace);
        let in_object = !is_list_in_braces && (self.is_fragment || self.is_inside(Bracket::Brace));
        loop {
            (self.tokens.at_key, self.tokens.in_braces) = (false, is_list_in_braces);
            match self.peek().kind {
                TokenKind::Close(_) | TokenKind::End => {
                    let token = self.next();
                    match self.close(token) {
                        true => break,
                        false => continue,
                    }
                }
                TokenKind::Comma => {
                    let token = self.next();
                    self.extra_comma(&token);
                    continue;
                }
                TokenKind::Colon if holds_pairs => drop(self.next()),
                _ => items.push(self.value()),
            }
            (self.tokens.at_key, self.tokens.in_braces) = (false, is_list_in_braces);
            let end = self.last_end;
            let colon_follows = matches!(self.peek().kind, TokenKind::Colon);
            if colon_follows && !holds_pairs && in_object && items.len() > 1 {
                if let Some(key) = items.pop() {
                    self.give_back_key(key, separator);
                }
                break;
            }
            if let Some(Separator { at, written: false, is_certain }) = separator.filter(|_| !holds_pairs) {
                self.missing_comma(at, is_certain);
            }
            separator = match self.peek().kind {
                TokenKind::Comma => {
                    let at = self.peek().start;
                    self.comma();
                    Some(Separator { at, written: true, is_certain: true })
                }
                TokenKind::Colon => {
                    if !holds_pairs {
                        holds_pairs = true;
                        self.pairs_in_array();
                    }
                    None
                }
                TokenKind::Close(_) | TokenKind::End => None,
                TokenKind::String(_) | TokenKind::Scalar(_) | TokenKind::Open(_) => {
                    Some(Separator { at: end, written: false, is_certain: self.is_comma_certain() })
                }
            };
        }
        Tree::Array(items)
    }

    /// Handles `[1, 2, "key": …` inside an object: the array was not closed before its last item.
    fn give_back_key(&mut self, key: Node, separator: Option<Separator>) {
        let opener = self.open[self.open.len() - 1];
        let (end, written) =
            separator.map_or((key.span.start as usize, false), |separator| (separator.at, separator.written));
        let gap = self.report.span(end, end);
        let span = self.report.span(opener.at, opener.at + 1);
        self.error(
            Diagnostic::new(&codes::WF0102, span, "`[` is never closed")
                .label("opened here")
                .related(key.span, "a key of the enclosing object follows here")
                .help("write `]` before this key")
                .fix(gap, if written { "]" } else { "]," }),
        );
        let line = Line::default();
        let (start, stop) = (key.span.start as usize, key.span.end as usize);
        match key.tree {
            Tree::String(text) => {
                self.tokens.put_back(Token { kind: TokenKind::String(text), start, end: stop, line, wrong: false })
            }
            tree @ (Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_)) => {
                self.tokens.put_back(Token { kind: TokenKind::Scalar(tree), start, end: stop, line, wrong: false });
            }
            // Not a key. The object reports what follows it.
            Tree::Array(_) | Tree::Object(_) => {}
        }
        let stop = end + usize::from(written);
        self.tokens.put_back(Token { kind: TokenKind::Comma, start: end, end: stop, line, wrong: false });
        self.last_end = end;
    }

    fn pairs_in_array(&mut self) {
        let opener = self.open[self.open.len() - 1];
        let (start, end) = (self.peek().start, self.peek().end);
        let colon = self.report.span(start, end);
        let span = self.report.span(opener.at, opener.at + 1);
        let diagnostic = Diagnostic::new(&codes::WF0101, colon, "unexpected colon inside an array");
        self.error(match opener.bracket {
            Bracket::Square => diagnostic
                .label("an array contains values without keys")
                .related(span, "the array starts here")
                .help("write `{` and `}` around an object"),
            Bracket::Brace => diagnostic
                .label("this colon follows a key")
                .related(span, "these braces start with a value without a key")
                .help("write a key and a colon before each value, or write the list in `[` and `]`"),
        });
    }

    /// Reads a comma. A comma before a closing bracket is an error.
    fn comma(&mut self) {
        let comma = self.next();
        let is_outermost = self.open.is_empty();
        let before = match self.peek().kind {
            TokenKind::Close(bracket) => format!("`{}`", bracket.closer()),
            TokenKind::End if is_outermost => "the end".to_owned(),
            _ => return,
        };
        let span = self.report.span(comma.start, comma.end);
        let message = format!("trailing comma before {before}");
        let help = "remove this comma";
        let code = self.tokens.lenient_code(&codes::WF0104);
        self.error(Diagnostic::new(code, span, message).help(help).fix(span, ""));
    }

    fn extra_comma(&mut self, comma: &Token) {
        let span = self.report.span(comma.start, comma.end);
        let message = "missing value before this comma";
        self.error(Diagnostic::new(&codes::WF0104, span, message).help("remove this comma").fix(span, ""));
    }

    /// Returns `true` if nothing but a comma can be missing between the last token and the next
    /// one, which are two values. Values that touch may be one value, and an invalid token may
    /// contain the comma.
    fn is_comma_certain(&mut self) -> bool {
        let (end, wrong) = (self.last_end, self.last_wrong);
        let next = self.peek();
        next.start > end && !next.wrong && !wrong
    }

    fn missing_comma(&mut self, at: usize, is_certain: bool) {
        let gap = self.report.span(at, at);
        let code = if is_certain { self.tokens.lenient_code(&codes::WF0103) } else { &codes::WF0103 };
        let diagnostic =
            Diagnostic::new(code, gap, "missing comma").label("another value follows this one").help("write `,` here");
        self.error(if is_certain { diagnostic.fix(gap, ",") } else { diagnostic });
    }
}
