//! `invalid.json`: definitions that must be refused, with an error at the named place if the case
//! names one.

use super::{definition, wrap, written};
use crate::conformance::case::{Catalogue, Finding, Goal, Outcome, Plan, Trial, Verdict, list};
use crate::conformance::fields;
use serde_json::Value;

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "definition",
    "definition_text",
    "format",
    "op",
    "type",
    "workflow_type",
    "location",
    "expected",
    "ruling",
    // Fields that describe the case.
    "authority",
    "code",
    "message",
    "ignored_messages",
    "source",
    "group",
    "note",
];

/// The API requests that refused the definition.
const REQUESTS: &[&str] = &["create_state_machine", "validate_state_machine_definition", "test_state"];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check_text("op", &case["op"], REQUESTS)?;
    for name in ["type", "workflow_type"] {
        fields::check_text(name, &case[name], &["STANDARD", "EXPRESS"])?;
    }
    let is_accepted = match case["ruling"].as_str() {
        None => false,
        Some(ruling) if ruling.starts_with("accept") => true,
        Some(ruling) => return Err(format!("the value `{ruling}` of the field `ruling` is not known")),
    };
    let mut definition = match case["op"].as_str() {
        Some("test_state") => definition(&wrap(&case["definition"])),
        _ => written(case)?,
    };
    definition.options.express = case["workflow_type"] == "EXPRESS" || case["type"] == "EXPRESS";
    let location = case["location"].as_str().map(str::to_owned);
    let expected = format!("refused: {}", case["expected"]);
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) if is_accepted => Verdict::refused(findings),
        Outcome::Accepted | Outcome::Ran(_) if is_accepted => Verdict::Passed,
        Outcome::Refused(findings) if at_location(findings, location.as_deref()) => Verdict::Passed,
        Outcome::Refused(findings) => {
            Verdict::failed(expected.clone(), format!("refused elsewhere: {}", list(findings)))
        }
        Outcome::Accepted | Outcome::Ran(_) => Verdict::failed(expected.clone(), "accepted"),
    };
    Ok(Plan::Try(Trial { definition: catalogue.add(definition), goal: Goal::Check, judge: Box::new(judge) }))
}

/// Returns `true` if an error is about this place, or about a value inside it.
fn at_location(findings: &[Finding], location: Option<&str>) -> bool {
    let Some(location) = location else { return true };
    // Some recordings write `Choices[0]`, and others `Choices/0`.
    let location = location.trim_end_matches('/').replace('[', "/").replace(']', "");
    let location = location.as_str();
    let inside =
        |place: &str| place.strip_prefix(location).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    findings.iter().any(|found| inside(&found.place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_ruling_may_accept_a_definition() {
        let case = |ruling: &str| json!({ "definition": { "StartAt": "A" }, "expected": [], "ruling": ruling });
        let plan = read(&case("accept (A15)"), &mut Catalogue::default());
        let Ok(Plan::Try(trial)) = plan else { panic!("it is tried") };
        assert_eq!((trial.judge)(&Outcome::Accepted), Verdict::Passed);
        assert_ne!((trial.judge)(&Outcome::Refused(&[])), Verdict::Passed);
        let odd = read(&case("perhaps"), &mut Catalogue::default());
        assert!(odd.err().is_some_and(|problem| problem.contains("`ruling`")));
    }

    #[test]
    fn both_fields_say_that_a_machine_is_express() {
        for name in ["type", "workflow_type"] {
            let is_express = |value: &str| {
                let mut catalogue = Catalogue::default();
                let case = json!({ "definition": {}, "expected": [], name: value });
                match read(&case, &mut catalogue) {
                    Ok(Plan::Try(trial)) => {
                        catalogue.definition(trial.definition).is_some_and(|found| found.options.express)
                    }
                    _ => panic!("{name} {value}: it is tried"),
                }
            };
            assert!(is_express("EXPRESS") && !is_express("STANDARD"), "{name}");
        }
    }

    #[test]
    fn an_error_inside_of_the_place_counts_and_one_beside_it_does_not() {
        let finding = |place: &str| Finding { code: "E0000", message: String::new(), line: 1, place: place.to_owned() };
        let cases = [
            ("/States/A", "/States/A", true),
            ("/States/A/Next", "/States/A", true),
            ("/States/AB", "/States/A", false),
            ("/States", "/States/A", false),
            ("/StartAt", "/", true),
            ("/States/A/Choices/0/Condition", "/States/A/Choices[0]/Condition", true),
            ("/States/A/Choices/1/Condition", "/States/A/Choices[0]/Condition", false),
        ];
        for (place, location, expected) in cases {
            assert_eq!(at_location(&[finding(place)], Some(location)), expected, "{place} at {location}");
        }
    }
}
