//! The cases of the Amazon States Language: `shared/corpus/asl`, `asl2` and `asl3`.

mod both_ways;
mod choice;
mod definitions;
mod documents;
mod executions;
mod expressions;
mod faults;
mod intrinsics;
mod invalid;
mod made_up;
mod rulings;
mod states;
mod suite;
mod trace;

use super::case::Definition;
use super::corpus::Reader;
use serde_json::{Map, Value, json};
use workflow_compiler::Files;
use workflow_compiler::Options;

/// The largest payload that AWS accepts, in bytes: [A11](docs/amazon-states-language.md#a11).
const PAYLOAD_LIMIT: usize = 262_144;

/// The time at which executions start. The input of one case is relative to it.
const START: &str = "2026-11-20T09:16:31Z";

pub use both_ways::both_ways_of;
pub use rulings::RULINGS;

/// Returns the reader of a file.
pub fn reader(file: &str) -> Option<Reader> {
    match file {
        "executions.json"
        | "executions_distributed.json"
        | "executions_documented.json"
        | "executions_jsonata.json" => Some(executions::read),
        "executions_measured.json" => Some(executions::read_measured),
        "expressions_measured.json" => Some(expressions::read),
        "jsonata_suite.json" => Some(suite::read),
        "test_state.json" => Some(states::read),
        "valid.json" | "realworld.json" => Some(definitions::read),
        "invalid.json" => Some(invalid::read),
        "intrinsics_floe.json" => Some(intrinsics::read),
        "choice_floe.json" => Some(choice::read),
        _ => None,
    }
}

/// Returns a definition that a case holds as a JSON value.
fn definition(value: &Value) -> Definition {
    let text = format!("{value:#}\n");
    Definition { file: "case.asl.json".to_owned(), text, options: options(), files: Files::default(), state: None }
}

fn options() -> Options {
    Options { dialect: Some("asl".to_owned()), payload_limit: Some(PAYLOAD_LIMIT), ..Options::default() }
}

/// Returns the definition of a case, in the format of the case if the case holds it as text.
fn written(case: &Value) -> Result<Definition, String> {
    match (case["definition_text"].as_str(), case.get("definition")) {
        (Some(text), _) => {
            let format = case["format"].as_str().unwrap_or("json");
            Ok(Definition {
                file: format!("case.asl.{format}"),
                text: text.to_owned(),
                options: options(),
                files: Files::default(),
                state: None,
            })
        }
        (None, Some(value)) => Ok(definition(value)),
        (None, None) => Err("there is no definition".to_owned()),
    }
}

/// Returns a state machine around a single state, whose successors end at once. A state machine is
/// returned as it is.
fn wrap(state: &Value) -> Value {
    if state.get("StartAt").is_some() {
        return state.clone();
    }
    let mut states = Map::from_iter([(states::NAME.to_owned(), state.clone())]);
    for target in targets(state) {
        states.insert(target, json!({ "Type": "Succeed" }));
    }
    json!({ "StartAt": states::NAME, "States": states })
}

fn targets(state: &Value) -> Vec<String> {
    let rules = ["Choices", "Catch"].into_iter().filter_map(|field| state[field].as_array()).flatten();
    let places = rules.chain([state]).flat_map(|place| [&place["Next"], &place["Default"]]);
    places.filter_map(Value::as_str).map(str::to_owned).collect()
}
