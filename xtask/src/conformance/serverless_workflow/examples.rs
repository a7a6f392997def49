//! `draft_examples.json` and `draft_kogito.json`: workflows with the expected results.

use super::expected::Expected;
use super::{around, definition, plan, transcript};
use crate::conformance::case::{Catalogue, Goal, Outcome, Plan, Trial, Verdict, list};
use crate::conformance::fields;
use serde_json::Value;

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "determinability",
    "definition_text",
    "definition",
    "excerpt",
    "input",
    "stubs",
    "events",
    "expect",
    "subflow_texts",
    // Fields that describe the case.
    "exercises",
    "source",
    "caveat",
    "definition_file",
    "license",
    "subflows",
    "note",
];

/// Cases whose definitions a ruling refuses, each with the code.
const REFUSED: &[(&str, &str)] = &[("kseed-18", "WF0206")];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    let text = around::definition_of(case)?;
    let file = definition(text.clone());
    // The compiler reports the errors of a definition that cannot be read.
    let tree = transcript::tree(&file.file, &text).unwrap_or_default();
    let expected = Expected::of(case, &tree)?;
    let plan = plan::plan(case, &tree, &expected)?;
    let refused = REFUSED.iter().find(|(id, _)| case["id"] == *id).map(|(_, code)| *code);
    let judge = move |outcome: &Outcome<'_>| match (outcome, refused) {
        (Outcome::Refused(findings), Some(code)) if findings.iter().any(|found| found.code == code) => Verdict::Passed,
        (Outcome::Refused(findings), Some(code)) => Verdict::failed(code, list(findings)),
        (Outcome::Refused(findings), None) => Verdict::refused(findings),
        (Outcome::Accepted | Outcome::Ran(_), Some(code)) => Verdict::failed(code, "accepted"),
        (Outcome::Accepted, None) => Verdict::failed("to be run", "not run"),
        (Outcome::Ran(observed), None) => Verdict::from(expected.compare(observed)),
    };
    Ok(Plan::Try(Trial { definition: catalogue.add(file), goal: Goal::Run(plan), judge: Box::new(judge) }))
}
