//! Ahead-of-time compiler from workflow definitions to Rust.
//!
//! The way of a definition: text → [`syntax`] (a tree with places) → `dialects::*` (its own language) → [`hir`] (the one
//! workflow model) → [`passes`] → [`machine`] (frames, blocks, operations) → [`emit`] (tokens).

pub mod diagnostics;
pub mod dialects;
pub mod expr;
pub mod hir;
mod options;
pub mod source;
pub mod syntax;

pub use options::{DefaultTimeout, Options, TaskBinding};
