//! Tasks with types of the program, their contexts, and clocks that a test advances.

use std::time::Duration;

use crate::extremes::Extremes;
use serde::{Deserialize, Serialize};
use workflow_runtime::__private::{self as rt, Invoke, TaskFuture};
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Builder, Fault, OrFault, TaskContext, Timestamp, Value, value};

#[derive(Deserialize)]
struct Order {
    id: String,
    lines: Vec<Line>,
}

#[derive(Deserialize, Serialize)]
struct Line {
    sku: String,
    count: u32,
}

#[derive(Serialize)]
struct Receipt {
    id: String,
    count: u32,
    lines: Vec<Line>,
}

struct Typed;

impl Typed {
    async fn item(&self, order: Order, cx: TaskContext) -> Result<Receipt, Fault> {
        let count = order.lines.iter().map(|line| line.count).sum();
        if count == 0 {
            return Err(Fault::new("Empty", cx.idempotency_key()));
        }
        Ok(Receipt { id: order.id, count, lines: order.lines })
    }

    async fn odd(&self, _: Value, _: TaskContext) -> Result<std::collections::HashMap<Vec<u8>, Receipt>, Fault> {
        Ok([(vec![1], Receipt { id: String::new(), count: 0, lines: Vec::new() })].into())
    }
}

impl Invoke for Typed {
    fn invoke<'a>(&'a self, task: &'static rt::Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        match input.as_str() {
            Some("odd") => rt::typed_task(task, input, cx, rt::read, |input, cx| self.odd(input, cx), rt::write),
            Some("unknown") => rt::unknown_task(task),
            _ => rt::typed_task(task, input, cx, rt::read, |input, cx| self.item(input, cx), rt::write),
        }
    }
}

fn run(item: Value) -> Result<Value, Fault> {
    let input = value!({ "mode": "wide", "n": 0, "items": [item] });
    let builder = Builder::<Extremes>::new().name("run-1").clock(VirtualClock::new());
    testing::block_on(builder.tasks(&Typed).run(input)).expect("an end")
}

#[test]
fn types_of_the_program_are_converted_and_mismatches_reported() {
    let lines = value!([{ "sku": "a", "count": 2 }, { "sku": "b", "count": 3 }]);
    let receipt = value!({ "id": "o-1", "count": 5, "lines": lines.clone() });
    assert_eq!(run(value!({ "id": "o-1", "lines": lines })), Ok(value!([receipt])));
    let cases = [
        (value!({ "id": "o-1", "lines": [] }), "Empty", "extremes/run-1/2-0"),
        (
            value!({ "id": "o-1", "lines": [{ "sku": "a", "count": -1 }] }),
            "States.TaskFailed",
            "the input of the task `Item` does not match the type `Order`: invalid value: integer `-1`, expected u32 at \
             `$.lines[0].count`",
        ),
        (
            "odd".into(),
            "States.TaskFailed",
            "the output of the task `Item` does not match the type `HashMap<Vec<u8>, Receipt>`: ",
        ),
        ("unknown".into(), "States.Runtime", "the program has no task `Item`, invoked by the state `Item`"),
    ];
    for (item, error, cause) in cases {
        let fault = run(item).expect_err(cause);
        assert_eq!(fault.error(), Some(error));
        let message = fault.cause().and_then(Value::as_str).expect("a cause");
        assert!(message.contains(cause), "{message}");
    }
}

#[test]
fn a_workflow_can_be_run_with_types_of_the_program() {
    #[derive(Serialize)]
    struct Input {
        greeting: &'static str,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Output {
        greeting: String,
    }
    let builder = || Builder::<Extremes>::new().tasks(&Typed);
    let run = builder().types::<Input, Output>(rt::write, rt::read).run(Input { greeting: "hello" });
    assert_eq!(testing::block_on(run), Some(Ok(Output { greeting: "hello".to_owned() })));
    let run = builder().types::<Input, u8>(rt::write, rt::read).run(Input { greeting: "hello" });
    let fault = testing::block_on(run).and_then(Result::err).expect("a misfit");
    let expected = "States.TaskFailed: the output of the workflow `extremes` does not match the type `u8`: ";
    assert!(fault.to_string().starts_with(expected), "{fault}");
}

#[test]
fn errors_of_the_program_become_faults_by_or_fault() {
    fn read(text: &str) -> Result<i64, Fault> {
        let number: i64 = text.parse().or_fault("Number.Invalid")?;
        if number < 0 {
            return Err("the number is negative").or_task_failed();
        }
        std::fs::read(format!("no such folder/{number}")).map(|_| number).or_task_failed()
    }
    let fault = |text| read(text).expect_err("a fault").to_string();
    assert_eq!(fault("x"), "Number.Invalid: invalid digit found in string");
    // A fault keeps its name and its kind.
    let declined = Fault::new("CardDeclined", "no money").uncatchable();
    let kept = Err::<(), _>(declined.clone()).or_fault("Number.Invalid").expect_err("a fault");
    assert_eq!((kept.to_string(), kept.is_uncatchable()), (declined.to_string(), true));
    assert_eq!(fault("-1"), "States.TaskFailed: the number is negative");
    assert!(fault("1").starts_with("States.TaskFailed: "), "{}", fault("1"));

    /// An error that is its own source. A message that the text ends with is not repeated.
    #[derive(Debug)]
    struct Endless;
    impl std::fmt::Display for Endless {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("again")
        }
    }
    impl std::error::Error for Endless {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&Endless)
        }
    }
    assert_eq!(Err::<(), _>(Endless).or_fault("E").expect_err("a fault").to_string(), "E: again");
}

#[test]
fn errors_of_the_program_become_faults_with_all_that_is_beneath_them() {
    #[derive(Debug)]
    struct Outer(std::num::ParseIntError);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the amount is wrong")
        }
    }
    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let fault = Fault::from_error(&Outer("x".parse::<u8>().expect_err("no number")));
    let expected = "States.TaskFailed: the amount is wrong: invalid digit found in string";
    assert_eq!(fault.to_string(), expected);
}

#[tokio::test]
async fn a_steered_clock_moves_only_when_advanced() {
    let clock = VirtualClock::at(Timestamp::from_seconds(100)).steered();
    let (fast, slow) =
        (clock.sleep_until(Timestamp::from_seconds(110)), clock.sleep_until(Timestamp::from_seconds(120)));
    let fast = tokio::spawn(fast);
    let slow = tokio::spawn(slow);
    tokio::task::yield_now().await;
    assert!(!clock.idle(1), "it does not jump by itself");
    clock.advance(Duration::from_secs(10));
    fast.await.expect("the first sleeper wakes");
    assert!(!slow.is_finished());
    assert!(clock.jump());
    slow.await.expect("the second sleeper wakes");
    assert_eq!(clock.now(), Timestamp::from_seconds(120));
    assert!(!clock.jump(), "nobody waits any more");
    drop(clock.sleep_until(Timestamp::from_seconds(200)));
    assert!(!clock.jump(), "nor does one who was dropped");
    clock.sleep_until(Timestamp::from_seconds(1)).await;
}
