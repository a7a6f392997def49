//! The places that values come from.

use crate::source::Span;
use std::sync::Arc;

/// The place where a value is made, with a phrase for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueOrigin {
    /// The place.
    pub span: Span,
    /// A phrase that follows "it is": `the output of "ChargeCard"`.
    pub phrase: Arc<str>,
}

impl ValueOrigin {
    /// Creates an origin.
    pub fn new(span: Span, phrase: impl Into<Arc<str>>) -> ValueOrigin {
        ValueOrigin { span, phrase: phrase.into() }
    }
}
