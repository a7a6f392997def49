//! The parts that follow another one: operators, predicates, orders, groupings.

use std::sync::Arc;

use super::Parser;
use crate::ast::BinaryOperator;
use crate::error::SyntaxError;
use crate::lexer::{Token, TokenKind, quote};
use crate::raw::{Operation, Raw, RawKind, deepest, deepest_member};

/// The binding of `.`.
const DOT: u8 = 75;

/// The binding of `@` and `#`.
const VARIABLE: u8 = 80;

/// The binding of the value of `:=`, which takes another `:=`.
const VALUE: u8 = 9;

/// The binding of `~>`.
const APPLY: u8 = 40;

impl Parser<'_> {
    /// Returns how strongly the token binds the part before it, 0 for a token that ends it.
    pub(super) fn binding(&self) -> u8 {
        let TokenKind::Operator(operator) = self.token.kind else {
            return 0;
        };
        match operator {
            "(" | "[" | "@" | "#" => 80,
            "." => DOT,
            "{" => 70,
            "*" | "/" | "%" => 60,
            "+" | "-" | "&" => 50,
            "=" | "!=" | "<" | "<=" | ">" | ">=" | "^" | "~>" | "in" => 40,
            "and" => 30,
            "or" => 25,
            "?" => 20,
            ":=" => 10,
            _ => 0,
        }
    }

    /// Reads what follows a part after an operator.
    pub(super) fn infix(&mut self, left: Box<Raw>, operator: &Token) -> Result<Box<Raw>, Box<SyntaxError>> {
        let TokenKind::Operator(text) = operator.kind else {
            return Ok(left);
        };
        match text {
            "." => self.dot(*left),
            "[" => self.filter(left),
            "(" => self.call(left),
            "{" => self.group(left),
            "^" => self.sort(left),
            "@" | "#" => self.position(left, text),
            ":=" => self.bind(*left),
            "?" => self.condition(*left),
            "~>" => {
                let right = self.expression(APPLY)?;
                let (start, below) = (left.at.start, left.depth.max(right.depth));
                self.part(start, RawKind::Apply(left, right), below)
            }
            _ => self.binary(left, text),
        }
    }

    fn binary(&mut self, left: Box<Raw>, operator: &str) -> Result<Box<Raw>, Box<SyntaxError>> {
        let (operator, binding) = match operator {
            "+" => (BinaryOperator::Add, 50),
            "-" => (BinaryOperator::Subtract, 50),
            "&" => (BinaryOperator::Concatenate, 50),
            "*" => (BinaryOperator::Multiply, 60),
            "/" => (BinaryOperator::Divide, 60),
            "%" => (BinaryOperator::Remainder, 60),
            "=" => (BinaryOperator::Equal, 40),
            "!=" => (BinaryOperator::Unequal, 40),
            "<" => (BinaryOperator::Less, 40),
            "<=" => (BinaryOperator::LessOrEqual, 40),
            ">" => (BinaryOperator::Greater, 40),
            ">=" => (BinaryOperator::GreaterOrEqual, 40),
            "and" => (BinaryOperator::And, 30),
            "or" => (BinaryOperator::Or, 25),
            _ => (BinaryOperator::In, 40),
        };
        let right = self.expression(binding)?;
        let (start, below) = (left.at.start, left.depth.max(right.depth));
        self.operation(start, Operation::Binary(operator, left, right), below)
    }

    /// Reads a step. A path is one level of the tree, however many steps it has.
    fn dot(&mut self, left: Raw) -> Result<Box<Raw>, Box<SyntaxError>> {
        let step = self.expression(DOT)?;
        let start = left.at.start;
        if let RawKind::Dot(mut steps) = left.kind {
            let below = (left.depth - 1).max(step.depth);
            steps.push(*step);
            return self.part(start, RawKind::Dot(steps), below);
        }
        let below = left.depth.max(step.depth);
        self.part(start, RawKind::Dot(vec![left, *step]), below)
    }

    fn filter(&mut self, mut left: Box<Raw>) -> Result<Box<Raw>, Box<SyntaxError>> {
        if self.token.is("]") {
            self.expect("]", false)?;
            left.keep_array();
            return Ok(left);
        }
        let predicate = self.expression(0)?;
        self.expect("]", true)?;
        let (start, below) = (left.at.start, left.depth.max(predicate.depth));
        self.part(start, RawKind::Filter(left, predicate), below)
    }

    fn group(&mut self, left: Box<Raw>) -> Result<Box<Raw>, Box<SyntaxError>> {
        let members = self.members()?;
        let (start, below) = (left.at.start, left.depth.max(deepest_member(&members)));
        self.part(start, RawKind::Group(left, members), below)
    }

    fn sort(&mut self, left: Box<Raw>) -> Result<Box<Raw>, Box<SyntaxError>> {
        self.expect("(", false)?;
        let mut terms = Vec::new();
        loop {
            let is_descending = self.token.is(">");
            if is_descending || self.token.is("<") {
                self.advance(false)?;
            }
            terms.push((is_descending, *self.expression(0)?));
            if !self.token.is(",") {
                break;
            }
            self.expect(",", false)?;
        }
        self.expect(")", false)?;
        let below = left.depth.max(deepest(terms.iter().map(|(_, by)| by)));
        self.part(left.at.start, RawKind::Sort(left, terms), below)
    }

    /// Reads the variable of `@` or `#`.
    fn position(&mut self, left: Box<Raw>, operator: &str) -> Result<Box<Raw>, Box<SyntaxError>> {
        let variable = self.expression(VARIABLE)?;
        let RawKind::Variable(name) = variable.kind else {
            let operator = quote(operator);
            let message = format!("The right side of {operator} must be a variable name (start with $)");
            return Err(SyntaxError::new("S0214", message, variable.at));
        };
        let (start, below) = (left.at.start, left.depth);
        let variant: fn(Box<Raw>, Arc<str>) -> RawKind = if operator == "@" { RawKind::Focus } else { RawKind::Index };
        self.part(start, variant(left, name), below)
    }

    fn bind(&mut self, left: Raw) -> Result<Box<Raw>, Box<SyntaxError>> {
        let RawKind::Variable(name) = left.kind else {
            let message = "The left side of := must be a variable name (start with $)";
            return Err(SyntaxError::new("S0212", message, left.at));
        };
        let value = self.expression(VALUE)?;
        let below = value.depth;
        self.operation(left.at.start, Operation::Bind(name, value), below)
    }

    fn condition(&mut self, test: Raw) -> Result<Box<Raw>, Box<SyntaxError>> {
        let then = self.expression(0)?;
        let otherwise = if self.token.is(":") {
            self.expect(":", false)?;
            Some(self.expression(0)?)
        } else {
            None
        };
        let below = deepest([&test, &*then].into_iter().chain(otherwise.as_deref()));
        self.operation(test.at.start, Operation::Condition(Box::new((test, *then)), otherwise), below)
    }
}
