//! The functions of the language: their names in generated code, and what their callers need.

use std::sync::LazyLock;
use workflow_jsonata::Signature;

/// A function of the language.
#[derive(Debug)]
pub(super) struct NativeRow {
    /// The name, without `$`.
    pub name: &'static str,
    /// The number of parameters, as functions that call it back see it.
    pub arity: usize,
    /// The function of the runtime.
    pub path: &'static str,
    /// The function of the runtime that takes the context item, too.
    pub contextual: &'static str,
    /// The function of the runtime that returns a sequence as it is. Functions that return no
    /// sequence have none.
    pub sequence: Option<&'static str>,
    signature: &'static str,
}

/// A function whose result is no sequence.
macro_rules! native {
    ($name:literal, $signature:literal, $arity:literal, $function:ident) => {
        NativeRow {
            name: $name,
            arity: $arity,
            path: concat!("jsonata::functions::", stringify!($function)),
            contextual: concat!("jsonata::functions::contextual::", stringify!($function)),
            sequence: None,
            signature: $signature,
        }
    };
}

/// A function whose result can be a sequence.
macro_rules! sequence {
    ($name:literal, $signature:literal, $arity:literal, $function:ident) => {
        NativeRow {
            sequence: Some(concat!("jsonata::functions::sequences::", stringify!($function))),
            ..native!($name, $signature, $arity, $function)
        }
    };
}

/// The functions, in the order of their names.
static NATIVES: &[NativeRow] = &[
    native!("abs", "<n-:n>", 1, abs),
    native!("append", "<xx:a>", 2, append),
    native!("assert", "<bs?:x>", 2, assert),
    native!("average", "<a<n>:n>", 1, average),
    native!("base64decode", "<s-:s>", 1, base64_decode),
    native!("base64encode", "<s-:s>", 1, base64_encode),
    native!("boolean", "<x-:b>", 1, boolean),
    native!("ceil", "<n-:n>", 1, ceil),
    native!("clone", "<(oa)-:o>", 1, clone),
    native!("contains", "<s-(sf):b>", 2, contains),
    native!("count", "<a:n>", 1, count),
    native!("decodeUrl", "<s-:s>", 1, decode_url),
    native!("decodeUrlComponent", "<s-:s>", 1, decode_url_component),
    sequence!("distinct", "<x:x>", 1, distinct),
    sequence!("each", "<o-f:a>", 2, each),
    native!("encodeUrl", "<s-:s>", 1, encode_url),
    native!("encodeUrlComponent", "<s-:s>", 1, encode_url_component),
    native!("error", "<s?:x>", 1, error),
    native!("exists", "<x:b>", 1, exists),
    sequence!("filter", "<af>", 2, filter),
    native!("floor", "<n-:n>", 1, floor),
    native!("formatBase", "<n-n?:s>", 2, format_base),
    native!("formatInteger", "<n-s:s>", 2, format_integer),
    native!("formatNumber", "<n-so?:s>", 3, format_number),
    native!("fromMillis", "<n-s?s?:s>", 3, from_millis),
    native!("hash", "<ss?:s>", 2, hash),
    native!("join", "<a<s>s?:s>", 2, join),
    sequence!("keys", "<x-:a<s>>", 1, keys),
    native!("length", "<s-:n>", 1, length),
    sequence!("lookup", "<x-s:x>", 2, lookup),
    native!("lowercase", "<s-:s>", 1, lowercase),
    sequence!("map", "<af>", 2, map),
    sequence!("match", "<s-f<s:o>n?:a<o>>", 3, find_matches),
    native!("max", "<a<n>:n>", 1, max),
    native!("merge", "<a<o>:o>", 1, merge),
    native!("millis", "<:n>", 0, millis),
    native!("min", "<a<n>:n>", 1, min),
    native!("not", "<x-:b>", 1, not),
    native!("now", "<s?s?:s>", 2, now),
    native!("number", "<(nsb)-:n>", 1, number),
    native!("pad", "<s-ns?:s>", 3, pad),
    native!("parse", "<s-:j>", 1, parse),
    native!("parseInteger", "<s-s:n>", 2, parse_integer),
    native!("partition", "<xn?:a>", 2, partition),
    native!("power", "<n-n:n>", 2, power),
    native!("random", "<n?:n>", 0, random),
    sequence!("range", "<nnn?:a<n>>", 3, range),
    sequence!("reduce", "<afj?:j>", 3, reduce),
    native!("replace", "<s-(sf)(sf)n?:s>", 4, replace),
    native!("reverse", "<a:a>", 1, reverse),
    native!("round", "<n-n?:n>", 2, round),
    native!("shuffle", "<a:a>", 1, shuffle),
    native!("sift", "<o-f?:o>", 2, sift),
    native!("single", "<af?>", 2, single),
    native!("sort", "<af?:a>", 2, sort),
    native!("split", "<s-(sf)n?:a<s>>", 3, split),
    sequence!("spread", "<x-:a<o>>", 1, spread),
    native!("sqrt", "<n-:n>", 1, sqrt),
    native!("string", "<x-b?:s>", 1, string),
    native!("substring", "<s-nn?:s>", 3, substring),
    native!("substringAfter", "<s-s:s>", 2, substring_after),
    native!("substringBefore", "<s-s:s>", 2, substring_before),
    native!("sum", "<a<n>:n>", 1, sum),
    native!("toMillis", "<s-s?:n>", 2, to_millis),
    native!("trim", "<s-:s>", 1, trim),
    native!("type", "<x:s>", 1, type_of),
    native!("uppercase", "<s-:s>", 1, uppercase),
    native!("uuid", "<:s>", 0, uuid),
    native!("zip", "<a+>", 0, zip),
];

