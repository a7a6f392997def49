//! Tests of parsing and lowering.

use super::{SpelMode, expr, shown, try_read};
use crate::expr::{Expr, Type};

#[test]
fn expressions_have_the_precedences_of_spring() {
    for (source, expected) in [
        (
            "a or b and c",
            "(spel::is_true(data[through \"a\"]) or (spel::is_true(data[through \"b\"]) and spel::is_true(data[through \"c\"])))",
        ),
        ("1 + 2 * 3 eq 7", "spel::equals(spel::add(1, spel::multiply(2, 3)), 7)"),
        ("(1 + 2) * 3 eq 9", "spel::equals(spel::multiply(spel::add(1, 2), 3), 9)"),
        ("8 / 4 / 2 eq 1", "spel::equals(spel::divide(spel::divide(8, 4), 2), 1)"),
        ("not a and b", "(not spel::is_true(data[through \"a\"]) and spel::is_true(data[through \"b\"]))"),
        ("!(a eq 1)", "not spel::equals(data[through \"a\"], 1)"),
        ("-a - -1 lt 3", "spel::less_than(spel::subtract(spel::negate(data[through \"a\"]), -1), 3)"),
        (
            "a ? b eq 1 : c",
            "(if spel::is_true(data[through \"a\"]) then spel::equals(data[through \"b\"], 1) else spel::is_true(data[through \"c\"]))",
        ),
    ] {
        assert_eq!(shown(source, SpelMode::Test), expected, "{source}");
    }
}

#[test]
fn the_expressions_of_the_draft_are_read() {
    for (source, expected) in [
        ("$.error ne null", "spel::is_given(data[through \"error\"])"),
        ("$.exception != null", "spel::is_given(data[through \"exception\"])"),
        ("null eq $.error", "not spel::is_given(data[through \"error\"])"),
        ("name eq 'FunctionExecutionError'", "spel::equals(name, \"FunctionExecutionError\")"),
        ("$.error.name ne 'X'", "not spel::equals(data[through \"error\"][through \"name\"], \"X\")"),
        ("$.exit_code == 1", "spel::equals(data[through \"exit_code\"], 1)"),
        (
            "#jsonPath(stateOutputData,'$..user.title') eq 'MANAGER'",
            "spel::equals(spel::only(all output..[\"user\"][through \"title\"]), \"MANAGER\")",
        ),
    ] {
        assert_eq!(shown(source, SpelMode::Test), expected, "{source}");
    }
}

#[test]
fn operators_are_written_in_any_case_and_with_signs() {
    for (one, other) in [
        ("a EQ 1", "a==1"),
        ("a Ne 1", "a!=1"),
        ("a lt 1 AND b GE 2", "a<1&&b>=2"),
        ("a le 1 Or b GT 2", "a<=1||b>2"),
        ("NOT a", "!a"),
        ("a DIV 2 eq 1", "a/2 == 1"),
        ("a mod 2 eq TRUE.x", "a%2 == true.x"),
        ("a eq NULL", "a == null"),
        ("a.b['c'][0] eq 1", " a . b [ \"c\" ] [ 0 ] == 1 "),
        ("a?.b eq 1", "a.b eq 1"),
        ("$.a.b eq 1", "a.b eq 1"),
        ("#root.a eq 1", "$.a eq 1"),
        ("#this.a eq 1", "#root['a'] eq 1"),
        ("#name eq 'x'", "name eq \"x\""),
        ("#jsonPath(#root, '$.a.b') eq 1", "$.a.b eq 1"),
        ("#jsonPath(a, \"$.b\") eq 1", "$.a.b eq 1"),
        ("0xFF eq 255L", "255 eq 255"),
        ("1.5e1 eq 15.0d", "15.0 eq 15f"),
        ("'it''s' eq \"say \"\"x\"\"\"", "\"it's\" eq 'say \"x\"'"),
        ("{1, 'a'} eq a", "( { 1 , 'a' } ) eq a"),
    ] {
        assert_eq!(shown(one, SpelMode::Test), shown(other, SpelMode::Test), "{one} and {other}");
    }
}

