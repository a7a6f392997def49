//! Any text is compiled: read, checked, lowered, printed and laid out, or refused, without a panic; and twice the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use workflow_compiler::diagnostics::{json, render};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile, pretty};

fuzz_target!(|text: &str| {
    // YAML reads what JSON refuses, and the other way round.
    for name in ["flow.asl.json", "flow.asl.yaml"] {
        let output = compile(Source::new(name, text), &Options::default());
        for found in &output.diagnostics {
            render::render(found, &output.sources, true);
            json::line(found, &output.sources);
        }
        let refused = output.diagnostics.iter().any(|found| found.code.id.starts_with('E'));
        assert_eq!(output.is_refused(), refused);
        let code = pretty(&output);
        assert_eq!(code.is_none(), refused);
        assert_eq!(code, pretty(&compile(Source::new(name, text), &Options::default())));
    }
});
