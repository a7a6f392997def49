//! Conversion of the runtime's values to values of `cel`. Texts are borrowed.

use std::collections::HashMap;

use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString};
use cel::common::value::Val;

use crate::expr::jq::{self, budget};
use crate::value::{Str, Value};

/// Converts a value. Arrays and objects may have this many levels of nesting, because `cel`
/// traverses them recursively.
///
/// # Errors
/// Deeper nesting, and an exhausted budget.
pub(super) fn convert<'v>(value: &'v Value, levels: usize) -> jq::Result<Box<dyn Val + 'v>> {
    budget::charge_elements(1)?;
    budget::tick()?;
    let inner = || {
        let deep = "the data are nested too deeply for a CEL expression";
        levels.checked_sub(1).ok_or_else(|| jq::Error::message(deep))
    };
    Ok(match value {
        Value::Null => Box::new(CelNull),
        Value::Bool(value) => Box::new(CelBool::from(*value)),
        Value::Int(value) => Box::new(CelInt::from(*value)),
        Value::Float(value) => Box::new(CelDouble::from(*value)),
        Value::String(text) => Box::new(CelString::from(&**text)),
        Value::Array(items) => {
            let inner = inner()?;
            let items: jq::Result<Vec<Box<dyn Val + 'v>>> = items.iter().map(|item| convert(item, inner)).collect();
            Box::new(CelList::from(items?))
        }
        Value::Object(members) => {
            let inner = inner()?;
            let member = |(name, value): (&'v Str, &'v Value)| Ok((key(name), convert(value, inner)?));
            let members: jq::Result<HashMap<CelMapKey<'v>, Box<dyn Val + 'v>>> = members.iter().map(member).collect();
            Box::new(CelMap::from(members?))
        }
    })
}

fn key(name: &str) -> CelMapKey<'_> {
    CelMapKey::String(CelString::from(name))
}
