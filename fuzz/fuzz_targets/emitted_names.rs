//! Compiles definitions in every dialect: no name, comment or value in them becomes Rust.
#![no_main]

use libfuzzer_sys::fuzz_target;
use workflow_emission::{Family, Input, check};

fuzz_target!(|bytes: &[u8]| {
    if let Err(problem) = check(Family::Names, &Input::from_bytes(bytes)) {
        panic!("{problem}");
    }
});
