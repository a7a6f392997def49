//! Comparison of errors and causes.

use crate::conformance::case::Mismatch;
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::Ended;
use serde_json::{Value, json};

/// The member of an expected end that says that its cause is not known.
pub const ANY_CAUSE: &str = "any cause";

/// Compares the end of an execution with AWS's record: `{status, output}` or `{status, error?,
/// cause? | cause_json?}`.
pub fn ended(expected: &Value, actual: &Ended, placeholders: &Placeholders) -> Result<(), Mismatch> {
    match (expected["status"].as_str(), actual) {
        (Some("SUCCEEDED"), Ended::Output(output)) => compare::values(&expected["output"], output, placeholders),
        (Some("FAILED"), Ended::Fault { error, cause }) => {
            let found = describe(error.as_deref(), cause.as_ref());
            let same =
                error.as_deref() == expected["error"].as_str() && same_cause(expected, cause.as_ref(), placeholders);
            if same { Ok(()) } else { Err(Mismatch::new(expected.to_string(), found.to_string())) }
        }
        (_, Ended::Output(output)) => Err(Mismatch::new(expected.to_string(), json!({ "output": output }).to_string())),
        (_, Ended::Fault { error, cause }) => {
            Err(Mismatch::new(expected.to_string(), describe(error.as_deref(), cause.as_ref()).to_string()))
        }
    }
}

/// Returns the expected end with a cause whose quoted texts match any text, except for the first:
/// the name of the state.
pub fn patterned(expected: &Value) -> Value {
    let mut patterned = expected.clone();
    if let Some(cause) = expected["cause"].as_str() {
        let parts = cause.split('\'').enumerate();
        let parts: Vec<&str> = parts.map(|(at, part)| if at % 2 == 1 && at > 1 { "<any>" } else { part }).collect();
        patterned["cause"] = json!(parts.join("'"));
    }
    patterned
}

fn describe(error: Option<&str>, cause: Option<&Value>) -> Value {
    json!({ "error": error, "cause": cause })
}

fn same_cause(expected: &Value, cause: Option<&Value>, placeholders: &Placeholders) -> bool {
    if expected[ANY_CAUSE] == true {
        return true;
    }
    if let Some(expected) = expected.get("cause_json") {
        let cause = cause.and_then(Value::as_str).and_then(|cause| serde_json::from_str::<Value>(cause).ok());
        return cause.is_some_and(|cause| compare::equal(expected, &cause, placeholders));
    }
    match (expected["cause"].as_str(), cause) {
        (None, None) => true,
        (Some(expected), Some(Value::String(cause))) => {
            let [expected, cause] = [expected, cause].map(|cause| without_event(without_reason(cause)));
            compare::text_matches(&expected, &cause, placeholders)
        }
        _ => false,
    }
}

/// Returns a cause without the words of AWS's JSON parser:
/// [A34](docs/amazon-states-language.md#a34).
fn without_reason(cause: &str) -> &str {
    const END: &str = "in States.StringToJson, caused by:";
    cause.find(END).map_or(cause, |at| &cause[..at + END.len()])
}

/// Returns a cause without the number of the event: [A7](docs/amazon-states-language.md#a7).
fn without_event(cause: &str) -> String {
    const START: &str = " (entered at the event id #";
    let Some((before, rest)) = cause.split_once(START) else { return cause.to_owned() };
    match rest.split_once(')') {
        Some((number, after)) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("{before}{after}"),
        _ => cause.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(error: Option<&str>, cause: Option<&str>) -> Ended {
        Ended::Fault { error: error.map(str::to_owned), cause: cause.map(Value::from) }
    }

    #[test]
    fn causes_are_compared_without_event_numbers_and_errors_exactly() {
        let expected = json!({ "status": "FAILED", "error": "E", "cause": "in 'A' (entered at the event id #2). x" });
        let cases = [
            (fault(Some("E"), Some("in 'A' (entered at the event id #7). x")), true),
            (fault(Some("E"), Some("in 'A'. x")), true),
            (fault(Some("E"), Some("in 'A' (entered at the event id #2). y")), false),
            (fault(Some("e"), Some("in 'A' (entered at the event id #2). x")), false),
            (fault(Some("E"), None), false),
            (Ended::Output(Value::Null), false),
        ];
        for (actual, same) in cases {
            assert_eq!(ended(&expected, &actual, &Placeholders::default()).is_ok(), same, "{actual:?}");
        }
        let none = json!({ "status": "FAILED" });
        assert!(ended(&none, &fault(None, None), &Placeholders::default()).is_ok());
        assert!(ended(&none, &fault(None, Some("why")), &Placeholders::default()).is_err());
    }

    #[test]
    fn the_words_of_a_json_parser_are_not_compared() {
        let expected = json!({ "status": "FAILED", "error": "E", "cause": "x in States.StringToJson, caused by: a b" });
        let same = |cause: &str| ended(&expected, &fault(Some("E"), Some(cause)), &Placeholders::default()).is_ok();
        assert!(same("x in States.StringToJson, caused by: other words"));
        assert!(!same("y in States.StringToJson, caused by: a b"));
    }

    #[test]
    fn a_cause_that_is_json_is_compared_by_value() {
        let expected = json!({ "status": "FAILED", "error": "E", "cause_json": { "a": 1 } });
        assert!(ended(&expected, &fault(Some("E"), Some("{ \"a\": 1.0 }")), &Placeholders::default()).is_ok());
        assert!(ended(&expected, &fault(Some("E"), Some("{ \"a\": 2 }")), &Placeholders::default()).is_err());
    }
}
