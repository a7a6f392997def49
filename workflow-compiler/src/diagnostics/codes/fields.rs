//! Codes E04, E05, W04: fields of a definition, their types and values; E05: constructs that are
//! not supported.

super::codes! {
    E0401 missing_field: "a required field is missing", r#"
A state, a rule or a retrier lacks a field that it cannot do without.
Add the field. One that is there under a misspelt name is E0402 alone.

Bad:
```json
"Charge": { "Type": "Task", "Next": "Ship" }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:charge", "Next": "Ship" }
```
"#;
    E0402 unknown_field: "a field has a name that the language does not know", r#"
Names of fields are case-sensitive. A misspelled field would otherwise be ignored without a word, and its default used.
Correct the name. Remarks go into `Comment`, which is allowed everywhere.

Bad:
```json
"Charge": { "Type": "Task", "Resouce": "arn:…:function:charge", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Comment": "idempotent", "End": true }
```
"#;
    E0403 wrong_type: "a field has a value of the wrong type", r#"
Write the value as the type that the message names.

Bad:
```json
"Cool down": { "Type": "Wait", "Seconds": "30", "Next": "Charge" }
```
Good:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "Next": "Charge" }
```
"#;
    E0404 value_out_of_range: "a number is out of range", r#"
The value has the right type, but it is too small, too large, or not whole where a whole number is asked for.
Choose a number within the limits that the message names.

Bad:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "BackoffRate": 0.5 }]
```
Good:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "BackoffRate": 1.5 }]
```
"#;
    E0405 conflicting_fields: "fields exclude each other", r#"
Of some fields at most one may be given, because they say the same thing in different ways.
Keep one of them.

Bad:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "SecondsPath": "$.pause", "Next": "Charge" }
```
Good:
```json
"Cool down": { "Type": "Wait", "SecondsPath": "$.pause", "Next": "Charge" }
```
"#;
    E0406 misplaced_field: "a field is not allowed in this place", r#"
The language knows the field, but not here: it belongs to other types of states, to the top level of a Choice rule, or to the
query language JSONata. Or it is a state that stands beside `States`, and not in it.
Remove the field, or move it to where it belongs.

Bad:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "ResultPath": "$.waited", "Next": "Charge" }
```
Good:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "Next": "Charge" }
```
"#;
    E0407 invalid_choice: "a value is none of those that are allowed", r#"
Some fields take one of a few words only.
Use one of the words that the message lists; case matters.

Bad:
```json
"Charge": { "Type": "task", "Resource": "arn:…:function:charge", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "End": true }
```
"#;
    E0408 next_or_end: "a state says neither or both of how it ends", r#"
Every state except Choice, Succeed and Fail has either `Next` or `"End": true`.
Say where the state leads, or that the workflow ends with it.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge" }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Next": "Ship" }
```
"#;
    E0409 misplaced_states_all: "`States.ALL` does not stand alone and last", r#"
`States.ALL` matches every error. Beside it other names would be pointless, and retriers or catchers after it are never asked.
Put it alone into the last one.

Bad:
```json
"Catch": [
  { "ErrorEquals": ["States.ALL"], "Next": "Apologise" },
  { "ErrorEquals": ["Declined"], "Next": "Notify" }
]
```
Good:
```json
"Catch": [
  { "ErrorEquals": ["Declined"], "Next": "Notify" },
  { "ErrorEquals": ["States.ALL"], "Next": "Apologise" }
]
```
"#;
    E0410 invalid_name: "a name is empty, too long, or has characters that are not allowed", r#"
Names of states and variables have at most 80 characters, labels of Map states at most 40. A variable's name begins with a letter
and goes on with letters, digits and `_`; `states` is reserved.
Choose another name.

Bad:
```json
"Assign": { "order-id.$": "$.id" }
```
Good:
```json
"Assign": { "orderId.$": "$.id" }
```
"#;
    E0411 invalid_timestamp: "a text is no timestamp", r#"
Timestamps follow RFC 3339 with a capital `T` between date and time, and a capital `Z` or an offset at the end.
Write the whole timestamp.

Bad:
```json
"Until new year": { "Type": "Wait", "Timestamp": "2027-01-01 00:00:00", "End": true }
```
Good:
```json
"Until new year": { "Type": "Wait", "Timestamp": "2027-01-01T00:00:00Z", "End": true }
```
"#;
    E0412 empty_value: "something is empty that must not be", r#"
A list of choices, branches or error names without any member, or an empty resource, has no meaning.
Give it a member, or do without the state.

Bad:
```json
"Check": { "Type": "Choice", "Choices": [], "Default": "Ship" }
```
Good:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "BooleanEquals": false, "Next": "Charge" }], "Default": "Ship" }
```
"#;
    E0413 choice_operator: "a Choice rule does not have exactly one operator", r#"
