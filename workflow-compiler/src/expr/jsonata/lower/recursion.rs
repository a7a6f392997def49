//! Functions that call themselves, which become closures.
//!
//! The lowering takes a function at first for one that does not call itself, and puts its body
//! where it is called. If the body calls the function again, the lowering starts again with the
//! function as a closure. `Recursion` of the runtime calls this closure. A call in tail position
//! of the closure, also by way of other functions in tail position, ends the turn of a loop there,
//! with the arguments of the next turn.
//!
//! The level at which such a body is evaluated is not known before. So the code compares the
//! levels that it reaches with the limit, where the evaluator would.

use super::hint::of_name;
use super::lambda::LambdaCall;
use super::natives::NativeRow;
use super::scope::{Bound, ContextItem, JsonataEnv};
use super::{Lowering, Res, callees, untranslated};
use crate::expr::core::{Atom, Computation, CoreArgument, CoreLocalId, CoreStatement, CoreType};
use workflow_jsonata::Lambda;

/// The most parts of the body of such a function, with those that it calls. Two hundred closures
/// at most are on the native stack: a hundred by levels, and a hundred by calls back. They take
/// less than 1 MiB of it then, without optimization.
const MAX_RECURSIVE_PARTS: usize = 75;

/// The functions of an expression that call themselves.
#[derive(Default)]
pub(super) struct Recursions<'n> {
    /// The functions that are closures.
    closures: Vec<&'n Lambda>,
    /// A function that calls itself and is not yet a closure.
    pub found: Option<&'n Lambda>,
    /// The closures whose bodies are being lowered.
    open: Vec<OpenRecursion<'n>>,
    /// The depth at which the function is called whose body is being lowered.
    pub base: usize,
    /// The depth that the code is certain to have compared with the limit.
    pub reached: usize,
    /// `true` if the body that is being lowered is in tail position of the innermost closure.
    pub is_in_tail: bool,
}

impl<'n> Recursions<'n> {
    /// Creates the state of a lowering in which these functions are closures.
    pub(super) fn of(closures: Vec<&'n Lambda>) -> Recursions<'n> {
        Recursions { closures, ..Recursions::default() }
    }

    /// Returns `true` if a function of the expression is a closure.
    pub(super) fn has_closures(&self) -> bool {
        !self.closures.is_empty()
    }
}

/// A closure whose body is being lowered.
struct OpenRecursion<'n> {
    lambda: &'n Lambda,
    /// The scope in which the function stands.
    frame: usize,
    /// The local that holds the closure.
    closure: CoreLocalId,
    /// The number of functions around it whose bodies are being lowered.
    outside: usize,
    /// `true` if a caller takes a sequence as it is.
    is_raw: bool,
    /// `true` if the function returns the result of a function that can return a sequence.
    may_yield_sequence: bool,
}

/// The lowering of a call of a function that calls itself.
pub(super) enum RecursiveWay {
    /// The next turn of the innermost closure.
    Again,
    /// A call of the open closure at this position.
    Call(usize),
    /// A call of a new closure.
    Define,
}

impl<'n> Lowering<'n> {
    /// Returns the way of a call, or nothing if the body of the function stands for it.
    pub(super) fn recursive_way(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        is_in_tail: bool,
    ) -> Res<Option<RecursiveWay>> {
        const REASON: &str = "a function that calls itself";
        let is_it = |other: &&'n Lambda| std::ptr::eq(*other, lambda);
        let open = &self.recursions.open;
        let found = open.iter().rposition(|open| is_it(&open.lambda) && open.frame == env.frame);
        if let (true, Some(innermost)) = (is_in_tail, open.last()) {
            // A call in tail position takes no level. If it were a nested call of another
            // closure, no limit would end the nesting.
            return match found {
                Some(found) if found + 1 == open.len() => Ok(Some(RecursiveWay::Again)),
                _ if self.inlined[innermost.outside..].iter().any(is_it) => {
                    untranslated(format!("{REASON} in tail position of another one"))
                }
                _ => Ok(None),
            };
        }
        if let Some(found) = found {
            return Ok(Some(RecursiveWay::Call(found)));
        }
        if self.recursions.closures.iter().any(is_it) {
            return Ok(Some(RecursiveWay::Define));
        }
        if self.inlined.iter().any(is_it) {
            self.recursions.found = Some(lambda);
            return untranslated(REASON);
        }
        Ok(None)
    }

