//! The natives against jq itself, and what jq does not tell.

#[cfg(feature = "jq-engine")]
mod engine;
mod limits;
mod natives;
mod numbers;
mod patterns;
mod recorded;
