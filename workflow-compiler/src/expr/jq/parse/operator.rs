//! Parser of operators, with the precedences of jq.

use super::{Parsed, Parser};
use crate::expr::jq::ast::{Binary, Term, TermKind, Update};
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
        use Binary as B;
        let binary = |operator, precedence, follows| Some((Operator::Binary(operator), precedence, follows));
        let update = |operator| Some((Operator::Update(operator), 1, Follows::None));
        match self.next.kind {
            JqTokenKind::Sign(sign) => match sign {
                "//" => binary(B::Alternative, 0, Follows::Right),
                "=" => update(Update::Assign),
                "|=" => update(Update::Modify),
                "//=" => update(Update::Default),
                "+=" => update(Update::Math(B::Add)),
                "-=" => update(Update::Math(B::Subtract)),
                "*=" => update(Update::Math(B::Multiply)),
                "/=" => update(Update::Math(B::Divide)),
                "%=" => update(Update::Math(B::Remainder)),
                "==" => binary(B::Equal, 4, Follows::None),
                "!=" => binary(B::NotEqual, 4, Follows::None),
                "<" => binary(B::Less, 4, Follows::None),
                "<=" => binary(B::LessOrEqual, 4, Follows::None),
                ">" => binary(B::Greater, 4, Follows::None),
                ">=" => binary(B::GreaterOrEqual, 4, Follows::None),
                "+" => binary(B::Add, 5, Follows::Left),
                "-" => binary(B::Subtract, 5, Follows::Left),
                "*" => binary(B::Multiply, 6, Follows::Left),
                "/" => binary(B::Divide, 6, Follows::Left),
                "%" => binary(B::Remainder, 6, Follows::Left),
                _ => None,
            },
            JqTokenKind::Word("or") => binary(B::Or, 2, Follows::Left),
            JqTokenKind::Word("and") => binary(B::And, 3, Follows::Left),
            _ => None,
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
