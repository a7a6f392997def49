//! Compiles any text as a state machine of SM4C, and as an expression of jq.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;
use proc_macro2::{Ident, Span};
use workflow_compiler::expr::jq::{ResultMode, read_text};

fuzz_target!(|text: &str| {
    for name in ["flow.sm4c.json", "flow.sm4c.yaml"] {
        checks::check_compiled(name, text);
    }
    for mode in [ResultMode::Value, ResultMode::Test, ResultMode::All] {
        let Ok(filter) = read_text(text, &["value"], mode) else { return };
        // The text for an engine is jq, and has the same meaning when it is read.
        let printed = filter.engine_text();
        let again = read_text(&printed, &["value"], mode);
        assert_eq!(again.as_ref().map(|again| again.engine_text()), Ok(printed));
        if let Some(tokens) = filter.emit(&Ident::new("filter", Span::call_site()), &std::sync::Arc::default()) {
            let _ = tokens.to_string();
        }
    }
});
