//! Parser of jq 1.8.

mod operator;
mod pattern;
mod string;
mod term;

use super::ast::{FunctionDef, Term, TermKind};
use super::lex::{JqToken, JqTokenKind, token};
use crate::expr::error::ExprError;
use crate::expr::jq::codes::WF0340;
use std::ops::Range;

/// The greatest length of a program, in bytes.
const MAX_BYTES: usize = 16 << 10;
/// The greatest nesting of terms.
pub(super) const MAX_NESTING: usize = 80;

const KEYWORDS: &[&str] = &[
    "and", "as", "break", "catch", "def", "elif", "else", "end", "foreach", "if", "import", "include", "label",
    "module", "or", "reduce", "then", "try", "__loc__",
];

type Parsed<T> = Result<T, ExprError>;

/// Parses a whole program.
pub(super) fn parse(text: &str) -> Parsed<Term> {
    if text.len() > MAX_BYTES {
        return Err(ExprError::new(&WF0340, 0..text.len(), "this jq expression is longer than 16 KiB"));
    }
    let mut parser = Parser { text, next: token(text, 0), end: 0, nested: 0 };
    if parser.next.kind == JqTokenKind::End {
        return Err(
            ExprError::new(&WF0340, 0..text.len(), "the jq expression is empty").help("write `.` for the value itself")
        );
    }
    if let JqTokenKind::Word(word @ ("import" | "include" | "module")) = parser.next.kind {
        let error =
            ExprError::new(&WF0340, parser.next.at, format!("`{word}` is not supported: an expression has no modules"));
        return Err(error.help("define the functions in the expression: `def name: …; …`"));
    }
    let term = parser.query()?;
    match parser.next.kind {
        JqTokenKind::End => Ok(term),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

struct Parser<'a> {
    text: &'a str,
    next: JqToken<'a>,
    /// The byte after the previous token.
    end: usize,
    nested: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> JqToken<'a> {
        let next = token(self.text, self.next.at.end);
        let taken = std::mem::replace(&mut self.next, next);
        self.end = taken.at.end;
        taken
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.next.kind, JqTokenKind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.next.kind, JqTokenKind::Word(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.is(sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        if is_next {
            self.advance();
        }
        is_next
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Returns the byte range of the next token, or of the last one at the end of the text.
    fn here(&self) -> Range<usize> {
        match self.next.kind {
            JqTokenKind::End => {
                let last = self.text[..self.end].chars().next_back().map_or(0, char::len_utf8);
                self.end - last..self.end
            }
            _ => self.next.at.clone(),
        }
    }

    fn unexpected(&self, expected: &str) -> ExprError {
        let found = &self.text[self.next.at.clone()];
        let message = match self.next.kind {
            JqTokenKind::End => format!("expected {expected}, found the end of the expression"),
            _ => format!("expected {expected}, found `{found}`"),
        };
        let error = ExprError::new(&WF0340, self.here(), message);
        match self.next.kind {
            JqTokenKind::Sign("?//") => {
                error.help("put a space between `?` and `//`: `?//` is the destructuring alternative operator")
            }
            JqTokenKind::Sign("=") if self.text[..self.next.at.start].ends_with("==") => {
                error.help("write `==` for `===`")
            }
            JqTokenKind::Sign(
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=",
            ) => error.help("comparisons and assignments cannot be chained: put one in parentheses"),
            JqTokenKind::Unknown('\'') => error.help("write strings in double quotes"),
            JqTokenKind::Unknown('&') => error.help("write `and` for `&&`"),
            JqTokenKind::Unknown('!') => error.help("write `| not` after the expression to negate"),
            JqTokenKind::Sign("|") if self.text[..self.next.at.start].ends_with('|') => {
                error.help("write `or` for `||`")
            }
            JqTokenKind::Sign("?") if self.text[..self.next.at.start].ends_with('[') => {
                error.help("select items with `.items[] | select(.price > 10)`")
            }
            _ => error.help("expressions are written in jq 1.8"),
        }
    }

    /// Parses a construct that can contain itself.
    fn nest<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nested += 1;
        if self.nested > MAX_NESTING {
            return Err(self.too_deep(self.here()));
        }
        let result = read(self);
        self.nested -= 1;
        result
    }

    fn too_deep(&self, at: Range<usize>) -> ExprError {
        let message = format!("the expression is nested more than {MAX_NESTING} levels deep");
        ExprError::new(&WF0340, at, message).help("move a part into `def name: …;` or `… as $name | …`")
    }

    fn term_from(&self, start: usize, kind: TermKind) -> Parsed<Term> {
        let mut term = Term { at: start..self.end, kind, depth: 0 };
        let mut depth = 0;
        term.children(&mut |child| depth = depth.max(child.depth));
        term.depth = depth + 1;
        if term.depth > MAX_NESTING { Err(self.too_deep(term.at)) } else { Ok(term) }
    }

    /// Parses definitions, pipes, commas, bindings and labels.
    fn query(&mut self) -> Parsed<Term> {
        self.nest(Self::pipe)
    }

    fn pipe(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut parts = Vec::new();
        loop {
            // The scope of a binding extends to the end, so that its body includes all that
            // follows.
            if let Some(rest) = self.rest_of_scope()? {
                parts.push(rest);
                break;
            }
            let (part, is_last) = self.comma()?;
            parts.push(part);
            if is_last || !self.eat("|") {
                break;
            }
        }
        self.joined(start, parts, TermKind::Pipe)
    }

    fn joined(&self, start: usize, mut parts: Vec<Term>, join: impl FnOnce(Vec<Term>) -> TermKind) -> Parsed<Term> {
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => self.term_from(start, join(parts)),
        }
    }

    /// Parses filters separated by commas. The flag states that the last one extends to the end of
    /// the scope.
    fn comma(&mut self) -> Parsed<(Term, bool)> {
        let start = self.next.at.start;
        let mut parts = Vec::new();
        let mut is_last = false;
        loop {
            if !parts.is_empty()
                && let Some(rest) = self.rest_of_scope()?
            {
                parts.push(rest);
                is_last = true;
                break;
            }
            let part_start = self.next.at.start;
            let part = self.expression(0)?;
            if self.eat_word("as") {
                let patterns = self.patterns()?;
                self.expect("|")?;
                let body = self.query()?;
                parts.push(self.term_from(part_start, TermKind::Bind(Box::new(part), patterns, Box::new(body)))?);
                is_last = true;
                break;
            }
            parts.push(part);
            if !self.eat(",") {
                break;
            }
        }
        Ok((self.joined(start, parts, TermKind::Comma)?, is_last))
    }

    /// Parses a definition or a label, with the rest of its scope.
    fn rest_of_scope(&mut self) -> Parsed<Option<Term>> {
        let start = self.next.at.start;
        if self.eat_word("def") {
            let definition = self.definition()?;
            let body = self.query()?;
            return self.term_from(start, TermKind::Define(Box::new(definition), Box::new(body))).map(Some);
        }
        if self.eat_word("label") {
            let name = self.variable()?;
            self.expect("|")?;
            let body = self.query()?;
            return self.term_from(start, TermKind::Label(name, Box::new(body))).map(Some);
        }
        Ok(None)
    }

    fn definition(&mut self) -> Parsed<FunctionDef> {
        let (name, at) = match self.next.kind {
            JqTokenKind::Word(name) if !KEYWORDS.contains(&name) && !name.contains("::") => {
                (name.to_owned(), self.next.at.clone())
            }
            _ => return Err(self.unexpected("the name of the function")),
        };
        self.advance();
        let mut params = Vec::new();
        if self.eat("(") {
            params = self.separated(";", Self::parameter)?;
            self.expect(")")?;
        }
        self.expect(":")?;
        let body = self.query()?;
        self.expect(";")?;
        Ok(FunctionDef { name, at, params, body })
    }

    fn parameter(&mut self) -> Parsed<String> {
        let name = match self.next.kind {
            JqTokenKind::Word(name) if !name.contains("::") => name.to_owned(),
            JqTokenKind::Variable(name) => format!("${name}"),
            _ => return Err(self.unexpected("the name of a parameter")),
        };
        self.advance();
        Ok(name)
    }

    /// Parses parts with a sign between each two.
    fn separated<T>(&mut self, sign: &str, part: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut parts = vec![part(self)?];
        while self.eat(sign) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn variable(&mut self) -> Parsed<String> {
        match self.next.kind {
            JqTokenKind::Variable(name) => {
                self.advance();
                Ok(name.to_owned())
            }
            _ => Err(self.unexpected("a variable")),
        }
    }
}
