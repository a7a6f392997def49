//! A composition with functions that are not translated, from its text to its result. The test
//! needs a JavaScript engine, and the engine a C compiler: `cargo test -p workflow-tests
//! --features javascript --test engine`.

use std::time::Duration;
use workflow_runtime::testing::{self, Mocks, Reply};
use workflow_runtime::{Builder, Fault, FunctionLimits, include_workflow, value};

include_workflow!("engine/mail.composer.json", allow: ["WF0375"]);

use mail::Mail;

#[test]
fn regular_expressions_run_between_translated_functions_and_actions() {
    let delivered = value!({ "text": "Hello,\n  you!", "valid": true });
    let given = value!({ "mail": "ann.lee@example.org", "valid": true });
    let mocks = Mocks::new().task("deliver", [Reply::ok(delivered).to(given)]);
    let report = testing::run(Builder::<Mail>::new(), &mocks, value!({ "mail": " ann.lee@example.org\n" }));
    assert_eq!(report.outcome, Ok(value!({ "words": ["Hello,", "you!"], "valid": true })));
}

/// The time of its matching doubles with each character.
#[test]
fn a_regular_expression_that_takes_too_long_is_an_error_object() {
    let limits = FunctionLimits { time: Duration::from_millis(50), ..FunctionLimits::default() };
    let input = value!({ "mail": "a".repeat(60) });
    let report = testing::run(Builder::<Mail>::new().function_limits(limits), &Mocks::new(), input);
    let text = "An error has occurred: the function used up its budget of time";
    assert_eq!(report.outcome.as_ref().map_err(Fault::error), Err(Some(text)));
}
