//! `js_functions.json`: functions found in public compositions. The compiler must translate tiers
//! A and B to Rust. Tier C needs an engine, or features that only Node.js has.

use super::definition;
use crate::conformance::case::{Catalogue, Goal, Outcome, Plan, Trial, Verdict};
use crate::conformance::fields;
use serde_json::{Value, json};

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, &["id", "src", "origin", "tier", "source", "note"])?;
    fields::check_text("tier", &case["tier"], &["A", "B", "C"])?;
    let composition = json!({
        "Entry": "function",
        "Exit": "function",
        "States": { "function": { "Type": "Task", "Function": case["src"] } },
    });
    let mut definition = definition(&composition);
    definition.options.engine = Some(false);
    let definition = catalogue.add(definition);
    let native = matches!(case["tier"].as_str(), Some("A" | "B"));
    if !native {
        return Ok(Plan::Unsupported("tier C: needs an engine".to_owned()));
    }
    let judge = |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted | Outcome::Ran(_) => Verdict::Passed,
    };
    Ok(Plan::Try(Trial { definition, goal: Goal::Build, judge: Box::new(judge) }))
}
