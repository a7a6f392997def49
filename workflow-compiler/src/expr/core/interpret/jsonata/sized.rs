//! Functions that take arrays of Rust, whose length generated code has as a constant.

use super::Res;
use workflow_runtime::__private::jsonata::{self, Maybe, Run};

/// Calls a function with an array of the values.
macro_rules! sized {
    ($values:ident, $array:ident => $call:expr) => {
        sized!($values, $array => $call; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    ($values:ident, $array:ident => $call:expr; $($length:literal)*) => {
        match $values.len() {
            $($length => match <[_; $length]>::try_from($values) {
                Ok($array) => $call,
                Err(_) => panic!("the array has another length"),
            },)*
            length => panic!("an array of {length} values is longer than those of the interpreter"),
        }
    };
}

/// Calls `jsonata::elements`.
///
/// # Errors
/// Returns the error of the function.
pub(super) fn elements(values: Vec<Maybe>, run: &mut Run<'_>) -> Res<Maybe> {
    sized!(values, array => jsonata::elements(array, run))
}

/// Calls `jsonata::list`.
///
/// # Errors
/// Returns the error of the function.
pub(super) fn list(values: Vec<Maybe>, run: &mut Run<'_>) -> Res<Maybe> {
    sized!(values, array => jsonata::list(array, run))
}

/// Calls `jsonata::object`.
///
/// # Errors
/// Returns the error of the function.
pub(super) fn object(members: Vec<(&'static str, Maybe)>, run: &mut Run<'_>) -> Res<Maybe> {
    sized!(members, array => jsonata::object(array, run))
}
