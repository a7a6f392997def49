//! Shapes of values, for tests that shapes admit what expressions yield.

use crate::shapes::Shape;
use workflow_runtime::Value;

/// Returns the shape of a value alone, as far as the limits of shapes allow.
pub fn exact(value: &Value) -> Shape {
    match value {
        Value::Null => Shape::null(),
        Value::Bool(value) => Shape::flag(*value),
        Value::Int(value) => Shape::whole(*value),
        Value::Float(_) => Shape::number(),
        Value::String(text) => Shape::text(text),
        Value::Array(items) => Shape::tuple(items.iter().map(exact).collect()),
        Value::Object(members) => Shape::record(members.iter().map(|(name, member)| (&**name, exact(member)))),
    }
}

/// Returns the shapes in which a value is analysed: alone, without its constants, and as one of
/// all values.
pub fn views(value: &Value, all: &[Value]) -> [Shape; 3] {
    let alone = exact(value);
    let shapes: Vec<Shape> = all.iter().map(exact).collect();
    [alone.clone(), alone.generalised(), Shape::union(&shapes).join(&alone)]
}

/// Returns `true` if a shape has a value.
pub fn admits(shape: &Shape, value: &Value) -> bool {
    let exact = exact(value);
    exact.is_any() || exact.is_within(shape)
}
