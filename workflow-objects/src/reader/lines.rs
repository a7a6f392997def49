//! Lines: values in JSON, or the names of objects in a manifest. Blank lines are skipped.

use std::str;

use workflow_runtime::Value;

use super::decode::{Bad, Fed, Record};
use super::limits::MAX_RECORD;

/// A decoder of lines.
pub(crate) struct LinesDecoder {
    /// `true` if lines are JSON, otherwise they are text.
    json: bool,
    /// The beginning of a line whose end has not arrived.
    begun: Vec<u8>,
}

impl LinesDecoder {
    /// Creates a decoder of values in JSON.
    pub(crate) fn json() -> LinesDecoder {
        LinesDecoder { json: true, begun: Vec::new() }
    }

    /// Creates a decoder of text.
    pub(crate) fn text() -> LinesDecoder {
        LinesDecoder { json: false, begun: Vec::new() }
    }

    /// Takes bytes up to the end of a line that is not blank.
    ///
    /// # Errors
    /// The line is too long, or is not JSON.
    pub(crate) fn feed(&mut self, data: &[u8]) -> Result<(usize, Fed), Bad> {
        let mut at = 0;
        while at < data.len() {
            let rest = &data[at..];
            let end = rest.iter().position(|byte| *byte == b'\n');
            let line = &rest[..end.unwrap_or(rest.len())];
            if self.begun.len() + line.len() > MAX_RECORD {
                return Err(format!("the line is longer than {MAX_RECORD} bytes").into());
            }
            let Some(end) = end else {
                self.begun.extend_from_slice(line);
                break;
            };
            at += end + 1;
            let record = match self.begun.is_empty() {
                true => record(self.json, line)?,
                false => {
                    self.begun.extend_from_slice(line);
                    let record = record(self.json, &self.begun)?;
                    self.begun.clear();
                    record
                }
            };
            if let Some(record) = record {
                return Ok((at, Fed::Record(record)));
            }
        }
        Ok((data.len(), Fed::More))
    }

    /// Takes the end of the data, which ends the last line.
    ///
    /// # Errors
    /// The line is not JSON.
    pub(crate) fn end(&mut self) -> Result<Option<Record>, Bad> {
        record(self.json, &std::mem::take(&mut self.begun))
    }
}

/// Returns the record of a line, or `None` if the line is blank.
fn record(json: bool, line: &[u8]) -> Result<Option<Record>, Bad> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let text = str::from_utf8(line).map_err(|_| Bad::from("the line is not UTF-8"))?;
    let value = match json {
        true => Value::from_json(text).map_err(|error| Bad::from(format!("the line is not JSON: {error}")))?,
        false => Value::from(text),
    };
    Ok(Some(Record { key: None, value }))
}
