//! The fields of the lines of a history, for engines that store them in a format of their own.

use super::payloads::{InvalidPath, Payloads};
use super::{Event, history};
use crate::time::Timestamp;
use crate::value::Value;

/// The fields that a [`History`](super::History) writes of each event, as they are before they
/// become text.
///
/// ```
/// use workflow_runtime::observe::{Event, HistoryField, HistoryFields};
///
/// /// Returns the keys of the line of an event.
/// fn keys(fields: &HistoryFields, event: &Event<'_>) -> Vec<&'static str> {
///     let mut keys = Vec::new();
///     fields.visit(event, |key, _: HistoryField<'_>| keys.push(key));
///     keys
/// }
/// # let _ = keys;
/// ```
#[derive(Debug, Clone, Default)]
pub struct HistoryFields {
    payloads: Payloads,
}

/// A field of a line.
///
/// ```
/// use workflow_runtime::observe::HistoryField;
/// use workflow_runtime::{Timestamp, value};
///
/// let at = HistoryField::Time(Timestamp::from_seconds(0));
/// assert_eq!(workflow_runtime::Value::from(at), value!("1970-01-01T00:00:00.000Z"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum HistoryField<'a> {
    /// The time of the event.
    Time(Timestamp),
    /// A name.
    Text(&'a str),
    /// Anything else.
    Data(Value),
}

impl From<HistoryField<'_>> for Value {
    fn from(field: HistoryField<'_>) -> Value {
        match field {
            HistoryField::Time(time) => time.into(),
            HistoryField::Text(text) => text.into(),
            HistoryField::Data(value) => value,
        }
    }
}

impl HistoryFields {
    /// Redacts these paths in all payloads, as [`History::redact`](super::History::redact) does.
    ///
    /// # Errors
    ///
    /// Returns the first path that is not one.
    pub fn redact<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<HistoryFields, InvalidPath> {
        self.payloads.redact(paths)?;
        Ok(self)
    }

    /// Replaces payloads of more than this many bytes of JSON with `[too large]`. The default is 1
    /// MiB.
    pub fn limit_payloads(mut self, bytes: u64) -> HistoryFields {
        self.payloads.limit(bytes);
        self
    }

    /// Leaves out all payloads.
    pub fn without_payloads(mut self) -> HistoryFields {
        self.payloads.hide();
        self
    }

    /// Calls `add` with the keys and fields of an event, in the order of its line.
    pub fn visit(&self, event: &Event<'_>, mut add: impl FnMut(&'static str, HistoryField<'_>)) {
        history::visit(event, &self.payloads, &mut add);
    }
}
