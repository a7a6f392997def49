//! Tests of diagnostics: codes, spans and help.

use super::{ResultMode, read, scope_with, try_read, variables};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::FileId;
use crate::syntax::json;

/// Expression, code, marked part, part of the message, part of the help.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn only(source: &str, mode: ResultMode) -> Diagnostic {
    let (read, found) = try_read(source, mode);
    assert_eq!(read, None, "{source}");
    match <[Diagnostic; 1]>::try_from(found) {
        Ok([only]) => only,
        Err(found) => panic!("{source}: {found:?}"),
    }
}

fn check(mode: ResultMode, cases: &[Case]) {
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
        ResultMode::Value,
        &[
            ("", "E1301", "", "empty", "$.error ne null"),
            ("a eq", "E1301", "", "at the end", "a value is"),
            ("eq 1", "E1301", "eq", "before the operator `eq`", "$.eq"),
            ("a eq 1 eq 2", "E1301", "eq", "cannot follow", "`and`"),
            ("a === 1", "E1301", "===", "no operator", "`==`"),
            ("a <> 1", "E1301", "<>", "no operator", "`!=`"),
            ("a & b", "E1301", "&", "single `&`", "`and`"),
            ("a | b", "E1301", "|", "single `|`", "`or`"),
            ("a =~ 'x'", "E1301", "=~", "no operator", "matches"),
            ("(a eq 1", "E1301", "(", "not closed", "`)`"),
            ("a eq 1)", "E1301", ")", "not opened", ""),
            ("a b", "E1301", "b", "`b` is not expected", "operator"),
            ("'it's'", "E1301", "s", "`s` is not expected", ""),
            ("'abc", "E1301", "'", "not closed", "written twice"),
            ("a ? 1", "E1301", "?", "`:` does not follow", "condition ?"),
            ("a. eq 1", "E1301", "1", "`1` is not expected", ""),
            ("a.1", "E1301", ".1", "a name is expected", "['the name']"),
            ("a['b'", "E1301", "[", "not closed", "`]`"),
            ("a[1.5]", "E1301", "1.5", "whole number", ""),
            ("a[-1]", "E1301", "-", "counts from 0", "$.items[-1]"),
            ("{1, 2", "E1301", "{", "not closed", "`}`"),
            ("1x", "E1301", "1x", "not a number", "in quotes"),
            ("99999999999999999999", "E1301", "99999999999999999999", "too large", ""),
            ("10x3 eq 30", "E1301", "10x3", "not a number", ""),
            (".a", "E1301", ".", "before the dot", "begin with `$`"),
            ("#", "E1301", "#", "after `#`", "#root"),
            ("a eq *", "E1301", "*", "in place of `*`", ""),
        ],
    );
}

#[test]
fn what_is_for_java_is_refused_by_name() {
    check(
        ResultMode::Value,
        &[
            ("T(java.lang.Math).random()", "E1302", "T", "no classes", "task"),
            ("new String('a')", "E1302", "new", "no classes", "task"),
            ("a = 1", "E1302", "=", "assigned", "`eq`"),
            ("a++", "E1302", "++", "`++`", "+ 1"),
            ("--a", "E1302", "--", "`--`", "- 1"),
            ("a ^ 2", "E1302", "^", "`^`", "`*`"),
            ("a between {1, 5}", "E1302", "between", "`between`", "ge 1"),
            ("a instanceof b", "E1302", "instanceof", "`instanceof`", "no classes"),
            ("@bean.run()", "E1302", "@", "beans", "members of the data"),
            ("&factory", "E1302", "&", "beans", "members of the data"),
            ("items.?[price gt 10]", "E1302", ".?[", "selection", "[?(@.price > 10)]"),
            ("items?.?[price gt 10]", "E1302", "?.?[", "selection", "[?(@.price > 10)]"),
            ("$.items.^[price gt 10]", "E1302", ".^[", "selection", "[?(@.price > 10)]"),
            ("items.![price]", "E1302", ".![", "projection", "[*]"),
            ("{a: 1}", "E1302", "{a:", "maps", "{1, 2}"),
            ("a[b]", "E1302", "b", "in quotes", "['b']"),
            ("a[*]", "E1302", "*", "in quotes", "$.items[*]"),
            ("a[(1)]", "E1302", "(", "in quotes", "[0]"),
            ("a[1 + 1]", "E1302", "+", "nothing more", "[0]"),
            ("#{a eq 1}", "E1302", "#{", "braces", "without"),
        ],
    );
}

