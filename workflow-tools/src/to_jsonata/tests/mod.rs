//! Tests of the conversion. Each helper converts a definition around the part under test.

mod choice;
mod fields;
mod intrinsics;
mod paths;
mod text;

use super::{Conversion, Status, to_jsonata};
use workflow_compiler::{Options, Source};

/// Converts a definition in JSON.
fn convert(text: &str) -> Conversion {
    to_jsonata(Source::new("flow.asl.json", text), &options(), None)
}

/// Returns options that allow paths that lead nowhere: the states of a test need not fit together.
fn options() -> Options {
    Options { allow: vec!["no_such_member".to_owned()], ..Options::default() }
}

/// Converts a definition of a state with a transition, and returns the state.
fn state(fields: &str) -> Result<String, String> {
    whole_state(&format!(r#"{fields},"Next":"Z""#)).map(|state| {
        let end = state.strip_suffix(r#","Next":"Z""#);
        end.unwrap_or(&state).to_owned()
    })
}

/// Converts a definition of one state and a last one, and returns the state.
fn whole_state(fields: &str) -> Result<String, String> {
    const AFTER: &str = r#"},"Z":{"Type":"Succeed"}}}"#;
    let conversion = convert(&format!(r#"{{"StartAt":"S","States":{{"S":{{{fields}{AFTER}"#));
    let errors: Vec<&str> = conversion.output.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(conversion.status, Status::Converted, "{fields}: {errors:?}");
    if let Some(refusal) = conversion.refused.first() {
        return Err(refusal.message.clone());
    }
    let converted = conversion.text.split_once(r#""S":{"#).map_or("", |(_, rest)| rest);
    Ok(converted.strip_suffix(AFTER).unwrap_or(converted).to_owned())
}

/// Converts the path or intrinsic function of a template, and returns its expression.
fn expression(dynamic: &str) -> Result<String, String> {
    let written = dynamic.replace('\\', "\\\\").replace('"', "\\\"");
    let output = state(&format!(r#""Type":"Pass","Parameters":{{"x.$":"{written}"}}"#))?;
    let value = output.split_once(r#""x":"{% "#).and_then(|(_, rest)| rest.rsplit_once(r#" %}"}"#));
    let value = value.unwrap_or_else(|| panic!("{output}")).0;
    Ok(value.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// Checks that texts are converted to these expressions.
fn check(cases: &[(&str, &str)]) {
    for (written, expected) in cases {
        assert_eq!(expression(written).as_deref(), Ok(*expected), "{written}");
    }
}

/// Checks that texts are refused for a reason that contains these words.
fn check_refused(cases: &[(&str, &str)]) {
    for (written, reason) in cases {
        let refused = expression(written).expect_err(written);
        assert!(refused.contains(reason), "{written}: {refused}");
    }
}

/// Returns the notes on a text of a template.
fn notes(dynamic: &str) -> Vec<&'static str> {
    let text = format!(
        r#"{{"StartAt":"S","States":{{"S":{{"Type":"Pass","Parameters":{{"x.$":"{dynamic}"}},"End":true}}}}}}"#
    );
    convert(&text).notes.iter().map(|note| note.message).collect()
}

#[test]
fn the_levels_of_a_text_are_those_of_its_brackets_and_operators() {
    let cases = [
        ("$states.input.a", 0),
        ("$merge([$states.input, {'a': $states.result}])", 3),
        ("'((' & \"[\\\"{\" & `(`", 2),
        ("$contains($states.input.a, /^[(\\/{]$/)", 1),
        ("[1 + 2, 3, 4 - 5 - 6]", 3),
        ("$states.input.a[b = 1][0]", 2),
        ("($a or $b) and $c", 3),
    ];
    for (text, expected) in cases {
        assert_eq!(super::code::levels(text), expected, "{text}");
    }
}
