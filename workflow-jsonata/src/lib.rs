//! The syntax of JSONata 2.0.6: a parser, and what can be checked before an expression runs.

mod ast;

pub use ast::{
    BinaryOperator, Call, Condition, Group, Lambda, Node, NodeKind, Number, Param, Path, Pattern, Signature, SortTerm,
    Stage, Step, StepKind, Suffixed, Transform,
};
