//! Tests of diagnostics.

use super::super::{ResultMode, parse};
use super::try_read;

/// Returns the code, the marked text, the message and the help of each diagnostic.
fn finding(source: &str) -> (&'static str, String, String, String) {
    let (filter, diagnostics) = try_read(source, ResultMode::Value);
    let [found] = &diagnostics[..] else { panic!("{source}: {diagnostics:?}") };
    assert_eq!(filter.is_none(), found.code.id.starts_with('E'), "{source}");
    let at = &source[found.span.start as usize..found.span.end as usize];
    (found.code.id, at.to_owned(), found.message.clone(), found.help.clone().unwrap_or_default())
}

#[test]
fn syntax_is_reported_where_it_is_wrong() {
    for (source, at, message, help) in [
        ("", "", "there is no jq expression", "`.` for the value"),
        ("{.items}", ".items", "expected a key, and found `.items`", ""),
        (".a | ", "|", "the expression ends where an expression is expected", ""),
        (".a == 'x'", "'", "expected an expression, and found `'`", "double quotes"),
        (".a && .b", "&", "expected the end of the expression, and found `&`", "write `and`"),
        (".a || .b", "|", "expected an expression, and found `|`", "write `or`"),
        (".a === 1", "=", "expected an expression, and found `=`", "write `==`"),
        ("!.a", "!", "expected an expression, and found `!`", "| not"),
        ("1 == 2 == 3", "==", "expected the end of the expression, and found `==`", "parentheses"),
        (".a?//1", "?//", "expected the end of the expression, and found `?//`", "put a blank"),
        ("\"abc", "\"", "this string does not end", "end in `\"`"),
        (r#""a\x""#, r"\x", "this escape is not known", "a backslash stands before"),
        (r#""\u12""#, r#"\u12""#, r"`\u` is followed by four hexadecimal digits", ""),
        ("[1, 2", "2", "the expression ends where `]` is expected", ""),
        ("if .a then 1", "1", "the expression ends where `elif`, `else` or `end` is expected", ""),
        ("{1: 2}", "1", "the keys of an object are strings", "quotes"),
        ("{a: 1 as $x | $x}", "as", "expected `,` or `}`, and found `as`", "parentheses"),
        (
            "import \"a\" as a; 1",
            "import",
            "`import` is not supported: an expression has no modules",
            "`def name: …; …`",
        ),
        ("include \"a\"; 1", "include", "`include` is not supported: an expression has no modules", "`def name: …; …`"),
    ] {
        let (code, place, text, actual_help) = finding(source);
        assert_eq!((code, place.as_str(), text.as_str()), ("E0340", at, message), "{source}");
        assert!(actual_help.contains(help), "{source}: {actual_help}");
    }
}

#[test]
fn unknown_names_are_reported_with_what_was_meant() {
    for (source, code, at, message, help) in [
        (".name | upcase", "E0341", "upcase", "there is no function `upcase`", "`.upcase` for the member"),
        (".a | lenght", "E0341", "lenght", "there is no function `lenght`", "did you mean `length`?"),
        ("def total: 1; totl", "E0341", "totl", "there is no function `totl`", "did you mean `total`?"),
        (".some-fruits", "E0341", "fruits", "`fruits` is not defined", "write `.\"some-fruits\"`"),
        (".steps.flip-coin.outputs", "E0341", "coin", "`coin` is not defined", "write `.\"flip-coin\"`"),
        (
            "test(1; 2; 3)",
            "E0341",
            "test(1; 2; 3)",
            "`test` takes 1 or 2 arguments, and is given 3",
            "leave out what is more than that",
        ),
        (
            "ltrimstr(\"a\"; 1)",
            "E0341",
            "ltrimstr(\"a\"; 1)",
            "`ltrimstr` takes 1 argument, and is given 2",
            "leave out what is more than that",
        ),
        ("sub(1, 2)", "E0341", "sub(1, 2)", "`sub` takes 2 or 3 arguments, and is given 1", "separated by `;`"),
        ("map", "E0341", "map", "`map` takes 1 argument, and is given none", ""),
        ("@bse64", "E0341", "@bse64", "there is no format `@bse64`", "did you mean `@base64`?"),
        ("$valeu", "E0342", "$valeu", "there is no variable `$valeu`", "did you mean `$value`?"),
        ("$x", "E0342", "$x", "there is no variable `$x`", "the variables here are `$value`"),
        ("(.a as $x | 1) + $x", "E0342", "$x", "there is no variable `$x`", "`$value`"),
        ("label $out | break $ot", "E0342", "break $ot", "there is no label `$ot` around this `break`", "`$out`"),
        ("env.HOME", "E0343", "env", "`env` is not available", "environment"),
        ("$ENV.HOME", "E0343", "$ENV", "`$ENV` is not available", "environment"),
        ("$__loc__", "E0343", "$__loc__", "`$__loc__` is not available", "the place"),
        ("input", "E0343", "input", "`input` is not available", "one input"),
        ("[inputs]", "E0343", "inputs", "`inputs` is not available", "one input"),
        ("debug", "E0343", "debug", "`debug` is not available", "prints nothing"),
        ("debug(\"x\")", "E0343", "debug", "`debug` is not available", "prints nothing"),
        ("halt", "E0343", "halt", "`halt` is not available", "not ended"),
        ("halt_error(1)", "E0343", "halt_error", "`halt_error` is not available", "`error(\"…\")` fails"),
        ("input_line_number", "E0343", "input_line_number", "`input_line_number` is not available", "no file"),
        ("def f: 1 + f; f", "E0344", "f", "`f` calls itself", "`recurse`"),
        ("def f(g): f(g | g); f(.)", "E0344", "f", "`f` calls itself", "`recurse`"),
    ] {
        let (found, place, text, actual_help) = finding(source);
        assert_eq!((found, place.as_str(), text.as_str()), (code, at, message), "{source}");
        assert!(actual_help.contains(help), "{source}: {actual_help}");
    }
}

#[test]
fn several_errors_are_reported_at_once() {
    let (_, diagnostics) = try_read("lenght + $x + env", ResultMode::Value);
    let codes: Vec<&str> = diagnostics.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["E0341", "E0342", "E0343"]);
}

#[test]
fn a_definition_hides_what_is_not_available() {
    assert!(try_read("def env: {}; env", ResultMode::Value).0.is_some());
    assert!(try_read("1 as $__loc__ | $__loc__", ResultMode::Value).0.is_some());
}

#[test]
fn what_an_engine_runs_is_reported_with_the_construct() {
    let (code, _, message, _) = finding("path(reduce .k[] as $k (.; .[$k]))");
    assert_eq!(code, "N0340");
    assert_eq!(message, "this runs on an engine, for `reduce` or `foreach` as a path is not translated to Rust");
}

#[test]
fn what_is_printed_for_an_engine_reads_the_same() {
    for source in [
        ".a = 1 // 2",
        "1 + 2 * 3 % 2 - -1",
        "{a, \"b c\": 1, (\"d\", \"e\"): [1, 2], $value, @base64 \"x\\(1)\": 2}",
        "\"a\\(1, 2)\\n\\\"\\u00e9\" | @uri \"x\\(.)\"",
        ".a.b[0][1:2][:3][4:]?.c[]?",
        "if .a then 1 elif .b then 2 end | try error catch .",
        "reduce .[] as [$a, {b: $c, $d}] (0; . + $a) | foreach .[] as $x (0; $x; .)",
        "def f($a; g): $a | g; label $out | f(1; break $out) | . as [$x] ?// $x | $x",
        ".. | limit(3; .[]) |= (. // 5) | -.",
    ] {
        let program = parse::parse(source).expect(source);
        let printed = program.to_string();
        let again = parse::parse(&printed).unwrap_or_else(|error| panic!("{printed}: {}", error.message));
        assert_eq!(again.to_string(), printed, "{source}");
    }
    assert_eq!(parse::parse(".a = 1 // 2").expect("it is jq").to_string(), "(((((.)[\"a\"]) = (1))) // (2))");
}
