//! Rows of fields, with AWS's rules for quotes and backslashes.
//!
//! A field that starts with a quote ends at the next single one, and may have delimiters and ends
//! of lines in it. Two quotes are one. A backslash makes the next quote, delimiter or backslash
//! plain text, and vanishes before others. Empty lines are no rows.

use std::collections::HashSet;
use std::str;

use memchr::{memchr, memchr3};
use workflow_runtime::{Object, Str, Value};

use super::config::{Delimiter, Headers};
use super::decode::{Bad, Fed, Record};
use super::limits::{MAX_HEADERS, MAX_RECORD};

/// The largest number of fields of a row, with those behind the last column. Their ends are kept.
const MAX_FIELDS: usize = MAX_RECORD / size_of::<usize>();

/// A decoder of rows.
pub(crate) struct CsvDecoder {
    delimiter: u8,
    /// `None` until the first row was read.
    headers: Option<Vec<Str>>,
    state: State,
    /// The text of the fields of this row, one behind the other.
    text: Vec<u8>,
    /// The end of each complete field in the text.
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first byte of a row.
    RowStart,
    /// Before the first byte of a field.
    FieldStart,
    Plain,
    /// Behind a backslash in plain text.
    PlainEscape,
    Quoted,
    /// Behind a backslash in quotes.
    QuotedEscape,
    /// Behind a quote within quotes: the field ends, or the next quote is text.
    Quote,
}

/// Checks the names of columns.
///
/// # Errors
/// Two are the same, or there are too many.
pub(crate) fn check_headers(headers: &[Str]) -> Result<(), Bad> {
    if headers.len() > MAX_HEADERS {
        return Err(format!("there are {} CSV headers, and at most {MAX_HEADERS} are allowed", headers.len()).into());
    }
    let mut seen = HashSet::with_capacity(headers.len());
    match headers.iter().all(|header| seen.insert(header.as_str())) {
        true => Ok(()),
        false => Err("CSV headers cannot contain duplicates.".into()),
    }
}

impl CsvDecoder {
    /// Creates a decoder, at the beginning of the data.
    pub(crate) fn new(headers: &Headers, delimiter: Delimiter) -> CsvDecoder {
        let headers = match headers {
            Headers::FirstRow => None,
            Headers::Listed(headers) => Some(headers.clone()),
        };
        CsvDecoder { delimiter: delimiter.byte(), headers, state: State::RowStart, text: Vec::new(), ends: Vec::new() }
    }

    /// Returns `true` until the first row was read, if that has the headers.
    pub(crate) fn wants_headers(&self) -> bool {
        self.headers.is_none()
    }

    /// Takes bytes up to the end of a row.
    ///
    /// # Errors
    /// The row is too long, is not UTF-8, or has bad headers.
    pub(crate) fn feed(&mut self, data: &[u8]) -> Result<(usize, Fed), Bad> {
        if let Some(row) = self.plain_row(data) {
            return Ok(row);
        }
        let mut at = 0;
        while at < data.len() {
            at += self.take_plain(&data[at..]);
            let Some(byte) = data.get(at) else { break };
            at += 1;
            if !self.take(*byte) {
                continue;
            }
            if let Some(record) = self.row()? {
                return Ok((at, Fed::Record(record)));
            }
            // The headers end here. A reader that only wants them must not read on.
            return Ok((at, Fed::More));
        }
        self.check_length()?;
        Ok((at, Fed::More))
    }

    /// Takes a row that is complete and has neither quotes nor backslashes, as most rows are, and
    /// splits it where it stands. Returns `None` if the row has to be taken byte by byte.
    fn plain_row(&mut self, data: &[u8]) -> Option<(usize, Fed)> {
        let headers = self.headers.as_ref().filter(|_| self.state == State::RowStart)?;
        // A row with so few bytes is not too long, and has not too many fields.
        let data = data.get(..MAX_FIELDS).unwrap_or(data);
        let end = memchr3(b'\n', b'"', b'\\', data).filter(|end| data.get(*end) == Some(&b'\n'))?;
        let row = data.get(..end)?;
        let row = str::from_utf8(row.strip_suffix(b"\r").unwrap_or(row)).ok().filter(|row| !row.is_empty())?;
        let mut members = Vec::with_capacity(headers.len());
        // Behind the last delimiter is the last field. There is none behind that.
        let mut rest = Some(row);
        for header in headers {
            let field = match rest {
                Some(fields) => match memchr(self.delimiter, fields.as_bytes()) {
                    Some(length) => {
                        rest = fields.get(length + 1..);
                        fields.get(..length)?
                    }
                    None => rest.take()?,
                },
                None => "",
            };
            members.push((header.clone(), Value::String(text_of(field))));
        }
        Some((end + 1, Fed::Record(Record { key: None, value: Object::from_distinct(members).into() })))
    }

