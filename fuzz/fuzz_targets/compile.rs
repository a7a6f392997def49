//! Compiles any text without a panic, up to formatted code or a refusal, and twice with the same
//! result.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // YAML accepts texts that JSON refuses, and the other way round.
    for name in ["flow.asl.json", "flow.asl.yaml"] {
        checks::check_compiled(name, text);
    }
});
