//! Tools for workflow definitions, on top of the compiler. `cargo workflow` is their command line.
//!
//! * [`compare`] compares two versions of a definition: which executions can continue?
//! * [`fix`] corrects the text of a definition.
//! * [`pictures`] draws a workflow as Graphviz and SVG, and finds flaws of the drawing.
//! * [`single_state`] compiles one state of a definition as a workflow of its own, for tests.
//! * [`to_jsonata`] converts a definition in the Amazon States Language from JSONPath to JSONata.
//!
//! ```
//! use workflow_compiler::{Options, Source, compile};
//! use workflow_tools::compare::compare;
//!
//! let text = r#"{ "StartAt": "Nap", "States": {
//!     "Nap": { "Type": "Wait", "Seconds": 60, "End": true } } }"#;
//! let version = |text: &str| compile(Source::new("nap.asl.json", text), &Options::default());
//! let (old, new) = (version(text), version(&text.replace("60", "90")));
//! let comparison = compare(&old, &new).expect("both are accepted");
//! assert!(!comparison.is_same());
//! ```
//!
//! The crate has no features. The features of `workflow-compiler` determine the dialects that it
//! reads, beside the Amazon States Language.

pub mod compare;
pub mod fix;
pub mod pictures;
pub mod single_state;
pub mod to_jsonata;
