//! Helpers of the tests of several expression languages.

#[cfg(all(feature = "composer", feature = "serverless-workflow"))]
mod effects;
pub mod eval;
pub mod shape;
