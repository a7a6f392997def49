//! The elements of an array, or the members of an object, of a JSON document of any size.

use workflow_runtime::{Str, Value};

use super::decode::{Bad, Fed, Record};
use super::json_scan::ValueScan;
use super::limits::MAX_RECORD;
use super::pointer::{Pointer, index_of};

/// AWS's message where there are no items.
const NOT_ITERABLE: &str = "Attempting to map over non-iterable node.";

/// A decoder of the items of a JSON document.
pub(crate) struct JsonDecoder {
    pointer: Pointer,
    /// The number of segments of the pointer that were followed.
    followed: usize,
    step: Step,
    /// The key of the member that is being read.
    key: Option<Str>,
    /// The beginning of a value whose end has not arrived.
    begun: Vec<u8>,
    /// `true` if the items are members.
    members: bool,
}

/// The part of the document that comes next, after blanks.
enum Step {
    /// The value that the followed segments point to.
    Target,
    /// A member on the way to the items. `true` if it is the first one or an end.
    WayKey { first: bool },
    /// The text of a member's name on the way.
    WayName(ValueScan),
    /// The colon behind it, whose value is on the way if `matches`.
    WayColon { matches: bool },
    /// An element on the way, which is the wanted one if `left` is 0.
    WayElement { left: u64, first: bool },
    /// A value beside the way. `left` is the number of elements before the wanted one, if in an
    /// array.
    Aside { scan: ValueScan, left: Option<u64> },
    /// The comma behind such a value.
    AsideEnd { left: Option<u64> },
    /// An item, or the end if `end`.
    Item { end: bool },
    /// The text of a member's name.
    Name(ValueScan),
    /// The colon behind it.
    Colon,
    /// The first byte of a member's value.
    MemberValue,
    /// The text of an item.
    Value(ValueScan),
    /// The comma or the end behind an item.
    Comma,
    /// The end of the document.
    Rest,
    /// Nothing: what follows the items does not count.
    Done,
}

impl JsonDecoder {
    /// Creates a decoder, at the beginning of the document.
    pub(crate) fn new(pointer: &Pointer) -> JsonDecoder {
        JsonDecoder {
            pointer: pointer.clone(),
            followed: 0,
            step: Step::Target,
            key: None,
            begun: Vec::new(),
            members: false,
        }
    }

    /// Creates a decoder behind an item.
    pub(crate) fn behind_item(pointer: &Pointer, members: bool) -> JsonDecoder {
        JsonDecoder { step: Step::Comma, members, ..JsonDecoder::new(pointer) }
    }

    /// Returns `true` if the items are members of an object.
    pub(crate) fn has_members(&self) -> bool {
        self.members
    }

    /// Takes bytes up to the end of an item.
    ///
    /// # Errors
    /// The document is not JSON, has no items where the pointer leads, or an item is too long.
    pub(crate) fn feed(&mut self, data: &[u8]) -> Result<(usize, Fed), Bad> {
        let mut at = 0;
        loop {
            if matches!(self.step, Step::Done) {
                return Ok((at, Fed::Done));
            }
            let Some(byte) = data.get(at) else { return Ok((at, Fed::More)) };
            match &mut self.step {
                Step::WayName(scan) | Step::Name(scan) | Step::Value(scan) => {
                    let rest = &data[at..];
                    let end = scan.feed(rest)?;
                    let part = &rest[..end.unwrap_or(rest.len())];
                    if self.begun.len() + part.len() > MAX_RECORD {
                        return Err(format!("an item of the JSON is longer than {MAX_RECORD} bytes").into());
                    }
                    at += part.len();
                    match end {
                        None => self.begun.extend_from_slice(part),
                        Some(_) => {
                            if let Some(record) = self.complete(part)? {
                                return Ok((at, Fed::Record(record)));
                            }
                        }
                    }
                }
                Step::Aside { scan, left } => match scan.feed(&data[at..])? {
                    None => at = data.len(),
                    Some(length) => {
                        at += length;
                        self.step = Step::AsideEnd { left: *left };
                    }
                },
                _ if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                // The first byte of a value is part of its text.
                _ => at += usize::from(self.step_on(*byte)?),
            }
        }
    }

    /// Takes the end of the data.
    ///
    /// # Errors
    /// The document is not complete.
    pub(crate) fn end(&mut self) -> Result<(), Bad> {
        match &self.step {
            Step::Rest | Step::Done => Ok(()),
            Step::Target if self.followed == 0 => Err("there is no JSON".into()),
            _ => Err("the JSON ends too early".into()),
        }
    }

