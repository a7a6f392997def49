//! The values of a function while it runs: those of ECMAScript without symbols and big integers.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use super::budget::hold_variable;
use super::object::Obj;
use crate::value::{Str, Value};

/// A value of JavaScript. Cheap to clone: an object is shared.
#[derive(Clone, Default)]
pub enum Js {
    /// `undefined`
    #[default]
    Undefined,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number. All of them are doubles.
    Number(f64),
    /// A string. Text is UTF-8; lengths and positions are told in units of UTF-16.
    String(Str),
    /// An object, an array, a function, an error, a date: what has an identity.
    Object(Obj),
}

/// Why a function did not return.
#[derive(Clone)]
pub enum Throw {
    /// A value was thrown, and can be caught.
    Value(Js),
    /// A budget ran out, or the runtime cannot do what is asked for. Neither `catch` nor `finally` of the function sees it.
    Abort(String),
}

/// What an operation yields: a value, or what was thrown in its place.
pub type Result<T = Js> = std::result::Result<T, Throw>;

/// A variable that functions share: one that is captured and assigned, or a Let variable. Clones are the same variable.
#[derive(Clone)]
pub struct Var(Rc<Variable>);

/// What a [`Var`] leads to.
pub(super) struct Variable {
    pub(super) value: RefCell<Js>,
    /// Whether the run knows that it may be part of a cycle.
    pub(super) held: Cell<bool>,
}

impl Var {
    /// A variable of this value.
    pub fn new(value: Js) -> Var {
        Var(Rc::new(Variable { value: RefCell::new(value), held: Cell::new(false) }))
    }

    /// The value.
    pub fn get(&self) -> Js {
        self.0.value.borrow().clone()
    }

    /// Assigns.
    pub fn set(&self, value: Js) {
        if matches!(value, Js::Object(_)) && !self.0.held.replace(true) {
            hold_variable(&self.0);
        }
        // Dropped when the variable is free again: the old value may hold it.
        let old = self.0.value.replace(value);
        drop(old);
    }
}

impl Js {
    /// The object, if it is one.
    pub fn as_object(&self) -> Option<&Obj> {
        match self {
            Js::Object(object) => Some(object),
            _ => None,
        }
    }

    /// A string that is a constant of the program. Costs no allocation.
    pub const fn text(text: &'static str) -> Js {
        Js::String(Str::from_static(text))
    }

    /// Whether it is undefined or null.
    pub fn is_nullish(&self) -> bool {
        matches!(self, Js::Undefined | Js::Null)
    }

    /// The JSON scalar that stands for the value with nothing lost; `None` where there is none: objects, undefined, the
    /// numbers that JSON does not have.
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

    /// The value of a JSON scalar; `None` for arrays and objects.
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

/// A number as JSON has it after `JSON.stringify` and `JSON.parse`: whole where its text is, null where it is not finite.
pub(super) fn json_number(number: f64) -> Value {
    /// Up to here every whole double is the only one with its text.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_finite() {
        Value::Null
    } else if number.fract() != 0.0 || number.abs() >= LIMIT {
        Value::Float(number)
    } else if number.abs() <= EXACT {
        Value::Int(number as i64)
    } else {
        // The text has as many digits as tell the double from its neighbours, and zeros.
        ryu_js::Buffer::new().format_finite(number).parse().map_or(Value::Float(number), Value::Int)
    }
}

/// Takes no time that depends on the size of the value.
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

/// For messages of tests; an object is told by its kind only.
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
