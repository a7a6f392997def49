//! Tests that read operations and check requests and diagnostics.

mod calls;
mod mutations;
mod refused;
mod requests;

use super::{ArgumentValue, CallArgument, DescribedOperation, Documents};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::model::operation::{Described, Rest};
use crate::source::Files;
use crate::source::{FileId, Source, Sources, Span, Spanned};
use crate::syntax::{self, Text};

/// The result of reading an operation and a call of it.
struct Read {
    described: Option<DescribedOperation>,
    messages: Vec<String>,
    hash: Option<u64>,
}

impl Read {
    fn rest(&self) -> &Rest {
        let Some(DescribedOperation { rest, .. }) = &self.described else {
            panic!("there is no operation: {:?}", self.messages);
        };
        rest
    }

    /// Returns the request in one line.
    fn shown(&self) -> String {
        Described(self.rest()).to_string()
    }
}

/// Reads `api.json#id` or `api.yaml#id` among these files, and checks a call with these arguments,
/// a JSON object. Texts that begin with `type ` stand for expressions of that type.
fn read(files: &[(&str, &str)], operation: &str, arguments: Option<&str>) -> Read {
    let texts: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let files = Files::new(move |path| {
        let found = texts.iter().find(|(name, _)| name == path.as_str()).map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| "does not exist".to_owned())
    });
    let definition = format!("{operation} {}", arguments.unwrap_or_default());
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.json", definition).with_files(files));
    let arguments = arguments.map(|text| {
        let file = sources.add(Source::new("arguments.json", text));
        let mut diagnostics = Diagnostics::default();
        let tree = syntax::read(file, &sources, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "the test is broken: {text}");
        tree
    });
    let mut inputs = Inputs::new(sources, file);
    let mut diagnostics = Diagnostics::default();
    let at = operation.find('#').expect("an operation");
    let whole = Text::verbatim(operation, Span::new(FileId(0), 0, operation.len()), 0);
    let id = Spanned::new(operation[at + 1..].to_owned(), whole.span_of(at + 1, operation.len()));
    let mut documents = Documents::new();
    let described = documents.operation(&whole.slice(0, at), &id, &mut inputs, &mut diagnostics);
    if let (Some(described), Some(tree)) = (&described, &arguments) {
        let given = tree.as_object().expect("an object").iter().map(|entry| {
            let kinds = ["string", "number", "boolean", "array", "object", "null"];
            let word = entry.value.as_text().and_then(|text| text.value.strip_prefix("type "));
            let value = match word {
                Some(word) => kinds
                    .iter()
                    .find(|kind| **kind == word)
                    .map_or(ArgumentValue::Unknown, |kind| ArgumentValue::Type(kind)),
                None => ArgumentValue::Constant(&entry.value),
            };
            CallArgument { name: &entry.key, value, span: entry.value.span }
        });
        let given: Vec<CallArgument<'_>> = given.collect();
        documents.check_call(described, &given, id.span, &mut inputs, &mut diagnostics);
    }
    let hash = inputs.hash();
    let (sources, _) = inputs.finish();
    let show = |found: &Diagnostic| {
        let help = found.help.as_deref().unwrap_or("NO HELP");
        format!("{} {}: {} | {help}", found.code.id, sources.text(found.span), found.message)
    };
    Read { described, messages: diagnostics.finish().iter().map(show).collect(), hash }
}

/// Returns an OpenAPI 3.0 document with one operation, `op` at `POST /things/{id}`, that has these
/// members besides its path parameter.
fn with(members: &str) -> String {
    format!(
        r##"{{"openapi": "3.0.3", "paths": {{"/things/{{id}}": {{
            "parameters": [{{"name": "id", "in": "path", "required": true, "schema": {{"type": "string"}}}}],
            "post": {{"operationId": "op", {members} "responses": {{}}}}}}}},
          "components": {{"schemas": {{"Loop": {{"$ref": "#/components/schemas/Loop"}},
            "Tree": {{"type": "object", "properties": {{"left": {{"$ref": "#/components/schemas/Tree"}}, "size": {{"type": "integer"}}}}}}}},
            "securitySchemes": {{"key": {{"type": "apiKey", "in": "header", "name": "X-Key"}},
              "user": {{"type": "http", "scheme": "Basic"}}, "token": {{"type": "http", "scheme": "bearer"}},
              "flow": {{"type": "oauth2", "flows": {{}}}}, "digest": {{"type": "http", "scheme": "digest"}}}}}}}}"##
    )
}