    /// Takes the last part of a text.
    fn complete(&mut self, part: &[u8]) -> Result<Option<Record>, Bad> {
        let mut joined = std::mem::take(&mut self.begun);
        let text = match joined.is_empty() {
            true => part,
            false => {
                joined.extend_from_slice(part);
                &joined
            }
        };
        let value = Value::from_json_slice(text).map_err(|error| Bad::from(format!("it is not JSON: {error}")))?;
        match &self.step {
            Step::Value(_) => {
                self.step = Step::Comma;
                return Ok(Some(Record { key: self.key.take(), value }));
            }
            Step::Name(_) => {
                self.key = value.as_str().map(Str::from);
                self.step = Step::Colon;
            }
            _ => {
                let matches = value.as_str() == self.pointer.segment(self.followed);
                self.step = Step::WayColon { matches };
            }
        }
        Ok(None)
    }

    /// Takes a byte that is no blank, outside of a text. Returns `false` if it is the first of a
    /// text, and must be taken again.
    fn step_on(&mut self, byte: u8) -> Result<bool, Bad> {
        let mut taken = true;
        self.step = match (&self.step, byte) {
            (Step::Target, _) => self.target(byte)?,
            (Step::WayKey { .. }, b'"') => {
                taken = false;
                Step::WayName(ValueScan::default())
            }
            (Step::WayKey { first: true }, b'}') | (Step::AsideEnd { left: None }, b'}') => return Err(self.nowhere()),
            (Step::WayColon { matches: true }, b':') => {
                self.followed += 1;
                Step::Target
            }
            (Step::WayColon { matches: false }, b':') => Step::Aside { scan: ValueScan::default(), left: None },
            (Step::WayElement { first: true, .. }, b']') | (Step::AsideEnd { left: Some(_) }, b']') => {
                return Err(self.nowhere());
            }
            (Step::WayElement { left, .. }, _) => {
                taken = false;
                match left {
                    0 => {
                        self.followed += 1;
                        Step::Target
                    }
                    _ => Step::Aside { scan: ValueScan::default(), left: Some(left - 1) },
                }
            }
            (Step::AsideEnd { left: None }, b',') => Step::WayKey { first: false },
            (Step::AsideEnd { left: Some(left) }, b',') => Step::WayElement { left: *left, first: false },
            (Step::Item { end: true }, b']') if !self.members => self.after_items(),
            (Step::Item { end: true }, b'}') if self.members => self.after_items(),
            (Step::Item { .. }, b'"') if self.members => {
                taken = false;
                Step::Name(ValueScan::default())
            }
            (Step::Item { .. }, b',' | b']' | b'}' | b':') => return Err(unexpected(byte)),
            (Step::Item { .. }, _) if !self.members => {
                taken = false;
                Step::Value(ValueScan::default())
            }
            (Step::Colon, b':') => Step::MemberValue,
            (Step::MemberValue, b',' | b']' | b'}' | b':') => return Err(unexpected(byte)),
            (Step::MemberValue, _) => {
                taken = false;
                Step::Value(ValueScan::default())
            }
            (Step::Comma, b',') => Step::Item { end: false },
            (Step::Comma, b']') if !self.members => self.after_items(),
            (Step::Comma, b'}') if self.members => self.after_items(),
            _ => return Err(unexpected(byte)),
        };
        Ok(taken)
    }

    /// Returns the step into the value that the followed segments point to.
    fn target(&mut self, byte: u8) -> Result<Step, Bad> {
        Ok(match (self.pointer.segment(self.followed), byte) {
            (None, b'[') => Step::Item { end: true },
            // AWS takes the members of an object, but not those of a whole document.
            (None, b'{') if !self.pointer.is_root() => {
                self.members = true;
                Step::Item { end: true }
            }
            (None, _) => return Err(NOT_ITERABLE.into()),
            (Some(_), b'{') => Step::WayKey { first: true },
            (Some(segment), b'[') => match index_of(segment) {
                Some(left) => Step::WayElement { left, first: true },
                None => return Err(self.nowhere()),
            },
            (Some(_), _) => return Err(self.nowhere()),
        })
    }

    /// Returns the step behind the items. A document ends there, and what else is beside them in a
    /// document does not matter.
    fn after_items(&self) -> Step {
        match self.pointer.is_root() {
            true => Step::Rest,
            false => Step::Done,
        }
    }

    fn nowhere(&self) -> Bad {
        format!("{NOT_ITERABLE} The ItemsPointer {} leads nowhere", self.pointer).into()
    }
}

fn unexpected(byte: u8) -> Bad {
    format!("it is not JSON: unexpected {:?}", char::from(byte)).into()
}
