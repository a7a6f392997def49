//! Codes E12, W12: workflows of Serverless Workflow.

super::codes! {
    E1201 start_definition: "a workflow, a branch or a body has no first state, or several", r#"
One state of a workflow has `start`, and so has one of each branch of a parallel state and of the body of a foreach state.

Bad:
```json
"states": [{ "name": "Pay", "type": "delay", "timeDelay": "PT1S", "end": { "kind": "default" } }]
```
Good:
```json
"states": [{ "name": "Pay", "type": "delay", "timeDelay": "PT1S", "start": { "kind": "default" }, "end": { "kind": "default" } }]
```
"#;
    E1202 duplicate_definition: "two events or two functions have the same name", r#"
Events and functions are found by their names, so that each needs one of its own.

Bad:
```json
"functions": [{ "name": "pay", "resource": "cards" }, { "name": "pay", "resource": "transfers" }]
```
Good:
```json
"functions": [{ "name": "payByCard", "resource": "cards" }, { "name": "payByTransfer", "resource": "transfers" }]
```
"#;
    E1203 ambiguous_next_state: "a text is the name of one state and the id of another", r#"
A transition leads to the state that has its `nextState` as name or as id (ruling R21). It must be one state only.

Bad:
```json
"transition": { "nextState": "s2" }, … { "name": "s2", "id": "s1" }, { "name": "Ship", "id": "s2" }
```
Good:
```json
"transition": { "nextState": "Ship" }, … { "name": "s2", "id": "s1" }, { "name": "Ship", "id": "s3" }
```
"#;
    E1204 undefined_reference: "an event or a function is named that is not defined", r#"
What actions and states name is defined in `functions` and `events` of the workflow.

Bad:
```json
"functions": [{ "name": "pay", "resource": "cards" }], … "functionRef": { "refName": "payment" }
```
Good:
```json
"functions": [{ "name": "pay", "resource": "cards" }], … "functionRef": { "refName": "pay" }
```
"#;
    E1205 no_end_state: "a branch or the body of a foreach state has no end", r#"
A branch ends in a state with `end`, and so does each iteration of a foreach state ("Parallel State", "ForEach State").

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
    E1206 switch_ends: "a switch has an end or a transition of its own", r#"
A switch leads where one of its conditions leads, or its `default`. It cannot be the last state of a workflow.

Bad:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "end": { "kind": "default" } }
```
Good:
```json
{ "name": "Decide", "type": "switch", "dataConditions": [ … ], "default": { "nextState": "Reject" } }
```
"#;
    E1207 switch_conditions: "a switch has both kinds of conditions, or none", r#"
A switch chooses by its data (`dataConditions`) or by the event that comes (`eventConditions`).

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
    E1208 branch_count: "`n` does not fit the branches of a parallel state", r#"
With `n_of_m` a parallel state goes on when `n` of its branches have ended: one at least, and no more than there are.

Bad:
```json
{ "type": "parallel", "completionType": "n_of_m", "n": 3, "branches": [{ "name": "A", … }, { "name": "B", … }] }
```
Good:
```json
{ "type": "parallel", "completionType": "n_of_m", "n": 1, "branches": [{ "name": "A", … }, { "name": "B", … }] }
```
"#;
    E1209 schedule: "a scheduled start has no interval, or none that can be read", r#"
A start of the kind `scheduled` has a time interval of ISO 8601: two times, a time and a duration, a duration and a time, or a
duration. Times say in which zone they are.

Bad:
```json
"start": { "kind": "scheduled", "schedule": { "interval": "2020-03-20 to 2020-03-21" } }
```
Good:
```json
"start": { "kind": "scheduled", "schedule": { "interval": "2020-03-20T09:00:00Z/2020-03-20T15:00:00Z" } }
```
"#;
    E1210 end_without_event: "an end of the kind `event` says of no event", r#"
Bad:
```json
"end": { "kind": "event" }
```
Good:
```json
"end": { "kind": "event", "produceEvent": { "eventRef": "OrderShipped", "data": "$.order" } }
```
"#;
    E1211 retry_interval: "the interval of a retry cannot be read", r#"
An interval is a duration of ISO 8601, perhaps after how often it is repeated (ruling R8).

Bad:
```json
"interval": "4 x 1 minute"
```
Good:
```json
"interval": "R4/PT1M"
```
"#;
    E1212 expression_language: "there is no such language for expressions", r#"
Expressions are in SpEL, of which a subset is read, or in JSONPath, jq or CEL (ruling R7).

Bad:
```json
"expression": { "language": "jexl", "body": "order.total > 100" }
```
Good:
```json
"expression": { "language": "spel", "body": "order.total > 100" }
```
"#;
    E1213 custom_operator: "a condition with the operator `custom` names no task", r#"
What `custom` means is decided by a task, which `function` of the condition's metadata names (ruling R4). It is given what the path
selects, the `value` and the data, and answers with true or false.

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
    E1214 function_resource: "the resource of a function does not fit its type", r#"
A function of the type `rest` has the address of a service as its resource, one of the type `openapi` the file and the operation,
and one of the type `grpc` the file, the service and the method.

Bad:
```json
{ "name": "pay", "type": "openapi", "resource": "cards.yaml" }
```
Good:
```json
{ "name": "pay", "type": "openapi", "resource": "cards.yaml#createCharge" }
```
"#;
    E1215 language_not_built_in: "a language of expressions is not built in", r#"
Expressions in CEL take the feature `cel`: of `workflow-runtime`, and of `workflow-compiler` where a build script is the front. What they say can be said in SpEL,
JSONPath and jq, too.

Bad:
```json
"expression": { "language": "cel", "body": "order.total > 100" }
```
Good:
```json
"expression": { "language": "spel", "body": "order.total > 100" }
```
"#;
    E1216 later_version: "the definition is of a later version of the specification", r#"
What is compiled is the draft of June 2020. `specVersion` came with later versions, `dsl` and `document` with the first one that was called 1.0; they
give other meanings to the same words.

Bad:
```json
{ "id": "order", "specVersion": "0.8", "start": "Pay", "states": [] }
```
Good:
```json
{ "id": "order", "states": [{ "name": "Pay", "type": "inject", "start": { "kind": "default" }, "data": {}, "end": { "kind": "default" } }] }
```
"#;
    W1201 lenient_reading: "something is not written as the specification wants it, and is read all the same", r#"
The published schema of the draft refuses its own examples, so that what they do is read: words and members in another case, `"end": true`,
`"start": "default"`, events without `source`, functions without `resource`, switches without `default`.

Bad:
```json
"end": true
```
Good:
```json
"end": { "kind": "default" }
```
"#;
    W1202 filter_name: "a path of a filter has a name that the specification does not give it", r#"
The text of the draft calls the paths of a filter by several names; they are read as the ones that its tables have (ruling R23).

Bad:
```json
"eventDataFilter": { "dataInputPath": "$.customer" }
```
Good:
```json
"eventDataFilter": { "dataOutputPath": "$.customer" }
```
"#;
    W1203 path_ruled_out: "a path leads where a schema lets nothing be", r#"
The data fit the schema that `dataInputSchema` or `dataOutputSchema` names, and by that there is nothing at the place to which a path leads: a JSONPath, or names in an
expression of SpEL or CEL.

Bad:
```json
"dataInputSchema": "order.json", … "inputCollection": "$.itmes"
```
Good:
```json
"dataInputSchema": "order.json", … "inputCollection": "$.items"
```
"#;
    W1204 never_correlates: "no event can be for an execution that an event starts, or for any", r#"
Events whose definition has a `correlationToken` are for the execution that has the value of this attribute: that of the event
that has started it, else what is given at its start, else its id (ruling R14). So the token names an attribute that events can
have: one of the context, of letters and digits. And where events without a token start executions, an event that is waited for
before any function is called would have to have an id that nobody was told; only executions that are started otherwise, with a value,
get such events.

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
    W1205 duplicate_branch: "two branches of a parallel state have the same name", r#"
Histories and messages tell branches apart by their names. What a branch leaves that is no object is stored under its name, too: of two
that have the same, one is lost then.

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
