//! The functions that call functions back: loops around the bodies of these.

use super::call::is_higher_order;
use super::hint::{of_name, singular};
use super::lambda::{LambdaCall, LoopPlace};
use super::natives::NativeRow;
use super::scope::{Bound, Callable};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType};
use workflow_jsonata::Lambda;

/// The reason why a call of `$reduce` is not translated whose initial value may be a function.
const INITIAL_FUNCTION: &str = "`$reduce` from a value that may be a function";

/// A function as an argument, with the array or object that it is for.
struct Loop<'n> {
    /// The array or object.
    whole: Atom,
    /// The position of the first statement for it.
    position: usize,
    /// A name for its elements.
    hint: String,
    function: Callable<'n>,
    /// `true` if the result for nothing is nothing, and no empty sequence.
    is_exact: bool,
}

impl<'n> Lowering<'n> {
    /// Lowers a call of a function that calls another one back.
    pub(super) fn higher_order(
        &mut self,
        native: &'static NativeRow,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        let place = how.looped.unwrap_or_else(|| LoopPlace {
            many: "items".to_owned(),
            position: self.builder.position(),
            is_exact: how.keeps_sequence,
            is_function: self.has_functions,
        });
        let LoopPlace { many, position, is_exact, is_function } = place;
        match how.name {
            // Errors have the name of the call.
            Some(name) if *name != *native.name && matches!(native.name, "each" | "sift") => {
                return untranslated(format!("`${}` under another name", native.name));
            }
            _ => {}
        }
        let mut args = args.into_iter();
        let whole = match args.next() {
            Some(Bound::Value(whole)) => whole,
            Some(Bound::Function(_)) => return untranslated("a function as a value"),
            None => return untranslated(format!("`${}` without an argument", native.name)),
        };
        let function = match args.next() {
            None if matches!(native.name, "sort" | "single") => {
                return self.native(native, vec![whole], true, &how.context);
            }
            None => return untranslated(format!("`${}` without a function", native.name)),
            Some(Bound::Value(_)) => return untranslated(format!("a function as a value, for `${}`", native.name)),
            Some(Bound::Function(function)) => function,
        };
        if let Callable::Native(inner) = &function
            && is_higher_order(inner.name)
        {
            return untranslated("a function that calls back, as a value");
        }
        // A value that is no array counts as one of one element, which only these see.
        let whole = match (native.name, function.arity()) {
            ("map" | "filter" | "single", 3..) | ("reduce", 4..) | ("sort", _) => {
                self.call_of(&many, callees::AS_ARRAY, &[&whole])
            }
            _ => whole,
        };
        self.check_flat(&whole)?;
        let each = Loop { whole, position, hint: singular(&many), function, is_exact };
        match (native.name, args.next(), args.len()) {
            ("map", None, 0) => self.map(&each),
            ("filter", None, 0) => self.filter(&each),
            ("single", None, 0) => self.single_of(&each),
            ("each", None, 0) => self.each(&each),
            ("sift", None, 0) => self.sift(&each),
            ("sort", None, 0) => self.sort(&each),
            ("reduce", None, 0) => self.reduce(&each, None),
            ("reduce", Some(Bound::Value(initial)), 0) => {
                if is_function {
                    return untranslated(INITIAL_FUNCTION);
                }
                self.check_flat(&initial)?;
                self.reduce(&each, Some(initial))
            }
            ("reduce", Some(Bound::Function(_)), 0) => untranslated(INITIAL_FUNCTION),
            _ => untranslated(format!("`${}` with too many arguments", native.name)),
        }
    }

    /// Lowers a loop over the elements of an array. `lower` takes an element, and the arguments of
    /// the function.
    fn for_elements(&mut self, each: &Loop<'n>, lower: impl FnOnce(&mut Self, Atom, Vec<Atom>) -> Res<()>) -> Res<()> {
        let name = parameter(&each.function, 0).unwrap_or_else(|| each.hint.clone());
        if each.function.arity() < 2 {
            return self.for_items(callees::ITEMS, &each.whole, &name, |lowering, item| {
                lower(lowering, item.clone(), vec![item])
            });
        }
        let over = self.builder.call_of(callees::ENTRIES_OF, vec![(&each.whole).into()]);
        self.for_each(over, [("at", CoreType::Count), (&*name, CoreType::Value)], |lowering, [at, item]| {
            let item = Atom::Local(item);
            let name = parameter(&each.function, 1).unwrap_or_else(|| "position".to_owned());
            let at = lowering.call_of(&name, callees::POSITION, &[&Atom::Local(at)]);
            let mut args = vec![item.clone(), at];
            args.extend((each.function.arity() >= 3).then(|| each.whole.clone()));
            lower(lowering, item, args)
        })
    }

    fn map(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let results = self.list_at(each.position, "results", callees::RESULTS);
        self.for_elements(each, |lowering, _, args| {
            let result = lowering.call_back(&each.function, args)?;
            lowering.add(results, callees::KEEP, &[&result]);
            Ok(())
        })?;
        self.all_of(each, "results", results)
    }

    fn filter(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let results = self.list_at(each.position, "selected", callees::RESULTS);
        self.for_elements(each, |lowering, item, args| {
            let test = lowering.test_back(&each.function, args)?;
            lowering.when(test, |lowering| {
                lowering.add(results, callees::KEEP, &[&item]);
                Ok(())
            })
        })?;
        self.all_of(each, "selected", results)
    }

    /// Lowers the sequence of the results for the elements of an array.
    fn all_of(&mut self, each: &Loop<'n>, hint: &str, results: CoreLocalId) -> Res<Yield> {
        if !each.is_exact {
            return Ok(Yield::sequence(self.finish(hint, callees::SEQUENCE, results)));
        }
        let is_present = self.call_of("is_present", callees::IS_SOME, &[&each.whole]);
        let all = self.choose(is_present, hint, |lowering, holds| {
            Ok(if holds { lowering.finish(hint, callees::SEQUENCE, results) } else { lowering.nothing() })
        })?;
        Ok(Yield::sequence(all))
    }

    fn single_of(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let single = self.list_at(each.position, "single", callees::SINGLE);
        self.for_elements(each, |lowering, item, args| {
            let test = lowering.test_back(&each.function, args)?;
            lowering.when(test, |lowering| {
                lowering.add(single, callees::ADD_SINGLE, &[&item]);
                Ok(())
            })
        })?;
        Ok(Yield::value(self.call_of(&each.hint, callees::ONE, &[&Atom::Local(single), &each.whole])))
    }

    fn reduce(&mut self, each: &Loop<'n>, initial: Option<Atom>) -> Res<Yield> {
        let arity = each.function.arity();
        if arity < 2 {
            return untranslated("`$reduce` with a function of one parameter");
        }
        let initial = match initial {
            Some(initial) => initial,
            None => self.nothing(),
        };
        let begin = self.builder.call_of(callees::INITIAL, vec![(&each.whole).into(), (&initial).into()]);
        let name = parameter(&each.function, 0).unwrap_or_else(|| "result".to_owned());
        let result = self.builder.bind(&name, CoreType::Value, begin);
        let over = self.builder.call_of(callees::REMAINING, vec![(&each.whole).into(), (&initial).into()]);
        let name = parameter(&each.function, 1).unwrap_or_else(|| each.hint.clone());
        self.for_each(over, [("at", CoreType::Count), (&*name, CoreType::Value)], |lowering, [at, item]| {
            let mut args = vec![Atom::Local(result), Atom::Local(item)];
            if arity >= 3 {
                let name = parameter(&each.function, 2).unwrap_or_else(|| "position".to_owned());
                args.push(lowering.call_of(&name, callees::POSITION, &[&Atom::Local(at)]));
            }
            args.extend((arity >= 4).then(|| each.whole.clone()));
            let value = lowering.call_back(&each.function, args)?;
            // The next call reads it.
            lowering.check_flat(&value)?;
            lowering.builder.push(CoreStatement::Assign(result, Computation::Atom(value)));
            Ok(())
        })?;
        Ok(Yield::value(Atom::Local(result)))
    }

    /// Lowers a loop over the members of an object.
    fn for_members(
        &mut self,
        each: &Loop<'n>,
        name: &str,
        lower: impl FnOnce(&mut Self, Atom, Atom, Vec<Atom>) -> Res<()>,
    ) -> Res<()> {
        let args = vec![(&each.whole).into(), CoreArgument::Text(name.to_owned())];
        let over = self.builder.call_of(callees::MEMBERS_OF, args);
        let value = parameter(&each.function, 0).unwrap_or_else(|| "member".to_owned());
        let key = parameter(&each.function, 1).unwrap_or_else(|| "name".to_owned());
        self.for_each(over, [(&*key, CoreType::Value), (&*value, CoreType::Value)], |lowering, [key, value]| {
            let (key, value) = (Atom::Local(key), Atom::Local(value));
            let mut args = vec![value.clone()];
            args.extend((each.function.arity() >= 2).then(|| key.clone()));
            args.extend((each.function.arity() >= 3).then(|| each.whole.clone()));
            lower(lowering, key, value, args)
        })
    }

    fn each(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let results = self.list_at(each.position, "results", callees::RESULTS);
        self.for_members(each, "each", |lowering, _, _, args| {
            let result = lowering.call_back(&each.function, args)?;
            lowering.add(results, callees::KEEP, &[&result]);
            Ok(())
        })?;
        Ok(Yield::sequence(self.finish("results", callees::SEQUENCE, results)))
    }

    fn sift(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let kept = self.list_at(each.position, "kept", callees::MEMBERS);
        self.for_members(each, "sift", |lowering, key, value, args| {
            let test = lowering.test_back(&each.function, args)?;
            lowering.when(test, |lowering| {
                lowering.add(kept, callees::INSERT, &[&key, &value]);
                Ok(())
            })
        })?;
        Ok(Yield::value(self.finish("kept", callees::OBJECT_OR_NOTHING, kept)))
    }

    fn sort(&mut self, each: &Loop<'n>) -> Res<Yield> {
        let name = |at, other: &str| parameter(&each.function, at).unwrap_or_else(|| other.to_owned());
        let left = self.builder.local(&name(0, "left"), CoreType::Value);
        let right = self.builder.local(&name(1, "right"), CoreType::Value);
        let outside = self.builder.begin_closure();
        let args = vec![Atom::Local(left), Atom::Local(right)];
        let swaps = self.guarded(|lowering| lowering.call_back(&each.function, args))?;
        let closure = self.builder.end_closure(outside, vec![left, right], CoreType::Value, Some(swaps));
        let args = vec![(&each.whole).into(), CoreArgument::Closure(closure)];
        Ok(Yield::value(self.builder.call("sorted", callees::SORTED_BY, args)))
    }
}

/// Returns a name for the parameter at a position.
fn parameter(function: &Callable<'_>, position: usize) -> Option<String> {
    let Callable::Lambda(Lambda { params, .. }, _) = function else { return None };
    let name = params.get(position)?;
    (name.len() > 1).then(|| of_name(name))
}
