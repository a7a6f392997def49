//! Lowering of special functions, each with its own rule.

use super::hint::hint;
use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, Then, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType, LabelId, Primitive};
use crate::expr::jq::ast::Term;

impl<'p> Lowering<'p> {
    /// Lowers the single value of a special function. Returns `None` if the rule for any number of
    /// values applies.
    pub(super) fn special(&mut self, name: &'p str, arguments: &'p [Term], env: JqEnv<'_, 'p>) -> Res<Option<Atom>> {
        Ok(Some(match (name, arguments) {
            ("true", []) => Atom::Literal(Literal::Bool(true)),
            ("false", []) => Atom::Literal(Literal::Bool(false)),
            ("null", []) => Atom::Literal(Literal::Null),
            ("nan", []) => self.not_finite(callees::NAN),
            ("infinite", []) => self.not_finite(callees::INFINITE),
            ("now", []) => {
                self.now = true;
                let seconds = self.call("seconds", callees::NOW, &[]);
                self.call("now", callees::FLOAT, &[&seconds])
            }
            ("not", []) => self.not(env.input.clone()),
            ("toarray", []) => self.call("array", callees::TOARRAY, &[env.input]),
            ("error", []) => self.call("raised", callees::RAISE, &[env.input]),
            ("first" | "last", [term]) => self.one(term, env)?,
            ("isempty", [term]) => self.is_empty(term, env)?,
            ("any" | "all", [values, condition]) => self.any_or_all(name == "any", (values, condition), env)?,
            ("del", [path]) => self.delete(path, env)?,
            ("path", [path]) => self.one_path(path, env)?,
            ("until", [condition, update]) => self.until(condition, update, env)?,
            ("sort_by" | "group_by" | "unique_by" | "min_by" | "max_by", [key]) => self.by_key(name, key, env)?,
            ("walk", [filter]) => {
                let closure = self.filter_closure("part", filter, env.scope)?;
                self.loops = true;
                self.builder.call("walked", callees::WALK, vec![env.input.into(), closure])
            }
            ("sub" | "gsub", [pattern, replacement, flags @ ..]) => {
                self.replaced(name, (pattern, replacement, flags.first()), env)?
            }
            _ => return Ok(None),
        }))
    }

    /// Lowers all values of a special function.
    pub(super) fn each_special(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        match (name, arguments) {
            ("first", [term]) => {
                let found = self.first_of(term, false, env)?;
                self.then_present(found, &hint(term), then)
            }
            ("last", [term]) => {
                let last = self.builder.bind("last", CoreType::MaybeValue, Computation::Maybe(None));
                self.each(term, env, &mut |lowering, value| {
                    let value = Computation::Maybe(Some(vec![value]));
                    lowering.builder.push(CoreStatement::Assign(last, value));
                    Ok(())
                })?;
                self.then_present(Computation::Atom(Atom::Local(last)), &hint(term), then)
            }
            ("error", [message]) => self.each(message, env, &mut |lowering, value| {
                let raised = lowering.call("raised", callees::RAISE, &[&value]);
                then(lowering, raised)
            }),
            ("range", _) => self.range(arguments, env, then),
            ("recurse", [next]) => self.recurse(None, next, env, then),
            ("while", [condition, next]) => self.recurse(Some(condition), next, env, then),
            ("repeat", [term]) => self.forever("repeat", |lowering, _| {
                lowering.tick();
                lowering.each(term, env, then)
            }),
            ("path", [path]) => self.each_path(path, env, &mut |lowering, place| {
                let path = lowering.path_of(&place);
                then(lowering, path)
            }),
            ("until", [condition, next]) if self.is_one(condition, env.scope) => {
                let state = self.builder.local("state", CoreType::Value);
                let condition = self.closure(vec![state], CoreType::Bool, |lowering| {
                    let test = lowering.one(condition, env.on(&Atom::Local(state)))?;
                    Ok(Some(lowering.test(test)))
                })?;
                let next = self.many_closure(next, env.scope)?;
                self.each_from_closure(callees::UNTIL_MANY, vec![env.input.into(), condition, next], "result", then)
            }
            ("walk", [filter]) => {
                let filter = self.many_closure(filter, env.scope)?;
                self.each_from_closure(callees::WALK_MANY, vec![env.input.into(), filter], "walked", then)
            }
            ("setpath", [_, _]) | ("delpaths", [_]) => {
                self.each_argument(arguments, false, Vec::new(), env, &mut |lowering, values| {
                    let callee = if name == "setpath" { callees::SETPATH } else { callees::DELPATHS };
                    let args: Vec<&Atom> = std::iter::once(env.input).chain(values).collect();
                    let changed = lowering.call("changed", callee, &args);
                    then(lowering, changed)
                })
            }
            ("sub" | "gsub", [pattern, replacement, flags @ ..]) => {
                self.each_replaced(name, (pattern, replacement, flags.first()), env, then)
            }
            _ => untranslated(format!("`{name}` with an argument that has several results")),
        }
    }

