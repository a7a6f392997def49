//! Stub of OpenAPI support for a compiler without the feature `openapi`.

#[cfg(not(feature = "openapi"))]
use super::CallArgument;
use super::DescribedOperation;
use crate::diagnostics::codes::syntax::WF0132;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
#[cfg(not(feature = "openapi"))]
use crate::model::operation::Rest;
#[cfg(not(feature = "openapi"))]
use crate::source::Span;
use crate::source::Spanned;
use crate::syntax::{Text, shown};
use std::collections::BTreeSet;

/// The documents that cannot be read.
#[derive(Debug, Default)]
pub struct Documents {
    /// The documents that are reported.
    reported: BTreeSet<String>,
}

impl Documents {
    /// Creates an empty set of documents.
    pub fn new() -> Documents {
        Documents::default()
    }

    /// Reports that documents cannot be read.
    pub fn operation(
        &mut self,
        document: &Text,
        _id: &Spanned<String>,
        _inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<DescribedOperation> {
        if !self.reported.insert(document.value.clone()) {
            return None;
        }
        let name = shown(&document.value);
        let message = format!("the document `{name}` cannot be read: the compiler was built without OpenAPI");
        diagnostics.push(Diagnostic::new(&WF0132, document.span, message).help("enable the feature `openapi`"));
        None
    }

    /// Does nothing, because lookup returns no operations.
    #[cfg(not(feature = "openapi"))]
    pub fn check_call(
        &mut self,
        _described: &DescribedOperation,
        _arguments: &[CallArgument<'_>],
        _span: Span,
        _inputs: &mut Inputs,
        _diagnostics: &mut Diagnostics,
    ) {
    }
}

/// Does nothing, because lookup returns no operations.
#[cfg(not(feature = "openapi"))]
pub fn name_services<'a>(_operations: impl Iterator<Item = &'a mut Rest>) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources, Span};

    #[test]
    fn an_unread_document_is_reported_once() {
        let mut sources = Sources::default();
        let definition = sources.add(Source::new("flow.json", "bank.json#charge"));
        let mut inputs = Inputs::new(sources, definition);
        let mut diagnostics = Diagnostics::default();
        let document = Text::verbatim("bank.json", Span::new(definition, 0, 9), 0);
        let id = Spanned::new("charge".to_owned(), Span::new(definition, 10, 16));
        let mut documents = Documents::new();
        for _ in 0..2 {
            assert!(documents.operation(&document, &id, &mut inputs, &mut diagnostics).is_none());
        }
        let reported = diagnostics.finish();
        assert_eq!((reported.len(), reported[0].code.id), (1, "WF0132"));
        assert_eq!(inputs.sources().text(reported[0].span), "bank.json");
        let message = "the document `bank.json` cannot be read: the compiler was built without OpenAPI";
        assert_eq!(
            (&*reported[0].message, reported[0].help.as_deref()),
            (message, Some("enable the feature `openapi`"))
        );
    }
}
