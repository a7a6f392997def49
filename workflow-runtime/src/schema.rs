//! Validation of data against JSON Schemas. A message lists the first violations with their paths,
//! in bounded length, and never the values.

use std::sync::OnceLock;

use jsonschema::{PatternOptions, ValidationError, Validator};

use crate::fault::{Fault, names};
use crate::value::{DOCUMENT_LIMIT, Value};

/// The number of violations that a message lists.
const MAX_VIOLATIONS: usize = 4;
/// The largest length of one violation, in characters.
const MAX_VIOLATION_LEN: usize = 200;

/// A schema of a definition, as generated code declares it. It is compiled on first use.
#[derive(Debug)]
pub struct Schema {
    name: &'static str,
    draft: Draft,
    text: &'static str,
    built: OnceLock<Result<Validator, String>>,
}

/// A draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draft {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12.
    Draft202012,
}

impl Schema {
    /// Creates a schema from its JSON text. `name` is the file that contains it.
    pub const fn new(name: &'static str, draft: Draft, text: &'static str) -> Schema {
        Schema { name, draft, text, built: OnceLock::new() }
    }

    fn built(&self) -> Result<&Validator, &str> {
        let built = self.built.get_or_init(|| {
            let schema = serde_json::from_str(self.text).map_err(|error| error.to_string())?;
            let draft = match self.draft {
                Draft::Draft4 => jsonschema::Draft::Draft4,
                Draft::Draft6 => jsonschema::Draft::Draft6,
                Draft::Draft7 => jsonschema::Draft::Draft7,
                Draft::Draft201909 => jsonschema::Draft::Draft201909,
                Draft::Draft202012 => jsonschema::Draft::Draft202012,
            };
            // The same options as in the compiler. Patterns come with data, and must match in
            // bounded time.
            let options = jsonschema::options().with_draft(draft).offline();
            let options = options.with_pattern_options(PatternOptions::regex());
            options.build(&schema).map_err(|error| error.to_string())
        });
        built.as_ref().map_err(String::as_str)
    }
}

/// Returns the value if it matches a schema, and a catchable fault otherwise. `what` names the
/// value in the message: `the input`.
pub fn check(value: Value, schema: &Schema, what: &str) -> Result<Value, Fault> {
    fits(&value, schema, what)?;
    Ok(value)
}

/// Checks as [`check`] does, with an uncatchable fault: for the output of `terminate`, which no
/// handler surrounds.
pub fn check_end(value: Value, schema: &Schema, what: &str) -> Result<Value, Fault> {
    check(value, schema, what).map_err(Fault::uncatchable)
}

/// Checks a value without taking it: see [`check`].
pub fn fits(value: &Value, schema: &Schema, what: &str) -> Result<(), Fault> {
    let fault = |problem: String| {
        Fault::evaluation(
            names::SCHEMA_VIOLATION,
            format!("{what} does not match the schema `{}`: {problem}", schema.name),
        )
    };
    let validator = schema.built().map_err(|problem| fault(format!("cannot build the schema: {problem}")))?;
    // A value that nests more deeply than text can cannot match a schema. The validator's copy
    // shares nothing, so that its size is checked first.
    value.json_len(DOCUMENT_LIMIT).map_err(|error| Fault::too_large(what, error))?;
    let value = serde_json::to_value(value).map_err(|error| fault(error.to_string()))?;
    if validator.is_valid(&value) {
        return Ok(());
    }
    let mut errors = validator.iter_errors(&value);
    let mut violations: Vec<String> = errors.by_ref().take(MAX_VIOLATIONS).map(|error| describe(&error)).collect();
    if errors.next().is_some() {
        violations.push("and more".to_owned());
    }
    Err(fault(violations.join("; ")))
}

/// Describes a violation and its place. The value itself is left out.
fn describe(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().as_str();
    let mut chars = error.masked().to_string();
    if let Some((at, _)) = chars.char_indices().nth(MAX_VIOLATION_LEN) {
        chars.truncate(at);
        chars.push('…');
    }
    if place.is_empty() { chars } else { format!("at `{place}`: {chars}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    static ORDER: Schema = Schema::new(
        "order.json",
        Draft::Draft7,
        r#"{"type":"object","required":["total"],"properties":{"total":{"type":"number"},"lines":{"items":{"type":"string"}}},"additionalProperties":false}"#,
    );

    fn cause(value: &Value, schema: &Schema) -> String {
        let fault = fits(value, schema, "the input").expect_err("it does not fit");
        assert_eq!(fault.error(), Some("Schema.Violation"));
        fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    #[test]
    fn a_value_that_fits_is_returned() {
        let order = value!({ "total": 1.5, "lines": ["a"] });
        assert_eq!(check(order.clone(), &ORDER, "the input"), Ok(order));
    }

    #[test]
    fn violations_have_their_path() {
        let expected = "the input does not match the schema `order.json`: \"total\" is a required property";
        assert_eq!(cause(&value!({}), &ORDER), expected);
        let message = cause(&value!({ "total": "secret", "lines": ["a", 1] }), &ORDER);
        assert!(message.contains("at `/total`: value is not of type \"number\""), "{message}");
        assert!(message.contains("at `/lines/1`: value is not of type \"string\""), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }

    #[test]
    fn messages_are_bounded() {
        let lines: Vec<Value> = (0..1000).map(Value::from).collect();
        let message = cause(&value!({ "total": 1, "lines": lines }), &ORDER);
        assert!(message.ends_with("; and more") && message.len() < 400, "{message}");
        let members: crate::Object = (0..1000).map(|at| (format!("m{at}").into(), Value::Null)).collect();
        let message = cause(&members.into(), &ORDER);
        assert!(message.len() < 1000, "{message}");
    }

    #[test]
    fn recursive_schemas_are_checked_to_the_end() {
        static TREE: Schema = Schema::new(
            "tree.json",
            Draft::Draft202012,
            r##"{"type":["object","null"],"additionalProperties":{"$ref":"#"}}"##,
        );
        let mut tree = Value::Null;
        for _ in 0..100 {
            tree = value!({ "left": tree });
        }
        assert_eq!(fits(&tree, &TREE, "the input"), Ok(()));
        assert!(cause(&value!({ "left": { "right": 1 } }), &TREE).contains("at `/left/right`"));
    }

    #[test]
    fn a_schema_that_cannot_be_built_refuses_all() {
        static BROKEN: Schema = Schema::new("broken.json", Draft::Draft7, r#"{"pattern":"("}"#);
        assert!(cause(&Value::Null, &BROKEN).contains("cannot build the schema"));
    }
}
