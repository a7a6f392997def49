//! Every answer that a test receives is as the server describes itself.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use workflow_runtime::schema::{Draft, Schema, fits};
use workflow_runtime::{Object, Value};

use crate::program::Place;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| Value::from_json(include_str!("../../src/serve/openapi.json")).expect("JSON"));

/// Schemas by their pointers.
static SCHEMAS: Mutex<BTreeMap<String, &'static Schema>> = Mutex::new(BTreeMap::new());

/// Checks an answer: its operation has the status, the media type, and a schema that the body
/// fits.
pub fn check(request: &str, status: u16, head: &str, body: &str) {
    let (method, target) = request.split_once(' ').expect("a method and a path");
    let path = target.split('?').next().unwrap_or_default();
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_lowercase() };
    let Some((template, operation)) = operation(&method, path) else {
        assert!([404, 405, 403, 401].contains(&status) || path.contains('%'), "{request} is not described: {status}");
        return;
    };
    if status == 405 || status == 404 && template == "/{workflow}" {
        return;
    }
    let code = status.to_string();
    let described = operation.get("responses").and_then(|all| all.get(code.as_str()));
    let described = described.unwrap_or_else(|| panic!("{status} of {method} {template} is not described: {body}"));
    let (pointer, described) = match described.get("$ref").and_then(Value::as_str) {
        Some(reference) => (reference.to_owned(), at(reference)),
        None => (format!("#/paths/{}/{method}/responses/{code}", template.replace('/', "~1")), described),
    };
    let media = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default();
    match described.get("content").and_then(Value::as_object) {
        None => assert!(body.is_empty(), "{request} {status} has a body: {body}"),
        Some(content) => {
            assert!(content.contains_key(media), "{request} {status} is not described as {media}");
            if media == "application/json" && !request.starts_with("HEAD") {
                fit(&format!("{pointer}/content/application~1json/schema"), body, request);
            }
        }
    }
}

fn operation(method: &str, path: &str) -> Option<(&'static str, &'static Value)> {
    let paths = DOCUMENT.get("paths").and_then(Value::as_object).expect("paths");
    let fits = |template: &str| {
        let (template, path) = (template.split('/'), path.split('/'));
        template.clone().count() == path.clone().count()
            && template.zip(path).all(|(one, part)| one == part || one.starts_with('{') && !part.is_empty())
    };
    let of = |(template, item): (&'static workflow_runtime::Str, &'static Value)| {
        Some((&**template, item.get(method)?)).filter(|(template, _)| fits(template))
    };
    // A path without parameters goes first.
    paths.iter().filter_map(of).min_by_key(|(template, _)| template.matches('{').count())
}

fn at(pointer: &str) -> &'static Value {
    let parts = pointer.trim_start_matches("#/").split('/').map(|part| part.replace("~1", "/"));
    let mut found: &'static Value = &DOCUMENT;
    for part in parts {
        found = found.get(part.as_str()).unwrap_or_else(|| panic!("{pointer}"));
    }
    found
}

fn fit(pointer: &str, body: &str, request: &str) {
    let schema = *SCHEMAS.lock().expect("no test panicked").entry(pointer.to_owned()).or_insert_with(|| {
        let document = DOCUMENT.to_string().replace("\"#/components/", "\"#/$defs/document/components/");
        let text = format!(
            "{{\"$ref\": \"#/$defs/document{}\", \"$defs\": {{\"document\": {document}}}}}",
            pointer[1..].replace('{', "%7B").replace('}', "%7D")
        );
        Box::leak(Box::new(Schema::new("openapi.json", Draft::Draft202012, Box::leak(text.into_boxed_str()))))
    });
    let body = Value::from_json(body).unwrap_or_else(|error| panic!("{request}: {error}: {body}"));
    if let Err(fault) = fits(&body, schema, "the answer") {
        panic!("{request} does not fit {pointer}: {fault}: {body}");
    }
}

pub fn the_server_describes_its_operations_and_their_parameters() {
    let place = Place::new("described");
    let server = place.serve(&[]);
    let document = server.get("/openapi.json").body;
    let paths = document.get("paths").and_then(Value::as_object).expect("paths");
    let body = ["/deep", "post", "requestBody", "content", "application/json", "schema"];
    let schema = body.iter().try_fold(document.get("paths").expect("paths"), |value, name| value.get(*name));
    let draft = schema.and_then(|schema| schema.get("$schema")).and_then(Value::as_str);
    assert!(draft.is_some_and(|draft| draft.contains("json-schema.org")), "{schema:?}");
    assert!(paths.contains_key("/errand") && !paths.contains_key("/{workflow}"), "{paths:?}");
    for (path, item) in paths.iter() {
        for (method, operation) in item.as_object().into_iter().flat_map(Object::iter) {
            let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
            let parameters = parameters.map(|one| match one.get("$ref").and_then(Value::as_str) {
                Some(reference) => at(reference),
                None => one,
            });
            let of_query = parameters.filter(|one| one.get("in") == Some(&"query".into()));
            let names: Vec<String> = of_query
                .map(|one| format!("`{}`", one.get("name").and_then(Value::as_str).unwrap_or_default()))
                .collect();
            let expected = match names.is_empty() {
                true => "this route has no parameters".to_owned(),
                false => format!("the parameters are {}", names.join(", ")),
            };
            let request =
                format!("{} {}?unknown=1", method.to_uppercase(), path.replace("{id}", "x").replace("{token}", "x"));
            let (status, _, body) = server.text(&request, "");
            let body = Value::from_json(&body).expect("JSON");
            let help = body.get("help").and_then(Value::as_str).unwrap_or_default();
            match &**path {
                // Whoever asks for the health is answered.
                "/health" => assert_eq!(status, 200),
                _ => assert_eq!((status, help), (400, expected.as_str()), "{request}"),
            }
        }
    }
}
