//! Tests of the functions.

mod aws;
mod collections;
mod dates;
mod format_number;
mod integers;
mod limits;
mod numbers;
mod patterns;
mod strings;
mod urls;
mod values;

use super::NATIVES;
use crate::expr::jsonata::tests::{check, evaluate};

#[test]
fn names_are_in_order() {
    assert!(NATIVES.is_sorted_by(|left, right| left.name < right.name));
}
