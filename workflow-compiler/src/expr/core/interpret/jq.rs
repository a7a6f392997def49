//! Functions of jq: a table with a row for each function that lowered programs call.

mod code;
mod natives;
mod outs;
mod place;

pub use outs::{NoOuts, Outs};

use super::{Arguments, Interpreted, Interpreter, Operand, Yields, leaked, row};
use crate::expr::Literal;
use crate::expr::core::CoreLocalId;
use outs::Depth;
use place::ValuePlace;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use workflow_runtime::__private::jq;
use workflow_runtime::{Object, Str, Value};

/// The time that `now` returns.
const NOW: f64 = 1_700_000_000.5;

/// The language jq.
pub struct Jq;

/// The contents of locals of jq besides values.
pub enum JqContent {
    /// Paths with their values.
    Places(jq::Places),
    /// A text that is being written.
    Text(String),
    /// An object that is being filled.
    Object(Object),
    /// The name of a member.
    Key(Str),
    /// Seconds since 1970.
    Seconds(f64),
    /// A location inside the value of a local.
    Place(ValuePlace),
    /// A result that is not yet known to be a value.
    Outcome(jq::Result),
    /// A closure that takes the outputs of a filter.
    Out(Depth),
}

type Res<T> = jq::Result<T>;
type Function =
    for<'i, 'a, 'r> fn(&'i Interpreter<'a, Jq>, &'i mut Arguments<'a, Jq>, &'i mut Outs<'r>) -> Res<Operand<'a, Jq>>;
/// A name as generated code has it, and the function.
type Row = (&'static str, Function);

/// The functions by name.
static ROWS: LazyLock<BTreeMap<&'static str, Function>> = LazyLock::new(|| {
    let rows = [code::SPECIAL, code::FUNCTIONS, natives::ONE, natives::TWO, natives::THREE, natives::MANY];
    rows.into_iter().flatten().copied().collect()
});

impl Interpreted for Jq {
    type Value = Value;
    type Error = jq::Error;
    type Other = JqContent;
    type Run<'r> = Outs<'r>;

    fn literal(literal: &Literal) -> Value {
        Value::from_json(&literal.to_string()).expect("a constant is JSON")
    }

    fn of_bool(value: bool) -> Value {
        Value::Bool(value)
    }

    fn array(items: Vec<Value>) -> Value {
        Value::from(items)
    }

    fn object(members: Vec<(&str, Value)>, _: &mut Outs<'_>) -> Res<Value> {
        let mut object = Object::new();
        for (name, value) in members {
            object.insert(name, value);
        }
        Ok(object.into())
    }

    fn copied(other: &JqContent) -> Option<JqContent> {
        match other {
            JqContent::Seconds(seconds) => Some(JqContent::Seconds(*seconds)),
            JqContent::Place(place) => Some(JqContent::Place(place.clone())),
            JqContent::Out(depth) => Some(JqContent::Out(*depth)),
            JqContent::Key(key) => Some(JqContent::Key(key.clone())),
            JqContent::Places(places) => Some(JqContent::Places(places.clone())),
            JqContent::Text(_) | JqContent::Object(_) | JqContent::Outcome(_) => None,
        }
    }

    fn place(local: CoreLocalId) -> JqContent {
        JqContent::Place(ValuePlace::whole(local))
    }

    fn value_at(interpreter: &Interpreter<'_, Jq>, place: JqContent) -> Value {
        place.into_place().change(interpreter, |value| value.clone())
    }

    fn store(interpreter: &Interpreter<'_, Jq>, place: JqContent, value: Value) {
        place.into_place().change(interpreter, |old| *old = value);
    }

    fn call<'a>(
        name: &'static str,
        interpreter: &Interpreter<'a, Jq>,
        arguments: &mut Arguments<'a, Jq>,
        run: &mut Outs<'_>,
    ) -> Res<Operand<'a, Jq>> {
        row(&ROWS, name)(interpreter, arguments, run)
    }
}

impl JqContent {
    fn into_place(self) -> ValuePlace {
        match self {
            JqContent::Place(place) => place,
            _ => panic!("the argument is not a place"),
        }
    }
}

/// Returns the names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.keys().copied()
}

impl Arguments<'_, Jq> {
    fn value(&mut self) -> Value {
        self.take().into_value()
    }

    fn out(&mut self) -> Depth {
        match self.receiver() {
            JqContent::Out(depth) => depth,
            _ => panic!("the argument takes no outputs"),
        }
    }
}

yields! {
    Jq;
    (), _nothing => Operand::Unit;
    bool, holds => Operand::Bool(holds);
    u64, count => Operand::Count(count);
    Value, value => Operand::Value(value);
    Vec<Value>, values => Operand::List(values);
    jq::Error, error => Operand::Error(error);
    JqContent, other => Operand::Other(other);
}

/// Returns the items of a loop that are paths, or keys, with values.
fn pairs<'a>(items: impl Iterator<Item = (Value, Value)> + 'static) -> Operand<'a, Jq> {
    Operand::Items(Box::new(items.map(|(key, item)| vec![Operand::Value(key), Operand::Value(item)])))
}

/// Returns the items of a loop that are values.
fn values<'a>(items: impl Iterator<Item = Value> + 'static) -> Operand<'a, Jq> {
    Operand::Items(Box::new(items.map(|item| vec![Operand::Value(item)])))
}
