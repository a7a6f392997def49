//! Cases of the Amazon States Language that a ruling of the project decides otherwise, or that
//! rest on an unsupported feature.

use crate::conformance::rulings::Rulings;
use workflow_compiler::codes::ALLOWABLE;

/// The reasons, by a part of the id of a case.
pub const RULINGS: Rulings = Rulings {
    out_of_scope: &[
        ("TestActivities::test_activity_task_on_deleted", "which activities exist is AWS's to know (A13)"),
        ("test_invoke_with_headers[singleStringHeader]", "the parameters of API Gateway are AWS's to check (A13)"),
        (
            "TestTaskServiceDynamoDB::test_invalid_integration",
            "which services have which actions is AWS's to know (A13)",
        ),
        (
            "shared-fallback-state-jsonata",
            "its field `QueryLanguage` stands among the states, and no state is in JSONata",
        ),
        ("agent-with-tools-flow-template", "a template: a program of its author adds states"),
        ("dynamic-sql-agent-template", "a template: a program of its author replaces `Items`"),
        ("supervisor-agent-flow-template", "a template: a program of its author adds rules"),
    ],

    decided_otherwise: &[
        (
            "States.Format with args with escaped characters",
            "floe does not hold to this itself: an escaped quote is a quote",
        ),
        ("States.Hash with a hash (matching the stepfunctions simulator)", "floe does not hold to this itself"),
        ("function-eval/", "AWS has no `$eval` (A17)"),
        (
            "valid-map-with-item-batcher-jsonata",
            "AWS refuses a state in JSONPath in a machine in JSONata (measured); only a validator accepts it",
        ),
    ],
};

/// Calls that floe refuses and that AWS was recorded to accept, by the name of a case, with the
/// ruling.
pub const ACCEPTED_BY_AWS: &[(&str, &str)] = &[("States.UUID fails with wrong number of arguments", "A36")];

/// The errors for what AWS accepts and what fails in every run. A program that is compiled with
/// these codes allowed fails as on AWS ([A37](docs/amazon-states-language.md#a37)).
pub fn allowed() -> Vec<String> {
    ALLOWABLE.iter().map(|code| code.id.to_owned()).collect()
}
