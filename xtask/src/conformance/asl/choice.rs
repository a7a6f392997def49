//! `choice_floe.json`: state machines of one Choice state. The last state is compared.

use super::{START, definition};
use crate::conformance::case::{Catalogue, Goal, Outcome, Plan, Trial, Verdict};
use crate::conformance::fields;
use serde_json::{Value, json};

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, &["id", "definition", "input", "expected", "rule_value", "source", "note"])?;
    fields::check("`expected`", &case["expected"], &["last_state"])?;
    let definition = catalogue.add(definition(&case["definition"]));
    let run = json!({ "input": case["input"], "start": START });
    let last = case["expected"]["last_state"].as_str().ok_or("there is no `last_state`")?.to_owned();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be run", "not run"),
        Outcome::Ran(observed) => {
            let entered = observed.events.iter().rfind(|event| event.kind == "StateEntered");
            match entered {
                Some(event) if event.state == last => Verdict::Passed,
                Some(event) => Verdict::failed(last.clone(), event.state.clone()),
                None => Verdict::failed(last.clone(), format!("no state was entered: {:?}", observed.result)),
            }
        }
    };
    Ok(Plan::Try(Trial { definition, goal: Goal::Run(run), judge: Box::new(judge) }))
}
