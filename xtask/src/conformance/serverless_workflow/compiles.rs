//! `draft_must_compile.json`: definitions that must compile and build, and definitions that are
//! refused.

use super::definition;
use crate::conformance::case::{Catalogue, Goal, Outcome, Plan, Trial, Verdict, list};
use crate::conformance::fields;
use serde_json::Value;

/// The fields of a case.
const FIELDS: &[&str] = &["id", "definition_text", "definition_file", "source", "license", "note"];

/// Definitions that are refused, by a part of the id, each with the codes of its errors.
const REFUSED: &[(&str, &[&str])] = &[
    // States of branches with neither a start nor an end.
    ("exec-parallel-state", &["WF0207", "WF0206", "WF0408"]),
    // Paths without `$`.
    ("exec-switch-state.sw.yml", &["WF0301"]),
    // An action calls a function that is not defined.
    ("argo-07-retrying-failed-steps", &["WF0208"]),
];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    let text = case["definition_text"].as_str().ok_or("it has no `definition_text`")?;
    let id = case["id"].as_str().ok_or("it has no `id`")?;
    let refused = REFUSED.iter().find(|(part, _)| id.contains(part)).map(|(_, codes)| *codes);
    let judge = move |outcome: &Outcome<'_>| match (outcome, refused) {
        (Outcome::Refused(findings), Some(codes)) => {
            let is_found = |code: &&&str| findings.iter().any(|found| found.code == **code);
            match codes.iter().all(|code| is_found(&code)) && findings.iter().all(|found| codes.contains(&found.code)) {
                true => Verdict::Passed,
                false => Verdict::failed(codes.join(", "), list(findings)),
            }
        }
        (Outcome::Refused(findings), None) => Verdict::refused(findings),
        (_, Some(codes)) => Verdict::failed(codes.join(", "), "accepted"),
        (_, None) => Verdict::Passed,
    };
    let definition = catalogue.add(definition(text.to_owned()));
    Ok(Plan::Try(Trial { definition, goal: Goal::Build, judge: Box::new(judge) }))
}
