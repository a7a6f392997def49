//! Lowering of operators.

use super::callees::{self, comparison};
use super::{ToCore, UNDEFINED, number};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, Constant, CoreArgument, CoreStatement, CoreType, Primitive};
use crate::expr::javascript::ir::{Binary, Expr, Logical, Type, Unary};

impl ToCore<'_> {
    pub(super) fn unary(&mut self, op: Unary, inner: &Expr) -> Atom {
        match op {
            Unary::Plus => {
                let inner = self.atom(inner);
                self.number_of(&inner)
            }
            Unary::Minus => {
                let inner = self.atom(inner);
                match self.number_of(&inner) {
                    Atom::Constant(Constant::Number(value)) => number(-value),
                    inner => self.call("negative", callees::MINUS, &[&inner]),
                }
            }
            Unary::Not => {
                let inner = self.truth(inner);
                self.not(inner)
            }
            Unary::BitNot => {
                let inner = self.atom(inner);
                let inner = self.number_of(&inner);
                let inner = self.call("bits", callees::INT32, &[&inner]);
                let inner = self.call("bits", callees::COMPLEMENT, &[&inner]);
                self.call("number", callees::FROM_SCALAR, &[&inner])
            }
            Unary::TypeOf => {
                let name = self.type_of(inner);
                self.call("name", callees::FROM_STATIC, &[&name])
            }
            Unary::Void => {
                self.discard(inner);
                UNDEFINED
            }
        }
    }

    /// Returns the result of `typeof` as a text of the program.
    pub(super) fn type_of(&mut self, value: &Expr) -> Atom {
        let value = self.atom(value);
        self.call("name", callees::TYPE_OF, &[&value])
    }

    pub(super) fn binary(&mut self, op: Binary, left: &Expr, right: &Expr) -> Atom {
        if let Binary::StrictEqual | Binary::StrictUnequal = op {
            let wanted = op == Binary::StrictEqual;
            match (left, right) {
                (Expr::Unary(Unary::TypeOf, inner), Expr::String(name))
                | (Expr::String(name), Expr::Unary(Unary::TypeOf, inner)) => {
                    let found = self.type_of(inner);
                    let callee = if wanted { callees::IS_TYPE } else { callees::IS_OTHER_TYPE };
                    return self.core.call("is_type", callee, vec![(&found).into(), CoreArgument::Text(name.clone())]);
                }
                (Expr::String(left), Expr::String(right)) => {
                    return Atom::Literal(Literal::Bool((left == right) == wanted));
                }
                _ => {}
            }
        }
        let left = self.operand(left, [right]);
        self.operate(op, left, right)
    }

    /// Lowers an operator whose left operand is evaluated. JavaScript evaluates both operands
    /// before it converts them, which is observable if the first is an object and the second has
    /// effects.
    pub(super) fn operate(&mut self, op: Binary, left: Atom, right: &Expr) -> Atom {
        let right_type = ToCore::core_type(right.ty(self.locals));
        let is_scalar = |ty| matches!(ty, CoreType::Number | CoreType::Bool);
        let left_is_scalar = is_scalar(self.core.ty(&left));
        let on_numbers = match op {
            Binary::Add => left_is_scalar && is_scalar(right_type),
            // If one operand is a number, both are compared as numbers.
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
                left_is_scalar || is_scalar(right_type)
            }
            _ => op.ty(Type::Any, Type::Any) == Type::Number,
        };
        if on_numbers {
            let is_converted = left_is_scalar || right.is_simple();
            let left = if is_converted { self.number_of(&left) } else { left };
            let right = self.atom(right);
            let left = self.number_of(&left);
            let right = self.number_of(&right);
            return self.on_numbers(op, &left, &right);
        }
        let right = self.atom(right);
        match op {
            Binary::StrictEqual | Binary::StrictUnequal => self.strict(op == Binary::StrictEqual, &left, &right),
            Binary::Equal | Binary::Unequal => self.loose(op == Binary::Equal, &left, &right),
            Binary::Less => self.call("is_less", comparison("js::less"), &[&left, &right]),
            Binary::LessOrEqual => self.call("is_less", comparison("js::less_or_equal"), &[&left, &right]),
            Binary::Greater => self.call("is_greater", comparison("js::greater"), &[&left, &right]),
            Binary::GreaterOrEqual => self.call("is_greater", comparison("js::greater_or_equal"), &[&left, &right]),
            Binary::In => self.call("is_member", callees::HAS, &[&left, &right]),
            _ => self.call("sum", callees::ADD, &[&left, &right]),
        }
    }

    fn on_numbers(&mut self, op: Binary, left: &Atom, right: &Atom) -> Atom {
        let mut operator = |name, ty| self.call("number", Primitive::operator(name, ty), &[left, right]);
        match op {
            Binary::Add => operator("+", CoreType::Number),
            Binary::Subtract => operator("-", CoreType::Number),
            Binary::Multiply => operator("*", CoreType::Number),
            Binary::Divide => operator("/", CoreType::Number),
            Binary::Remainder => operator("%", CoreType::Number),
            Binary::Less => operator("<", CoreType::Bool),
            Binary::LessOrEqual => operator("<=", CoreType::Bool),
            Binary::Greater => operator(">", CoreType::Bool),
            Binary::GreaterOrEqual => operator(">=", CoreType::Bool),
            Binary::BitAnd => self.bits(Primitive::operator("&", CoreType::Integer), callees::INT32, left, right),
            Binary::BitOr => self.bits(Primitive::operator("|", CoreType::Integer), callees::INT32, left, right),
            Binary::BitXor => self.bits(Primitive::operator("^", CoreType::Integer), callees::INT32, left, right),
            Binary::ShiftLeft => self.shift(callees::SHIFT_LEFT, callees::INT32, left, right),
            Binary::ShiftRight => self.shift(callees::SHIFT_RIGHT, callees::INT32, left, right),
            Binary::ShiftRightUnsigned => self.shift(callees::SHIFT_RIGHT, callees::UINT32, left, right),
            _ => self.call("number", callees::POWER, &[left, right]),
        }
    }

    fn bits(&mut self, operator: Primitive, integer: Primitive, left: &Atom, right: &Atom) -> Atom {
        let left = self.call("bits", integer, &[left]);
        let right = self.call("bits", callees::INT32, &[right]);
        let bits = self.call("bits", operator, &[&left, &right]);
        self.call("number", callees::FROM_SCALAR, &[&bits])
    }

    /// Lowers a shift. The methods use the lowest five bits of the distance, as JavaScript does.
    fn shift(&mut self, method: Primitive, integer: Primitive, left: &Atom, right: &Atom) -> Atom {
        let left = self.call("bits", integer, &[left]);
        let right = self.call("distance", callees::UINT32, &[right]);
        let bits = self.call("bits", method, &[&left, &right]);
        self.call("number", callees::FROM_SCALAR, &[&bits])
    }

    pub(super) fn strict(&mut self, wanted: bool, left: &Atom, right: &Atom) -> Atom {
        match (self.core.ty(left), self.core.ty(right)) {
            (CoreType::Number, CoreType::Number) | (CoreType::Bool, CoreType::Bool) => {
                let operator = Primitive::operator(if wanted { "==" } else { "!=" }, CoreType::Bool);
                self.call("is_equal", operator, &[left, right])
            }
            _ => {
                let is_equal = self.call("is_equal", callees::STRICT_EQUALS, &[left, right]);
                if wanted { is_equal } else { self.not(is_equal) }
            }
        }
    }

    fn loose(&mut self, wanted: bool, left: &Atom, right: &Atom) -> Atom {
        let is_missing = |atom: &Atom| matches!(atom, Atom::Constant(Constant::Undefined | Constant::Null));
        let is_equal = match (self.core.ty(left), self.core.ty(right)) {
            _ if is_missing(right) => self.nullish(left),
            _ if is_missing(left) => self.nullish(right),
            (CoreType::Number, CoreType::Number) | (CoreType::Bool, CoreType::Bool) => {
                return self.strict(wanted, left, right);
            }
            _ => self.call("is_equal", callees::LOOSE_EQUALS, &[left, right]),
        };
        if wanted { is_equal } else { self.not(is_equal) }
    }

    /// Lowers `&&`, `||` and `??`, which yield one of their operands.
    pub(super) fn logical(&mut self, op: Logical, left: &Expr, right: &Expr) -> Atom {
        let ty = crate::expr::javascript::ir::join(left.ty(self.locals), right.ty(self.locals));
        if ty == Type::Bool && op != Logical::Coalesce {
            return self.truth_of_both(op == Logical::And, left, right);
        }
        let ty = ToCore::core_type(ty);
        let operands = self.operands(op, left, right);
        if operands.len() > 2 {
            return self.first_that_decides(op, ty, &operands);
        }
        let left = self.operand(left, [right]);
        let test = match op {
            // The test for the left operand is easier to read.
            Logical::Or => self.truth_of(&left),
            _ => self.yields_right(op, &left),
        };
        let right = self.valued(|cx| cx.atom(right));
        let left = self.valued(|_| left);
        let (then, otherwise) = if op == Logical::Or { (left, right) } else { (right, left) };
        self.choose("either", ty, test, then, otherwise)
    }

    /// Tests if a logical operator yields its right operand.
    pub(super) fn yields_right(&mut self, op: Logical, left: &Atom) -> Atom {
        match op {
            Logical::And => self.truth_of(left),
            Logical::Or => {
                let test = self.truth_of(left);
                self.not(test)
            }
            Logical::Coalesce => self.nullish(left),
        }
    }

    /// Returns the operands of `a || b || c`, in order. A `bool` remains one.
    fn operands<'e>(&self, op: Logical, left: &'e Expr, right: &'e Expr) -> Vec<&'e Expr> {
        let (mut operands, mut first) = (vec![right], left);
        while let Expr::Logical(inner, left, right) = first
            && *inner == op
            && first.ty(self.locals) != Type::Bool
        {
            operands.push(right);
            first = left;
        }
        operands.push(first);
        operands.reverse();
        operands
    }

    /// Lowers `a || b || c` to a block that the first deciding operand leaves.
    fn first_that_decides(&mut self, op: Logical, ty: CoreType, operands: &[&Expr]) -> Atom {
        let label = self.core.label("either");
        let Some((last, before)) = operands.split_last() else { return UNDEFINED };
        let block = self.valued(|cx| {
            for operand in before {
                let value = cx.atom(operand);
                let test = match op {
                    Logical::Or => cx.truth_of(&value),
                    _ => {
                        let test = cx.yields_right(op, &value);
                        cx.not(test)
                    }
                };
                let leave = cx.inside(|cx| cx.core.push(CoreStatement::Break(label, Some(value))));
                cx.when(test, leave, Default::default());
            }
            cx.atom(last)
        });
        Atom::Local(self.core.bind("either", ty, Computation::Labelled(label, block)))
    }
}
