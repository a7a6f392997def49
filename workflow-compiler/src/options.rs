//! Options of a compilation.

use crate::names::is_identifier;
use crate::source::{Files, Source};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use workflow_model::JsonataLimits;

/// The options of a compilation.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{DefaultTimeout, Options, RustCode, Source, TaskBinding, compile};
///
/// let charge = TaskBinding {
///     task: "Charge".to_owned(),
///     method: "charge".to_owned(),
///     input: Some(RustCode::from("Order")),
///     output: None,
/// };
/// let options = Options {
///     tasks: vec![charge],
///     default_task_timeout: DefaultTimeout::Seconds(300),
///     ..Options::default()
/// };
/// let text = r#"{ "StartAt": "Pay", "States": { "Pay": { "Type": "Task", "Resource": "Charge", "End": true } } }"#;
/// assert!(!compile(Source::new("order.asl.json", text), &options).is_refused());
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The dialect, such as `asl`. `None` detects it.
    pub dialect: Option<String>,
    /// The name of the workflow. `None` takes it from the file.
    pub name: Option<String>,
    /// Values of `${Placeholder}`s.
    pub substitutions: BTreeMap<String, String>,
    /// Names in `substitutions` that the definition need not contain, because definitions share
    /// the options.
    pub shared_substitutions: BTreeSet<String>,
    /// Codes or names of warnings and notes to suppress. The code of an error for what AWS accepts
    /// and what fails in every run turns it into a warning
    /// ([A37](docs/amazon-states-language.md#a37)).
    pub allow: Vec<String>,
    /// `true` enforces the restrictions of AWS's Express type
    /// ([A12](docs/amazon-states-language.md#a12)).
    pub express: bool,
    /// The time-out of tasks that specify none ([A2](docs/amazon-states-language.md#a2)).
    pub default_task_timeout: DefaultTimeout,
    /// The maximum size of a task's result and of a state's output, in bytes. With more, the task
    /// or the execution fails with `States.DataLimitExceeded`
    /// ([A11](docs/amazon-states-language.md#a11)). Without this option the runtime limits the
    /// output of an execution to 64 MiB.
    pub payload_limit: Option<usize>,
    /// The limits of expressions in JSONata ([A22](docs/amazon-states-language.md#a22)). `None`
    /// stands for those of AWS. Other dialects than the Amazon States Language ignore them.
    pub jsonata_limits: Option<JsonataLimits>,
    /// `true` if generated code reports each stage of a state's data to an inspector.
    pub inspect: bool,
    /// `true` if the program has an engine for functions and expressions that cannot be translated
    /// to Rust. Without an engine they are refused. `None` is decided by the compiler's features
    /// `javascript` and `jq-engine`.
    pub engine: Option<bool>,
    /// Definitions that sub-flows can name. Calls are checked against their ids, versions and
    /// permissions to be started by others.
    pub subflows: Vec<Source>,
    /// Authored functions that functions of the program replace.
    pub functions: Vec<FunctionBinding>,
    /// The input path of the correlation key, for an attribute by which events correlate. At most
    /// one.
    pub correlate: Vec<CorrelationBinding>,
    /// Tasks with a method and types of the program.
    pub tasks: Vec<TaskBinding>,
    /// JSON Schemas of the workflow's input and output, and of those of its tasks.
    pub schemas: Vec<SchemaBinding>,
    /// The folder of the files that `schemas` names.
    pub schema_folder: SchemaFolder,
    /// The Rust type of the workflow's input. `None` is `Value`.
    pub input: Option<RustCode>,
    /// The Rust type of the workflow's output. `None` is `Value`.
    pub output: Option<RustCode>,
    /// `true` also makes a type for the output that the compiler infers, with the feature
    /// `schema-types`. The macro and build scripts set it.
    pub infer_types: bool,
    /// `true` in a macro. Then debug builds check the machine after the last pass of each stage,
    /// and not after each pass, because each build of a program expands its macros.
    #[doc(hidden)]
    pub in_macro: bool,
}

/// The time-out of tasks that specify none.
///
/// See the example of [`Options`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DefaultTimeout {
    /// The default of the dialect.
    #[default]
    Dialect,
    /// A number of seconds.
    Seconds(u32),
    /// No time-out.
    Unlimited,
}

/// The replacement of an authored function by a function of the program.
///
/// ```
/// use workflow_compiler::{FunctionBinding, NotAMethod, RustCode};
///
/// let binding = |function| FunctionBinding { state: "Price".to_owned(), function: RustCode::from(function) };
/// assert_eq!(binding("self.price").method(), Some(Ok("price".to_owned())));
/// assert_eq!(binding("self.price()").method(), Some(Err(NotAMethod)));
/// assert_eq!(binding("|order, variables| Ok(order)").method(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionBinding {
    /// The state that runs the function.
    pub state: String,
    /// The function of the program: a path or a closure, called with the parameters and the
    /// visible variables; or `self.method`, a method of the generated `Tasks` trait.
    pub function: RustCode,
}