    /// Takes the end of the data.
    ///
    /// # Errors
    /// A quoted field does not end.
    pub(crate) fn end(&mut self) -> Result<Option<Record>, Bad> {
        match self.state {
            State::RowStart => Ok(None),
            State::Quoted | State::QuotedEscape => Err("a quoted field does not end".into()),
            _ => {
                self.end_field();
                self.row()
            }
        }
    }

    fn check_length(&self) -> Result<(), Bad> {
        match self.text.len() > MAX_RECORD || self.ends.len() > MAX_FIELDS {
            true => Err(format!("the row is longer than {MAX_RECORD} bytes or {MAX_FIELDS} fields").into()),
            false => Ok(()),
        }
    }

    /// Takes the bytes that are nothing but text. Returns their number.
    fn take_plain(&mut self, data: &[u8]) -> usize {
        let delimiter = self.delimiter;
        let end = match self.state {
            State::Plain => data.iter().position(|byte| *byte == delimiter || *byte == b'\n' || *byte == b'\\'),
            State::Quoted => data.iter().position(|byte| *byte == b'"' || *byte == b'\\'),
            _ => return 0,
        };
        let length = end.unwrap_or(data.len());
        self.text.extend_from_slice(&data[..length]);
        length
    }

    /// Takes a byte. Returns `true` if it ends a row.
    fn take(&mut self, byte: u8) -> bool {
        let is_special = byte == b'"' || byte == b'\\' || byte == self.delimiter;
        match self.state {
            State::RowStart | State::FieldStart if byte == b'"' => self.state = State::Quoted,
            State::RowStart | State::FieldStart | State::Plain | State::Quote => return self.take_unquoted(byte),
            State::PlainEscape => {
                self.state = State::Plain;
                match is_special {
                    true => self.text.push(byte),
                    // The backslash vanishes, and the byte is what it is without it.
                    false => return self.take_unquoted(byte),
                }
            }
            State::Quoted => match byte {
                b'"' => self.state = State::Quote,
                b'\\' => self.state = State::QuotedEscape,
                _ => self.text.push(byte),
            },
            State::QuotedEscape => {
                self.state = State::Quoted;
                self.text.push(byte);
            }
        }
        false
    }

    /// Takes a byte outside of quotes. Returns `true` if it ends a row.
    fn take_unquoted(&mut self, byte: u8) -> bool {
        match byte {
            b'"' if self.state == State::Quote => {
                self.text.push(b'"');
                self.state = State::Quoted;
            }
            b'\n' => {
                self.drop_carriage_return();
                if self.state == State::RowStart || self.is_empty_line() {
                    self.text.clear();
                    self.state = State::RowStart;
                    return false;
                }
                self.end_field();
                return true;
            }
            b'\\' => self.state = State::PlainEscape,
            _ if byte == self.delimiter => {
                self.end_field();
                self.state = State::FieldStart;
            }
            _ => {
                self.text.push(byte);
                self.state = State::Plain;
            }
        }
        false
    }

    /// Takes the carriage return of a line's end off the last field.
    fn drop_carriage_return(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.state == State::Plain && self.text.len() > start && self.text.last() == Some(&b'\r') {
            self.text.pop();
        }
    }

    /// Returns `true` if the line that ends here has nothing in it.
    fn is_empty_line(&self) -> bool {
        self.state == State::Plain && self.ends.is_empty() && self.text.is_empty()
    }

    fn end_field(&mut self) {
        self.ends.push(self.text.len());
    }

