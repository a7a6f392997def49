//! Compilation of every recorded expression, with the verifier after each pass.

use super::super::{ResultMode, read_text};
use proc_macro2::{Ident, Span};
use std::path::Path;

#[test]
fn recorded_expressions_are_valid_after_each_pass() {
    let name = Ident::new("filter", Span::call_site());
    let mut translated = 0;
    for list in ["expressions.txt", "serverless.txt"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../differential/jq/data").join(list);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for source in text.lines() {
            for mode in [ResultMode::Value, ResultMode::Test, ResultMode::All] {
                let Ok(filter) = read_text(source, &["value"], mode) else { continue };
                let tokens = filter.emit(&name, &std::sync::Arc::default());
                assert_eq!(tokens.is_some(), filter.engine.is_none(), "{source}");
                translated += usize::from(tokens.is_some());
            }
        }
    }
    assert!(translated > 3_300, "only {translated} functions");
}