A rule tests one `Variable` with one comparison, or it is one of `And`, `Or` and `Not`.
Join several tests with `And`.

Bad:
```json
{ "Variable": "$.total", "NumericGreaterThan": 10, "NumericLessThan": 20, "Next": "Medium" }
```
Good:
```json
{ "And": [{ "Variable": "$.total", "NumericGreaterThan": 10 }, { "Variable": "$.total", "NumericLessThan": 20 }], "Next": "Medium" }
```
"#;
    E0414 invalid_result_path: "`ResultPath` names no place in the state's input", r#"
A result can be put into the input of the state, not into a variable and not into the context object.
Variables are set by `Assign`.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "ResultPath": "$receipt", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Assign": { "receipt.$": "$" }, "ResultPath": null, "End": true }
```
"#;
    E0415 shadowed_variable: "a variable has the name of a variable of an outer scope", r#"
States inside a Parallel or Map can read the variables around them, but cannot assign them, nor have others of the same name.
Give the inner variable a name of its own.

Bad:
```json
"Count": { "Type": "Pass", "Assign": { "total": 1 }, "Next": "Each" },
"Each": { "Type": "Map", "ItemProcessor": { "StartAt": "Add", "States": {
  "Add": { "Type": "Pass", "Assign": { "total": 2 }, "End": true } } }, "End": true }
```
Good:
```json
"Add": { "Type": "Pass", "Assign": { "subtotal": 2 }, "End": true }
```
"#;
    E0416 inconsistent_values: "two values contradict each other", r#"
A task that is given up after 60 seconds cannot be allowed 300 seconds between its signs of life.
Make `HeartbeatSeconds` smaller than `TimeoutSeconds`.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "TimeoutSeconds": 60, "HeartbeatSeconds": 300, "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "TimeoutSeconds": 600, "HeartbeatSeconds": 300, "End": true }
```
"#;
    E0417 unbound_placeholder: "a placeholder has no value where one is needed at compile time", r#"
A `${Placeholder}` without a value becomes a setting that is given when an execution starts. Paths, names of states,
variables and errors, and the numbers of retriers must be known when the workflow is compiled.
Give the placeholder a value: `substitutions: { "Error" => "Busy" }` in the macro, `.substitute("Error", "Busy")` in a build
script, `--substitute Error=Busy` on the command line, or `[substitutions]` in `workflow.toml`.

Bad, without a value for `Error`:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "Retry": [{ "ErrorEquals": ["${Error}"] }], "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "Retry": [{ "ErrorEquals": ["Busy"] }], "End": true }
```
"#;
    E0418 invalid_pattern: "a pattern ends in an open escape", r#"
In the pattern of `StringMatches` a backslash makes the following `*` or `\` an ordinary character. Nothing else can follow it.
Double the backslash; with the doubling of JSON that is four.

Bad:
```json
{ "Variable": "$.file", "StringMatches": "logs\\", "Next": "Read" }
```
Good:
```json
{ "Variable": "$.file", "StringMatches": "logs\\\\", "Next": "Read" }
```
"#;
    E0419 invalid_resource: "a resource is not one that the workflow can have", r#"
The resource is not closed properly, or it is of a kind that Express workflows of AWS refuse: activities, `.sync` and
`.waitForTaskToken`. Or the address or a header of a call over HTTP cannot be sent: an address has a scheme and a host, and no
credentials, blanks or `..`; headers such as `Host` are the connection's.
Close the placeholder, use a resource that answers when it is called, or write the address in full.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "End": true }
```
"#;
    E0420 file_not_read: "a file that the definition names cannot be read", r#"
Parts of a definition can be in files of their own, which are read when it is compiled. Their paths are relative to the
definition, with `/` between their parts. Nothing is fetched from a network: what a definition means must not change by itself.
Correct the path, or put the file beside the definition.

The files must be in the folder of the definition or below. `..` and symbolic links lead out of it only as far as a root that
is named when the definition is compiled, a folder around both: `root = ".."` in `workflow.toml`, `--root FOLDER` of `cargo
workflow`, `root: "flows"` of `include_workflow!`, `.root("flows")` in a build script. The first is relative to `workflow.toml`,
the last two to the package. Names of files have no control characters, and none that turn the direction of writing.

Bad:
```json
"functions": "https://example.com/functions.json"
```
Good:
```json
"functions": "common/functions.json"
```
"#;
    E0501 jsonata_not_supported: "the query language JSONata is not supported yet", r#"
Only the query language JSONPath can be compiled.
Write the state with JSONPath and intrinsic functions.

Bad:
```json
"Double": { "Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $states.input.n * 2 %}", "End": true }
```
Good:
```json
"Double": { "Type": "Pass", "Parameters": { "n.$": "States.MathAdd($.n, $.n)" }, "End": true }
```
"#;
    E0502 distributed_map_not_supported: "distributed Map states are not supported yet", r#"
