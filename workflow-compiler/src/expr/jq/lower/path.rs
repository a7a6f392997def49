//! Lowering of paths: the locations that a filter takes its values from.

use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType};
use crate::expr::jq::ast::Term;

/// A value, with its location if that matters.
#[derive(Debug, Clone)]
pub(super) struct JqPlace {
    pub value: Atom,
    path: Option<JqPath>,
}

/// The location of a value.
#[derive(Debug, Clone, Default)]
struct JqPath {
    /// The path to which the keys are added, if it does not start at the input.
    base: Option<Atom>,
    /// The keys.
    keys: Vec<Atom>,
    /// The value at the location, if a filter has computed another one. The two must be equal when
    /// the path continues or ends.
    left: Option<Atom>,
}

/// A continuation that takes a value, with its location if that matters.
pub(super) type At<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, JqPlace) -> Res<()>;

impl JqPlace {
    /// Returns a value whose location does not matter.
    pub fn of_value(value: Atom) -> JqPlace {
        JqPlace { value, path: None }
    }

    /// Returns a value at a path, or at the root.
    fn at(base: Option<Atom>, value: Atom) -> JqPlace {
        JqPlace { value, path: Some(JqPath { base, ..JqPath::default() }) }
    }

    /// Returns the location below a path that is known only at run time.
    fn below(path: CoreLocalId, value: CoreLocalId) -> JqPlace {
        JqPlace::at(Some(Atom::Local(path)), Atom::Local(value))
    }

    /// Returns `true` if the location matters.
    pub fn is_followed(&self) -> bool {
        self.path.is_some()
    }

    /// Returns the environment of a filter that is applied to the value.
    pub fn env<'a, 'p>(&'a self, scope: &'a JqScope<'p>) -> JqEnv<'a, 'p> {
        JqEnv { scope, input: &self.value }
    }

    /// Returns the place of a member or element.
    pub fn step(&self, key: impl FnOnce() -> Atom, value: Atom) -> JqPlace {
        let path = self.path.as_ref().map(|path| {
            let keys = path.keys.iter().cloned().chain([key()]).collect();
            JqPath { base: path.base.clone(), keys, left: None }
        });
        JqPlace { value, path }
    }

    /// Returns the place of a value that is computed from this one.
    pub fn computed(&self, value: Atom) -> JqPlace {
        let path = self.path.as_ref().map(|path| {
            let left = path.left.as_ref().unwrap_or(&self.value);
            JqPath { left: Some(left.clone()), ..path.clone() }
        });
        JqPlace { value, path }
    }
}

/// The types of a path and its value, which a loop yields.
const PATH_AND_ITEM: [(&str, CoreType); 2] = [("path", CoreType::Value), ("item", CoreType::Value)];

impl<'p> Lowering<'p> {
    /// Lowers `path(term)` with one value.
    pub(super) fn one_path(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let path = self.variable("path", Atom::Literal(Literal::Null));
        let mut result = Atom::Local(path);
        let depth = self.builder.depth();
        self.each_path(term, env, &mut |lowering, place| {
            let found = lowering.path_of(&place);
            // A local of an inner block is not visible after it.
            match lowering.builder.depth() == depth {
                true => result = found,
                false => lowering.assign(path, found),
            }
            Ok(())
        })?;
        Ok(result)
    }

    /// Lowers the paths of a term to a list.
    pub(super) fn all_paths(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let paths = self.list("paths", callees::VALUES);
        self.each_path(term, env, &mut |lowering, place| {
            let path = lowering.path_of(&place);
            lowering.add(paths, callees::PUSH, &[&path]);
            Ok(())
        })?;
        Ok(Atom::Local(paths))
    }

    /// Lowers the paths of a term.
    pub(super) fn each_path(&mut self, term: &'p Term, env: JqEnv<'_, 'p>, then: At<'_, 'p>) -> Res<()> {
        self.places(term, env.scope, &JqPlace::at(None, env.input.clone()), &mut |lowering, place| {
            let place = lowering.settled(&place);
            then(lowering, place)
        })
    }

    /// Returns the path of a location.
    pub(super) fn path_of(&mut self, place: &JqPlace) -> Atom {
        let JqPath { base, keys, .. } = place.path.clone().unwrap_or_default();
        match base {
            None => self.array_of(keys),
            Some(base) if keys.is_empty() => base,
            Some(base) => {
                let keys = Atom::Local(self.builder.bind("keys", CoreType::Items, Computation::List(keys)));
                self.call("path", callees::JOIN_PATH, &[&base, &keys])
            }
        }
    }

    /// Returns the location from which a path continues, after the test that it is a location.
    pub(super) fn settled(&mut self, place: &JqPlace) -> JqPlace {
        let mut settled = place.clone();
        if let Some(left) = settled.path.as_mut().and_then(|path| path.left.take()) {
            match place.value.literal() {
                Some(Literal::Int(_) | Literal::Float(_)) => self.run(callees::NO_PLACE, &[&place.value]),
                _ => self.run(callees::SAME_PLACE, &[&left, &place.value]),
            }
        }
        settled
    }

