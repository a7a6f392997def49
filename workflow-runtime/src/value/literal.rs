//! Constants of a definition.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::Value;

/// A constant of a definition: JSON text of the program, read when it is first used.
pub struct Literal {
    text: &'static str,
    value: OnceLock<Value>,
}

impl Literal {
    /// The constant that the text describes. Generated code writes it; it is valid JSON.
    pub const fn new(text: &'static str) -> Literal {
        Literal { text, value: OnceLock::new() }
    }

    /// The value.
    ///
    /// # Panics
    /// If the text is not JSON: a defect of whoever wrote the program, not of its data.
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
