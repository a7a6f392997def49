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

#[test]
#[ignore]
fn count() {
    let read =
        |path: &str| -> serde_json::Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let mut reasons: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    let suite = read("/tmp/w/j1-suite.json");
    let (mut ok, mut all) = (0, 0);
    for case in suite.as_array().unwrap() {
        let source = case["expr"].as_str().unwrap();
        let names: Vec<&str> = case["names"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
        all += 1;
        match translate(source, &names, true) {
            Ok(_) => ok += 1,
            Err(reason) => reasons.entry(reason).or_default().push(source.to_owned()),
        }
    }
    println!("suite {ok} of {all}");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, list)| std::cmp::Reverse(list.len()));
    for (reason, list) in &reasons {
        println!(
            "{} {reason}\n      {}",
            list.len(),
            list.iter().take(4).cloned().collect::<Vec<_>>().join("\n      ")
        );
    }
    let published = read("/tmp/w/j1-pub.json");
    let (mut ok, mut all) = (0, 0);
    for source in published.as_array().unwrap() {
        let source = source.as_str().unwrap();
        all += 1;
        match translate(source, &["states.input", "states.context", "states.result", "states.errorOutput"], false) {
            Ok(_) => ok += 1,
            Err(reason) => println!("PUB {reason}: {source}"),
        }
    }
    println!("published {ok} of {all}");
}
