//! JSONata 2.0.6, as the Amazon States Language has it: an evaluator of expressions on the
//! runtime's values.

mod convert;
mod decimal;
mod equality;
mod error;
mod functions;
mod item;
mod pattern;
mod regex;
mod run;
mod text;
mod truth;
mod view;
