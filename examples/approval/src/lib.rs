//! The workflow of `approval.asl.json`, and its tasks.
//!
//! After a change of the definition, generate its module again:
//!
//! ```text
//! cargo workflow emit flows/approval.asl.json --out src/generated.rs
//! ```

#[rustfmt::skip]
mod generated;
pub mod manager;
pub mod tasks;

pub use generated::approval;
