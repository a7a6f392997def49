//! Lowering of expressions.

use super::super::globals;
use super::super::ir::{Binary, Expr, Logical, TextPiece, Type, Unary};
use super::literals::text_of;
use super::{Lowering, Promised, Step};
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BinaryExpression, ChainElement, Expression, MemberExpression,
    StaticMemberExpression, UnaryExpression,
};
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator, UpdateOperator};

impl Lowering<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &Expression<'_>) -> Step<Expr> {
        self.promised(expr, Promised::Kept)
    }

    /// Lowers an expression that may yield a promise.
    pub(super) fn promised(&mut self, expr: &Expression<'_>, promised: Promised) -> Step<Expr> {
        self.nested(expr.span(), |cx| cx.expr_here(expr, promised))
    }

    /// Lowers the operand of `return`. The outermost function and async functions settle a
    /// returned promise ([Q4](docs/composer.md#q4)). The handler of an enclosing `try` does not
    /// see its rejection.
    pub(super) fn returned(&mut self, expr: &Expression<'_>) -> Step<Expr> {
        let promised = match self.frames.last() {
            Some(frame) if !frame.is_awaited => Promised::Kept,
            Some(frame) if frame.try_depth > 0 => Promised::Settled,
            _ => Promised::Returned,
        };
        self.promised(expr, promised)
    }

    fn expr_here(&mut self, expr: &Expression<'_>, promised: Promised) -> Step<Expr> {
        Ok(match expr {
            Expression::BooleanLiteral(literal) => Expr::Bool(literal.value),
            Expression::NullLiteral(_) => Expr::Null,
            Expression::NumericLiteral(literal) => Expr::Number(literal.value),
            Expression::StringLiteral(literal) => Expr::String(text_of(&literal.value, literal.lone_surrogates)),
            Expression::TemplateLiteral(template) => self.template(template)?,
            Expression::Identifier(name) => self.read(name)?,
            Expression::ThisExpression(this) => self.this(this.span)?,
            Expression::ParenthesizedExpression(inner) => self.expr_here(&inner.expression, promised)?,
            Expression::ArrayExpression(array) => self.array(&array.elements)?,
            Expression::ObjectExpression(object) => self.object(object)?,
            Expression::ArrowFunctionExpression(arrow) => Expr::Function(Box::new(self.arrow(arrow, String::new())?)),
            Expression::FunctionExpression(function) => self.function_value(function)?,
            Expression::UnaryExpression(unary) => self.unary(unary)?,
            Expression::UpdateExpression(update) => {
                let place = self.place(&update.argument, true)?;
                Expr::Update { place, up: update.operator == UpdateOperator::Increment, prefix: update.prefix }
            }
            Expression::BinaryExpression(binary) => self.binary(binary)?,
            Expression::LogicalExpression(logical) => {
                let left = self.boxed(&logical.left)?;
                let right = Box::new(self.promised(&logical.right, promised)?);
                Expr::Logical(logical_of(logical.operator), left, right)
            }
            Expression::ConditionalExpression(conditional) => {
                let test = self.boxed(&conditional.test)?;
                let [yes, no] =
                    [&conditional.consequent, &conditional.alternate].map(|branch| self.promised(branch, promised));
                Expr::Conditional(test, Box::new(yes?), Box::new(no?))
            }
            Expression::AssignmentExpression(assignment) => self.assignment(assignment)?,
            Expression::SequenceExpression(sequence) => {
                let values = sequence.expressions.iter().map(|value| self.expr(value));
                Expr::Sequence(values.collect::<Step<Vec<Expr>>>()?)
            }
            Expression::AwaitExpression(wait) => self.promised(&wait.argument, Promised::Awaited)?,
            Expression::StaticMemberExpression(member) => {
                if let Some(name) = self.global_name(expr) {
                    return match globals::constant(&name) {
                        Some(number) => Ok(Expr::Number(number)),
                        None => self.stop(format!("`{name}` as a value"), member.span),
                    };
                }
                self.static_member(member)?
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.link(&member.object, member.optional)?;
                let key = self.computed_key(&member.expression)?;
                Expr::Member(object, key)
            }
            Expression::CallExpression(call) => self.call(call, promised)?,
            Expression::NewExpression(new) => self.construct(new, promised)?,
            Expression::ChainExpression(chain) => self.chain(&chain.expression)?,
            Expression::BigIntLiteral(literal) => return self.stop_at("a BigInt", literal.span),
            Expression::RegExpLiteral(literal) => return self.stop_at("a regular expression", literal.span),
            Expression::TaggedTemplateExpression(template) => {
                return self.stop_at("a tagged template", template.span);
            }
            Expression::ClassExpression(class) => return self.stop("a class", class.span),
            Expression::ImportExpression(import) => return self.stop_at("an import", import.span),
            other => return self.stop_at("an expression", other.span()),
        })
    }

    fn chain(&mut self, chain: &ChainElement<'_>) -> Step<Expr> {
        let inner = match chain {
            ChainElement::CallExpression(call) => self.call(call, Promised::Kept)?,
            other => match other.as_member_expression() {
                Some(MemberExpression::StaticMemberExpression(member)) => self.static_member(member)?,
                Some(MemberExpression::ComputedMemberExpression(member)) => {
                    let object = self.link(&member.object, member.optional)?;
                    let key = self.computed_key(&member.expression)?;
                    Expr::Member(object, key)
                }
                _ => return self.stop_at("an optional chain", other.span()),
            },
        };
        Ok(Expr::Chain(Box::new(inner)))
    }

    /// Lowers `object.name`.
    fn static_member(&mut self, member: &StaticMemberExpression<'_>) -> Step<Expr> {
        // A constructor is not a value here, but its name can be read.
        if let Expression::StaticMemberExpression(inner) = &member.object
            && inner.property.name == "constructor"
            && member.property.name == "name"
            && !member.optional
            && self.global_name(&member.object).is_none()
        {
            return Ok(Expr::ConstructorName(self.link(&inner.object, inner.optional)?));
        }
        let object = self.link(&member.object, member.optional)?;
        let key = self.member_name(&member.property)?;
        Ok(Expr::Member(object, key))
    }

    fn unary(&mut self, unary: &UnaryExpression<'_>) -> Step<Expr> {
        let argument = unary.argument.without_parentheses();
        let op = match unary.operator {
            UnaryOperator::UnaryNegation => Unary::Minus,
            UnaryOperator::UnaryPlus => Unary::Plus,
            UnaryOperator::LogicalNot => Unary::Not,
            UnaryOperator::BitwiseNot => Unary::BitNot,
            UnaryOperator::Void => Unary::Void,
            UnaryOperator::Typeof => {
                if let Some(name) = self.type_of_global(argument) {
                    return Ok(Expr::String(name.to_owned()));
                }
                let value = match argument {
                    Expression::Identifier(name) if self.resolved(name).is_none() => self.read(name)?,
                    other => self.expr(other)?,
                };
                return Ok(match value {
                    Expr::Free(_) | Expr::Undefined => Expr::String("undefined".to_owned()),
                    value => Expr::Unary(Unary::TypeOf, Box::new(value)),
                });
            }
            UnaryOperator::Delete => return self.delete(argument),
        };
        let value = self.expr(argument)?;
        Ok(match (op, value) {
            (Unary::Minus, Expr::Number(number)) => Expr::Number(-number),
            (Unary::Void, value) if value.is_simple() => Expr::Undefined,
            (op, value) => Expr::Unary(op, Box::new(value)),
        })
    }

    /// Lowers `typeof` of a built-in without creating a value for the built-in.
    fn type_of_global(&self, argument: &Expression<'_>) -> Option<&'static str> {
        match argument {
            Expression::Identifier(name) if self.is_global(name) => globals::type_of(&name.name),
            other => globals::builtin(&self.global_name(other)?).map(|_| "function"),
        }
    }

    fn delete(&mut self, argument: &Expression<'_>) -> Step<Expr> {
        match argument {
            Expression::StaticMemberExpression(member) => {
                let object = self.boxed(&member.object)?;
                Ok(Expr::Delete(object, self.member_name(&member.property)?))
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.boxed(&member.object)?;
                Ok(Expr::Delete(object, self.computed_key(&member.expression)?))
            }
            Expression::ChainExpression(chain) => {
                let deletion = match chain.expression.as_member_expression() {
                    Some(MemberExpression::StaticMemberExpression(member)) => {
                        let object = self.link(&member.object, member.optional)?;
                        Expr::Delete(object, self.member_name(&member.property)?)
                    }
                    Some(MemberExpression::ComputedMemberExpression(member)) => {
                        let object = self.link(&member.object, member.optional)?;
                        Expr::Delete(object, self.computed_key(&member.expression)?)
                    }
                    _ => return self.stop_at("a `delete` of an expression that is not a member", chain.span),
                };
                Ok(Expr::Chain(Box::new(deletion)))
            }
            other => self.stop_at("a `delete` of an expression that is not a member", other.span()),
        }
    }

    /// Lowers a chain of left-associative operators without recursion: long concatenations are
    /// common.
    fn binary(&mut self, binary: &BinaryExpression<'_>) -> Step<Expr> {
        let mut steps = vec![binary];
        let mut first = &binary.left;
        while let Expression::BinaryExpression(inner) = first {
            steps.push(inner);
            first = &inner.left;
        }
        let mut value = self.expr(first)?;
        let mut depth = 0;
        for step in steps.into_iter().rev() {
            value = self.operation(step, value)?;
            // A concatenation does not nest in the result.
            depth = if matches!(value, Expr::Template(_)) { 0 } else { depth + 1 };
            if depth > super::MAX_NESTING {
                return self.stop("very deep nesting", binary.span);
            }
        }
        Ok(value)
    }

    fn operation(&mut self, binary: &BinaryExpression<'_>, left: Expr) -> Step<Expr> {
        if binary.operator == BinaryOperator::Instanceof {
            let name = self.global_name(&binary.right);
            return match name.as_deref().and_then(globals::class) {
                Some(class) => Ok(Expr::InstanceOf(Box::new(left), class)),
                None => self.stop_at("an `instanceof`", binary.span),
            };
        }
        let right = self.expr(&binary.right)?;
        let op = binary_of(binary.operator);
        Ok(match op {
            Binary::Add => self.sum(left, right),
            _ => Expr::Binary(op, Box::new(left), Box::new(right)),
        })
    }

    /// Lowers `left + right`. The result is a concatenation if one operand is certainly a text.
    fn sum(&self, left: Expr, right: Expr) -> Expr {
        let is_text = |value: &Expr| value.ty(&self.locals) == Type::String;
        // The left operand is converted before the right one is evaluated, unless the order is
        // unobservable.
        if !(is_text(&left) || is_text(&right) && right.is_simple()) {
            return Expr::Binary(Binary::Add, Box::new(left), Box::new(right));
        }
        let mut pieces = pieces(left);
        pieces.extend(self::pieces(right));
        match &mut pieces[..] {
            [] => Expr::String(String::new()),
            _ => Expr::Template(merged(pieces)),
        }
    }

    fn assignment(&mut self, assignment: &AssignmentExpression<'_>) -> Step<Expr> {
        let is_plain = assignment.operator == AssignmentOperator::Assign;
        let Some(simple) = assignment.left.as_simple_assignment_target() else {
            let pattern = self.target_pattern(&assignment.left)?;
            let value = self.expr(&assignment.right)?;
            return Ok(Expr::Destructure(Box::new(pattern), Box::new(value)));
        };
        let place = self.place(simple, !is_plain)?;
        let name = match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => name.name.to_string(),
            _ => String::new(),
        };
        let value = Box::new(self.named_by(&assignment.right, name)?);
        Ok(match assignment.operator {
            AssignmentOperator::Assign => Expr::Assign(place, value),
            AssignmentOperator::LogicalAnd => Expr::LogicalAssign(place, Logical::And, value),
            AssignmentOperator::LogicalOr => Expr::LogicalAssign(place, Logical::Or, value),
            AssignmentOperator::LogicalNullish => Expr::LogicalAssign(place, Logical::Coalesce, value),
            other => match other.to_binary_operator() {
                Some(op) => Expr::Compound(place, binary_of(op), value),
                None => return self.stop_at("an assignment", assignment.span),
            },
        })
    }
}

