//! Lowering of updates: `path |= f`, `path = f`, `path += f`, `del(path)`.
//!
//! The value is edited in place if the path leads to disjoint locations by steps that do not
//! depend on the edited parts. Otherwise all paths are collected first, as in jq.

use super::call::{JqFunction, resolve};
use super::hint::{hint, hint_of_items, hint_of_member};
use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType};
use crate::expr::jq::ast::{Term, TermKind, Update};

/// A location that is edited.
#[derive(Debug, Clone, Copy)]
enum EditedPlace {
    /// The whole of a local.
    Whole(CoreLocalId),
    /// A location inside of it, by reference.
    Part(CoreLocalId),
    /// A location inside a local, by its path.
    Path(CoreLocalId, CoreLocalId),
}

impl EditedPlace {
    /// Returns the location as an argument of a function that changes it.
    fn argument(self) -> CoreArgument {
        match self {
            EditedPlace::Whole(local) => CoreArgument::Changed(local),
            EditedPlace::Part(local) | EditedPlace::Path(local, _) => CoreArgument::Atom(Atom::Local(local)),
        }
    }

    /// Returns the value at the location, or for a path the value that it starts from.
    fn value(self) -> Atom {
        let (EditedPlace::Whole(local) | EditedPlace::Part(local) | EditedPlace::Path(local, _)) = self;
        Atom::Local(local)
    }
}

/// A continuation that takes a location.
type AtPlace<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, EditedPlace) -> Res<()>;

impl<'p> Lowering<'p> {
    /// Lowers `=`, `+=` and the other updates with a given value.
    pub(super) fn change(&mut self, update: Update, path: &'p Term, value: &Atom, env: JqEnv<'_, 'p>) -> Res<Atom> {
        self.edit(path, env, &mut |lowering, place| lowering.change_at(update, place, value))
    }

    /// Lowers code that changes the locations of a path, one after the other.
    fn edit(&mut self, path: &'p Term, env: JqEnv<'_, 'p>, then: AtPlace<'_, 'p>) -> Res<Atom> {
        if !self.is_direct(path, env.scope, &mut false) {
            let at_path = |lowering: &mut Self, result, path| then(lowering, EditedPlace::Path(result, path));
            return self.change_paths(path, env, at_path);
        }
        let result = self.variable("result", env.input.clone());
        self.direct(path, env.scope, EditedPlace::Whole(result), then)?;
        Ok(Atom::Local(result))
    }

    /// Lowers a loop over the paths of a term, whose body changes the value.
    fn change_paths(
        &mut self,
        path: &'p Term,
        env: JqEnv<'_, 'p>,
        lower: impl FnOnce(&mut Self, CoreLocalId, CoreLocalId) -> Res<()>,
    ) -> Res<Atom> {
        let paths = self.all_paths(path, env)?;
        let result = self.variable("result", env.input.clone());
        self.for_each(Computation::Atom(paths), [("path", CoreType::Value)], |lowering, [path]| {
            lowering.tick();
            lower(lowering, result, path)
        })?;
        Ok(Atom::Local(result))
    }

    fn change_at(&mut self, update: Update, place: EditedPlace, value: &Atom) -> Res<()> {
        match (update, place) {
            (Update::Math(operator), _) => {
                let old = self.taken("old", place);
                let new = self.operate(operator, &old, value, "new");
                self.store(place, new);
            }
            (Update::Default, EditedPlace::Path(..)) => {
                let old = self.taken("old", place);
                let test = self.test(old.clone());
                let new = self.choose(test, "new", |_, holds| Ok(if holds { old.clone() } else { value.clone() }))?;
                self.store(place, new);
            }
            (Update::Default, _) => {
                let test = self.call("is_true", callees::TRUTHY, &[&place.value()]);
                let test = self.not(test);
                self.when(test, |lowering| {
                    lowering.store(place, value.clone());
                    Ok(())
                })?;
            }
            (Update::Assign | Update::Modify, _) => self.store(place, value.clone()),
        }
        Ok(())
    }

    /// Returns the old value of a location that is about to be set. Where the location is a
    /// reference, the value is taken out of it.
    fn taken(&mut self, hint: &str, place: EditedPlace) -> Atom {
        match place {
            EditedPlace::Path(_, path) => self.call(hint, callees::GETPATH, &[&place.value(), &Atom::Local(path)]),
            _ => self.builder.call(hint, callees::TAKE, vec![place.argument()]),
        }
    }

    fn store(&mut self, place: EditedPlace, value: Atom) {
        let statement = match place {
            EditedPlace::Whole(local) => CoreStatement::Assign(local, Computation::Atom(value)),
            EditedPlace::Part(place) => CoreStatement::Store(place, value),
            EditedPlace::Path(local, path) => {
                let args = vec![place.argument(), CoreArgument::Atom(Atom::Local(path)), CoreArgument::Atom(value)];
                CoreStatement::Assign(local, self.builder.call_of(callees::SETPATH, args))
            }
        };
        self.builder.push(statement);
    }

