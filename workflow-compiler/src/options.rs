//! What the user of the compiler decides.

use std::collections::BTreeMap;

/// Settings of one compilation.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The dialect, where it is not to be detected: `asl`.
    pub dialect: Option<String>,
    /// The name of the workflow, where it is not to be the file's.
    pub name: Option<String>,
    /// Values of `${Placeholder}`s.
    pub substitutions: BTreeMap<String, String>,
    /// Codes of warnings and notes that are not to be reported.
    pub allow: Vec<String>,
    /// Whether the workflow must satisfy the restrictions of AWS's Express type (ruling A12).
    pub express: bool,
    /// The time-out of tasks that state none, in seconds (ruling A2).
    pub default_task_timeout: DefaultTimeout,
    /// The largest state output in bytes, where a larger one is to be `States.DataLimitExceeded` (ruling A11).
    pub payload_limit: Option<usize>,
    /// Whether the generated code shows each stage of a state's data to an inspector.
    pub inspect: bool,
    /// Whether functions of an author's that cannot be translated to Rust are refused, even where an engine is built in.
    pub native_only: bool,
    /// Functions of an author's in whose place the program puts its own.
    pub functions: Vec<FunctionBinding>,
    /// Tasks whose method and types the program names.
    pub tasks: Vec<TaskBinding>,
    /// The Rust type of the workflow's input, where it is not `Value`.
    pub input: Option<String>,
    /// The Rust type of the workflow's output, where it is not `Value`.
    pub output: Option<String>,
}

/// The time-out of tasks that state none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DefaultTimeout {
    /// As the dialect says.
    #[default]
    Dialect,
    /// So many seconds.
    Seconds(u32),
    /// None.
    Unlimited,
}

/// Puts a function of the program in the place of one that a definition carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionBinding {
    /// The state that runs the function.
    pub state: String,
    /// The program's own: a path or a closure, called with the parameters and the variables in sight.
    pub function: String,
}

/// Binds a task to a method and to Rust types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBinding {
    /// The task key, or the name of the one state it is meant for.
    pub task: String,
    /// The method of the generated `Tasks` trait.
    pub method: String,
    /// The Rust type of its input; `Value` where absent.
    pub input: Option<String>,
    /// The Rust type of its result; `Value` where absent.
    pub output: Option<String>,
}
