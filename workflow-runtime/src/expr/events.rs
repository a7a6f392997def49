//! Operations shared by the dialects that wait for events.

use std::time::Duration;

use crate::event::CloudEvent;
use crate::machine::Core;
use crate::value::Value;
use crate::value::object;

/// Returns the data that an execution starts with. Null becomes the empty object.
pub fn input(input: Value) -> Value {
    if input.is_null() { object([]) } else { input }
}

/// Returns the timestamp `seconds` from now.
pub fn in_seconds(seconds: f64, core: &mut Core) -> Value {
    Value::from(core.now().plus(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

/// Returns `true` if an event is of one of the definition's event kinds with these numbers.
pub fn is_event(event: &Value, numbers: &[&str], core: &mut Core) -> bool {
    let Ok(event) = CloudEvent::from_value(event) else { return false };
    numbers.iter().filter_map(|number| number.parse().ok()).any(|number| core.is_event(number, &event))
}
