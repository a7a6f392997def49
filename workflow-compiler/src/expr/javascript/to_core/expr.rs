//! Lowering of expressions.

use super::callees::{self, builtin};
use super::{ToCore, UNDEFINED, number, text};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, Constant, CoreArgument, CoreType};
use crate::expr::javascript::ir::{Expr, JsLocalId, Logical, MemberKey, PlaceExpr, Unary};
use crate::names;

impl ToCore<'_> {
    /// Lowers an expression, to a value of its own type.
    pub(super) fn atom(&mut self, value: &Expr) -> Atom {
        match value {
            Expr::Undefined => UNDEFINED,
            Expr::Null => Atom::Constant(Constant::Null),
            Expr::Bool(value) => Atom::Literal(Literal::Bool(*value)),
            Expr::Number(value) => number(*value),
            Expr::String(text) => Atom::Literal(Literal::String(text.clone())),
            Expr::Template(pieces) => {
                let text = self.template(pieces);
                self.call("text", callees::FROM_TEXT, &[&text])
            }
            Expr::Local(id) => self.read(*id),
            Expr::Variable(variable) => {
                let variable = Atom::Local(self.variables[*variable]);
                self.call("value", callees::VALUE_OF, &[&variable])
            }
            Expr::Free(name) | Expr::TooEarly(name) => self.undeclared(name),
            Expr::This => self.this.map_or(UNDEFINED, Atom::Local),
            Expr::Object(members) => self.object(members),
            Expr::Array(items) => self.array(items),
            Expr::Function(function) => self.function_value(function),
            Expr::Named(own, function) => self.named_function(*own, function),
            Expr::Builtin(known) => self.builtin_value(known),
            Expr::Unary(op, inner) => self.unary(*op, inner),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Logical(op, left, right) => self.logical(*op, left, right),
            Expr::Conditional(test, yes, no) => {
                let test = self.truth(test);
                let ty = ToCore::core_type(value.ty(self.locals));
                let [yes, no] = [yes, no].map(|branch| self.valued(|cx| cx.atom(branch)));
                self.choose("chosen", ty, test, yes, no)
            }
            Expr::Member(object, key) => {
                let object = self.operand(object, key.value());
                let key = self.key(key, None);
                self.get(&object, &key)
            }
            Expr::Chain(inner) => self.chain(inner),
            Expr::Optional(inner) => {
                let inner = self.atom(inner);
                let test = self.nullish(&inner);
                self.ends_if(test);
                inner
            }
            Expr::Call { callee, text, args } => self.function_call(callee, text, args),
            Expr::Method { object, key, text, args } => self.method(object, key, text, args),
            Expr::OptionalMethod { object, key, text, args } => self.optional_method(object, key, text, args),
            Expr::ConstructorName(inner) => {
                let inner = self.atom(inner);
                self.call("name", callees::CONSTRUCTOR_NAME, &[&inner])
            }
            Expr::Static(known, args) => {
                let args = self.arguments(args);
                let run = Atom::Local(self.run);
                self.call("value", builtin(known.function), &[&run, &args])
            }
            Expr::Construct(constructor, args) => {
                let args = self.arguments(args);
                let args = vec![CoreArgument::Atom(Atom::Local(self.run)), text(constructor.name), (&args).into()];
                self.core.call("value", callees::CONSTRUCT, args)
            }
            Expr::InstanceOf(inner, class) => {
                let inner = self.atom(inner);
                self.core.call("is_instance", callees::INSTANCE_OF, vec![(&inner).into(), text(class)])
            }
            Expr::Assign(place, inner) => self.assign(place, inner),
            Expr::Compound(place, op, inner) => self.compound(place, *op, inner),
            Expr::LogicalAssign(place, op, inner) => self.logical_assign(place, *op, inner),
            Expr::Update { place, up, prefix } => self.update(place, *up, *prefix),
            Expr::Destructure(pattern, inner) => self.destructure(pattern, inner),
            Expr::Delete(object, key) => {
                let object = self.operand(object, key.value());
                match self.key(key, None) {
                    Key::Name(name) => {
                        self.core.call("is_deleted", callees::DELETE, vec![(&object).into(), CoreArgument::Text(name)])
                    }
                    Key::Value(key) => self.call("is_deleted", callees::DELETE_AT, &[&object, &key]),
                }
            }
            Expr::Sequence(values) => {
                let Some((last, before)) = values.split_last() else { return UNDEFINED };
                before.iter().for_each(|value| self.discard(value));
                self.atom(last)
            }
        }
    }

    /// Reads a local.
    fn read(&mut self, id: JsLocalId) -> Atom {
        match self.known[id.0] {
            Some(local) if self.local(id).is_shared() => self.call("value", callees::VALUE_OF, &[&Atom::Local(local)]),
            Some(local) => Atom::Local(local),
            // Its declaration is never reached.
            None => UNDEFINED,
        }
    }

    pub(super) fn undeclared(&mut self, name: &str) -> Atom {
        self.core.call("undeclared", callees::UNDECLARED, vec![text(name)])
    }

    /// Lowers a condition.
    pub(super) fn truth(&mut self, value: &Expr) -> Atom {
        match value {
            Expr::Logical(op @ (Logical::And | Logical::Or), left, right) => {
                self.truth_of_both(*op == Logical::And, left, right)
            }
            Expr::Unary(Unary::Not, inner) => {
                let inner = self.truth(inner);
                self.not(inner)
            }
            _ => {
                let value = self.atom(value);
                self.truth_of(&value)
            }
        }
    }

    /// Lowers the condition `left && right`, or `left || right`.
    pub(super) fn truth_of_both(&mut self, is_and: bool, left: &Expr, right: &Expr) -> Atom {
        let left = self.truth(left);
        let right = self.valued(|cx| cx.truth(right));
        Atom::Local(self.core.bind("holds", CoreType::Bool, Computation::Logic { is_and, left, right }))
    }

    pub(super) fn truth_of(&mut self, value: &Atom) -> Atom {
        match self.core.ty(value) {
            CoreType::Bool => value.clone(),
            _ => self.call("is_true", callees::TRUTHY, &[value]),
        }
    }

    /// Tests for undefined and null.
    pub(super) fn nullish(&mut self, value: &Atom) -> Atom {
        match (value, self.core.ty(value)) {
            (Atom::Constant(Constant::Undefined | Constant::Null), _) => Atom::Literal(Literal::Bool(true)),
            (Atom::Literal(_) | Atom::Constant(_), _) | (_, CoreType::Bool | CoreType::Number) => {
                Atom::Literal(Literal::Bool(false))
            }
            _ => self.call("is_missing", callees::IS_NULLISH, &[value]),
        }
    }

    /// Returns an `f64`.
    pub(super) fn number_of(&mut self, value: &Atom) -> Atom {
        match (value, self.core.ty(value)) {
            (_, CoreType::Number) => value.clone(),
            (Atom::Literal(Literal::Bool(value)), _) => number(f64::from(*value)),
            (_, CoreType::Bool) => self.call("number", callees::FROM_SCALAR, &[value]),
            _ => self.call("number", callees::NUMBER, &[value]),
        }
    }

    /// Lowers a key that is evaluated before `later`.
    pub(super) fn key(&mut self, key: &MemberKey, later: Option<&Expr>) -> Key {
        match key {
            MemberKey::Name(name, _) => Key::Name(name.clone()),
            MemberKey::Computed(value) => Key::Value(self.operand(value, later)),
        }
    }

    pub(super) fn get(&mut self, object: &Atom, key: &Key) -> Atom {
        match key {
            Key::Name(name) => {
                self.core.call(&hint_of(name), callees::GET, vec![object.into(), CoreArgument::Text(name.clone())])
            }
            Key::Value(key) => self.call("member", callees::GET_AT, &[object, key]),
        }
    }

    pub(super) fn set(&mut self, object: &Atom, key: &Key, value: &Atom) {
        match key {
            Key::Name(name) => {
                let args = vec![object.into(), CoreArgument::Text(name.clone()), value.into()];
                self.core.run(callees::SET, args);
            }
            Key::Value(key) => self.run(callees::SET_AT, &[object, key, value]),
        }
    }

    /// Lowers an expression statement.
    pub(super) fn discard(&mut self, value: &Expr) {
        match value {
            Expr::Unary(Unary::Void, inner) => self.discard(inner),
            Expr::Sequence(values) => values.iter().for_each(|value| self.discard(value)),
            Expr::Conditional(test, yes, no) => {
                let test = self.truth(test);
                let [yes, no] = [yes, no].map(|branch| self.inside(|cx| cx.discard(branch)));
                self.when(test, yes, no);
            }
            Expr::Logical(op @ (Logical::And | Logical::Or), left, right) => {
                let mut test = self.truth(left);
                if *op == Logical::Or {
                    test = self.not(test);
                }
                let right = self.inside(|cx| cx.discard(right));
                self.when(test, right, Default::default());
            }
            Expr::LogicalAssign(place, op, inner) => self.logical_assign_only(place, *op, inner),
            Expr::Update { place, up, .. } => self.update_only(place, *up),
            Expr::Destructure(pattern, inner) => self.bind_value(pattern, inner),
            Expr::Assign(place @ (PlaceExpr::Free(_) | PlaceExpr::Constant(_)), inner) => {
                self.discard(inner);
                let target = self.target(place, None);
                self.write(&target, &UNDEFINED);
            }
            // An expression without effects is omitted.
            _ if value.is_simple() => {}
            _ => _ = self.atom(value),
        }
    }
}

/// An evaluated key of a member.
#[derive(Debug, Clone)]
pub(super) enum Key {
    Name(String),
    Value(Atom),
}

/// Returns the name that the value of a member should have. With `_` at its end, it must differ
/// from the names of all locals, and with a number and `_`, from those of other temporaries.
fn hint_of(name: &str) -> String {
    let hint = names::snake_case(name);
    let may_clash = hint.rsplit_once('_').is_some_and(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()));
    let is_name = hint.len() <= 24 && hint.is_ascii() && !may_clash && names::as_written(&hint) == hint;
    if is_name { hint } else { "member".to_owned() }
}
