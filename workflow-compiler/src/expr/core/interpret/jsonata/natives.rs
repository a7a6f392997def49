//! The functions of the language.

use super::{Row, Yields};
use workflow_runtime::__private::jsonata::functions;

/// Lists functions that take the arguments as a slice.
macro_rules! calls {
    ($($name:ident)*) => {
        &[$((concat!("jsonata::functions::", stringify!($name)), |_, arguments, run| {
            functions::$name(&arguments.take().into_list(), run).yields()
        })),*]
    };
}

/// Lists functions that take the context item, too.
macro_rules! contextual {
    ($($name:ident)*) => {
        &[$((concat!("jsonata::functions::contextual::", stringify!($name)), |_, arguments, run| {
            functions::contextual::$name(&arguments.take().into_list(), &arguments.value(), run).yields()
        })),*]
    };
}

/// Lists functions whose result is a sequence.
macro_rules! sequences {
    ($($name:ident)*) => {
        &[$((concat!("jsonata::functions::sequences::", stringify!($name)), |_, arguments, run| {
            functions::sequences::$name(&arguments.take().into_list(), run).yields()
        })),*]
    };
}

pub(super) static CALLS: &[Row] = calls! {
    abs append assert average base64_decode base64_encode boolean ceil clone contains count decode_url
    decode_url_component distinct each encode_url encode_url_component error exists filter floor format_base
    format_integer format_number from_millis hash join keys length lookup lowercase map find_matches max
    merge millis min not now number pad parse parse_integer partition power random range reduce replace
    reverse round shuffle sift single sort split spread sqrt string substring substring_after
    substring_before sum to_millis trim type_of uppercase uuid zip
};

pub(super) static CONTEXTUAL: &[Row] = contextual! {
    abs base64_decode base64_encode boolean ceil clone contains decode_url decode_url_component each
    encode_url encode_url_component floor format_base format_integer format_number from_millis keys length
    lookup lowercase find_matches not number pad parse parse_integer power replace round sift split spread
    sqrt string substring substring_after substring_before to_millis trim uppercase
};

pub(super) static SEQUENCES: &[Row] = sequences! {
    distinct each filter keys lookup map find_matches range reduce spread
};