    /// Adds a constant that is not a finite number.
    fn not_finite(&mut self, callee: Primitive) -> Atom {
        self.computes = true;
        self.call("number", callee, &[])
    }

    /// Runs `then` with an optional value if it is present.
    fn then_present(&mut self, of: Computation, hint: &str, then: Then<'_, 'p>) -> Res<()> {
        let item = self.builder.local(hint, CoreType::Value);
        self.if_present(vec![item], of, |lowering| then(lowering, Atom::Local(item)))
    }

    /// Lowers a closure that passes the values of a filter to another closure.
    pub(super) fn many_closure(&mut self, filter: &'p Term, scope: &JqScope<'p>) -> Res<CoreArgument> {
        let part = self.builder.local("part", CoreType::Value);
        let out = self.builder.local("out", CoreType::Callback);
        self.closure(vec![part, out], CoreType::Unit, |lowering| {
            lowering.each(filter, JqEnv { scope, input: &Atom::Local(part) }, &mut |lowering, value| {
                lowering.run(callees::OUT, &[&Atom::Local(out), &value]);
                Ok(())
            })?;
            Ok(None)
        })
    }

    /// Lowers the values that a runtime function passes to a closure, its last argument.
    pub(super) fn each_from_closure(
        &mut self,
        callee: Primitive,
        mut args: Vec<CoreArgument>,
        hint: &str,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let out = self.builder.local("out", CoreType::Callback);
        args.push(CoreArgument::Atom(Atom::Local(out)));
        let closure = self.closure(vec![out], CoreType::Unit, |lowering| {
            lowering.builder.run(callee, args);
            Ok(None)
        })?;
        let all = self.builder.call_of(callees::COLLECT, vec![closure]);
        self.each_item(all, hint, then)
    }

    /// Binds a count.
    pub(super) fn bind_count(&mut self, hint: &str, callee: Primitive, count: &Atom) -> CoreLocalId {
        let count = self.builder.call_of(callee, vec![count.into()]);
        self.builder.bind(hint, CoreType::Count, count)
    }

    /// Lowers a block that `lower` leaves after a number of values.
    pub(super) fn limited(
        &mut self,
        count: &Atom,
        lower: &mut dyn FnMut(&mut Self, CoreLocalId, LabelId) -> Res<()>,
    ) -> Res<()> {
        let left = self.bind_count("left", callees::LIMIT, count);
        self.labelled("limit", |lowering, label| {
            let goes_on = lowering.compared_to_zero(callees::EXCEEDS, left);
            lowering.when(goes_on, |lowering| lower(lowering, left, label))
        })
    }

    /// Lowers code for one of a number of values. After the last one, the block is left.
    pub(super) fn counted(
        &mut self,
        left: CoreLocalId,
        label: LabelId,
        lower: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        self.builder.push(CoreStatement::Decrement(left));
        lower(self)?;
        let is_last = self.compared_to_zero(callees::EQUALS, left);
        self.leave_block_if(is_last, label, None)
    }

    /// Lowers code for values except the first ones.
    pub(super) fn unless_skipped(&mut self, left: CoreLocalId, mut lower: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        let is_skipped = self.compared_to_zero(callees::EXCEEDS, left);
        self.branch(is_skipped, |lowering, is_skipped| match is_skipped {
            true => {
                lowering.builder.push(CoreStatement::Decrement(left));
                Ok(())
            }
            false => lower(lowering),
        })
    }

    /// Adds the comparison of a count with 0.
    fn compared_to_zero(&mut self, comparison: Primitive, count: CoreLocalId) -> Atom {
        self.builder.call("holds", comparison, vec![CoreArgument::Atom(Atom::Local(count)), CoreArgument::Int(0)])
    }

    fn is_empty(&mut self, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let is_empty = self.labelled_value("is_empty", CoreType::Bool, |lowering, label| {
            lowering.each(term, env, &mut |lowering, _| {
                lowering.leave_block(label, Some(Atom::Literal(Literal::Bool(false))));
                Ok(())
            })?;
            Ok(Atom::Literal(Literal::Bool(true)))
        })?;
        Ok(Atom::Local(is_empty))
    }

