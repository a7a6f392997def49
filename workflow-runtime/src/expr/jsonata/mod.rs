//! JSONata 2.0.6, as the Amazon States Language has it: an evaluator of expressions on the
//! runtime's values.
//!
//! A [program](JsonataProgram) is parsed at its first evaluation. The evaluator walks the tree: a
//! part has a value (`Item`) or none. Values of the workflow are read in place, and cloned
//! in constant time. Arrays that are results of paths are sequences, which are reduced to their
//! only element where a part ends. Items of paths that bind variables are tuples
//! (`Tuple`).
//!
//! Most expressions are compiled: their code calls the functions of `compiled`, which share the
//! rest with the evaluator.
//!
//! Expressions and data may be hostile. The nesting of the evaluation is limited, and so are the
//! calls that no part of the text makes, such as a call back. Both together limit the native
//! stack: a hundred of each take at most 1.3 MiB without optimization. What loops counts steps,
//! and what allocates counts bytes (`Evaluation`). Data may be nested to any depth, and no walk
//! over it recurses.
//!
//! The evaluator differs from jsonata-js in these points, besides those in which the Amazon States
//! Language does: a predicate on nothing yields nothing, and not an array of undefined elements.
//! Members keep their order, also if their names are numbers. The elements of an array are
//! evaluated one after the other, so that the first error is the one that is raised. A predicate
//! after a block in tail position applies to the value of the block. Predicates and groupings
//! after an order keep the variables of the items. Partially applied functions of the language
//! check their arguments. For `in`, an array or object is no element, not even of the array that
//! holds it: its identity would depend on whether an execution was loaded. A comparison of two
//! values visits what they share each time. Positions of the text are not part of errors.

mod call;
mod checks;
mod compiled;
mod convert;
mod decimal;
mod environment;
mod equality;
mod error;
mod evaluate;
mod field;
mod filter;
mod function;
pub mod functions;
mod group;
mod higher_order;
mod item;
mod letter_case;
mod merge;
mod message;
mod native_list;
mod natives;
mod operators;
mod order;
mod path;
mod patterns;
mod program;
mod reach;
mod regex;
mod release;
mod run;
mod scope;
mod shape;
mod signature;
mod text;
mod transform;
mod truth;
mod tuple;
mod view;
mod walk;

#[cfg(test)]
mod tests;

pub use checks::{
    batch_limit, items, map_items, max_items, task_seconds, timestamp, tolerated_count, tolerated_percentage,
    whole_number,
};
pub use compiled::{
    Candidates, Elements, Groups, ItemLoop, JsonataExpression, JsonataRegex, JsonataSignature, Maybe, Members,
    Recursion, Results, Run, Single, Sorting, add, all, argument, array, array_or_object, as_array, at, begin, bool,
    boolean, call_as, call_as_in, call_partial, checked, checked_in, collapsed, concatenate, count, descendants,
    divide, elements, entries, entries_of, equal, evaluate_translated, find, find_all, find_at, find_candidates,
    find_step_at, find_steps, first_items, first_step, float, greater, greater_or_equal, group_items, grouped, int,
    is_greater, is_greater_or_equal, is_in, is_less, is_less_or_equal, is_true, items_of, kept, less, less_or_equal,
    list, lookup_all, members_of, multiply, native, negate, nothing, null, number, object, object_field, of, position,
    range, recursive, regex, remainder, rest, sorted_by, string, subtract, test, text, transformed,
    transformed_without, unequal, value, walk, walk_all, walk_at, walk_candidates, walk_step_at, walk_steps, wildcard,
    wrapped,
};
pub use environment::{JsonataEnvironment, JsonataLimits, Random, States};
pub use error::{JsonataError, Result};
pub use field::{
    JsonataField, evaluate, evaluate_array, evaluate_boolean, evaluate_items, evaluate_number, evaluate_object,
    evaluate_string,
};
pub use item::Item;
pub use program::{JsonataOutcome, JsonataProgram};
