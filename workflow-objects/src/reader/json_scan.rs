//! The end of a JSON value, found as its bytes arrive. The scanner does not check that the value
//! is JSON: the parser that receives its text does.

use super::decode::Bad;

/// The deepest nesting, as values of the runtime have it. The open brackets are the bits of a
/// `u128`.
const MAX_DEPTH: u32 = 127;

/// A scanner for one value, and the blanks before it.
#[derive(Debug, Default)]
pub(crate) struct ValueScan {
    kind: Kind,
    depth: u32,
    /// The kinds of the open brackets, innermost in the lowest bit: 1 for `{`.
    braces: u128,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[default]
    Start,
    /// A number or a word, which ends before what cannot be part of it.
    Scalar,
    String,
    /// Behind a backslash in a string.
    Escape,
    /// Between brackets.
    Nested,
}

impl ValueScan {
    /// Takes bytes. Returns the number of those that belong to the value if it ends among them.
    ///
    /// # Errors
    /// Brackets do not match, or the nesting is too deep.
    pub(crate) fn feed(&mut self, data: &[u8]) -> Result<Option<usize>, Bad> {
        let mut at = 0;
        while let Some(byte) = data.get(at) {
            match self.kind {
                Kind::Start | Kind::Nested => match byte {
                    b'"' => self.kind = Kind::String,
                    b'{' | b'[' => self.open(*byte == b'{')?,
                    b'}' | b']' => self.close(*byte == b'}')?,
                    b' ' | b'\t' | b'\r' | b'\n' => {}
                    _ if self.kind == Kind::Start => self.kind = Kind::Scalar,
                    _ => {}
                },
                Kind::Scalar => {
                    if matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n') {
                        return Ok(Some(at));
                    }
                }
                Kind::String => match byte {
                    b'"' => self.kind = Kind::Nested,
                    b'\\' => self.kind = Kind::Escape,
                    // The rest of the text at once.
                    _ => {
                        let rest = &data[at..];
                        let text = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
                        at += text.unwrap_or(rest.len());
                        continue;
                    }
                },
                Kind::Escape => self.kind = Kind::String,
            }
            at += 1;
            if self.kind == Kind::Nested && self.depth == 0 {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn open(&mut self, brace: bool) -> Result<(), Bad> {
        if self.depth == MAX_DEPTH {
            return Err(format!("the JSON is nested deeper than {MAX_DEPTH} levels").into());
        }
        self.kind = Kind::Nested;
        self.depth += 1;
        self.braces = self.braces << 1 | u128::from(brace);
        Ok(())
    }

    fn close(&mut self, brace: bool) -> Result<(), Bad> {
        if self.depth == 0 || self.braces & 1 != u128::from(brace) {
            return Err("a bracket in the JSON has no partner".into());
        }
        self.depth -= 1;
        self.braces >>= 1;
        Ok(())
    }
}
