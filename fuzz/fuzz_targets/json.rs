//! Reads any text as JSON, and renders its diagnostics, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[expect(dead_code, reason = "the compiler is checked by other targets")]
mod checks;

fuzz_target!(|text: &str| checks::check("flow.json", text));
