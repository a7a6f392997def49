//! Inputs of checks: bytes that choose the shape of a template, and texts that fill it.

use crate::Family;
use std::collections::BTreeMap;

/// The byte that ends a text.
const END: u8 = 0x1e;
/// The largest number of places in a template.
pub(crate) const PLACES: usize = 24;

/// The shape of a definition, and its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The bytes that choose the shape.
    pub program: Vec<u8>,
    /// The texts. A plain word replaces an empty or missing text.
    pub texts: Vec<String>,
}

impl Input {
    /// Reads an input: the program up to the first record separator (0x1e), then texts with one
    /// separator between them.
    pub fn from_bytes(bytes: &[u8]) -> Input {
        let mut parts = bytes.split(|byte| *byte == END);
        let program = parts.next().unwrap_or_default().to_vec();
        let texts = parts.take(PLACES).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
        Input { program, texts }
    }

    /// Returns the bytes that [`Input::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.program.clone();
        for text in &self.texts {
            bytes.push(END);
            bytes.extend(text.bytes().filter(|byte| *byte != END));
        }
        bytes
    }
}

/// A reader of choices. After the last byte, every choice is the first one.
pub(crate) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter() }
    }

    /// Returns a number below `end`, which must not be 0.
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

    /// Returns plain words for the places of the texts: equal words for equal texts, and in the
    /// same order.
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

    /// Returns `true` if a text can have a meaning in its place, so that the structure of the code
    /// depends on it: placeholders, paths, and error names that the dialects define.
    pub fn are_meaningful(&self) -> bool {
        let is_meaningful = |text: &str| {
            text.contains("${")
                || text.starts_with('$')
                || text.ends_with(".$")
                || text.contains("States.")
                || text.contains("arn:")
                || text.contains("://")
                // A task is named by the last part of its resource, or else by its state. So two
                // such texts may or may not yield one task.
                || text.contains([':', '/'])
                || text.trim() != text
        };
        self.iter().any(is_meaningful)
    }
}

/// Returns a word that occurs in no template and in no generated code.
fn plain_word(rank: usize) -> String {
    format!("zq{}qz", letter(rank))
}

fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}
