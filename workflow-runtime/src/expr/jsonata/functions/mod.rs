//! The functions of the language that call no other function for the parts of a value.

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

use super::run::Native;

/// The functions, in the order of their names.
pub(crate) static NATIVES: &[Native] = &[
    Native { name: "abs", signature: "<n-:n>", arity: 1, code: numbers::abs },
    Native { name: "append", signature: "<xx:a>", arity: 2, code: arrays::append },
    Native { name: "assert", signature: "<bs?:x>", arity: 2, code: values::assert },
    Native { name: "average", signature: "<a<n>:n>", arity: 1, code: numbers::average },
    Native { name: "base64decode", signature: "<s-:s>", arity: 1, code: encoding::base64_decode },
    Native { name: "base64encode", signature: "<s-:s>", arity: 1, code: encoding::base64_encode },
    Native { name: "boolean", signature: "<x-:b>", arity: 1, code: values::boolean },
    Native { name: "ceil", signature: "<n-:n>", arity: 1, code: numbers::ceil },
    Native { name: "clone", signature: "<(oa)-:o>", arity: 1, code: objects::clone },
    Native { name: "contains", signature: "<s-(sf):b>", arity: 2, code: matching::contains },
    Native { name: "count", signature: "<a:n>", arity: 1, code: arrays::count },
    Native { name: "decodeUrl", signature: "<s-:s>", arity: 1, code: url::decode_url },
    Native { name: "decodeUrlComponent", signature: "<s-:s>", arity: 1, code: url::decode_component },
    Native { name: "distinct", signature: "<x:x>", arity: 1, code: arrays::distinct },
    Native { name: "encodeUrl", signature: "<s-:s>", arity: 1, code: url::encode_url },
    Native { name: "encodeUrlComponent", signature: "<s-:s>", arity: 1, code: url::encode_component },
    Native { name: "error", signature: "<s?:x>", arity: 1, code: values::error },
    Native { name: "exists", signature: "<x:b>", arity: 1, code: values::exists },
    Native { name: "floor", signature: "<n-:n>", arity: 1, code: numbers::floor },
    Native { name: "formatBase", signature: "<n-n?:s>", arity: 2, code: bases::format_base },
    Native { name: "formatInteger", signature: "<n-s:s>", arity: 2, code: integers::format_integer },
    Native { name: "formatNumber", signature: "<n-so?:s>", arity: 3, code: format_number::format_number },
    Native { name: "fromMillis", signature: "<n-s?s?:s>", arity: 3, code: dates::from_millis },
    Native { name: "hash", signature: "<ss?:s>", arity: 2, code: encoding::hash },
    Native { name: "join", signature: "<a<s>s?:s>", arity: 2, code: strings::join },
    Native { name: "keys", signature: "<x-:a<s>>", arity: 1, code: objects::keys },
    Native { name: "length", signature: "<s-:n>", arity: 1, code: strings::length },
    Native { name: "lookup", signature: "<x-s:x>", arity: 2, code: objects::lookup },
    Native { name: "lowercase", signature: "<s-:s>", arity: 1, code: strings::lowercase },
    Native { name: "match", signature: "<s-f<s:o>n?:a<o>>", arity: 3, code: matching::find_all },
    Native { name: "max", signature: "<a<n>:n>", arity: 1, code: numbers::max },
    Native { name: "merge", signature: "<a<o>:o>", arity: 1, code: objects::merge },
    Native { name: "millis", signature: "<:n>", arity: 0, code: dates::millis },
    Native { name: "min", signature: "<a<n>:n>", arity: 1, code: numbers::min },
    Native { name: "not", signature: "<x-:b>", arity: 1, code: values::not },
    Native { name: "now", signature: "<s?s?:s>", arity: 2, code: dates::now },
    Native { name: "number", signature: "<(nsb)-:n>", arity: 1, code: bases::number },
    Native { name: "pad", signature: "<s-ns?:s>", arity: 3, code: strings::pad },
    Native { name: "parse", signature: "<s-:j>", arity: 1, code: parse::parse },
    Native { name: "parseInteger", signature: "<s-s:n>", arity: 2, code: integers::parse_integer },
    Native { name: "partition", signature: "<xn?:a>", arity: 2, code: arrays::partition },
    Native { name: "power", signature: "<n-n:n>", arity: 2, code: numbers::power },
    Native { name: "random", signature: "<n?:n>", arity: 0, code: random::random },
    Native { name: "range", signature: "<nnn?:a<n>>", arity: 3, code: arrays::range },
    Native { name: "replace", signature: "<s-(sf)(sf)n?:s>", arity: 4, code: replace::replace },
    Native { name: "reverse", signature: "<a:a>", arity: 1, code: arrays::reverse },
    Native { name: "round", signature: "<n-n?:n>", arity: 2, code: numbers::round },
    Native { name: "shuffle", signature: "<a:a>", arity: 1, code: arrays::shuffle },
    Native { name: "split", signature: "<s-(sf)n?:a<s>>", arity: 3, code: matching::split },
    Native { name: "spread", signature: "<x-:a<o>>", arity: 1, code: objects::spread },
    Native { name: "sqrt", signature: "<n-:n>", arity: 1, code: numbers::sqrt },
    Native { name: "string", signature: "<x-b?:s>", arity: 1, code: values::string },
    Native { name: "substring", signature: "<s-nn?:s>", arity: 3, code: strings::substring },
    Native { name: "substringAfter", signature: "<s-s:s>", arity: 2, code: strings::substring_after },
    Native { name: "substringBefore", signature: "<s-s:s>", arity: 2, code: strings::substring_before },
    Native { name: "sum", signature: "<a<n>:n>", arity: 1, code: numbers::sum },
    Native { name: "toMillis", signature: "<s-s?:n>", arity: 2, code: dates::to_millis },
    Native { name: "trim", signature: "<s-:s>", arity: 1, code: strings::trim },
    Native { name: "type", signature: "<x:s>", arity: 1, code: values::type_of },
    Native { name: "uppercase", signature: "<s-:s>", arity: 1, code: strings::uppercase },
    Native { name: "uuid", signature: "<:s>", arity: 0, code: random::uuid },
    Native { name: "zip", signature: "<a+>", arity: 0, code: arrays::zip },
];

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
