//! Every folder of `cases/<dialect>`: the definition compiles to its goldens, and the code runs as `case.toml` says. The build
//! script lists them.

use workflow_runtime::testing::{self, Mocks};
use workflow_runtime::value::object;
use workflow_runtime::{FunctionLimits, Value};

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// Workflows whose names clash with what their modules use. They compile.
mod clashing {
    include!(concat!(env!("OUT_DIR"), "/clashing.rs"));
}

#[test]
fn a_circle_that_never_waits_is_ended() {
    let input = object([("from", 5_000.into()), ("rounds", 1.into())]);
    let builder = countdown::countdown::Countdown::builder().step_limit(1_000);
    let fault = testing::run(builder, &Mocks::new(), input).outcome.expect_err("more than a thousand steps");
    assert_eq!(fault.error(), Some("States.Runtime"));
    assert!(fault.to_string().contains("1000"), "{fault}");
}

#[test]
fn functions_have_the_limits_of_the_execution() {
    let run = |limits| {
        let items = [object([("price", 2.into())])].into_iter().collect::<Value>();
        let builder = clerk::clerk::Clerk::builder().function_limits(limits);
        testing::run(builder, &Mocks::new(), object([("items", items)])).outcome
    };
    let fault = run(FunctionLimits { steps: 0, ..FunctionLimits::default() }).expect_err("no step is left");
    assert!(fault.to_string().contains("the function used up its budget of steps"), "{fault}");
    assert!(run(FunctionLimits::default()).is_ok());
}
