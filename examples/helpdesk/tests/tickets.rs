//! Tests of the composition with the tasks of the program.

use helpdesk::{Desk, helpdesk::Helpdesk};
use workflow_runtime::{Value, value};

fn answer(ticket: Value) -> Value {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(Helpdesk::run(&Desk, ticket)).expect("an answer")
}

#[test]
fn an_outage_is_paged() {
    let answer = answer(value!({ "id": 1, "subject": " Nothing works! " }));
    assert_eq!(answer, value!({ "value": "#1 \"Nothing works!\": pager, at once" }));
}

#[test]
fn a_ticket_without_text_is_queued_with_a_remark() {
    let answer = answer(value!({ "id": 3, "subject": "" }));
    let remark = "#3 \"\": queue, not classified: NoText: there is nothing to read";
    assert_eq!(answer, value!({ "value": remark }));
}

/// The same composition, with functions of this program instead of two of its own.
mod replaced {
    use workflow_runtime::{Fault, Value, Variables, include_workflow, value};

    include_workflow!(
        "flows/helpdesk.composer.json",
        name: "replaced",
        functions: {
            "is_urgent" => |ticket, variables| {
                assert_eq!(variables.get("attempts"), Some(&value!(2)), "what Let declared is in sight");
                Ok(value!({ "value": ticket.get("subject").is_some() }))
            },
            "summary" => crate::replaced::summary,
        },
    );

    pub fn summary(parameters: Value, _: &mut Variables<'_>) -> Result<Value, Fault> {
        match parameters.get("by") {
            Some(by) => Ok(by.clone()),
            None => Err(Fault::new("Nobody", "took it")),
        }
    }
}

#[test]
fn functions_of_the_program_stand_in_for_those_of_the_definition() {
    use replaced::replaced::{Replaced, Tasks};
    use workflow_runtime::{Fault, TaskContext};

    struct Quiet;

    impl Tasks for Quiet {
        async fn language_classify(&self, ticket: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(ticket)
        }

        async fn pager_page(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(value!({ "by": "pager" }))
        }

        async fn queue_add(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(value!({}))
        }
    }

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let paged = runtime.block_on(Replaced::run(&Quiet, value!({ "id": 1, "subject": "x" })));
    assert_eq!(paged, Ok(value!({ "value": "pager" })));
    let queued = runtime.block_on(Replaced::run(&Quiet, value!({ "id": 1, "subject": "x", "labels": [] })));
    assert_eq!(queued, Ok(value!({ "value": "pager" })));
}

/// The same composition, with a method of this program instead of a function.
mod asked {
    use workflow_runtime::include_workflow;

    include_workflow!(
        "flows/helpdesk.composer.json",
        name: "asked",
        functions: { "is_urgent" => self.urgent },
    );
}

#[test]
fn a_method_stands_in_for_a_function() {
    use asked::asked::{Asked, Tasks};
    use workflow_runtime::{Fault, TaskContext};

    /// The team, whose method decides about urgency.
    struct Team {
        on_call: &'static str,
    }

    impl Tasks for Team {
        async fn urgent(&self, ticket: Value, _: TaskContext) -> Result<Value, Fault> {
            tokio::task::yield_now().await;
            Ok(Value::from(ticket.get("for").and_then(Value::as_str) == Some(self.on_call)))
        }

        async fn language_classify(&self, ticket: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(ticket)
        }

        async fn pager_page(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(value!({ "by": "pager" }))
        }

        async fn queue_add(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
            Ok(value!({ "by": "queue" }))
        }
    }

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let team = Team { on_call: "ada" };
    let answer = |whom: &str| runtime.block_on(Asked::run(&team, value!({ "id": 1, "subject": "x", "for": whom })));
    assert_eq!(answer("ada"), Ok(value!({ "value": "#1 \"x\": pager, as usual" })));
    assert_eq!(answer("bob"), Ok(value!({ "value": "#1 \"x\": queue, as usual" })));
}