impl FunctionBinding {
    /// Returns the method that the binding names: `price` of `self.price`. Returns `Err` if
    /// something else follows `self`.
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

/// The error for a function binding that begins with `self` but is not `self.method`.
///
/// See the example of [`FunctionBinding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAMethod;

/// The input path of the correlation key. A key given at the start of an execution, or by its
/// start event, takes precedence.
///
/// ```
/// use workflow_compiler::{CorrelationBinding, Options};
///
/// let patient = CorrelationBinding { attribute: "patient".to_owned(), path: "$.patient.id".to_owned() };
/// let options = Options { correlate: vec![patient], ..Options::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrelationBinding {
    /// The context attribute as the definition names it. Events of the definition must correlate
    /// by it.
    pub attribute: String,
    /// A JSONPath to one value of the input: `$.patient.id`.
    pub path: String,
}

/// A binding of a task to a method and to Rust types.
///
/// See the example of [`Options`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBinding {
    /// The task key, or the name of a state that invokes the task.
    pub task: String,
    /// The method of the generated `Tasks` trait.
    pub method: String,
    /// The Rust type of its input. `None` is `Value`.
    pub input: Option<RustCode>,
    /// The Rust type of its result. `None` is `Value`.
    pub output: Option<RustCode>,
}

/// A JSON Schema that the options name. The runtime checks the input and the output of a workflow
/// against their schemas, as it does with schemas that a definition names. It does not check the
/// data of tasks: their schemas are known to the compiler only.
///
/// ```
/// # #[cfg(all(feature = "asl", feature = "json-schema"))] {
/// use workflow_compiler::{DescribedValue, Files, Options, SchemaBinding, SchemaFolder, Source, check_only};
///
/// let receipt = SchemaBinding {
///     task: Some("Charge".to_owned()),
///     value: DescribedValue::Output,
///     file: "receipt.json".to_owned(),
///     is_shared: false,
/// };
/// let closed = r#"{ "properties": { "id": true }, "additionalProperties": false }"#;
/// let files = Files::new(move |_| Ok(closed.as_bytes().to_vec()));
/// let schema_folder = SchemaFolder { name: String::new(), files };
/// let options = Options { schemas: vec![receipt], schema_folder, ..Options::default() };
/// let text = r#"{ "StartAt": "Pay", "States": {
///     "Pay": { "Type": "Task", "Resource": "Charge", "OutputPath": "$.idd", "End": true } } }"#;
/// let output = check_only(Source::new("order.asl.json", text), &options);
/// assert_eq!(output.diagnostics.last().map(|found| found.code.id), Some("WF1901"));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaBinding {
    /// The task key, or the name of a state that invokes the task. `None` is the workflow.
    pub task: Option<String>,
    /// The value that the schema describes.
    pub value: DescribedValue,
    /// The file, relative to [`Options::schema_folder`], with a fragment if the
    /// schema is a part of it: `orders.json#/definitions/Order`.
    pub file: String,
    /// `true` if the definition need not have the task, because definitions share the options.
    pub is_shared: bool,
}

impl SchemaBinding {
    /// Returns the key of diagnostics about it, in the argument `schemas`: `Charge.output`, or
    /// `output` for the workflow's.
    pub fn key(&self) -> String {
        let value = self.value.name();
        self.task.as_ref().map_or_else(|| value.to_owned(), |task| format!("{task}.{value}"))
    }
}

/// The value that a schema of the options describes.
///
/// See the example of [`SchemaBinding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DescribedValue {
    /// The input of the workflow or of a task.
    Input,
    /// The output of the workflow, or the result of a task.
    Output,
}

impl DescribedValue {
    /// Returns its name in options: `input` or `output`.
    pub fn name(self) -> &'static str {
        match self {
            DescribedValue::Input => "input",
            DescribedValue::Output => "output",
        }
    }
}

/// The folder to which the paths of schemas in the options are relative.
///
/// See the example of [`SchemaBinding`].
#[derive(Debug, Clone, Default)]
pub struct SchemaFolder {
    /// Its name in messages, with a trailing separator. Empty for the current folder.
    pub name: String,
    /// Its files.
    pub files: Files,
}

/// A type or a function of the program, as written. Tokens of macro arguments keep their spans for
/// rustc's diagnostics.
///
/// See the example of [`Options`].
#[derive(Debug, Clone)]
pub struct RustCode {
    text: String,
    tokens: Option<TokenStream>,
}

impl RustCode {
    /// Returns the tokens, or `None` if the text is not valid Rust tokens.
    pub fn tokens(&self) -> Option<&TokenStream> {
        self.tokens.as_ref()
    }

    /// Returns `true` if the type is a reference.
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

/// Compares types by their text.
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
