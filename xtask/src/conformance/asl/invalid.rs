//! `invalid.json`: definitions that must be refused, at the place that is named where one is.

use super::{definition, wrap, written};
use crate::conformance::case::{Catalogue, Finding, Goal, Outcome, Plan, Trial, Verdict, list};
use serde_json::Value;

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    let mut definition = match case["op"].as_str() {
        Some("test_state") => definition(&wrap(&case["definition"])),
        _ => written(case)?,
    };
    definition.options.express = case["workflow_type"] == "EXPRESS";
    let location = case["location"].as_str().map(str::to_owned);
    let expected = format!("refused: {}", case["expected"]);
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) if at_location(findings, location.as_deref()) => Verdict::Passed,
        Outcome::Refused(findings) => {
            Verdict::failed(expected.clone(), format!("refused elsewhere: {}", list(findings)))
        }
        Outcome::Accepted | Outcome::Ran(_) => Verdict::failed(expected.clone(), "accepted"),
    };
    Ok(Plan::Try(Trial { definition: catalogue.add(definition), goal: Goal::Check, judge: Box::new(judge) }))
}

/// Whether an error is about this place, or something in it.
fn at_location(findings: &[Finding], location: Option<&str>) -> bool {
    let Some(location) = location else { return true };
    let location = location.trim_end_matches('/');
    let inside =
        |place: &str| place.strip_prefix(location).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    findings.iter().any(|found| inside(&found.place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_inside_of_the_place_counts_and_one_beside_it_does_not() {
        let finding = |place: &str| Finding { code: "E0000", message: String::new(), line: 1, place: place.to_owned() };
        let cases = [
            ("/States/A", "/States/A", true),
            ("/States/A/Next", "/States/A", true),
            ("/States/AB", "/States/A", false),
            ("/States", "/States/A", false),
            ("/StartAt", "/", true),
        ];
        for (place, location, expected) in cases {
            assert_eq!(at_location(&[finding(place)], Some(location)), expected, "{place} at {location}");
        }
    }
}
