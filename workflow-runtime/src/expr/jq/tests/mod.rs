//! Against what jq 1.8.2 was recorded to yield.

use super::*;
use crate::value;
use crate::value::Value;

#[test]
fn messages_are_shortened_as_jq_does() {
    let cases = [
        (value!("b"), "string (\"b\")"),
        (value!("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "string (\"aaaaaaaaaaaaaaaaaaaaaaaa...\")"),
    ];
    for (value, expected) in cases {
        assert_eq!(error::told(&value), expected);
    }
    let _: Option<Value> = None;
}
