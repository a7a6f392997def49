//! The methods of built-in prototypes, by the type of the receiver.

pub(super) mod array;
mod array_edit;
mod array_search;
mod buffer;
mod date;
mod function;
mod number;
mod object;
mod sort;
mod string;
mod string_search;

use super::object::Class;
use super::{Js, Result, Run};

/// A method of a built-in prototype.
pub struct Method {
    /// The name.
    pub name: &'static str,
    /// The value of the function's `length`.
    pub length: usize,
    /// The implementation, which receives `this` and the arguments.
    pub call: fn(&Run, &Js, &[Js]) -> Result,
}

/// Declares a table of methods, sorted by name for a binary search.
macro_rules! methods {
    ($($name:literal $length:literal $call:path,)*) => {
        &[$(crate::expr::js::method::Method { name: $name, length: $length, call: $call }),*]
    };
}
use methods;

/// Returns the prototypes with their sorted methods.
pub fn prototypes() -> [(&'static str, &'static [Method]); 9] {
    [
        ("Array", array::METHODS),
        ("Boolean", object::BOOLEAN_METHODS),
        ("Buffer", buffer::METHODS),
        ("Date", date::METHODS),
        ("Error", object::ERROR_METHODS),
        ("Function", function::METHODS),
        ("Number", number::METHODS),
        ("Object", object::METHODS),
        ("String", string::METHODS),
    ]
}

/// Returns the method of this name that a value inherits.
pub(super) fn find(receiver: &Js, name: &str) -> Option<&'static Method> {
    let own: &'static [Method] = match receiver {
        Js::Undefined | Js::Null => return None,
        Js::Bool(_) => object::BOOLEAN_METHODS,
        Js::Number(_) => number::METHODS,
        Js::String(_) => string::METHODS,
        Js::Object(object) => match object.class() {
            Class::Object => &[],
            Class::Array => array::METHODS,
            Class::Function => function::METHODS,
            Class::Error => object::ERROR_METHODS,
            Class::Date => date::METHODS,
            Class::Buffer => buffer::METHODS,
        },
    };
    among(own, name).or_else(|| among(object::METHODS, name))
}

fn among(methods: &'static [Method], name: &str) -> Option<&'static Method> {
    methods.binary_search_by(|method| method.name.cmp(name)).ok().map(|at| &methods[at])
}
