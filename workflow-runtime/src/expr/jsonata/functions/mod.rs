//! The functions of the language that call no other function for the parts of a value, and the
//! functions that compiled expressions call.

mod args;
mod arrays;
mod bases;
mod dates;
mod encoding;
mod format_number;
mod integers;
mod limits;
mod matcher;
mod matching;
mod message;
mod numbers;
mod objects;
mod parse;
mod random;
mod replace;
mod strings;
mod url;
mod values;

use super::native_list::natives;

pub use super::higher_order::calls::*;
pub use calls::*;

/// The functions whose result can be a sequence, which is not reduced to its element: in tail
/// position of a function, and before a predicate.
pub mod sequences {
    pub use super::super::higher_order::raw_calls::*;
    pub use super::raw_calls::*;
}

/// The functions that take the context item for an argument that is missing.
pub mod contextual {
    pub use super::super::higher_order::context_calls::*;
    pub use super::context_calls::*;
}

natives! {
    /// The functions, in the order of their names.
    abs "abs" "<n-:n>" 1 super::numbers::abs, context;
    append "append" "<xx:a>" 2 super::arrays::append;
    assert "assert" "<bs?:x>" 2 super::values::assert;
    average "average" "<a<n>:n>" 1 super::numbers::average;
    base64_decode "base64decode" "<s-:s>" 1 super::encoding::base64_decode, context;
    base64_encode "base64encode" "<s-:s>" 1 super::encoding::base64_encode, context;
    boolean "boolean" "<x-:b>" 1 super::values::boolean, context;
    ceil "ceil" "<n-:n>" 1 super::numbers::ceil, context;
    clone "clone" "<(oa)-:o>" 1 super::objects::clone, context;
    contains "contains" "<s-(sf):b>" 2 super::matching::contains, context;
    count "count" "<a:n>" 1 super::arrays::count;
    decode_url "decodeUrl" "<s-:s>" 1 super::url::decode_url, context;
    decode_url_component "decodeUrlComponent" "<s-:s>" 1 super::url::decode_component, context;
    distinct "distinct" "<x:x>" 1 super::arrays::distinct, sequence;
    encode_url "encodeUrl" "<s-:s>" 1 super::url::encode_url, context;
    encode_url_component "encodeUrlComponent" "<s-:s>" 1 super::url::encode_component, context;
    error "error" "<s?:x>" 1 super::values::error;
    exists "exists" "<x:b>" 1 super::values::exists;
    floor "floor" "<n-:n>" 1 super::numbers::floor, context;
    format_base "formatBase" "<n-n?:s>" 2 super::bases::format_base, context;
    format_integer "formatInteger" "<n-s:s>" 2 super::integers::format_integer, context;
    format_number "formatNumber" "<n-so?:s>" 3 super::format_number::format_number, context;
    from_millis "fromMillis" "<n-s?s?:s>" 3 super::dates::from_millis, context;
    hash "hash" "<ss?:s>" 2 super::encoding::hash;
    join "join" "<a<s>s?:s>" 2 super::strings::join;
    keys "keys" "<x-:a<s>>" 1 super::objects::keys, sequence, context;
    length "length" "<s-:n>" 1 super::strings::length, context;
    lookup "lookup" "<x-s:x>" 2 super::objects::lookup, sequence, context;
    lowercase "lowercase" "<s-:s>" 1 super::strings::lowercase, context;
    find_matches "match" "<s-f<s:o>n?:a<o>>" 3 super::matching::find_all, sequence, context;
    max "max" "<a<n>:n>" 1 super::numbers::max;
    merge "merge" "<a<o>:o>" 1 super::objects::merge;
    millis "millis" "<:n>" 0 super::dates::millis;
    min "min" "<a<n>:n>" 1 super::numbers::min;
    not "not" "<x-:b>" 1 super::values::not, context;
    now "now" "<s?s?:s>" 2 super::dates::now;
    number "number" "<(nsb)-:n>" 1 super::bases::number, context;
    pad "pad" "<s-ns?:s>" 3 super::strings::pad, context;
    parse "parse" "<s-:j>" 1 super::parse::parse, context;
    parse_integer "parseInteger" "<s-s:n>" 2 super::integers::parse_integer, context;
    partition "partition" "<xn?:a>" 2 super::arrays::partition;
    power "power" "<n-n:n>" 2 super::numbers::power, context;
    random "random" "<n?:n>" 0 super::random::random;
    range "range" "<nnn?:a<n>>" 3 super::arrays::range, sequence;
    replace "replace" "<s-(sf)(sf)n?:s>" 4 super::replace::replace, context;
    reverse "reverse" "<a:a>" 1 super::arrays::reverse;
    round "round" "<n-n?:n>" 2 super::numbers::round, context;
    shuffle "shuffle" "<a:a>" 1 super::arrays::shuffle;
    split "split" "<s-(sf)n?:a<s>>" 3 super::matching::split, context;
    spread "spread" "<x-:a<o>>" 1 super::objects::spread, sequence, context;
    sqrt "sqrt" "<n-:n>" 1 super::numbers::sqrt, context;
    string "string" "<x-b?:s>" 1 super::values::string, context;
    substring "substring" "<s-nn?:s>" 3 super::strings::substring, context;
    substring_after "substringAfter" "<s-s:s>" 2 super::strings::substring_after, context;
    substring_before "substringBefore" "<s-s:s>" 2 super::strings::substring_before, context;
    sum "sum" "<a<n>:n>" 1 super::numbers::sum;
    to_millis "toMillis" "<s-s?:n>" 2 super::dates::to_millis, context;
    trim "trim" "<s-:s>" 1 super::strings::trim, context;
    type_of "type" "<x:s>" 1 super::values::type_of;
    uppercase "uppercase" "<s-:s>" 1 super::strings::uppercase, context;
    uuid "uuid" "<:s>" 0 super::random::uuid;
    zip "zip" "<a+>" 0 super::arrays::zip;
}

/// Returns the greatest common divisor of some numbers, if it is not zero.
fn gcd(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let divisor = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    numbers.reduce(divisor).filter(|divisor| *divisor > 0)
}

#[cfg(test)]
mod tests;
