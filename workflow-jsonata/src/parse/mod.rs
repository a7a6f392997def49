//! The parser: top-down operator precedence, as the reference implementation has it.

mod call;
mod infix;
mod prefix;

use std::ops::Range;

use crate::ast::Node;
use crate::build;
use crate::error::SyntaxError;
use crate::lexer::{Lexer, Token, TokenKind, quote};
use crate::raw::{Operation, Raw, RawKind};

/// The levels that the tree of an expression may have.
pub const MAX_DEPTH: usize = 250;

/// The bytes that the text of an expression may have.
pub const MAX_LENGTH: usize = 1 << 20;

/// Reads an expression.
///
/// ```
/// use workflow_jsonata::{NodeKind, StepKind, parse};
///
/// let node = parse("$states.input.order[total > 100]")?;
/// let NodeKind::Path(path) = &node.kind else { unreachable!("the expression has dots") };
/// assert_eq!(path.steps.len(), 3);
/// let StepKind::Node(name) = &path.steps[2].kind else { unreachable!("the step is no order") };
/// assert!(matches!(&name.kind, NodeKind::Name(name) if &**name == "order"));
/// assert_eq!(path.steps[2].stages.len(), 1);
///
/// let error = parse("[1, 2;").unwrap_err();
/// assert_eq!(error.to_string(), "S0202: Expected \"]\", got \";\"");
/// assert_eq!(error.at, 5..6);
/// # Ok::<(), workflow_jsonata::SyntaxError>(())
/// ```
///
/// # Errors
///
/// Returns the first error in the text: a text that is not JSONata 2.0.6, more levels than
/// [`MAX_DEPTH`], or more bytes than [`MAX_LENGTH`].
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    read(text).map_err(|error| *error)
}

fn read(text: &str) -> Result<Node, Box<SyntaxError>> {
    if text.len() > MAX_LENGTH {
        let message = format!("The expression has more than {MAX_LENGTH} bytes");
        return Err(SyntaxError::limit(message, 0..0));
    }
    let mut parser = Parser::new(text)?;
    let raw = parser.expression(0)?;
    if parser.token.kind != TokenKind::End {
        return Err(parser.unexpected());
    }
    build::expression(*raw)
}

/// A parser with the token that it looks at.
struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// The end of the token before.
    end: usize,
    /// The calls of [`Parser::expression`] that are under way.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, Box<SyntaxError>> {
        let token = Token { kind: TokenKind::End, at: 0..0 };
        let mut parser = Self { lexer: Lexer::new(text), token, end: 0, nesting: 0 };
        parser.advance(false)?;
        Ok(parser)
    }

    /// Reads an expression whose operators bind more strongly than a number.
    fn expression(&mut self, binding: u8) -> Result<Box<Raw>, Box<SyntaxError>> {
        if self.nesting >= MAX_DEPTH {
            return Err(too_deep(self.token.at.clone()));
        }
        self.nesting += 1;
        // The token after the first one is read as an operator, even after a bracket that opens.
        let first = self.advance(true)?;
        let mut left = self.prefix(first)?;
        while binding < self.binding() {
            let operator = self.advance(false)?;
            left = self.infix(left, &operator)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// Moves to the next token and returns the one before.
    fn advance(&mut self, is_after_operand: bool) -> Result<Token, Box<SyntaxError>> {
        self.end = self.token.at.end;
        let token = self.lexer.next(is_after_operand)?;
        if let TokenKind::Operator(operator @ ("!" | "~")) = token.kind {
            let message = format!("Unknown operator: {}", quote(operator));
            return Err(SyntaxError::new("S0204", message, token.at));
        }
        Ok(std::mem::replace(&mut self.token, token))
    }

    /// Moves beyond an operator.
    fn expect(&mut self, operator: &str, is_after_operand: bool) -> Result<(), Box<SyntaxError>> {
        if self.token.is(operator) {
            return self.advance(is_after_operand).map(drop);
        }
        let (operator, at) = (quote(operator), self.token.at.clone());
        Err(if self.token.kind == TokenKind::End {
            SyntaxError::new("S0203", format!("Expected {operator} before end of expression"), at)
        } else {
            SyntaxError::new("S0202", format!("Expected {operator}, got {}", self.token.shown()), at)
        })
    }

    /// Returns an error for a token that follows a complete expression.
    fn unexpected(&self) -> Box<SyntaxError> {
        SyntaxError::new("S0201", format!("Syntax error: {}", self.token.shown()), self.token.at.clone())
    }

    /// Returns what to write in place of an operator of JSONata 2.1 that ends at a place.
    fn help(&self, operator: &str, start: usize) -> Option<&'static str> {
        match operator {
            "?" if self.lexer.before(start) == Some(b'?') => Some("write `$exists(a) ? a : b` in place of `a ?? b`"),
            ":" if self.lexer.before(start) == Some(b'?') => Some("write `a ? a : b` in place of `a ?: b`"),
            _ => None,
        }
    }

    /// Returns an operation that ends with the token before.
    fn operation(&self, start: usize, operation: Operation, below: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        self.part(start, RawKind::Operation(operation), below)
    }

    /// Returns a part that ends with the token before.
    fn part(&self, start: usize, kind: RawKind, below: usize) -> Result<Box<Raw>, Box<SyntaxError>> {
        let at = start..self.end.max(start);
        if below >= MAX_DEPTH {
            return Err(too_deep(at));
        }
        Ok(Box::new(Raw { at, kind, depth: below + 1, keeps_array: false }))
    }
}

/// Returns the error for an expression with too many levels.
fn too_deep(at: Range<usize>) -> Box<SyntaxError> {
    SyntaxError::limit(format!("The expression is nested more than {MAX_DEPTH} levels deep"), at)
}
