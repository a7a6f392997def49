//! Codes E02, W02: states, transitions and variables.

super::codes! {
    E0201 unknown_state: "a transition leads to a state that does not exist", r#"
Every `StartAt`, `Next`, `Default` and the `Next` of a catcher or choice rule names a state of the same scope, letter case
included.

Bad:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "ship" }, "Ship": { "Type": "Succeed" } } }
```
Good:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "Ship" }, "Ship": { "Type": "Succeed" } } }
```
"#;
    E0202 duplicate_state: "two states have the same name", r#"
The names of states are unique in the whole workflow: observers, histories and saved executions tell states apart by name.
Here a state has the name of one in the same scope, or in a scope around its own. Rename one of them.

Bad:
```json
"Each": { "Type": "Map", "ItemProcessor": { "StartAt": "Each", "States": { "Each": { "Type": "Succeed" } } }, "End": true }
```
Good:
```json
"Each": { "Type": "Map", "ItemProcessor": { "StartAt": "One", "States": { "One": { "Type": "Succeed" } } }, "End": true }
```
"#;
    E0203 out_of_scope: "a transition leads out of its scope", r#"
A state inside a branch of a Parallel state or inside the processor of a Map state can lead only to states of the same
branch or processor; a state outside cannot lead into one. End the branch with `"End": true`, and let the Parallel or
Map state lead on with its own `Next`.

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
    E0204 unassigned_variable: "a variable is read where it cannot have a value", r#"
No way from the first state to the one that reads the variable passes through a state that assigns it. A state's
`Assign` is evaluated with the values the variables had when the state was entered, so a state cannot read what it
assigns itself. Assign the variable once before.

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
    E0205 unreachable_state: "no state leads to a state", r#"
The state can never run, and AWS refuses the definition. Lead a transition to it, or remove it.

Bad:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Succeed" }, "Ship": { "Type": "Succeed" } } }
```
Good:
```json
{ "StartAt": "Pay", "States": { "Pay": { "Type": "Pass", "Next": "Ship" }, "Ship": { "Type": "Succeed" } } }
```
"#;
    E0206 no_end: "a scope has no end", r#"
No state of the top level, the branch or the processor ends it: an execution that gets there runs for ever, and AWS refuses
the definition. Let a state end it: `"End": true`, or a Succeed or Fail state.

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
    W0201 unreachable_circle: "only unreachable states lead to a state", r#"
The states can never run: they lead to one another, and no way from the first state leads to them. Lead a transition to one
of them, or remove them.

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
    W0202 no_way_to_an_end: "no path leads from a state to an end", r#"
An execution that reaches one of these states never ends, because every way from it leads back into the same circle.
Let one of them end (`"End": true`, a Succeed or Fail state), or lead out of the circle.

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
    W0203 maybe_unassigned_variable: "a variable may have no value where it is read", r#"
Some ways to the state that reads the variable do not assign it; an execution that comes along one of these fails there.
Assign it on every way, for example in the first state; or test with `IsPresent` whether there is a value, and read it only
where there is.

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
    W0204 same_name_in_branches: "states of two branches have the same name", r#"
The specification wants the names of states to be unique in the whole workflow. Two branches that use the same name run
correctly, but histories and reports can tell their states apart by the branch only. Rename one of them.

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
