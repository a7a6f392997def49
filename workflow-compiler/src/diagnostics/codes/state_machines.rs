//! Codes E08, W08: state machines of SM4C.

super::codes! {
    E0801 start_state: "a state machine has no first state, or several", r#"
Exactly one state has `"start": true`: the one in which an execution begins.

Bad:
```json
"states": [{ "name": "Reserve", "transitions": [{ "nextState": "Pay" }] }, { "name": "Pay" }]
```
Good:
```json
"states": [{ "name": "Reserve", "start": true, "transitions": [{ "nextState": "Pay" }] }, { "name": "Pay" }]
```
"#;
    E0802 defined_twice: "two events, functions, retry policies or actions have the same name", r#"
Events, functions and retry policies are found by their names, and names that differ in case only are the same. The results of the
members of a sequence or of a parallel action are put into one object under the names of the members, or under their
numbers where they have none: of two equal ones one result would be lost.
Rename one of them.

Bad:
```json
{ "type": "sequence", "actions": [
  { "name": "pay", "type": "invokeFunction", "functionName": "charge", "waitForCompletion": true },
  { "name": "pay", "type": "invokeFunction", "functionName": "confirm", "waitForCompletion": true }] }
```
Good:
```json
{ "type": "sequence", "actions": [
  { "name": "charge", "type": "invokeFunction", "functionName": "charge", "waitForCompletion": true },
  { "name": "confirm", "type": "invokeFunction", "functionName": "confirm", "waitForCompletion": true }] }
```
"#;
    E0803 not_defined: "an event, a function or a retry policy is used that is not defined", r#"
What actions, transitions and error handlers name is defined in `events`, `functions` and `retries` of the state machine, or in
the files that these name. State machines that are invoked are the exception: they are looked for when that happens.
Correct the name, or define it.

Bad:
```json
"events": [{ "name": "PaymentReceived" }],
"states": [{ "name": "Wait", "start": true, "transitions": [
  { "nextState": "Ship", "eventGroups": [{ "events": ["PaymentRecieved"] }] }] }, { "name": "Ship" }]
```
Good:
```json
"events": [{ "name": "PaymentReceived" }],
"states": [{ "name": "Wait", "start": true, "transitions": [
  { "nextState": "Ship", "eventGroups": [{ "events": ["PaymentReceived"] }] }] }, { "name": "Ship" }]
```
"#;
    E0804 mixed_triggers: "a transition has two kinds of triggers", r#"
A transition is triggered by a condition, by events or by a time-out. One that has two of them would never be triggered.
Make two transitions of it; where an event is to satisfy a condition, put the `condition` into the event group.

Bad:
```json
{ "nextState": "Ship", "condition": "${ .paid }", "eventGroups": [{ "events": ["Packed"] }] }
```
Good:
```json
{ "nextState": "Ship", "eventGroups": [{ "events": ["Packed"], "condition": "${ .paid }" }] }
```
"#;
    E0805 exclusive_transitions: "a state has two transitions of which it can have one", r#"
A transition with neither a condition nor events nor a time-out is taken at once, so a state can have one such transition. And of
two time-outs the shorter one would always be first.
Give one of the transitions a condition, or remove it.

Bad:
```json
"transitions": [{ "nextState": "Ship" }, { "nextState": "Refuse" }]
```
Good:
```json
"transitions": [{ "condition": "${ .paid }", "nextState": "Ship" }, { "condition": "${ .paid | not }", "nextState": "Refuse" }]
```
"#;
    E0806 transition_without_effect: "a transition leads nowhere and does nothing", r#"
A transition without `nextState` does not leave its state. One that is taken at once would be taken for ever, and one by time-out
needs an action, or else it changes nothing.
Name the state that it leads to.

Bad:
```json
"transitions": [{ "timeout": "00:10:00" }]
```
Good:
```json
"transitions": [{ "timeout": "00:10:00", "nextState": "Cancel" }]
```
"#;
    E0807 expression_form: "an expression is not written as `${ … }`", r#"
Expressions are texts that begin with a dollar sign, an opening brace and a blank, and end with a blank and a closing brace.
Nothing stands before or after.

Bad:
```json
"inputFilter": "${.order}"
```
Good:
```json
"inputFilter": "${ .order }"
```
"#;
    E0808 invalid_timespan: "a text is no timespan", r#"
A timespan is written as in .NET, with hours, minutes and seconds and with days before a period (`1.12:30:00`, `00:00:00.5`), or as a
duration of ISO 8601 (`P1DT12H30M`, `PT0.5S`), in which a year has 365 days and a month 30. No timespan is negative.

Bad:
```json
{ "type": "delay", "timeout": "10s" }
```
Good:
```json
{ "type": "delay", "timeout": "00:00:10" }
```
"#;
    E0809 completion_count: "`n` does not fit a parallel action", r#"
With the completion type `n_of_m`, `n` says how many of the actions are waited for: one at least, and all of them at the most. With
other completion types it says nothing.

Bad:
```json
{ "type": "parallel", "completionType": "n_of_m", "actions": [
  { "type": "invokeFunction", "functionName": "askHotel", "waitForCompletion": true },
  { "type": "invokeFunction", "functionName": "askInn", "waitForCompletion": true }] }
```
Good:
```json
{ "type": "parallel", "completionType": "n_of_m", "n": 1, "actions": [
  { "type": "invokeFunction", "functionName": "askHotel", "waitForCompletion": true },
  { "type": "invokeFunction", "functionName": "askInn", "waitForCompletion": true }] }
```
"#;
    E0810 function_operation: "the operation of a function does not fit its type", r#"
| `type` | `operation` |
|---|---|
| `rest`, or none | `URI#operationId`: an operation of an OpenAPI document |
| `expression` | `${ … }` |
| `rpc` | `FILE#package.Service/Method`: a method of a gRPC service |

Bad:
```json
{ "name": "total", "operation": "${ .price * .count }" }
```
Good:
```json
{ "name": "total", "type": "expression", "operation": "${ .price * .count }" }
```
"#;
    E0811 not_an_expression_function: "a function in an expression has no value of its own", r#"
`${ fn:name }` stands for the expression that is the operation of a function. The function must be of the type `expression`, and its
expression must not lead back to the function. Other functions are called by actions.

Bad:
```json
"functions": [{ "name": "isPaid", "operation": "bank.json#isPaid" }],
"states": [{ "name": "Check", "start": true, "transitions": [{ "condition": "${ fn:isPaid }", "nextState": "Ship" }] }, { "name": "Ship" }]
```
Good:
```json
"functions": [{ "name": "isPaid", "type": "expression", "operation": "${ .paid >= .price }" }],
"states": [{ "name": "Check", "start": true, "transitions": [{ "condition": "${ fn:isPaid }", "nextState": "Ship" }] }, { "name": "Ship" }]
```
"#;
    E0812 member_twice: "two members of an object differ in case only", r#"
Names of members may be written in any case, so these two are the same. Remove one of them.

Bad:
```json
{ "name": "Reserve", "start": true, "Start": false }
```
Good:
```json
{ "name": "Reserve", "start": true }
```
"#;
    W0801 ignored_member: "a member is ignored", r#"
The language does not know the member in this place. Correct its name, or remove it.

Bad:
```json
{ "name": "Reserve", "start": true, "onEntry": { "type": "sendEvent", "event": "Reserving" } }
```
Good:
```json
{ "name": "Reserve", "start": true, "enterAction": { "type": "sendEvent", "event": "Reserving" } }
```
"#;
    W0802 bare_days: "a number alone is a timespan in days", r#"
That is how .NET reads it, and rarely what is meant. Write the unit.

Bad:
```json
{ "type": "delay", "timeout": "30" }
```
Good:
```json
{ "type": "delay", "timeout": "00:00:30" }
```
"#;
    W0803 not_waited_for: "an action does not wait for the outcome that something is said of", r#"
`waitForCompletion` is false where it is not given: the function or the state machine is started, the result of the action is null
at once, and what becomes of the call is told to observers only. A handler of the result, a time-out or handlers of errors
come too late for it.

Bad:
```json
{ "name": "Reserve", "start": true,
  "enterAction": { "type": "invokeFunction", "functionName": "reserve" },
  "enterResultHandler": "${ .reservation = $value }" }
```
Good:
```json
{ "name": "Reserve", "start": true,
  "enterAction": { "type": "invokeFunction", "functionName": "reserve", "waitForCompletion": true },
  "enterResultHandler": "${ .reservation = $value }" }
```
"#;
    W0804 ignored_jitter: "a whole number as jitter is ignored", r#"
`jitter` is a timespan, or a part of the delay that is written with a decimal point: `1.0` is all of it.

Bad:
```json
{ "name": "patient", "maxAttempts": 5, "delay": "PT10S", "jitter": 1 }
```
Good:
```json
{ "name": "patient", "maxAttempts": 5, "delay": "PT10S", "jitter": 1.0 }
```
"#;
}
