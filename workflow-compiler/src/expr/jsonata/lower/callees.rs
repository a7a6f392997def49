//! Functions of the runtime that lowered expressions call.

use crate::expr::core::Takes::{Constant, FallibleClosure, Mut, Ref, Scalar, Value};
use crate::expr::core::{CoreType, Form, Primitive, Takes};
use workflow_jsonata::BinaryOperator;

const VALUE: CoreType = CoreType::Value;
const UNIT: CoreType = CoreType::Unit;

/// Creates a function that takes the run of the expression and returns a value.
const fn running(name: &'static str, takes: &'static [Takes]) -> Primitive {
    Primitive::function(name, takes, VALUE).runs()
}

/// Creates a function that returns a value.
const fn pure(name: &'static str, takes: &'static [Takes]) -> Primitive {
    Primitive::function(name, takes, VALUE)
}

/// Creates a method that changes its receiver, takes the run of the expression, and returns
/// nothing.
const fn filling(name: &'static str, takes: &'static [Takes]) -> Primitive {
    Primitive::method(name, takes, UNIT).acts().runs()
}

/// Creates a method that makes a value of its receiver.
const fn finishing(name: &'static str) -> Primitive {
    Primitive::method(name, &[Value], VALUE)
}

/// Creates a function that returns an iterator.
const fn iterating(name: &'static str, takes: &'static [Takes]) -> Primitive {
    Primitive::function(name, takes, CoreType::Items)
}

pub(super) const STEP: Primitive = Primitive::function("run.step", &[], UNIT).fails().acts();

// Functions of the expression.
pub(super) const CHECKED: Primitive = iterating("jsonata::checked", &[Ref, Constant, Constant]).runs();
pub(super) const CHECKED_IN: Primitive = iterating("jsonata::checked_in", &[Ref, Ref, Constant, Constant]).runs();
pub(super) const ARGUMENT: Primitive = pure("jsonata::argument", &[Ref, Constant]);
pub(super) const CALL_AS: Primitive = running("jsonata::call_as", &[Constant, Constant, Ref]);
pub(super) const CALL_AS_IN: Primitive = running("jsonata::call_as_in", &[Constant, Constant, Ref, Ref]);
pub(super) const CALL_PARTIAL: Primitive = running("jsonata::call_partial", &[Constant, Constant, Ref]);
pub(super) const TRANSFORMED: Primitive =
    running("jsonata::transformed", &[Ref, Constant, FallibleClosure, FallibleClosure]);
pub(super) const TRANSFORMED_WITHOUT: Primitive =
    running("jsonata::transformed_without", &[Ref, Constant, FallibleClosure, FallibleClosure, FallibleClosure]);
pub(super) const RECURSIVE: Primitive = running("jsonata::recursive", &[Constant, Value, FallibleClosure]);
pub(super) const RECUR: Primitive = Primitive::method("call", &[Scalar, Constant, Value], VALUE).runs();
pub(super) const AGAIN: Primitive = Primitive::method("again", &[Scalar, Value], VALUE).acts();
pub(super) const REACH: Primitive = Primitive::function("run.reach", &[Constant], UNIT).fails().acts();
pub(super) const ENTER_CALL: Primitive = Primitive::function("run.enter_call", &[], UNIT).fails().acts();
pub(super) const LEAVE_CALL: Primitive = Primitive::function("run.leave_call", &[], UNIT).acts();

// Values.
pub(super) const NOTHING: Primitive = pure("jsonata::nothing", &[]);
pub(super) const OF: Primitive = pure("jsonata::of", &[Value]);
pub(super) const WRAPPED: Primitive = pure("jsonata::wrapped", &[Ref]);
pub(super) const COLLAPSED: Primitive = pure("jsonata::collapsed", &[Value]);
pub(super) const KEPT: Primitive = pure("jsonata::kept", &[Value]);
pub(super) const GROUPED: Primitive = running("jsonata::grouped", &[Value]);
pub(super) const ALL: Primitive = pure("jsonata::all", &[Value]);
pub(super) const FIRST_STEP: Primitive = running("jsonata::first_step", &[Value]);
pub(super) const POSITION: Primitive = pure("jsonata::position", &[Value]);
pub(super) const NATIVE: Primitive = running("jsonata::native", &[Constant]);
pub(super) const REGEX: Primitive = running("jsonata::regex", &[Constant]);
pub(super) const IS_SOME: Primitive = Primitive::method("is_some", &[Ref], CoreType::Bool);
pub(super) const IS_TRUE: Primitive = Primitive { returns: CoreType::Bool, ..running("jsonata::is_true", &[Ref]) };

