//! Constants of a definition.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::Value;

/// A constant of a definition: JSON text of the program, read on first use.
#[doc(hidden)]
pub struct Literal {
    text: &'static str,
    value: OnceLock<Value>,
}

impl Literal {
    /// Creates the constant of a JSON text. Generated code guarantees that it is valid.
    pub const fn new(text: &'static str) -> Literal {
        Literal { text, value: OnceLock::new() }
    }

    /// Returns the value.
    ///
    /// # Panics
    /// Panics if the text is not JSON, which is a defect of the program and not of its data.
    pub fn value(&self) -> &Value {
        self.value.get_or_init(|| match Value::from_json(self.text) {
            Ok(value) => value,
            Err(error) => panic!("the literal `{}` is not JSON: {error}", self.text),
        })
    }
}

impl Deref for Literal {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.value()
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}
