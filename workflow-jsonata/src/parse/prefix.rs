//! The parts that begin with their own token: literals, names, brackets and the sign.

use super::Parser;
use crate::ast::BinaryOperator;
use crate::error::SyntaxError;
use crate::lexer::{Token, TokenKind, quote};
use crate::raw::{Operation, Raw, RawKind, deepest, deepest_member};

/// The binding of a sign.
const SIGN: u8 = 70;

impl Parser<'_> {
    /// Reads the part that begins with a token.
    pub(super) fn prefix(&mut self, first: Token) -> Result<Box<Raw>, Box<SyntaxError>> {
        let start = first.at.start;
        let kind = match first.kind {
            TokenKind::End => RawKind::End,
            TokenKind::Null => RawKind::Null,
            TokenKind::Bool(value) => RawKind::Bool(value),
            TokenKind::Number(number) => RawKind::Number(number),
            TokenKind::String(value) => RawKind::String(value),
            TokenKind::Regex(pattern) => RawKind::Regex(pattern),
            TokenKind::Variable(name) => RawKind::Variable(name),
            TokenKind::Name(name) => RawKind::Name(name),
            TokenKind::Operator(operator) => match operator {
                "and" | "or" | "in" => RawKind::Name(operator.into()),
                "*" => RawKind::Wildcard,
                "**" => RawKind::Descendants,
                "%" => RawKind::Parent,
                "-" => return self.negation(start),
                "(" => return self.block(start),
                "[" => return self.array(start),
                "{" => return self.object(start),
                "|" => return self.transform(start),
                _ => return Err(self.no_operand(operator, first)),
            },
        };
        self.part(start, kind, 0)
    }

    /// Returns the error for an operator in place of an operand.
    fn no_operand(&self, operator: &str, token: Token) -> Box<SyntaxError> {
        let message = format!("The symbol {} cannot be used as a unary operator", quote(operator));
        let mut error = SyntaxError::new("S0211", message, token.at);
        error.help = self.help(operator, error.at.start);
        error
    }

    fn negation(&mut self, start: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let operand = self.expression(SIGN)?;
        let below = operand.depth;
        self.part(start, RawKind::Negate(operand), below)
    }

    fn block(&mut self, start: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let mut parts = Vec::new();
        while !self.token.is(")") {
            parts.push(*self.expression(0)?);
            if !self.token.is(";") {
                break;
            }
            self.expect(";", false)?;
        }
        self.expect(")", true)?;
        let below = deepest(&parts);
        self.part(start, RawKind::Block(parts), below)
    }

    fn array(&mut self, start: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let mut items = Vec::new();
        if !self.token.is("]") {
            loop {
                items.push(*self.item()?);
                if !self.token.is(",") {
                    break;
                }
                self.expect(",", false)?;
            }
        }
        self.expect("]", true)?;
        let below = deepest(&items);
        self.operation(start, Operation::Array(items), below)
    }

    /// Reads an item of an array: a value or a range.
    fn item(&mut self) -> Result<Box<Raw>, Box<SyntaxError>> {
        let first = self.expression(0)?;
        if !self.token.is("..") {
            return Ok(first);
        }
        self.expect("..", false)?;
        let last = self.expression(0)?;
        let (start, below) = (first.at.start, first.depth.max(last.depth));
        self.operation(start, Operation::Binary(BinaryOperator::Range, first, last), below)
    }

    fn object(&mut self, start: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let members = self.members()?;
        let below = deepest_member(&members);
        self.operation(start, Operation::Object(members), below)
    }

    /// Reads the members of an object or a grouping, and the bracket that closes it.
    pub(super) fn members(&mut self) -> Result<Vec<(Raw, Raw)>, Box<SyntaxError>> {
        let mut members = Vec::new();
        if !self.token.is("}") {
            loop {
                let key = self.expression(0)?;
                self.expect(":", false)?;
                members.push((*key, *self.expression(0)?));
                if !self.token.is(",") {
                    break;
                }
                self.expect(",", false)?;
            }
        }
        self.expect("}", true)?;
        Ok(members)
    }

    fn transform(&mut self, start: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let pattern = self.expression(0)?;
        self.expect("|", false)?;
        let update = self.expression(0)?;
        let delete = if self.token.is(",") {
            self.expect(",", false)?;
            Some(self.expression(0)?)
        } else {
            None
        };
        self.expect("|", false)?;
        let below = deepest([&*pattern, &*update].into_iter().chain(delete.as_deref()));
        self.part(start, RawKind::Transform(Box::new((*pattern, *update)), delete), below)
    }
}