#[test]
fn names_are_looked_up() {
    check(
        ResultMode::Value,
        &[
            ("$.a.trim()", "E1303", "trim", "no method `trim`", "isEmpty()"),
            ("a.startswith('b')", "E1303", "startswith", "no method", "did you mean `startsWith`"),
            ("a.equals('b')", "E1303", "equals", "no method", "`eq`"),
            ("a.contains()", "E1303", "contains()", "takes 1 argument, and is given 0", "contains(…)"),
            ("$.a.size(1)", "E1303", "size(1)", "takes 0 arguments, and is given 1", ""),
            ("size(a)", "E1303", "size", "no function `size`", "$.items.size"),
            ("abs(a)", "E1303", "abs", "no function `abs`", "#jsonPath"),
            ("jsonPath(a, '$.b')", "E1303", "jsonPath", "no function", "#jsonPath"),
            ("#jsonpath(a, '$.b')", "E1303", "#jsonpath", "no function", "did you mean `#jsonPath`"),
            ("#upper(a)", "E1303", "#upper", "no function", "#jsonPath"),
            ("#jsonPath(a)", "E1303", "#jsonPath(a)", "a value and a path", "stateOutputData"),
            ("#jsonPath(a, '$', 1)", "E1303", "#jsonPath(a, '$', 1)", "a value and a path", "stateOutputData"),
            ("#jsonPath(a, b)", "E1303", "b", "in quotes", "compiled"),
            ("#stateOutputDate.a", "E1303", "#stateOutputDate", "no variable", "did you mean `#stateOutputData`"),
            ("#orders", "E1303", "#orders", "no variable", "`#stateOutputData`, `#name`, `#root`"),
        ],
    );
}

#[test]
fn paths_in_expressions_have_their_own_diagnostics() {
    check(
        ResultMode::Value,
        &[
            ("$.a[", "E0301", "", "ends inside brackets", ""),
            ("1 + $order.id", "E0306", "$order", "no variables", "$.order"),
            ("$$.a", "E0306", "$$", "no `$$`", "single `$`"),
            ("#jsonPath(a, '$.b c')", "E0301", " c", "a blank ends the path", ""),
            ("#jsonPath(a, 'b')", "E0301", "b", "starts with `$`", "$.b"),
            ("#jsonPath(a, '$[?(@.x == ''y'' & 1)]')", "E0301", "&", "not expected", ""),
        ],
    );
}

