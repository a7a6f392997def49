//! Terms: what stands between operators, with the steps behind it.

use super::{KEYWORDS, Parsed, Parser};
use crate::expr::jq::ast::{Kind, Member, Term};
use crate::expr::jq::lex::TokenKind;

impl Parser<'_> {
    /// A term with steps behind it: `.a[0].b?`.
    pub(super) fn postfix(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut term = self.primary()?;
        loop {
            let kind = match self.next.kind {
                TokenKind::Field(_) => {
                    let key = self.field();
                    Kind::Index(Box::new(term), Box::new(key), self.optional())
                }
                TokenKind::Sign(".") => {
                    self.advance();
                    match self.next.kind {
                        TokenKind::Sign("[") => self.brackets(term)?,
                        TokenKind::Quote | TokenKind::Format(_) => {
                            let key = self.key()?;
                            Kind::Index(Box::new(term), Box::new(key), self.optional())
                        }
                        _ => return Err(self.unexpected("a name, a string or `[`")),
                    }
                }
                TokenKind::Sign("[") => self.brackets(term)?,
                TokenKind::Sign("?") => {
                    self.optional();
                    Kind::Try(Box::new(term), None)
                }
                _ => return Ok(term),
            };
            term = self.term_from(start, kind)?;
        }
    }

    /// The key of the field that comes next.
    fn field(&mut self) -> Term {
        let token = self.advance();
        let at = token.at.start + 1..token.at.end;
        Term::string(&self.text[at.clone()], at)
    }

    /// Any number of `?`.
    fn optional(&mut self) -> bool {
        let mut found = false;
        while self.eat("?") {
            found = true;
        }
        found
    }

    /// `[]`, `[f]`, `[f:g]` behind a term.
    fn brackets(&mut self, base: Term) -> Parsed<Kind> {
        self.expect("[")?;
        let base = Box::new(base);
        if self.eat("]") {
            return Ok(Kind::Iterate(base, self.optional()));
        }
        if self.eat(":") {
            let to = self.query()?;
            self.expect("]")?;
            return Ok(Kind::Slice(base, None, Some(Box::new(to)), self.optional()));
        }
        let key = self.query()?;
        if self.eat(":") {
            let to = if self.is("]") { None } else { Some(Box::new(self.query()?)) };
            self.expect("]")?;
            return Ok(Kind::Slice(base, Some(Box::new(key)), to, self.optional()));
        }
        self.expect("]")?;
        Ok(Kind::Index(base, Box::new(key), self.optional()))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let kind = match self.next.kind {
            TokenKind::Number(digits) => {
                self.advance();
                Kind::Number(digits.to_owned())
            }
            TokenKind::Quote => return self.string(None),
            TokenKind::Format(format) => {
                self.advance();
                match self.next.kind {
                    TokenKind::Quote => return self.string(Some(format)),
                    _ => Kind::Format(format.to_owned()),
                }
            }
            TokenKind::Variable(name) => {
                self.advance();
                Kind::Variable(name.to_owned())
            }
            TokenKind::Field(_) => {
                let identity = Term { at: start..start + 1, kind: Kind::Identity, depth: 1 };
                let key = self.field();
                Kind::Index(Box::new(identity), Box::new(key), self.optional())
            }
            TokenKind::Sign(".") => {
                self.advance();
                let identity = Term { at: start..start + 1, kind: Kind::Identity, depth: 1 };
                match self.next.kind {
                    TokenKind::Quote => {
                        let key = self.key()?;
                        Kind::Index(Box::new(identity), Box::new(key), self.optional())
                    }
                    _ => return Ok(identity),
                }
            }
            TokenKind::Sign("..") => {
                self.advance();
                Kind::Descend
            }
            TokenKind::Sign("(") => {
                self.advance();
                let inner = self.query()?;
                self.expect(")")?;
                return Ok(Term { at: start..self.end, ..inner });
            }
            TokenKind::Sign("[") => {
                self.advance();
                match self.eat("]") {
                    true => Kind::Array(None),
                    false => {
                        let inner = self.query()?;
                        self.expect("]")?;
                        Kind::Array(Some(Box::new(inner)))
                    }
                }
            }
            TokenKind::Sign("{") => self.object()?,
            TokenKind::Word(word) => self.word(word)?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.term_from(start, kind)
    }

    fn word(&mut self, word: &str) -> Parsed<Kind> {
        match word {
            "if" => {
                self.advance();
                self.condition()
            }
            "reduce" | "foreach" => {
                self.advance();
                self.fold(word)
            }
            "break" => {
                self.advance();
                Ok(Kind::Break(self.variable()?))
            }
            _ if KEYWORDS.contains(&word) => Err(self.unexpected("an expression")),
            _ => {
                self.advance();
                let mut arguments = Vec::new();
                if self.eat("(") {
                    loop {
                        arguments.push(self.query()?);
                        if !self.eat(";") {
                            break;
                        }
                    }
                    self.expect(")")?;
                }
                Ok(Kind::Call(word.to_owned(), arguments))
            }
        }
    }

    /// Behind `if` or `elif`.
    fn condition(&mut self) -> Parsed<Kind> {
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
        Ok(Kind::If(Box::new(test), Box::new(then), otherwise))
    }

    fn fold(&mut self, word: &str) -> Parsed<Kind> {
        let source = Box::new(self.expression(0)?);
        self.expect_word("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let init = Box::new(self.query()?);
        self.expect(";")?;
        let update = Box::new(self.query()?);
        if word == "reduce" {
            self.expect(")")?;
            return Ok(Kind::Reduce(source, patterns, init, update));
        }
        let extract = if self.eat(";") { Some(Box::new(self.query()?)) } else { None };
        self.expect(")")?;
        Ok(Kind::Foreach(source, patterns, init, update, extract))
    }

    fn object(&mut self) -> Parsed<Kind> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            members.push(self.member()?);
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Kind::Object(members))
    }

    fn member(&mut self) -> Parsed<Member> {
        let at = self.next.at.clone();
        let is_computed = self.is("(");
        let key = match self.next.kind {
            TokenKind::Variable(name) => {
                self.advance();
                let kind = Kind::Variable(name.to_owned());
                return Ok(Member { key: Term { at, kind, depth: 1 }, value: None });
            }
            _ => self.key()?,
        };
        if is_computed && !self.is(":") {
            return Err(self.unexpected("`:`"));
        }
        if !self.eat(":") {
            return match self.next.kind {
                TokenKind::Sign("," | "}") => Ok(Member { key, value: None }),
                _ => Err(self.unexpected("`:`, `,` or `}`")),
            };
        }
        // Values have no commas, and what binds something stands in parentheses.
        let start = self.next.at.start;
        let mut parts = vec![self.expression(0)?];
        while self.eat("|") {
            parts.push(self.expression(0)?);
        }
        if self.is_word("as") {
            return Err(self.unexpected("`,` or `}`").help("put the value of the member into parentheses"));
        }
        Ok(Member { key, value: Some(self.joined(start, parts, Kind::Pipe)?) })
    }
}
