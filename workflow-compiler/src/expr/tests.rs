//! Helpers of the tests of several expression languages.

pub mod eval;
pub mod shape;
