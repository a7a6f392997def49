//! Parser of operands and their suffixes.

use super::{KEYWORDS, Parsed, Parser};
use crate::expr::jq::ast::{Member, Term, TermKind};
use crate::expr::jq::lex::JqTokenKind;

impl Parser<'_> {
    /// Parses a term with suffixes: `.a[0].b?`.
    pub(super) fn postfix(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut term = self.primary()?;
        loop {
            let kind = match self.next.kind {
                JqTokenKind::Field(_) => {
                    let key = self.field();
                    TermKind::Index(Box::new(term), Box::new(key), self.optional())
                }
                JqTokenKind::Sign(".") => {
                    self.advance();
                    match self.next.kind {
                        JqTokenKind::Sign("[") => self.brackets(term)?,
                        JqTokenKind::Quote | JqTokenKind::Format(_) => {
                            let key = self.key()?;
                            TermKind::Index(Box::new(term), Box::new(key), self.optional())
                        }
                        _ => return Err(self.unexpected("a name, a string or `[`")),
                    }
                }
                JqTokenKind::Sign("[") => self.brackets(term)?,
                JqTokenKind::Sign("?") => {
                    self.optional();
                    TermKind::Try(Box::new(term), None)
                }
                _ => return Ok(term),
            };
            term = self.term_from(start, kind)?;
        }
    }

    /// Parses a field and returns its key.
    fn field(&mut self) -> Term {
        let token = self.advance();
        let at = token.at.start + 1..token.at.end;
        Term::string(&self.text[at.clone()], at)
    }

    /// Parses any number of `?`, and returns `true` if there is one.
    fn optional(&mut self) -> bool {
        let mut is_optional = false;
        while self.eat("?") {
            is_optional = true;
        }
        is_optional
    }

    /// Parses `[]`, `[f]` or `[f:g]` after a term.
    fn brackets(&mut self, base: Term) -> Parsed<TermKind> {
        self.expect("[")?;
        let base = Box::new(base);
        if self.eat("]") {
            return Ok(TermKind::Iterate(base, self.optional()));
        }
        if self.eat(":") {
            let to = self.query()?;
            self.expect("]")?;
            return Ok(TermKind::Slice(base, None, Some(Box::new(to)), self.optional()));
        }
        let key = self.query()?;
        if self.eat(":") {
            let to = if self.is("]") { None } else { Some(Box::new(self.query()?)) };
            self.expect("]")?;
            return Ok(TermKind::Slice(base, Some(Box::new(key)), to, self.optional()));
        }
        self.expect("]")?;
        Ok(TermKind::Index(base, Box::new(key), self.optional()))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let next = self.next.kind;
        let kind = match next {
            JqTokenKind::Number(digits) => {
                self.advance();
                TermKind::Number(digits.to_owned())
            }
            JqTokenKind::Quote => return self.string(None),
            JqTokenKind::Format(format) => {
                self.advance();
                match self.next.kind {
                    JqTokenKind::Quote => return self.string(Some(format)),
                    _ => TermKind::Format(format.to_owned()),
                }
            }
            JqTokenKind::Variable(_) => TermKind::Variable(self.variable()?),
            JqTokenKind::Field(_) | JqTokenKind::Sign(".") => {
                let identity = Term { at: start..start + 1, kind: TermKind::Identity, depth: 1 };
                // A field is a step from the identity.
                if !(self.eat(".") && self.next.kind == JqTokenKind::Quote) {
                    return Ok(identity);
                }
                let key = self.key()?;
                TermKind::Index(Box::new(identity), Box::new(key), self.optional())
            }
            JqTokenKind::Sign("{") => self.object()?,
            JqTokenKind::Word(word) => self.word(word)?,
            _ if self.eat("..") => TermKind::Descend,
            _ if self.eat("(") => {
                let inner = self.query()?;
                self.expect(")")?;
                return Ok(Term { at: start..self.end, ..inner });
            }
            _ if self.eat("[") => {
                let inner = if self.is("]") { None } else { Some(Box::new(self.query()?)) };
                self.expect("]")?;
                TermKind::Array(inner)
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.term_from(start, kind)
    }

    fn word(&mut self, word: &str) -> Parsed<TermKind> {
        if self.eat_word("if") {
            return self.condition();
        }
        if self.eat_word("break") {
            return Ok(TermKind::Break(self.variable()?));
        }
        if self.eat_word("reduce") || self.eat_word("foreach") {
            return self.fold(word);
        }
        if KEYWORDS.contains(&word) {
            return Err(self.unexpected("an expression"));
        }
        self.advance();
        let mut arguments = Vec::new();
        if self.eat("(") {
            arguments = self.separated(";", Self::query)?;
            self.expect(")")?;
        }
        Ok(TermKind::Call(word.to_owned(), arguments))
    }

    /// Parses a condition after `if` or `elif`.
    fn condition(&mut self) -> Parsed<TermKind> {
        let test = self.query()?;
        self.expect_word("then")?;
        let then = self.query()?;
        let start = self.next.at.start;
        let otherwise = if self.eat_word("elif") {
            let kind = self.nest(Self::condition)?;
            Some(Box::new(self.term_from(start, kind)?))
        } else if self.eat_word("else") {
            let otherwise = self.query()?;
            self.expect_word("end")?;
            Some(Box::new(otherwise))
        } else if self.eat_word("end") {
            None
        } else {
            return Err(self.unexpected("`elif`, `else` or `end`"));
        };
        Ok(TermKind::If(Box::new(test), Box::new(then), otherwise))
    }

    fn fold(&mut self, word: &str) -> Parsed<TermKind> {
        let source = Box::new(self.expression(0)?);
        self.expect_word("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let init = Box::new(self.query()?);
        self.expect(";")?;
        let update = Box::new(self.query()?);
        if word == "reduce" {
            self.expect(")")?;
            return Ok(TermKind::Reduce(source, patterns, init, update));
        }
        let extract = if self.eat(";") { Some(Box::new(self.query()?)) } else { None };
        self.expect(")")?;
        Ok(TermKind::Foreach(source, patterns, init, update, extract))
    }

    fn object(&mut self) -> Parsed<TermKind> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            members.push(self.member()?);
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(TermKind::Object(members))
    }

    fn member(&mut self) -> Parsed<Member> {
        let at = self.next.at.clone();
        let is_computed = self.is("(");
        if let JqTokenKind::Variable(_) = self.next.kind {
            let kind = TermKind::Variable(self.variable()?);
            return Ok(Member { key: Term { at, kind, depth: 1 }, value: None });
        }
        let key = self.key()?;
        if is_computed && !self.is(":") {
            return Err(self.unexpected("`:`"));
        }
        if !self.eat(":") {
            return match self.next.kind {
                JqTokenKind::Sign("," | "}") => Ok(Member { key, value: None }),
                _ => Err(self.unexpected("`:`, `,` or `}`")),
            };
        }
        // A value cannot contain commas or unparenthesized bindings.
        let start = self.next.at.start;
        let parts = self.separated("|", |parser| parser.expression(0))?;
        if self.is_word("as") {
            return Err(self.unexpected("`,` or `}`").help("put the value of the member in parentheses"));
        }
        Ok(Member { key, value: Some(self.joined(start, parts, TermKind::Pipe)?) })
    }
}
