//! The documents of a definition, and the expectations that their operations have of a call.

use super::reader::{Loaded, MissingFile, Reader};
use super::{CallArgument, DescribedOperation, arguments, operation};
use crate::diagnostics::Diagnostics;
use crate::files::{FileUse, Inputs};
use crate::model::operation::Described;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::collections::BTreeMap;

/// The documents of a definition, each read once.
#[derive(Debug, Default)]
pub struct Documents {
    /// The loaded files by path.
    files: BTreeMap<String, Loaded>,
    /// The resolved paths by the paths in the definition. `None` marks a file that cannot be read,
    /// which has been reported.
    named: BTreeMap<String, Option<String>>,
    /// The operations that have been resolved without a diagnostic, by document and id.
    resolved: BTreeMap<(String, String), DescribedOperation>,
}

/// The expectations of an argument that is a parameter.
#[derive(Debug, Clone)]
pub(super) struct ExpectedArgument {
    pub(super) argument: String,
    /// The term for the parameter in messages: `path parameter`.
    pub(super) what: &'static str,
    pub(super) required: bool,
    pub(super) schema: Option<LocatedSchema>,
    pub(super) span: Span,
}

/// The expectations of a body.
#[derive(Debug, Clone)]
pub(super) struct ExpectedBody {
    pub(super) schema: Option<LocatedSchema>,
    pub(super) span: Span,
}

/// A schema and the file that contains it.
#[derive(Debug, Clone)]
pub(super) struct LocatedSchema {
    pub(super) file: String,
    pub(super) node: Node,
}

impl Documents {
    /// Creates an empty set of documents.
    pub fn new() -> Documents {
        Documents::default()
    }

