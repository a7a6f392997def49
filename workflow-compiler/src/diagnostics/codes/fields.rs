//! Codes WF04xx: fields of a definition, their types and values. Codes WF05xx: constructs that are
//! not supported.

super::codes! {
    error WF0401 missing_field: "a required field is missing", r#"
A state, a rule or a retrier lacks a required field. Add the field. If the field is present under a misspelled name,
only WF0402 is reported.

Bad:
```json
"Charge": { "Type": "Task", "Next": "Ship" }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:charge", "Next": "Ship" }
```
"#;
    error WF0402 unknown_field: "unknown field", r#"
Names of fields are case-sensitive. Without this error, a misspelled field would be ignored, and its default would
apply. Correct the name. Write remarks into `Comment`, which is allowed everywhere.

Bad:
```json
"Charge": { "Type": "Task", "Resouce": "arn:…:function:charge", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Comment": "idempotent", "End": true }
```
"#;
    error WF0403 wrong_type: "a field has a value of the wrong type", r#"
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
    error WF0404 value_out_of_range: "a number is out of range", r#"
The value has the right type, but is too small, too large, or not whole although a whole number is required. Choose a
number within the limits that the message names.

Bad:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "BackoffRate": 0.5 }]
```
Good:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "BackoffRate": 1.5 }]
```
"#;
    error WF0405 conflicting_fields: "fields cannot be used together", r#"
The fields state the same fact in different ways, so that at most one of them is allowed. Keep one of them.

Bad:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "SecondsPath": "$.pause", "Next": "Charge" }
```
Good:
```json
"Cool down": { "Type": "Wait", "SecondsPath": "$.pause", "Next": "Charge" }
```
"#;
    error WF0406 misplaced_field: "a field is not allowed here", r#"
The language has the field, but not in this place. The field belongs to other types of states, to the top level of a
Choice rule, or to the query language JSONata. Or the field is a state that is beside `States` and not in it. Remove the
field, or move it to its place.

Bad:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "ResultPath": "$.waited", "Next": "Charge" }
```
Good:
```json
"Cool down": { "Type": "Wait", "Seconds": 30, "Next": "Charge" }
```
"#;
    error WF0407 invalid_choice: "a value is not one of the allowed values", r#"
The field takes one of a fixed set of words. Use one of the words that the message lists. They are case-sensitive.

Bad:
```json
"Charge": { "Type": "task", "Resource": "arn:…:function:charge", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "End": true }
```
"#;
    error WF0408 next_or_end: "a state has neither or both of `Next` and `End`", r#"
Every state except Choice, Succeed and Fail has either `Next` or `"End": true`. Add a `Next` with the following state,
or end the workflow with `"End": true`.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge" }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Next": "Ship" }
```
"#;
    error WF0409 misplaced_states_all: "`States.ALL` is not alone, or not last", r#"
`States.ALL` matches every error. Other names in the same list would have no effect, and neither would later retriers or
catchers. Write `States.ALL` alone into the last one.

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
    error WF0410 invalid_name: "a name is empty, too long, or has characters that are not allowed", r#"
Names of states and variables have at most 80 characters, and labels of Map states at most 40. A variable's name starts
with a letter, followed by letters, digits and `_`. The name `states` is reserved. Choose another name.

Bad:
```json
"Assign": { "order-id.$": "$.id" }
```
Good:
```json
"Assign": { "orderId.$": "$.id" }
```
"#;
    error WF0411 invalid_timestamp: "invalid timestamp", r#"
A timestamp follows RFC 3339, with a capital `T` between date and time, and a capital `Z` or an offset at the end. Write
the complete timestamp.

Bad:
```json
"Until new year": { "Type": "Wait", "Timestamp": "2027-01-01 00:00:00", "End": true }
```
Good:
```json
"Until new year": { "Type": "Wait", "Timestamp": "2027-01-01T00:00:00Z", "End": true }
```
"#;
    error WF0412 empty_value: "a required value is empty", r#"
An empty list of choices, branches or error names has no meaning, and neither has an empty resource. Add an element, or
remove the state.

Bad:
```json
"Check": { "Type": "Choice", "Choices": [], "Default": "Ship" }
```
Good:
```json
"Check": { "Type": "Choice", "Choices": [{ "Variable": "$.paid", "BooleanEquals": false, "Next": "Charge" }], "Default": "Ship" }
```
"#;
    error WF0413 choice_operator: "a Choice rule does not have exactly one operator", r#"
A rule tests one `Variable` with one comparison, or it is one of `And`, `Or` and `Not`. Combine several tests with
`And`.

Bad:
```json
{ "Variable": "$.total", "NumericGreaterThan": 10, "NumericLessThan": 20, "Next": "Medium" }
```
Good:
```json
{ "And": [{ "Variable": "$.total", "NumericGreaterThan": 10 }, { "Variable": "$.total", "NumericLessThan": 20 }], "Next": "Medium" }
```
"#;
    error WF0414 invalid_result_path: "`ResultPath` is not a path into the state's input", r#"
A `ResultPath` inserts the result into the input of the state. It cannot write to a variable or to the context object.
Use `Assign` to set a variable.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "ResultPath": "$receipt", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "Assign": { "receipt.$": "$" }, "ResultPath": null, "End": true }
```
"#;
    error WF0415 shadowed_variable: "a variable has the name of a variable of an outer scope", r#"
