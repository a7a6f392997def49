//! Tests of the generated code.

use super::super::translate;
use crate::pretty::layout;
use proc_macro2::{Ident, Span};
use std::sync::Arc;

/// Translates an expression that reads the input and two variables, and returns its function.
#[track_caller]
fn emitted(source: &str) -> String {
    let translation = translate(source, &["states.input", "limit", "names"], false);
    let translation = translation.unwrap_or_else(|reason| panic!("{source}: {reason}"));
    layout(translation.emit(&Ident::new("f", Span::call_site()), &Arc::default()))
}

#[test]
fn show() {
    let text = std::fs::read_to_string("/tmp/w/j1-exprs.txt").unwrap_or_default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match translate(line, &["states.input", "limit", "names"], false) {
            Ok(_) => println!("/// {line}\n{}", emitted(line)),
            Err(reason) => println!("/// {line}\n// not: {reason}\n"),
        }
    }
}
