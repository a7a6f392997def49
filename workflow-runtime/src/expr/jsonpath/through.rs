//! Member names that look into arrays of one element.

use crate::value::{Key, Value};

/// The name of a member. Applied to an array of one element, it selects the member of that
/// element. Any other array has no such member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Through<'a>(pub &'a str);

impl Key for Through<'_> {
    fn get_in(self, value: &Value) -> Option<&Value> {
        within(value).get(self.0)
    }

    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value> {
        // A lookup first, so that nothing is copied for a missing member.
        within(value).get(self.0)?;
        let mut value = value;
        while matches!(value, Value::Array(_)) {
            value = value.get_mut(0)?;
        }
        value.get_mut(self.0)
    }
}

/// Returns the element of an array of one element, repeatedly. Returns any other value itself.
pub(super) fn within(mut value: &Value) -> &Value {
    while let Value::Array(items) = value {
        match &items[..] {
            [only] => value = only,
            _ => break,
        }
    }
    value
}
