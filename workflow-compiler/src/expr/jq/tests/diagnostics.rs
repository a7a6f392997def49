//! Tests of diagnostics.

use super::super::{ResultMode, parse};
use super::try_read;
use crate::diagnostics::Severity;

/// Returns the code, the marked text, the message and the help of each diagnostic.
fn finding(source: &str) -> (&'static str, String, String, String) {
    let (filter, diagnostics) = try_read(source, ResultMode::Value);
    let [found] = &diagnostics[..] else { panic!("{source}: {diagnostics:?}") };
    assert_eq!(filter.is_none(), found.severity() == Severity::Error, "{source}");
    let at = &source[found.span.start as usize..found.span.end as usize];
    (found.code.id, at.to_owned(), found.message.clone(), found.help.clone().unwrap_or_default())
}

#[test]
fn syntax_is_reported_where_it_is_wrong() {
    for (source, at, message, help) in [
        ("", "", "the jq expression is empty", "`.` for the value"),
        ("{.items}", ".items", "expected a key, found `.items`", ""),
        (".a | ", "|", "expected an expression, found the end of the expression", ""),
        (".a == 'x'", "'", "expected an expression, found `'`", "double quotes"),
        (".a && .b", "&", "expected the end of the expression, found `&`", "write `and`"),
        (".a || .b", "|", "expected an expression, found `|`", "write `or`"),
        (".a === 1", "=", "expected an expression, found `=`", "write `==`"),
        ("!.a", "!", "expected an expression, found `!`", "| not"),
        ("1 == 2 == 3", "==", "expected the end of the expression, found `==`", "parentheses"),
        (".a?//1", "?//", "expected the end of the expression, found `?//`", "put a space"),
        ("\"abc", "\"", "unclosed string", "close it with `\"`"),
        (r#""a\x""#, r"\x", "unknown escape", "a backslash can only precede"),
        (r#""\u12""#, r#"\u12""#, r"`\u` must be followed by four hexadecimal digits", ""),
        ("[1, 2", "2", "expected `]`, found the end of the expression", ""),
        ("if .a then 1", "1", "expected `elif`, `else` or `end`, found the end of the expression", ""),
        ("{1: 2}", "1", "a key of an object must be a string", "quotes"),
        ("{a: 1 as $x | $x}", "as", "expected `,` or `}`, found `as`", "parentheses"),
        (
            "import \"a\" as a; 1",
            "import",
            "`import` is not supported: an expression has no modules",
            "`def name: …; …`",
        ),
        ("include \"a\"; 1", "include", "`include` is not supported: an expression has no modules", "`def name: …; …`"),
    ] {
        let (code, place, text, actual_help) = finding(source);
        assert_eq!((code, place.as_str(), text.as_str()), ("WF0340", at, message), "{source}");
        assert!(actual_help.contains(help), "{source}: {actual_help}");
    }
}

#[test]
fn unknown_names_are_reported_with_what_was_meant() {
    for (source, code, at, message, help) in [
        (".name | upcase", "WF0341", "upcase", "unknown function `upcase`", "`.upcase` for the member"),
        (".a | lenght", "WF0341", "lenght", "unknown function `lenght`", "did you mean `length`?"),
        ("def total: 1; totl", "WF0341", "totl", "unknown function `totl`", "did you mean `total`?"),
        (".some-fruits", "WF0341", "fruits", "`fruits` is not defined", "write `.\"some-fruits\"`"),
        (".steps.flip-coin.outputs", "WF0341", "coin", "`coin` is not defined", "write `.\"flip-coin\"`"),
        (
            "test(1; 2; 3)",
            "WF0341",
            "test(1; 2; 3)",
            "`test` takes 1 or 2 arguments, found 3",
            "remove the extra arguments",
        ),
        (
            "ltrimstr(\"a\"; 1)",
            "WF0341",
            "ltrimstr(\"a\"; 1)",
            "`ltrimstr` takes 1 argument, found 2",
            "remove the extra arguments",
        ),
        ("sub(1, 2)", "WF0341", "sub(1, 2)", "`sub` takes 2 or 3 arguments, found 1", "separate arguments with `;`"),
        ("map", "WF0341", "map", "`map` takes 1 argument, found none", ""),
        ("@bse64", "WF0341", "@bse64", "unknown format `@bse64`", "did you mean `@base64`?"),
        ("$valeu", "WF0342", "$valeu", "unknown variable `$valeu`", "did you mean `$value`?"),
        ("$x", "WF0342", "$x", "unknown variable `$x`", "the variables in scope are `$value`"),
        ("(.a as $x | 1) + $x", "WF0342", "$x", "unknown variable `$x`", "`$value`"),
        ("label $out | break $ot", "WF0342", "break $ot", "unknown label `$ot`", "`$out`"),
        ("env.HOME", "WF0343", "env", "`env` is not available", "environment"),
        ("$ENV.HOME", "WF0343", "$ENV", "`$ENV` is not available", "environment"),
        ("$__loc__", "WF0343", "$__loc__", "`$__loc__` is not available", "no position"),
        ("input", "WF0343", "input", "`input` is not available", "the only input"),
        ("[inputs]", "WF0343", "inputs", "`inputs` is not available", "the only input"),
        ("debug", "WF0343", "debug", "`debug` is not available", "cannot print"),
        ("debug(\"x\")", "WF0343", "debug", "`debug` is not available", "cannot print"),
        ("halt", "WF0343", "halt", "`halt` is not available", "cannot end a workflow"),
        ("halt_error(1)", "WF0343", "halt_error", "`halt_error` is not available", "use `error(\"…\")` to fail"),
        ("input_line_number", "WF0343", "input_line_number", "`input_line_number` is not available", "not a file"),
        ("def f: 1 + f; f", "WF0344", "f", "`f` calls itself", "`recurse`"),
        ("def f(g): f(g | g); f(.)", "WF0344", "f", "`f` calls itself", "`recurse`"),
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
    assert_eq!(codes, ["WF0341", "WF0342", "WF0343"]);
}

#[test]
fn a_definition_hides_what_is_not_available() {
    assert!(try_read("def env: {}; env", ResultMode::Value).0.is_some());
    assert!(try_read("1 as $__loc__ | $__loc__", ResultMode::Value).0.is_some());
}

#[test]
fn what_an_engine_runs_is_reported_with_the_construct() {
    let (code, _, message, _) = finding("path(reduce .k[] as $k (.; .[$k]))");
    assert_eq!(code, "WF0375");
    assert_eq!(
        message,
        "this expression runs on the jq engine: `reduce` or `foreach` as a path is not translated to Rust"
    );
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
