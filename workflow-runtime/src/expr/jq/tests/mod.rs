//! The natives against jq itself, and what jq does not tell.

mod natives;
mod recorded;
