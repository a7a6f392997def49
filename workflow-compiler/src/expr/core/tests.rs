//! Tests of the passes and of emission on functions built by hand.

mod shared;

use super::builder::CoreBuilder;
use super::emit::emit;
use super::emit::jsonata::emit_parts;
use super::{
    Atom, Closure, Computation, Constant, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreStatement, CoreType,
    ErrorExit, Primitive, Takes, Try, TryEnd,
};
use crate::expr::Literal;
use crate::names::NameScope;
use crate::pretty::layout;
use proc_macro2::{Ident, Span};
use std::sync::Arc;

const GET: Primitive =
    Primitive::function("jq::get", &[Takes::Ref, Takes::Constant], CoreType::Value).borrows().fails();
const ITER: Primitive = Primitive::function("jq::iter", &[Takes::Ref], CoreType::Items).borrows().fails();
const GT: Primitive = Primitive::function("jq::gt", &[Takes::Ref, Takes::Ref], CoreType::Bool);
const ADD: Primitive = Primitive::function("jq::add", &[Takes::Value, Takes::Ref], CoreType::Value).fails();
const TICK: Primitive = Primitive::function("jq::tick", &[], CoreType::Unit).fails().acts();
const NEW: Primitive = Primitive::function("jq::Values::new", &[], CoreType::Values);
const PUSH: Primitive = Primitive::method("push", &[Takes::Mut, Takes::Value], CoreType::Unit).acts();
const FROM: Primitive = Primitive::function("Value::from", &[Takes::Value], CoreType::Value);
const GET_MUT: Primitive =
    Primitive::function("jq::get_mut", &[Takes::Mut, Takes::Constant], CoreType::Place).borrows().fails().acts();
const TAKE: Primitive = Primitive::method("take", &[Takes::Mut], CoreType::Value).acts();
const FUNCTION: Primitive = Primitive::function("js::function", &[Takes::OwnedClosure], CoreType::Value);
const NEW_VARIABLE: Primitive = Primitive::function("js::Var::new", &[Takes::Value], CoreType::Shared);

fn atom(atom: Atom) -> CoreArgument {
    CoreArgument::Atom(atom)
}

fn text(text: &str) -> CoreArgument {
    CoreArgument::Text(text.to_owned())
}

#[track_caller]
fn check(mut function: CoreFunction, expected: &str) {
    let before = function.to_string();
    let ownership = function.optimise();
    let name = Ident::new("f", Span::call_site());
    let tokens = emit(&function, &ownership, "jq", &name, NameScope::of_jq(&Arc::default()));
    assert_eq!(layout(tokens), layout(expected.parse().expect("the test has Rust")), "{before}\n{function}");
}

#[test]
fn a_selection_is_a_loop() {
    let mut builder = CoreBuilder::default();
    let input = builder.param("input", CoreType::Value);
    let items = builder.bind("items", CoreType::Values, builder.call_of(NEW, vec![]));
    let orders = builder.call("orders", GET, vec![atom(Atom::Local(input)), text("orders")]);
    let over = builder.call_of(ITER, vec![atom(orders)]);
    let order = builder.local("order", CoreType::Value);
    let label = builder.label("orders");
    builder.begin();
    builder.run(TICK, vec![]);
    let total = builder.call("total", GET, vec![atom(Atom::Local(order)), text("total")]);
    let test = builder.call("is_large", GT, vec![atom(total), atom(Atom::Literal(Literal::Int(10)))]);
    builder.begin();
    builder.run(PUSH, vec![CoreArgument::Changed(items), atom(Atom::Local(order))]);
    let then = builder.end(None);
    builder.push(CoreStatement::Do(Computation::If { test, then, otherwise: Default::default() }));
    let body = builder.end(None);
    builder.push(CoreStatement::For { label, items: vec![order], over, body });
    let result = builder.call("result", FROM, vec![atom(Atom::Local(items))]);
    check(
        builder.finish(result, CoreType::Value),
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    let mut items = jq::Values::new();
    for order in jq::iter(jq::get(input, "orders")?)? {
        jq::tick()?;
        if jq::gt(jq::get(order, "total")?, &Value::Int(10)) {
            items.push(order.clone());
        }
    }
    Ok(Value::from(items))
}"#,
    );
}