    /// Returns the operation `id` of a document. Returns `None` after reporting an error.
    pub fn operation(
        &mut self,
        document: &Text,
        id: &Spanned<String>,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<DescribedOperation> {
        let path = self.open(document, inputs, diagnostics)?;
        let key = (path, id.value.clone());
        let described = match self.resolved.get(&key) {
            Some(known) => known.clone(),
            None => self.resolve(&key, document, id, inputs, diagnostics)?,
        };
        inputs.hash_meaning(&format!("{}#{}", key.0, key.1), Described(&described.rest).to_string().as_bytes());
        Some(described)
    }

    /// Resolves an operation that is named for the first time.
    fn resolve(
        &mut self,
        key: &(String, String),
        document: &Text,
        id: &Spanned<String>,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<DescribedOperation> {
        // Each pass either completes, or loads at least one more file or one that is needed now.
        loop {
            let mut reader = Reader::new(&self.files);
            let described = operation::read(&mut reader, &key.0, document, id);
            let Reader { missing_files, diagnostics: found, .. } = reader;
            if missing_files.is_empty() {
                if let (Some(described), true) = (&described, found.is_empty()) {
                    self.resolved.insert(key.clone(), described.clone());
                }
                found.into_iter().for_each(|found| diagnostics.push(found));
                return described;
            }
            self.load(missing_files, inputs);
        }
    }

    /// Checks the arguments of a call at `span`.
    pub fn check_call(
        &mut self,
        described: &DescribedOperation,
        arguments: &[CallArgument<'_>],
        span: Span,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) {
        loop {
            let mut reader = Reader::new(&self.files);
            arguments::check(described, arguments, span, &mut reader);
            let Reader { missing_files, diagnostics: found, .. } = reader;
            if missing_files.is_empty() {
                return found.into_iter().for_each(|found| diagnostics.push(found));
            }
            self.load(missing_files, inputs);
        }
    }

    /// Loads a file that a definition names, and returns its path.
    fn open(&mut self, document: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<String> {
        if let Some(known) = self.named.get(&document.value) {
            return known.clone();
        }
        let path = inputs.document(document, diagnostics).map(|(path, node)| {
            let path = path.to_string();
            self.files.insert(path.clone(), Loaded { tree: Ok(node), is_optional: false });
            path
        });
        self.named.insert(document.value.clone(), path.clone());
        path
    }

    /// Loads requested files. Errors of a file are reported where the file is needed.
    fn load(&mut self, missing_files: BTreeMap<String, MissingFile>, inputs: &mut Inputs) {
        for (file, MissingFile { named, is_optional }) in missing_files {
            let mut problems = Diagnostics::default();
            let file_use = if is_optional { FileUse::Optional } else { FileUse::Referenced };
            let document = inputs.document_for(file_use, &named, &mut problems);
            let tree = document.map(|(_, node)| node).ok_or_else(|| problems.finish());
            self.files.insert(file, Loaded { tree, is_optional });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Files, Source, Sources};

    const BANK: &str =
        r#"{ "openapi": "3.0.0", "paths": { "/pay": { "post": { "operationId": "pay", "responses": {} } } } }"#;

    #[test]
    fn an_operation_is_resolved_once() {
        let files = Files::new(|_| Ok(BANK.into()));
        let mut sources = Sources::default();
        let file = sources.add(Source::new("flow.json", "bank.json#pay").with_files(files));
        let (mut inputs, mut diagnostics) = (Inputs::new(sources, file), Diagnostics::default());
        let mut documents = Documents::new();
        let mut read = |documents: &mut Documents| {
            let span = Span::new(FileId(0), 0, 9);
            let id = Spanned::new("pay".to_owned(), span);
            documents.operation(&Text::verbatim("bank.json", span, 0), &id, &mut inputs, &mut diagnostics)
        };
        let first = read(&mut documents).expect("the operation exists");
        // Without the document, the operation cannot be resolved anew.
        documents.files.clear();
        let second = read(&mut documents).expect("the operation is known");
        assert_eq!(Described(&first.rest).to_string(), Described(&second.rest).to_string());
    }

    /// Returns the messages about a call of an operation with `results` files that describe only
    /// its results, and `arguments` files that describe its parameters, in a definition that names
    /// `named` files, and the document as the last of them.
    fn messages_of_files(named: usize, results: usize, arguments: usize) -> Vec<String> {
        let refer = |kind: &str, at: usize| format!(r#"{{ "$ref": "{kind}{at}.json" }}"#);
        let parameters: Vec<String> = (0..arguments).map(|at| refer("argument", at)).collect();
        let parts: Vec<String> = (0..results).map(|at| format!(r#""r{at}": {}"#, refer("result", at))).collect();
        let (parameters, parts) = (parameters.join(", "), parts.join(", "));
        let document = format!(
            r#"{{ "openapi": "3.0.0", "paths": {{ "/pay": {{ "post": {{ "operationId": "pay",
                "parameters": [{parameters}],
                "responses": {{ "200": {{ "description": "", "content": {{ "application/json": {{
                    "schema": {{ "type": "object", "properties": {{ {parts} }} }} }} }} }} }} }} }} }} }}"#
        );
        let files = Files::new(move |path| {
            let name = path.as_str().trim_end_matches(".json");
            Ok(match name.strip_prefix("argument") {
                _ if name == "bank" => document.clone().into(),
                Some(at) => format!(r#"{{ "name": "p{at}", "in": "query", "schema": {{ "type": "string" }} }}"#).into(),
                None => br#"{ "type": "string" }"#.to_vec(),
            })
        });
        let mut sources = Sources::default();
        let file = sources.add(Source::new("flow.json", "bank.json#pay").with_files(files));
        let (mut inputs, mut diagnostics) = (Inputs::new(sources, file), Diagnostics::default());
        let span = Span::new(FileId(0), 0, 9);
        let id = Spanned::new("pay".to_owned(), span);
        for at in 1..named {
            inputs.bytes(&Text::verbatim(&format!("named{at}.json"), span, 0), &mut diagnostics).expect("it exists");
        }
        let document = Text::verbatim("bank.json", span, 0);
        let described = Documents::new().operation(&document, &id, &mut inputs, &mut diagnostics);
        let found = diagnostics.finish();
        assert_eq!(described.is_some(), found.is_empty(), "{:?}", found.first());
        found.into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn files_of_each_use_have_a_limit_of_their_own() {
        assert_eq!(messages_of_files(256, 256, 256), [""; 0]);
        assert_eq!(messages_of_files(1, 0, 256), [""; 0]);
        assert_eq!(messages_of_files(250, 0, 7), [""; 0]);
        // Files that describe only the results may be left out.
        assert_eq!(messages_of_files(1, 300, 1), [""; 0]);
        // The files are read in the order of their names.
        let expected = "the file `argument99.json` is one too many: for its calls, the OpenAPI documents of a definition can refer to \
                        at most 256 files";
        assert_eq!(messages_of_files(1, 1, 257), [expected]);
        let expected = "the file `bank.json` is one too many: a definition can name at most 256 files";
        assert_eq!(messages_of_files(257, 1, 1), [expected]);
    }
}
