//! Parser of filter conditions (RFC 9535 §2.3.5, and Jayway's operators).

use super::Mode;
use super::ast::{Comparison, ComparisonForm, Condition, Operand, Query, QueryRoot, RegexOperator, RegexTest};
use super::operand::Value;
use super::parse::{PathParsed, PathParser, syntax};
use crate::expr::error::ExprError;
use crate::expr::jsonpath::codes::{WF0301, WF0303};
use crate::expr::{Function, Literal};
use std::ops::Range;

/// The operators, longer ones first: the notation, the function in RFC 9535 if it has the
/// operator, the function in Jayway, and their relation to the operator.
const OPERATORS: [(&str, Option<&Function>, &Function, ComparisonForm); 16] = {
    use super::functions as f;
    use ComparisonForm::{Exchanged, Negated, Plain};
    [
        ("===", None, &f::EQUAL, Plain),
        ("!==", None, &f::EQUAL, Negated),
        ("==", Some(&f::EQUAL), &f::JAYWAY_EQUAL, Plain),
        ("!=", Some(&f::EQUAL), &f::JAYWAY_EQUAL, Negated),
        ("<=", Some(&f::LESS_OR_EQUAL), &f::JAYWAY_LESS_OR_EQUAL, Plain),
        (">=", Some(&f::LESS_OR_EQUAL), &f::JAYWAY_LESS_OR_EQUAL, Exchanged),
        ("<", Some(&f::LESS), &f::LESS, Plain),
        (">", Some(&f::LESS), &f::LESS, Exchanged),
        ("in", None, &f::JAYWAY_IN, Plain),
        ("nin", None, &f::JAYWAY_IN, Negated),
        ("subsetof", None, &f::JAYWAY_SUBSET_OF, Plain),
        ("anyof", None, &f::JAYWAY_ANY_OF, Plain),
        ("noneof", None, &f::JAYWAY_NONE_OF, Plain),
        ("size", None, &f::JAYWAY_SIZE, Plain),
        ("empty", None, &f::JAYWAY_EMPTY, Plain),
        ("contains", None, &f::JAYWAY_CONTAINS, Plain),
    ]
};

