//! Compiles expressions in JSONata: no text in them becomes Rust.
#![no_main]

use libfuzzer_sys::fuzz_target;
use workflow_emission::{Family, Input, check};

fuzz_target!(|bytes: &[u8]| {
    if let Err(problem) = check(Family::Jsonata, &Input::from_bytes(bytes)) {
        panic!("{problem}");
    }
});
