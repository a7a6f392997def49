//! Cases that the project's rulings decide otherwise, or that rest on something it does not have: each with its reason.

/// Cases that are not tried, by a part of their id.
const OUT_OF_SCOPE: &[(&str, &str)] = &[
    ("TestActivities::test_activity_task_on_deleted", "which activities exist is AWS's to know (A13)"),
    ("test_invoke_with_headers[singleStringHeader]", "the parameters of API Gateway are AWS's to check (A13)"),
    ("TestTaskServiceDynamoDB::test_invalid_integration", "which services have which actions is AWS's to know (A13)"),
];

/// Why a case is not tried.
pub fn out_of_scope(id: &str) -> Option<&'static str> {
    OUT_OF_SCOPE.iter().find(|(part, _)| id.contains(part)).map(|(_, reason)| *reason)
}

/// Expressions whose value on AWS is not the one that floe gives: the expression, a part of the input, and why.
const UNLIKE_FLOE: &[(&str, &str)] = &[];

/// Why an expression's value is not compared with floe's.
pub fn unlike_floe(name: &str) -> Option<&'static str> {
    UNLIKE_FLOE.iter().find(|(case, _)| *case == name).map(|(_, reason)| *reason)
}
