//! The reports of a conversion beside the text: refusals and differences.

use workflow_compiler::Span;

/// The reason for which a state keeps JSONPath.
///
/// See the example of [`to_jsonata`](super::to_jsonata).
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The place in the original text.
    pub span: Span,
    /// The state, once it is determined.
    pub state: String,
    /// The reason.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

/// The result of a conversion that can be refused.
pub(super) type Refused<T> = Result<T, Refusal>;

impl Refusal {
    /// Returns a refusal without advice.
    pub(super) fn new(span: Span, message: impl Into<String>) -> Refusal {
        Refusal { span, state: String::new(), message: message.into(), help: None }
    }

    /// Adds advice.
    pub(super) fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(help.into());
        self
    }
}

/// A difference between the original and the result that depends on the data.
///
/// See the example of [`to_jsonata`](super::to_jsonata).
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The places in the original text, in order.
    pub spans: Vec<Span>,
    /// The difference.
    pub message: &'static str,
}

/// The notes of a conversion, each with all its places.
#[derive(Debug, Default)]
pub(super) struct Differences(Vec<Difference>);

impl Differences {
    /// Adds a place to a note.
    pub fn add(&mut self, span: Span, message: &'static str) {
        match self.0.iter_mut().find(|note| note.message == message) {
            Some(note) => note.spans.push(span),
            None => self.0.push(Difference { spans: vec![span], message }),
        }
    }

    /// Takes all notes.
    pub fn take(&mut self) -> Differences {
        std::mem::take(self)
    }

    /// Adds the notes of another list.
    pub fn extend(&mut self, other: Differences) {
        for note in other.0 {
            note.spans.iter().for_each(|span| self.add(*span, note.message));
        }
    }

    /// Returns the notes, by their first places.
    pub fn finish(mut self) -> Vec<Difference> {
        for note in &mut self.0 {
            note.spans.sort_by_key(|span| span.start);
            note.spans.dedup();
        }
        self.0.sort_by_key(|note| note.spans.first().map(|span| span.start));
        self.0
    }
}
