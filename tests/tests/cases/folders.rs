//! Tests of every folder of `cases/<dialect>`. The definition compiles to its goldens, and the
//! code runs as `case.toml` says. The build script lists the folders.

use workflow_runtime::testing::{self, Mocks, Reply};
use workflow_runtime::value::object;
use workflow_runtime::{Builder, FunctionLimits, Hub, JsonataLimits, Value};

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// Workflows whose names clash with names in their modules. They compile.
mod clashing {
    include!(concat!(env!("OUT_DIR"), "/clashing.rs"));
}

#[test]
fn a_circle_that_never_waits_is_ended() {
    let input = object([("from", 5_000.into()), ("rounds", 1.into())]);
    let builder = Builder::<countdown::countdown::Countdown>::new().step_limit(1_000);
    let fault = testing::run(builder, &Mocks::new(), input).outcome.expect_err("more than a thousand steps");
    assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"));
    assert!(fault.to_string().contains("1000"), "{fault}");
}

#[test]
fn functions_have_the_limits_of_the_execution() {
    let run = |limits| {
        let items = [object([("price", 2.into())])].into_iter().collect::<Value>();
        let builder = Builder::<clerk::clerk::Clerk>::new().function_limits(limits);
        testing::run(builder, &Mocks::new(), object([("items", items)])).outcome
    };
    let fault = run(FunctionLimits { steps: 0, ..FunctionLimits::default() }).expect_err("no step is left");
    assert!(fault.to_string().contains("the function used up its budget of steps"), "{fault}");
    assert!(run(FunctionLimits::default()).is_ok());
}

#[test]
fn expressions_have_the_limits_of_the_execution() {
    let run = |limits: Option<JsonataLimits>| {
        let builder = Builder::<bounds::bounds::Bounds>::new();
        let builder = limits.into_iter().fold(builder, Builder::jsonata_limits);
        testing::run(builder, &Mocks::new(), object([("count", 15.into())])).outcome
    };
    // The definition has 30 levels and 800 bytes.
    assert_eq!(run(None), Ok("too deep".into()));
    assert_eq!(run(Some(JsonataLimits { bytes: 800, ..JsonataLimits::default() })), Ok(120.into()));
    let fault = run(Some(JsonataLimits { depth: 100, bytes: 100 })).expect_err("the list is too long");
    assert_eq!(fault.error(), Some("States.QueryEvaluationError"));
    let [none, one] = [0, 1].map(|depth| run(Some(JsonataLimits { depth, bytes: 800 })));
    assert_eq!(none, one, "one level is the least");
}

/// A case of Serverless Workflow starts another one, which runs without a mock.
#[test]
fn a_child_that_terminates_ends_its_parent() {
    let run = |look: Value| {
        let child = Mocks::new()
            .task("look", [Reply::ok(look).to("Ada")])
            .task("call", [Reply::ok("on its way").to(object([("who", "Ada".into())]))]);
        let hub = Hub::new().workflow::<visit::visit::Visit>(child);
        let letters = [Reply::ok(object([]))];
        let mocks = Mocks::new().workflow("letters", letters).task("file", [Reply::ok("filed")]);
        let patient = object([("name", "Ada".into())]);
        let report = testing::run(
            Builder::<referral::referral::Referral>::new().hub(&hub),
            &mocks,
            object([("patient", patient)]),
        );
        (report.outcome.expect("it ends").to_string(), report.visited, report.calls.len())
    };
    assert_eq!(
        run(object([("urgent", false.into())])),
        (r#"{"name":"Ada","urgent":false,"file":"filed"}"#.to_owned(), vec!["Write", "Visit", "File"], 1)
    );
    assert_eq!(
        run(object([("urgent", true.into())])),
        (r#"{"name":"Ada","urgent":true,"call":"on its way"}"#.to_owned(), vec!["Write", "Visit"], 0)
    );
}
