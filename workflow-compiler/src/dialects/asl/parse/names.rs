//! Names of fields, and the objects that they belong to.

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
    ("ErrorEquals", "retriers and catchers"),
    ("IntervalSeconds", "retriers"),
    ("MaxAttempts", "retriers"),
    ("BackoffRate", "retriers"),
    ("MaxDelaySeconds", "retriers"),
    ("JitterStrategy", "retriers"),
    ("Arguments", "the query language JSONata; with JSONPath, use `Parameters`"),
    ("Output", "the query language JSONata; with JSONPath, use `ResultPath` and `OutputPath`"),
    ("Items", "the query language JSONata; with JSONPath, use `ItemsPath`"),
    ("Condition", "the query language JSONata; with JSONPath, use `Variable` and an operator"),
];

/// Returns the objects that a field belongs to, or `None` if the language has no such field.
pub fn owners_of(name: &str) -> Option<&'static str> {
    OWNERS.iter().find(|(field, _)| *field == name).map(|(_, owners)| *owners)
}
