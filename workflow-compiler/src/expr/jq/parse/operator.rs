//! Parser of operators, with the precedences of jq.

use super::{Parsed, Parser};
use crate::expr::jq::ast::{Binary, OPERATORS, Term, TermKind, Update};
use crate::expr::jq::lex::JqTokenKind;

impl Parser<'_> {
    /// Parses operators of at least this precedence.
    pub(super) fn expression(&mut self, least: u8) -> Parsed<Term> {
        self.nest(|parser| parser.operators(least))
    }

    fn operators(&mut self, least: u8) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut left = self.operand()?;
        let mut lowest = u8::MAX;
        while let Some((operator, precedence, follows)) = self.operator() {
            if precedence < least || (follows == Follows::None && precedence >= lowest) {
                break;
            }
            self.advance();
            let right = self.expression(if follows == Follows::Right { precedence } else { precedence + 1 })?;
            let (left_operand, right) = (Box::new(left), Box::new(right));
            left = self.term_from(
                start,
                match operator {
                    Operator::Binary(binary) => TermKind::Binary(binary, left_operand, right),
                    Operator::Update(update) => TermKind::Update(update, left_operand, right),
                },
            )?;
            // A non-associative operator excludes others of the same precedence.
            lowest = if follows == Follows::None { precedence } else { u8::MAX };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(Operator, u8, Follows)> {
        let (JqTokenKind::Sign(sign) | JqTokenKind::Word(sign)) = self.next.kind else { return None };
        let on_values = |sign: &str| OPERATORS.iter().find(|operator| operator.sign == sign);
        let binary = |operator, precedence, follows| Some((Operator::Binary(operator), precedence, follows));
        let update = |operator| Some((Operator::Update(operator), 1, Follows::None));
        match sign {
            "//" => binary(Binary::Alternative, 0, Follows::Right),
            "or" => binary(Binary::Or, 2, Follows::Left),
            "and" => binary(Binary::And, 3, Follows::Left),
            "=" => update(Update::Assign),
            "|=" => update(Update::Modify),
            "//=" => update(Update::Default),
            _ => match on_values(sign) {
                Some(operator) => {
                    let follows = if operator.is_arithmetic() { Follows::Left } else { Follows::None };
                    binary(Binary::Values(operator), operator.precedence, follows)
                }
                None => update(Update::Math(on_values(sign.strip_suffix('=')?)?)),
            },
        }
    }

    /// Parses an operand.
    pub(super) fn operand(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        if self.eat("-") {
            let inner = self.nest(Self::operand)?;
            return self.term_from(start, TermKind::Negate(Box::new(inner)));
        }
        if self.eat_word("try") {
            let body = self.nest(Self::operand)?;
            let handler = if self.eat_word("catch") { Some(Box::new(self.nest(Self::operand)?)) } else { None };
            return self.term_from(start, TermKind::Try(Box::new(body), handler));
        }
        self.postfix()
    }
}

enum Operator {
    Binary(Binary),
    Update(Update),
}

/// The associativity of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Left,
    Right,
    None,
}
