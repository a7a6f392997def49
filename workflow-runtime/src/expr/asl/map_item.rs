//! The input of the selector of a distributed Map: an item, and the values that the Map has
//! captured for all of them, in the member `scope`.

use crate::support::NULL;
use crate::value::{Object, Value, object};

/// Returns a variable for the `scope` of a Map: an array that is empty if it is unassigned.
pub fn captured(variable: Option<&Value>) -> Value {
    variable.cloned().into_iter().collect()
}

/// Returns a captured value.
pub fn value_in_scope(item: &Value, index: i64) -> &Value {
    in_scope(item, index).unwrap_or(&NULL)
}

/// Returns a captured variable, if it was assigned.
pub fn variable_in_scope(item: &Value, index: i64) -> Option<&Value> {
    in_scope(item, index)?.as_array()?.first()
}

fn in_scope(item: &Value, index: i64) -> Option<&Value> {
    item.get("scope")?.as_array()?.get(usize::try_from(index).ok()?)
}

/// Returns the context object for an item: the captured one with `Map.Item`.
pub fn item_context(item: &Value, index: i64) -> Value {
    let mut context = value_in_scope(item, index).as_object().cloned().unwrap_or_else(Object::new);
    let mut shown = Object::new();
    for (name, member) in [("Index", "index"), ("Key", "key"), ("Value", "value"), ("Source", "source")] {
        if let Some(value) = item.get(member) {
            shown.insert(name, value.clone());
        }
    }
    context.insert("Map", object([("Item", Value::from(shown))]));
    Value::from(context)
}
