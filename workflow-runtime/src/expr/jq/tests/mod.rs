//! Tests of the natives against jq, and of behaviour that jq does not have.

#[cfg(feature = "jq-engine")]
mod engine;
mod limits;
mod natives;
mod numbers;
mod patterns;
mod recorded;
