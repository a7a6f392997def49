//! The documents of a definition, and the expectations that their operations have of a call.

use super::reader::{Loaded, Reader};
use super::{CallArgument, DescribedOperation, arguments, operation};
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
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
        inputs.hash_meaning(&format!("{path}#{}", id.value), Described(&described.rest).to_string().as_bytes());
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
            let loaded = inputs.optional_document(&named, &mut problems);
            self.files.insert(file, loaded.map(|(_, node)| node).ok_or_else(|| problems.finish()));
        }
    }
}
