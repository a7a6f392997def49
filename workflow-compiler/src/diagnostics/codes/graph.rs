//! Codes WF02xx: states, transitions and variables.

super::codes! {
    error WF0201 unknown_state: "unknown state", r#"
`StartAt`, `Default`, and the `Next` of a state, a catcher or a choice rule name a state of the same scope. The names
are case-sensitive.

Bad:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "ship" }, "Ship": { "Type": "Succeed" } } }
```
Good:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "Ship" }, "Ship": { "Type": "Succeed" } } }
```
"#;
    error WF0202 duplicate_state: "duplicate state", r#"
Observers, histories and saved executions identify states by name. Two states must not have the same name if they are in
the same scope, or if one is in a scope around the other. Rename one of the states.

Bad:
```json
"Each": { "Type": "Map", "ItemProcessor": { "StartAt": "Each", "States": { "Each": { "Type": "Succeed" } } }, "End": true }
```
Good:
```json
"Each": { "Type": "Map", "ItemProcessor": { "StartAt": "One", "States": { "One": { "Type": "Succeed" } } }, "End": true }
```
"#;
    error WF0203 out_of_scope: "a transition leads out of its scope", r#"
A state inside a branch of a Parallel state, or inside the processor of a Map state, can lead only to states of the same
branch or processor. A state outside of a branch or processor cannot lead into it. End the branch with `"End": true`,
and continue with the `Next` of the Parallel or Map state.

Bad:
```json
"Both": { "Type": "Parallel", "Branches": [
  { "StartAt": "Left", "States": { "Left": { "Type": "Pass", "Next": "Ship" } } } ], "End": true },
"Ship": { "Type": "Succeed" }
```
Good:
```json
"Both": { "Type": "Parallel", "Branches": [
  { "StartAt": "Left", "States": { "Left": { "Type": "Pass", "End": true } } } ], "Next": "Ship" },
"Ship": { "Type": "Succeed" }
```
"#;
    error WF0204 unassigned_variable: "a variable is read where it cannot have a value", r#"
No path from the first state to the state that reads the variable contains a state that assigns it. A state's `Assign`
reads the values that the variables had when the execution entered the state, so that a state cannot read the variables
it assigns itself. Assign the variable in an earlier state.

Bad:
```json
"Count": { "Type": "Pass", "Assign": { "total.$": "States.MathAdd($total, 1)" }, "Next": "Count" }
```
Good:
```json
"Begin": { "Type": "Pass", "Assign": { "total": 0 }, "Next": "Count" },
"Count": { "Type": "Pass", "Assign": { "total.$": "States.MathAdd($total, 1)" }, "Next": "Count" }
```
"#;
    error WF0205 unreachable_state: "unreachable state", r#"
An execution can never reach the state, and AWS refuses the definition. Add a transition to the state, or remove the
state.

Bad:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Succeed" }, "Ship": { "Type": "Succeed" } } }
```
Good:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "Ship" }, "Ship": { "Type": "Succeed" } } }
```
"#;
    error WF0206 no_end: "a scope has no end", r#"
No state ends the top level, the branch or the processor. An execution that enters the scope never leaves it, and AWS
refuses the definition. End the scope with `"End": true`, or with a Succeed or Fail state.

Bad:
```json
"Ping": { "Type": "Pass", "Next": "Pong" },
"Pong": { "Type": "Pass", "Next": "Ping" }
```
Good:
```json
"Ping": { "Type": "Pass", "Next": "Pong" },
"Pong": { "Type": "Pass", "End": true }
```
"#;
    warning WF0251 unreachable_cycle: "only unreachable states lead to a state", r#"
The states lead to one another, but no path from the first state leads to them, so that an execution can never reach
them. Add a transition to one of the states, or remove them.

Bad:
```json
{ "StartAt": "Pay", "States": {
  "Pay": { "Type": "Succeed" },
  "Ask": { "Type": "Wait", "Seconds": 60, "Next": "Check" },
  "Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "IsPresent": true, "Next": "Pay" }], "Default": "Ask" } } }
```
Good:
```json
{ "StartAt": "Ask", "States": {
  "Pay": { "Type": "Succeed" },
  "Ask": { "Type": "Wait", "Seconds": 60, "Next": "Check" },
  "Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "IsPresent": true, "Next": "Pay" }], "Default": "Ask" } } }
```
"#;
    warning WF0252 no_way_to_an_end: "no path leads from a state to an end", r#"
An execution that reaches one of these states never ends, because every path from it leads back into the same cycle. End
the execution in one of the states (`"End": true`, a Succeed or Fail state), or add a transition out of the cycle.

Bad:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "IsPresent": true, "Next": "Ship" }], "Default": "Ask" },
"Ask": { "Type": "Wait", "Seconds": 60, "Next": "Remind" },
"Remind": { "Type": "Pass", "Next": "Ask" },
"Ship": { "Type": "Succeed" }
```
Good:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "IsPresent": true, "Next": "Ship" }], "Default": "Ask" },
"Ask": { "Type": "Wait", "Seconds": 60, "Next": "Remind" },
"Remind": { "Type": "Pass", "Next": "Check" },
"Ship": { "Type": "Succeed" }
```
"#;
    warning WF0253 maybe_unassigned_variable: "a variable may have no value where it is read", r#"
Some paths to the state that reads the variable do not assign it. An execution that takes such a path fails in that
state. Assign the variable on every path, for example in the first state. Or test for a value with `IsPresent`, and read
the variable only if it has one.

Bad:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.name", "IsPresent": true, "Next": "Keep" }], "Default": "Greet" },
"Keep": { "Type": "Pass", "Assign": { "name.$": "$.name" }, "Next": "Greet" },
"Greet": { "Type": "Pass", "Parameters": { "hello.$": "$name" }, "End": true }
```
Good:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.name", "IsPresent": true, "Next": "Keep" }],
           "Assign": { "name": "you" }, "Default": "Greet" },
"Keep": { "Type": "Pass", "Assign": { "name.$": "$.name" }, "Next": "Greet" },
"Greet": { "Type": "Pass", "Parameters": { "hello.$": "$name" }, "End": true }
```
"#;
    warning WF0254 same_name_in_branches: "states of two branches have the same name", r#"
The specification requires the names of states to be unique in the whole workflow. Two branches that use the same name
run correctly, but histories and reports can distinguish their states only by the branch. Rename one of the states.

Bad:
```json
"Branches": [
  { "StartAt": "Ask", "States": { "Ask": { "Type": "Task", "Resource": "ask-left", "End": true } } },
  { "StartAt": "Ask", "States": { "Ask": { "Type": "Task", "Resource": "ask-right", "End": true } } } ]
```
Good:
```json
"Branches": [
  { "StartAt": "Ask Left", "States": { "Ask Left": { "Type": "Task", "Resource": "ask-left", "End": true } } },
  { "StartAt": "Ask Right", "States": { "Ask Right": { "Type": "Task", "Resource": "ask-right", "End": true } } } ]
```
"#;
}
