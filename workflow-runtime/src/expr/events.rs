//! Operations shared by the dialects that wait for events.

use crate::event::CloudEvent;
use crate::machine::Core;
use crate::value::Value;
#[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
use crate::value::object;

/// Returns the data that an execution starts with. Null becomes the empty object.
#[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
pub fn input(input: Value) -> Value {
    if input.is_null() { object([]) } else { input }
}

/// Returns `true` if an event is of one of the definition's event kinds with these numbers.
pub fn is_event(event: &Value, numbers: &[&str], core: &mut Core) -> bool {
    let Ok(event) = CloudEvent::from_value(event) else { return false };
    numbers.iter().filter_map(|number| number.parse().ok()).any(|number| core.is_event(number, &event))
}
