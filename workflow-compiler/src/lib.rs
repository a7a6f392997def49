//! Ahead-of-time compiler from workflow definitions to Rust.
//!
//! Build scripts call [`build()`]:
//!
//! ```no_run
//! workflow_compiler::build()
//!     .task("ChargeCard", "charge_card(Charge) -> Receipt")
//!     .compile("flows/payment.asl.json");
//! ```
//!
//! Tools call [`compile`], which takes a text and returns tokens and diagnostics:
//!
//! ```
//! # #[cfg(feature = "asl")] {
//! use workflow_compiler::{Options, Source, compile, pretty};
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
//! A diagnostic has a code, a place, and usually a help or a fix:
//!
//! ```
//! # #[cfg(feature = "asl")] {
//! use workflow_compiler::{Options, Source, compile, render};
//!
//! let text = r#"{
//!   "StartAt": "Greet",
//!   "States": { "Greet": { "Type": "Wait", "Seconds": "30", "End": true } }
//! }"#;
//! let output = compile(Source::new("greet.asl.json", text), &Options::default());
//! assert!(output.is_refused());
//! let shown = r#"
//! error[WF0403]: `Seconds` must be a whole number, found a string
//!  --> greet.asl.json:3:53
//!   |
//! 3 |   "States": { "Greet": { "Type": "Wait", "Seconds": "30", "End": true } }
//!   |                                                     ^^^^
//!   = help: remove the quotes: `30`"#;
//! assert_eq!(render(&output.diagnostics[0], &output.sources, false).trim(), shown.trim());
//! # }
//! ```
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `asl` | the Amazon States Language (default) |
//! | `composer` | compositions of OpenWhisk Composer and their JavaScript |
//! | `javascript` | JavaScript that is not translated runs in an engine of the program |
//! | `serverless-workflow` | Serverless Workflow, the draft of June 2020, with SpEL and jq |
//! | `sm4c` | State Machines For Cloud, with jq |
//! | `workflow-dsl` | the Workflow DSL, with jq |
//! | `cel` | expressions in CEL, in Serverless Workflow |
//! | `jq` | jq; the dialects that use it enable it |
//! | `jq-engine` | jq that is not translated runs in an engine of the program |
//! | `json-schema` | JSON Schemas that definitions name are parsed and enforced |
//! | `schema-types` | the schemas of inputs and outputs become Rust types |
//! | `openapi` | operations of OpenAPI documents that definitions name are read |
//! | `rpc` | methods of gRPC services that definitions name are resolved |
//! | `pretty` | generated code is laid out for people (default); without it, the code is one long line |
//! | `yaml` | YAML definitions (default) |
//!
//! The program needs the features of the same names of `workflow-runtime`, except `openapi`,
//! `pretty`, `rpc` and `yaml`.
//!
//! # Stability
//! This page shows the public interface. The stages of the compiler are public modules, too, for
//! the tools of this project, but hidden here: any version can change them.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod build;
#[doc(hidden)]
pub mod codes;
mod compile;
#[doc(hidden)]
pub mod diagnostics;
#[doc(hidden)]
pub mod dialects;
#[doc(hidden)]
pub mod emit;
#[doc(hidden)]
pub mod escape;
#[doc(hidden)]
pub mod expr;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod fnv;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod hir;
#[doc(hidden)]
pub mod index;
mod literal;
mod long_text;
#[doc(hidden)]
pub mod machine;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod openapi;
mod options;
#[doc(hidden)]
pub mod passes;
mod pretty;
#[doc(hidden)]
pub mod rpc;
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod shapes;
mod signature;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod syntax;

pub use build::{Build, build};
#[doc(hidden)]
pub use compile::{Checked, check, check_only, machines, read_tree};
pub use compile::{Output, compile, compile_versions};
pub use diagnostics::render::render;
pub use diagnostics::{BindingKey, Code, Diagnostic, Severity};
pub use files::Input;
pub use options::{CorrelationBinding, DefaultTimeout, FunctionBinding, NotAMethod, Options, RustCode, TaskBinding};
pub use options::{DescribedValue, SchemaBinding, SchemaFolder};
pub use pretty::pretty;
#[doc(hidden)]
pub use pretty::{pretty_file, rustfmt};
#[doc(hidden)]
pub use signature::SignatureError;
pub use source::{FileId, Files, NotAPath, NotARoot, NotText, Position, RelativePath, Source, Sources, Span};
pub use workflow_model::JsonataLimits;
#[doc(hidden)]
pub use workflow_model::name_hash;
