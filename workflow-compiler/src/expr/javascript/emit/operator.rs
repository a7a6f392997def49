//! Emission of operators.

use super::Emitter;
use super::code::{JsCode, Level};
use crate::expr::javascript::ir::{Binary, Expr, Logical, Type, Unary};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    pub(super) fn unary(&mut self, op: Unary, inner: &Expr) -> JsCode {
        match op {
            Unary::Plus => self.number(inner),
            Unary::Minus => {
                let number = self.number(inner).at(Level::Unary);
                JsCode::unary(quote!(-#number))
            }
            Unary::Not => self.untruth(inner),
            Unary::BitNot => {
                let number = self.number(inner).tokens;
                JsCode::atom(quote!(f64::from(!js::int32(#number))))
            }
            Unary::TypeOf => {
                let reference = self.reference(inner);
                JsCode::atom(quote!(js::type_of(#reference)))
            }
            Unary::Void => {
                let inner = self.discard(inner);
                JsCode::block(quote!({ #inner Js::Undefined }))
            }
        }
    }

    pub(super) fn binary(&mut self, op: Binary, left: &Expr, right: &Expr) -> JsCode {
        let types = (self.ty(left), self.ty(right));
        match op {
            Binary::Add => match op.ty(types.0, types.1) {
                Type::Number => self.arithmetic(quote!(+), Level::Add, left, right),
                _ => self.on_values(quote!(js::add), left, right, true),
            },
            Binary::Subtract => self.arithmetic(quote!(-), Level::Add, left, right),
            Binary::Multiply => self.arithmetic(quote!(*), Level::Multiply, left, right),
            Binary::Divide => self.arithmetic(quote!(/), Level::Multiply, left, right),
            Binary::Remainder => self.arithmetic(quote!(%), Level::Multiply, left, right),
            Binary::Power => {
                let (left, right) = self.numbers(left, right);
                JsCode::atom(quote!(js::power(#left, #right)))
            }
            Binary::BitAnd => self.bitwise(quote!(&), left, right),
            Binary::BitOr => self.bitwise(quote!(|), left, right),
            Binary::BitXor => self.bitwise(quote!(^), left, right),
            Binary::ShiftLeft => self.shift(quote!(wrapping_shl), quote!(js::int32), left, right),
            Binary::ShiftRight => self.shift(quote!(wrapping_shr), quote!(js::int32), left, right),
            Binary::ShiftRightUnsigned => self.shift(quote!(wrapping_shr), quote!(js::uint32), left, right),
            Binary::StrictEqual | Binary::StrictUnequal => self.strict(op == Binary::StrictEqual, left, right),
            Binary::Equal | Binary::Unequal => self.loose(op == Binary::Equal, left, right),
            Binary::Less => self.comparison(quote!(<), quote!(js::less), left, right),
            Binary::LessOrEqual => self.comparison(quote!(<=), quote!(js::less_or_equal), left, right),
            Binary::Greater => self.comparison(quote!(>), quote!(js::greater), left, right),
            Binary::GreaterOrEqual => self.comparison(quote!(>=), quote!(js::greater_or_equal), left, right),
            Binary::In => self.on_values(quote!(js::has), left, right, true),
        }
    }

    /// Emits two numbers. JavaScript evaluates both operands before converting them, which is
    /// observable if the first is an object and the second has effects.
    fn numbers(&mut self, left: &Expr, right: &Expr) -> (TokenStream, TokenStream) {
        let (left, right) = self.number_codes(left, right);
        (left.tokens, right.tokens)
    }

    fn number_codes(&mut self, left: &Expr, right: &Expr) -> (JsCode, JsCode) {
        let first = self.before([right], |cx| cx.number(left));
        (first, self.number(right))
    }

    /// Returns `true` if the left operand must be preserved until the right one has been
    /// evaluated.
    fn keeps_order(&self, left: &Expr, right: &Expr) -> bool {
        self.ty(left) == Type::Any && !right.is_simple()
    }

    fn arithmetic(&mut self, sign: TokenStream, level: Level, left: &Expr, right: &Expr) -> JsCode {
        if self.keeps_order(left, right) {
            let (left, right) = self.kept(left, right);
            let code = JsCode::infix(JsCode::atom(quote!(js::number(&left_)?)), sign, right, level).tokens;
            return JsCode::block(quote!({ #left #code }));
        }
        let (left, right) = self.number_codes(left, right);
        JsCode::infix(left, sign, right, level)
    }

    /// Emits `let left_ = …; let right_ = …;` and the number of the right operand.
    fn kept(&mut self, left: &Expr, right: &Expr) -> (TokenStream, JsCode) {
        let first = self.owned(left).tokens;
        match self.ty(right) {
            Type::Any | Type::String => {
                let second = self.owned(right).tokens;
                (quote!(let left_ = #first; let right_ = #second;), JsCode::atom(quote!(js::number(&right_)?)))
            }
            _ => {
                let second = self.number(right).tokens;
                (quote!(let left_ = #first; let right_ = #second;), JsCode::atom(quote!(right_)))
            }
        }
    }

    fn bitwise(&mut self, sign: TokenStream, left: &Expr, right: &Expr) -> JsCode {
        if self.keeps_order(left, right) {
            let (left, right) = self.kept(left, right);
            let right = right.tokens;
            return JsCode::block(quote!({ #left f64::from(js::int32(js::number(&left_)?) #sign js::int32(#right)) }));
        }
        let (left, right) = self.numbers(left, right);
        JsCode::atom(quote!(f64::from(js::int32(#left) #sign js::int32(#right))))
    }

    /// Shift methods use the lowest five bits of the distance, as JavaScript does.
    fn shift(&mut self, method: TokenStream, integer: TokenStream, left: &Expr, right: &Expr) -> JsCode {
        if self.keeps_order(left, right) {
            let (left, right) = self.kept(left, right);
            let right = right.tokens;
            return JsCode::block(
                quote!({ #left f64::from(#integer(js::number(&left_)?).#method(js::uint32(#right))) }),
            );
        }
        let (left, right) = self.numbers(left, right);
        JsCode::atom(quote!(f64::from(#integer(#left).#method(js::uint32(#right)))))
    }

    /// Emits a function of two values. `fails` states that it returns a `Result`.
    fn on_values(&mut self, function: TokenStream, left: &Expr, right: &Expr, fails: bool) -> JsCode {
        let left = self.before([right], |cx| cx.reference(left));
        let right = self.reference(right);
        let call = quote!(#function(#left, #right));
        JsCode::atom(if fails { quote!(#call?) } else { call })
    }

    fn comparison(&mut self, sign: TokenStream, function: TokenStream, left: &Expr, right: &Expr) -> JsCode {
        let is_number = |ty| matches!(ty, Type::Number | Type::Bool);
        // If one operand is a number, both are compared as numbers.
        if (is_number(self.ty(left)) || is_number(self.ty(right))) && !self.keeps_order(left, right) {
            let (left, right) = self.number_codes(left, right);
            return JsCode::infix(left, sign, right, Level::Compare);
        }
        self.on_values(function, left, right, true)
    }

    fn strict(&mut self, wanted: bool, left: &Expr, right: &Expr) -> JsCode {
        let sign = if wanted { quote!(==) } else { quote!(!=) };
        match (left, right) {
            (Expr::Unary(Unary::TypeOf, inner), Expr::String(text))
            | (Expr::String(text), Expr::Unary(Unary::TypeOf, inner)) => {
                let reference = self.reference(inner);
                return JsCode::infix(
                    JsCode::atom(quote!(js::type_of(#reference))),
                    sign,
                    JsCode::atom(quote!(#text)),
                    Level::Compare,
                );
            }
            (Expr::String(left), Expr::String(right)) => {
                let is_equal = left == right;
                return JsCode::atom(if is_equal == wanted { quote!(true) } else { quote!(false) });
            }
            _ => {}
        }
        match (self.ty(left), self.ty(right)) {
            (Type::Number, Type::Number) | (Type::Bool, Type::Bool) => {
                let left = self.before([right], |cx| cx.native(left));
                let right = self.native(right);
                JsCode::infix(left, sign, right, Level::Compare)
            }
            _ => {
                let code = self.on_values(quote!(js::strict_equals), left, right, false);
                self.wanted(wanted, code)
            }
        }
    }

    fn loose(&mut self, wanted: bool, left: &Expr, right: &Expr) -> JsCode {
        let code = match (left, right) {
            (value, Expr::Null | Expr::Undefined) | (Expr::Null | Expr::Undefined, value) => self.is_nullish(value),
            _ if self.ty(left) != Type::Any && self.ty(left) == self.ty(right) => {
                return self.strict(wanted, left, right);
            }
            _ => self.on_values(quote!(js::loose_equals), left, right, true),
        };
        self.wanted(wanted, code)
    }

    /// Emits a test for undefined or null.
    pub(super) fn is_nullish(&mut self, value: &Expr) -> JsCode {
        let code = match value {
            Expr::Local(id) if self.is_plain(*id) => {
                let name = self.name(*id);
                quote!(#name)
            }
            Expr::Temporary(name) => {
                let name = super::ident(name);
                quote!(#name)
            }
            _ => self.owned(value).at(Level::Atom),
        };
        JsCode::atom(quote!(#code.is_nullish()))
    }

    fn wanted(&self, wanted: bool, code: JsCode) -> JsCode {
        if wanted {
            return code;
        }
        let code = code.at(Level::Unary);
        JsCode::unary(quote!(!#code))
    }

    /// Emits `&&`, `||` and `??`, which yield one of their operands.
    pub(super) fn logical(&mut self, op: Logical, left: &Expr, right: &Expr) -> JsCode {
        let ty = Expr::Logical(op, Box::new(left.clone()), Box::new(right.clone())).ty(self.locals);
        if ty == Type::Bool && op != Logical::Coalesce {
            return self.truth(&Expr::Logical(op, Box::new(left.clone()), Box::new(right.clone())));
        }
        let operands = self.operands(op, left, right);
        if operands.len() > 2 {
            let code = self.first_that_decides(op, &operands);
            return self.as_js(code, ty);
        }
        // An operand that can be repeated is read twice.
        if let (true, Logical::And | Logical::Or) = (self.is_repeatable(left), op) {
            let test = self.truth(left).tokens;
            let (first, second) = (self.of_type(left, ty).tokens, self.of_type(right, ty).inner());
            return JsCode::block(match op {
                Logical::And => quote!(if #test { #second } else { #first }),
                _ => quote!(if #test { #first } else { #second }),
            });
        }
        let (first, second) = (self.owned(left).tokens, self.owned(right).inner());
        let code = match op {
            Logical::And => quote!({ let left_ = #first; if js::truthy(&left_) { #second } else { left_ } }),
            Logical::Or => quote!({ let left_ = #first; if js::truthy(&left_) { left_ } else { #second } }),
            Logical::Coalesce => quote!({ let left_ = #first; if left_.is_nullish() { #second } else { left_ } }),
        };
        self.as_js(JsCode::block(code), ty)
    }

    /// Converts a value of known type to a `Js`.
    fn as_js(&self, code: JsCode, ty: Type) -> JsCode {
        if !matches!(ty, Type::Number | Type::Bool) {
            return code;
        }
        let code = code.at(Level::Block);
        JsCode::atom(if ty == Type::Number { quote!(js::number(&#code)?) } else { quote!(js::truthy(&#code)) })
    }

    /// Returns the operands of `a || b || c`, in order. A Rust `bool` remains one.
    fn operands<'e>(&self, op: Logical, left: &'e Expr, right: &'e Expr) -> Vec<&'e Expr> {
        let (mut operands, mut first) = (vec![right], left);
        while let Expr::Logical(inner, left, right) = first
            && *inner == op
            && self.ty(first) != Type::Bool
        {
            operands.push(right);
            first = left;
        }
        operands.push(first);
        operands.reverse();
        operands
    }

    /// Emits `a || b || c` as a block that the first deciding operand leaves.
    fn first_that_decides(&mut self, op: Logical, operands: &[&Expr]) -> JsCode {
        self.chains += 1;
        let label = super::jump::lifetime(&match self.chains {
            1 => "value_".to_owned(),
            more => format!("value_{more}_"),
        });
        let Some((last, before)) = operands.split_last() else { return JsCode::atom(TokenStream::new()) };
        let mut steps = TokenStream::new();
        for operand in before {
            let is_read_twice = op != Logical::Coalesce && self.is_repeatable(operand);
            let (before, test, value) = if is_read_twice {
                let test = if op == Logical::Or { self.truth(operand) } else { self.untruth(operand) };
                (TokenStream::new(), test.tokens, self.owned(operand).tokens)
            } else {
                let value = self.owned(operand).tokens;
                let test = match op {
                    Logical::And => quote!(!js::truthy(&left_)),
                    Logical::Or => quote!(js::truthy(&left_)),
                    Logical::Coalesce => quote!(!left_.is_nullish()),
                };
                (quote!(let left_ = #value;), test, quote!(left_))
            };
            steps.extend(quote!(#before if #test { break #label #value; }));
        }
        let last = self.owned(last).inner();
        self.chains -= 1;
        JsCode { tokens: quote!(#label: { #steps #last }), level: Level::Labelled }
    }

    /// Returns `true` if a value can be evaluated again at little cost and with the same result.
    pub(super) fn is_repeatable(&self, value: &Expr) -> bool {
        match value {
            Expr::Local(id) => !self.is_shared(*id) && !self.locals[id.0].moves(),
            Expr::Temporary(_) | Expr::This => true,
            _ => false,
        }
    }
}
