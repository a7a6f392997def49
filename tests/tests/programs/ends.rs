//! Types of outputs that the compiler infers.

use workflow_runtime::{Fault, Outcome, TaskContext, Value, include_workflow, value};

include_workflow!("arguments/flows/verdict.asl.json");

include_workflow!(
    "arguments/flows/draft.json",
    name: "posted",
    dialect: "asl",
    substitutions: { "Stage" => "test" },
    schemas: { "Publish" => { output = "arguments/flows/schemas/publication.json" } },
    allow: ["WF0251"],
);

struct Clerk;

impl verdict::Tasks for Clerk {}

#[tokio::test]
async fn an_output_that_the_compiler_infers_has_a_type() {
    let output = verdict::Verdict::run_typed(&Clerk, value!({ "sum": 7 })).await.expect("a verdict");
    assert_eq!(output.status, verdict::schemas::output::OutputStatus::Accepted);
    assert_eq!((output.steps.len(), output.sum, output.reason), (2, Some(7.0), None));
    let output = verdict::Verdict::run_typed(&Clerk, value!({ "sum": 70 })).await.expect("a verdict");
    assert_eq!(output.status, verdict::schemas::output::OutputStatus::Rejected);
    assert_eq!((output.sum, output.reason.as_deref()), (None, Some("it costs too much")));
    // Programs that read the members of a `Value` compile as before.
    let output = verdict::Verdict::run(&Clerk, value!({ "sum": 7 })).await.expect("a verdict");
    assert_eq!(output.get("status"), Some(&Value::from("accepted")));
}

/// A blog that returns this value.
struct Blog(Value);

impl posted::Tasks for Blog {
    async fn publish_test(&self, _: Value, _: TaskContext) -> Outcome {
        Ok(self.0.clone())
    }
}

/// The compiler trusts the schema of a task, which the runtime does not check.
#[tokio::test]
async fn an_output_that_does_not_fit_its_type_is_an_error() {
    let output = posted::Posted::run_typed(&Blog(value!({ "published": true })), Value::Null).await.expect("an output");
    assert_eq!((output.published, output.url), (true, None));
    let fault = posted::Posted::run_typed(&Blog(value!({ "published": "soon" })), Value::Null).await;
    let fault: Fault = fault.expect_err("the output does not fit");
    assert!(fault.to_string().contains("published") || fault.to_string().contains("boolean"), "{fault}");
}
