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
use crate::expr::jsonata::natives;
use crate::expr::jsonata::tests::{check, evaluate};
use workflow_jsonata::FUNCTIONS;

#[test]
fn names_are_in_order() {
    assert!(NATIVES.is_sorted_by(|left, right| left.name < right.name));
}

#[test]
fn the_names_are_those_that_the_compiler_has() {
    let missing: Vec<_> = FUNCTIONS.iter().filter(|name| natives::native(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(NATIVES.iter().all(|native| FUNCTIONS.contains(&native.name)));
}
