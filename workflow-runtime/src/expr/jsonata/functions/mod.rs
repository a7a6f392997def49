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
    Native { name: "abs", signature: "<n-:n>", code: numbers::abs },
    Native { name: "append", signature: "<xx:a>", code: arrays::append },
    Native { name: "assert", signature: "<bs?:x>", code: values::assert },
    Native { name: "average", signature: "<a<n>:n>", code: numbers::average },
    Native { name: "base64decode", signature: "<s-:s>", code: encoding::base64_decode },
    Native { name: "base64encode", signature: "<s-:s>", code: encoding::base64_encode },
    Native { name: "boolean", signature: "<x-:b>", code: values::boolean },
    Native { name: "ceil", signature: "<n-:n>", code: numbers::ceil },
    Native { name: "clone", signature: "<(oa)-:o>", code: objects::clone },
    Native { name: "contains", signature: "<s-(sf):b>", code: matching::contains },
    Native { name: "count", signature: "<a:n>", code: arrays::count },
    Native { name: "decodeUrl", signature: "<s-:s>", code: url::decode_url },
    Native { name: "decodeUrlComponent", signature: "<s-:s>", code: url::decode_component },
    Native { name: "distinct", signature: "<x:x>", code: arrays::distinct },
    Native { name: "encodeUrl", signature: "<s-:s>", code: url::encode_url },
    Native { name: "encodeUrlComponent", signature: "<s-:s>", code: url::encode_component },
    Native { name: "error", signature: "<s?:x>", code: values::error },
    Native { name: "exists", signature: "<x:b>", code: values::exists },
    Native { name: "floor", signature: "<n-:n>", code: numbers::floor },
    Native { name: "formatBase", signature: "<n-n?:s>", code: bases::format_base },
    Native { name: "formatInteger", signature: "<n-s:s>", code: integers::format_integer },
    Native { name: "formatNumber", signature: "<n-so?:s>", code: format_number::format_number },
    Native { name: "fromMillis", signature: "<n-s?s?:s>", code: dates::from_millis },
    Native { name: "hash", signature: "<ss?:s>", code: encoding::hash },
    Native { name: "join", signature: "<a<s>s?:s>", code: strings::join },
    Native { name: "keys", signature: "<x-:a<s>>", code: objects::keys },
    Native { name: "length", signature: "<s-:n>", code: strings::length },
    Native { name: "lookup", signature: "<x-s:x>", code: objects::lookup },
    Native { name: "lowercase", signature: "<s-:s>", code: strings::lowercase },
    Native { name: "match", signature: "<s-f<s:o>n?:a<o>>", code: matching::find_all },
    Native { name: "max", signature: "<a<n>:n>", code: numbers::max },
    Native { name: "merge", signature: "<a<o>:o>", code: objects::merge },
    Native { name: "millis", signature: "<:n>", code: dates::millis },
    Native { name: "min", signature: "<a<n>:n>", code: numbers::min },
    Native { name: "not", signature: "<x-:b>", code: values::not },
    Native { name: "now", signature: "<s?s?:s>", code: dates::now },
    Native { name: "number", signature: "<(nsb)-:n>", code: bases::number },
    Native { name: "pad", signature: "<s-ns?:s>", code: strings::pad },
    Native { name: "parse", signature: "<s-:j>", code: parse::parse },
    Native { name: "parseInteger", signature: "<s-s:n>", code: integers::parse_integer },
    Native { name: "partition", signature: "<xn?:a>", code: arrays::partition },
    Native { name: "power", signature: "<n-n:n>", code: numbers::power },
    Native { name: "random", signature: "<n?:n>", code: random::random },
    Native { name: "range", signature: "<nnn?:a<n>>", code: arrays::range },
    Native { name: "replace", signature: "<s-(sf)(sf)n?:s>", code: replace::replace },
    Native { name: "reverse", signature: "<a:a>", code: arrays::reverse },
    Native { name: "round", signature: "<n-n?:n>", code: numbers::round },
    Native { name: "shuffle", signature: "<a:a>", code: arrays::shuffle },
    Native { name: "split", signature: "<s-(sf)n?:a<s>>", code: matching::split },
    Native { name: "spread", signature: "<x-:a<o>>", code: objects::spread },
    Native { name: "sqrt", signature: "<n-:n>", code: numbers::sqrt },
    Native { name: "string", signature: "<x-b?:s>", code: values::string },
    Native { name: "substring", signature: "<s-nn?:s>", code: strings::substring },
    Native { name: "substringAfter", signature: "<s-s:s>", code: strings::substring_after },
    Native { name: "substringBefore", signature: "<s-s:s>", code: strings::substring_before },
    Native { name: "sum", signature: "<a<n>:n>", code: numbers::sum },
    Native { name: "toMillis", signature: "<s-s?:n>", code: dates::to_millis },
    Native { name: "trim", signature: "<s-:s>", code: strings::trim },
    Native { name: "type", signature: "<x:s>", code: values::type_of },
    Native { name: "uppercase", signature: "<s-:s>", code: strings::uppercase },
    Native { name: "uuid", signature: "<:s>", code: random::uuid },
    Native { name: "zip", signature: "<a+>", code: arrays::zip },
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
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NATIVES.is_sorted_by(|left, right| left.name < right.name));
    }
}
