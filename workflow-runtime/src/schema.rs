//! Validation of data against JSON Schemas. A message lists the first violations with their paths,
//! in bounded length, and never the values.
//!
//! The time of a validation can be exponential in the sizes of the schema and of the data:
//! definitions that refer to the next one twice for one member double the work at each level.
//! Every part of a schema that applies other schemas or a pattern therefore counts its work, and
//! checks the depth of the stack, before anything in it is applied.

use std::cell::Cell;
use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Keyword, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value as Json, json};

use crate::budget;
use crate::fault::{Fault, names};
use crate::pattern_cost::Positions;
use crate::value::{DOCUMENT_LIMIT, Value};

pub use workflow_model::Draft;

/// The number of violations that a message lists.
const MAX_VIOLATIONS: usize = 4;
/// The largest length of one violation, in characters.
const MAX_VIOLATION_LEN: usize = 200;
/// The largest number of steps that are repeated to find the violations, all of which the
/// validator keeps in memory.
const MAX_REPORT_STEPS: usize = 200_000;
/// The largest compiled pattern, in bytes. Equal to the limit of the compiler.
const MAX_PATTERN_SIZE: usize = 1 << 20;
/// The stack that a validation may use, in bytes. A thread has two megabytes.
const MAX_STACK: usize = 1 << 20;
/// The keyword that counts steps. It holds unless a limit is exceeded. The compiler removes
/// unknown keywords from schemas.
const STEP: &str = "x-workflow-step";
/// The keywords that hold schemas by name, and those that hold a schema or an array of schemas.
const MAPS: [&str; 6] = ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];
const PARTS: [&str; 15] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

thread_local! {
    static LIMITS: Limits = const {
        Limits { base: Cell::new(0), report: Cell::new(usize::MAX), excess: Cell::new(None) }
    };
}

/// The limits of the validation that this thread performs.
struct Limits {
    /// The address in the stack at which the validation began.
    base: Cell<usize>,
    /// The steps that are left for the search for violations.
    report: Cell<usize>,
    excess: Cell<Option<Excess>>,
}

/// A limit that a validation exceeded. The result of the validation has no meaning then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    Time,
    Stack,
    Report,
}

/// A schema of a definition, as generated code declares it. It is compiled on first use.
#[derive(Debug)]
pub struct Schema {
    name: &'static str,
    draft: Draft,
    text: &'static str,
    built: OnceLock<Result<Validator, String>>,
}

impl Schema {
    /// Creates a schema from its JSON text. `name` is the file that contains it.
    pub const fn new(name: &'static str, draft: Draft, text: &'static str) -> Schema {
        Schema { name, draft, text, built: OnceLock::new() }
    }

    /// Returns the schema as JSON, with `$schema`: the draft that it is written in.
    pub fn document(&self) -> Value {
        let mut document = Value::from_json(self.text).unwrap_or_default();
        if let Some(members) = document.as_object_mut()
            && !members.contains_key("$schema")
        {
            members.insert("$schema", self.draft.uri());
        }
        document
    }

    fn built(&self) -> Result<&Validator, &str> {
        let built = self.built.get_or_init(|| {
            let schema: Json = serde_json::from_str(self.text).map_err(|error| error.to_string())?;
            let draft = match self.draft {
                Draft::Draft4 => jsonschema::Draft::Draft4,
                Draft::Draft6 => jsonschema::Draft::Draft6,
                Draft::Draft7 => jsonschema::Draft::Draft7,
                Draft::Draft201909 => jsonschema::Draft::Draft201909,
                Draft::Draft202012 => jsonschema::Draft::Draft202012,
            };
            // The same options as in the compiler. The engine for patterns takes linear time.
            let options = jsonschema::options().with_draft(draft).offline();
            let options = options.with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN_SIZE));
            let options = options.with_keyword(STEP, |_, own, _| Ok(Box::new(Step::new(own))));
            options.build(&with_steps(schema, self.draft)).map_err(|error| error.to_string())
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
    let (is_valid, excess) = within_limits(usize::MAX, || validator.is_valid(&value));
    match excess {
        // The machine discards a turn that has no time left.
        Some(Excess::Time | Excess::Report) => return Err(out_of_time(schema, what)),
        Some(Excess::Stack) => return Err(fault("it nests too deeply for this schema".to_owned())),
        None if is_valid => return Ok(()),
        None => {}
    }
    let (violations, excess) = within_limits(MAX_REPORT_STEPS, || {
        let mut violations = Vec::new();
        validator.iter_errors(&value).for_each(|error| describe(&error, &mut violations));
        violations
    });
    let is_cut = violations.len() > MAX_VIOLATIONS || excess.is_some();
    let mut shown: Vec<String> = violations.into_iter().take(MAX_VIOLATIONS).collect();
    match shown.is_empty() {
        true => shown.push("it is too large for a list of its violations".to_owned()),
        false if is_cut => shown.push("and more".to_owned()),
        false => {}
    }
    Err(fault(shown.join("; ")))
}

fn out_of_time(schema: &Schema, what: &str) -> Fault {
    let cause = format!("the check of {what} against the schema `{}` takes too long", schema.name);
    Fault::evaluation(names::TURN_LIMIT_EXCEEDED, cause)
}

/// Runs a validation within limits. Returns the limit that it exceeded, if it did.
fn within_limits<T>(report: usize, validation: impl FnOnce() -> T) -> (T, Option<Excess>) {
    LIMITS.with(|limits| {
        limits.base.set(stack_address());
        limits.report.set(report);
        limits.excess.set(None);
        (validation(), limits.excess.get())
    })
}

/// Returns an address in the current frame of the stack.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// The keyword that counts steps.
struct Step {
    /// The number of values in the part of the schema, without the parts that count themselves.
    size: usize,
    /// The positions of the pattern for texts.
    text: Positions,
    /// The largest number of positions of a pattern for the names of members.
    names: Positions,
    /// The number of these patterns.
    name_patterns: usize,
}

impl Step {
    /// Creates a step from the value that [`with_steps`] writes.
    fn new(written: &Json) -> Step {
        let size = written.get("size").and_then(Json::as_u64).and_then(|size| size.try_into().ok());
        let positions = |pattern: &Json| pattern.as_str().map(translated_positions).unwrap_or_default();
        let names = written.get("names").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        Step {
            size: size.unwrap_or(1),
            text: written.get("text").map(positions).unwrap_or_default(),
            names: names.iter().map(positions).max().unwrap_or_default(),
            name_patterns: names.len(),
        }
    }

