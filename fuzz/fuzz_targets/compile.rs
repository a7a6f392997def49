//! Any text is compiled: read, checked, lowered, printed and laid out, or refused, without a
//! panic; and twice the same.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // YAML reads what JSON refuses, and the other way round.
    for name in ["flow.asl.json", "flow.asl.yaml"] {
        checks::check_compiled(name, text);
    }
});
