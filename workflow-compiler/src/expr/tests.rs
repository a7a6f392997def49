//! What the tests of several expression languages use.

pub mod eval;
