//! The items that readers yield, the errors of bad data, and positions.

mod bad_data;
mod continuing;
mod formats;
mod memory;
mod recorded;
mod refusals;
mod support;
