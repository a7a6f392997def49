//! Ahead-of-time compiler from workflow definitions to Rust.
//!
//! The way of a definition: text → [`syntax`] (a tree with places) → `dialects::*` (its own language) → [`hir`] (the one
//! workflow model) → [`passes`] → [`machine`] (frames, blocks, operations) → [`emit`] (tokens).
//!
//! Build scripts call [`build()`]; the macro `include_workflow!` and the command `cargo workflow` call [`compile`], which
//! takes a text and yields tokens and all that was found:
//!
//! ```
//! # #[cfg(feature = "asl")] {
//! use workflow_compiler::source::Source;
//! use workflow_compiler::{Options, compile, pretty};
//!
//! let text = r#"{
//!   "StartAt": "Greet",
//!   "States": { "Greet": { "Type": "Pass", "Result": "hello", "End": true } }
//! }"#;
//! let output = compile(Source::new("greet.asl.json", text), &Options::default());
//! assert!(output.diagnostics.is_empty());
//! let code = pretty(&output).expect("it was not refused");
//! assert!(code.contains("pub mod greet {"));
//! # }
//! ```
//!
//! What is wrong with a definition has a code, a place and a way to mend it:
//!
//! ```
//! # #[cfg(feature = "asl")] {
//! use workflow_compiler::diagnostics::render::render;
//! use workflow_compiler::source::Source;
//! use workflow_compiler::{Options, compile};
//!
//! let text = r#"{
//!   "StartAt": "Greet",
//!   "States": { "Greet": { "Type": "Wait", "Seconds": "30", "End": true } }
//! }"#;
//! let output = compile(Source::new("greet.asl.json", text), &Options::default());
//! assert!(output.is_refused());
//! let shown = r#"
//! error[E0403]: `Seconds` must be a whole number, and this is a string
//!  --> greet.asl.json:3:53
//!   |
//! 3 |   "States": { "Greet": { "Type": "Wait", "Seconds": "30", "End": true } }
//!   |                                                     ^^^^
//!   = help: leave out the quotes: `30`"#;
//! assert_eq!(render(&output.diagnostics[0], &output.sources, false).trim(), shown.trim());
//! # }
//! ```
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `asl` | the Amazon States Language (default) |
//! | `composer` | compositions of OpenWhisk Composer, and the JavaScript in them |
//! | `javascript` | JavaScript that is not translated is left to an engine of the program |
//! | `serverless-workflow` | Serverless Workflow, the draft of June 2020, with SpEL and jq |
//! | `sm4c` | State Machines For Cloud, with jq |
//! | `workflow-dsl` | the Workflow DSL, with jq |
//! | `cel` | expressions in CEL, in Serverless Workflow |
//! | `jq` | jq; dialects that have it turn it on |
//! | `jq-engine` | jq that is not translated is left to an engine of the program |
//! | `json-schema` | the JSON Schemas that definitions name are read, and enforced |
//! | `schema-types` | those of inputs and outputs become Rust types |
//! | `rpc` | methods of gRPC services that definitions name are looked up |
//! | `yaml` | YAML definitions (default) |
//!
//! The program needs the feature of the same name of `workflow-runtime`, but for `rpc` and `yaml`.

pub mod arguments;
mod build;
pub mod compare;
mod compile;
pub mod diagnostics;
pub mod dialects;
pub mod emit;
pub mod expr;
pub mod files;
pub mod hir;
pub mod machine;
mod mend;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
pub mod openapi;
mod options;
pub mod passes;
pub mod rpc;
pub mod schema;
mod single_state;
pub mod source;
pub mod syntax;

pub use build::{Build, build};
pub use compare::compare;
pub use compile::{Output, check_only, compile, compile_state, compile_versions, machines, read_tree};
pub use mend::{Change, Mended, mend};
pub use options::{CorrelationBinding, DefaultTimeout, FunctionBinding, NotAMethod, Options, RustCode, TaskBinding};

/// The generated module as formatted Rust, to be included with `include!`; none where the definition was refused.
pub fn pretty(output: &Output) -> Option<String> {
    printed(output, "//")
}

/// The generated module as formatted Rust in a file that is a module itself, as `mod generated;` declares it: what it was made
/// from is its documentation, which a file to be included cannot have. None where the definition was refused.
pub fn pretty_file(output: &Output) -> Option<String> {
    printed(output, "//!")
}

fn printed(output: &Output, comment: &str) -> Option<String> {
    let tokens = output.tokens.clone()?;
    // No folders: those of one machine are nobody else's.
    let name = &output.sources.get(output.workflow.as_ref()?.span.file).name;
    let name = emit::format::in_comment(name.rsplit(['/', '\\']).next().unwrap_or(name));
    let version = env!("CARGO_PKG_VERSION");
    let mut code =
        format!("{comment} Generated from `{name}` by workflow-compiler {version}. Changes will be lost.\n\n");
    code.push_str(&emit::format::format(tokens));
    Some(code)
}
