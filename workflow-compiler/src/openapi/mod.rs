//! Operations of services that OpenAPI documents describe (2.0, 3.0 and 3.1): `FILE#operationId`.
//!
//! A document is read when a definition is compiled. What it says of an operation becomes an [operation](crate::hir::Operation), and the
//! arguments of calls are checked against it. Knows no dialect: these say which operation a function is, and with what it is
//! called.

mod arguments;
mod body;
mod operation;
mod parameter;
mod reader;
mod schema;
mod security;

pub use arguments::{Given, GivenValue};

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
    /// The files that were read, by their paths.
    files: BTreeMap<String, Loaded>,
    /// The paths of files as they were named, and as the definition's folder knows them. `None` where there is none, which has
    /// been reported.
    named: BTreeMap<String, Option<String>>,
}

/// An operation as its document describes it.
#[derive(Debug, Clone)]
pub struct Described {
    /// What is sent.
    pub rest: Arc<Rest>,
    /// What its arguments are to be.
    expected: Vec<Expected>,
    /// What its body is to be, if it has one.
    body: Option<ExpectedBody>,
}

/// What is expected of an argument that is a parameter.
#[derive(Debug, Clone)]
struct Expected {
    argument: String,
    /// In the words of messages: `path parameter`.
    what: &'static str,
    required: bool,
    schema: Option<Schema>,
    span: Span,
}

/// What is expected of a body.
#[derive(Debug, Clone)]
struct ExpectedBody {
    schema: Option<Schema>,
    span: Span,
}

/// A schema, and the file it stands in.
#[derive(Debug, Clone)]
struct Schema {
    file: String,
    node: Node,
}

impl Documents {
    /// None so far.
    pub fn new() -> Documents {
        Documents::default()
    }

    /// The operation `id` of a document. Why there is none has been reported.
    pub fn operation(
        &mut self,
        document: &Text,
        id: &Spanned<String>,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<Described> {
        let path = self.open(document, inputs, diagnostics)?;
        // What leads to a file that is not there yet is read once more with it: each time there is one more.
        let described = loop {
            let mut reader = Reader::new(&self.files);
            let described = operation::read(&mut reader, &path, document, id);
            let Reader { wanted, found, .. } = reader;
            if wanted.is_empty() {
                found.into_iter().for_each(|found| diagnostics.push(found));
                break described?;
            }
            self.load(wanted, inputs);
        };
        inputs.means(&format!("{path}#{}", id.value), described.rest.to_string().as_bytes());
        Some(described)
    }

    /// Checks the arguments of a call at `span`.
    pub fn check_call(
        &mut self,
        described: &Described,
        given: &[Given<'_>],
        span: Span,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) {
        loop {
            let mut reader = Reader::new(&self.files);
            arguments::check(described, given, span, &mut reader);
            let Reader { wanted, found, .. } = reader;
            if wanted.is_empty() {
                return found.into_iter().for_each(|found| diagnostics.push(found));
            }
            self.load(wanted, inputs);
        }
    }

    /// The path of a file that a definition names, which is read now.
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

    /// Reads files that were found to be needed. What is wrong with one is told by who needs it.
    fn load(&mut self, wanted: BTreeMap<String, Text>, inputs: &mut Inputs) {
        for (file, named) in wanted {
            let mut problems = Diagnostics::default();
            let loaded = inputs.document(&named, &mut problems);
            self.files.insert(file, loaded.map(|(_, node)| node).ok_or_else(|| problems.finish()));
        }
    }
}

/// Gives the services of operations the names that they are configured by: those of their documents without folders and
/// endings, or with them where two documents would have the same.
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
            // They differ in characters that do not count: all but the first get a number.
            (_, Some((at @ 1.., _))) => format!("{whole} {}", at + 1),
            _ => whole.clone(),
        };
    }
}

/// The form in which names of services are compared: that of variables of the environment.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// `bank` for `apis/bank.openapi.json`.
fn short_name(document: &str) -> &str {
    let file = document.rsplit('/').next().unwrap_or(document);
    file.split('.').find(|part| !part.is_empty()).unwrap_or(file)
}

impl Described {
    /// The request, to be changed.
    pub fn rest_mut(&mut self) -> &mut Rest {
        Arc::make_mut(&mut self.rest)
    }
}

#[cfg(test)]
mod tests;
