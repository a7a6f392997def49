//! Tests of the limits of schemas.

use super::read_among;
use std::fmt::Write as _;

/// Returns the diagnostics for `s.json`.
fn diagnostics_of(text: &str) -> Vec<String> {
    read_among(&[("s.json", text)], "s.json").messages
}

/// Returns a schema with the definitions `a0` to `a{count}`, where `part` makes each from a
/// reference to the next.
fn chain(count: usize, part: impl Fn(&str) -> String) -> String {
    let mut text = String::from("{ \"$ref\": \"#/$defs/a0\", \"$defs\": {\n");
    for at in 0..count {
        let next = format!("{{ \"$ref\": \"#/$defs/a{}\" }}", at + 1);
        let _ = writeln!(text, "\"a{at}\": {},", part(&next));
    }
    let _ = write!(text, "\"a{count}\": {{ \"type\": \"object\" }} }} }}");
    text
}

const TOO_MANY: &str = "the check of one value against this schema takes more than 10000 steps";

#[test]
fn a_schema_that_unfolds_without_end_is_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let twice = |next: &str| format!("{{ \"{keyword}\": [{next}, {next}] }}");
        assert_eq!(diagnostics_of(&chain(11, twice)), [""; 0]);
        // The place is the first definition that exceeds the limit, from the end.
        let messages = diagnostics_of(&chain(60, twice));
        assert_eq!(messages.len(), 1);
        assert!(messages[0].starts_with("WF1406 s.json:50 `{`: ") && messages[0].contains(TOO_MANY), "{messages:?}");
    }
    for part in ["\"not\": @, \"if\": @", "\"then\": @, \"else\": @", "\"dependentSchemas\": { \"a\": @, \"b\": @ }"] {
        let messages = diagnostics_of(&chain(60, |next| format!("{{ {} }}", part.replace('@', next))));
        assert!(messages[0].contains(TOO_MANY), "{part}: {messages:?}");
    }
}

#[test]
fn the_schemas_of_members_and_elements_are_measured_too() {
    for keyword in ["\"properties\": { \"x\": @ }", "\"items\": @", "\"additionalProperties\": @", "\"contains\": @"] {
        let definitions = chain(60, |next| format!("{{ \"allOf\": [{next}, {next}] }}"));
        let whole =
            keyword.replace('@', "{ \"allOf\": [{ \"$ref\": \"#/$defs/a49\" }, { \"$ref\": \"#/$defs/a49\" }] }");
        let text = definitions.replacen("\"$ref\": \"#/$defs/a0\"", &whole, 1);
        let messages = diagnostics_of(&text);
        assert!(messages[0].contains(TOO_MANY), "{keyword}: {messages:?}");
    }
    let properties: Vec<String> = (0..10_001).map(|at| format!("\"p{at}\": {{}}")).collect();
    let messages = diagnostics_of(&format!("{{ \"properties\": {{ {} }} }}", properties.join(", ")));
    assert!(messages[0].starts_with("WF1406 s.json:1 `{`"), "{messages:?}");
    // Texts are compared by their hashes.
    let values: Vec<String> = (0..20_000).map(|at| format!("\"v{at}\"")).collect();
    assert_eq!(diagnostics_of(&format!("{{ \"enum\": [{}] }}", values.join(", "))), [""; 0]);
}

#[test]
fn a_long_chain_of_references_is_refused() {
    let only = |next: &str| next.to_owned();
    assert_eq!(diagnostics_of(&chain(127, only)), [""; 0]);
    let messages = diagnostics_of(&chain(4_000, only));
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("WF1406 s.json:129 `{`: this schema is at the end of more than 128 references"));
    // Members begin a new chain.
    assert_eq!(diagnostics_of(&chain(4_000, |next| format!("{{ \"properties\": {{ \"x\": {next} }} }}"))), [""; 0]);
    // References that come back add nothing.
    assert_eq!(diagnostics_of(r##"{ "anyOf": [{ "$ref": "#" }, { "type": "object" }] }"##), [""; 0]);
}

#[test]
fn the_number_of_definitions_is_limited() {
    let messages = diagnostics_of(&chain(5_000, |next| format!("{{ \"properties\": {{ \"x\": {next} }} }}")));
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("the schema refers to more than 4096 definitions"), "{messages:?}");
}

#[test]
fn names_that_are_alike_are_numbered_in_time() {
    let references: Vec<String> = (0..4_000).map(|at| format!("{{ \"$ref\": \"#/$defs/p{at}/not\" }}")).collect();
    let definitions: Vec<String> = (0..4_000).map(|at| format!("\"p{at}\": {{ \"not\": {{}} }}")).collect();
    let text = format!("{{ \"oneOf\": [{}], \"$defs\": {{ {} }} }}", references.join(", "), definitions.join(", "));
    let read = read_among(&[("s.json", &text)], "s.json");
    assert!(read.messages.is_empty(), "{:?}", read.messages);
    assert!(read.schema().text().contains("\"not4000\""));
}