    /// Lowers a call of a function that calls itself.
    pub(super) fn recursive(
        &mut self,
        way: RecursiveWay,
        (lambda, env): (&'n Lambda, &JsonataEnv),
        args: Vec<Bound<'n>>,
        how: &LambdaCall<'_>,
    ) -> Res<Atom> {
        let mut args = self.flat_values(args)?;
        args.truncate(lambda.params.len());
        while args.len() < lambda.params.len() {
            args.push(self.nothing());
        }
        let args = CoreArgument::Atom(self.values(args));
        let hint = how.name.map_or_else(|| "result".to_owned(), of_name);
        let levels = CoreArgument::Int(int(self.depth));
        let open = match way {
            RecursiveWay::Define => return self.defined(lambda, env, vec![levels, args], &hint, how),
            RecursiveWay::Again => {
                let innermost = self.recursions.open.last().map(|open| Atom::Local(open.closure));
                let args = innermost.iter().map(CoreArgument::from).chain([args]).collect();
                return Ok(self.builder.call("next", callees::AGAIN, args));
            }
            RecursiveWay::Call(open) => &mut self.recursions.open[open],
        };
        open.is_raw |= how.keeps_sequence;
        let closure = Atom::Local(open.closure);
        Ok(self.builder.call(&hint, callees::RECUR, vec![(&closure).into(), levels, args]))
    }

    /// Lowers a function to a closure, and calls it with these arguments.
    fn defined(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        mut args: Vec<CoreArgument>,
        hint: &str,
        how: &LambdaCall<'_>,
    ) -> Res<Atom> {
        let parts = self.parts;
        let closure = self.builder.local(hint, CoreType::Context);
        let params = self.builder.local("args", CoreType::Items);
        let outside = self.builder.begin_closure();
        self.recursions.open.push(OpenRecursion {
            lambda,
            frame: env.frame,
            closure,
            outside: self.inlined.len(),
            is_raw: how.keeps_sequence,
            may_yield_sequence: false,
        });
        let (depth, levels) = (std::mem::take(&mut self.depth), self.levels);
        let base = std::mem::take(&mut self.recursions.base);
        let was_in_tail = std::mem::replace(&mut self.recursions.is_in_tail, true);
        let keeps_sequence = std::mem::take(&mut self.keeps_sequence);
        // The callers differ. What needs their context item is not translated.
        let caller = std::mem::replace(&mut self.caller, ContextItem::Nothing);
        let value = self.guarded(|lowering| {
            lowering.recursions.reached = 0;
            let params = Atom::Local(params);
            let names = lambda.params.iter().enumerate();
            let args = names.map(|(at, name)| Bound::Value(lowering.argument(&params, at, name))).collect();
            lowering.inlined(lambda, env, args, Self::value)
        });
        (self.depth, self.levels) = (depth, levels);
        (self.recursions.base, self.recursions.is_in_tail) = (base, was_in_tail);
        (self.keeps_sequence, self.caller) = (keeps_sequence, caller);
        let value = value?;
        self.check_flat(&value)?;
        let open = self.recursions.open.pop();
        if open.is_some_and(|open| open.is_raw && open.may_yield_sequence) {
            return untranslated("a sequence in the result of a function that calls itself");
        }
        if self.parts - parts > MAX_RECURSIVE_PARTS {
            return untranslated("a function this large that calls itself");
        }
        let body = self.builder.end_closure(outside, vec![closure, params], CoreType::Value, Some(value));
        args.push(CoreArgument::Closure(body));
        Ok(self.builder.call(hint, callees::RECURSIVE, args))
    }

    /// Notes a call of a function of the language in tail position.
    pub(super) fn ends_recursion(&mut self, native: &NativeRow, takes_context: bool) -> Res<()> {
        if !self.recursions.is_in_tail {
            return Ok(());
        }
        if takes_context {
            return untranslated("the context item of the caller of a function that calls itself");
        }
        if let Some(open) = self.recursions.open.last_mut() {
            open.may_yield_sequence |= native.sequence.is_some();
        }
        Ok(())
    }

    /// Lowers a part at the level of the call of the function around it, which has ended.
    pub(super) fn at_base<T>(&mut self, lower: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        // Without functions that call themselves, an upper bound of the levels suffices.
        if !self.recursions.has_closures() {
            return self.nest(lower);
        }
        self.count(1)?;
        let depth = std::mem::replace(&mut self.depth, self.recursions.base);
        let result = lower(self);
        self.depth = depth;
        result
    }

    /// Compares the level with the limit of the evaluation, in a body whose levels are not known
    /// before.
    pub(super) fn reach(&mut self) {
        if self.recursions.open.is_empty() || self.depth <= self.recursions.reached {
            return;
        }
        self.recursions.reached = self.depth;
        let levels = vec![CoreArgument::Int(int(self.depth))];
        match self.builder.last_mut() {
            Some(CoreStatement::Do(Computation::Call(call))) if call.callee == callees::REACH => call.args = levels,
            _ => self.builder.run(callees::REACH, levels),
        }
    }

    /// Counts a call that no part of the text makes. Only functions that call themselves can make
    /// too many.
    pub(super) fn enter_call(&mut self) {
        if self.recursions.has_closures() {
            self.builder.run(callees::ENTER_CALL, Vec::new());
        }
    }

    /// Counts the end of such a call.
    pub(super) fn leave_call(&mut self) {
        if self.recursions.has_closures() {
            self.builder.run(callees::LEAVE_CALL, Vec::new());
        }
    }
}

/// Returns a number of levels as a constant.
fn int(levels: usize) -> i64 {
    // There are at most `MAX_DEPTH` levels.
    i64::try_from(levels).unwrap_or(i64::MAX)
}