/// The signatures, in the order of the functions.
static SIGNATURES: LazyLock<Vec<Option<Signature>>> =
    LazyLock::new(|| NATIVES.iter().map(|native| Signature::parse(native.signature).ok()).collect());

/// Returns the function of this name, without `$`.
pub(super) fn find(name: &str) -> Option<&'static NativeRow> {
    position(name).map(|position| &NATIVES[position])
}

fn position(name: &str) -> Option<usize> {
    NATIVES.binary_search_by(|native| native.name.cmp(name)).ok()
}

impl NativeRow {
    fn signature(&self) -> Option<&'static Signature> {
        position(self.name).and_then(|position| SIGNATURES[position].as_ref())
    }

    /// Returns the number of parameters of the signature.
    pub fn params(&self) -> usize {
        self.signature().map_or(0, |signature| signature.params.len())
    }

    /// Returns the number of parameters up to the last one that needs an argument.
    pub fn needed(&self) -> usize {
        let last = self.signature().and_then(|signature| signature.params.iter().rposition(|param| !param.is_optional));
        last.map_or(0, |last| last + 1)
    }

    /// Returns `true` if the context item can stand for an argument of a call with so many
    /// arguments.
    pub fn takes_context(&self, args: usize) -> bool {
        let Some(signature) = self.signature() else { return false };
        let params = &signature.params;
        let Some(first) = params.iter().find(|param| param.takes_context) else { return false };
        let required = params.iter().filter(|param| !param.is_optional).count();
        args < required || (args < params.len() && !first.types.contains('x'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_jsonata::FUNCTIONS;

    #[test]
    fn each_function_of_the_language_is_known() {
        let names: Vec<&str> = NATIVES.iter().map(|native| native.name).collect();
        assert_eq!(names, FUNCTIONS);
        assert!(SIGNATURES.iter().all(Option::is_some));
    }

    #[test]
    fn the_context_stands_for_an_argument_that_may_be_missing() {
        let takes = |name: &str, args| find(name).is_some_and(|native| native.takes_context(args));
        assert!(takes("string", 0) && !takes("string", 1));
        assert!(takes("substring", 1) && takes("substring", 2) && !takes("substring", 3));
        assert!(!takes("count", 0));
    }
}