    /// Lowers `path |= value`.
    pub(super) fn modify(&mut self, path: &'p Term, value: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        if self.is_one(value, env.scope) {
            let name = format!("old_{}", hint(path));
            return self.edit(path, env, &mut |lowering, place| {
                let old = lowering.taken(&name, place);
                let new = lowering.one(value, env.on(&old))?;
                lowering.store(place, new);
                Ok(())
            });
        }
        // A location without a new value is deleted.
        let deleted = self.list("deleted", callees::VALUES);
        let result = self.change_paths(path, env, |lowering, result, path| {
            let place = EditedPlace::Path(result, path);
            let old = lowering.taken("old", place);
            let first = lowering.first_of(value, false, env.on(&old))?;
            let new = lowering.builder.local("new", CoreType::Value);
            let then = lowering.block(|lowering| {
                lowering.store(place, Atom::Local(new));
                Ok(())
            })?;
            let otherwise = lowering.block(|lowering| {
                lowering.add(deleted, callees::PUSH, &[&Atom::Local(path)]);
                Ok(())
            })?;
            let of = Box::new(first);
            let changed = Computation::IfPresent { items: vec![new], of, then, otherwise };
            lowering.builder.push(CoreStatement::Do(changed));
            Ok(())
        })?;
        let deleted = self.call("deleted", callees::VALUE_FROM, &[&Atom::Local(deleted)]);
        Ok(self.call("result", callees::DELPATHS, &[&result, &deleted]))
    }

    /// Lowers `del(path)`.
    pub(super) fn delete(&mut self, path: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let paths = self.all_paths(path, env)?;
        let paths = self.call("paths", callees::VALUE_FROM, &[&paths]);
        Ok(self.call("changed", callees::DELPATHS, &[env.input, &paths]))
    }

    /// Returns `true` if the locations of a path can be edited in place. `made` states that the
    /// last step creates missing members, so that no step may depend on it.
    fn is_direct(&mut self, path: &'p Term, scope: &JqScope<'p>, made: &mut bool) -> bool {
        match &path.kind {
            TermKind::Identity => true,
            TermKind::Index(base, key, false) => {
                let direct = self.is_direct(base, scope, made) && is_steady(key, scope);
                *made = true;
                direct
            }
            TermKind::Iterate(base, false) => {
                let direct = self.is_direct(base, scope, made);
                *made = false;
                direct
            }
            TermKind::Pipe(parts) => parts.iter().all(|part| self.is_direct(part, scope, made)),
            TermKind::Call(name, arguments) => match (resolve(name, arguments.len(), scope), &arguments[..]) {
                (Ok(JqFunction::Argument(term, scope)), _) => self.is_direct(term, &scope, made),
                (Ok(JqFunction::Special), [test]) if name == "select" => !*made && self.is_one(test, scope),
                _ => false,
            },
            _ => false,
        }
    }

    fn direct(&mut self, path: &'p Term, scope: &JqScope<'p>, place: EditedPlace, then: AtPlace<'_, 'p>) -> Res<()> {
        self.nest(|lowering| match &path.kind {
            TermKind::Identity => then(lowering, place),
            TermKind::Index(base, key, _) => lowering.direct(base, scope, place, &mut |lowering, place| {
                let key = lowering.one(key, JqEnv { scope, input: &Atom::Literal(Literal::Null) })?;
                let (callee, key_argument) = match &key {
                    Atom::Literal(Literal::String(name)) => (callees::GET_MUT, CoreArgument::Text(name.clone())),
                    Atom::Literal(Literal::Int(position)) => (callees::AT_MUT, CoreArgument::Int(*position)),
                    _ => (callees::INDEX_MUT, (&key).into()),
                };
                let step = lowering.builder.call_of(callee, vec![place.argument(), key_argument]);
                let step = lowering.builder.bind(&hint_of_member(&key), CoreType::Place, step);
                then(lowering, EditedPlace::Part(step))
            }),
            TermKind::Iterate(base, _) => lowering.direct(base, scope, place, &mut |lowering, place| {
                let items = lowering.builder.call_of(callees::ITER_MUT, vec![place.argument()]);
                let item = hint_of_items(base);
                lowering.for_each(items, [(&*item, CoreType::Place)], |lowering, [item]| {
                    lowering.tick();
                    then(lowering, EditedPlace::Part(item))
                })
            }),
            TermKind::Pipe(parts) => lowering.direct_pipe(parts, scope, place, then),
            TermKind::Call(name, arguments) => match (resolve(name, arguments.len(), scope)?, &arguments[..]) {
                (JqFunction::Argument(term, scope), _) => lowering.direct(term, &scope, place, then),
                (JqFunction::Special, [test]) => {
                    let test = lowering.one(test, JqEnv { scope, input: &place.value() })?;
                    let test = lowering.test(test);
                    lowering.when(test, |lowering| then(lowering, place))
                }
                _ => untranslated(format!("`{name}` in the path of an update")),
            },
            _ => untranslated("the path of this update"),
        })
    }

    fn direct_pipe(
        &mut self,
        parts: &'p [Term],
        scope: &JqScope<'p>,
        place: EditedPlace,
        then: AtPlace<'_, 'p>,
    ) -> Res<()> {
        let Some((first, rest)) = parts.split_first() else { return then(self, place) };
        self.direct(first, scope, place, &mut |lowering, place| lowering.direct_pipe(rest, scope, place, then))
    }
}

/// Returns `true` if a key does not depend on the value that it is applied to.
fn is_steady(key: &Term, scope: &JqScope<'_>) -> bool {
    match &key.kind {
        TermKind::Number(_) => true,
        TermKind::Variable(name) => scope.find_variable(name).is_some(),
        TermKind::Negate(inner) => matches!(inner.kind, TermKind::Number(_)),
        _ => key.as_str().is_some(),
    }
}