#[test]
fn a_state_is_moved_into_its_update() {
    let mut builder = CoreBuilder::default();
    let input = builder.param("input", CoreType::Value);
    let sum = builder.bind("sum", CoreType::Value, Computation::Atom(Atom::Literal(Literal::Int(0))));
    let over = builder.call_of(ITER, vec![atom(Atom::Local(input))]);
    let item = builder.local("item", CoreType::Value);
    let label = builder.label("items");
    builder.begin();
    let added = builder.call("added", ADD, vec![atom(Atom::Local(sum)), atom(Atom::Local(item))]);
    builder.push(CoreStatement::Assign(sum, Computation::Atom(added)));
    let body = builder.end(None);
    builder.push(CoreStatement::For { label, items: vec![item], over, body });
    check(
        builder.finish(Atom::Local(sum), CoreType::Value),
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    let mut sum = Value::Int(0);
    for item in jq::iter(input)? {
        sum = jq::add(sum, item)?;
    }
    Ok(sum)
}"#,
    );
}

#[test]
fn a_change_takes_the_input() {
    let mut builder = CoreBuilder::default();
    let input = builder.param("input", CoreType::Value);
    let value = builder.call("b", GET, vec![atom(Atom::Local(input)), text("b")]);
    let result = builder.bind("result", CoreType::Value, Computation::Atom(Atom::Local(input)));
    let place = builder.call("place", GET_MUT, vec![CoreArgument::Changed(result), text("a")]);
    let local = place.local().expect("a place");
    let old = builder.call("old", TAKE, vec![CoreArgument::Changed(local)]);
    let new = builder.call("new", ADD, vec![atom(old), atom(value)]);
    builder.push(CoreStatement::Store(local, new));
    check(
        builder.finish(Atom::Local(result), CoreType::Value),
        r#"
fn f(mut input: Value) -> jq::Result<Value> {
    let b = jq::get(&input, "b")?.clone();
    let place = jq::get_mut(&mut input, "a")?;
    *place = jq::add(place.take(), &b)?;
    Ok(input)
}"#,
    );
}

/// Checks what is wrong with a function of a statement.
#[track_caller]
fn is_wrong(builder: CoreBuilder, statement: CoreStatement, expected: &[&str]) {
    let mut function = builder.finish(Atom::Literal(Literal::Null), CoreType::Value);
    function.body.statements.push(statement);
    assert_eq!(function.problems(), expected, "{function}");
}

#[test]
fn nothing_jumps_to_the_closure_of_a_try() {
    let mut builder = CoreBuilder::default();
    let label = builder.label("tried");
    let tick = CoreCall { callee: TICK, args: Vec::new(), on_error: ErrorExit::Attempt(label) };
    let statements = vec![CoreStatement::Do(Computation::Call(tick)), CoreStatement::Break(label, None)];
    let body = CoreBlock { statements, value: None };
    let inner = Try { label, body, end: TryEnd::Finally(CoreBlock::default()) };
    is_wrong(
        builder,
        CoreStatement::Do(Computation::Try(Box::new(inner))),
        &["the error of `jq::tick` goes to no enclosing attempt", "a jump leaves no enclosing block ('0)"],
    );
}

#[test]
fn a_closure_that_is_called_later_uses_copies() {
    for is_copied in [false, true] {
        let mut builder = CoreBuilder::default();
        let list = builder.bind("list", CoreType::Values, builder.call_of(NEW, vec![]));
        let number = builder.bind("number", CoreType::Number, Computation::Atom(Atom::Constant(Constant::Number(1.0))));
        let copy = builder.local("copy", CoreType::Values);
        let changed = if is_copied { copy } else { list };
        let push = builder.call_of(PUSH, vec![CoreArgument::Changed(changed), atom(Atom::Local(number))]);
        let closure = Closure {
            params: Vec::new(),
            returns: CoreType::Value,
            captures: vec![(copy, list)],
            body: CoreBlock { statements: vec![CoreStatement::Do(push)], value: None },
        };
        let function = builder.call_of(FUNCTION, vec![CoreArgument::Closure(closure)]);
        let expected = ["`list` (0) is used in a closure that has no copy of it"];
        is_wrong(builder, CoreStatement::Do(function), if is_copied { &[] } else { &expected });
    }
}

