//! Binary format of history events: the fields of their lines, without what the execution's row
//! has, and with repeated texts and payloads written once.
//!
//! A segment holds the events of a commit, and can be read by itself.

use workflow_runtime::observe::HistoryField;
use workflow_runtime::value::codec::{LoadError, Reader, Writer};
use workflow_runtime::{Object, Str, Timestamp, Value};

/// Keys by their codes; the first has the code [`FIRST_KEY`]. New keys are added at the end.
const KEYS: [&str; 26] = [
    "time",
    "workflow",
    "execution",
    "event",
    "state",
    "path",
    "task",
    "attempt",
    "again",
    "input",
    "output",
    "error",
    "cause",
    "retry",
    "delay",
    "restart",
    "redrive",
    "stage",
    "events",
    "until",
    "id",
    "source",
    "type",
    "child",
    "call",
    "detached",
];

/// Codes of what is no key of [`KEYS`]: the end of an event, and any other key.
const END: u8 = 0;
const OTHER_KEY: u8 = 1;
const FIRST_KEY: u8 = 2;

/// Kinds of fields.
mod kind {
    /// The id or the workflow of the execution.
    pub const OWN: u8 = 0;
    /// A time, as its distance from the one before.
    pub const TIME: u8 = 1;
    /// A text that later events may refer to.
    pub const TEXT: u8 = 2;
    /// An earlier text, by its number.
    pub const KNOWN_TEXT: u8 = 3;
    /// A value.
    pub const VALUE: u8 = 4;
}

/// Largest number and length of texts that can be referred to.
const MAX_TEXTS: usize = 64;
const MAX_TEXT: usize = 64;

/// Most bytes that a segment makes room for before its first field. Few segments have more.
const MAX_EXPECTED: usize = 8_200;

/// Names that every line has, and that the execution's row has as well.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub workflow: &'a str,
    pub execution: &'a str,
}

impl<'a> Names<'a> {
    /// Returns the execution's own value of a key.
    fn of(self, key: &str) -> Option<&'a str> {
        match key {
            "workflow" => Some(self.workflow),
            "execution" => Some(self.execution),
            _ => None,
        }
    }
}

/// Segment that is being written.
#[derive(Default)]
pub struct Segment {
    writer: Writer,
    texts: Vec<Str>,
    /// Last time, in microseconds.
    time: i64,
    /// Position in [`KEYS`] behind the last key.
    next_key: usize,
    events: usize,
    /// Number of bytes to make room for.
    expected: usize,
    /// Set if something was added.
    is_begun: bool,
}

impl Segment {
    /// Sets the number of bytes to make room for when the first field is added, if none was.
    pub fn expect_size(&mut self, bytes: usize) {
        if !self.is_begun {
            self.expected = bytes.min(MAX_EXPECTED);
        }
    }

    /// Adds a field to the current event.
    pub fn add(&mut self, key: &'static str, field: HistoryField<'_>, own: Names<'_>) {
        if !self.is_begun && self.expected > 0 {
            self.writer = Writer::with_capacity(self.expected);
        }
        self.is_begun = true;
        self.put_key(key);
        match field {
            HistoryField::Time(time) => {
                self.writer.u8(kind::TIME);
                self.writer.i64(time.as_micros().wrapping_sub(self.time));
                self.time = time.as_micros();
            }
            HistoryField::Text(text) if own.of(key) == Some(text) => self.writer.u8(kind::OWN),
            HistoryField::Text(text) => self.put_text(text, || text.into()),
            field => match Value::from(field) {
                Value::String(text) => self.put_text(&text, || text.clone()),
                value => {
                    self.writer.u8(kind::VALUE);
                    self.writer.put(&value);
                }
            },
        }
    }

    /// Ends the current event.
    pub fn end_event(&mut self) {
        self.is_begun = true;
        self.writer.u8(END);
        self.next_key = 0;
        self.events += 1;
    }

    /// Appends the segment to others. Returns the number of its events.
    pub fn append_to(self, segments: &mut Vec<u8>) -> usize {
        if self.events > 0 {
            let bytes = self.writer.finish();
            let mut head = Writer::new();
            head.count(self.events);
            head.count(bytes.len());
            let head = head.finish();
            segments.reserve_exact(head.len() + bytes.len());
            segments.extend_from_slice(&head);
            segments.extend_from_slice(&bytes);
        }
        self.events
    }

    /// Writes a key. Keys occur in the order of the list, mostly.
    fn put_key(&mut self, key: &'static str) {
        let (before, behind) = KEYS.split_at(self.next_key);
        let found = behind.iter().position(|known| *known == key).map(|at| at + before.len());
        match found.or_else(|| before.iter().position(|known| *known == key)) {
            Some(at) => {
                self.writer.u8(FIRST_KEY + at as u8);
                self.next_key = at + 1;
            }
            None => {
                self.writer.u8(OTHER_KEY);
                self.writer.str(key);
            }
        }
    }

