//! The signatures of functions.

use crate::ast::{Param, Signature};
use crate::error::SyntaxError;

impl Signature {
    /// Reads a signature: `<s-nn?:s>`. Characters without a meaning are ignored, and so is the
    /// type of the result, as in the reference implementation.
    ///
    /// # Errors
    ///
    /// Returns `S0401` for elements of a type that is neither an array nor a function, and
    /// `S0402` for elements inside of a choice. The place is the one in the signature.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let inner = text.strip_prefix('<').unwrap_or(text);
        let offset = text.len() - inner.len();
        let inner = inner.strip_suffix('>').unwrap_or(inner);
        let mut params: Vec<Param> = Vec::new();
        let mut position = 0;
        while let Some(symbol) = inner[position..].chars().next() {
            let rest = &inner[position + symbol.len_utf8()..];
            let mut length = symbol.len_utf8();
            match symbol {
                ':' => break,
                's' | 'n' | 'b' | 'l' | 'o' | 'a' | 'f' | 'j' | 'x' => params.push(Param::of(symbol.into())),
                '-' => change(&mut params, |param| param.takes_context = true),
                '?' => change(&mut params, |param| param.is_optional = true),
                '+' => change(&mut params, |param| param.is_repeated = true),
                '(' => {
                    let choice = inside(rest, '(', ')');
                    if choice.contains('<') {
                        let message = "Choice groups containing parameterized types are not supported";
                        let start = offset + position;
                        return Err(*SyntaxError::new("S0402", message, start..start + 1 + choice.len()));
                    }
                    params.push(Param::of(choice.to_owned()));
                    length = (1 + choice.len() + 1).min(inner.len() - position);
                }
                '<' => {
                    let items = inside(rest, '<', '>');
                    let last = params.last_mut().filter(|param| matches!(&*param.types, "a" | "f"));
                    let Some(param) = last else {
                        let message = "Type parameters can only be applied to functions and arrays";
                        let start = offset + position;
                        return Err(*SyntaxError::new("S0401", message, start..start + 1));
                    };
                    param.items = Some(items.to_owned());
                    length = (1 + items.len() + 1).min(inner.len() - position);
                }
                _ => {}
            }
            position += length;
        }
        Ok(Self { text: inner.to_owned(), params })
    }

    /// Returns the number of parameters up to the last one that needs an argument.
    pub fn needed(&self) -> usize {
        self.params.iter().rposition(|param| !param.is_optional).map_or(0, |last| last + 1)
    }
}

impl Param {
    /// Returns a parameter of these types.
    fn of(types: String) -> Self {
        Self { types, items: None, is_optional: false, takes_context: false, is_repeated: false }
    }
}

/// Changes the last parameter, if there is one.
fn change(params: &mut [Param], change: impl FnOnce(&mut Param)) {
    if let Some(param) = params.last_mut() {
        change(param);
    }
}

/// Returns the text to the bracket that closes the one before it.
fn inside(text: &str, opening: char, closing: char) -> &str {
    let mut depth = 1_usize;
    for (place, symbol) in text.char_indices() {
        if symbol == closing {
            depth -= 1;
            if depth == 0 {
                return &text[..place];
            }
        } else if symbol == opening {
            depth += 1;
        }
    }
    text
}