    /// Lowers `any(values; condition)`, and the same for `all`.
    fn any_or_all(&mut self, is_any: bool, (values, condition): (&'p Term, &'p Term), env: JqEnv<'_, 'p>) -> Res<Atom> {
        let hint = if is_any { "any" } else { "all" };
        let found = self.labelled_value(hint, CoreType::Bool, |lowering, label| {
            lowering.each(values, env, &mut |lowering, value| {
                let value = lowering.named(value, "item");
                lowering.each(condition, env.on(&value), &mut |lowering, value| {
                    let test = if is_any { lowering.test(value) } else { lowering.not(value) };
                    lowering.leave_block_if(test, label, Some(Atom::Literal(Literal::Bool(is_any))))
                })
            })?;
            Ok(Atom::Literal(Literal::Bool(!is_any)))
        })?;
        Ok(Atom::Local(found))
    }

    fn until(&mut self, condition: &'p Term, update: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let state = self.variable("result", env.input.clone());
        self.forever("until", |lowering, label| {
            lowering.tick();
            let test = lowering.one(condition, env.on(&Atom::Local(state)))?;
            let test = lowering.test(test);
            lowering.leave_block_if(test, label, None)?;
            let next = lowering.one(update, env.on(&Atom::Local(state)))?;
            lowering.assign(state, next);
            Ok(())
        })?;
        Ok(Atom::Local(state))
    }

    /// Lowers runtime functions that take the key of an element.
    fn by_key(&mut self, name: &str, key: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let item = self.builder.local("item", CoreType::Value);
        let closure = self.closure(vec![item], CoreType::Value, |lowering| {
            if lowering.is_one(key, env.scope) {
                return lowering.one(key, env.on(&Atom::Local(item))).map(Some);
            }
            let keys = lowering.collected("keys", key, env.on(&Atom::Local(item)))?;
            Ok(Some(lowering.call("key", callees::VALUE_FROM, &[&keys])))
        })?;
        self.loops = true;
        Ok(self.builder.call(&super::hint::hint_of_call(name), callees::by_key(name), vec![env.input.into(), closure]))
    }

    fn range(&mut self, arguments: &'p [Term], env: JqEnv<'_, 'p>, then: Then<'_, 'p>) -> Res<()> {
        let [from, upto, by @ ..] = arguments else { return untranslated("`range` without an end") };
        self.each(from, env, &mut |lowering, from| {
            lowering.each(upto, env, &mut |lowering, upto| match by.first() {
                None => {
                    let numbers = vec![(&from).into(), (&upto).into()];
                    let numbers = lowering.builder.call_of(callees::NUMBERS, numbers);
                    lowering.each_item(numbers, "number", then)
                }
                Some(by) => lowering.each(by, env, &mut |lowering, by| {
                    let steps = vec![(&from).into(), (&upto).into(), (&by).into()];
                    let steps = lowering.builder.call_of(callees::STEPS, steps);
                    lowering.for_each(steps, [("step", CoreType::Outcome)], |lowering, [step]| {
                        let number = lowering.call("number", callees::STEP, &[&Atom::Local(step)]);
                        lowering.tick();
                        then(lowering, number)
                    })
                }),
            })
        })
    }

    /// Lowers `recurse(next)` and `while(condition; next)`: each value before its successors.
    fn recurse(
        &mut self,
        condition: Option<&'p Term>,
        next: &'p Term,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let pending = self.list("pending", callees::VALUES);
        self.add(pending, callees::PUSH, &[env.input]);
        let item = self.builder.local("item", CoreType::Value);
        self.while_pending(pending, callees::POP, vec![item], |lowering, label| {
            let item = Atom::Local(item);
            if let Some(condition) = condition {
                if !lowering.is_one(condition, env.scope) {
                    return untranslated("`while` with a condition that has several results");
                }
                let test = lowering.one(condition, env.on(&item))?;
                let test = lowering.not(test);
                lowering.when(test, |lowering| {
                    lowering.builder.push(CoreStatement::Continue(label));
                    Ok(())
                })?;
            }
            then(lowering, item.clone())?;
            let inside = lowering.collected("inside", next, env.on(&item))?;
            lowering.push_reversed(pending, &inside);
            Ok(())
        })
    }

    /// Adds the items of a list to another one, so that the first is taken first.
    pub(super) fn push_reversed(&mut self, pending: CoreLocalId, list: &Atom) {
        let items = self.call("items", callees::INTO_ITER, &[list]);
        let reversed = self.call("reversed", callees::REV, &[&items]);
        self.add(pending, callees::EXTEND, &[&reversed]);
    }
}
