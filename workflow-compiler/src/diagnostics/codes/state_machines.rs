//! Codes WF08xx: state machines of SM4C.

super::codes! {
    error WF0801 start_state: "a state machine has no start state, or several", r#"
Exactly one state has `"start": true`. An execution begins in this state.

Bad:
```json
"states": [{ "name": "Reserve", "transitions": [{ "nextState": "Pay" }] }, { "name": "Pay" }]
```
Good:
```json
"states": [{ "name": "Reserve", "start": true, "transitions": [{ "nextState": "Pay" }] }, { "name": "Pay" }]
```
"#;
    error WF0802 defined_twice: "duplicate event, function, retry policy or action", r#"
Events, functions and retry policies are looked up by name, and the names are not case-sensitive. A sequence or a
parallel action collects the results of its members in one object. The key is the name of a member, or its number if it
has no name, so that one of two results with the same key would be lost. Rename one of them.

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
    error WF0803 not_defined: "an event, a function or a retry policy is not defined", r#"
The state machine must define, in `events`, `functions` and `retries`, everything that its actions, transitions and
error handlers name. A definition can also be in a file that these members name. Invoked state machines are the
exception: the program looks them up at run time. Correct the name, or add the definition.

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
    error WF0804 mixed_triggers: "a transition has two kinds of triggers", r#"
A condition, events or a time-out triggers a transition. A transition with two of these triggers would never be taken.
Split it into two transitions. If an event has to satisfy a condition, put the `condition` into the event group.

Bad:
```json
{ "nextState": "Ship", "condition": "${ .paid }", "eventGroups": [{ "events": ["Packed"] }] }
```
Good:
```json
{ "nextState": "Ship", "eventGroups": [{ "events": ["Packed"], "condition": "${ .paid }" }] }
```
"#;
    error WF0805 exclusive_transitions: "a state has two transitions that exclude each other", r#"
A transition that has neither a condition, events nor a time-out is taken at once, so that a state can have only one
such transition. If a state had two time-outs, the shorter one would always end first. Add a condition to one of the
transitions, or remove it.

Bad:
```json
"transitions": [{ "nextState": "Ship" }, { "nextState": "Refuse" }]
```
Good:
```json
"transitions": [{ "condition": "${ .paid }", "nextState": "Ship" }, { "condition": "${ .paid | not }", "nextState": "Refuse" }]
```
"#;
    error WF0806 transition_without_effect: "a transition has neither a target nor an effect", r#"
A transition without `nextState` does not leave its state. If it had no trigger, it would be taken forever. If its
trigger is a time-out, it needs an action, because it would otherwise have no effect. Add the `nextState`.

Bad:
```json
"transitions": [{ "timeout": "00:10:00" }]
```
Good:
```json
"transitions": [{ "timeout": "00:10:00", "nextState": "Cancel" }]
```
"#;
    error WF0807 expression_form: "an expression is not written as `${ … }`", r#"
An expression is a string that begins with a dollar sign, an opening brace and a space, and ends with a space and a
closing brace. No text precedes or follows it.

Bad:
```json
"inputFilter": "${.order}"
```
Good:
```json
"inputFilter": "${ .order }"
```
"#;
    error WF0808 invalid_timespan: "invalid timespan", r#"
A timespan has the .NET form, which is hours, minutes and seconds after optional days and a period (`1.12:30:00`,
`00:00:00.5`). Or it is an ISO 8601 duration (`P1DT12H30M`, `PT0.5S`), in which a year has 365 days and a month 30. A
timespan is not negative.

Bad:
```json
{ "type": "delay", "timeout": "10s" }
```
Good:
```json
{ "type": "delay", "timeout": "00:00:10" }
```
"#;
    error WF0809 completion_count: "`n` does not fit a parallel action", r#"
With the completion type `n_of_m`, `n` is the number of actions that the parallel action waits for. It is at least 1,
and at most the number of actions. With other completion types, `n` has no meaning.

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
    error WF0810 function_operation: "the operation of a function does not fit its type", r#"
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
    error WF0811 not_an_expression_function: "a function in an expression is not an expression, or refers to itself", r#"
`${ fn:name }` stands for the expression that is the operation of a function. The function must have the type
`expression`, and its expression must not refer back to the function. Use actions to call other functions.

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
    error WF0812 member_twice: "duplicate member", r#"
Names of members are not case-sensitive, so that these two names are the same. Remove one of the members.

Bad:
```json
{ "name": "Reserve", "start": true, "Start": false }
```
Good:
```json
{ "name": "Reserve", "start": true }
```
"#;
    warning WF0851 ignored_member: "a member is ignored", r#"
The language has no such member in this place. Correct its name, or remove it.

Bad:
```json
{ "name": "Reserve", "start": true, "onEntry": { "type": "sendEvent", "event": "Reserving" } }
```
Good:
```json
{ "name": "Reserve", "start": true, "enterAction": { "type": "sendEvent", "event": "Reserving" } }
```
"#;
    warning WF0852 bare_days: "a bare number is a timespan in days", r#"
.NET reads a number alone as days, which is rarely the intention. Write the unit.

Bad:
```json
{ "type": "delay", "timeout": "30" }
```
Good:
```json
{ "type": "delay", "timeout": "00:00:30" }
```
"#;
    warning WF0853 not_waited_for: "an action that does not wait has a handler or a time-out", r#"
`waitForCompletion` is false by default. The action then starts the function or the state machine, and its result is
null at once. Only observers receive the outcome of the call. A result handler, a time-out or error handlers of the
action therefore have no effect on the call.

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
    warning WF0854 ignored_jitter: "a whole number as jitter is ignored", r#"
`jitter` is a timespan, or a fraction of the delay with a decimal point: `1.0` is the whole delay.

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
