//! Parser of operands in conditions: constants, paths, and the typed functions of RFC 9535 §2.4.

use super::Mode;
use super::ast::{Operand, RegexOperator, RegexTest, ValueFunction};
use super::parse::{PathParsed, PathParser, syntax};
use super::strings;
use crate::diagnostics::suggest::nearest;
use crate::expr::Literal;
use crate::expr::error::ExprError;
use crate::expr::jsonpath::codes::{WF0303, WF0351};
use std::ops::Range;

/// An operand of a comparison, or a condition by itself.
pub(super) enum Value {
    /// An operand with a value.
    Operand(Operand),
    /// A boolean function.
    Test(RegexTest),
}

impl PathParser<'_> {
    /// Parses the next operand.
    pub fn operand(&mut self) -> PathParsed<Value> {
        let start = self.cursor.at();
        match self.cursor.peek() {
            Some('@' | '$') => self.inner_path().map(|query| Value::Operand(Operand::Query(query))),
            Some(c) if c.is_ascii_lowercase() && self.is_call() => self.call(),
            Some(_) => match self.literal()? {
                Some(value) => Ok(Value::Operand(Operand::Literal { value, at: start..self.cursor.at() })),
                None => {
                    let error = syntax(self.cursor.here(), "expected a path, a constant or a function");
                    Err(error.help("write `@.name` for a member of the tested value").into())
                }
            },
            None => Err(syntax(start..start, "unexpected end of the condition").into()),
        }
    }

    /// Parses the operand after a comparison operator. AWS accepts a bare word as a string:
    /// `[?(@.code==es)]`.
    pub fn right_operand(&mut self, operator: &Range<usize>) -> PathParsed<Value> {
        let start = self.cursor.at();
        let before = self.cursor.clone();
        let is_word =
            |c: char| !c.is_whitespace() && !matches!(c, ')' | ']' | '(' | '[' | '\'' | '"' | '&' | '|' | ',');
        let operand = if self.cursor.is_at_end() { None } else { Some(self.operand()) };
        let bare_follows = self.cursor.peek().is_some_and(is_word);
        match operand {
            Some(Ok(value)) if !bare_follows => return Ok(value),
            Some(Err(error)) if self.mode == Mode::Rfc || !before.peek().is_some_and(char::is_alphanumeric) => {
                return Err(error);
            }
            Some(Ok(value)) if self.mode == Mode::Rfc || !before.peek().is_some_and(char::is_alphanumeric) => {
                return Ok(value);
            }
            None => return Err(syntax(operator.clone(), "missing operand after the operator").into()),
            _ => self.cursor = before,
        }
        let word = self.cursor.take_while(is_word).to_owned();
        let at = start..self.cursor.at();
        let error = ExprError::new(&WF0351, at.clone(), format!("unquoted `{word}` is read as a string"));
        let quoted = format!("'{word}'");
        self.warnings.push(error.help(format!("write `{quoted}`")).replace_by(quoted));
        Ok(Value::Operand(Operand::Literal { value: Literal::String(word), at }))
    }

    fn is_call(&self) -> bool {
        let rest = self.cursor.rest();
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
        end.is_some_and(|end| rest[end..].starts_with('('))
    }

    fn call(&mut self) -> PathParsed<Value> {
        const KNOWN: [&str; 5] = ["length", "count", "value", "match", "search"];
        let start = self.cursor.at();
        let name = self.cursor.take_while(|c| c != '(').to_owned();
        let name_at = start..self.cursor.at();
        if !KNOWN.contains(&name.as_str()) {
            let error = ExprError::new(&WF0303, name_at, format!("unknown function `{name}` in a path"));
            return Err(match nearest(&name, KNOWN) {
                Some(near) => error.help(format!("did you mean `{near}`?")).replace_by(near).into(),
                None => error.help("the functions are `length`, `count`, `value`, `match` and `search`").into(),
            });
        }
        self.cursor.eat("(");
        let mut arguments = self.nested(start, |parser| parser.arguments(start))?;
        let at = start..self.cursor.at();
        let wanted = if matches!(name.as_str(), "match" | "search") { 2 } else { 1 };
        if arguments.len() != wanted {
            let count = arguments.len();
            let plural = if wanted == 1 { "" } else { "s" };
            let error = ExprError::new(&WF0303, at, format!("`{name}` takes {wanted} argument{plural}, found {count}"));
            return Err(error.into());
        }
        let last = arguments.remove(wanted - 1);
        let function = match name.as_str() {
            "length" => ValueFunction::Length,
            "count" => ValueFunction::Count,
            "value" => ValueFunction::Value,
            name => {
                let flavour = if name == "match" { RegexOperator::Match } else { RegexOperator::Search };
                let subject = self.value_argument(name, arguments.remove(0))?;
                let pattern = self.value_argument(name, last)?;
                return Ok(Value::Test(RegexTest { flavour, subject, pattern }));
            }
        };
        let argument = match function {
            ValueFunction::Length => self.value_argument(&name, last)?,
            ValueFunction::Count | ValueFunction::Value => nodes_argument(&name, last)?,
        };
        Ok(Value::Operand(Operand::Call(function, Box::new(argument))))
    }

    fn arguments(&mut self, start: usize) -> PathParsed<Vec<(Value, Range<usize>)>> {
        let mut arguments = Vec::new();
        self.cursor.skip_blanks();
        if self.cursor.eat(")") {
            return Ok(arguments);
        }
        loop {
            self.cursor.skip_blanks();
            let at = self.cursor.at();
            let argument = self.operand()?;
            arguments.push((argument, at..self.cursor.at()));
            self.cursor.skip_blanks();
            if self.cursor.eat(")") {
                return Ok(arguments);
            }
            if !self.cursor.eat(",") {
                let error = syntax(start..self.cursor.here().end, "expected `,` or `)` after an argument");
                return Err(error.into());
            }
        }
    }

    /// Checks an argument of ValueType (RFC 9535 §2.4.3): a constant, a path to a single value, or
    /// a call of a value function.
    fn value_argument(&self, name: &str, (value, at): (Value, Range<usize>)) -> PathParsed<Operand> {
        match value {
            Value::Operand(Operand::Query(query)) if !query.is_definite() => {
                let error =
                    ExprError::new(&WF0303, at, format!("`{name}` takes one value, but this path can select several"));
                Err(error.help("name one value, such as `@.name`, or use `value(…)`").into())
            }
            Value::Operand(operand) => Ok(operand),
            Value::Test(_) => {
                Err(ExprError::new(&WF0303, at, format!("`{name}` takes a value, found a condition")).into())
            }
        }
    }

    /// Parses a constant, if one comes next.
    fn literal(&mut self) -> PathParsed<Option<Literal>> {
        let value = match self.cursor.peek() {
            Some('\'' | '"') => Literal::String(strings::quoted(&mut self.cursor, self.mode)?),
            Some(c) if c == '-' || c.is_ascii_digit() => return self.number().map(Some),
            Some('[') if self.mode != Mode::Rfc => return self.list().map(Some),
            _ if self.word("true") => Literal::Bool(true),
            _ if self.word("false") => Literal::Bool(false),
            _ if self.word("null") => Literal::Null,
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn word(&mut self, word: &str) -> bool {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_next = self.cursor.rest().strip_prefix(word).is_some_and(ends);
        is_next && self.cursor.eat(word)
    }

    fn number(&mut self) -> PathParsed<Literal> {
        let start = self.cursor.at();
        match number(self.cursor.rest()) {
            Some((value, len)) => {
                let text = &self.cursor.rest()[..len];
                self.cursor.eat(text);
                Ok(value)
            }
            None => Err(syntax(start..self.cursor.here().end, "invalid number").into()),
        }
    }

    /// Parses a list of constants: Jayway's `['a', 'b']` after `in` and related operators.
    fn list(&mut self) -> PathParsed<Literal> {
        let start = self.cursor.at();
        self.cursor.eat("[");
        let mut items = Vec::new();
        self.cursor.skip_blanks();
        while !self.cursor.eat("]") {
            match self.nested(start, Self::literal)? {
                Some(item) => items.push(item),
                None => return Err(syntax(self.cursor.here(), "expected a constant in this list").into()),
            }
            self.cursor.skip_blanks();
            if self.cursor.eat(",") {
                self.cursor.skip_blanks();
            } else if self.cursor.peek() != Some(']') {
                return Err(syntax(start..start + 1, "unclosed list").help("close it with `]`").into());
            }
        }
        Ok(Literal::Array(items))
    }
}

/// Checks an argument of NodesType (RFC 9535 §2.4.3): a path.
fn nodes_argument(name: &str, (value, at): (Value, Range<usize>)) -> PathParsed<Operand> {
    match value {
        Value::Operand(operand @ Operand::Query(_)) => Ok(operand),
        _ => Err(ExprError::new(&WF0303, at, format!("`{name}` takes a path"))
            .help("write a path such as `@.items[*]`")
            .into()),
    }
}

/// Returns the JSON number at the beginning of a text, and its length in bytes.
pub(crate) fn number(text: &str) -> Option<(Literal, usize)> {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(sign);
    if whole == 0 || (whole > 1 && text[sign..].starts_with('0')) {
        return None;
    }
    let mut end = sign + whole;
    if text[end..].starts_with('.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + signed);
        if exponent == 0 {
            return None;
        }
        end += 1 + signed + exponent;
    }
    let written = &text[..end];
    if let Ok(number) = written.parse::<i64>() {
        return Some((Literal::Int(number), end));
    }
    written.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| (Literal::Float(number), end))
}
