//! Lowering of paths: the locations that a filter takes its values from.

use super::call::{JqFunction, resolve};
use super::hint::hint_of_member;
use super::one::member_of;
use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreLocalId, CoreStatement, CoreType};
use crate::expr::jq::ast::{Binary, Term, TermKind};

/// A location in a value.
#[derive(Debug, Clone)]
pub(super) struct JqPlace {
    /// The path to which the keys are added, if it does not start at the input.
    base: Option<Atom>,
    /// The keys.
    keys: Vec<Atom>,
    /// The value at the location.
    value: Atom,
    /// The value at the location, if a filter has computed `value`. The two must be equal when the
    /// path continues or ends.
    left: Option<Atom>,
}

/// A continuation that takes a location.
type At<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, JqPlace) -> Res<()>;

impl JqPlace {
    fn at(base: Option<Atom>, value: Atom) -> JqPlace {
        JqPlace { base, keys: Vec::new(), value, left: None }
    }

    /// Returns the location below a path that is known only at run time.
    fn below(path: CoreLocalId, value: CoreLocalId) -> JqPlace {
        JqPlace::at(Some(Atom::Local(path)), Atom::Local(value))
    }

    fn step(&self, key: Atom, value: Atom) -> JqPlace {
        let keys = self.keys.iter().cloned().chain([key]).collect();
        JqPlace { base: self.base.clone(), keys, value, left: None }
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
        match &place.base {
            None => self.array_of(place.keys.clone()),
            Some(base) if place.keys.is_empty() => base.clone(),
            Some(base) => {
                let keys = Computation::List(place.keys.clone());
                let keys = Atom::Local(self.builder.bind("keys", CoreType::Items, keys));
                self.call("path", callees::JOIN_PATH, &[base, &keys])
            }
        }
    }

    /// Returns the location from which a path continues, after the test that it is a location.
    fn settled(&mut self, place: &JqPlace) -> JqPlace {
        if let Some(left) = &place.left {
            match place.value.literal() {
                Some(Literal::Int(_) | Literal::Float(_)) => self.run(callees::NO_PLACE, &[&place.value]),
                _ => self.run(callees::SAME_PLACE, &[left, &place.value]),
            }
        }
        JqPlace { left: None, ..place.clone() }
    }

    fn places(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        self.nest(|lowering| lowering.places_here(term, scope, at, then))
    }

    fn places_here(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        let env = JqEnv { scope, input: &at.value };
        match &term.kind {
            TermKind::Identity => then(self, at.clone()),
            TermKind::Descend => self.descend_places(at, then),
            TermKind::Pipe(parts) => self.pipe_places(parts, scope, at, then),
            TermKind::Comma(parts) => parts.iter().try_for_each(|part| self.places(part, scope, at, then)),
            TermKind::Binary(Binary::Alternative, left, right) => self.alternative_places(left, right, scope, at, then),
            TermKind::Bind(_, patterns, _) if patterns.len() != 1 => untranslated("a path through `?//`"),
            TermKind::Bind(source, patterns, body) => {
                self.each_source(source, patterns, env, &mut |lowering, inner| lowering.places(body, inner, at, then))
            }
            TermKind::If(test, body, otherwise) => {
                self.each_test(test, env, &mut |lowering, holds| match (holds, otherwise) {
                    (true, _) => lowering.places(body, scope, at, then),
                    (false, Some(otherwise)) => lowering.places(otherwise, scope, at, then),
                    (false, None) => then(lowering, at.clone()),
                })
            }
            TermKind::Try(body, handler) => self.caught_places(body, handler.as_deref(), scope, at, then),
            TermKind::Label(name, body) => self.labelled(name, |lowering, label| {
                lowering.places(body, &scope.label(name, lowering.target(label)), at, then)
            }),
            TermKind::Break(name) => self.leave(name, scope),
            TermKind::Define(definition, body) => self.places(body, &scope.function(definition), at, then),
            TermKind::Index(base, key, optional) => self.each(key, env, &mut |lowering, key| {
                lowering.places(base, scope, at, &mut |lowering, place| {
                    let place = lowering.settled(&place);
                    let member = member_of(&place.value, &key);
                    lowering.with_result(member, *optional, &hint_of_member(&key), |lowering, value| {
                        then(lowering, place.step(key.clone(), value))
                    })
                })
            }),
            TermKind::Slice(base, from, to, optional) => {
                self.each_bound(from.as_deref(), env, &mut |lowering, from| {
                    lowering.each_bound(to.as_deref(), env, &mut |lowering, to| {
                        lowering.places(base, scope, at, &mut |lowering, place| {
                            lowering.slice_place(&place, (&from, &to), *optional, then)
                        })
                    })
                })
            }
            TermKind::Iterate(base, optional) => {
                self.places(base, scope, at, &mut |lowering, place| lowering.iterate_places(&place, *optional, then))
            }
            TermKind::Reduce(..) | TermKind::Foreach(..) => untranslated("`reduce` or `foreach` as a path"),
            TermKind::Call(name, arguments) => self.call_places(name, arguments, scope, at, then),
            // The computed value must be equal to the one at the location.
            _ => self.each(term, env, &mut |lowering, value| then(lowering, computed(at, value))),
        }
    }

