//! Finds the case files, and reads each with the reader of its dialect. A case that its reader
//! does not understand is unsupported. The others of its file run.

use super::case::{Case, CaseFile, Catalogue, Plan};
use super::rulings::{Rulings, reason};
use super::{asl, composer, serverless_workflow, sm4c, workflow_dsl};
use crate::workspace::files;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Reads a case into its plan. Fails with the reason why the case cannot be tried, such as an
/// unknown field.
pub type Reader = fn(&Value, &mut Catalogue) -> Result<Plan, String>;

/// Reads the named files, and the files in the named folders.
pub fn read(paths: &[PathBuf], catalogue: &mut Catalogue) -> Result<Vec<CaseFile>, String> {
    let mut found = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                found.extend(files(path).into_iter().filter(|file| file.extension().is_some_and(|end| end == "json")))
            }
            false => found.push(path.clone()),
        }
    }
    let mut read = Vec::with_capacity(found.len());
    for path in &found {
        read.extend(read_file(path, catalogue)?);
    }
    Ok(read)
}

/// Reads the cases of a file, and those of the expressions in it.
fn read_file(path: &Path, catalogue: &mut Catalogue) -> Result<Vec<CaseFile>, String> {
    let part = |path: Option<&Path>| path.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let (folder, file) = (part(path.parent()), part(Some(path)));
    let text = crate::workspace::read(path)?;
    let document = serde_json::from_str(&text).map_err(|error| format!("{folder}/{file}: {error}"))?;
    let cases = read_document(&folder, &file, &document, catalogue)?;
    let expressions = asl::both_ways_of(&folder, &file, &document, catalogue);
    Ok([cases].into_iter().chain(expressions).collect())
}

fn read_document(folder: &str, file: &str, document: &Value, catalogue: &mut Catalogue) -> Result<CaseFile, String> {
    let name = format!("{folder}/{file}");
    let dialect = dialect_of(folder);
    let reader = dialect.as_ref().and_then(|dialect| (dialect.reader)(file));
    let cases = match document.get("cases").unwrap_or(document).as_array() {
        Some(cases) => cases.as_slice(),
        // The file holds data that cases of other files refer to.
        None if reader.is_none() => {
            catalogue.add_documents(file, document.clone());
            &[]
        }
        None => return Err(format!("{name} has no `cases`")),
    };
    let mut read = Vec::with_capacity(cases.len());
    let mut ids = HashSet::new();
    for (at, case) in cases.iter().enumerate() {
        let own = ["id", "name"].iter().find_map(|key| case[*key].as_str());
        let mut id = own.map_or_else(|| format!("#{at}"), str::to_owned);
        if !ids.insert(id.clone()) {
            id = format!("{id} #{at}");
        }
        let ruled =
            |table: fn(&Rulings) -> Table| dialect.as_ref().and_then(|dialect| reason(table(&dialect.rulings), &id));
        let plan = match (reader, ruled(|rulings| rulings.out_of_scope)) {
            (_, Some(reason)) => Plan::Unsupported(reason.to_owned()),
            (Some(reader), None) => reader(case, catalogue).unwrap_or_else(Plan::Unsupported),
            (None, None) => Plan::Unsupported("no reader for this file".to_owned()),
        };
        let decided = ruled(|rulings| rulings.decided_otherwise);
        let status = case["expected"]["status"].as_str();
        let error = case["expected"]["error"].as_str();
        let fails = file == "invalid.json" || status == Some("FAILED") && error.is_some_and(may_be_predicted);
        read.push(Case { id: format!("{name} {id}"), plan, fails, decided });
    }
    Ok(CaseFile { name, cases: read })
}

/// Returns `true` for an error that the shapes of data can predict. Tasks, Fail states and the
/// world outside cause the others, whatever the data is.
fn may_be_predicted(error: &str) -> bool {
    matches!(error, "States.Runtime" | "States.QueryEvaluationError")
}

type Table = &'static [(&'static str, &'static str)];

/// The readers and rulings of a dialect.
struct Dialect {
    reader: fn(&str) -> Option<Reader>,
    rulings: Rulings,
}

