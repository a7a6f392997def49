//! The functions of the language.

/// Passes the table of the functions to a macro.
///
/// A row has the name of the function in Rust, the name in the language, the signature, the number
/// of parameters as functions that call it back see it, and in brackets what else there is:
/// `sequence` if the result can be a sequence, and `context` if the context item can stand for an
/// argument. The functions are those of JSONata 2.0.6 without `eval`, and the six that AWS Step
/// Functions adds, in the order of their names.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    ($rows:ident) => {
        $rows! {
            abs "abs" "<n-:n>" 1 [context];
            append "append" "<xx:a>" 2 [];
            assert "assert" "<bs?:x>" 2 [];
            average "average" "<a<n>:n>" 1 [];
            base64_decode "base64decode" "<s-:s>" 1 [context];
            base64_encode "base64encode" "<s-:s>" 1 [context];
            boolean "boolean" "<x-:b>" 1 [context];
            ceil "ceil" "<n-:n>" 1 [context];
            clone "clone" "<(oa)-:o>" 1 [context];
            contains "contains" "<s-(sf):b>" 2 [context];
            count "count" "<a:n>" 1 [];
            decode_url "decodeUrl" "<s-:s>" 1 [context];
            decode_url_component "decodeUrlComponent" "<s-:s>" 1 [context];
            distinct "distinct" "<x:x>" 1 [sequence];
            each "each" "<o-f:a>" 2 [sequence context];
            encode_url "encodeUrl" "<s-:s>" 1 [context];
            encode_url_component "encodeUrlComponent" "<s-:s>" 1 [context];
            error "error" "<s?:x>" 1 [];
            exists "exists" "<x:b>" 1 [];
            filter "filter" "<af>" 2 [sequence];
            floor "floor" "<n-:n>" 1 [context];
            format_base "formatBase" "<n-n?:s>" 2 [context];
            format_integer "formatInteger" "<n-s:s>" 2 [context];
            format_number "formatNumber" "<n-so?:s>" 3 [context];
            from_millis "fromMillis" "<n-s?s?:s>" 3 [context];
            hash "hash" "<ss?:s>" 2 [];
            join "join" "<a<s>s?:s>" 2 [];
            keys "keys" "<x-:a<s>>" 1 [sequence context];
            length "length" "<s-:n>" 1 [context];
            lookup "lookup" "<x-s:x>" 2 [sequence context];
            lowercase "lowercase" "<s-:s>" 1 [context];
            map "map" "<af>" 2 [sequence];
            find_matches "match" "<s-f<s:o>n?:a<o>>" 3 [sequence context];
            max "max" "<a<n>:n>" 1 [];
            merge "merge" "<a<o>:o>" 1 [];
            millis "millis" "<:n>" 0 [];
            min "min" "<a<n>:n>" 1 [];
            not "not" "<x-:b>" 1 [context];
            now "now" "<s?s?:s>" 2 [];
            number "number" "<(nsb)-:n>" 1 [context];
            pad "pad" "<s-ns?:s>" 3 [context];
            parse "parse" "<s-:j>" 1 [context];
            parse_integer "parseInteger" "<s-s:n>" 2 [context];
            partition "partition" "<xn?:a>" 2 [];
            power "power" "<n-n:n>" 2 [context];
            random "random" "<n?:n>" 0 [];
            range "range" "<nnn?:a<n>>" 3 [sequence];
            reduce "reduce" "<afj?:j>" 3 [sequence];
            replace "replace" "<s-(sf)(sf)n?:s>" 4 [context];
            reverse "reverse" "<a:a>" 1 [];
            round "round" "<n-n?:n>" 2 [context];
            shuffle "shuffle" "<a:a>" 1 [];
            sift "sift" "<o-f?:o>" 2 [context];
            single "single" "<af?>" 2 [];
            sort "sort" "<af?:a>" 2 [];
            split "split" "<s-(sf)n?:a<s>>" 3 [context];
            spread "spread" "<x-:a<o>>" 1 [sequence context];
            sqrt "sqrt" "<n-:n>" 1 [context];
            string "string" "<x-b?:s>" 1 [context];
            substring "substring" "<s-nn?:s>" 3 [context];
            substring_after "substringAfter" "<s-s:s>" 2 [context];
            substring_before "substringBefore" "<s-s:s>" 2 [context];
            sum "sum" "<a<n>:n>" 1 [];
            to_millis "toMillis" "<s-s?:n>" 2 [context];
            trim "trim" "<s-:s>" 1 [context];
            type_of "type" "<x:s>" 1 [];
            uppercase "uppercase" "<s-:s>" 1 [context];
            uuid "uuid" "<:s>" 0 [];
            zip "zip" "<a+>" 0 [];
        }
    };
}

/// Defines the list of the names.
macro_rules! names {
    ($($function:ident $name:literal $signature:literal $arity:literal [$($kind:ident)*];)*) => {
        /// The names of all functions, sorted: those of JSONata 2.0.6 without `eval`, and the six
        /// that AWS Step Functions adds.
        pub const FUNCTIONS: &[&str] = &[$($name),*];
    };
}

functions!(names);

/// The functions whose result differs from call to call, sorted.
pub(crate) const VOLATILE: &[&str] = &["millis", "now", "random", "shuffle", "uuid"];

/// Returns `true` for the name of a function, without `$`.
///
/// ```
/// use workflow_jsonata::is_function;
///
/// assert!(is_function("sum") && is_function("partition"));
/// assert!(!is_function("eval"));
/// ```
#[must_use]
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}
