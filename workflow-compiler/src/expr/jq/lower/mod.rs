//! Lowering of a jq program to the expression core.
//!
//! A filter with exactly one value becomes statements and an atom. A filter with any number of
//! values becomes statements around a continuation: `.[]` a loop, `select` an `if`, `empty`
//! nothing, `first` a block that `break` leaves. Lowered code uses no iterators, and closures only
//! as arguments of runtime functions.
//!
//! Statements are added in the order of evaluation. jq evaluates the right operand of an operator
//! first, and the right one of nested generators is the outer loop.

mod call;
mod callees;
mod cardinality;
mod control;
mod each;
mod fold;
mod hint;
mod object;
mod one;
mod path;
mod pattern;
mod regex;
mod scope;
mod special;
mod text;
mod update;

use super::ResultMode;
use super::ast::Term;
use crate::expr::Literal;
use crate::expr::core::builder::CoreBuilder;
use crate::expr::core::{Atom, Computation, CoreFunction, CoreLocalId, CoreType, Primitive};
pub use cardinality::Cardinality;
use scope::{FunctionSets, FunctionsId, JqEnv, JqScope};
use std::collections::HashMap;

/// The most terms that one program may lower, including those of inlined functions.
const MAX_TERMS: usize = 4_000;
/// The greatest nesting of lowered terms.
const MAX_NESTING: usize = 200;

const TOO_LARGE: &str = "a program this large";

/// The reason why a program cannot be translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untranslated(pub String);

type Res<T> = Result<T, Untranslated>;

fn untranslated<T>(what: impl Into<String>) -> Res<T> {
    Err(Untranslated(what.into()))
}

/// A continuation that takes a value.
type Then<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, Atom) -> Res<()>;

/// A program as a function of the core.
pub(super) struct LoweredProgram {
    pub function: CoreFunction,
    /// `true` if the function has loops or creates values of any size, and so runs within the
    /// evaluation limits.
    pub loops: bool,
    /// `true` if the function takes the current time.
    pub now: bool,
    /// The number of values that the program yields.
    pub cardinality: Cardinality,
}

/// Lowers a program. `variables` are its parameters besides the input.
pub(super) fn function(program: &Term, variables: &[String], mode: ResultMode) -> Res<LoweredProgram> {
    let mut lowering = Lowering::default();
    let input = Atom::Local(lowering.builder.param("input", CoreType::Value));
    let mut scope = JqScope::default();
    for variable in variables {
        let value = lowering.builder.param(variable, CoreType::Value);
        scope = scope.variable(variable, Atom::Local(value));
    }
    let cardinality = lowering.cardinality(program, &scope);
    let mut result = lowering.result(program, JqEnv { scope: &scope, input: &input }, mode, cardinality)?;
    // Results computed within limits are checked there.
    if lowering.computes && !lowering.loops && mode != ResultMode::Test {
        result = lowering.call("result", callees::FINISHED, &[&result]);
    }
    let returns = match mode {
        ResultMode::Test => CoreType::Bool,
        ResultMode::Value | ResultMode::All => CoreType::Value,
    };
    let Lowering { builder, loops, now, .. } = lowering;
    let function = builder.finish(result, returns);
    if function.is_too_large() {
        return untranslated(TOO_LARGE);
    }
    Ok(LoweredProgram { function, loops, now, cardinality })
}

#[derive(Default)]
struct Lowering<'p> {
    builder: CoreBuilder,
    /// The known cardinalities, by the address of the filter and the functions in scope.
    known: HashMap<(usize, FunctionsId), Cardinality>,
    /// The number of filters whose values have been counted, and of arguments in scopes.
    counted: usize,
    sets: FunctionSets<'p>,
    size: usize,
    depth: usize,
    loops: bool,
    /// `true` if the program computes numbers, which may not be finite.
    computes: bool,
    now: bool,
}