impl PathParser<'_> {
    /// Parses conditions joined by `||`.
    pub fn condition(&mut self) -> PathParsed<Condition> {
        self.joined("||", Self::conjunction, Condition::Or)
    }

    fn conjunction(&mut self) -> PathParsed<Condition> {
        self.joined("&&", Self::term, Condition::And)
    }

    fn joined(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> PathParsed<Condition>,
        join: fn(Vec<Condition>) -> Condition,
    ) -> PathParsed<Condition> {
        let mut terms = vec![operand(self)?];
        while self.eat_after_blanks(sign) {
            terms.push(operand(self)?);
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { join(terms) })
    }

    /// Consumes blanks and `wanted`, if that follows them.
    pub fn eat_after_blanks(&mut self, wanted: &str) -> bool {
        let before = self.cursor.clone();
        self.cursor.skip_blanks();
        let is_next = self.cursor.eat(wanted);
        if !is_next {
            self.cursor = before;
        }
        is_next
    }

    fn term(&mut self) -> PathParsed<Condition> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        if self.cursor.peek() == Some('!') {
            self.cursor.bump();
            self.cursor.skip_blanks();
            let inner = self.nested(start, Self::negatable)?;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.cursor.peek() == Some('(') {
            return self.parenthesis();
        }
        let left = self.operand()?;
        let left_at = start..self.cursor.at();
        let before = self.cursor.clone();
        self.cursor.skip_blanks();
        match self.operator()? {
            Some((comparison, at)) => self.comparison(left, left_at, comparison, at),
            None if self.cursor.eat("=~") && self.mode != Mode::Rfc => self.regular_expression(left, left_at),
            None => {
                self.cursor = before;
                self.test(left, left_at)
            }
        }
    }

    /// Parses the operand of `!`: a parenthesis or a test, but no comparison (RFC 9535 §2.3.5.1).
    fn negatable(&mut self) -> PathParsed<Condition> {
        if self.cursor.peek() == Some('(') {
            return self.parenthesis();
        }
        let start = self.cursor.at();
        if self.cursor.peek() == Some('!') && self.mode != Mode::Rfc {
            return self.term();
        }
        let operand = self.operand()?;
        let at = start..self.cursor.at();
        self.test(operand, at)
    }

    fn parenthesis(&mut self) -> PathParsed<Condition> {
        let start = self.cursor.at();
        self.cursor.eat("(");
        let inner = self.nested(start, Self::condition)?;
        self.cursor.skip_blanks();
        if self.cursor.eat(")") {
            return Ok(inner);
        }
        let error = match self.cursor.peek() {
            Some('=') => syntax(self.cursor.here(), "a single `=` is not an operator").help("write `==`"),
            Some(found) if found != ']' => syntax(self.cursor.here(), format!("unexpected `{found}` in the condition")),
            _ => syntax(start..start + 1, "unclosed parenthesis").help("close it with `)`"),
        };
        Err(error.into())
    }

    /// Converts an operand that stands alone to a condition: a path that must lead to a value, or
    /// a boolean function.
    fn test(&mut self, operand: Value, at: Range<usize>) -> PathParsed<Condition> {
        match operand {
            Value::Operand(Operand::Query(query)) => Ok(Condition::Exists(query)),
            Value::Test(pattern) => Ok(Condition::Matches(pattern)),
            Value::Operand(Operand::Literal { .. }) => {
                let error = syntax(at, "a constant is not a condition");
                Err(error.help("compare it with a path, such as `@.name == 'x'`").into())
            }
            Value::Operand(Operand::Call(..)) => {
                let error = ExprError::new(&WF0303, at, "the result of the function is not a condition");
                Err(error.help("compare the result, as in `length(@.name) > 0`").into())
            }
        }
    }

    fn comparison(
        &mut self,
        left: Value,
        left_at: Range<usize>,
        comparison: Comparison,
        at: Range<usize>,
    ) -> PathParsed<Condition> {
        let left = self.comparable(left, left_at)?;
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        let right = self.right_operand(&at)?;
        let right = self.comparable(right, start..self.cursor.at())?;
        Ok(Condition::Compare { comparison, left, right })
    }

    /// Converts an operand to one that can be compared: a constant, the result of a value
    /// function, or a path to a single value (RFC 9535 §2.3.5.1).
    fn comparable(&self, value: Value, at: Range<usize>) -> PathParsed<Operand> {
        match value {
            Value::Operand(Operand::Query(query)) if self.mode == Mode::Rfc && !query.is_definite() => {
                let error = ExprError::new(&WF0301, at, "a path that can select several values cannot be compared");
                Err(error.help("name one value, such as `@.name` or `@[0]`").into())
            }
            Value::Operand(operand) => Ok(operand),
            Value::Test(_) => {
                let error =
                    ExprError::new(&WF0303, at, "the result of the function is a condition and cannot be compared");
                Err(error.help("use the function alone, or negate it with `!`").into())
            }
        }
    }

    fn operator(&mut self) -> PathParsed<Option<(Comparison, Range<usize>)>> {
        let start = self.cursor.at();
        let is_rfc = self.mode == Mode::Rfc;
        let rest = self.cursor.rest();
        let word = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let is_next = |name: &str| match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => name.eq_ignore_ascii_case(word),
            false => rest.starts_with(name),
        };
        for (name, in_rfc, in_jayway, form) in OPERATORS {
            let function = if is_rfc { in_rfc } else { Some(in_jayway) };
            if let Some(function) = function.filter(|_| is_next(name)) {
                self.cursor.eat(&rest[..name.len()]);
                return Ok(Some((Comparison { function, form }, start..self.cursor.at())));
            }
        }
        if rest.starts_with('=') && !rest.starts_with("=~") {
            let error = syntax(start..start + 1, "a single `=` is not an operator");
            return Err(error.help("write `==`").replace_by("==").into());
        }
        Ok(None)
    }

    /// Parses `/pattern/flags` after `=~`. The flags are merged into the pattern.
    fn regular_expression(&mut self, left: Value, left_at: Range<usize>) -> PathParsed<Condition> {
        let subject = self.comparable(left, left_at)?;
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        if !self.cursor.eat("/") {
            let error = syntax(self.cursor.here(), "expected a regular expression after `=~`");
            return Err(error.help("write it between slashes: `=~ /x.*/i`").into());
        }
        let mut pattern = String::new();
        loop {
            match self.cursor.bump() {
                None => return Err(syntax(start..start + 1, "unclosed regular expression: missing `/`").into()),
                Some('/') => break,
                Some('\\') if self.cursor.eat("/") => pattern.push('/'),
                Some('\\') => {
                    pattern.push('\\');
                    pattern.extend(self.cursor.bump());
                }
                Some(c) => pattern.push(c),
            }
        }
        let flags_at = self.cursor.at();
        let flags = self.cursor.take_while(|c| c.is_ascii_alphabetic());
        if let Some(unknown) = flags.chars().find(|flag| !matches!(flag, 'i' | 'm' | 's' | 'u' | 'x')) {
            let error = syntax(flags_at..self.cursor.at(), format!("unknown flag `{unknown}`"));
            return Err(error.help("the flags are `i`, `m`, `s`, `u` and `x`").into());
        }
        let flags: String = flags.chars().filter(|flag| *flag != 'u').collect();
        let pattern = if flags.is_empty() { pattern } else { format!("(?{flags}){pattern}") };
        let at = start..self.cursor.at();
        let pattern = Operand::Literal { value: Literal::String(pattern), at };
        Ok(Condition::Matches(RegexTest { flavour: RegexOperator::Jayway, subject, pattern }))
    }

    /// Parses a path inside a filter, from `@` or `$`.
    pub fn inner_path(&mut self) -> PathParsed<Query> {
        if self.cursor.peek() == Some('$') {
            return self.path();
        }
        let start = self.cursor.at();
        self.cursor.eat("@");
        self.query(QueryRoot::Current, start)
    }
}
