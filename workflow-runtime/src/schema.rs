//! JSON Schemas that data is checked against. What is wrong with a value is told with its path, the first of it, in bounded
//! length.

use std::sync::OnceLock;

use jsonschema::{PatternOptions, ValidationError, Validator};

use crate::fault::{Fault, names};
use crate::value::{DOCUMENT_LIMIT, Value};

/// Of what is wrong with one value so much is told.
const TOLD: usize = 4;
/// How many characters are told of one thing that is wrong.
const LONGEST: usize = 200;

/// A schema of a definition, as generated code declares it. It is built when it is first needed.
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
    /// The schema that this JSON text is. `name` is the file that it stands in.
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
            // As the compiler has built it: patterns come with data, and are to be matched in bounded time.
            let options = jsonschema::options().with_draft(draft).offline();
            let options = options.with_pattern_options(PatternOptions::regex());
            options.build(&schema).map_err(|error| error.to_string())
        });
        built.as_ref().map_err(String::as_str)
    }
}

/// The value, if it fits a schema; else a fault that can be caught. `what` is what its text calls the value: `the input`.
pub fn check(value: Value, schema: &Schema, what: &str) -> Result<Value, Fault> {
    fits(&value, schema, what)?;
    Ok(value)
}

/// As [`check`], with a fault that nothing handles: for what ends the whole run from inside of it, where there is nobody around it.
pub fn check_end(value: Value, schema: &Schema, what: &str) -> Result<Value, Fault> {
    check(value, schema, what).map_err(Fault::uncatchable)
}

/// Whether a value fits a schema: see [`check`].
pub fn fits(value: &Value, schema: &Schema, what: &str) -> Result<(), Fault> {
    let fault = |problem: String| {
        Fault::evaluation(
            names::SCHEMA_VIOLATION,
            format!("{what} does not fit the schema `{}`: {problem}", schema.name),
        )
    };
    let validator = schema.built().map_err(|problem| fault(format!("it cannot be built: {problem}")))?;
    // What is nested more deeply than text can be is no data of a schema's.
    // What the validator reads shares nothing.
    value.json_len(DOCUMENT_LIMIT).map_err(|error| Fault::too_large(what, error))?;
    let value = serde_json::to_value(value).map_err(|error| fault(error.to_string()))?;
    if validator.is_valid(&value) {
        return Ok(());
    }
    let mut errors = validator.iter_errors(&value);
    let mut told: Vec<String> = errors.by_ref().take(TOLD).map(|error| in_words(&error)).collect();
    if errors.next().is_some() {
        told.push("and more".to_owned());
    }
    Err(fault(told.join("; ")))
}

/// What is wrong, and where: the values themselves are not told.
fn in_words(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().as_str();
    let mut chars = error.masked().to_string();
    if let Some((at, _)) = chars.char_indices().nth(LONGEST) {
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
    fn what_fits_is_yielded() {
        let order = value!({ "total": 1.5, "lines": ["a"] });
        assert_eq!(check(order.clone(), &ORDER, "the input"), Ok(order));
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_path() {
        let expected = "the input does not fit the schema `order.json`: \"total\" is a required property";
        assert_eq!(cause(&value!({}), &ORDER), expected);
        let told = cause(&value!({ "total": "secret", "lines": ["a", 1] }), &ORDER);
        assert!(told.contains("at `/total`: value is not of type \"number\""), "{told}");
        assert!(told.contains("at `/lines/1`: value is not of type \"string\""), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }

    #[test]
    fn what_is_told_is_bounded() {
        let lines: Vec<Value> = (0..1000).map(Value::from).collect();
        let told = cause(&value!({ "total": 1, "lines": lines }), &ORDER);
        assert!(told.ends_with("; and more") && told.len() < 400, "{told}");
        let members: crate::Object = (0..1000).map(|at| (format!("m{at}").into(), Value::Null)).collect();
        let told = cause(&members.into(), &ORDER);
        assert!(told.len() < 1000, "{told}");
    }

    #[test]
    fn what_refers_to_itself_is_checked_to_its_end() {
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
        assert!(cause(&Value::Null, &BROKEN).contains("it cannot be built"));
    }
}