impl<'p> Lowering<'p> {
    /// Lowers the program to the result of the function.
    fn result(
        &mut self,
        program: &'p Term,
        env: JqEnv<'_, 'p>,
        mode: ResultMode,
        cardinality: Cardinality,
    ) -> Res<Atom> {
        if cardinality == Cardinality::One {
            let value = self.one(program, env)?;
            return Ok(match mode {
                ResultMode::Value => value,
                ResultMode::All => self.array_of(vec![value]),
                ResultMode::Test if self.builder.ty(&value) == CoreType::Bool => value,
                ResultMode::Test => self.call("is_true", callees::IS_TRUE, &[&value]),
            });
        }
        let values = self.collected("values", program, env)?;
        let (hint, callee) = match mode {
            ResultMode::All => ("result", callees::VALUE_FROM),
            ResultMode::Value => ("result", callees::ONE_OR_ALL),
            ResultMode::Test => ("is_true", callees::ONLY_TRUE),
        };
        Ok(self.call(hint, callee, &[&values]))
    }

    /// Counts a term against the budget, and one level of nesting.
    fn nest<T>(&mut self, lower: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.size += 1;
        if self.size > MAX_TERMS || self.counts_too_many() {
            return untranslated(TOO_LARGE);
        }
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return untranslated("such deep nesting of functions");
        }
        let result = lower(self);
        self.depth -= 1;
        result
    }

    /// Adds a call whose arguments are values.
    fn call(&mut self, hint: &str, callee: Primitive, args: &[&Atom]) -> Atom {
        self.builder.call(hint, callee, args.iter().map(|arg| (*arg).into()).collect())
    }

    /// Adds a call without a result, whose arguments are values.
    fn run(&mut self, callee: Primitive, args: &[&Atom]) {
        self.builder.run(callee, args.iter().map(|arg| (*arg).into()).collect());
    }

    /// Adds the head of a loop.
    fn tick(&mut self) {
        self.loops = true;
        self.run(callees::TICK, &[]);
    }

    /// Collects the values of a filter in a list.
    fn collected(&mut self, hint: &str, term: &'p Term, env: JqEnv<'_, 'p>) -> Res<Atom> {
        let list = self.list(hint, callees::VALUES);
        self.each(term, env, &mut |lowering, value| {
            lowering.add(list, callees::PUSH, &[&value]);
            Ok(())
        })?;
        Ok(Atom::Local(list))
    }

    /// Binds an empty list, text or object that is going to be filled.
    fn list(&mut self, hint: &str, empty: Primitive) -> CoreLocalId {
        let list = self.builder.call_of(empty, Vec::new());
        self.builder.bind(hint, empty.returns, list)
    }

    /// Binds a value to a local of its own, because the value or the local is going to change.
    fn variable(&mut self, hint: &str, value: Atom) -> CoreLocalId {
        self.builder.bind(hint, CoreType::Value, Computation::Atom(value))
    }

    /// Returns a value that can be mentioned at no cost. A constant array or object gets a name.
    fn named(&mut self, value: Atom, hint: &str) -> Atom {
        match value {
            Atom::Literal(Literal::Array(_) | Literal::Object(_)) => Atom::Local(self.variable(hint, value)),
            _ => value,
        }
    }

    /// Returns the value of a variable. Locals from `first` on can get the name of the variable.
    fn bound_to(&mut self, value: Atom, hint: &str, first: CoreLocalId) -> Atom {
        match value.local() {
            Some(local) if local >= first => self.builder.rename(local, hint),
            _ => {}
        }
        self.named(value, hint)
    }

    /// Returns a `bool` for the truth of a value.
    fn test(&mut self, value: Atom) -> Atom {
        match &value {
            Atom::Literal(Literal::Bool(_)) => value,
            Atom::Literal(literal) => Atom::Literal(Literal::Bool(*literal != Literal::Null)),
            _ if self.builder.ty(&value) == CoreType::Bool => value,
            _ => self.call("is_true", callees::TRUTHY, &[&value]),
        }
    }

    /// Returns a `bool` for the falsehood of a value (false or null).
    fn not(&mut self, value: Atom) -> Atom {
        match self.test(value) {
            Atom::Literal(Literal::Bool(holds)) => Atom::Literal(Literal::Bool(!holds)),
            test => Atom::Local(self.builder.bind("is_false", CoreType::Bool, Computation::Not(test))),
        }
    }
}
