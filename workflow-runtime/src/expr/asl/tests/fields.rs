//! Places in a document, missing values, and field values.

use super::super::fields::time_from;
use super::super::*;
use super::{parts, value};
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::Value;

/// Returns the document with 6 at the place that the steps denote.
fn placed(document: &str, steps: &[At]) -> Result<Value, Fault> {
    let mut document = value(document);
    put_at(&mut document, steps, Value::Int(6)).map(|()| document)
}

#[test]
fn results_are_put_in_their_place() {
    const A: At = At::Key("a");
    const B: At = At::Key("b");
    let cases: [(&str, &[At], Option<&str>); 13] = [
        (r#"{"x": 1}"#, &[], Some("6")),
        (r#"{"x": 1}"#, &[A], Some(r#"{"x": 1, "a": 6}"#)),
        (r#"{"a": 1}"#, &[A], Some(r#"{"a": 6}"#)),
        ("{}", &[A, B, At::Key("c")], Some(r#"{"a": {"b": {"c": 6}}}"#)),
        (r#"{"a": {"x": 1}}"#, &[A, B], Some(r#"{"a": {"x": 1, "b": 6}}"#)),
        (r#"{"a": [1, {"b": 2}]}"#, &[A, At::Index(1), B], Some(r#"{"a": [1, {"b": 6}]}"#)),
        (r#"{"a": [1, 2]}"#, &[A, At::Index(-1)], Some(r#"{"a": [1, 6]}"#)),
        (r#"{"a": [1, 2]}"#, &[A, At::Index(2)], None),
        (r#"{"a": 5}"#, &[A, B], None),
        (r#"{"a": null}"#, &[A, B], None),
        ("{}", &[A, At::Index(0)], None),
        (r#""foo""#, &[A], None),
        ("[1]", &[A], None),
    ];
    for (document, steps, expected) in cases {
        assert_eq!(placed(document, steps).ok(), expected.map(value), "{document} {steps:?}");
    }
    let fault = placed(r#""foo""#, &[At::Key("x"), At::Index(0), At::Key("a b")]);
    let expected = "Unable to apply ReferencePath $.x[0]['a b'] to input \"foo\"";
    assert_eq!(parts(fault), ("States.ResultPathMatchFailure".to_owned(), expected.to_owned()));
}

#[test]
fn names_lead_to_the_same_places_as_steps() {
    const CASES: [(&str, &[&str], Option<&str>); 6] = [
        (r#"{"x": 1}"#, &[], Some("6")),
        (r#"{"x": 1}"#, &["a"], Some(r#"{"x": 1, "a": 6}"#)),
        ("{}", &["a", "b"], Some(r#"{"a": {"b": 6}}"#)),
        (r#"{"a": {"b": 1, "c": 2}}"#, &["a", "b"], Some(r#"{"a": {"b": 6, "c": 2}}"#)),
        ("[1]", &["a"], None),
        (r#"{"a": 5}"#, &["a", "b"], None),
    ];
    for (document, names, expected) in CASES {
        let before = value(document);
        let mut after = before.clone();
        let outcome = put(&mut after, names, Value::Int(6));
        assert_eq!(outcome.is_ok(), expected.is_some(), "{document} {names:?}");
        // A fault leaves the document unchanged, and shared data are never changed.
        assert_eq!(after, expected.map_or_else(|| value(document), value), "{document} {names:?}");
        assert_eq!(before, value(document));
    }
}

#[test]
fn a_path_that_leads_nowhere_says_why() {
    const STEPS: &[At] = &[At::Key("no"), At::Key("such"), At::Index(0)];
    let cases: [(&str, &'static [At], &str); 9] = [
        // The first two are recorded.
        (r#"{"a": 1}"#, &[At::Key("no")], "No results for path: $['no']"),
        (r#"{"a": 1}"#, STEPS, "Missing property in path $['no']"),
        (r#"{"no": {"such": []}}"#, STEPS, "No results for path: $['no']['such'][0]"),
        (
            r#"{"no": "x"}"#,
            STEPS,
            "Expected to find an object with property ['such'] in path $['no'] but found 'string'",
        ),
        ("[]", &[At::Key("no")], "Expected to find an object with property ['no'] in path $ but found 'array'"),
        (r#"{"no": {"such": null}}"#, STEPS, "The path $['no']['such'] is null"),
        (r#"{"no": {"such": {}}}"#, STEPS, "Filter: [0] can only be applied to arrays. Current context is: {}"),
        // These steps select a value. The step after them fails.
        (r#"{"no": {"such": [null]}}"#, STEPS, "The path $['no']['such'][0] is null"),
        ("{}", &[], "The value in path $ is of type 'object', to which the next step cannot be applied"),
    ];
    for (base, steps, reason) in cases {
        let expected = ("States.Runtime".to_owned(), format!("Invalid path '$.x' : {reason}"));
        assert_eq!(parts(require_path(None, &value(base), "$.x", steps)), expected);
    }
    let base = value(r#"{"no": "x", "list": [null]}"#);
    let expected = "Invalid path '$.no.such' : Expected to find an object with property ['such'] in path $['no'] but \
                    found 'string'";
    assert_eq!(parts(path(&base, &["no", "such"])).1, expected);
    assert_eq!(parts(items_array(at(&base, &["no", "such"]))).1, expected);
    const SECOND: &[At] = &[At::Key("list"), At::Index(1)];
    let expected = "Invalid path '$.list[1]' : No results for path: $['list'][1]";
    assert_eq!(parts(path_at(&base, SECOND)).1, expected);
    assert_eq!(parts(items_array(at_steps(&base, SECOND))).1, expected);
    assert_eq!(parts(items_array(selected(None, &base, "$.list.1", SECOND))).1, expected.replace("[1]' ", ".1' "));
    let found = Value::Int(1);
    assert_eq!(require_path(Some(&found), &found, "$.x", &[]).ok(), Some(&found));
}

#[test]
fn absence_is_reported_as_recorded() {
    let input = value(r#"{"int-literal": 0}"#);
    const NAMES: &[&str] = &["no", "such"];
    let cases = [
        (
            parts(field(&input, NAMES, "value.$")).1,
            "The JSONPath '$.no.such' specified for the field 'value.$' could not be found in the input \
             '{\"int-literal\":0}'",
        ),
        (
            parts(subject(&input, NAMES)).1,
            "Invalid path '$.no.such': The choice state's condition path references an invalid value.",
        ),
        (
            parts(fault_string(at(&input, &["ErrorX"]), &input, "ErrorPath")).1,
            "The JSONPath '$.ErrorX' specified for the field 'ErrorPath' could not be found in the input \
             '{\"int-literal\":0}'",
        ),
        (
            parts(choice_variable(None, "$.x")).1,
            "Invalid path '$.x': The choice state's condition path references an invalid value.",
        ),
        (
            parts(seconds_path(at(&input, &["input", "waitSeconds"]))).1,
            "The SecondsPath parameter does not reference an input value: $.input.waitSeconds",
        ),
    ];
    for (cause, expected) in cases {
        assert_eq!(cause, expected);
    }
}

#[test]
fn values_of_fields_are_checked_as_recorded() {
    type Check = fn(&Value) -> Result<Value, Fault>;
    let seconds: Check = |value| seconds_path(computed(value, "$.s")).cloned();
    let concurrency: Check = |value| max_concurrency_path(computed(value, "$.MaxConcurrencyValue"));
    let percentage: Check = |value| tolerated_percentage_path(computed(value, "$.ToleratedFailurePercentage"));
    let count: Check = |value| tolerated_count_path(computed(value, "$.n"));
    let timeout: Check = |value| timeout_path(computed(value, "$.t"), "TimeoutSecondsPath").cloned();
    let items: Check = |value| items_array(computed(value, "$.items")).cloned();
    let map: Check = |value| map_items(computed(value, "$.items")).cloned();
    let batch: Check = |value| max_items_per_batch_path(computed(value, "$.n"));
    let bytes: Check = |value| max_input_bytes_path(computed(value, "$.n"));
    let most: Check = |value| max_items_path(computed(value, "$.n"));
    let string: Check = |value| fault_string(computed(value, "$.e"), value, "ErrorPath").cloned();
    let cases = [
        (seconds, "0", ""),
        (seconds, "1", ""),
        (seconds, "2147483648", "Wait state delay is too long."),
        (seconds, "-1", "The SecondsPath parameter references a negative value: $.s == -1"),
        (seconds, "1.5", "The SecondsPath parameter cannot be parsed as a long value: $.s == 1.5"),
        (seconds, "-1.5", "The SecondsPath parameter cannot be parsed as a long value: $.s == -1.5"),
        (seconds, r#""x""#, "The SecondsPath parameter cannot be parsed as a long value: $.s == x"),
        (concurrency, "0", ""),
        (
            concurrency,
            "{}",
            "The MaxConcurrencyPath field refers to value \"{}\" which is not a valid integer: $.MaxConcurrencyValue",
        ),
        (
            concurrency,
            r#""NoNumber""#,
            "The MaxConcurrencyPath field refers to value \"NoNumber\" which is not a valid integer: \
             $.MaxConcurrencyValue",
        ),
        (concurrency, "-1", "MaxConcurrency must not be negative."),
        (percentage, "0", ""),
        (percentage, "1.1", ""),
        (percentage, "100", ""),
        (percentage, "100.1", "ToleratedFailurePercentage must be between 0 and 100."),
        (percentage, "-1", "ToleratedFailurePercentage must be between 0 and 100."),
        (
            percentage,
            r#""NoNumber""#,
            "The ToleratedFailurePercentagePath field refers to value \"NoNumber\" which is not a valid float: \
             $.ToleratedFailurePercentage",
        ),
        (count, "3", ""),
        (count, "-3", "ToleratedFailureCount must not be negative."),
        (timeout, "5", ""),
        (timeout, "0", "The TimeoutSecondsPath field refers to value \"0\" which is not a valid positive integer: $.t"),
        (items, "[]", ""),
        (items, "1", "Reference path \"$.items\" must point to array."),
        (map, "[]", ""),
        (map, "{}", ""),
        (map, "1", "Reference path \"$.items\" must point to array."),
        (most, "0", ""),
        (most, "1.5", "The MaxItemsPath field refers to value \"1.5\" which is not a valid integer: $.n"),
        (batch, "1", ""),
        (batch, "0", "The MaxItemsPerBatchPath field refers to value \"0\" which is not a valid positive integer: $.n"),
        (
            bytes,
            "null",
            "The MaxInputBytesPerBatchPath field refers to value \"null\" which is not a valid positive integer: $.n",
        ),
        (bytes, "262144", ""),
        (bytes, "262145", "MaxInputBytesPerBatch must be between 1 and 262144."),
        (string, r#""x""#, ""),
        (string, "1", "The ErrorPath field refers to value \"1\" which is not a valid string: $.e"),
    ];
    for (check, json, expected) in cases {
        let given = value(json);
        match check(&given) {
            Ok(found) => assert_eq!((&found, ""), (&given, expected)),
            fault => assert_eq!(parts(fault), ("States.Runtime".to_owned(), expected.to_owned())),
        }
    }
}

#[test]
fn numbers_in_texts_are_read() {
    type Check = fn(&Value) -> Result<Value, Fault>;
    let count: Check = |value| tolerated_count_path(computed(value, "$.n"));
    let percentage: Check = |value| tolerated_percentage_path(computed(value, "$.n"));
    let most: Check = |value| max_items_path(computed(value, "$.n"));
    let batch: Check = |value| max_items_per_batch_path(computed(value, "$.n"));
    for (check, text, number) in
        [(count, "3", Value::Int(3)), (percentage, "1.5", 1.5.into()), (most, "2", 2.into()), (batch, "7", 7.into())]
    {
        assert_eq!(check(&Value::from(text)).expect("a number"), number);
    }
    assert!(percentage(&Value::from("NaN")).is_err());
}

#[test]
fn a_negative_number_of_items_is_a_failure_of_the_reader() {
    let fault = parts(max_items_path(computed(&Value::Int(-1), "$.n")));
    assert_eq!(fault, ("States.ItemReaderFailed".to_owned(), "field MaxItems must be positive".to_owned()));
}

#[test]
fn a_selector_reads_what_the_map_has_captured() {
    let scope = r#"[{ "Execution": 1 }, [], [5], "x"]"#;
    let item = value(&format!(r#"{{ "index": 3, "value": "v", "source": "STATE_DATA", "scope": {scope} }}"#));
    let shown = r#"{ "Index": 3, "Value": "v", "Source": "STATE_DATA" }"#;
    let context = value(&format!(r#"{{ "Execution": 1, "Map": {{ "Item": {shown} }} }}"#));
    assert_eq!(item_context(&item, 0), context);
    assert_eq!(element_member(&item, "value"), &Value::from("v"));
    assert_eq!(variable_in_scope(&item, 1), None);
    assert_eq!(variable_in_scope(&item, 2), Some(&Value::Int(5)));
    assert_eq!(value_in_scope(&item, 3), &Value::from("x"));
    assert_eq!(value_in_scope(&item, 4), &Value::Null);
    assert_eq!((captured(None), captured(Some(&Value::Null))), (value("[]"), value("[null]")));
}

#[test]
fn times_are_valid_and_not_too_far() {
    let now = Timestamp::from_seconds(1_795_166_191);
    let check = |text: &str| time_from(now, computed(&Value::from(text), "$.start_at")).cloned();
    assert!(check("2026-11-20T09:16:31.00Z").is_ok());
    assert!(check("1970-01-01T00:00:00Z").is_ok(), "a time that has passed");
    assert!(check("2094-12-08T12:30:38Z").is_ok(), "2^31 - 1 seconds from now");
    assert_eq!(parts(check("2094-12-08T12:30:39Z")).1, "Wait state delay is too long.");
    assert_eq!(
        parts(check("2026-11-20T09:16:31")).1,
        "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: \
         $.start_at == 2026-11-20T09:16:31"
    );
}