#[test]
fn types_that_never_fit_are_refused() {
    check(
        ResultMode::Test,
        &[
            ("'done'", "E1304", "'done'", "true or false, and this is a string", "compare"),
            ("$.a - 1", "E1304", "$.a - 1", "this is a number", "compare"),
            ("null", "E1304", "null", "null", ""),
            ("$.items[*]", "E1304", "$.items[*]", "an array", "isEmpty"),
            ("$.items.size()", "E1304", "$.items.size()", "a number", ""),
            ("a eq 1 and 'b'", "E1304", "'b'", "a string", ""),
            ("not a.toUpperCase()", "E1304", "a.toUpperCase()", "a string", ""),
            ("a ? 1 : true", "E1304", "1", "a number", ""),
            ("'a' lt 1", "E1304", "'a' lt 1", "have an order", "same type"),
            ("null lt a", "E1304", "null lt a", "have an order", ""),
            ("a lt true", "E1304", "a lt true", "something and a boolean", ""),
            ("not a eq 'x'", "E1304", "not a eq 'x'", "never equal", "parentheses"),
            ("1 eq '1'", "E1304", "1 eq '1'", "never equal", "quotes"),
            ("$..title eq 'X'", "E1304", "$..title eq 'X'", "never equal", "#jsonPath(#root, '$..title')"),
            ("$.a[?(@.b == 'c')] eq 'X'", "E1304", "$.a[?(@.b == 'c')] eq 'X'", "never equal", "(…)[0]"),
            ("($..a) eq 1", "E1304", "($..a) eq 1", "never equal", "#jsonPath(#root, '$..a')"),
            ("a matches 1", "E1304", "a matches 1", "a pattern", "[A-Z]+"),
            ("{1} matches 'a'", "E1304", "{1} matches 'a'", "takes a string", ""),
            ("'a' * 2 eq 2", "E1304", "'a' * 2", "two numbers", ""),
            ("true + 1 eq 2", "E1304", "true + 1", "`+` takes", "''"),
            ("-'a' eq 2", "E1304", "'a'", "`-` takes a number", ""),
            ("1.size() eq 1", "E1304", "1", "method of a string, an array", ""),
            ("(a eq 1).isEmpty()", "E1304", "(a eq 1)", "this is a boolean", ""),
            ("a.startsWith(1)", "E1304", "1", "takes a string", "quotes"),
            ("'abc'.contains(1)", "E1304", "1", "takes a string", "quotes"),
            ("a matches '[a-'", "E1305", "'[a-'", "not valid", "[A-Z]+"),
            ("a matches '(?=x)'", "E1305", "'(?=x)'", "not valid", "look-around"),
        ],
    );
}

#[test]
fn fixes_are_written_in_place() {
    for (source, mode, mended) in [
        ("a = 1", ResultMode::Test, "a == 1"),
        ("a & b", ResultMode::Test, "a and b"),
        ("a.starts('b')", ResultMode::Test, ""),
        ("#jsonpath(a, '$.b')", ResultMode::Value, "#jsonPath(a, '$.b')"),
        ("a[b] eq 1", ResultMode::Test, "a['b'] eq 1"),
        ("$order.id eq 1", ResultMode::Test, "$.order.id eq 1"),
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
    let (read, found) = try_read("#x eq 1 and 'a' or b.startsWith(2)", ResultMode::Test);
    assert_eq!(read, None);
    let codes: Vec<&str> = found.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["E1303", "E1304", "E1304"]);
}

#[test]
fn places_go_through_the_escapes_of_the_definition() {
    // The path is in SpEL quotes, with doubled quotes inside, in a JSON string with an escape.
    let definition = r#""a eq 1\nand #jsonPath(b, '$[?(@.c == ''\u0064'' & 1)]') eq #x""#;
    let mut diagnostics = Diagnostics::default();
    let node = json::read(FileId(0), definition, &mut diagnostics);
    let text = node.as_text().expect("a string");
    assert_eq!(read(text, &scope_with(&variables()), ResultMode::Test, &mut diagnostics), None);
    let found = diagnostics.finish();
    let marked = |found: &Diagnostic| &definition[found.span.start as usize..found.span.end as usize];
    assert_eq!(found.iter().map(marked).collect::<Vec<_>>(), ["&", "#x"]);
}

/// The examples in the explanations of codes have the diagnostics they document.
#[test]
fn examples_of_explanations_are_what_they_are_said_to_be() {
    for code in crate::diagnostics::codes::spel::ALL {
        let (bad, good) =
            code.explanation.split_once("Bad: ").and_then(|(_, rest)| rest.split_once("Good: ")).expect("examples");
        for example in bad.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example, ResultMode::Test);
            assert!(read.is_none() && found[0].code == *code, "{}: {example}: {found:?}", code.id);
        }
        for example in good.split('`').skip(1).step_by(2) {
            let (read, found) = try_read(example, ResultMode::Test);
            assert!(read.is_some() && found.is_empty(), "{}: {example}: {found:?}", code.id);
        }
    }
}
