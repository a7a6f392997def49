//! A workflow whose input and output have schemas. A test of the compiler compares the module with
//! its output.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::generated::receipt::schemas::{Input, Output, input};
use crate::generated::receipt::{Receipt, Tasks};
use workflow_runtime::machine::{Program, Start};
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::{Value, Workflow, value};

struct None;

impl Tasks for None {}

/// Returns the output of a future that does not wait.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

/// An observer of an execution that is refused: it must receive nothing.
struct Silence;

impl Observer for Silence {
    fn observe(&mut self, event: &Event<'_>) {
        panic!("{:?}", event.kind);
    }
}

fn order() -> Value {
    value!({
        "id": "A-1",
        "lines": [{ "sku": "cup", "count": 2, "parts": [{ "sku": "ear", "count": 1 }] }],
        "pay": { "number": "5f1e" },
        "labels": { "for": "me" },
        "more": [1, null]
    })
}

#[test]
fn types_are_what_schemas_describe() {
    let typed: Input = order().deserialize_into().expect("an order");
    assert_eq!(typed.lines[0].parts[0].sku, "ear");
    assert_eq!(Value::from(typed.clone()), order());
    let output = now(Receipt::run_typed(&None, typed)).expect("a receipt");
    assert_eq!((output.id.as_str(), output.cents), ("A-1", Option::None));
    assert_eq!(Output::try_from(value!({ "id": "A-1" })).expect("a receipt"), output);
    assert!(Output::try_from(value!({ "cents": 1 })).is_err());
}

#[test]
fn an_input_that_does_not_fit_starts_nothing() {
    let wrong = value!({ "id": "1", "lines": [], "pay": "cash" });
    let builder = Receipt::builder(&None).observer(Silence);
    let fault = now(builder.run(wrong.clone())).expect_err("it is refused");
    assert_eq!(fault.error(), Some("Schema.Violation"));
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    for expected in ["the input does not match the schema `order.json`", "at `/id`", "at `/lines`"] {
        assert!(cause.contains(expected), "{cause}");
    }
    assert!(Receipt::DEFINITION.admit(&wrong).is_err());
    assert!(Receipt::DEFINITION.admit(&order()).is_ok());
    // Without the check before the start, the execution fails.
    let execution = Program::of::<Receipt>().start(Start::new(wrong));
    assert_eq!(execution.result(), Some(&Err(fault)));
    // Constraints that the type does not express are checked, too.
    let mut typed: Input = order().deserialize_into().expect("an order");
    typed.lines.clear();
    typed.pay = input::InputPay::InputPayVariant2(input::InputPayVariant2::Cash);
    assert!(now(Receipt::run_typed(&None, typed)).is_err());
}
