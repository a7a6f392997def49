//! Codes WF11xx: workflows of the Workflow DSL.

super::codes! {
    error WF1101 unknown_message: "a message is not declared", r#"
The workflow's `messages` must declare every message that an activity waits for or an action produces.

Bad:
```json
{ "type": "produceMessage", "messageRef": "OrderPayed" }
```
Good:
```json
{ "type": "produceMessage", "messageRef": "OrderPaid" }
```
"#;
    error WF1102 wrong_message_kind: "a message is used in the direction opposite to its declaration", r#"
Activities wait for messages of the `kind` `consumed`. Actions produce messages of the `kind` `produced`.

Bad:
```json
"messages": [{ "name": "Paid", "kind": "produced" }],
"activities": [{ "name": "Wait", "type": "message", "onMessages": [{ "messageRefs": ["Paid"] }] }]
```
Good:
```json
"messages": [{ "name": "Paid", "kind": "consumed" }],
"activities": [{ "name": "Wait", "type": "message", "onMessages": [{ "messageRefs": ["Paid"] }] }]
```
"#;
    error WF1103 duplicate_message: "duplicate message", r#"
Activities and actions refer to messages by name, so that every message needs a different name.

Bad:
```json
"messages": [{ "name": "Paid", "kind": "consumed" }, { "name": "Paid", "kind": "produced" }]
```
Good:
```json
"messages": [{ "name": "Paid", "kind": "consumed" }, { "name": "Settled", "kind": "produced" }]
```
"#;
    error WF1104 data_filter: "invalid data filter", r#"
A filter in braces has items of three forms. `from: .to` reads the member `from`, and writes it as `to`. `.to` writes
all of the data as `to`. `from` alone merges the members that are listed, and every item of the filter must then have
this form. The name on the left is read and the name on the right is written: a jq object has the opposite order. Each
name is written once.

Bad:
```json
"activityDataFilter": { "input": "${ {user: .data, order} }" }
```
Good:
```json
"activityDataFilter": { "input": "${ {user: .data, order: .order} }" }
```
"#;
    error WF1105 invalid_duration: "invalid duration", r#"
A duration is an ISO 8601 duration, such as `PT15S` or `P1DT12H`. A year counts as 365 days, and a month as 30.

Bad:
```json
"sleep": { "before": "15s" }
```
Good:
```json
"sleep": { "before": "PT15S" }
```
"#;
    error WF1106 not_an_expression: "invalid expression", r#"
An expression is enclosed in `${` and `}`.

Bad:
```json
"condition": ".applicant.age >= 18"
```
Good:
```json
"condition": "${ .applicant.age >= 18 }"
```
"#;
    error WF1107 not_callable: "a sub-flow is not a child, or does not have the requested version", r#"
A `subFlow` activity starts another workflow by its `id`, and by its `version` if the activity names one. The other
workflow needs `"isChild": true`. The compiler checks this if it has the other definition: in `subflows` of the macro,
in `.subflow(…)` of a build script, or as another file of `cargo workflow check`.

Bad:
```json
{ "id": "visa", "version": "1.0", "activities": [] }
```
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "visa", "version": "2.0" }
```
Good:
```json
{ "id": "visa", "version": "1.0", "isChild": true, "activities": [] }
```
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "visa", "version": "1.0" }
```
"#;
    error WF1108 secret_place: "a secret is used outside of a header", r#"
Secrets of the program, such as tokens, are sent only in headers of calls, and are never part of the data.
`$SECRETS.name` is the whole value of a header, or its end. Only the program that runs the workflow knows the secret.

Bad:
```json
{ "type": "rest", "operation": "https://api.example.com/orders", "query-parameters": { "key": "${ $SECRETS.key }" } }
```
Good:
```json
{ "type": "rest", "operation": "https://api.example.com/orders", "header": { "X-Key": "${ $SECRETS.key }" } }
```
"#;
    warning WF1151 path_without_dot: "a path in an expression has no dot before its first name", r#"
A jq path begins with a dot. Without the dot, jq reads the first name as a function. The compiler reads the text as a
path, because it is evidently meant to be one.

Bad:
```json
"arguments": { "items": "${ cart.items }" }
```
Good:
```json
"arguments": { "items": "${ .cart.items }" }
```
"#;
    warning WF1152 filter_direction: "a data filter is probably reversed", r#"
A filter in braces reads the name on the left and writes the name on the right: `{user: .data}` reads `user` and writes
`data`. A jq object has the opposite order. This workflow later reads the name on the left, which the filter does not
write.

Bad:
```json
"activityDataFilter": { "input": "${ {user: .data} }" },
"actions": [{ "type": "rest", "operation": "https://api.example.com/mail", "arguments": { "to": "${ .user.address }" } }]
```
Good:
```json
"activityDataFilter": { "input": "${ {data: .user} }" },
"actions": [{ "type": "rest", "operation": "https://api.example.com/mail", "arguments": { "to": "${ .user.address }" } }]
```
"#;
    warning WF1153 endless_retries: "a failing activity is retried without limit", r#"
`maxAttempts` is the number of retries after the first attempt. Without it, or with 0, the activity is retried without
limit.

Bad:
```json
"retry": { "initialInterval": "2" }
```
Good:
```json
"retry": { "maxAttempts": "10", "initialInterval": "2" }
```
"#;
    warning WF1154 unknown_subflow: "the id of a sub-flow is similar to that of a known definition", r#"
The program looks up sub-flows when an execution starts them, so that the compiler need not know every definition. But
the compiler has a definition with nearly the same id, which is probably the one that is meant.

Bad:
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "vsia" }
```
Good:
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "visa" }
```
"#;
    warning WF1155 number_for_text: "a string is written as a number, and loses digits", r#"
YAML and JSON read `1.10` as the number 1.1. Put a version or a name that looks like a number in quotes.

Bad:
```yaml
version: 1.10
```
Good:
```yaml
version: "1.10"
```
"#;
}