#[test]
fn a_variable_on_the_heap_is_bound_to_a_new_one() {
    for (ty, expected) in
        [(CoreType::Shared, &[][..]), (CoreType::Value, &["`n` (0) and the result of `js::Var::new` differ in type"])]
    {
        let mut builder = CoreBuilder::default();
        let local = builder.declared("n", ty);
        let new = builder.call_of(NEW_VARIABLE, vec![atom(Atom::Literal(Literal::Null))]);
        is_wrong(builder, CoreStatement::Let(local, new), expected);
    }
}

#[test]
fn a_test_that_ends_the_turn_is_an_operand_beside_the_item() {
    const ITEMS: Primitive = Primitive::function("jq::items", &[Takes::Ref], CoreType::Items);
    const PAIR: Primitive = Primitive::function("jq::pair", &[Takes::Value, Takes::Scalar], CoreType::Value);
    let mut builder = CoreBuilder::default();
    let input = builder.param("input", CoreType::Value);
    let list = builder.bind("list", CoreType::Values, builder.call_of(NEW, vec![]));
    let over = builder.call_of(ITEMS, vec![atom(Atom::Local(input))]);
    let (label, item) = (builder.label("items"), builder.local("item", CoreType::Value));
    builder.begin();
    let left = builder.call("left", GT, vec![atom(Atom::Local(input)), atom(Atom::Local(input))]);
    builder.begin();
    let test = builder.call("ends", GT, vec![atom(Atom::Local(input)), atom(Atom::Literal(Literal::Int(1)))]);
    builder.begin();
    builder.push(CoreStatement::Continue(label));
    let then = builder.end(None);
    builder.push(CoreStatement::Do(Computation::If { test, then, otherwise: CoreBlock::default() }));
    let right = builder.end(Some(Atom::Literal(Literal::Bool(true))));
    let both = builder.bind("both", CoreType::Bool, Computation::Logic { is_and: true, left, right });
    let pair = builder.call("pair", PAIR, vec![atom(Atom::Local(item)), atom(Atom::Local(both))]);
    builder.run(PUSH, vec![CoreArgument::Changed(list), atom(pair)]);
    let body = builder.end(None);
    builder.push(CoreStatement::For { label, items: vec![item], over, body });
    let result = builder.call("result", FROM, vec![atom(Atom::Local(list))]);
    check(
        builder.finish(result, CoreType::Value),
        r#"
fn f(input: &Value) -> Value {
    let mut list = jq::Values::new();
    for item in jq::items(input) {
        list.push(jq::pair(item, jq::gt(input, input) && {
            if jq::gt(input, &Value::Int(1)) {
                continue;
            }
            true
        }));
    }
    Value::from(list)
}"#,
    );
}

#[test]
fn a_closure_inside_has_a_run_of_its_own() {
    const EACH: Primitive = Primitive::function("jsonata::each", &[Takes::FallibleClosure], CoreType::Value);
    const COUNTED: Primitive = Primitive::function("jsonata::counted", &[], CoreType::Value).runs();
    let mut builder = CoreBuilder::default();
    let outside = builder.begin_closure();
    let outer = builder.begin_closure();
    let value = builder.call("value", COUNTED, vec![]);
    let inner = builder.end_closure(outer, Vec::new(), CoreType::Value, Some(value));
    let value = builder.call("value", EACH, vec![CoreArgument::Closure(inner)]);
    let closure = builder.end_closure(outside, Vec::new(), CoreType::Value, Some(value));
    let result = builder.call("result", EACH, vec![CoreArgument::Closure(closure)]);
    let mut function = builder.finish(result, CoreType::Value);
    let ownership = function.optimise();
    let parts = emit_parts(&function, &ownership, NameScope::of_jsonata(&Arc::default()));
    let expected = "Ok(jsonata::each(|_| Ok(jsonata::each(|run| jsonata::counted(run)))))";
    let expected: proc_macro2::TokenStream = expected.parse().expect("the test has Rust");
    assert_eq!(parts.result.to_string(), expected.to_string());
    assert!(!function.body.takes_run());
}