/// Returns the pieces of a concatenation.
fn pieces(value: Expr) -> Vec<TextPiece> {
    match value {
        Expr::Template(pieces) => pieces,
        Expr::String(text) => vec![TextPiece::Text(text)],
        other => vec![TextPiece::Added(other)],
    }
}

/// Merges adjacent constant pieces.
fn merged(pieces: Vec<TextPiece>) -> Vec<TextPiece> {
    let mut out: Vec<TextPiece> = Vec::new();
    for piece in pieces {
        match (out.last_mut(), piece) {
            (_, TextPiece::Text(text)) if text.is_empty() => {}
            (Some(TextPiece::Text(before)), TextPiece::Text(text)) => before.push_str(&text),
            (_, piece) => out.push(piece),
        }
    }
    out
}

fn logical_of(op: LogicalOperator) -> Logical {
    match op {
        LogicalOperator::And => Logical::And,
        LogicalOperator::Or => Logical::Or,
        LogicalOperator::Coalesce => Logical::Coalesce,
    }
}

fn binary_of(op: BinaryOperator) -> Binary {
    match op {
        BinaryOperator::Addition => Binary::Add,
        BinaryOperator::Subtraction => Binary::Subtract,
        BinaryOperator::Multiplication => Binary::Multiply,
        BinaryOperator::Division => Binary::Divide,
        BinaryOperator::Remainder => Binary::Remainder,
        BinaryOperator::Exponential => Binary::Power,
        BinaryOperator::ShiftLeft => Binary::ShiftLeft,
        BinaryOperator::ShiftRight => Binary::ShiftRight,
        BinaryOperator::ShiftRightZeroFill => Binary::ShiftRightUnsigned,
        BinaryOperator::BitwiseAnd => Binary::BitAnd,
        BinaryOperator::BitwiseOR => Binary::BitOr,
        BinaryOperator::BitwiseXOR => Binary::BitXor,
        BinaryOperator::StrictEquality => Binary::StrictEqual,
        BinaryOperator::StrictInequality => Binary::StrictUnequal,
        BinaryOperator::Equality => Binary::Equal,
        BinaryOperator::Inequality => Binary::Unequal,
        BinaryOperator::LessThan => Binary::Less,
        BinaryOperator::LessEqualThan => Binary::LessOrEqual,
        BinaryOperator::GreaterThan => Binary::Greater,
        BinaryOperator::GreaterEqualThan => Binary::GreaterOrEqual,
        BinaryOperator::In | BinaryOperator::Instanceof => Binary::In,
    }
}
