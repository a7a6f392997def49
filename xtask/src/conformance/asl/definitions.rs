//! `valid.json`, `realworld.json`: definitions that must be accepted, and whose code rustc must
//! accept too. Errors for what fails in every run are allowed.

use super::{rulings, written};
use crate::conformance::case::{Catalogue, Goal, Outcome, Plan, Trial, Verdict};
use crate::conformance::fields;
use serde_json::Value;

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    const FIELDS: &[&str] =
        &["id", "definition", "definition_text", "format", "valid", "authority", "source", "features", "group", "note"];
    fields::check("a case", case, FIELDS)?;
    if case["valid"] == false {
        return Err("`valid`: a definition that is not valid belongs to `invalid.json`".to_owned());
    }
    let mut definition = written(case)?;
    definition.options.allow = rulings::allowed();
    let definition = catalogue.add(definition);
    Ok(Plan::Try(Trial { definition, goal: Goal::Build, judge: Box::new(judge) }))
}

fn judge(outcome: &Outcome<'_>) -> Verdict {
    match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted | Outcome::Ran(_) => Verdict::Passed,
    }
}
