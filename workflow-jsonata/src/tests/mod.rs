//! The tests of the syntax.

mod check;
mod errors;
mod facts;
mod limits;
mod literals;
mod paths;
mod pattern;
mod print;
mod shapes;
mod signature;

use print::print;

use crate::parse;

/// Checks the shapes of the trees of expressions.
#[track_caller]
fn check_shapes(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = match parse(text) {
            Ok(node) => print(&node),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, *expected, "the shape of {text}");
    }
}
