//! The syntax of JSONata 2.0.6: a parser, and what can be checked before an expression runs.
//!
//! * [`parse`] reads an expression to its tree. The tree has all that the evaluation needs: paths
//!   with their steps, the slots of parents (`%`), calls in tail position. Errors have the codes
//!   and the messages of the reference implementation, with the place in the text.
//! * [`check`] finds what AWS Step Functions refuses when a state machine is created: references
//!   to an input document, which its expressions do not have. It also finds regular expressions
//!   that are invalid or unsupported.
//! * [`Facts`] are what an expression reads: variables, functions, members of `$states`.
//! * [`Signature`] reads the signature of a function.
//! * [`translate`] turns a regular expression of JavaScript into one of the crate `regex`.
//!
//! Texts may come from anyone. The tree has at most [`MAX_DEPTH`] levels and the text at most
//! [`MAX_LENGTH`] bytes, and the time grows with the length of the text.
//!
//! ```
//! use workflow_jsonata::{Facts, check, parse};
//!
//! let order = parse("$states.input.items[price > $limit].name")?;
//! assert!(check(&order, &["input", "context"]).is_empty());
//!
//! let facts = Facts::of(&order);
//! assert_eq!(facts.states, ["input"]);
//! assert_eq!(&*facts.variables[0].name, "limit");
//!
//! let name = parse("phone")?;
//! let problems = check(&name, &["input", "context"]);
//! let text = problems[0].kind.to_string();
//! assert_eq!(text, "Reference to 'phone' at the top level is not supported.");
//!
//! let error = parse("[1, 2").unwrap_err();
//! assert_eq!(error.code, "S0203");
//! assert_eq!(error.message, "Expected \"]\" before end of expression");
//! assert_eq!(error.at, 5..5);
//! # Ok::<(), workflow_jsonata::SyntaxError>(())
//! ```

mod ast;
mod build;
mod check;
mod error;
mod facts;
mod functions;
mod group_names;
mod lexer;
mod number;
mod parse;
mod parts;
mod pattern;
mod raw;
mod scope;
mod signature;
#[cfg(test)]
mod tests;

pub use ast::{
    BinaryOperator, Call, Condition, Group, Lambda, Node, NodeKind, Number, Param, Path, Pattern, Signature, SortTerm,
    Stage, Step, StepKind, Suffixed, Transform,
};
pub use check::{Problem, ProblemKind, check};
pub use error::SyntaxError;
pub use facts::{Facts, FreeVariable, STATES_MEMBERS};
pub use functions::{FUNCTIONS, is_function};
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
pub use pattern::{MAX_PATTERN, PatternProblem, translate};