#[test]
fn paths_end_where_operators_and_methods_begin() {
    for (source, expected) in [
        ("$.a+$.b", "spel::add(data[through \"a\"], data[through \"b\"])"),
        ("$.a-1", "spel::subtract(data[through \"a\"], 1)"),
        ("$.exit-code", "data[through \"exit-code\"]"),
        ("$.a*2", "spel::multiply(data[through \"a\"], 2)"),
        ("$.a?.b", "data[through \"a\"][through \"b\"]"),
        ("$.a.b.size()", "spel::size(data[through \"a\"][through \"b\"], \"size\")"),
        ("$.a.length ()", "spel::size(data[through \"a\"], \"length\")"),
        ("$['a b'][0].c", "data[through \"a b\"][0][through \"c\"]"),
        ("$[0]", "data[0]"),
        ("$", "data"),
        (
            "$.a[?(@.b == true && @.c-d)].size()",
            "spel::size(all data[through \"a\"][?(jsonpath::jayway_equal(@[through \"b\"], true) and jsonpath::holds(@[through \"c-d\"]))], \"size\")",
        ),
        ("$..a.toUpperCase", "all data..[\"a\"][through \"toUpperCase\"]"),
        ("{$.a,$.b}", "[data[through \"a\"], data[through \"b\"]]"),
        ("$.a?:$.b", "(if spel::is_filled(data[through \"a\"]) then data[through \"a\"] else data[through \"b\"])"),
        ("$.a ?1:$.b", "(if spel::is_true(data[through \"a\"]) then 1 else data[through \"b\"])"),
        ("$.items['a','b']", "jsonpath::members(data[through \"items\"], [\"a\", \"b\"])"),
    ] {
        assert_eq!(shown(source, SpelMode::Value), expected, "{source}");
    }
}

#[test]
fn variables_win_over_members_of_the_data() {
    assert_eq!(shown("name", SpelMode::Value), "name");
    assert_eq!(shown("name.first", SpelMode::Value), "name[through \"first\"]");
    assert_eq!(shown("$.name", SpelMode::Value), "data[through \"name\"]");
    assert_eq!(shown("stateOutputData", SpelMode::Value), "output");
    assert_eq!(shown("title", SpelMode::Value), "data[through \"title\"]");
}

#[test]
fn tests_are_of_type_bool() {
    for source in [
        "true",
        "FALSE",
        "a",
        "$.a",
        "a eq 1",
        "a ?: b",
        "a ? b : c",
        "a ? true : false",
        "not a",
        "a.isEmpty()",
        "a?.isEmpty()",
        "a?.size()",
        "#jsonPath(a, '$..b')",
        "a matches 'x'",
        "a and b",
        "stateOutputData",
        "#root",
    ] {
        assert_eq!(expr(source, SpelMode::Test).ty(), Type::Bool, "{source}");
    }
}

#[test]
fn definite_paths_are_found() {
    for source in ["$.a", "a.b", "#jsonPath(a, '$.b')", "a['b'][0]?.c", "#jsonPath(a.b, '$')"] {
        assert!(matches!(expr(source, SpelMode::Value), Expr::Find(_)), "{source}");
    }
}

#[test]
fn much_is_read_and_too_much_is_refused() {
    let accepted = [
        vec!["a eq 1"; 500].join(" or "),
        format!("{}a{}", "(".repeat(30), ")".repeat(30)),
        format!("a{}", ".b".repeat(60)),
        vec!["a"; 60].join(" + "),
        format!("{{{}}}", vec!["1"; 1000].join(",")),
    ];
    for source in accepted {
        let (read, found) = try_read(&source, SpelMode::Value);
        assert!(read.is_some() && found.is_empty(), "{source}: {found:?}");
    }
    let refused = [
        format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}a", "!".repeat(100_000)),
        format!("{}a", "- ".repeat(100_000)),
        format!("a{}", ".b".repeat(100_000)),
        vec!["a"; 100_000].join(" + "),
        vec!["a"; 100_000].join(" ?: "),
        "a ? ".repeat(100_000),
        "{".repeat(100_000),
        "a.contains(".repeat(100_000),
        format!("$.a{}", "[?(@".repeat(100_000)),
        vec!["a eq 1"; 100_000].join(" or "),
        // The operand before `?:` is evaluated in two places.
        format!("{}a{}", "(".repeat(40), " ?: b)".repeat(40)),
    ];
    for source in refused {
        let (read, found) = try_read(&source, SpelMode::Value);
        assert!(read.is_none(), "{}", &source[..40]);
        assert_eq!(found.len(), 1, "{}", &source[..40]);
        assert!(matches!(found[0].code.id, "WF1301" | "WF0301"), "{}: {}", &source[..40], found[0].message);
    }
}
