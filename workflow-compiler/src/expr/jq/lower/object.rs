//! Lowering of array and object constructions.

use super::hint::hint_of_all;
use super::one::member_of;
use super::scope::JqEnv;
use super::{Lowering, Res, Then, callees};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreType};
use crate::expr::jq::ast::{Member, Term, TermKind};
use std::collections::BTreeSet;

impl<'p> Lowering<'p> {
    pub(super) fn array(&mut self, inner: Option<&'p Term>, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let parts = match inner {
            None => &[],
            Some(Term { kind: TermKind::Comma(parts), .. }) => &parts[..],
            Some(inner) => std::slice::from_ref(inner),
        };
        if let (Some(inner), false) = (inner, parts.iter().all(|part| self.is_one(part, env.scope))) {
            let items = self.collected(&hint_of_all(inner), inner, env)?;
            return Ok(self.call("array", callees::VALUE_FROM, &[&items]));
        }
        let items: Res<Vec<Atom>> = parts.iter().map(|part| self.one(part, env)).collect();
        Ok(self.array_of(items?))
    }

    /// Returns an array of these elements.
    pub(super) fn array_of(&mut self, items: Vec<Atom>) -> Atom {
        match items.iter().map(|item| item.literal().cloned()).collect() {
            Some(literals) => Atom::Literal(Literal::Array(literals)),
            None => Atom::Local(self.builder.bind("array", CoreType::Value, Computation::Array(items))),
        }
    }

    /// Lowers objects of all combinations of keys and values. The first member is the outermost
    /// loop. `done` are the members so far.
    pub(super) fn each_object(
        &mut self,
        members: &'p [Member],
        mut done: Vec<(Atom, Atom)>,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let mut members = members;
        while let Some((member, rest)) = members.split_first() {
            members = rest;
            if std::iter::once(&member.key).chain(&member.value).all(|term| self.is_one(term, env.scope)) {
                self.each_member(member, env, &mut |_, key, value| {
                    done.push((key, value));
                    Ok(())
                })?;
                continue;
            }
            return self.each_member(member, env, &mut |lowering, key, value| {
                let done = done.iter().cloned().chain([(key, value)]).collect();
                lowering.nest(|lowering| lowering.each_object(rest, done, env, then))
            });
        }
        let object = self.object_of(done);
        then(self, object)
    }

    /// Lowers the combinations of the keys and values of a member.
    fn each_member(
        &mut self,
        member: &'p Member,
        env: JqEnv<'_, 'p>,
        then: &mut dyn FnMut(&mut Self, Atom, Atom) -> Res<()>,
    ) -> Res<()> {
        let mut with_key = |lowering: &mut Self, key: Atom| match &member.value {
            Some(value) => lowering.each(value, env, &mut |lowering, value| then(lowering, key.clone(), value)),
            None => {
                let value = lowering.member_value(member, &key, env)?;
                then(lowering, key, value)
            }
        };
        match variable_key(member) {
            Some(key) => with_key(self, key),
            None => self.each(&member.key, env, &mut with_key),
        }
    }

    /// Lowers the value of a member that is written without one.
    fn member_value(&mut self, member: &'p Member, key: &Atom, env: JqEnv<'_, 'p>) -> Res<Atom> {
        if let TermKind::Variable(_) = &member.key.kind {
            return self.one(&member.key, env);
        }
        let (callee, args) = member_of(env.input, key);
        Ok(self.builder.call(&super::hint::hint_of_member(key), callee, args))
    }

    /// Returns an object of these members.
    pub(super) fn object_of(&mut self, members: Vec<(Atom, Atom)>) -> Atom {
        let names: Option<Vec<String>> = members.iter().map(|(key, _)| constant_key(key)).collect();
        if let Some(names) = names
            && names.iter().collect::<BTreeSet<_>>().len() == names.len()
        {
            let literals: Option<Vec<Literal>> = members.iter().map(|(_, value)| value.literal().cloned()).collect();
            if let Some(literals) = literals {
                return Atom::Literal(Literal::Object(names.into_iter().zip(literals).collect()));
            }
            let members = names.into_iter().zip(members.into_iter().map(|(_, value)| value)).collect();
            return Atom::Local(self.builder.bind("object", CoreType::Value, Computation::Object(members)));
        }
        let object = self.list("object", callees::OBJECT);
        for (key, value) in &members {
            let key = match constant_key(key) {
                Some(name) => self.builder.call("key", callees::STATIC_KEY, vec![CoreArgument::Text(name)]),
                None => self.call("key", callees::KEY, &[key]),
            };
            self.add(object, callees::INSERT, &[&key, value]);
        }
        self.call("object", callees::VALUE_FROM, &[&Atom::Local(object)])
    }
}

/// Returns the key of `{$name}`.
fn variable_key(member: &Member) -> Option<Atom> {
    match &member.key.kind {
        TermKind::Variable(name) if member.value.is_none() => Some(Atom::Literal(Literal::String(name.clone()))),
        _ => None,
    }
}

fn constant_key(key: &Atom) -> Option<String> {
    match key.literal() {
        Some(Literal::String(name)) => Some(name.clone()),
        _ => None,
    }
}