/// The functions that read members of a variable, or of a value.
pub(super) struct Reading {
    pub variable: Primitive,
    pub value: Primitive,
}

// Paths of names.
pub(super) const FIND: Reading = Reading {
    variable: running("jsonata::find", &[Value, Constant]),
    value: running("jsonata::walk", &[Ref, Constant]),
};
pub(super) const FIND_STEP: Reading = Reading {
    variable: running("jsonata::find_steps", &[Value, Constant]),
    value: running("jsonata::walk_steps", &[Ref, Constant]),
};
pub(super) const FIND_ALL: Reading = Reading {
    variable: running("jsonata::find_all", &[Value, Constant]),
    value: running("jsonata::walk_all", &[Ref, Constant]),
};
pub(super) const FIND_AT: Reading = Reading {
    variable: running("jsonata::find_at", &[Value, Constant, Constant]),
    value: running("jsonata::walk_at", &[Ref, Constant, Constant]),
};
pub(super) const FIND_STEP_AT: Reading = Reading {
    variable: running("jsonata::find_step_at", &[Value, Constant, Constant]),
    value: running("jsonata::walk_step_at", &[Ref, Constant, Constant]),
};
pub(super) const FIND_CANDIDATES: Reading = Reading {
    variable: iterating("jsonata::find_candidates", &[Value, Constant]).runs(),
    value: iterating("jsonata::walk_candidates", &[Ref, Constant]).runs(),
};
pub(super) const LOOKUP_ALL: Primitive = running("jsonata::lookup_all", &[Ref, Constant]);
pub(super) const WILDCARD: Primitive = running("jsonata::wildcard", &[Ref]);
pub(super) const DESCENDANTS: Primitive = running("jsonata::descendants", &[Ref]);
pub(super) const AT: Primitive = pure("jsonata::at", &[Ref, Constant]);

// Loops.
pub(super) const ITEMS: Primitive = iterating("jsonata::items_of", &[Value]);
pub(super) const FIRST_ITEMS: Primitive = iterating("jsonata::first_items", &[Value]);
pub(super) const GROUP_ITEMS: Primitive = iterating("jsonata::group_items", &[Value]);
pub(super) const ENTRIES: Primitive = iterating("jsonata::entries", &[Value]);
pub(super) const ENTRIES_OF: Primitive = iterating("jsonata::entries_of", &[Value]);
pub(super) const COUNT: Primitive = Primitive::function("jsonata::count", &[Ref], CoreType::Count);
pub(super) const MEMBERS_OF: Primitive = iterating("jsonata::members_of", &[Ref, Constant]).runs();
pub(super) const REMAINING: Primitive = iterating("jsonata::rest", &[Value, Ref]);
pub(super) const INITIAL: Primitive = pure("jsonata::begin", &[Ref, Ref]);
pub(super) const AS_ARRAY: Primitive = pure("jsonata::as_array", &[Value]);

// Results of steps and predicates.
pub(super) const RESULTS: Primitive = Primitive::function("jsonata::Results::new", &[], CoreType::Values);
pub(super) const PUSH: Primitive = Primitive::method("push", &[Mut, Value], UNIT).acts();
pub(super) const PUSH_SELECTED: Primitive = Primitive::method("push_selected", &[Mut, Value], UNIT).acts();
pub(super) const NEXT_STEP: Primitive = finishing("step").runs();
pub(super) const LAST_STEP: Primitive = finishing("last_step").runs();
pub(super) const RAW_STEP: Primitive = finishing("last").runs();
pub(super) const SEQUENCE: Primitive = finishing("sequence");
pub(super) const KEEP: Primitive = filling("keep", &[Mut, Value]);
pub(super) const SELECT: Primitive = filling("select", &[Mut, Value, Ref, Value, Value]);
pub(super) const SINGLE: Primitive = Primitive::function("jsonata::Single::new", &[], CoreType::Values);
pub(super) const ADD_SINGLE: Primitive = Primitive::method("add", &[Mut, Value], UNIT).acts().fails();
pub(super) const ONE: Primitive = Primitive::method("value", &[Value, Ref], VALUE).fails();

