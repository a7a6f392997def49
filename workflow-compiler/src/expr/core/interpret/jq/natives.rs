//! The functions of the language.

use super::{Row, Yields};
use workflow_runtime::__private::jq;

/// Lists functions of values.
macro_rules! functions {
    (@row $name:ident ($($value:ident)*)) => {
        (concat!("jq::", stringify!($name)), |_, arguments, _| {
            $(let $value = arguments.value();)*
            jq::$name($(&$value),*).yields()
        })
    };
    ($values:tt $($name:ident)*) => {
        &[$(functions!(@row $name $values)),*]
    };
}

/// Lists functions that pass any number of outputs to a closure.
macro_rules! many {
    ($($name:ident($($value:ident),*);)*) => {
        &[$((concat!("jq::", stringify!($name)), |_, arguments, run| {
            $(let $value = arguments.value();)*
            let out = arguments.out();
            jq::$name($(&$value,)* &mut |value| run.emit(out, value)).yields()
        })),*]
    };
}

pub(super) static ONE: &[Row] = functions! {
    (input)
    abs acos acosh add_ ascii_downcase ascii_upcase asin asinh atan atanh cbrt ceil cos cosh erf erfc exp
    exp10 exp2 explode expm1 fabs flatten floor frexp from_entries fromjson gamma gmtime implode isfinite
    isinfinite isnan isnormal keys keys_unsorted length lgamma lgamma_r localtime log log10 log1p log2 logb
    ltrim max min mktime modf nearbyint reverse rint round rtrim significand sin sinh sort sqrt tan tanh
    tgamma to_entries toboolean tojson tonumber tostring transpose trim trunc type_ unique utf8bytelength
};

pub(super) static TWO: &[Row] = functions! {
    (first second)
    atan2 bsearch contains copysign drem endswith fdim flatten_by fmax fmin fmod getpath has hypot index_
    indices join ldexp ltrimstr nextafter nexttoward pow remainder rindex rtrimstr scalb scalbln split
    startswith strflocaltime strftime strptime test trimstr
};

pub(super) static THREE: &[Row] = functions! {
    (first second third)
    fma split_with test_with
};

pub(super) static MANY: &[Row] = many! {
    capture(input, argument);
    capture_with(input, argument, flags);
    combinations(input);
    combinations_of(input, argument);
    match_(input, argument);
    match_with(input, argument, flags);
    scan(input, argument);
    scan_with(input, argument, flags);
    splits(input, argument);
    splits_with(input, argument, flags);
    tostream(input);
};
