//! The functions that were found in the wild, where they are at hand.

use super::*;

#[test]
fn functions_in_the_wild_are_translated() {
    let Ok(path) = std::env::var("JS_FUNCTIONS") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let functions: serde_json::Value = serde_json::from_str(&text).unwrap();
    for function in functions.as_array().unwrap() {
        let (source, tier) = (function["src"].as_str().unwrap(), function["tier"].as_str().unwrap());
        println!("=== {tier} {source}\n{}", printed(source, &["n", "count", "x", "y", "params_"]));
    }
}
