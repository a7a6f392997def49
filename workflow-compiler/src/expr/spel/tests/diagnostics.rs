//! Tests of diagnostics: codes, spans and help.

use super::{SpelMode, read, scope_with, try_read, variables};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::FileId;
use crate::syntax::json;

/// Expression, code, marked part, part of the message, part of the help.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn only(source: &str, mode: SpelMode) -> Diagnostic {
    let (read, found) = try_read(source, mode);
    assert_eq!(read, None, "{source}");
    match <[Diagnostic; 1]>::try_from(found) {
        Ok([only]) => only,
        Err(found) => panic!("{source}: {found:?}"),
    }
}

fn check(mode: SpelMode, cases: &[Case]) {
    for (source, code, marked, message, help) in cases {
        let only = only(source, mode);
        assert_eq!(only.code.id, *code, "{source}: {}", only.message);
        assert_eq!(&source[only.span.start as usize..only.span.end as usize], *marked, "{source}: {}", only.message);
        assert!(only.message.contains(message), "{source}: {}", only.message);
        let helps = only.help.as_deref().unwrap_or_default();
        assert!(!helps.is_empty() && helps.contains(help), "{source}: {helps}");
    }
}

#[test]
fn syntax_is_checked() {
    check(
        SpelMode::Value,
        &[
            ("", "WF1301", "", "empty", "$.error ne null"),
            ("a eq", "WF1301", "", "found the end", "write a path"),
            ("eq 1", "WF1301", "eq", "before the operator `eq`", "$.eq"),
            ("a eq 1 eq 2", "WF1301", "eq", "cannot be chained", "`and`"),
            ("a === 1", "WF1301", "===", "is not an operator", "`==`"),
            ("a <> 1", "WF1301", "<>", "is not an operator", "`!=`"),
            ("a & b", "WF1301", "&", "single `&`", "`and`"),
            ("a | b", "WF1301", "|", "single `|`", "`or`"),
            ("a =~ 'x'", "WF1301", "=~", "is not an operator", "matches"),
            ("(a eq 1", "WF1301", "(", "unclosed", "`)`"),
            ("a eq 1)", "WF1301", ")", "unmatched", ""),
            ("a b", "WF1301", "b", "unexpected `b`", "operator"),
            ("'it's'", "WF1301", "s", "unexpected `s`", ""),
            ("'abc", "WF1301", "'", "unclosed", "double this quote"),
            ("a ? 1", "WF1301", "?", "missing `:`", "condition ?"),
            ("a. eq 1", "WF1301", "1", "unexpected `1`", ""),
            ("a.1", "WF1301", ".1", "expected a name", "['the name']"),
            ("a['b'", "WF1301", "[", "unclosed", "`]`"),
            ("a[1.5]", "WF1301", "1.5", "whole number", ""),
            ("a[-1]", "WF1301", "-", "cannot be negative", "$.items[-1]"),
            ("{1, 2", "WF1301", "{", "unclosed", "`}`"),
            ("1x", "WF1301", "1x", "invalid or out-of-range number", "in quotes"),
            ("99999999999999999999", "WF1301", "99999999999999999999", "out-of-range", ""),
            ("10x3 eq 30", "WF1301", "10x3", "invalid or out-of-range number", ""),
            (".a", "WF1301", ".", "before the dot", "start a path with `$`"),
            ("#", "WF1301", "#", "after `#`", "#root"),
            ("a eq *", "WF1301", "*", "found `*`", ""),
        ],
    );
}

#[test]
fn what_is_for_java_is_refused_by_name() {
    check(
        SpelMode::Value,
        &[
            ("T(java.lang.Math).random()", "WF1302", "T", "class references", "task"),
            ("new String('a')", "WF1302", "new", "`new` is not supported", "task"),
            ("a = 1", "WF1302", "=", "assignment", "`eq`"),
            ("a++", "WF1302", "++", "`++`", "+ 1"),
            ("--a", "WF1302", "--", "`--`", "- 1"),
            ("a ^ 2", "WF1302", "^", "`^`", "`*`"),
            ("a between {1, 5}", "WF1302", "between", "`between`", "ge 1"),
            ("a instanceof b", "WF1302", "instanceof", "`instanceof`", "`matches`"),
            ("@bean.run()", "WF1302", "@", "beans", "a member of the data"),
            ("&factory", "WF1302", "&", "beans", "a member of the data"),
            ("items.?[price gt 10]", "WF1302", ".?[", "selection", "[?(@.price > 10)]"),
            ("items?.?[price gt 10]", "WF1302", "?.?[", "selection", "[?(@.price > 10)]"),
            ("$.items.^[price gt 10]", "WF1302", ".^[", "selection", "[?(@.price > 10)]"),
            ("items.![price]", "WF1302", ".![", "projection", "[*]"),
            ("{a: 1}", "WF1302", "{a:", "maps", "{1, 2}"),
            ("a[b]", "WF1302", "b", "in quotes", "['b']"),
            ("a[*]", "WF1302", "*", "in quotes", "$.items[*]"),
            ("a[(1)]", "WF1302", "(", "in quotes", "[0]"),
            ("a[1 + 1]", "WF1302", "+", "expected `]`", "[0]"),
            ("#{a eq 1}", "WF1302", "#{", "must not be enclosed", "remove `#{`"),
        ],
    );
}