    /// Returns the row that is complete, unless it has the headers.
    fn row(&mut self) -> Result<Option<Record>, Bad> {
        self.check_length()?;
        let text = str::from_utf8(&self.text).map_err(|_| Bad::from("the row is not UTF-8"))?;
        let mut starts = 0;
        let mut fields = self.ends.iter().map(|end| {
            let start = std::mem::replace(&mut starts, *end);
            // A field may end within a character, where bytes that are none are joined.
            text.get(start..*end).ok_or(Bad::from("a field is not UTF-8"))
        });
        let record = match &self.headers {
            None => {
                if self.ends.len() > MAX_HEADERS {
                    let count = self.ends.len();
                    return Err(format!("there are {count} CSV headers, and at most {MAX_HEADERS} are allowed").into());
                }
                let headers = fields.map(|field| field.map(Str::from)).collect::<Result<Vec<Str>, Bad>>()?;
                check_headers(&headers)?;
                self.headers = Some(headers);
                None
            }
            Some(headers) => {
                let mut row = Object::with_capacity(headers.len());
                for header in headers {
                    row.insert(header.clone(), text_of(fields.next().transpose()?.unwrap_or_default()));
                }
                Some(Record { key: None, value: Value::from(row) })
            }
        };
        self.text.clear();
        self.ends.clear();
        self.state = State::RowStart;
        Ok(record)
    }
}

/// Returns the text of a field.
fn text_of(field: &str) -> Str {
    if field.is_empty() { Str::default() } else { Str::from(field) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads rows that arrive in pieces of this length.
    fn records(data: &[u8], piece: usize, delimiter: Delimiter) -> Result<Vec<String>, Bad> {
        let mut decoder = CsvDecoder::new(&Headers::FirstRow, delimiter);
        let mut records = Vec::new();
        for mut piece in data.chunks(piece) {
            while !piece.is_empty() {
                let (taken, fed) = decoder.feed(piece)?;
                piece = &piece[taken..];
                if let Fed::Record(record) = fed {
                    records.push(record.value.to_string());
                }
            }
        }
        records.extend(decoder.end()?.map(|record| record.value.to_string()));
        Ok(records)
    }

    #[test]
    fn rows_that_arrive_as_a_whole_are_those_that_arrive_byte_by_byte() {
        let row = |fields: &str| format!("a,b,c\n{fields}\nx,y,z\n").into_bytes();
        let texts = [
            "1,2,3",
            "1,2",
            "1",
            ",",
            ",,",
            ",,,",
            "1,2,3,4",
            "",
            "\r",
            "1,2,3\r",
            "1,2,\r",
            "\r\r",
            " ",
            "1,\r,3",
            "\u{e4},\u{1f600},",
            "1,\"2\n,\",3",
            "1,2\",3",
            "1\\,2,3",
            "\"1\",\"2\"\"\",3",
            "\\\n",
            "\"",
        ];
        let mut all: Vec<Vec<u8>> = texts.iter().map(|fields| row(fields)).collect();
        all.push(b"a,b\n\xff,1\n".to_vec());
        all.push(b"a,b\n1,\xc3\n".to_vec());
        use Delimiter::{Comma, Pipe, Semicolon, Space, Tab};
        for delimiter in [Comma, Pipe, Semicolon, Space, Tab] {
            for data in &all {
                // A comma is text where another delimiter is set.
                let other: Vec<u8> =
                    data.iter().map(|byte| if *byte == b',' { delimiter.byte() } else { *byte }).collect();
                for data in [data, &other] {
                    let expected = records(data, 1, delimiter);
                    for piece in [2, 3, 7, data.len()] {
                        let shown = String::from_utf8_lossy(data);
                        assert_eq!(records(data, piece, delimiter), expected, "{shown} {delimiter:?} {piece}");
                    }
                }
            }
            let two = format!("a{0}b\n1,2{0}3;4|5\n", char::from(delimiter.byte()));
            let expected = match delimiter {
                Comma => r#"{"a":"1","b":"2"}"#,
                Pipe => r#"{"a":"1,2","b":"3;4"}"#,
                Semicolon => r#"{"a":"1,2","b":"3"}"#,
                Space | Tab => r#"{"a":"1,2","b":"3;4|5"}"#,
            };
            let whole = records(two.as_bytes(), two.len(), delimiter);
            assert_eq!(whole.as_deref(), Ok(&[expected.to_owned()][..]), "{delimiter:?}");
        }
        assert_eq!(records(&row("1,,3"), 100, Comma).as_deref().map(<[String]>::len), Ok(2));
        assert_eq!(
            records(&row("1"), 100, Comma).map(|records| records[0].clone()),
            Ok(r#"{"a":"1","b":"","c":""}"#.into())
        );
    }
}
