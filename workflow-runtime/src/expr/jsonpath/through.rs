//! Names of members that are looked for in the one element of an array, too.

use crate::value::{Key, Value};

/// The key of a member; of an array of one element it is that element's. Any other array has no such member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Through<'a>(pub &'a str);

impl Key for Through<'_> {
    fn get_in(self, value: &Value) -> Option<&Value> {
        within(value).get(self.0)
    }

    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value> {
        // Asked first, so that nothing is copied in vain.
        within(value).get(self.0)?;
        let mut value = value;
        while matches!(value, Value::Array(_)) {
            value = value.get_mut(0)?;
        }
        value.get_mut(self.0)
    }
}

/// The element of an array of one, or of such an array in one; any other value itself.
pub(super) fn within(mut value: &Value) -> &Value {
    while let Value::Array(items) = value {
        match &items[..] {
            [only] => value = only,
            _ => break,
        }
    }
    value
}
