//! Lowering of declarations and destructuring patterns.

use super::expr::Key;
use super::{ToCore, UNDEFINED, callees, text};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreStatement, CoreType};
use crate::expr::javascript::ir::{DeclarationKind, Expr, JsLocalId, MemberKey, Pattern};
use crate::expr::javascript::walk;

impl ToCore<'_> {
    /// Destructures the value of an expression.
    pub(super) fn bind_value(&mut self, pattern: &Pattern, value: &Expr) {
        let mut value = self.atom(value);
        if !matches!(pattern, Pattern::Declare(_)) {
            value = self.kept(value, pattern);
        }
        self.bind(pattern, Computation::Atom(value));
    }

    /// Copies the value of a local that a pattern binds or assigns.
    pub(super) fn kept(&mut self, value: Atom, pattern: &Pattern) -> Atom {
        let is_assigned = value.local().and_then(|local| self.assigned.get(&local));
        let is_bound = is_assigned.is_some_and(|id| walk::bound_by(pattern).contains(id));
        if is_bound { self.copied(value) } else { value }
    }

    /// Destructures the result of a computation.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Computation) {
        match pattern {
            Pattern::Declare(id) => self.declare(*id, value),
            Pattern::Assign(place) => {
                let place = self.target(place, None);
                let value = self.named("value", value);
                self.write(&place, &value);
            }
            Pattern::Default(inner, default) if value == Computation::Atom(UNDEFINED) => {
                let default = self.atom(default);
                self.bind(inner, Computation::Atom(default));
            }
            Pattern::Default(inner, default) => {
                // The subject of a `match` is moved into it.
                let of = match value {
                    Computation::Atom(atom) => self.core.call_of(callees::ITSELF, vec![CoreArgument::Atom(atom)]),
                    value => value,
                };
                let item = self.core.local("it", CoreType::Value);
                let then = self.valued(|_| Atom::Local(item));
                let otherwise = self.valued(|cx| cx.atom(default));
                let value = Computation::IfPresent { items: vec![item], of: Box::new(of), then, otherwise };
                self.bind(inner, value);
            }
            Pattern::Object { members, rest } => {
                let whole = self.named("whole", value);
                self.bind_members(&whole, members, rest.as_deref());
            }
            Pattern::Array { items, rest } => {
                let whole = self.named("whole", value);
                let list = self.call("items", callees::ITERATE, &[&whole]);
                for (at, item) in (0..).zip(items) {
                    if let Some(item) = item {
                        let value = self.core.call_of(callees::ARGUMENT, vec![(&list).into(), CoreArgument::Int(at)]);
                        self.bind(item, value);
                    }
                }
                if let Some(rest) = rest {
                    let from = i64::try_from(items.len()).unwrap_or(i64::MAX);
                    let args = vec![(&list).into(), CoreArgument::Int(from)];
                    let value = self.core.call_of(callees::REST_ARGUMENTS, args);
                    self.bind(rest, value);
                }
            }
        }
    }

    fn named(&mut self, hint: &str, value: Computation) -> Atom {
        match value {
            Computation::Atom(atom) => atom,
            value => Atom::Local(self.core.bind(hint, CoreType::Value, value)),
        }
    }

    fn bind_members(&mut self, whole: &Atom, members: &[(MemberKey, Pattern)], rest: Option<&Pattern>) {
        // Destructuring undefined or null is an error, also with an empty pattern.
        if !matches!(members.first(), Some((MemberKey::Name(..), _))) {
            self.run(callees::REQUIRE_OBJECT_COERCIBLE, &[whole]);
        }
        let mut names = Vec::new();
        for (key, inner) in members {
            let value = match self.key(key, None) {
                Key::Name(name) => {
                    names.push(Atom::Literal(Literal::String(name.clone())));
                    self.core.call_of(callees::GET, vec![whole.into(), text(&name)])
                }
                // The rest does not include the member.
                Key::Value(key) if rest.is_some() => {
                    let key = self.call("key", callees::PROPERTY_KEY, &[&key]);
                    names.push(key.clone());
                    self.core.call_of(callees::GET_TEXT, vec![whole.into(), (&key).into()])
                }
                // The target is evaluated between the key and the member.
                Key::Value(key) => {
                    let key = self.kept(key, inner);
                    self.core.call_of(callees::GET_AT, vec![whole.into(), (&key).into()])
                }
            };
            self.bind(inner, value);
        }
        if let Some(rest) = rest {
            let names = Atom::Local(self.core.bind("names", CoreType::Items, Computation::Texts(names)));
            let value = self.core.call_of(callees::REST_OF, vec![whole.into(), (&names).into()]);
            self.bind(rest, value);
        }
    }

    /// Declares a local with a value.
    pub(super) fn declare(&mut self, id: JsLocalId, value: Computation) {
        let local = self.local(id);
        match (local.hoisted, local.is_shared()) {
            (true, is_shared) => {
                let value = self.named("value", value);
                let Some(core) = self.known[id.0] else { return };
                match is_shared {
                    true => self.run(callees::SET_VARIABLE, &[&Atom::Local(core), &value]),
                    false => self.core.push(CoreStatement::Assign(core, Computation::Atom(value))),
                }
            }
            (false, true) => {
                let value = self.named("value", value);
                let core = self.declared(id);
                let value = self.core.call_of(callees::NEW_VARIABLE, vec![CoreArgument::Atom(value)]);
                self.core.push(CoreStatement::Let(core, value));
            }
            (false, false) => {
                let adopted = match &value {
                    Computation::Atom(Atom::Local(number)) => self.adopt(id, *number),
                    _ => false,
                };
                if !adopted {
                    let core = self.declared(id);
                    self.core.push(CoreStatement::Let(core, value));
                }
            }
        }
    }

    /// Declares a local without a value.
    pub(super) fn declare_empty(&mut self, id: JsLocalId) {
        let local = self.local(id);
        if !(local.hoisted && local.kind == DeclarationKind::Var) {
            self.declare(id, Computation::Atom(UNDEFINED));
        }
    }

    /// Declares the locals of a block that are mentioned before their declarations.
    pub(super) fn hoisted(&mut self, declares: &[JsLocalId]) {
        for id in declares {
            if self.local(*id).hoisted {
                let core = self.declared(*id);
                let empty = match self.local(*id).is_shared() {
                    true => self.core.call_of(callees::NEW_VARIABLE, vec![CoreArgument::Atom(UNDEFINED)]),
                    false => Computation::Atom(UNDEFINED),
                };
                self.core.push(CoreStatement::Let(core, empty));
            }
        }
    }
}