States inside a Parallel or Map state can read the variables of the outer scopes. They cannot assign these variables, or
declare variables with the same names. Choose another name for the inner variable.

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
    error WF0416 inconsistent_values: "two values contradict each other", r#"
A task that times out after 60 seconds cannot have a heartbeat interval of 300 seconds. Make `HeartbeatSeconds` smaller
than `TimeoutSeconds`.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "TimeoutSeconds": 60, "HeartbeatSeconds": 300, "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "arn:…:function:charge", "TimeoutSeconds": 600, "HeartbeatSeconds": 300, "End": true }
```
"#;
    error WF0417 unbound_placeholder: "a placeholder has no value where one is needed at compile time", r#"
A `${Placeholder}` without a value becomes a setting, whose value the program supplies when an execution starts. But the
compiler has to know paths, the names of states, variables and errors, and the numbers of retriers. Give the placeholder
a value: `substitutions: { "Error" => "Busy" }` in the macro, `.substitute("Error", "Busy")` in a build script,
`--substitute Error=Busy` on the command line, or `[substitutions]` in `workflow.toml`.

Bad, without a value for `Error`:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "Retry": [{ "ErrorEquals": ["${Error}"] }], "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "Retry": [{ "ErrorEquals": ["Busy"] }], "End": true }
```
"#;
    error WF0418 invalid_pattern: "a pattern has an invalid escape", r#"
In the pattern of `StringMatches`, a backslash makes the following `*` or `\` an ordinary character. A backslash cannot
precede anything else. Double the backslash. With the escape that JSON requires, that is four backslashes.

Bad:
```json
{ "Variable": "$.file", "StringMatches": "logs\\", "Next": "Read" }
```
Good:
```json
{ "Variable": "$.file", "StringMatches": "logs\\\\", "Next": "Read" }
```
"#;
    error WF0419 invalid_resource: "a resource is not valid for the workflow", r#"
The resource has one of four problems:

* It has a placeholder without a closing brace. Close the placeholder.
* It ends in a text such as `.waitForTasktoken`, which is not a suffix of a service integration. The suffixes are `.waitForTaskToken`, `.sync` and `.sync:2`.
* Express workflows of AWS refuse it: an activity, `.sync` or `.waitForTaskToken`. Use a resource that responds to the request itself.
* It is an HTTP call whose address or headers cannot be sent. An address has a scheme and a host, and no credentials, spaces or `..`.
  Headers such as `Host` are reserved for the connection. Write the complete address.

Bad:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction", "End": true }
```
Good:
```json
"Charge": { "Type": "Task", "Resource": "${ChargeFunction}", "End": true }
```
"#;
    error WF0420 file_not_read: "a file that the definition names cannot be read", r#"
A definition can name files that hold parts of it. The compiler reads them. Their paths are relative to the definition,
with `/` as the separator. The compiler fetches nothing from a network, because the meaning of a definition must not
change by itself. Correct the path, or put the file beside the definition.

The files must be in the folder of the definition or below it. A root extends this limit: `..` and symbolic links can
then lead to any file below the root, which is a folder around the definition and the files. Name the root with
`root = ".."` in the `workflow.toml` that `--config` names, `--root FOLDER` of `cargo workflow`, `root: "flows"` of
`include_workflow!`, or `.root("flows")` in a build script. The root in `workflow.toml` is relative to that file. The
roots of the macro and the build script are relative to the package.

Names of files have no control characters, and no characters that change the writing direction.

Bad:
```json
"functions": "https://example.com/functions.json"
```
Good:
```json
"functions": "common/functions.json"
```
"#;
    error WF0501 jsonata_not_supported: "the query language JSONata is not supported yet", r#"
The compiler supports only the query language JSONPath. Write the state with JSONPath and intrinsic functions.

Bad:
```json
"Double": { "Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $states.input.n * 2 %}", "End": true }
```
Good:
```json
"Double": { "Type": "Pass", "Parameters": { "n.$": "States.MathAdd($.n, $.n)" }, "End": true }
```
"#;
    error WF0502 distributed_map_not_supported: "distributed Map states are not supported yet", r#"
A Map state runs inside the execution. `"Mode": "DISTRIBUTED"`, `ItemReader`, `ItemBatcher` and `ResultWriter` need
child executions or a store, and are not supported. Read the items with a task before the Map state, and process them
with an inline Map.