    fn put_text(&mut self, text: &str, keep: impl FnOnce() -> Str) {
        if let Some(number) = self.texts.iter().position(|known| &**known == text) {
            self.writer.u8(kind::KNOWN_TEXT);
            self.writer.count(number);
        } else if text.len() <= MAX_TEXT && self.texts.len() < MAX_TEXTS {
            self.writer.u8(kind::TEXT);
            self.writer.str(text);
            self.texts.push(keep());
        } else {
            self.writer.u8(kind::VALUE);
            self.writer.put(&Value::String(keep()));
        }
    }
}

/// Returns the number of events in segments.
///
/// # Errors
///
/// Returns an error if the segments are damaged.
pub fn count(segments: &[u8]) -> Result<u64, LoadError> {
    let (mut r, mut all) = (Reader::new(segments), 0u64);
    while !r.is_at_end() {
        let (events, _) = open(&mut r)?;
        all = all.checked_add(events).ok_or_else(|| wrong_number(&r))?;
    }
    Ok(all)
}

/// Returns the events in segments, without their texts. Ends after an error.
pub fn events<'a>(segments: &'a [u8], own: Names<'a>) -> StoredEvents<'a> {
    StoredEvents { rest: Reader::new(segments), left: 0, segment: Reader::new(&[]), texts: Vec::new(), time: 0, own }
}

/// Iterator over the events in segments.
pub struct StoredEvents<'a> {
    /// Segments that are not open yet.
    rest: Reader<'a>,
    /// Number of events that the open segment still has.
    left: u64,
    segment: Reader<'a>,
    texts: Vec<&'a str>,
    /// Last time in the segment.
    time: i64,
    own: Names<'a>,
}

impl Iterator for StoredEvents<'_> {
    type Item = Result<Value, LoadError>;

    fn next(&mut self) -> Option<Result<Value, LoadError>> {
        let event = self.read().transpose()?;
        if event.is_err() {
            (self.left, self.segment, self.rest) = (0, Reader::new(&[]), Reader::new(&[]));
        }
        Some(event)
    }
}

impl StoredEvents<'_> {
    fn read(&mut self) -> Result<Option<Value>, LoadError> {
        if self.left == 0 {
            if !self.segment.is_at_end() {
                return Err(wrong_number(&self.segment));
            }
            if self.rest.is_at_end() {
                return Ok(None);
            }
            let (events, bytes) = open(&mut self.rest)?;
            (self.left, self.segment, self.time) = (events, Reader::new(bytes), 0);
            self.texts.clear();
        }
        self.left -= 1;
        event(&mut self.segment, &mut self.texts, &mut self.time, self.own).map(Some)
    }
}

/// Opens the next segment. Returns the number of its events, and their bytes. An event has at
/// least one byte.
fn open<'a>(r: &mut Reader<'a>) -> Result<(u64, &'a [u8]), LoadError> {
    let (events, bytes) = (r.u64()?, r.bytes()?);
    match events >= 1 && events <= bytes.len() as u64 {
        true => Ok((events, bytes)),
        false => Err(wrong_number(r)),
    }
}

fn wrong_number(r: &Reader<'_>) -> LoadError {
    r.error("the number of events is wrong")
}

