//! Inputs of checks: choices that shape a template, and texts that fill it.

use crate::Family;
use std::collections::BTreeMap;

/// A text ends with this byte.
const END: u8 = 0x1e;
/// How many places a template has at the most.
pub(crate) const PLACES: usize = 24;

/// The shape of a definition, and the texts in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The bytes that choose the shape.
    pub program: Vec<u8>,
    /// The texts. An empty one, or one that is missing, is a plain word.
    pub texts: Vec<String>,
}

impl Input {
    /// An input from bytes: the program up to the first record separator (0x1e), then texts with
    /// one between them.
    pub fn from_bytes(bytes: &[u8]) -> Input {
        let mut parts = bytes.split(|byte| *byte == END);
        let program = parts.next().unwrap_or_default().to_vec();
        let texts = parts.take(PLACES).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
        Input { program, texts }
    }

    /// The bytes that [`Input::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.program.clone();
        for text in &self.texts {
            bytes.push(END);
            bytes.extend(text.bytes().filter(|byte| *byte != END));
        }
        bytes
    }
}

/// Reads choices from bytes. After the last byte, every choice is the first one.
pub(crate) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter() }
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or_default()) % end
    }
}

/// The texts of all places of a template.
#[derive(Debug, Clone)]
pub(crate) struct Texts(Vec<String>);

impl Texts {
    pub fn hostile(family: Family, input: &Input) -> Texts {
        let text = |at: usize| match input.texts.get(at) {
            Some(text) if !text.is_empty() => family.fitted(at, text),
            _ => format!("word{}", letter(at)),
        };
        Texts((0..PLACES).map(text).collect())
    }

    /// Plain words in the places of the texts: equal ones for equal texts, and in the same order.
    pub fn plain(&self) -> Texts {
        let mut ranks: BTreeMap<&str, usize> = self.0.iter().map(|text| (&**text, 0)).collect();
        ranks.values_mut().enumerate().for_each(|(rank, place)| *place = rank);
        Texts(self.0.iter().map(|text| plain_word(ranks[&**text])).collect())
    }

    pub fn get(&self, place: usize) -> &str {
        &self.0[place % PLACES]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether a text can mean something in a place that it fills, so that the structure of the
    /// code depends on it: placeholders, paths, names of errors that the dialects define.
    pub fn are_meaningful(&self) -> bool {
        let is_meaningful = |text: &str| {
            text.contains("${")
                || text.starts_with('$')
                || text.ends_with(".$")
                || text.contains("States.")
                || text.contains("arn:")
                || text.contains("://")
                // A task is named by the last part of its resource, or else by its state: two of
                // them may be one, or not.
                || text.contains([':', '/'])
                || text.trim() != text
        };
        self.iter().any(is_meaningful)
    }
}

/// A word that nothing in a template or in the generated code has in it.
fn plain_word(rank: usize) -> String {
    format!("zq{}qz", letter(rank))
}

fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}