A Map state is run inside the execution. `"Mode": "DISTRIBUTED"`, `ItemReader`, `ItemBatcher` and `ResultWriter`, which need child
executions or a store, are not.
Read the items with a task before, and hand them to an inline Map.

Bad:
```json
"Each": { "Type": "Map", "ItemReader": { "Resource": "arn:aws:states:::s3:getObject" }, "ItemProcessor": … , "End": true }
```
Good:
```json
"Each": { "Type": "Map", "ItemsPath": "$.items", "ItemProcessor": … , "End": true }
```
"#;
    W0401 unknown_error_name: "an error name begins with `States.` and is not one of the language's", r#"
Names that begin with `States.` are reserved for errors of the language. No such error exists, so the retrier or catcher is never
asked for it.
Use the exact name.

Bad:
```json
"Catch": [{ "ErrorEquals": ["States.TimeOut"], "Next": "Apologise" }]
```
Good:
```json
"Catch": [{ "ErrorEquals": ["States.Timeout"], "Next": "Apologise" }]
```
"#;
    W0402 uncaught_error_name: "an error is named that is never raised, or never caught", r#"
`States.ParameterPathFailure` is never raised: a path that leads nowhere is `States.Runtime`, as it is on AWS. Nor is
`States.BranchFailed`: a Parallel state fails with the error of its branch. And `States.Runtime` and
`States.DataLimitExceeded` are neither retried nor caught, whether by their names or by `States.ALL`. Test for the value before it is used.

Bad:
```json
"Catch": [{ "ErrorEquals": ["States.Runtime"], "Next": "Apologise" }]
```
Good:
```json
"Known": { "Type": "Choice", "Choices": [{ "Variable": "$.total", "IsPresent": true, "Next": "Charge" }], "Default": "Apologise" }
```
"#;
    W0403 waits_forever: "a task that may take as long as it likes has no time-out", r#"
Activities, `.sync` jobs and tasks that answer with a task token have no time-out of their own. If the answer is lost, the
execution waits for ever.
State a time-out, or a heartbeat.

Bad:
```json
"Approve": { "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true }
```
Good:
```json
"Approve": { "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "TimeoutSeconds": 86400, "End": true }
```
"#;
    W0404 repeated_error_name: "an error name is listed again where it is never looked for", r#"
The first retrier or catcher that names an error decides. Later ones are not asked for it.
Name each error once.

Bad:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "MaxAttempts": 5 }, { "ErrorEquals": ["Busy", "Late"], "MaxAttempts": 1 }]
```
Good:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "MaxAttempts": 5 }, { "ErrorEquals": ["Late"], "MaxAttempts": 1 }]
```
"#;
    W0405 field_without_effect: "a field has no effect", r#"
What the field says is overridden by another one, or never comes into play.
Remove it.

Bad:
```json
"Defaults": { "Type": "Pass", "Result": { "tries": 0 }, "Parameters": { "tries.$": "$.n" }, "End": true }
```
Good:
```json
"Defaults": { "Type": "Pass", "Parameters": { "tries.$": "$.n" }, "End": true }
```
"#;
    W0406 credentials_without_role: "credentials name no role", r#"
AWS knows one member of `Credentials`, `RoleArn`, and refuses definitions without it. Other members are handed to the task as they
are.

Bad:
```json
"Credentials": { "roleArn": "arn:aws:iam::123456789012:role/payments" }
```
Good:
```json
"Credentials": { "RoleArn": "arn:aws:iam::123456789012:role/payments" }
```
"#;
    W0407 constant_expression: "a constant looks like an expression", r#"
Paths and intrinsic functions are evaluated in fields of payload templates whose names end in `.$`. Anywhere else, and anywhere
in the `Result` of a Pass state, they are constants like other texts.
Let the name of the field end in `.$`.

Bad:
```json
"Parameters": { "id": "$.order.id" }
```
Good:
```json
"Parameters": { "id.$": "$.order.id" }
```
"#;
    W0408 unknown_variable: "a variable is read that nothing assigns", r#"
A variable exists in the scope of the states that assign it, and in the scopes inside. Variables of a branch or an iteration
end with it. Reading one that does not exist is a fault, `States.Runtime`; AWS takes such a definition and finds out then.
Correct the name, or assign the variable before.

Bad:
```json
"Start": { "Type": "Pass", "Assign": { "total": 1 }, "Next": "Show" },
"Show": { "Type": "Pass", "Parameters": { "value.$": "$totl" }, "End": true }
```
Good:
```json
"Show": { "Type": "Pass", "Parameters": { "value.$": "$total" }, "End": true }
```
"#;
}
