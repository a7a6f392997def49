//! Codes WF12xx: workflows of Serverless Workflow.

super::codes! {
    error WF1201 start_definition: "a workflow, a branch or a body has no start state, or several", r#"
Exactly one state of a workflow has `start`. The same is true of each branch of a parallel state, and of the body of a
foreach state.

Bad:
```json
"states": [{ "name": "Pay", "type": "delay", "timeDelay": "PT1S", "end": { "kind": "default" } }]
```
Good:
```json
"states": [{ "name": "Pay", "type": "delay", "timeDelay": "PT1S", "start": { "kind": "default" }, "end": { "kind": "default" } }]
```
"#;
    error WF1202 duplicate_definition: "duplicate event or function", r#"
Events and functions are looked up by name, so that every event and every function needs a different name.

Bad:
```json
"functions": [{ "name": "pay", "resource": "cards" }, { "name": "pay", "resource": "transfers" }]
```
Good:
```json
"functions": [{ "name": "payByCard", "resource": "cards" }, { "name": "payByTransfer", "resource": "transfers" }]
```
"#;
    error WF1203 ambiguous_next_state: "ambiguous `nextState`", r#"
A transition leads to the state whose name or id is the transition's `nextState` (ruling R21 in
`docs/serverless-workflow.md#r21`). Only one state may match.

Bad:
```json
"transition": { "nextState": "s2" }, … { "name": "s2", "id": "s1" }, { "name": "Ship", "id": "s2" }
```
Good:
```json
"transition": { "nextState": "Ship" }, … { "name": "s2", "id": "s1" }, { "name": "Ship", "id": "s3" }
```
"#;
    error WF1204 undefined_reference: "an event or a function is not defined", r#"
Actions and states can name only events and functions that the workflow defines in `events` and `functions`.

Bad:
```json
"functions": [{ "name": "pay", "resource": "cards" }], … "functionRef": { "refName": "payment" }
```
Good:
```json
"functions": [{ "name": "pay", "resource": "cards" }], … "functionRef": { "refName": "pay" }
```
"#;
    error WF1205 no_end_state: "a branch or the body of a foreach state has no end state", r#"
Each branch of a parallel state, and each iteration of a foreach state, ends in a state with `end` (sections "Parallel
State" and "ForEach State" of the Serverless Workflow draft of June 2020).

Bad:
```json
{ "name": "Notify", "states": [{ "name": "Send", "type": "subflow", "workflowId": "send", "start": { "kind": "default" } }] }
```
Good:
```json
{ "name": "Notify", "states": [{ "name": "Send", "type": "subflow", "workflowId": "send", "start": { "kind": "default" },
    "end": { "kind": "default" } }] }
```
"#;
    error WF1206 switch_ends: "a switch has an end or a transition of its own", r#"
A switch leads to the state of one of its conditions, or of its `default`. It cannot be the last state of a workflow.

Bad:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "end": { "kind": "default" } }
```
Good:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "default": { "nextState": "Reject" } }
```
"#;
    error WF1207 switch_conditions: "a switch has both kinds of conditions, or none", r#"
A switch decides either by its data (`dataConditions`) or by the event that arrives (`eventConditions`).

Bad:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "eventConditions": [ … ] }
```
Good:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "default": { "nextState": "Wait" } },
{ "name": "Wait", "type": "switch", "eventConditions": [ … ], "eventTimeout": "PT1H", "default": { "nextState": "Reject" } }
```
"#;
    error WF1208 branch_count: "`n` does not fit the branches of a parallel state", r#"
With `n_of_m`, a parallel state completes when `n` of its branches have ended. `n` is at least 1, and at most the number
of branches.

Bad:
```json
{ "type": "parallel", "completionType": "n_of_m", "n": 3, "branches": [{ "name": "A", … }, { "name": "B", … }] }
```
Good:
```json
{ "type": "parallel", "completionType": "n_of_m", "n": 1, "branches": [{ "name": "A", … }, { "name": "B", … }] }
```
"#;
    error WF1209 schedule: "a scheduled start has no valid interval", r#"
A start of the kind `scheduled` has an ISO 8601 time interval: two times, a time and a duration, a duration and a time,
or a duration alone. Each time includes its time zone.

Bad:
```json
"start": { "kind": "scheduled", "schedule": { "interval": "2020-03-20 to 2020-03-21" } }
```
Good:
```json
"start": { "kind": "scheduled", "schedule": { "interval": "2020-03-20T09:00:00Z/2020-03-20T15:00:00Z" } }
```
"#;
    error WF1210 end_without_event: "an end of the kind `event` has no event", r#"
Bad:
```json
"end": { "kind": "event" }
```
Good:
```json
"end": { "kind": "event", "produceEvent": { "eventRef": "OrderShipped", "data": "$.order" } }
```
"#;
    error WF1211 retry_interval: "invalid retry interval", r#"
An interval is an ISO 8601 duration. The number of repetitions may precede it (ruling R8 in
`docs/serverless-workflow.md#r8`).

Bad:
```json
"interval": "4 x 1 minute"
```
Good:
```json
"interval": "R4/PT1M"
```
"#;
    error WF1212 expression_language: "unknown expression language", r#"
Expressions are in SpEL, JSONPath, jq or CEL (ruling R7 in `docs/serverless-workflow.md#r7`). A subset of SpEL is
supported.

