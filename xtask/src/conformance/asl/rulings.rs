//! Cases of the Amazon States Language that a ruling of the project decides otherwise, or that
//! rest on an unsupported feature.

use crate::conformance::rulings::Rulings;

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
            "its states are in JSONata, which is put off; the field that says so is misplaced",
        ),
        (
            "with jsonpath args can return the entire context",
            "an execution cannot be given a context object of its own",
        ),
    ],

    decided_otherwise: &[
        ("data_limit_exceeded_on_large_utf8_response", "A4: nothing handles `States.DataLimitExceeded`"),
        ("TestHeartbeats::test_heartbeat_timeout", "A3: the error is `States.HeartbeatTimeout`"),
    ],
};
