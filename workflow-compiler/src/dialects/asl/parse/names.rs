//! Names of fields, and the objects that they belong to.

use super::choice::is_operator;
use crate::dialects::asl::ast::QueryLanguage;

/// `InputPath` and `OutputPath`.
pub const FILTERS: &[&str] = &["InputPath", "OutputPath"];
/// `Next` and `End`.
pub const NEXT: &[&str] = &["Next", "End"];
/// `Retry` and `Catch`.
pub const HANDLERS: &[&str] = &["Retry", "Catch"];
/// Fields of every state.
pub const STATE: &[&str] = &["Type", "QueryLanguage"];

/// Fields of the language, with the objects that they belong to in the words of a help line.
const OWNERS: &[(&str, &str)] = &[
    ("StartAt", "the state machine, a branch or an item processor"),
    ("States", "the state machine, a branch or an item processor"),
    ("Version", "the state machine"),
    ("QueryLanguage", "the state machine or a state"),
    ("Type", "a state"),
    ("Next", "Pass, Task, Wait, Parallel and Map states, catchers, and top-level Choice rules"),
    ("End", "Pass, Task, Wait, Parallel and Map states"),
    ("InputPath", "every state except Fail"),
    ("OutputPath", "every state except Fail"),
    ("Parameters", "Pass, Task, Parallel and Map states"),
    ("ResultSelector", "Task, Parallel and Map states"),
    ("ResultPath", "Pass, Task, Parallel and Map states, and catchers"),
    ("Assign", "every state except Succeed and Fail, catchers, and top-level Choice rules"),
    ("Retry", "Task, Parallel and Map states"),
    ("Catch", "Task, Parallel and Map states"),
    ("Result", "Pass states"),
    ("Resource", "Task states"),
    ("TimeoutSeconds", "Task states and the state machine"),
    ("TimeoutSecondsPath", "Task states"),
    ("HeartbeatSeconds", "Task states"),
    ("HeartbeatSecondsPath", "Task states"),
    ("Credentials", "Task states"),
    ("Choices", "Choice states"),
    ("Default", "Choice states"),
    ("Variable", "Choice rules that test a value"),
    ("And", "Choice rules"),
    ("Or", "Choice rules"),
    ("Not", "Choice rules"),
    ("Seconds", "Wait states"),
    ("SecondsPath", "Wait states"),
    ("Timestamp", "Wait states"),
    ("TimestampPath", "Wait states"),
    ("Error", "Fail states"),
    ("ErrorPath", "Fail states"),
    ("Cause", "Fail states"),
    ("CausePath", "Fail states"),
    ("Branches", "Parallel states"),
    ("ItemProcessor", "Map states"),
    ("Iterator", "Map states"),
    ("ItemsPath", "Map states"),
    ("ItemSelector", "Map states"),
    ("ItemReader", "Map states"),
    ("ItemBatcher", "Map states"),
    ("ResultWriter", "Map states"),
    ("MaxConcurrency", "Map states"),
    ("MaxConcurrencyPath", "Map states"),
    ("ToleratedFailureCount", "Map states"),
    ("ToleratedFailureCountPath", "Map states"),
    ("ToleratedFailurePercentage", "Map states"),
    ("ToleratedFailurePercentagePath", "Map states"),
    ("Label", "Map states"),
    ("ProcessorConfig", "an `ItemProcessor`"),
    ("MaxItems", "a `ReaderConfig`"),
    ("MaxItemsPath", "a `ReaderConfig`"),
    ("MaxItemsPerBatch", "an `ItemBatcher`"),
    ("MaxItemsPerBatchPath", "an `ItemBatcher`"),
    ("MaxInputBytesPerBatch", "an `ItemBatcher`"),
    ("MaxInputBytesPerBatchPath", "an `ItemBatcher`"),
    ("ErrorEquals", "retriers and catchers"),
    ("IntervalSeconds", "retriers"),
    ("MaxAttempts", "retriers"),
    ("BackoffRate", "retriers"),
    ("MaxDelaySeconds", "retriers"),
    ("JitterStrategy", "retriers"),
    ("Arguments", "Task and Parallel states in JSONata"),
    ("Output", "every state except Fail, catchers, and top-level Choice rules, in JSONata"),
    ("Items", "Map states in JSONata"),
    ("Condition", "top-level Choice rules in JSONata"),
];

/// Fields that only JSONPath has, with a hint at what JSONata has in their place. All other names
/// that end in `Path`, and all operators of Choice rules, are in JSONPath only, too.
const ONLY_JSONPATH: &[(&str, &str)] = &[
    ("InputPath", "read `$states.input` in the expressions"),
    ("Parameters", "use `Arguments`"),
    ("Result", "use `Output`"),
    ("ResultSelector", "use `Output`, with `$states.result`"),
    ("ResultPath", "use `Output`, or set a variable with `Assign`"),
    ("OutputPath", "use `Output`"),
    ("ItemsPath", "use `Items`"),
    ("Variable", "use `Condition` with an expression"),
    ("And", "use `and` in the expression of `Condition`"),
    ("Or", "use `or` in the expression of `Condition`"),
    ("Not", "use `$not` in the expression of `Condition`"),
];

/// Fields that only JSONata has, with a hint at what JSONPath has in their place.
const ONLY_JSONATA: &[(&str, &str)] = &[
    ("Arguments", "use `Parameters`, or set `QueryLanguage` to `JSONata`"),
    ("Output", "use `ResultPath` and `OutputPath`, or set `QueryLanguage` to `JSONata`"),
    ("Items", "use `ItemsPath`, or set `QueryLanguage` to `JSONata`"),
    ("Condition", "use `Variable` and an operator, or set `QueryLanguage` to `JSONata`"),
];

/// Returns the hint for a field that only the other query language has, with the name of that
/// language.
pub fn of_other_language(name: &str, language: QueryLanguage) -> Option<(&'static str, String)> {
    let hint = |table: &[(&str, &'static str)]| {
        let entry = table.iter().find(|(field, _)| *field == name);
        entry.map(|(_, hint)| (*hint).to_owned())
    };
    match language {
        QueryLanguage::JsonPath => hint(ONLY_JSONATA).map(|hint| ("JSONata", hint)),
        QueryLanguage::Jsonata => {
            let twin = || {
                let field = name.strip_suffix("Path").filter(|field| owners_of(field).is_some())?;
                Some(format!("use `{field}` with an expression"))
            };
            let operator = || is_operator(name).then(|| "use `Condition` with an expression".to_owned());
            hint(ONLY_JSONPATH).or_else(twin).or_else(operator).map(|hint| ("JSONPath", hint))
        }
    }
}

/// Returns the objects that a field belongs to, or `None` if the language has no such field.
pub fn owners_of(name: &str) -> Option<&'static str> {
    OWNERS.iter().find(|(field, _)| *field == name).map(|(_, owners)| *owners)
}
