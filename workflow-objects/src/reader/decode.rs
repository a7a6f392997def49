//! The decoders of the formats: bytes go in as they arrive, and records come out. They do no input
//! or output, and hold at most one record.

use workflow_runtime::{Str, Value};

use super::csv::CsvDecoder;
use super::json::JsonDecoder;
use super::lines::LinesDecoder;

/// A record.
#[derive(Debug, PartialEq)]
pub(crate) struct Record {
    /// The key of a member, where the members of an object are the records.
    pub(crate) key: Option<Str>,
    /// The value.
    pub(crate) value: Value,
}

/// The result of decoding some bytes.
#[derive(Debug)]
pub(crate) enum Fed {
    /// All bytes were taken, and no record is complete.
    More,
    /// A record ends behind the bytes that were taken.
    Record(Record),
    /// The records end behind the bytes that were taken.
    Done,
}

/// The description of a fault in the data.
pub(crate) type Bad = std::borrow::Cow<'static, str>;

/// A decoder.
pub(crate) enum Decoder {
    /// Rows.
    Csv(CsvDecoder),
    /// Elements, or members.
    Json(Box<JsonDecoder>),
    /// Lines.
    Lines(LinesDecoder),
}

impl Decoder {
    /// Takes bytes off the front of the data, up to the end of a record. Returns their number.
    ///
    /// # Errors
    /// The data is not of this format.
    pub(crate) fn feed(&mut self, data: &[u8]) -> Result<(usize, Fed), Bad> {
        match self {
            Decoder::Csv(csv) => csv.feed(data),
            Decoder::Json(json) => json.feed(data),
            Decoder::Lines(lines) => lines.feed(data),
        }
    }

    /// Takes the end of the data. Returns the record that it completes.
    ///
    /// # Errors
    /// The data ends too early.
    pub(crate) fn end(&mut self) -> Result<Option<Record>, Bad> {
        match self {
            Decoder::Csv(csv) => csv.end(),
            Decoder::Json(json) => json.end().map(|()| None),
            Decoder::Lines(lines) => lines.end(),
        }
    }

    /// Returns `true` if the members of an object are the records.
    pub(crate) fn has_members(&self) -> bool {
        matches!(self, Decoder::Json(json) if json.has_members())
    }

    /// Returns `true` if the beginning of the data must be read before a record in the middle can
    /// be: it has the headers.
    pub(crate) fn wants_beginning(&self) -> bool {
        matches!(self, Decoder::Csv(csv) if csv.wants_headers())
    }
}
