//! JSONata 2.0.6, as the Amazon States Language has it: an evaluator of expressions on the
//! runtime's values.

mod call;
mod convert;
mod decimal;
mod environment;
mod equality;
mod error;
mod evaluate;
mod filter;
mod function;
mod functions;
mod group;
mod higher_order;
mod item;
mod message;
mod natives;
mod operators;
mod order;
mod path;
mod pattern;
mod patterns;
mod program;
mod regex;
mod release;
mod run;
mod scope;
mod signature;
mod text;
mod transform;
mod truth;
mod tuple;
mod view;
mod walk;

#[cfg(test)]
mod tests;

pub use environment::{JsonataEnvironment, JsonataLimits, Random, States};
pub use error::{Error, Result};
pub use program::{JsonataOutcome, JsonataProgram};