fn event<'a>(r: &mut Reader<'a>, texts: &mut Vec<&'a str>, time: &mut i64, own: Names<'_>) -> Result<Value, LoadError> {
    let mut line = Object::new();
    loop {
        let key = match r.u8()? {
            END => return Ok(line.into()),
            OTHER_KEY => r.str()?,
            code => {
                let key = code.checked_sub(FIRST_KEY).and_then(|at| KEYS.get(usize::from(at))).copied();
                key.ok_or_else(|| r.error(format!("unknown key {code} of a history event")))?
            }
        };
        let value: Value = match r.u8()? {
            kind::OWN => own.of(key).ok_or_else(|| r.error(format!("the execution has no `{key}`")))?.into(),
            kind::TIME => {
                *time = time.wrapping_add(r.i64()?);
                Timestamp::from_micros(*time).into()
            }
            kind::TEXT => {
                let text = r.str()?;
                texts.push(text);
                text.into()
            }
            kind::KNOWN_TEXT => {
                let number = r.u64()?;
                let known = usize::try_from(number).ok().and_then(|number| texts.get(number));
                (*known.ok_or_else(|| r.error(format!("undefined reference to the text {number}")))?).into()
            }
            kind::VALUE => r.take()?,
            other => return Err(r.error(format!("unknown kind {other} of a field"))),
        };
        line.insert(Str::from(key), value);
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    const OWN: Names<'static> = Names { workflow: "order", execution: "one" };

    /// Returns the events in segments as lines of JSON.
    fn lines(segments: &[u8]) -> Result<Vec<String>, LoadError> {
        super::events(segments, OWN).map(|event| Ok(event?.to_string())).collect()
    }

    fn written(events: &[Vec<(&'static str, HistoryField<'static>)>]) -> Vec<u8> {
        let mut segment = Segment::default();
        for event in events {
            event.iter().for_each(|(key, field)| segment.add(key, field.clone(), OWN));
            segment.end_event();
        }
        let mut bytes = Vec::new();
        assert_eq!(segment.append_to(&mut bytes), events.len());
        bytes
    }

    fn events() -> Vec<Vec<(&'static str, HistoryField<'static>)>> {
        let document = value!({ "items": ["a text that is long enough to be shared by events", 1.5] });
        let event = |state: &'static str, at| {
            vec![
                ("time", HistoryField::Time(Timestamp::from_micros(at))),
                ("workflow", HistoryField::Text("order")),
                ("execution", HistoryField::Text("one")),
                ("event", HistoryField::Text("StateEntered")),
                ("state", HistoryField::Text(state)),
                ("of a later version", HistoryField::Data(Value::from(true))),
                ("input", HistoryField::Data(document.clone())),
            ]
        };
        let mut child = event("Pay", i64::MAX);
        child[2] = ("execution", HistoryField::Text("another"));
        vec![event("Pay", 1_700_000_000_000_000), event("Ship", 1_700_000_000_000_007), child, Vec::new()]
    }

    #[test]
    fn events_are_read_back_as_lines_of_json() {
        let bytes = written(&events());
        let expected = events().into_iter().map(|event| {
            let line: Object = event.into_iter().map(|(key, field)| (Str::from(key), Value::from(field))).collect();
            Value::from(line).to_string()
        });
        let expected: Vec<String> = expected.collect();
        assert_eq!(lines(&bytes), Ok(expected.clone()));
        assert!(bytes.len() * 3 < expected.concat().len() * 2, "{}", bytes.len());
        // Segments are read one after the other.
        let twice = [bytes.clone(), written(&events()[..1])].concat();
        assert_eq!((count(&bytes), count(&twice), count(&[])), (Ok(4), Ok(5), Ok(0)));
        assert_eq!(lines(&twice), Ok([&expected[..], &expected[..1]].concat()));
    }

    #[test]
    fn many_and_long_texts_are_kept() {
        let long = Value::from("long ".repeat(40));
        let texts = (0..200).map(|number| Value::from(format!("text {}", number % 100))).chain([long.clone(), long]);
        let events: Vec<_> = texts.map(|text| vec![("state", HistoryField::Data(text))]).collect();
        let line = |event: &Vec<(&str, HistoryField<'_>)>| format!("{{\"state\":{}}}", Value::from(event[0].1.clone()));
        assert_eq!(lines(&written(&events)), Ok(events.iter().map(line).collect()));
    }

    #[test]
    fn damaged_segments_are_refused() {
        let bytes = written(&events());
        for end in 1..bytes.len() {
            assert!(lines(&bytes[..end]).is_err(), "{end}");
        }
        // Whatever a byte becomes, reading ends.
        for at in 0..bytes.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                if let (Ok(lines), Ok(count)) = (lines(&damaged), count(&damaged)) {
                    assert_eq!(lines.len() as u64, count, "{at}");
                }
            }
        }
        // No event, one event in no byte, 2^64 - 1 events, two events in one byte, one in two.
        let most = [&[0xff; 9][..], &[1, 0]].concat();
        for damaged in [&[0, 0][..], &[1, 0], &most, &[2, 1, END]] {
            assert!(lines(damaged).is_err() && count(damaged).is_err(), "{damaged:?}");
        }
        assert!(lines(&[1, 2, END, END]).is_err());
        assert_eq!(events_after_error(&[1, 1, 0xff, 1, 1, END]), 0);
    }

    #[test]
    fn a_segment_that_expects_a_size_loses_nothing() {
        let field = |segment: &mut Segment, key| segment.add(key, HistoryField::Data(Value::from(1)), OWN);
        let mut segment = Segment::default();
        segment.expect_size(usize::MAX);
        assert_eq!(segment.expected, MAX_EXPECTED);
        segment.end_event();
        field(&mut segment, "of a later version");
        segment.expect_size(100);
        field(&mut segment, "state");
        segment.end_event();
        let mut bytes = Vec::new();
        assert_eq!(segment.append_to(&mut bytes), 2);
        let expected = ["{}", r#"{"of a later version":1,"state":1}"#].map(str::to_owned);
        assert_eq!(lines(&bytes), Ok(expected.to_vec()));
    }

    fn events_after_error(segments: &[u8]) -> usize {
        super::events(segments, OWN).skip_while(Result::is_ok).skip(1).count()
    }
}
