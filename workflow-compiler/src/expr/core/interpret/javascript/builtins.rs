//! Built-in functions, and objects of constant members.

use super::{Row, Yields};
use workflow_runtime::__private::js::{self, Js};

/// Creates an object. Generated code has the number of members as a constant.
pub(super) fn object(members: Vec<(&'static str, Js)>) -> Js {
    macro_rules! sized {
        ($($length:literal)*) => {
            match members.len() {
                $($length => match <[_; $length]>::try_from(members) {
                    Ok(members) => js::object(members),
                    Err(_) => panic!("the array has another length"),
                },)*
                length => panic!("an object of {length} members is larger than those of the interpreter"),
            }
        };
    }
    sized!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
}

/// Lists functions of the module `js::builtin`.
macro_rules! builtins {
    ($($name:ident)*) => {
        &[$((concat!("js::builtin::", stringify!($name)), |_, arguments, run| {
            arguments.run();
            js::builtin::$name(run.run, &arguments.list()).yields()
        })),*]
    };
}

pub(super) static BUILTINS: &[Row] = builtins! {
    object_assign
    object_entries
    object_freeze
    object_from_entries
    object_is
    object_keys
    object_values
    array_from
    array_is_array
    array_of
    json_parse
    json_stringify
    math_abs
    math_acos
    math_acosh
    math_asin
    math_asinh
    math_atan
    math_atan2
    math_atanh
    math_cbrt
    math_ceil
    math_clz32
    math_cos
    math_cosh
    math_exp
    math_expm1
    math_floor
    math_fround
    math_hypot
    math_imul
    math_log
    math_log10
    math_log1p
    math_log2
    math_max
    math_min
    math_pow
    math_random
    math_round
    math_sign
    math_sin
    math_sinh
    math_sqrt
    math_tan
    math_tanh
    math_trunc
    number_is_finite
    number_is_integer
    number_is_nan
    number_is_safe_integer
    number_parse_float
    number_parse_int
    string_from_char_code
    string_from_code_point
    date_now
    date_parse
    date_utc
    buffer_from
    promise_all
    promise_reject
    promise_resolve
    console_debug
    console_error
    console_info
    console_log
    console_warn
    boolean
    number
    string
    atob
    btoa
    decode_uri
    decode_uri_component
    encode_uri
    encode_uri_component
    is_finite
    is_nan
    parse_float
    parse_int
};
