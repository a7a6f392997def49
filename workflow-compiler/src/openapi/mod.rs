//! Operations of services described by OpenAPI documents (2.0, 3.0 and 3.1): `FILE#operationId`.
//!
//! The compiler reads documents along with a definition. The description of an operation becomes
//! an [operation](crate::hir::Operation), and the arguments of calls are checked against it. The
//! module is independent of dialects: a dialect supplies the operation's name and the arguments.

mod arguments;
mod body;
pub mod codes;
mod operation;
mod parameter;
mod reader;
mod schema;
mod security;

pub use arguments::{ArgumentValue, CallArgument};

use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::hir::operation::Rest;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use reader::{Loaded, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The documents of a definition, each read once.
#[derive(Debug, Default)]
pub struct Documents {
    /// The loaded files by path.
    files: BTreeMap<String, Loaded>,
    /// The resolved paths by the paths in the definition. `None` marks a file that cannot be read,
    /// which has been reported.
    named: BTreeMap<String, Option<String>>,
}

/// An operation as described by its document.
#[derive(Debug, Clone)]
pub struct DescribedOperation {
    /// The request.
    pub rest: Arc<Rest>,
    /// The expectations of arguments that are parameters.
    expected: Vec<ExpectedArgument>,
    /// The expectations of the body, if the operation has one.
    body: Option<ExpectedBody>,
}

/// The expectations of an argument that is a parameter.
#[derive(Debug, Clone)]
struct ExpectedArgument {
    argument: String,
    /// The term for the parameter in messages: `path parameter`.
    what: &'static str,
    required: bool,
    schema: Option<LocatedSchema>,
    span: Span,
}

/// The expectations of a body.
#[derive(Debug, Clone)]
struct ExpectedBody {
    schema: Option<LocatedSchema>,
    span: Span,
}

/// A schema and the file that contains it.
#[derive(Debug, Clone)]
struct LocatedSchema {
    file: String,
    node: Node,
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
        // Each pass either completes or loads at least one more file.
        let described = loop {
            let mut reader = Reader::new(&self.files);
            let described = operation::read(&mut reader, &path, document, id);
            let Reader { missing_files, diagnostics: found, .. } = reader;
            if missing_files.is_empty() {
                found.into_iter().for_each(|found| diagnostics.push(found));
                break described?;
            }
            self.load(missing_files, inputs);
        };
        inputs.hash_meaning(&format!("{path}#{}", id.value), described.rest.to_string().as_bytes());
        Some(described)
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
            self.files.insert(path.clone(), Ok(node));
            path
        });
        self.named.insert(document.value.clone(), path.clone());
        path
    }

    /// Loads requested files. Errors of a file are reported where the file is needed.
    fn load(&mut self, missing_files: BTreeMap<String, Text>, inputs: &mut Inputs) {
        for (file, named) in missing_files {
            let mut problems = Diagnostics::default();
            let loaded = inputs.document(&named, &mut problems);
            self.files.insert(file, loaded.map(|(_, node)| node).ok_or_else(|| problems.finish()));
        }
    }
}

/// Assigns the names under which services are configured: the file name of the document without
/// folder and extension, or the whole path if several documents share that name.
pub fn name_services<'a>(operations: impl Iterator<Item = &'a mut Rest>) {
    let mut operations: Vec<&mut Rest> = operations.collect();
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rest in &operations {
        for name in [short_name(&rest.document), &rest.document] {
            let documents = owners.entry(folded(name)).or_default();
            if !documents.contains(&rest.document) {
                documents.push(rest.document.clone());
            }
        }
    }
    for rest in &mut operations {
        let place = |name: &str| {
            let documents = owners.get(&folded(name))?;
            Some((documents.iter().position(|document| *document == rest.document)?, documents.len()))
        };
        let (short, whole) = (short_name(&rest.document), &rest.document);
        rest.service = match (place(short), place(whole)) {
            (Some((_, 1)), _) => short.to_owned(),
            // The paths differ only in characters that names ignore. All but the first get a
            // number.
            (_, Some((at @ 1.., _))) => format!("{whole} {}", at + 1),
            _ => whole.clone(),
        };
    }
}

/// Returns the form in which names of services are compared, which is that of environment
/// variables.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// Returns the file name without folder and extension: `bank` for `apis/bank.openapi.json`.
fn short_name(document: &str) -> &str {
    let file = document.rsplit('/').next().unwrap_or(document);
    file.split('.').find(|part| !part.is_empty()).unwrap_or(file)
}

impl DescribedOperation {
    /// Returns the request for modification.
    pub fn rest_mut(&mut self) -> &mut Rest {
        Arc::make_mut(&mut self.rest)
    }
}

#[cfg(test)]
mod tests;
