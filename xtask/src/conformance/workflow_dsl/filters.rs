//! Cases of filters: a filter, its input, and its result.

use crate::conformance::case::{Catalogue, Finding, Goal, Outcome, Plan, Trial, Verdict, list};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::Ended;
use serde_json::{Value, json};

/// The code of the error for invalid filters.
const REFUSED: &str = "WF1104";

/// Reads one case. The filter is that of a workflow's output, and the workflow does nothing else
/// to its data.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, &["id", "filter", "data", "expected", "source", "note"])?;
    let filter = case["filter"].as_str().ok_or("there is no `filter`")?;
    let expected = Expected::of(&case["expected"])?;
    let definition = json!({
        "id": "case",
        "workflowDataFilter": { "output": filter },
        "activities": [{ "name": "A", "type": "operation", "actions": [], "end": true }],
    });
    let definition = catalogue.add(super::definition(format!("{definition:#}\n")));
    let goal = Goal::Run(json!({ "input": case["data"] }));
    Ok(Plan::Try(Trial { definition, goal, judge: Box::new(move |outcome| expected.judge(outcome)) }))
}

enum Expected {
    Value(Value),
    /// The execution ends with a fault.
    Fault,
    /// The compiler refuses the filter.
    Refused,
}

impl Expected {
    fn of(expected: &Value) -> Result<Expected, String> {
        let members = expected.as_object().ok_or("`expected` is not an object")?;
        fields::check("`expected`", expected, &["value", "runtime_error", "compile_error"])?;
        let mut members = members.iter();
        match (members.next(), members.next()) {
            (Some((name, value)), None) if name == "value" => Ok(Expected::Value(value.clone())),
            (Some((name, _)), None) if name == "runtime_error" => Ok(Expected::Fault),
            (Some(_), None) => Ok(Expected::Refused),
            _ => Err(format!("`expected` has not one member: {expected}")),
        }
    }

    fn judge(&self, outcome: &Outcome<'_>) -> Verdict {
        match (self, outcome) {
            (Expected::Refused, Outcome::Refused(findings)) if are_of_filters(findings) => Verdict::Passed,
            (Expected::Refused, Outcome::Refused(findings)) => Verdict::failed(REFUSED, list(findings)),
            (Expected::Refused, _) => Verdict::failed(REFUSED, "accepted"),
            (_, Outcome::Refused(findings)) => Verdict::refused(findings),
            (_, Outcome::Accepted) => Verdict::failed("to be run", "not run"),
            (Expected::Value(value), Outcome::Ran(observed)) => match &observed.result {
                Ended::Output(output) => Verdict::from(compare::values(value, output, &Placeholders::default())),
                Ended::Fault { error, cause } => Verdict::failed(value.to_string(), format!("{error:?}: {cause:?}")),
            },
            (Expected::Fault, Outcome::Ran(observed)) => match &observed.result {
                Ended::Output(output) => Verdict::failed("a fault", output.to_string()),
                Ended::Fault { .. } => Verdict::Passed,
            },
        }
    }
}

fn are_of_filters(findings: &[Finding]) -> bool {
    findings.iter().all(|found| found.code == REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(expected: Value, code: Option<&'static str>) -> Verdict {
        let expected = Expected::of(&expected).expect("an expectation");
        match code {
            Some(code) => {
                let found = Finding { code, message: String::new(), line: 1, place: String::new() };
                expected.judge(&Outcome::Refused(&[found]))
            }
            None => expected.judge(&Outcome::Accepted),
        }
    }

    #[test]
    fn filters_are_refused_for_what_is_wrong_with_them() {
        let refused = || json!({ "compile_error": "why" });
        assert_eq!(judged(refused(), Some("WF1104")), Verdict::Passed);
        for (expected, code) in [
            (refused(), Some("WF0340")),
            (refused(), None),
            (json!({ "value": 1 }), Some("WF1104")),
            (json!({ "value": 1 }), None),
        ] {
            assert_ne!(judged(expected, code), Verdict::Passed);
        }
        assert!(Expected::of(&json!({ "other": 1 })).is_err_and(|problem| problem.contains("`other`")));
        assert!(Expected::of(&json!({ "value": 1, "compile_error": "why" })).is_err());
    }
}
