//! The natives against jq itself, and what jq does not tell.

mod limits;
mod natives;
mod numbers;
mod patterns;
mod recorded;
