//! What the user of the compiler decides.

use crate::passes::names::is_identifier;
use crate::source::Source;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fmt;

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
    /// The largest state output in bytes, where a larger one is to be `States.DataLimitExceeded` (ruling A11). Without it, the runtime
    /// limits what leaves an execution to 64 MiB.
    pub payload_limit: Option<usize>,
    /// Whether the generated code shows each stage of a state's data to an inspector.
    pub inspect: bool,
    /// Whether the program has an engine for functions and expressions of an author's that cannot be translated to Rust; without
    /// one they are refused. Where nothing is said, the features `javascript` and `jq-engine` of the compiler decide.
    pub engine: Option<bool>,
    /// Definitions that sub-flows of this one can name: of these the ids, versions, and whether others may start them are compared
    /// with what it says.
    pub subflows: Vec<Source>,
    /// Functions of an author's in whose place the program puts its own.
    pub functions: Vec<FunctionBinding>,
    /// The path of the input that has the correlation value of an execution, for an attribute that events correlate by; one at the
    /// most.
    pub correlate: Vec<CorrelationBinding>,
    /// Tasks whose method and types the program names.
    pub tasks: Vec<TaskBinding>,
    /// The Rust type of the workflow's input, where it is not `Value`.
    pub input: Option<RustCode>,
    /// The Rust type of the workflow's output, where it is not `Value`.
    pub output: Option<RustCode>,
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
    /// The program's own: a path or a closure, called with the parameters and the variables in sight, or `self.method`, a
    /// method of the generated `Tasks` trait.
    pub function: RustCode,
}

impl FunctionBinding {
    /// The method, where it names one: `price` of `self.price`. `Err` where something else follows `self`.
    pub fn method(&self) -> Option<Result<String, NotAMethod>> {
        let mut tokens = self.function.tokens()?.clone().into_iter();
        let is_self = matches!(tokens.next(), Some(TokenTree::Ident(first)) if first == "self");
        let [dot, name, end] = [tokens.next(), tokens.next(), tokens.next()];
        // `self::price` is a path.
        let is_path = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
        if !is_self || dot.as_ref().is_some_and(is_path) {
            return None;
        }
        match (dot, name, end) {
            (Some(TokenTree::Punct(dot)), Some(TokenTree::Ident(name)), None)
                if dot.as_char() == '.' && is_identifier(&name.to_string()) =>
            {
                Some(Ok(name.to_string()))
            }
            _ => Some(Err(NotAMethod)),
        }
    }
}

/// What a function is bound to begins as a method of the program does, and is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAMethod;

/// Has the correlation value of executions read from their input, where neither who starts one nor the event that does gives it one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrelationBinding {
    /// The attribute, as the definition names it: one that events of it correlate by.
    pub attribute: String,
    /// A JSONPath to one value of the input: `$.patient.id`.
    pub path: String,
}

/// Binds a task to a method and to Rust types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBinding {
    /// The task key, or the name of the one state it is meant for.
    pub task: String,
    /// The method of the generated `Tasks` trait.
    pub method: String,
    /// The Rust type of its input; `Value` where absent.
    pub input: Option<RustCode>,
    /// The Rust type of its result; `Value` where absent.
    pub output: Option<RustCode>,
}

/// A type or a function of the program, as it was written. Tokens of the macro's arguments keep their places, so that rustc shows them.
#[derive(Debug, Clone)]
pub struct RustCode {
    text: String,
    tokens: Option<TokenStream>,
}

impl RustCode {
    /// The tokens, where the text can be read as such.
    pub fn tokens(&self) -> Option<&TokenStream> {
        self.tokens.as_ref()
    }

    /// Whether it is a reference.
    pub fn is_reference(&self) -> bool {
        let first = self.tokens.clone().and_then(|tokens| tokens.into_iter().next());
        matches!(first, Some(TokenTree::Punct(first)) if first.as_char() == '&')
    }
}

impl From<&str> for RustCode {
    fn from(text: &str) -> Self {
        RustCode { text: text.to_owned(), tokens: text.parse().ok().filter(|tokens: &TokenStream| !tokens.is_empty()) }
    }
}

impl From<TokenStream> for RustCode {
    fn from(tokens: TokenStream) -> Self {
        RustCode { text: tokens.to_string(), tokens: Some(tokens) }
    }
}

/// Types are the same if they are written the same.
impl PartialEq for RustCode {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for RustCode {}

impl fmt::Display for RustCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
