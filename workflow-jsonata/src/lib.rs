//! The syntax of JSONata 2.0.6: a parser, and what can be checked before an expression runs.

mod ast;
mod build;
mod error;
mod lexer;
mod number;
mod parse;
mod signature;

pub use ast::{
    BinaryOperator, Call, Condition, Group, Lambda, Node, NodeKind, Number, Param, Path, Pattern, Signature, SortTerm,
    Stage, Step, StepKind, Suffixed, Transform,
};
pub use error::SyntaxError;
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