Bad:
```json
"Each": { "Type": "Map", "ItemReader": { "Resource": "arn:aws:states:::s3:getObject" }, "ItemProcessor": … , "End": true }
```
Good:
```json
"Each": { "Type": "Map", "ItemsPath": "$.items", "ItemProcessor": … , "End": true }
```
"#;
    warning WF0451 unknown_error_name: "unknown error name that begins with `States.`", r#"
Names that begin with `States.` are reserved for errors of the language. The language has no error with this name, so
that the retrier or catcher never matches by it. Use the exact name.

Bad:
```json
"Catch": [{ "ErrorEquals": ["States.TimeOut"], "Next": "Apologise" }]
```
Good:
```json
"Catch": [{ "ErrorEquals": ["States.Timeout"], "Next": "Apologise" }]
```
"#;
    warning WF0452 uncaught_error_name: "a named error is never raised, or never caught", r#"
Some errors of the language are never raised. As on AWS, a path that selects nothing, an intrinsic function that refuses
its arguments, and a Choice state without a match raise `States.Runtime`, and not `States.ParameterPathFailure`,
`States.IntrinsicFailure` and `States.NoChoiceMatched`. A Parallel state fails with the error of its branch, and not
with `States.BranchFailed`. The error `States.Runtime` is neither retried nor caught, even by `States.ALL`. Test for the
value before its use.

Bad:
```json
"Catch": [{ "ErrorEquals": ["States.Runtime"], "Next": "Apologise" }]
```
Good:
```json
"Known": { "Type": "Choice", "Choices": [{ "Variable": "$.total", "IsPresent": true, "Next": "Charge" }], "Default": "Apologise" }
```
"#;
    warning WF0453 waits_forever: "a task without a time-out can wait forever", r#"
Activities, `.sync` jobs and tasks that respond with a task token have no default time-out. If the response is lost, the
execution waits forever. Set a time-out or a heartbeat.

Bad:
```json
"Approve": { "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true }
```
Good:
```json
"Approve": { "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "TimeoutSeconds": 86400, "End": true }
```
"#;
    warning WF0454 repeated_error_name: "an error name is repeated where it has no effect", r#"
The first retrier or catcher that names an error handles it. Later ones are not consulted for that error. Name each
error once.

Bad:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "MaxAttempts": 5 }, { "ErrorEquals": ["Busy", "Late"], "MaxAttempts": 1 }]
```
Good:
```json
"Retry": [{ "ErrorEquals": ["Busy"], "MaxAttempts": 5 }, { "ErrorEquals": ["Late"], "MaxAttempts": 1 }]
```
"#;
    warning WF0455 field_without_effect: "a field has no effect", r#"
Another field overrides the field, or the field never applies. Remove it.

Bad:
```json
"Defaults": { "Type": "Pass", "Result": { "tries": 0 }, "Parameters": { "tries.$": "$.n" }, "End": true }
```
Good:
```json
"Defaults": { "Type": "Pass", "Parameters": { "tries.$": "$.n" }, "End": true }
```
"#;
    warning WF0456 credentials_without_role: "credentials without a role", r#"
AWS has one member of `Credentials`, `RoleArn`, and refuses definitions without it. The task receives other members
unchanged.

Bad:
```json
"Credentials": { "roleArn": "arn:aws:iam::123456789012:role/payments" }
```
Good:
```json
"Credentials": { "RoleArn": "arn:aws:iam::123456789012:role/payments" }
```
"#;
    warning WF0457 constant_expression: "a constant looks like an expression", r#"
Paths and intrinsic functions are evaluated only in fields of payload templates whose names end in `.$`. In other
fields, and in the `Result` of a Pass state, they are constant strings. End the name of the field with `.$`.

Bad:
```json
"Parameters": { "id": "$.order.id" }
```
Good:
```json
"Parameters": { "id.$": "$.order.id" }
```
"#;
    warning WF0458 unknown_variable: "a variable is read but never assigned", r#"
A variable exists in the scope of the states that assign it, and in the scopes inside that scope. A variable of a branch
or an iteration ends with it. An execution that reads a variable without a value fails with `States.Runtime`. AWS
accepts such a definition, and fails at run time. Correct the name, or assign the variable in an earlier state.

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
    note WF0459 choice_without_default: "a Choice state has no `Default`", r#"
If no rule of a Choice state holds, an execution continues with `Default`. Without `Default` it fails with
`States.Runtime`, and neither a catcher nor a retrier applies. This is right if the rules cover every value that the
input can have. Otherwise add `Default`, for example with a Fail state that names the error.

Bad:
```json
"Route": { "Type": "Choice", "Choices": [{ "Variable": "$.kind", "StringEquals": "parcel", "Next": "Ship" }] }
```
Good:
```json
"Route": { "Type": "Choice", "Choices": [{ "Variable": "$.kind", "StringEquals": "parcel", "Next": "Ship" }],
  "Default": "Refuse" },
"Refuse": { "Type": "Fail", "Error": "UnknownKind" }
```
"#;
}