fn dialect_of(folder: &str) -> Option<Dialect> {
    match folder {
        "asl" | "asl2" | "asl3" => Some(Dialect { reader: asl::reader, rulings: asl::RULINGS }),
        "composer" => Some(Dialect { reader: composer::reader, rulings: composer::RULINGS }),
        "serverless-workflow" => {
            Some(Dialect { reader: serverless_workflow::reader, rulings: serverless_workflow::RULINGS })
        }
        "sm4c" => Some(Dialect { reader: sm4c::reader, rulings: sm4c::RULINGS }),
        "workflow-dsl" => Some(Dialect { reader: workflow_dsl::reader, rulings: workflow_dsl::RULINGS }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Reads two cases of a file: `case`, and `case` with an unknown field.
    fn read_with_unknown(folder: &str, file: &str, case: &Value) -> Vec<Plan> {
        let mut odd = case.clone();
        odd["mood"] = json!("odd");
        let document = json!({ "about": "", "cases": [odd, case] });
        let read = read_document(folder, file, &document, &mut Catalogue::default());
        read.unwrap_or_else(|error| panic!("{folder}/{file}: {error}"))
            .cases
            .into_iter()
            .map(|case| case.plan)
            .collect()
    }

    #[test]
    fn an_unknown_field_makes_its_case_unsupported_and_the_others_are_read() {
        let machine = json!({ "StartAt": "A", "States": { "A": { "Type": "Succeed" } } });
        let flow = "{\"states\":[{\"name\":\"A\",\"type\":\"inject\",\"start\":true,\"end\":true}]}";
        let execution =
            json!({ "id": "a", "tier": "pure", "definition": machine, "expected": { "status": "SUCCEEDED" } });
        for (folder, file, case) in [
            ("asl", "executions.json", execution.clone()),
            ("asl2", "executions_measured.json", execution.clone()),
            ("asl3", "executions.json", execution),
            ("asl", "valid.json", json!({ "id": "a", "definition": machine })),
            ("asl", "realworld.json", json!({ "id": "a", "definition": machine })),
            ("asl", "invalid.json", json!({ "id": "a", "definition": machine, "expected": [] })),
            ("asl", "test_state.json", json!({ "id": "a", "definition": { "Type": "Succeed" }, "expected": {} })),
            ("asl", "intrinsics_floe.json", json!({ "name": "a", "expr": "States.UUID()", "result": 1 })),
            ("asl", "choice_floe.json", json!({ "id": "a", "definition": machine, "expected": { "last_state": "A" } })),
            ("composer", "cases.json", json!({ "id": "a", "definition": {}, "expected": { "status": "ok" } })),
            ("composer", "js_functions.json", json!({ "src": "x => x", "tier": "A" })),
            (
                "serverless-workflow",
                "draft_examples.json",
                json!({
                    "id": "a", "definition_text": flow, "expect": { "output": {} },
                }),
            ),
            ("serverless-workflow", "draft_must_compile.json", json!({ "id": "a", "definition_text": flow })),
            ("sm4c", "cases.json", json!({ "id": "a", "definition": {}, "expected": { "output": 1 } })),
            ("workflow-dsl", "examples.json", json!({ "raw": "{}", "normalized": {} })),
            ("workflow-dsl", "filters.json", json!({ "id": "a", "filter": "x", "expected": { "value": 1 } })),
        ] {
            let plans = read_with_unknown(folder, file, &case);
            let [Plan::Unsupported(reason), Plan::Try(_)] = &plans[..] else {
                panic!("{folder}/{file} read otherwise")
            };
            assert!(reason.contains("`mood`"), "{folder}/{file}: {reason}");
        }
    }

    #[test]
    fn errors_that_shapes_cannot_predict_excuse_no_error_of_shapes() {
        let fails = |file: &str, expected: Value| {
            let document = json!({ "cases": [{ "id": "a", "expected": expected }] });
            let read = read_document("asl", file, &document, &mut Catalogue::default());
            read.map(|read| read.cases.iter().all(|case| case.fails))
        };
        for (file, status, error, expected) in [
            ("invalid.json", json!(null), json!(null), true),
            ("executions.json", json!("FAILED"), json!("States.Runtime"), true),
            ("executions.json", json!("FAILED"), json!("States.QueryEvaluationError"), true),
            ("executions.json", json!("FAILED"), json!("SomeFailure"), false),
            ("executions.json", json!("FAILED"), json!(null), false),
            ("executions.json", json!("SUCCEEDED"), json!(null), false),
            ("test_state.json", json!("CAUGHT_ERROR"), json!("States.TaskFailed"), false),
            ("test_state.json", json!("RETRIABLE"), json!("MockException"), false),
        ] {
            let found = fails(file, json!({ "status": status, "error": error }));
            assert_eq!(found, Ok(expected), "{file} {status} {error}");
        }
    }

    #[test]
    fn a_case_that_cannot_be_read_does_not_stop_the_run() {
        let document = json!({ "cases": [{ "id": "a" }, { "id": "b", "filter": "x", "expected": { "value": 1 } }] });
        let read = read_document("workflow-dsl", "filters.json", &document, &mut Catalogue::default());
        let plans: Vec<Plan> = read.expect("a file").cases.into_iter().map(|case| case.plan).collect();
        assert!(matches!(&plans[..], [Plan::Unsupported(reason), Plan::Try(_)] if reason.contains("`filter`")));
    }
}
