//! Reads the text of a jq program, as the grammar of jq 1.8 has it.

mod operator;
mod pattern;
mod string;
mod term;

use super::ast::{Definition, Kind, Term};
use super::lex::{Token, TokenKind, token};
use crate::diagnostics::codes::expressions::E0340;
use crate::expr::flaw::Flaw;
use std::ops::Range;

/// The longest text of a program.
const LONGEST: usize = 16 << 10;
/// How many terms may lie inside each other.
pub(super) const DEEPEST: usize = 80;

const KEYWORDS: &[&str] = &[
    "and", "as", "break", "catch", "def", "elif", "else", "end", "foreach", "if", "import", "include", "label",
    "module", "or", "reduce", "then", "try", "__loc__",
];

type Parsed<T> = Result<T, Flaw>;

/// Reads a whole program.
pub(super) fn parse(text: &str) -> Parsed<Term> {
    if text.len() > LONGEST {
        return Err(Flaw::new(&E0340, 0..text.len(), "this jq expression is longer than 16 KiB"));
    }
    let mut parser = Parser { text, next: token(text, 0), end: 0, nested: 0 };
    if parser.next.kind == TokenKind::End {
        return Err(
            Flaw::new(&E0340, 0..text.len(), "there is no jq expression").help("write `.` for the value itself")
        );
    }
    if let TokenKind::Word(word @ ("import" | "include" | "module")) = parser.next.kind {
        let flaw =
            Flaw::new(&E0340, parser.next.at, format!("`{word}` is not supported: an expression has no modules"));
        return Err(flaw.help("define what is needed in the expression: `def name: …; …`"));
    }
    let term = parser.query()?;
    match parser.next.kind {
        TokenKind::End => Ok(term),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

struct Parser<'a> {
    text: &'a str,
    next: Token<'a>,
    /// Where the last word ended.
    end: usize,
    nested: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Token<'a> {
        let next = token(self.text, self.next.at.end);
        let taken = std::mem::replace(&mut self.next, next);
        self.end = taken.at.end;
        taken
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.next.kind, TokenKind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.next.kind, TokenKind::Word(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The bytes of the next word; of the last one at the end of the text.
    fn here(&self) -> Range<usize> {
        match self.next.kind {
            TokenKind::End => {
                let last = self.text[..self.end].chars().next_back().map_or(0, char::len_utf8);
                self.end - last..self.end
            }
            _ => self.next.at.clone(),
        }
    }

    fn unexpected(&self, expected: &str) -> Flaw {
        let found = &self.text[self.next.at.clone()];
        let message = match self.next.kind {
            TokenKind::End => format!("the expression ends where {expected} is expected"),
            _ => format!("expected {expected}, and found `{found}`"),
        };
        let flaw = Flaw::new(&E0340, self.here(), message);
        match self.next.kind {
            TokenKind::Sign("?//") => flaw.help("`?//` stands between patterns; put a blank between `?` and `//`"),
            TokenKind::Sign("=") if self.text[..self.next.at.start].ends_with("==") => {
                flaw.help("write `==` for `===`")
            }
            TokenKind::Sign(
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=",
            ) => flaw.help("comparisons and assignments do not follow each other: put one into parentheses"),
            TokenKind::Unknown('\'') => flaw.help("strings are written in double quotes"),
            TokenKind::Unknown('&') => flaw.help("write `and` for `&&`"),
            TokenKind::Unknown('!') => flaw.help("write `| not` behind what is to be negated"),
            TokenKind::Sign("|") if self.text[..self.next.at.start].ends_with('|') => flaw.help("write `or` for `||`"),
            TokenKind::Sign("?") if self.text[..self.next.at.start].ends_with('[') => {
                flaw.help("items are chosen by `.items[] | select(.price > 10)`")
            }
            _ => flaw.help("expressions are jq 1.8"),
        }
    }

    /// Reads something that can be inside itself.
    fn nest<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nested += 1;
        if self.nested > DEEPEST {
            return Err(self.too_deep(self.here()));
        }
        let result = read(self);
        self.nested -= 1;
        result
    }

    fn too_deep(&self, at: Range<usize>) -> Flaw {
        let message = format!("this is nested more than {DEEPEST} levels deep");
        Flaw::new(&E0340, at, message).help("give parts a name: `def name: …;`, or `… as $name | …`")
    }

    fn term_from(&self, start: usize, kind: Kind) -> Parsed<Term> {
        let mut term = Term { at: start..self.end, kind, depth: 0 };
        let mut depth = 0;
        term.children(&mut |child| depth = depth.max(child.depth));
        term.depth = depth + 1;
        if term.depth > DEEPEST { Err(self.too_deep(term.at)) } else { Ok(term) }
    }

    /// Definitions, pipes, commas, bindings and labels.
    fn query(&mut self) -> Parsed<Term> {
        self.nest(Self::pipe)
    }

    fn pipe(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut parts = Vec::new();
        loop {
            // What is bound is visible to the end, so that it takes all that follows.
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
        self.joined(start, parts, Kind::Pipe)
    }

    fn joined(&self, start: usize, mut parts: Vec<Term>, join: impl FnOnce(Vec<Term>) -> Kind) -> Parsed<Term> {
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => self.term_from(start, join(parts)),
        }
    }

    /// Filters with commas between them; whether the last one took all that follows.
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
                parts.push(self.term_from(part_start, Kind::Bind(Box::new(part), patterns, Box::new(body)))?);
                is_last = true;
                break;
            }
            parts.push(part);
            if !self.eat(",") {
                break;
            }
        }
        Ok((self.joined(start, parts, Kind::Comma)?, is_last))
    }

    /// A definition or a label, with all that follows.
    fn rest_of_scope(&mut self) -> Parsed<Option<Term>> {
        let start = self.next.at.start;
        if self.eat_word("def") {
            let definition = self.definition()?;
            let body = self.query()?;
            return self.term_from(start, Kind::Define(Box::new(definition), Box::new(body))).map(Some);
        }
        if self.eat_word("label") {
            let name = self.variable()?;
            self.expect("|")?;
            let body = self.query()?;
            return self.term_from(start, Kind::Label(name, Box::new(body))).map(Some);
        }
        Ok(None)
    }

    fn definition(&mut self) -> Parsed<Definition> {
        let (name, at) = match self.next.kind {
            TokenKind::Word(name) if !KEYWORDS.contains(&name) && !name.contains("::") => {
                (name.to_owned(), self.next.at.clone())
            }
            _ => return Err(self.unexpected("the name of the function")),
        };
        self.advance();
        let mut params = Vec::new();
        if self.eat("(") {
            loop {
                match self.next.kind {
                    TokenKind::Word(name) if !name.contains("::") => params.push(name.to_owned()),
                    TokenKind::Variable(name) => params.push(format!("${name}")),
                    _ => return Err(self.unexpected("the name of a parameter")),
                }
                self.advance();
                if !self.eat(";") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        let body = self.query()?;
        self.expect(";")?;
        Ok(Definition { name, at, params, body })
    }

    fn variable(&mut self) -> Parsed<String> {
        match self.next.kind {
            TokenKind::Variable(name) => {
                self.advance();
                Ok(name.to_owned())
            }
            _ => Err(self.unexpected("a variable")),
        }
    }
}