// Constructors.
pub(super) const ARRAY: Primitive = running("jsonata::elements", &[Value]);
pub(super) const LIST: Primitive = running("jsonata::list", &[Value]);
pub(super) const ELEMENTS: Primitive = Primitive::function("jsonata::Elements::new", &[], CoreType::Values);
pub(super) const ADD_ELEMENTS: Primitive = filling("add", &[Mut, Value]);
pub(super) const ADD_ELEMENT: Primitive = filling("add_one", &[Mut, Value]);
pub(super) const ALL_ELEMENTS: Primitive = finishing("array");
pub(super) const CONSTRUCTED: Primitive = finishing("constructed");
pub(super) const GROUPS: Primitive = Primitive::function("jsonata::Groups::new", &[], CoreType::Values);
pub(super) const ADD_TO_GROUP: Primitive = filling("add", &[Mut, Constant, Ref, Ref]);
pub(super) const MERGED_GROUPS: Primitive = Primitive::method("merged", &[Value], CoreType::Items).runs();
pub(super) const MEMBERS: Primitive = Primitive::function("jsonata::Members::new", &[], CoreType::Object);
pub(super) const INSERT: Primitive = filling("insert", &[Mut, Ref, Value]);
pub(super) const OBJECT: Primitive = finishing("object");
pub(super) const OBJECT_OR_NOTHING: Primitive = finishing("object_or_nothing");

// Orders.
pub(super) const SORTED_BY: Primitive = running("jsonata::sorted_by", &[Value, FallibleClosure]);
pub(super) const SORTING: Primitive = Primitive::function("jsonata::Sorting::new", &[], CoreType::Values);
pub(super) const ADD_KEY: Primitive = filling("add", &[Mut, Value]);
pub(super) const SORTED: Primitive = Primitive::method("sorted", &[Value, Ref, Constant], VALUE).runs();

/// The comparison of a number with a constant.
pub(super) const EQUALS: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function("==", &[Value, Constant], CoreType::Bool) };

/// Returns a function of the language.
pub(super) fn native(path: &'static str) -> Primitive {
    running(path, &[Ref])
}

/// Returns a function of the language for which the context item can stand for an argument.
pub(super) fn contextual(path: &'static str) -> Primitive {
    running(path, &[Ref, Ref])
}

/// Returns the function of an operator with two values.
pub(super) fn operator(operator: BinaryOperator) -> Primitive {
    const BOTH: &[Takes] = &[Ref, Ref];
    use BinaryOperator as B;
    let arithmetic = |name| Primitive::function(name, BOTH, VALUE).fails();
    let test = |name| Primitive { returns: CoreType::Bool, ..running(name, BOTH) };
    match operator {
        B::Add => arithmetic("jsonata::add"),
        B::Subtract => arithmetic("jsonata::subtract"),
        B::Multiply => arithmetic("jsonata::multiply"),
        B::Divide => arithmetic("jsonata::divide"),
        B::Remainder => arithmetic("jsonata::remainder"),
        B::Less => running("jsonata::less", BOTH),
        B::LessOrEqual => running("jsonata::less_or_equal", BOTH),
        B::Greater => running("jsonata::greater", BOTH),
        B::GreaterOrEqual => running("jsonata::greater_or_equal", BOTH),
        B::Equal => test("jsonata::equal"),
        B::Unequal => test("jsonata::unequal"),
        B::In => test("jsonata::is_in"),
        B::Concatenate => running("jsonata::concatenate", BOTH),
        // The operands of `and` and `or` are no values, and these two are lowered elsewhere.
        B::Range | B::And | B::Or => running("jsonata::range", BOTH),
    }
}

/// Returns the function that tests an order. Nothing is not in it.
pub(super) fn order_test(operator: BinaryOperator) -> Option<Primitive> {
    let name = match operator {
        BinaryOperator::Less => "jsonata::is_less",
        BinaryOperator::LessOrEqual => "jsonata::is_less_or_equal",
        BinaryOperator::Greater => "jsonata::is_greater",
        BinaryOperator::GreaterOrEqual => "jsonata::is_greater_or_equal",
        _ => return None,
    };
    Some(Primitive { returns: CoreType::Bool, ..running(name, &[Ref, Ref]) })
}

/// The negation of a number.
pub(super) const NEGATE: Primitive = running("jsonata::negate", &[Ref]);
