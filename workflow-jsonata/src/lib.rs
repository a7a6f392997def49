//! The syntax of JSONata 2.0.6: a parser, and what can be checked before an expression runs.

mod ast;
mod build;
mod check;
mod error;
mod facts;
mod functions;
mod lexer;
mod number;
mod parse;
mod scope;
mod signature;

pub use ast::{
    BinaryOperator, Call, Condition, Group, Lambda, Node, NodeKind, Number, Param, Path, Pattern, Signature, SortTerm,
    Stage, Step, StepKind, Suffixed, Transform,
};
pub use check::{Problem, ProblemKind, check};
pub use error::SyntaxError;
pub use facts::{Facts, FreeVariable, STATES_MEMBERS};
pub use functions::{FUNCTIONS, is_function};
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