Bad:
```json
"expression": { "language": "jexl", "body": "order.total > 100" }
```
Good:
```json
"expression": { "language": "spel", "body": "order.total > 100" }
```
"#;
    error WF1213 custom_operator: "a condition with the operator `custom` names no task", r#"
A task decides a condition with the operator `custom`. The member `function` of the condition's metadata names the task
(ruling R4 in `docs/serverless-workflow.md#r4`). The task's input has the value that the path selects, the `value` and the
data. The task returns true or false.

Bad:
```json
{ "path": "$.order", "operator": "custom", "value": "vip", "transition": { "nextState": "Ship" } }
```
Good:
```json
{ "path": "$.order", "operator": "custom", "value": "vip", "metadata": { "function": "isEligible" },
  "transition": { "nextState": "Ship" } }
```
"#;
    error WF1214 function_resource: "the resource of a function does not fit its type", r#"
The resource of a `rest` function is the address of a service. The resource of an `openapi` function is a file and an
operation, and that of a `grpc` function is a file, a service and a method.

Bad:
```json
{ "name": "pay", "type": "openapi", "resource": "cards.yaml" }
```
Good:
```json
{ "name": "pay", "type": "openapi", "resource": "cards.yaml#createCharge" }
```
"#;
    error WF1215 language_not_built_in: "the compiler was built without an expression language", r#"
Expressions in CEL need the feature `cel` of `workflow-runtime`, or of `workflow-compiler` in a build script. SpEL,
JSONPath and jq need no feature, and can express the same.

Bad:
```json
"expression": { "language": "cel", "body": "order.total > 100" }
```
Good:
```json
"expression": { "language": "spel", "body": "order.total > 100" }
```
"#;
    error WF1216 later_version: "the definition is for a later version of the specification", r#"
The compiler supports the draft of June 2020. Later versions introduced `specVersion`, and version 1.0 introduced `dsl`
and `document`. These versions give other meanings to the same words.

Bad:
```json
{ "id": "order", "specVersion": "0.8", "start": "Pay", "states": [] }
```
Good:
```json
{ "id": "order", "states": [{ "name": "Pay", "type": "inject", "start": { "kind": "default" }, "data": {}, "end": { "kind": "default" } }] }
```
"#;
    warning WF1251 lenient_reading: "a deviation from the specification is accepted", r#"
The published schema of the draft refuses the draft's own examples. The compiler therefore accepts the forms that the
examples use: words and members in a different case, `"end": true`, `"start": "default"`, events without `source`,
switches without `default`, and paths of filters without `$`.

Bad:
```json
"end": true
```
Good:
```json
"end": { "kind": "default" }
```
"#;
    warning WF1252 filter_name: "a path of a filter has a nonstandard name", r#"
The text of the draft has several names for the paths of a filter. The compiler reads them as the names in the draft's
tables (ruling R23 in `docs/serverless-workflow.md#r23`).

Bad:
```json
"eventDataFilter": { "dataInputPath": "$.customer" }
```
Good:
```json
"eventDataFilter": { "dataOutputPath": "$.customer" }
```
"#;
    warning WF1253 excluded_path: "a path selects a value that a schema forbids", r#"
`dataInputSchema` or `dataOutputSchema` names a schema for the data, and this schema forbids a value at the place that a
path selects. The path is a JSONPath, or a path of names in an expression of SpEL or CEL.

Bad:
```json
"dataInputSchema": "order.json", … "inputCollection": "$.itmes"
```
Good:
```json
"dataInputSchema": "order.json", … "inputCollection": "$.items"
```
"#;
    warning WF1254 never_correlates: "an awaited event cannot be correlated with the execution", r#"
An event whose definition has a `correlationToken` belongs to the execution whose correlation key is the value of this
attribute. The key is the attribute's value in the event that started the execution, else the value that the program
supplies at the start, else the execution's id (ruling R14 in `docs/serverless-workflow.md#r14`).

The token must therefore name an attribute that events can have: a context attribute, whose name consists of letters and
digits.

If the start events have no token, the key is the id of the execution. An event that the execution awaits before it
calls any function would have to carry this id, which no sender can know. Only an execution that is started in another
way, with a value, can receive such an event.

Bad:
```json
"events": [{ "name": "Ordered", "type": "ordered" }, { "name": "Paid", "type": "paid", "correlationToken": "order" }],
"states": [{ "name": "Begin", "type": "event", "eventsActions": [{ "eventRefs": ["Ordered"] }], … },
    { "name": "Wait", "type": "event", "eventsActions": [{ "eventRefs": ["Paid"], … }], … }]
```
Good:
```json
"events": [{ "name": "Ordered", "type": "ordered", "correlationToken": "order" },
    { "name": "Paid", "type": "paid", "correlationToken": "order" }], …
```
"#;
    warning WF1255 duplicate_branch: "duplicate branch name", r#"
Histories and messages identify branches by name. A branch result that is not an object is stored under the branch's
name, so that one of two results with the same name is lost.

Bad:
```json
"branches": [{ "name": "Ask", "states": [ … ] }, { "name": "Ask", "states": [ … ] }]
```
Good:
```json
"branches": [{ "name": "Ask the bank", "states": [ … ] }, { "name": "Ask the shop", "states": [ … ] }]
```
"#;
}
