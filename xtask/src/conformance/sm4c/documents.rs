//! The OpenAPI documents of cases. The cases name documents without including them. The plan says
//! what the functions answer.

use serde_json::{Value, json};
use workflow_compiler::{Files, RelativePath};

/// Returns the documents that the functions of a definition name. All operations accept any
/// arguments.
pub fn files(definition: &Value) -> Files {
    let functions = definition["functions"].as_array().into_iter().flatten();
    let operations = functions.filter(|function| matches!(function["type"].as_str(), None | Some("rest")));
    let operations = operations.filter_map(|function| function["operation"].as_str()?.split_once('#'));
    let operations: Vec<(String, String)> =
        operations.map(|(document, id)| (document.to_owned(), id.to_owned())).collect();
    Files::new(move |path| {
        let ids = operations
            .iter()
            .filter(|(document, _)| RelativePath::new(document).is_ok_and(|named| named == *path))
            .map(|(_, id)| id.as_str());
        let mut ids: Vec<&str> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        match ids.is_empty() {
            true => Err("does not exist".to_owned()),
            false => Ok(document(&ids).to_string().into_bytes()),
        }
    })
}

fn document(ids: &[&str]) -> Value {
    let body = json!({ "content": { "application/json": { "schema": { "type": "object" } } } });
    let path = |id: &&str| (format!("/{id}"), json!({ "post": { "operationId": id, "requestBody": body } }));
    json!({ "openapi": "3.1.0", "paths": ids.iter().map(path).collect::<serde_json::Map<String, Value>>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_compiler::source::Source;
    use workflow_compiler::{Options, check_only};

    #[test]
    fn every_operation_that_is_named_is_described() {
        let definition = json!({
            "name": "t",
            "version": "1",
            "functions": [
                { "name": "a", "operation": "u#f" },
                { "name": "b", "operation": "u#g", "type": "rest" },
                { "name": "c", "operation": "u#f" },
                { "name": "d", "operation": "${ .a }", "type": "expression" },
            ],
            "states": [{ "name": "A", "start": true, "enterAction": {
                "type": "invokeFunction", "functionName": "a", "arguments": { "x": 1 }, "waitForCompletion": true,
            } }],
        });
        let found = |files: Files| {
            let source = Source::new("case.sm4c.json", definition.to_string()).with_files(files);
            check_only(source, &Options::default()).diagnostics
        };
        assert_eq!(found(files(&definition)), []);
        // A missing file is reported once.
        assert_eq!(found(files(&json!({}))).len(), 1);
    }
}
