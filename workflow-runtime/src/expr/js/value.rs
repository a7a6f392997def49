//! The values of a running function: ECMAScript values without symbols and big integers.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use super::budget::track_variable;
use super::object::Obj;
use crate::value::{Str, Value};

/// A JavaScript value. Cheap to clone: objects are shared.
#[derive(Clone, Default)]
pub enum Js {
    /// `undefined`
    #[default]
    Undefined,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number. All numbers are doubles.
    Number(f64),
    /// A string. Text is stored as UTF-8. Lengths and positions are in UTF-16 units.
    String(Str),
    /// A value with an identity: an object, an array, a function, an error, a date.
    Object(Obj),
}

/// The reason why a function did not return.
#[derive(Clone)]
pub enum Throw {
    /// A thrown value, which can be caught.
    Value(Js),
    /// An exhausted budget, or an operation that the runtime does not support. Neither `catch` nor
    /// `finally` of the function handles it.
    Abort(String),
}

/// The result of an operation, or a thrown value.
pub type Result<T = Js> = std::result::Result<T, Throw>;

/// A variable shared between functions: a captured and assigned variable, or a Let variable. A
/// clone is the same variable.
#[derive(Clone)]
pub struct Var(Rc<Variable>);

/// The content of a [`Var`].
pub(super) struct Variable {
    pub(super) value: RefCell<Js>,
    /// `true` if the run has registered the variable as a potential part of a cycle.
    pub(super) is_tracked: Cell<bool>,
}

impl Var {
    /// Creates a variable.
    pub fn new(value: Js) -> Var {
        Var(Rc::new(Variable { value: RefCell::new(value), is_tracked: Cell::new(false) }))
    }

    /// Returns the value.
    pub fn get(&self) -> Js {
        self.0.value.borrow().clone()
    }

    /// Assigns a value.
    pub fn set(&self, value: Js) {
        if matches!(value, Js::Object(_)) && !self.0.is_tracked.replace(true) {
            track_variable(&self.0);
        }
        // Dropped after the borrow of the variable has ended: the old value can contain the
        // variable.
        let old = self.0.value.replace(value);
        drop(old);
    }
}

impl Js {
    /// Returns the object, if the value is one.
    pub fn as_object(&self) -> Option<&Obj> {
        match self {
            Js::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns a string constant of the program. Allocates nothing.
    pub const fn text(text: &'static str) -> Js {
        Js::String(Str::from_static(text))
    }

    /// Returns `true` if it is undefined or null.
    pub fn is_nullish(&self) -> bool {
        matches!(self, Js::Undefined | Js::Null)
    }

    /// Returns the JSON scalar of the value. Returns `None` for objects, undefined, and numbers
    /// that JSON does not have.
    pub(super) fn scalar(&self) -> Option<Value> {
        match self {
            Js::Null => Some(Value::Null),
            Js::Bool(value) => Some(Value::Bool(*value)),
            Js::Number(value) if value.is_finite() && !(*value == 0.0 && value.is_sign_negative()) => {
                Some(json_number(*value))
            }
            Js::String(text) => Some(Value::String(text.clone())),
            _ => None,
        }
    }

    /// Returns the value of a JSON scalar, or `None` for arrays and objects.
    #[inline]
    pub(super) fn of_scalar(value: &Value) -> Option<Js> {
        Some(match value {
            Value::Null => Js::Null,
            Value::Bool(value) => Js::Bool(*value),
            Value::Int(value) => Js::Number(*value as f64),
            Value::Float(value) => Js::Number(*value),
            Value::String(text) => Js::String(text.clone()),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }
}

/// Converts a number as `JSON.parse(JSON.stringify(number))` does: an integer if its text is one,
/// and null if it is not finite.
pub(super) fn json_number(number: f64) -> Value {
    /// Below this number, distinct integral doubles have distinct texts.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_finite() {
        Value::Null
    } else if number.fract() != 0.0 || number.abs() >= LIMIT {
        Value::Float(number)
    } else if number.abs() <= EXACT {
        Value::Int(number as i64)
    } else {
        // The text contains the digits that distinguish the double from its neighbours, then
        // zeros.
        ryu_js::Buffer::new().format_finite(number).parse().map_or(Value::Float(number), Value::Int)
    }
}

/// Conversion takes constant time.
impl From<Value> for Js {
    #[inline]
    fn from(value: Value) -> Js {
        match value {
            Value::Array(items) => Js::Object(Obj::of_array(items)),
            Value::Object(members) => Js::Object(Obj::of_object(members)),
            scalar => Js::of_scalar(&scalar).unwrap_or_default(),
        }
    }
}

impl From<bool> for Js {
    fn from(value: bool) -> Js {
        Js::Bool(value)
    }
}

impl From<f64> for Js {
    fn from(value: f64) -> Js {
        Js::Number(value)
    }
}

impl From<&str> for Js {
    fn from(value: &str) -> Js {
        Js::String(value.into())
    }
}

impl From<String> for Js {
    fn from(value: String) -> Js {
        Js::String(value.into())
    }
}

impl From<Str> for Js {
    fn from(value: Str) -> Js {
        Js::String(value)
    }
}

impl From<Obj> for Js {
    fn from(value: Obj) -> Js {
        Js::Object(value)
    }
}

impl From<&Js> for Js {
    fn from(value: &Js) -> Js {
        value.clone()
    }
}

/// Formatting for messages of tests. An object shows only its class.
impl fmt::Debug for Js {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Js::Undefined => f.write_str("undefined"),
            Js::Null => f.write_str("null"),
            Js::Bool(value) => value.fmt(f),
            Js::Number(value) => value.fmt(f),
            Js::String(text) => fmt::Debug::fmt(text.as_str(), f),
            Js::Object(object) => write!(f, "[{:?}]", object.class()),
        }
    }
}

impl fmt::Debug for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Throw::Value(value) => write!(f, "throw {}", super::error::describe(value)),
            Throw::Abort(text) => write!(f, "abort: {text}"),
        }
    }
}
