//! The description of the server in OpenAPI 3.1.
//!
//! `openapi.json` has all operations. A server adds its workflows.

use workflow_runtime::{Value, uri, value};

const OPERATIONS: &str = include_str!("openapi.json");

/// The path of the operation that stands for the starts of all workflows.
const START: &str = "/{workflow}";

/// A workflow, and the JSON Schema of its inputs if it has one.
pub type Described<'a> = (&'a str, Option<Value>);

/// Returns the description of a server with these workflows.
pub fn document(workflows: &[Described<'_>]) -> Value {
    let mut document = Value::from_json(OPERATIONS).expect("a test reads the text");
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).expect("a test reads the paths");
    let template = paths.remove(START).unwrap_or_default();
    for (workflow, schema) in workflows {
        let start = start_of(&template, workflow, schema.as_ref());
        let path = format!("/{}", uri::encode(workflow));
        // A workflow of the name `events` is started where events are delivered otherwise.
        match paths.get_mut(path.as_str()).and_then(Value::as_object_mut) {
            Some(methods) => methods.insert("post", start),
            None => paths.insert(path, value!({ "post": start })),
        };
    }
    document
}

/// Returns the operation that starts this workflow.
fn start_of(template: &Value, workflow: &str, schema: Option<&Value>) -> Value {
    let mut operation = template.get("post").and_then(Value::as_object).cloned().expect("a test reads the operation");
    operation.insert("operationId", format!("start-{workflow}"));
    let summary = format!("Starts an execution of `{workflow}`. The body is its input, by default `{{}}`.");
    operation.insert("summary", summary);
    let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let of_path = Value::from("#/components/parameters/workflow");
    let others = Value::from_iter(parameters.filter(|one| one.get("$ref") != Some(&of_path)).cloned());
    operation.insert("parameters", others);
    if let Some(schema) = schema {
        let mut schema = schema.clone();
        // References in the schema start from the schema, and not from this document.
        if let Some(members) = schema.as_object_mut()
            && !members.contains_key("$id")
        {
            members.insert("$id", format!("urn:workflow:input:{}", uri::encode(workflow)));
        }
        operation.insert("requestBody", value!({ "content": { "application/json": { "schema": schema } } }));
    }
    operation.into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use workflow_runtime::Object;
    use workflow_runtime::schema::{Draft, Schema, fits};

    use super::super::{routes, templates};
    use super::*;

    /// Calls `see` with each value of a document and its pointer.
    fn walk(value: &Value, pointer: &str, see: &mut impl FnMut(&str, &Value)) {
        see(pointer, value);
        for (key, inner) in value.as_object().into_iter().flat_map(Object::iter) {
            walk(inner, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), see);
        }
        for (at, inner) in value.as_array().into_iter().flatten().enumerate() {
            walk(inner, &format!("{pointer}/{at}"), see);
        }
    }

    /// Returns the methods and paths of a document.
    fn operations(document: &Value) -> BTreeSet<(String, String)> {
        let paths = document.get("paths").and_then(Value::as_object).expect("paths");
        let each = |(path, item): (&workflow_runtime::Str, &Value)| {
            let methods = item.as_object().expect("an item").keys().map(|method| method.to_uppercase());
            methods.map(|method| (method, path.to_string())).collect::<Vec<_>>()
        };
        paths.iter().flat_map(each).collect()
    }

    #[test]
    fn each_route_is_described_and_each_operation_is_routed() {
        let described = operations(&Value::from_json(OPERATIONS).expect("JSON"));
        let routed: BTreeSet<(String, String)> =
            templates::ALL.iter().map(|(method, path)| ((*method).to_owned(), (*path).to_owned())).collect();
        assert_eq!(described, routed);
        let help: BTreeSet<(String, String)> = routes::ROUTES
            .split(", ")
            .map(|route| route.split_once(' ').expect("a method and a path"))
            .map(|(method, path)| (method.to_owned(), path.to_owned()))
            .collect();
        assert_eq!(help, routed);
    }

    #[test]
    fn references_lead_somewhere_and_operations_are_complete() {
        for document in
            [Value::from_json(OPERATIONS).expect("JSON"), document(&[("order", None), ("events", None), ("a b", None)])]
        {
            let (mut pointers, mut references, mut schemas) = (BTreeSet::new(), Vec::new(), Vec::new());
            walk(&document, "#", &mut |pointer, value| {
                pointers.insert(pointer.to_owned());
                if let Some(to) = value.get("$ref").and_then(Value::as_str) {
                    references.push(to.to_owned());
                }
                if pointer.ends_with("/schema")
                    || pointer.starts_with("#/components/schemas/") && pointer.matches('/').count() == 3
                {
                    schemas.push(pointer.to_owned());
                }
            });
            for reference in &references {
                assert!(pointers.contains(reference), "{reference}");
            }
            // Everything that is shared is used, if all operations are there.
            let is_whole = document.get("paths").is_some_and(|paths| paths.get(START).is_some());
            for pointer in pointers
                .iter()
                .filter(|pointer| pointer.starts_with("#/components/") && pointer.matches('/').count() == 3)
            {
                let secures = pointer.contains("/securitySchemes/");
                assert!(secures || !is_whole || references.contains(pointer), "{pointer} is not used");
            }
            for pointer in &schemas {
                let text = format!(
                    "{{\"$ref\": \"#/$defs/document{}\", \"$defs\": {{\"document\": {document}}}}}",
                    pointer[1..].replace('%', "%25").replace('{', "%7B").replace('}', "%7D")
                );
                let text = text.replace("\"#/components/", "\"#/$defs/document/components/");
                let schema = Schema::new("openapi.json", Draft::Draft202012, Box::leak(text.into_boxed_str()));
                let problem =
                    fits(&Value::Null, &schema, "it").err().map(|fault| fault.to_string()).unwrap_or_default();
                assert!(!problem.contains("schema is") && !problem.contains("cannot"), "{pointer}: {problem}");
            }
            let mut ids = BTreeSet::new();
            for (method, path) in operations(&document) {
                let operation = document
                    .get("paths")
                    .and_then(|paths| paths.get(path.as_str())?.get(method.to_lowercase().as_str()));
                let operation = operation.expect("an operation");
                let id = operation.get("operationId").and_then(Value::as_str).expect("an id");
                assert!(ids.insert(id.to_owned()), "{id}");
                assert!(
                    operation.get("summary").and_then(Value::as_str).is_some_and(|text| text.ends_with('.')),
                    "{id}"
                );
                let declared = operation.get("parameters").map(Value::to_string).unwrap_or_default();
                for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                    assert!(declared.contains(&format!("#/components/parameters/{name}\"")), "{id} {name}");
                }
                assert!(
                    operation
                        .get("responses")
                        .and_then(|all| all.get("200").or(all.get("202")).or(all.get("204")))
                        .is_some(),
                    "{id}"
                );
            }
        }
        let schema = value!({ "$ref": "#/$defs/order", "$defs": { "order": { "type": "object" } } });
        let document = document(&[("events", None), ("order", Some(schema))]);
        let id = |path: &str| {
            document.get("paths").and_then(|paths| paths.get(path)?.get("post")?.get("operationId")).cloned()
        };
        assert_eq!([id("/events"), id("/order")], ["start-events", "start-order"].map(|id| Some(id.into())));
        let body =
            document.get("paths").and_then(|paths| paths.get("/order")?.get("post")?.get("requestBody")).cloned();
        let expected = value!({ "$ref": "#/$defs/order", "$defs": { "order": { "type": "object" } }, "$id": "urn:workflow:input:order" });
        assert_eq!(body, Some(value!({ "content": { "application/json": { "schema": expected } } })));
    }
}