    /// Counts the application of a part to a value. Returns `false` if a limit is exceeded: then
    /// nothing more is applied.
    fn is_within_limits(&self, instance: &Json) -> bool {
        let (members, visits) = match instance {
            Json::Array(items) => (items.len(), Some(0)),
            Json::Object(members) => (members.len(), self.name_visits(members)),
            Json::String(text) => (text.len() / budget::STRIDE, self.text.work(text.len())),
            _ => (0, Some(0)),
        };
        let steps = self.size.saturating_mul(members + 1);
        let work = steps.saturating_add(visits.unwrap_or(0) / budget::STRIDE);
        LIMITS.with(|limits| {
            let left = limits.report.get();
            let excess = limits.excess.get().or_else(|| {
                if limits.base.get().abs_diff(stack_address()) > MAX_STACK {
                    Some(Excess::Stack)
                } else if visits.is_none() || !budget::spend(work) {
                    Some(Excess::Time)
                } else {
                    (left < steps).then_some(Excess::Report)
                }
            });
            limits.report.set(if left == usize::MAX { left } else { left.saturating_sub(steps) });
            limits.excess.set(excess);
            excess.is_none()
        })
    }

    /// Returns the work of the matches of all names, or `None` if one of them is too much.
    fn name_visits(&self, members: &Map<String, Json>) -> Option<usize> {
        if self.name_patterns == 0 {
            return Some(0);
        }
        let mut each = members.keys().map(|name| self.names.work(name.len()));
        let all = each.try_fold(0usize, |sum, visits| Some(sum.saturating_add(visits?)))?;
        // `additionalProperties` and `unevaluatedProperties` apply the patterns again.
        Some(all.saturating_mul(3 * self.name_patterns))
    }
}

/// Counts the positions of a pattern, as the validator translates it.
fn translated_positions(pattern: &str) -> Positions {
    jsonschema_regex::to_rust_regex(pattern).map_or_else(|()| Positions::of(pattern), |pattern| Positions::of(&pattern))
}

impl<'i> Keyword<'i> for Step {
    fn validate(&self, instance: &'i Json) -> Result<(), ValidationError<'i>> {
        if self.is_within_limits(instance) { Ok(()) } else { Err(ValidationError::custom("a limit is exceeded")) }
    }

    fn is_valid(&self, instance: &'i Json) -> bool {
        self.is_within_limits(instance)
    }
}

/// Makes every part that applies other schemas count its steps first. If a limit is exceeded, the
/// part is not applied, and holds.
fn with_steps(schema: Json, draft: Draft) -> Json {
    let Json::Object(members) = schema else { return schema };
    if !counts_steps(&members) {
        return Json::Object(members);
    }
    let names = members.get("patternProperties").and_then(Json::as_object).into_iter().flat_map(Map::keys);
    let names: Vec<String> = names.cloned().collect();
    let text = members.get("pattern").cloned();
    let mut size = 1;
    let mut outer = Map::new();
    let mut own = Map::new();
    for (key, value) in members {
        size += match &value {
            Json::Object(entries) if MAPS.contains(&&*key) => 1 + entries.values().map(size_of).sum::<usize>(),
            value => size_of(value),
        };
        let value = match value {
            Json::Object(entries) if MAPS.contains(&&*key) => {
                Json::Object(entries.into_iter().map(|(name, part)| (name, with_steps(part, draft))).collect())
            }
            Json::Array(parts) if PARTS.contains(&&*key) => {
                Json::Array(parts.into_iter().map(|part| with_steps(part, draft)).collect())
            }
            part if PARTS.contains(&&*key) => with_steps(part, draft),
            data => data,
        };
        // References lead to definitions by their place.
        let place = if key == "$defs" || key == "definitions" { &mut outer } else { &mut own };
        place.insert(key, value);
    }
    let step = json!({ STEP: { "size": size, "text": text, "names": names } });
    if matches!(draft, Draft::Draft4 | Draft::Draft6) {
        outer.insert("anyOf".to_owned(), json!([{ "not": step }, own]));
    } else {
        outer.insert("if".to_owned(), step);
        outer.insert("then".to_owned(), Json::Object(own));
    }
    Json::Object(outer)
}

/// Returns `true` if a part counts its own steps: if it applies other schemas or a pattern.
fn counts_steps(members: &Map<String, Json>) -> bool {
    members.keys().any(|key| key == "pattern" || MAPS.contains(&&**key) || PARTS.contains(&&**key))
}

/// Returns the number of values in a keyword, without parts that count themselves.
fn size_of(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(size_of).sum::<usize>(),
        Json::Object(members) if counts_steps(members) => 1,
        Json::Object(members) => 1 + members.values().map(size_of).sum::<usize>(),
        _ => 1,
    }
}

/// Describes a violation and its place, unless there are enough. The value itself is left out.
fn describe(error: &ValidationError<'_>, violations: &mut Vec<String>) {
    // In the old drafts, the violations of a part are the second alternative to those of its step.
    if let ValidationErrorKind::AnyOf { context } = error.kind()
        && let [step, own] = &context[..]
        && let [step] = &step[..]
        && matches!(step.kind(), ValidationErrorKind::Not { schema } if schema.get(STEP).is_some())
    {
        return own.iter().for_each(|error| describe(error, violations));
    }
    if violations.len() > MAX_VIOLATIONS {
        return;
    }
    let place = error.instance_path().as_str();
    let mut chars = error.masked().to_string();
    if let Some((at, _)) = chars.char_indices().nth(MAX_VIOLATION_LEN) {
        chars.truncate(at);
        chars.push('…');
    }
    violations.push(if place.is_empty() { chars } else { format!("at `{place}`: {chars}") });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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

    /// Returns a schema of 61 definitions that each apply the next one as `part` does: for `@`.
    fn chain(draft: Draft, part: &str) -> Schema {
        let next = |at: usize| part.replace('@', &format!(r##"{{"$ref":"#/definitions/a{}"}}"##, at + 1));
        let parts: String = (0..60).map(|at| format!(r#""a{at}":{},"#, next(at))).collect();
        let text = format!(r##"{{"$ref":"#/definitions/a0","definitions":{{{parts}"a60":{{}}}}}}"##);
        Schema::new("chain.json", draft, Box::leak(text.into_boxed_str()))
    }

    /// A definition that doubles the work at each level of a value.
    const DOUBLING: &str = r#"{"additionalProperties":{"allOf":[@,@]}}"#;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, _| value!({ "a": inner }))
    }

    #[test]
    fn a_validation_ends_with_the_time_of_its_turn() {
        let schema = chain(Draft::Draft202012, DOUBLING);
        let limit = Duration::from_millis(50);
        let (checked, took) = budget::run(Duration::MAX, limit, || {
            let checked = fits(&nested(60), &schema, "the input");
            assert!(budget::is_spent());
            checked
        });
        assert_eq!(checked.expect_err("there is no time").error(), Some("Workflow.TurnLimitExceeded"));
        assert!(took < Duration::from_secs(10), "{took:?}");
        // There is time for a few levels.
        assert_eq!(fits(&nested(10), &schema, "the input"), Ok(()));
    }

    #[test]
    fn violations_are_the_same_in_all_drafts() {
        let text =
            r##"{"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"items":{"type":"string"}}}}"##;
        for draft in [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012] {
            let schema = Schema::new("s.json", draft, text);
            let expected = "the input does not match the schema `s.json`: at `/a/1`: value is not of type \"string\"";
            assert_eq!(cause(&value!({ "a": ["x", 1] }), &schema), expected, "{draft:?}");
            assert_eq!(fits(&value!({ "a": ["x"] }), &schema, "the input"), Ok(()));
        }
    }

    #[test]
    fn violations_are_found_in_bounded_time() {
        // Each level is found to be wrong before anything in it is checked.
        let part = r#"{"type":"object","maxProperties":0,"additionalProperties":{"allOf":[@,@]}}"#;
        for draft in [Draft::Draft4, Draft::Draft7] {
            assert!(cause(&nested(60), &chain(draft, part)).contains("does not match the schema"), "{draft:?}");
        }
    }

    #[test]
    fn a_match_that_takes_too_long_is_refused() {
        let text = Value::from("ab".repeat(100_000));
        let member: crate::Object = [(crate::Str::from("ab".repeat(50_000)), Value::Null)].into_iter().collect();
        let long = r#"(?:[ab]{1,1000}){1,3}c"#;
        for draft in [Draft::Draft4, Draft::Draft202012] {
            let schema = |text: String| Schema::new("s.json", draft, Box::leak(text.into_boxed_str()));
            for (schema, value) in [
                (schema(format!(r#"{{"pattern":"{long}"}}"#)), text.clone()),
                (schema(format!(r#"{{"patternProperties":{{"{long}":{{}}}}}}"#)), member.clone().into()),
            ] {
                let (checked, _) =
                    budget::run(Duration::MAX, Duration::from_secs(60), || fits(&value, &schema, "the input"));
                assert_eq!(checked.expect_err("it takes too long").error(), Some("Workflow.TurnLimitExceeded"));
            }
            // The second pattern is not one of Rust.
            for short in ["^[ab]+$", r"^[^[\]]*$"] {
                let short = schema(value!({ "pattern": short }).to_string());
                assert_eq!(fits(&text, &short, "the input"), Ok(()));
            }
            let wrong = schema(r#"{"pattern":"^[a-z]{1,1000}$"}"#.to_owned());
            let message = cause(&Value::from("A".repeat(7_000)), &wrong);
            assert!(message.contains("does not match \"^[a-z]"), "{message}");
        }
    }

    #[test]
    fn all_keywords_count_steps() {
        for draft in [Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012] {
            for part in [
                DOUBLING,
                r#"{"properties":{"a":{"anyOf":[{"not":@},@]}}}"#,
                r#"{"patternProperties":{"a":{"oneOf":[{"not":{}},{"allOf":[@]},{"not":@}]}}}"#,
                r#"{"additionalProperties":{"allOf":[{"anyOf":[@]},{"propertyNames":{}},@]}}"#,
            ] {
                let schema = chain(draft, part);
                let check = || fits(&nested(60), &schema, "the input");
                let (checked, _) = budget::run(Duration::MAX, Duration::from_millis(50), check);
                let fault = checked.expect_err("there is no time");
                assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"), "{draft:?}: {part}");
            }
        }
    }

    #[test]
    fn a_validation_does_not_exhaust_the_stack() {
        let mut text = String::from(r##"{"additionalProperties":{"$ref":"#/$defs/a0"},"$defs":{"##);
        for at in 0..100 {
            text.push_str(&format!(r##""a{at}":{{"allOf":[{{"$ref":"#/$defs/a{}"}}]}},"##, at + 1));
        }
        text.push_str(r##""a100":{"$ref":"#"}}}"##);
        let schema = Schema::new("deep.json", Draft::Draft202012, Box::leak(text.into_boxed_str()));
        let check = move || {
            let message = cause(&nested(120), &schema);
            assert!(message.ends_with("it nests too deeply for this schema"), "{message}");
            assert_eq!(fits(&nested(1), &schema, "the input"), Ok(()));
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
    }

    #[test]
    fn a_long_chain_of_definitions_is_built() {
        let mut text = String::from(r##"{"$ref":"#/$defs/a0","$defs":{"##);
        for at in 0..4_000 {
            text.push_str(&format!(r##""a{at}":{{"properties":{{"a":{{"$ref":"#/$defs/a{}"}}}}}},"##, at + 1));
        }
        text.push_str(r##""a4000":{}}}"##);
        let schema = Schema::new("long.json", Draft::Draft202012, Box::leak(text.into_boxed_str()));
        let check = move || assert_eq!(fits(&nested(100), &schema, "the input"), Ok(()));
        std::thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
    }

    #[test]
    fn the_list_of_violations_takes_bounded_memory() {
        static TEXTS: Schema = Schema::new("texts.json", Draft::Draft202012, r#"{"items":{"type":"string"}}"#);
        let numbers = |count: i64| Value::from((0..count).map(Value::from).collect::<Vec<_>>());
        assert!(cause(&numbers(1_000), &TEXTS).ends_with("; and more"));
        assert!(cause(&numbers(300_000), &TEXTS).ends_with("it is too large for a list of its violations"));
    }

    #[test]
    fn a_schema_that_cannot_be_built_refuses_all() {
        static BROKEN: Schema = Schema::new("broken.json", Draft::Draft7, r#"{"pattern":"("}"#);
        assert!(cause(&Value::Null, &BROKEN).contains("cannot build the schema"));
    }
}
