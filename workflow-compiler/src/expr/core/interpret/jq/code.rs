//! The functions that generated code calls besides those of the language.

use super::outs::{Emit as _, Inner};
use super::place::PlaceStep;
use super::{Jq, JqContent, NOW, Outs, Res, Row, Yields, leaked, pairs, values};
use crate::expr::core::Closure;
use crate::expr::core::interpret::{Arguments, CALLBACK, Interpreter, OUTCOME, Operand};
use workflow_runtime::__private::{self as rt, jq};
use workflow_runtime::{Object, Str, Value};

/// Calls a closure that returns a value.
fn value_of<'a>(
    interpreter: &Interpreter<'a, Jq>,
    closure: &'a Closure,
    value: Value,
    outs: Outs<'_>,
) -> Res<Operand<'a, Jq>> {
    interpreter.call_closure(closure, vec![Operand::Value(value)], &mut { outs })
}

/// Calls a closure that passes the outputs for a value, if there is one, to another closure.
fn fill<'a>(
    interpreter: &Interpreter<'a, Jq>,
    closure: &'a Closure,
    value: Option<Value>,
    out: jq::Out<'_>,
    outs: Outs<'_>,
) -> Res<()> {
    let inner = Inner::new(outs, out);
    let mut operands: Vec<Operand<'a, Jq>> = value.map(Operand::Value).into_iter().collect();
    operands.push(Operand::Other(JqContent::Out(inner.depth())));
    interpreter.call_closure(closure, operands, &mut (&inner as Outs<'_>)).map(drop)
}

/// Takes an array of Rust, whose length generated code has as a constant.
fn join_path(base: &Value, keys: Vec<Value>) -> Value {
    keys.into_iter().fold(base.clone(), |path, key| jq::join_path(&path, [key]))
}

impl<'a> Arguments<'a, Jq> {
    /// Takes a receiver that is a list.
    fn list(&mut self) -> Vec<Value> {
        self.take().into_list()
    }
}

/// Changes a receiver of a kind.
macro_rules! change {
    ($arguments:ident, $of:ident, $receiver:ident => $change:expr) => {
        match $arguments.receiver() {
            JqContent::$of(mut $receiver) => {
                let result = $change;
                $arguments.put_back(Operand::Other(JqContent::$of($receiver)));
                result
            }
            _ => panic!("the receiver is of another type"),
        }
    };
}

/// Calls a function that takes a closure from a value to a value.
macro_rules! by_value {
    ($interpreter:ident, $arguments:ident, $run:ident, $function:path, $($value:ident),*) => {{
        $(let $value = $arguments.value();)*
        let closure = $arguments.take().into_closure();
        let key = |value: Value| value_of($interpreter, closure, value, *$run).map(Operand::into_value);
        $function($(&$value,)* key).yields()
    }};
}

/// Calls a function that takes a closure from a reference to a value.
macro_rules! by_key {
    ($interpreter:ident, $arguments:ident, $run:ident, $function:path) => {{
        let (value, closure) = ($arguments.value(), $arguments.take().into_closure());
        let key = |item: &Value| value_of($interpreter, closure, item.clone(), *$run).map(Operand::into_value);
        $function(&value, key).yields()
    }};
}

/// Takes the next argument as a function of the runtime takes it.
macro_rules! argument {
    ($arguments:ident value) => {
        $arguments.value()
    };
    ($arguments:ident reference) => {
        &$arguments.value()
    };
    ($arguments:ident list) => {
        $arguments.list()
    };
}

/// Lists functions of the module `jq`, each with the arguments that it takes.
macro_rules! functions {
    ($($name:ident($($kind:ident),*);)*) => {
        &[$((concat!("jq::", stringify!($name)), |_, arguments, _| {
            let _ = &arguments;
            jq::$name($(argument!(arguments $kind)),*).yields()
        })),*]
    };
}

pub(super) static FUNCTIONS: &[Row] = functions! {
    tick();
    index(reference, reference);
    slice(reference, reference, reference);
    setpath(value, reference, value);
    delpaths(value, reference);
    join_paths(reference, reference);
    no_place(reference);
    same_place(reference, reference);
    key(reference);
    one_or_all(list);
    truthy(reference);
    add(value, reference);
    sub(value, reference);
    mul(value, reference);
    div(value, reference);
    rem(value, reference);
    neg(value);
    nan();
    infinite();
    finished(value);
    toarray(reference);
    raise(value);
    left();
    limit(reference);
    skip(reference);
    eq(reference, reference);
    ne(reference, reference);
    lt(reference, reference);
    le(reference, reference);
    gt(reference, reference);
    ge(reference, reference);
    base32(reference);
    base32d(reference);
    base64(reference);
    base64d(reference);
    csv(reference);
    html(reference);
    sh(reference);
    tsv(reference);
    uri(reference);
    urid(reference);
};

impl Yields<Jq> for Str {
    fn yields<'a>(self) -> Res<Operand<'a, Jq>> {
        JqContent::Key(self).yields()
    }
}

pub(super) static SPECIAL: &[Row] = &[
    (CALLBACK, |_, a, run| run.emit(a.out(), a.value()).yields()),
    (OUTCOME, |_, a, _| match a.receiver() {
        JqContent::Outcome(outcome) => outcome.yields(),
        _ => panic!("the argument is no result"),
    }),
    ("jq::get", |_, a, _| jq::get(&a.value(), a.take().into_text())?.clone().yields()),
    ("jq::at", |_, a, _| jq::at(&a.value(), a.take().into_int())?.clone().yields()),
    ("jq::iter", |_, a, _| Ok(Operand::List(jq::iter(&a.value())?.cloned().collect()))),
    ("jq::entries", |_, a, _| {
        let entries = jq::entries(&a.value())?.map(|(key, value)| (key, value.clone())).collect::<Vec<_>>();
        Ok(pairs(entries.into_iter()))
    }),
    ("jq::descend", |_, a, _| Ok(Operand::List(jq::descend(&a.value()).cloned().collect()))),
    ("jq::descend_paths", |_, a, _| {
        let (base, value) = (a.value(), a.value());
        let entries = jq::descend_paths(&base, &value).map(|(path, value)| (path, value.clone())).collect::<Vec<_>>();
        Ok(pairs(entries.into_iter()))
    }),
    ("jq::numbers", |_, a, _| Ok(values(jq::numbers(&a.value(), &a.value())?))),
    ("jq::steps", |_, a, _| {
        let steps = jq::steps(&a.value(), &a.value(), &a.value());
        Ok(Operand::Items(Box::new(steps.map(|step| vec![Operand::Other(JqContent::Outcome(step))]))))
    }),
    ("jq::get_mut", |interpreter, a, _| {
        let place = a.receiver().into_place();
        JqContent::Place(place.part(interpreter, PlaceStep::name(a.take().into_text()))?).yields()
    }),
    ("jq::at_mut", |interpreter, a, _| {
        let place = a.receiver().into_place();
        JqContent::Place(place.part(interpreter, PlaceStep::At(a.take().into_int()))?).yields()
    }),
    ("jq::index_mut", |interpreter, a, _| {
        let place = a.receiver().into_place();
        JqContent::Place(place.part(interpreter, PlaceStep::Key(a.value()))?).yields()
    }),
    ("jq::iter_mut", |interpreter, a, _| {
        let places = a.receiver().into_place().parts(interpreter)?;
        Ok(Operand::Items(Box::new(places.into_iter().map(|place| vec![Operand::Other(JqContent::Place(place))]))))
    }),
    ("take", |interpreter, a, _| a.receiver().into_place().change(interpreter, Value::take).yields()),
    ("jq::join_path", |_, a, _| join_path(&a.value(), a.list()).yields()),
    ("jq::Values::new", |_, _, _| jq::Values::new().yields()),
    ("push", |_, a, _| {
        let mut list = a.list();
        list.push(a.value());
        a.put_back(Operand::List(list));
        ().yields()
    }),
    ("pop", |_, a, _| match a.take() {
        Operand::List(mut list) => {
            let last = list.pop();
            a.put_back(Operand::List(list));
            Ok(Operand::Maybe(last.map(|last| vec![Operand::Value(last)])))
        }
        Operand::Other(JqContent::Places(mut places)) => {
            let last = places.pop();
            a.put_back(Operand::Other(JqContent::Places(places)));
            Ok(Operand::Maybe(last.map(|(path, value)| vec![Operand::Value(path), Operand::Value(value)])))
        }
        _ => panic!("the receiver is no list"),
    }),
    ("jq::Places::new", |_, _, _| JqContent::Places(jq::Places::new()).yields()),
    ("jq::push_place", |_, a, _| {
        change!(a, Places, places => jq::push_place(&mut places, a.value(), a.value()));
        ().yields()
    }),
    ("into_iter", |_, a, _| match a.take() {
        Operand::Other(JqContent::Places(places)) => Ok(pairs(places.into_iter())),
        other => Ok(Operand::Items(other.into_items())),
    }),
    ("rev", |_, a, _| {
        let mut items: Vec<_> = a.take().into_items().collect();
        items.reverse();
        Ok(Operand::Items(Box::new(items.into_iter())))
    }),
    ("extend", |_, a, _| match (a.take(), a.take().into_items()) {
        (Operand::List(mut list), items) => {
            list.extend(items.flatten().map(Operand::into_value));
            a.put_back(Operand::List(list));
            ().yields()
        }
        (Operand::Other(JqContent::Places(mut places)), items) => {
            places.extend(items.map(|parts| {
                let mut parts = parts.into_iter().map(Operand::into_value);
                (parts.next().expect("a path"), parts.next().expect("a value"))
            }));
            a.put_back(Operand::Other(JqContent::Places(places)));
            ().yields()
        }
        _ => panic!("the receiver is no list"),
    }),
    ("::std::string::String::new", |_, _, _| JqContent::Text(String::new()).yields()),
    ("push_str", |_, a, _| {
        change!(a, Text, text => text.push_str(a.take().into_text()));
        ().yields()
    }),
    ("jq::push", |_, a, _| change!(a, Text, text => jq::push(&mut text, &a.value())).yields()),
    ("rt::Object::new", |_, _, _| JqContent::Object(Object::new()).yields()),
    ("rt::Str::from_static", |_, a, _| Str::from_static(leaked(a.take().into_text())).yields()),
    ("insert", |_, a, _| {
        change!(a, Object, object => match a.receiver() {
            JqContent::Key(key) => drop(object.insert(key, a.value())),
            _ => panic!("the argument is no key"),
        });
        ().yields()
    }),
    ("Value::from", |_, a, _| match a.take() {
        Operand::Other(JqContent::Text(text)) => Value::from(text).yields(),
        Operand::Other(JqContent::Object(object)) => Value::from(object).yields(),
        other => Value::from(other.into_list()).yields(),
    }),
    ("jq::only_true", |_, a, _| jq::only_true(&a.list()).yields()),
    ("rt::is_true", |_, a, _| rt::is_true(&a.value()).yields()),
    ("now", |_, _, _| JqContent::Seconds(NOW).yields()),
    ("Value::Float", |_, a, _| match a.receiver() {
        JqContent::Seconds(seconds) => Value::Float(seconds).yields(),
        _ => panic!("the argument is no time"),
    }),
    ("caught", |_, a, _| a.take().into_error().caught().yields()),
    ("==", |_, a, _| compare(a, |left, right| left == right)),
    (">", |_, a, _| compare(a, |left, right| left > right)),
    ("jq::collect", |interpreter, a, run| {
        let closure = a.take().into_closure();
        jq::collect(|out| fill(interpreter, closure, None, out, *run)).yields()
    }),
    ("jq::until_many", |interpreter, a, run| {
        let (value, test) = (a.value(), a.take().into_closure());
        let (next, out) = (a.take().into_closure(), a.out());
        let test = |value: &Value| value_of(interpreter, test, value.clone(), *run).map(Operand::into_bool);
        let next = &mut |value, out: jq::Out<'_>| fill(interpreter, next, Some(value), out, *run);
        jq::until_many(value, test, next, &mut |value| run.emit(out, value)).yields()
    }),
    ("jq::walk", |interpreter, a, run| {
        let (value, closure) = (a.value(), a.take().into_closure());
        jq::walk(value, |part| value_of(interpreter, closure, part, *run).map(Operand::into_value)).yields()
    }),
    ("jq::walk_many", |interpreter, a, run| {
        let (value, filter, out) = (a.value(), a.take().into_closure(), a.out());
        let filter = &mut |value, out: jq::Out<'_>| fill(interpreter, filter, Some(value), out, *run);
        jq::walk_many(value, filter, &mut |value| run.emit(out, value)).yields()
    }),
    ("jq::sub_with", |interpreter, a, run| by_value!(interpreter, a, run, jq::sub_with, value, pattern, flags)),
    ("jq::gsub_with", |interpreter, a, run| by_value!(interpreter, a, run, jq::gsub_with, value, pattern, flags)),
    ("jq::sub_many", |interpreter, a, run| {
        let (value, pattern, flags) = (a.value(), a.value(), a.value());
        let (replacement, out) = (a.take().into_closure(), a.out());
        let replacement = &mut |value, out: jq::Out<'_>| fill(interpreter, replacement, Some(value), out, *run);
        jq::sub_many(&value, &pattern, &flags, replacement, &mut |value| run.emit(out, value)).yields()
    }),
    ("jq::group_by", |interpreter, a, run| by_key!(interpreter, a, run, jq::group_by)),
    ("jq::max_by", |interpreter, a, run| by_key!(interpreter, a, run, jq::max_by)),
    ("jq::min_by", |interpreter, a, run| by_key!(interpreter, a, run, jq::min_by)),
    ("jq::sort_by", |interpreter, a, run| by_key!(interpreter, a, run, jq::sort_by)),
    ("jq::unique_by", |interpreter, a, run| by_key!(interpreter, a, run, jq::unique_by)),
];

/// Compares a count with a constant.
fn compare<'a>(arguments: &mut Arguments<'_, Jq>, holds: fn(u64, u64) -> bool) -> Res<Operand<'a, Jq>> {
    let count = arguments.take().into_count();
    let constant = u64::try_from(arguments.take().into_int()).expect("a count is compared with a count");
    holds(count, constant).yields()
}
