//! Lowering of calls and optional chains.

use super::expr::Key;
use super::{ToCore, UNDEFINED, callees, text};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreType};
use crate::expr::javascript::globals;
use crate::expr::javascript::ir::{Expr, Item, MemberKey};
use crate::expr::javascript::walk;

impl ToCore<'_> {
    pub(super) fn function_call(&mut self, callee: &Expr, source: &str, args: &[Item]) -> Atom {
        let callee = self.operand(callee, args.iter().map(Item::value));
        let args = self.arguments(args);
        let args = vec![self.run_argument(), (&callee).into(), text(source), (&args).into()];
        self.core.call("result", callees::CALL, args)
    }

    fn run_argument(&self) -> CoreArgument {
        CoreArgument::Atom(Atom::Local(self.run))
    }

    pub(super) fn method(&mut self, object: &Expr, key: &MemberKey, source: &str, args: &[Item]) -> Atom {
        let values = || args.iter().map(Item::value);
        let object = self.operand(object, key.value().into_iter().chain(values()));
        let is_built_in = matches!(key, MemberKey::Name(name, _) if globals::is_method(name));
        if !is_built_in && values().any(walk::may_change_members) {
            // The method is read before the arguments are evaluated, because they could change it.
            let key = self.key_before(key, args);
            let method = self.get(&object, &key);
            return self.call_with(&method, &object, source, args);
        }
        match self.key_before(key, args) {
            Key::Name(name) => {
                // A receiver without members fails before the arguments are evaluated.
                let receiver = match values().all(Expr::is_simple) {
                    true => object,
                    false => self.core.call("receiver", callees::RECEIVER, vec![(&object).into(), text(&name)]),
                };
                let args = self.arguments(args);
                let args = vec![self.run_argument(), (&receiver).into(), text(&name), text(source), (&args).into()];
                self.core.call("result", callees::CALL_METHOD, args)
            }
            Key::Value(key) => {
                let args = self.arguments(args);
                let args = vec![self.run_argument(), (&object).into(), (&key).into(), text(source), (&args).into()];
                self.core.call("result", callees::CALL_METHOD_AT, args)
            }
        }
    }

    fn key_before(&mut self, key: &MemberKey, args: &[Item]) -> Key {
        match key {
            MemberKey::Name(name, _) => Key::Name(name.clone()),
            MemberKey::Computed(value) => Key::Value(self.operand(value, args.iter().map(Item::value))),
        }
    }

    /// Calls a function that was read from an object.
    fn call_with(&mut self, method: &Atom, this: &Atom, source: &str, args: &[Item]) -> Atom {
        let args = self.arguments(args);
        let args = vec![self.run_argument(), method.into(), this.into(), text(source), (&args).into()];
        self.core.call("result", callees::CALL_WITH, args)
    }

    /// Lowers arguments to a list.
    pub(super) fn arguments(&mut self, args: &[Item]) -> Atom {
        if args.iter().any(|arg| matches!(arg, Item::Spread(_))) {
            let list = self.array(args);
            return self.call("arguments", callees::ITERATE, &[&list]);
        }
        let values = self.items(args);
        Atom::Local(self.core.bind("arguments", CoreType::Items, Computation::List(values)))
    }

    /// Lowers an optional chain. A marked link that is undefined or null ends it.
    pub(super) fn chain(&mut self, chain: &Expr) -> Atom {
        let outside = std::mem::take(&mut self.ends);
        let mut value = self.atom(chain);
        // A `delete` in an ended chain deletes nothing and yields `true`.
        let end = if matches!(chain, Expr::Delete(..)) { Atom::Literal(Literal::Bool(true)) } else { UNDEFINED };
        for test in std::mem::replace(&mut self.ends, outside).into_iter().rev() {
            let ty = self.core.ty(&value);
            let otherwise = self.core.end(Some(value));
            let then = self.valued(|_| end.clone());
            value = self.choose("it", ty, test, then, otherwise);
        }
        value
    }

    /// Ends the chain if a test holds. The rest of the chain is the code for another outcome.
    pub(super) fn ends_if(&mut self, test: Atom) {
        self.ends.push(test);
        self.core.begin();
    }

    /// Lowers an optional method call, which may end the enclosing chain.
    pub(super) fn optional_method(&mut self, object: &Expr, key: &MemberKey, source: &str, args: &[Item]) -> Atom {
        let values = args.iter().map(Item::value);
        let this = self.operand(object, key.value().into_iter().chain(values));
        let key = self.key_before(key, args);
        let method = self.get(&this, &key);
        let test = self.nullish(&method);
        self.ends_if(test);
        self.call_with(&method, &this, source, args)
    }
}
