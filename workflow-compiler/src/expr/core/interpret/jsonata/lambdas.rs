//! Functions of expressions: those that call themselves, those with a signature, and those made of
//! others.

use super::{Jsonata, Res, Row, Yields, leaked};
use crate::expr::core::Closure;
use crate::expr::core::interpret::{Arguments, Interpreter, Operand};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use workflow_runtime::__private::jsonata::{self, JsonataSignature, Maybe, Run};

thread_local! {
    /// The arguments of the next turn of a function that calls itself.
    static NEXT: RefCell<Option<Vec<Maybe>>> = const { RefCell::new(None) };
}

pub(super) static LAMBDAS: &[Row] = &[
    ("run.reach", |_, arguments, run| run.reach(arguments.pair()).yields()),
    ("run.enter_call", |_, _, run| run.enter_call().yields()),
    ("run.leave_call", |_, _, run| {
        run.leave_call();
        ().yields()
    }),
    ("jsonata::argument", |_, arguments, _| {
        let args = arguments.take().into_list();
        jsonata::argument(&args, arguments.pair()).yields()
    }),
    ("jsonata::checked", |_, arguments, run| {
        let args = arguments.take().into_list();
        let (signature, name) = (signature(arguments), arguments.take().into_text());
        jsonata::checked(&args, signature, name, run).map(Operand::List)
    }),
    ("jsonata::checked_in", |_, arguments, run| {
        let (args, context) = (arguments.take().into_list(), arguments.value());
        let (signature, name) = (signature(arguments), arguments.take().into_text());
        jsonata::checked_in(&args, &context, signature, name, run).map(Operand::List)
    }),
    ("jsonata::call_as", |_, arguments, run| {
        let (native, name) = (arguments.take().into_text(), arguments.take().into_text());
        jsonata::call_as(native, name, &arguments.take().into_list(), run).yields()
    }),
    ("jsonata::call_as_in", |_, arguments, run| {
        let (native, name) = (arguments.take().into_text(), arguments.take().into_text());
        jsonata::call_as_in(native, name, &arguments.take().into_list(), &arguments.value(), run).yields()
    }),
    ("jsonata::call_partial", |_, arguments, run| {
        let (native, name) = (arguments.take().into_text(), arguments.take().into_text());
        jsonata::call_partial(native, name, &arguments.take().into_list(), run).yields()
    }),
    ("jsonata::transformed", |interpreter, arguments, run| {
        let (args, name) = (arguments.take().into_list(), arguments.take().into_text());
        let (pattern, update) = (part(interpreter, arguments), part(interpreter, arguments));
        jsonata::transformed(&args, name, pattern, update, run).yields()
    }),
    ("jsonata::transformed_without", |interpreter, arguments, run| {
        let (args, name) = (arguments.take().into_list(), arguments.take().into_text());
        let (pattern, update) = (part(interpreter, arguments), part(interpreter, arguments));
        jsonata::transformed_without(&args, name, pattern, update, part(interpreter, arguments), run).yields()
    }),
    ("jsonata::recursive", |interpreter, arguments, run| {
        let (levels, args) = (arguments.pair(), arguments.take().into_list());
        recur(interpreter, arguments.take().into_closure(), levels, args, run).yields()
    }),
    ("call", |interpreter, arguments, run| {
        let (closure, levels) = (arguments.take().into_closure(), arguments.pair());
        recur(interpreter, closure, levels, arguments.take().into_list(), run).yields()
    }),
    ("again", |_, arguments, _| {
        arguments.take().into_closure();
        NEXT.set(Some(arguments.take().into_list()));
        jsonata::nothing().yields()
    }),
];

/// Returns a signature that lives until the end, like a constant of generated code.
fn signature(arguments: &mut Arguments<'_, Jsonata>) -> &'static JsonataSignature {
    static SIGNATURES: Mutex<BTreeMap<&str, &JsonataSignature>> = Mutex::new(BTreeMap::new());
    let text = leaked(arguments.take().into_text());
    let mut signatures = SIGNATURES.lock().expect("no holder of the lock panics");
    signatures.entry(text).or_insert_with(|| Box::leak(Box::new(JsonataSignature::new(text))))
}

/// Returns a part of a transformation.
fn part<'i, 'a>(
    interpreter: &'i Interpreter<'a, Jsonata>,
    arguments: &mut Arguments<'a, Jsonata>,
) -> impl Fn(Maybe, &mut Run<'_>) -> Res<Maybe> + use<'i, 'a> {
    let closure = arguments.take().into_closure();
    move |item, run| interpreter.call_closure(closure, vec![Operand::Value(item)], run).map(Operand::into_value)
}

/// Calls a function that calls itself.
fn recur<'a>(
    interpreter: &Interpreter<'a, Jsonata>,
    closure: &'a Closure,
    levels: usize,
    args: Vec<Maybe>,
    run: &mut Run<'_>,
) -> Res<Maybe> {
    run.descend(levels);
    let mut args = args;
    let result = loop {
        run.step()?;
        // The turn binds the locals of the turns around it, too.
        let outside = interpreter.save();
        let operands = vec![Operand::Closure(closure), Operand::List(args)];
        let result = interpreter.call_closure(closure, operands, run)?.into_value();
        interpreter.restore(outside);
        match NEXT.take() {
            Some(next) => args = next,
            None => break result,
        }
    };
    run.ascend(levels);
    Ok(result)
}
