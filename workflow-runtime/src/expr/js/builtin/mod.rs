//! Built-in functions and constructors. Each receives the run and its arguments.

mod array;
mod console;
mod constructor;
mod date;
mod encoding;
mod global;
mod json;
mod math;
mod number;
mod object;
mod promise;
mod string;
mod uri;

pub use array::{array, array_from, array_is_array, array_of};
pub use console::{console_debug, console_error, console_info, console_log, console_warn};
pub use constructor::{
    boolean, error, eval_error, number, object, range_error, reference_error, string, syntax_error, type_error,
    uri_error,
};
pub use date::{date, date_now, date_parse, date_text, date_utc};
pub(super) use encoding::encode;
pub use encoding::{atob, btoa, buffer_byte_length, buffer_concat, buffer_from, buffer_is_buffer};
pub use global::{is_finite, is_nan, parse_float, parse_int};
pub use json::{json_parse, json_stringify};
pub use math::*;
pub use number::{
    number_is_finite, number_is_integer, number_is_nan, number_is_safe_integer, number_parse_float, number_parse_int,
};
pub use object::{
    object_assign, object_entries, object_freeze, object_from_entries, object_get_own_property_names, object_has_own,
    object_is, object_is_frozen, object_keys, object_values,
};
pub use promise::{promise_all, promise_reject, promise_resolve};
pub use string::{string_from_char_code, string_from_code_point};
pub use uri::{decode_uri, decode_uri_component, encode_uri, encode_uri_component};
