//! Parser of destructuring patterns and of member keys.

use super::{Parsed, Parser};
use crate::expr::error::ExprError;
use crate::expr::jq::ast::{Pattern, PatternMember, Term, TermKind};
use crate::expr::jq::codes::WF0340;
use crate::expr::jq::lex::JqTokenKind;

impl Parser<'_> {
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        self.separated("?//", Self::pattern)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nest(Self::pattern_here)
    }

    fn pattern_here(&mut self) -> Parsed<Pattern> {
        if self.eat("[") {
            let start = self.next.at.start;
            let items = self.separated(",", Self::pattern)?;
            self.expect("]")?;
            let members = items.into_iter().enumerate().map(|(position, item)| {
                let key = Term { at: start..start, kind: TermKind::Number(position.to_string()), depth: 1 };
                PatternMember { variable: None, key, value: Some(item) }
            });
            return Ok(Pattern::Array(members.collect()));
        }
        if self.eat("{") {
            let members = self.separated(",", Self::pattern_member)?;
            self.expect("}")?;
            return Ok(Pattern::Object(members));
        }
        match self.next.kind {
            JqTokenKind::Variable(_) => Ok(Pattern::Variable(self.variable()?)),
            _ => Err(self.unexpected("a variable, `[` or `{`")),
        }
    }

    fn pattern_member(&mut self) -> Parsed<PatternMember> {
        let at = self.next.at.clone();
        if let JqTokenKind::Variable(name) = self.next.kind {
            self.advance();
            let value = if self.eat(":") { Some(self.pattern()?) } else { None };
            return Ok(PatternMember { variable: Some(name.to_owned()), key: Term::string(name, at), value });
        }
        let key = self.key()?;
        self.expect(":")?;
        Ok(PatternMember { variable: None, key, value: Some(self.pattern()?) })
    }

    /// Parses the key of a member: a name, a string, or a filter in parentheses.
    pub(super) fn key(&mut self) -> Parsed<Term> {
        let at = self.next.at.clone();
        match self.next.kind {
            JqTokenKind::Word(name) => {
                self.advance();
                Ok(Term::string(name, at))
            }
            JqTokenKind::Quote => self.string(None),
            JqTokenKind::Format(format) => {
                self.advance();
                match self.next.kind {
                    JqTokenKind::Quote => self.string(Some(format)),
                    _ => Err(self.unexpected("a string")),
                }
            }
            JqTokenKind::Sign("(") => {
                self.advance();
                let key = self.query()?;
                self.expect(")")?;
                Ok(key)
            }
            JqTokenKind::Number(_) => {
                let error = ExprError::new(&WF0340, at, "a key of an object must be a string");
                Err(error.help("put the number in quotes"))
            }
            _ => Err(self.unexpected("a key")),
        }
    }
}