    pub(super) fn slice_place(
        &mut self,
        place: &JqPlace,
        bounds: [&Atom; 2],
        optional: bool,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let place = self.settled(place);
        let args = [&place.value].into_iter().chain(bounds).map(CoreArgument::from).collect();
        self.with_result((callees::SLICE, args), optional, "part", |lowering, value| {
            let [start, end] = bounds.map(Atom::clone);
            let key = || lowering.object_of(vec![(text("start"), start), (text("end"), end)]);
            let part = place.step(key, value);
            then(lowering, part)
        })
    }

    pub(super) fn iterate_places(&mut self, place: &JqPlace, optional: bool, then: At<'_, 'p>) -> Res<()> {
        let place = self.settled(place);
        let entries = (callees::ENTRIES, vec![(&place.value).into()]);
        self.with_result(entries, optional, "entries", |lowering, entries| {
            let items = [("key", CoreType::Value), ("item", CoreType::Value)];
            lowering.for_each(Computation::Atom(entries), items, |lowering, [key, item]| {
                lowering.tick();
                then(lowering, place.step(|| Atom::Local(key), Atom::Local(item)))
            })
        })
    }

    /// Lowers `..`.
    pub(super) fn descend(&mut self, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        if !at.is_followed() {
            let all = self.builder.call_of(callees::DESCEND, vec![(&at.value).into()]);
            return self.each_item(all, "item", &mut |lowering, item| then(lowering, JqPlace::of_value(item)));
        }
        let at = self.settled(at);
        let base = self.path_of(&at);
        let all = self.builder.call_of(callees::DESCEND_PATHS, vec![(&base).into(), (&at.value).into()]);
        self.for_each(all, PATH_AND_ITEM, |lowering, [path, item]| {
            lowering.tick();
            then(lowering, JqPlace::below(path, item))
        })
    }

    /// Lowers the locations that a function of jq yields.
    pub(super) fn places_of_call(
        &mut self,
        term: &'p Term,
        (name, arguments): (&'p str, &'p [Term]),
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let env = at.env(scope);
        match (name, arguments) {
            ("recurse", [next]) => self.recurse_places(next, scope, at, then),
            ("first", [term]) => self.labelled("first", |lowering, label| {
                lowering.places(term, scope, at, &mut |lowering, place| {
                    then(lowering, place)?;
                    lowering.leave_block(label, None);
                    Ok(())
                })
            }),
            ("last", [term]) => self.last_place(term, scope, at, then),
            ("getpath", [path]) => self.each(path, env, &mut |lowering, path| {
                let at = lowering.settled(at);
                let base = lowering.path_of(&at);
                let item = lowering.call("item", callees::GETPATH, &[&at.value, &path]);
                let path = lowering.call("path", callees::JOIN_PATHS, &[&base, &path]);
                then(lowering, JqPlace::at(Some(path), item))
            }),
            ("until" | "while" | "repeat", _) => untranslated(format!("`{name}` as a path")),
            _ => self.each(term, env, &mut |lowering, value| then(lowering, at.computed(value))),
        }
    }

    /// Lowers the last location, which is known when all others are.
    fn last_place(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        let last = self.builder.bind("last", CoreType::MaybePlace, Computation::Maybe(None));
        self.places(term, scope, at, &mut |lowering, place| {
            let place = lowering.settled(&place);
            let path = lowering.path_of(&place);
            let value = Computation::Maybe(Some(vec![path, place.value]));
            lowering.builder.push(CoreStatement::Assign(last, value));
            Ok(())
        })?;
        let [path, item] = PATH_AND_ITEM.map(|(hint, ty)| self.builder.local(hint, ty));
        self.if_present(vec![path, item], Computation::Atom(Atom::Local(last)), |lowering| {
            then(lowering, JqPlace::below(path, item))
        })
    }

    fn recurse_places(&mut self, next: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        let at = self.settled(at);
        let base = self.path_of(&at);
        let pending = self.list("pending", callees::PLACES);
        self.add(pending, callees::PUSH_PLACE, &[&base, &at.value]);
        let [path, item] = PATH_AND_ITEM.map(|(hint, ty)| self.builder.local(hint, ty));
        self.while_pending(pending, callees::POP_PLACE, vec![path, item], |lowering, _| {
            let place = JqPlace::below(path, item);
            then(lowering, place.clone())?;
            let inside = lowering.list("inside", callees::PLACES);
            lowering.places(next, scope, &place, &mut |lowering, place| {
                let path = lowering.path_of(&place);
                lowering.add(inside, callees::PUSH_PLACE, &[&path, &place.value]);
                Ok(())
            })?;
            lowering.push_reversed(pending, &Atom::Local(inside));
            Ok(())
        })
    }
}

fn text(text: &str) -> Atom {
    Atom::Literal(Literal::String(text.to_owned()))
}