#[test]
fn names_are_looked_up() {
    check(
        SpelMode::Value,
        &[
            ("$.a.trim()", "WF1303", "trim", "unknown method `trim`", "isEmpty()"),
            ("a.startswith('b')", "WF1303", "startswith", "unknown method", "did you mean `startsWith`"),
            ("a.equals('b')", "WF1303", "equals", "unknown method", "`eq`"),
            ("a.contains()", "WF1303", "contains()", "takes 1 argument, found 0", "contains(…)"),
            ("$.a.size(1)", "WF1303", "size(1)", "takes 0 arguments, found 1", ""),
            ("size(a)", "WF1303", "size", "unknown function `size`", "$.items.size"),
            ("abs(a)", "WF1303", "abs", "unknown function `abs`", "#jsonPath"),
            ("jsonPath(a, '$.b')", "WF1303", "jsonPath", "unknown function", "#jsonPath"),
            ("#jsonpath(a, '$.b')", "WF1303", "#jsonpath", "unknown function", "did you mean `#jsonPath`"),
            ("#upper(a)", "WF1303", "#upper", "unknown function", "#jsonPath"),
            ("#jsonPath(a)", "WF1303", "#jsonPath(a)", "a value and a path", "stateOutputData"),
            ("#jsonPath(a, '$', 1)", "WF1303", "#jsonPath(a, '$', 1)", "a value and a path", "stateOutputData"),
            ("#jsonPath(a, b)", "WF1303", "b", "in quotes", "constant path"),
            ("#stateOutputDate.a", "WF1303", "#stateOutputDate", "unknown variable", "did you mean `#stateOutputData`"),
            ("#orders", "WF1303", "#orders", "unknown variable", "`#stateOutputData`, `#name`, `#root`"),
        ],
    );
}

#[test]
fn paths_in_expressions_have_their_own_diagnostics() {
    check(
        SpelMode::Value,
        &[
            ("$.a[", "WF0301", "", "inside brackets", ""),
            ("1 + $order.id", "WF0306", "$order", "variables are not supported", "$.order"),
            ("$$.a", "WF0306", "$$", "`$$` is not supported", "single `$`"),
            ("#jsonPath(a, '$.b c')", "WF0301", " c", "unexpected white space in the path", ""),
            ("#jsonPath(a, 'b')", "WF0301", "b", "start with `$`", "$.b"),
            ("#jsonPath(a, '$[?(@.x == ''y'' & 1)]')", "WF0301", "&", "unexpected `&`", ""),
        ],
    );
}