    fn pipe_places(&mut self, parts: &'p [Term], scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        match parts {
            [] => then(self, at.clone()),
            [only] => self.places(only, scope, at, then),
            [first, rest @ ..] => self.places(first, scope, at, &mut |lowering, place| {
                lowering.nest(|lowering| lowering.pipe_places(rest, scope, &place, then))
            }),
        }
    }

    fn slice_place(
        &mut self,
        place: &JqPlace,
        (from, to): (&Atom, &Atom),
        optional: bool,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let place = self.settled(place);
        let args = vec![(&place.value).into(), from.into(), to.into()];
        self.with_result((callees::SLICE, args), optional, "part", |lowering, value| {
            let bounds = [("start", from), ("end", to)];
            let key = lowering.object_of(bounds.map(|(name, bound)| (text(name), bound.clone())).to_vec());
            then(lowering, place.step(key, value))
        })
    }

    fn iterate_places(&mut self, place: &JqPlace, optional: bool, then: At<'_, 'p>) -> Res<()> {
        let place = self.settled(place);
        let entries = (callees::ENTRIES, vec![(&place.value).into()]);
        self.with_result(entries, optional, "entries", |lowering, entries| {
            let items = [("key", CoreType::Value), ("item", CoreType::Value)];
            lowering.for_each(Computation::Atom(entries), items, |lowering, [key, item]| {
                lowering.tick();
                then(lowering, place.step(Atom::Local(key), Atom::Local(item)))
            })
        })
    }

    fn descend_places(&mut self, at: &JqPlace, then: At<'_, 'p>) -> Res<()> {
        let at = self.settled(at);
        let base = self.path_of(&at);
        let all = self.builder.call_of(callees::DESCEND_PATHS, vec![(&base).into(), (&at.value).into()]);
        self.for_each(all, PATH_AND_ITEM, |lowering, [path, item]| {
            lowering.tick();
            then(lowering, JqPlace::below(path, item))
        })
    }

    fn alternative_places(
        &mut self,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let found = self.any_found();
        self.places(left, scope, at, &mut |lowering, place| {
            lowering.if_found(found, &place.value, |lowering| then(lowering, place.clone()))
        })?;
        self.if_none_found(found, |lowering| lowering.places(right, scope, at, then))
    }

    fn caught_places(
        &mut self,
        body: &'p Term,
        handler: Option<&'p Term>,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let body = self.attempted(|lowering, outside| {
            let places = lowering.places(body, scope, at, &mut |lowering, place| {
                lowering.outside(outside, |lowering| then(lowering, place))
            });
            places.map(|()| None)
        })?;
        let attempt = self.handled(body, |lowering, raised| {
            if let Some(handler) = handler {
                // A raised value has no location.
                lowering.each(handler, JqEnv { scope, input: &raised }, &mut |lowering, value| {
                    then(lowering, computed(at, value))
                })?;
            }
            Ok(None)
        })?;
        self.add_attempt(attempt);
        Ok(())
    }

    fn call_places(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let env = JqEnv { scope, input: &at.value };
        match resolve(name, arguments.len(), scope)? {
            JqFunction::Argument(term, scope) => return self.places(term, &scope, at, then),
            JqFunction::Defined(definition, outer) => {
                return self.each_value((definition, &outer), arguments, env, &mut |lowering, inner| {
                    lowering.places(&definition.body, inner, at, then)
                });
            }
            JqFunction::Native(_) | JqFunction::Special => {}
        }
        match (name, arguments) {
            ("empty", []) => Ok(()),
            ("select", [test]) => self.each_test(test, env, &mut |lowering, holds| match holds {
                true => then(lowering, at.clone()),
                false => Ok(()),
            }),
            ("recurse", []) => self.descend_places(at, then),
            ("recurse", [next]) => self.recurse_places(next, scope, at, then),
            ("first", [term]) => self.labelled("first", |lowering, label| {
                lowering.places(term, scope, at, &mut |lowering, place| {
                    then(lowering, place)?;
                    lowering.leave_block(label, None);
                    Ok(())
                })
            }),
            ("last", [term]) => self.last_place(term, scope, at, then),
            ("limit", [count, term]) => self.each(count, env, &mut |lowering, count| {
                lowering.limited(&count, &mut |lowering, left, label| {
                    lowering.places(term, scope, at, &mut |lowering, place| {
                        lowering.counted(left, label, |lowering| then(lowering, place))
                    })
                })
            }),
            ("skip", [count, term]) => self.each(count, env, &mut |lowering, count| {
                let left = lowering.bind_count("skipped", callees::SKIP, &count);
                lowering.places(term, scope, at, &mut |lowering, place| {
                    lowering.unless_skipped(left, |lowering| then(lowering, place.clone()))
                })
            }),
            ("getpath", [path]) => self.each(path, env, &mut |lowering, path| {
                let at = lowering.settled(at);
                let base = lowering.path_of(&at);
                let item = lowering.call("item", callees::GETPATH, &[&at.value, &path]);
                let path = lowering.call("path", callees::JOIN_PATHS, &[&base, &path]);
                then(lowering, JqPlace::at(Some(path), item))
            }),
            ("until" | "while" | "repeat", _) => untranslated(format!("`{name}` as a path")),
            _ if self.call_is_one(name, arguments, scope) => {
                let value = self.one_call(name, arguments, env)?;
                then(self, computed(at, value))
            }
            _ => self.each_call(name, arguments, env, &mut |lowering, value| then(lowering, computed(at, value))),
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

/// Returns the location of a computed value.
fn computed(at: &JqPlace, value: Atom) -> JqPlace {
    let left = at.left.clone().unwrap_or_else(|| at.value.clone());
    JqPlace { value, left: Some(left), ..at.clone() }
}

fn text(text: &str) -> Atom {
    Atom::Literal(Literal::String(text.to_owned()))
}
