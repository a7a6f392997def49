//! Calls and functions.

use super::Parser;
use crate::ast::Signature;
use crate::error::SyntaxError;
use crate::lexer::TokenKind;
use crate::raw::{Operation, Raw, RawKind, RawLambda, deepest};

impl Parser<'_> {
    /// Reads the arguments of a call, or the rest of a function.
    pub(super) fn call(&mut self, callee: Box<Raw>) -> Result<Box<Raw>, Box<SyntaxError>> {
        let mut is_partial = false;
        let mut args = Vec::new();
        if !self.token.is(")") {
            loop {
                if self.token.is("?") {
                    is_partial = true;
                    let placeholder = self.advance(false)?;
                    args.push(*self.part(placeholder.at.start, RawKind::Placeholder, 0)?);
                } else {
                    args.push(*self.expression(0)?);
                }
                if !self.token.is(",") {
                    break;
                }
                self.expect(",", false)?;
            }
        }
        self.expect(")", true)?;
        if matches!(&callee.kind, RawKind::Name(name) if matches!(&**name, "function" | "λ")) {
            return self.lambda(callee.at.start, args);
        }
        let (start, below) = (callee.at.start, callee.depth.max(deepest(&args)));
        let operation = if is_partial { Operation::Partial(callee, args) } else { Operation::Call(callee, args) };
        self.operation(start, operation, below)
    }

    /// Reads the signature and the body of a function.
    fn lambda(&mut self, start: usize, args: Vec<Raw>) -> Result<Box<Raw>, Box<SyntaxError>> {
        let mut params = Vec::with_capacity(args.len());
        for (place, arg) in args.into_iter().enumerate() {
            let RawKind::Variable(name) = arg.kind else {
                let message =
                    format!("Parameter {} of function definition must be a variable name (start with $)", place + 1);
                return Err(SyntaxError::new("S0208", message, arg.at));
            };
            params.push(name);
        }
        let signature = if self.token.is("<") { Some(self.signature()?) } else { None };
        self.expect("{", false)?;
        let body = self.expression(0)?;
        self.expect("}", false)?;
        let below = body.depth;
        self.part(start, RawKind::Lambda(Box::new(RawLambda { params, signature, body: *body })), below)
    }

    /// Reads the signature of a function, which the tokens between `<` and `>` make up.
    fn signature(&mut self) -> Result<Signature, Box<SyntaxError>> {
        let mut text = "<".to_owned();
        let mut places = vec![(0, self.token.at.clone())];
        let mut depth = 1_usize;
        while depth > 0 && !self.token.is("{") && self.token.kind != TokenKind::End {
            self.advance(false)?;
            if self.token.is(">") {
                depth -= 1;
            } else if self.token.is("<") {
                depth += 1;
            }
            places.push((text.len(), self.token.at.clone()));
            text.push_str(&self.token.value());
        }
        self.expect(">", false)?;
        Signature::parse(&text).map_err(|error| {
            let place = places.partition_point(|(start, _)| *start <= error.at.start);
            let at = places[place.saturating_sub(1)].1.clone();
            Box::new(SyntaxError { at, ..error })
        })
    }
}