#[test]
fn types_that_never_fit_are_refused() {
    check(
        SpelMode::Test,
        &[
            ("'done'", "WF0326", "'done'", "must be a boolean, found a string", "compare"),
            ("$.a - 1", "WF0326", "$.a - 1", "found a number", "compare"),
            ("null", "WF0326", "null", "null", ""),
            ("$.items[*]", "WF0326", "$.items[*]", "an array", "isEmpty"),
            ("$.items.size()", "WF0326", "$.items.size()", "a number", ""),
            ("a eq 1 and 'b'", "WF0326", "'b'", "a string", ""),
            ("not a.toUpperCase()", "WF0326", "a.toUpperCase()", "a string", ""),
            ("a ? 1 : true", "WF0326", "1", "a number", ""),
            ("'a' lt 1", "WF0326", "'a' lt 1", "expected two numbers or two strings", "same type"),
            ("null lt a", "WF0326", "null lt a", "expected two numbers or two strings", ""),
            ("a lt true", "WF0326", "a lt true", "found a boolean", ""),
            ("not a eq 'x'", "WF0326", "not a eq 'x'", "never equal", "parentheses"),
            ("1 eq '1'", "WF0326", "1 eq '1'", "never equal", "quotes"),
            ("$..title eq 'X'", "WF0326", "$..title eq 'X'", "never equal", "#jsonPath(#root, '$..title')"),
            ("$.a[?(@.b == 'c')] eq 'X'", "WF0326", "$.a[?(@.b == 'c')] eq 'X'", "never equal", "(…)[0]"),
            ("($..a) eq 1", "WF0326", "($..a) eq 1", "never equal", "#jsonPath(#root, '$..a')"),
            ("a matches 1", "WF0326", "a matches 1", "a pattern", "[A-Z]+"),
            ("{1} matches 'a'", "WF0326", "{1} matches 'a'", "takes a string", ""),
            ("'a' * 2 eq 2", "WF0326", "'a' * 2", "two numbers", ""),
            ("true + 1 eq 2", "WF0326", "true + 1", "`+` takes", "''"),
            ("-'a' eq 2", "WF0326", "'a'", "`-` takes a number", ""),
            ("1.size() eq 1", "WF0326", "1", "method of a string, an array", ""),
            ("(a eq 1).isEmpty()", "WF0326", "(a eq 1)", "found a boolean", ""),
            ("a.startsWith(1)", "WF0326", "1", "takes a string", "quotes"),
            ("'abc'.contains(1)", "WF0326", "1", "takes a string", "quotes"),
            ("a matches '[a-'", "WF0304", "'[a-'", "not valid", "[A-Z]+"),
            ("a matches '(?=x)'", "WF0304", "'(?=x)'", "not valid", "look-around"),
        ],
    );
}

#[test]
fn fixes_are_written_in_place() {
    for (source, mode, mended) in [
        ("a = 1", SpelMode::Test, "a == 1"),
        ("a & b", SpelMode::Test, "a and b"),
        ("a.starts('b')", SpelMode::Test, ""),
        ("#jsonpath(a, '$.b')", SpelMode::Value, "#jsonPath(a, '$.b')"),
        ("a[b] eq 1", SpelMode::Test, "a['b'] eq 1"),
        ("$order.id eq 1", SpelMode::Test, "$.order.id eq 1"),
    ] {
        let found = only(source, mode);
        let fixed = found.fix.map_or_else(String::new, |(span, replacement)| {
            format!("{}{replacement}{}", &source[..span.start as usize], &source[span.end as usize..])
        });
        assert_eq!(fixed, mended, "{source}");
    }
}

#[test]
fn all_flaws_of_meaning_are_found_at_once() {
    let (read, found) = try_read("#x eq 1 and 'a' or b.startsWith(2)", SpelMode::Test);
    assert_eq!(read, None);
    let codes: Vec<&str> = found.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["WF1303", "WF0326", "WF0326"]);
}

#[test]
fn places_go_through_the_escapes_of_the_definition() {
    // The path is in SpEL quotes, with doubled quotes inside, in a JSON string with an escape.
    let definition = r#""a eq 1\nand #jsonPath(b, '$[?(@.c == ''\u0064'' & 1)]') eq #x""#;
    let mut diagnostics = Diagnostics::default();
    let node = json::read(FileId(0), definition, &mut diagnostics);
    let text = node.as_text().expect("a string");
    assert_eq!(read(text, &scope_with(&variables()), SpelMode::Test, &mut diagnostics), None);
    let found = diagnostics.finish();
    let marked = |found: &Diagnostic| &definition[found.span.start as usize..found.span.end as usize];
    assert_eq!(found.iter().map(marked).collect::<Vec<_>>(), ["&", "#x"]);
}

/// The examples in the explanations of codes have the diagnostics they document.
#[test]
fn examples_of_explanations_are_what_they_are_said_to_be() {
    for code in crate::expr::spel::codes::ALL {
        let (bad, good) =
            code.explanation.split_once("Bad: ").and_then(|(_, rest)| rest.split_once("Good: ")).expect("examples");
        for example in bad.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example, SpelMode::Test);
            assert!(read.is_none() && found[0].code == *code, "{}: {example}: {found:?}", code.id);
        }
        for example in good.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example, SpelMode::Test);
            assert!(read.is_some() && found.is_empty(), "{}: {example}: {found:?}", code.id);
        }
    }
}
