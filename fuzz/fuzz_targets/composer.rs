//! Compiles any text as a composition, and as a function in a composition.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for name in ["flow.composer.json", "flow.composer.yaml"] {
        checks::check_compiled(name, text);
    }
    let mut quoted = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '.. => quoted.push(letter),
            control => quoted.push_str(&format!("\\u{:04x}", u32::from(control))),
        }
    }
    let composition = format!(
        r#"{{"Entry": "let", "Exit": "f", "States": {{
            "let": {{"Type": "Let", "Symbol": "n", "Value": 1, "Next": "f"}},
            "f": {{"Type": "Task", "Function": "{quoted}"}}}}}}"#
    );
    checks::check_compiled("flow.composer.json", &composition);
});
