//! Codes E11, W11: workflows of the Workflow DSL.

super::codes! {
    E1101 unknown_message: "a message is used that is not declared", r#"
Messages are declared in `messages` of the workflow before anything waits for them or produces them.

Bad:
```json
{ "type": "produceMessage", "messageRef": "OrderPayed" }
```
Good:
```json
{ "type": "produceMessage", "messageRef": "OrderPaid" }
```
"#;
    E1102 wrong_message_kind: "a message is used the other way round than it is declared", r#"
Activities wait for messages whose `kind` is `consumed`, and actions produce those whose `kind` is `produced`.

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
    E1103 duplicate_message: "two messages have the same name", r#"
Messages are named where they are used, so that each needs a name of its own.

Bad:
```json
"messages": [{ "name": "Paid", "kind": "consumed" }, { "name": "Paid", "kind": "produced" }]
```
Good:
```json
"messages": [{ "name": "Paid", "kind": "consumed" }, { "name": "Settled", "kind": "produced" }]
```
"#;
    E1104 data_filter: "a filter of data in braces is not as the language has it", r#"
In braces a filter has items of these forms: `from: .to` reads the member `from` and writes it as `to`; `.to` writes all of the
data as `to`; `from`, which stands with others of its kind only, merges members. What is read stands on the left, and what is
written on the right: the other way round than in an object of jq. A name is written once.

Bad:
```json
"activityDataFilter": { "input": "${ {user: .data, order} }" }
```
Good:
```json
"activityDataFilter": { "input": "${ {user: .data, order: .order} }" }
```
"#;
    E1105 invalid_duration: "a text is no duration", r#"
Durations are those of ISO 8601, such as `PT15S` or `P1DT12H`, in which a year has 365 days and a month 30.

Bad:
```json
"sleep": { "before": "15s" }
```
Good:
```json
"sleep": { "before": "PT15S" }
```
"#;
    E1106 not_an_expression: "a text is not an expression, or one is not closed", r#"
Expressions stand between `${` and `}`.

Bad:
```json
"condition": ".applicant.age >= 18"
```
Good:
```json
"condition": "${ .applicant.age >= 18 }"
```
"#;
    E1107 not_callable: "a sub-flow is no child, or is not there in the version that is asked for", r#"
A `subFlow` activity starts another workflow by its `id`, and by its `version` if it names one. Only those with `"isChild": true` can
be started so. This is looked at where the other definition is given to the compiler, too: by `subflows` of the macro,
`.subflow(…)` of a build script, or as another file of `cargo workflow check`.

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
    E1108 secret_place: "a secret is read where there is none", r#"
Secrets of the program, such as tokens, are sent in headers of calls, and are nowhere in the data: `$SECRETS.name` is all of a
header's value, or stands at its end. What the secret is, only the program knows that runs the workflow.

Bad:
```json
{ "type": "rest", "operation": "https://api.example.com/orders", "query-parameters": { "key": "${ $SECRETS.key }" } }
```
Good:
```json
{ "type": "rest", "operation": "https://api.example.com/orders", "header": { "X-Key": "${ $SECRETS.key }" } }
```
"#;
    W1101 path_without_dot: "a path in an expression has no dot before its first name", r#"
In jq a path begins with a dot. Without one, the first name would be a function. What is evidently meant to be a path is read as
one.

Bad:
```json
"arguments": { "items": "${ cart.items }" }
```
Good:
```json
"arguments": { "items": "${ .cart.items }" }
```
"#;
    W1102 filter_direction: "a filter of data is probably written in the other direction", r#"
In a filter in braces, what is read stands on the left, and what is written on the right: `{user: .data}` reads `user` and writes
`data`. An object of jq has it the other way round. Here the workflow reads the name on the left afterwards, which is not
there.

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
    W1103 endless_retries: "an activity that fails is tried again for ever", r#"
`maxAttempts` says how often an activity is tried again. Without it, or with 0, nothing ends that.

Bad:
```json
"retry": { "initialInterval": "2" }
```
Good:
```json
"retry": { "maxAttempts": "10", "initialInterval": "2" }
```
"#;
    W1104 unknown_subflow: "a sub-flow has nearly the id of a definition that was given", r#"
Sub-flows are looked for when the program starts, so that not every one need be known to the compiler. Where definitions were given
to it, one of nearly the same id is probably the one that is meant.

Bad:
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "vsia" }
```
Good:
```json
{ "name": "Check visa", "type": "subFlow", "workflowId": "visa" }
```
"#;
    W1105 number_for_text: "a text is written as a number, and loses digits", r#"
YAML and JSON read `1.10` as the number 1.1. A version or a name that looks like a number stands in quotes.

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
