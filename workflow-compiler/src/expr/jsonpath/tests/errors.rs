//! Tests of rejected paths, with code and span.

use super::{Mode, read, text};
use crate::diagnostics::Diagnostics;
use crate::expr::jsonpath::parse_target;

/// Path, code, marked part of the path, part of the message.
type Case = (&'static str, &'static str, &'static str, &'static str);

fn check(mode: Mode, cases: &[Case]) {
    for (path, code, marked, message) in cases {
        let found = read(path, mode).err().unwrap_or_else(|| panic!("{path} is accepted"));
        let [only] = &found[..] else { panic!("{path}: {found:?}") };
        assert_eq!(only.code.id, *code, "{path}: {}", only.message);
        assert_eq!(&path[only.span.start as usize..only.span.end as usize], *marked, "{path}: {}", only.message);
        assert!(only.message.contains(message), "{path}: {}", only.message);
    }
}

#[test]
fn syntax_is_checked() {
    check(
        Mode::Jayway,
        &[
            ("", "E0301", "", "starts with `$`"),
            ("order.id", "E0301", "o", "starts with `$`"),
            ("$.", "E0301", ".", "a name is missing"),
            ("$...", "E0301", "...", "two dots"),
            ("$..", "E0301", "..", "a name is missing"),
            ("$.a b", "E0301", " b", "a blank ends the path"),
            ("$.a]", "E0301", "]", "not expected"),
            ("$.'a'", "E0301", ".'", "cannot start with"),
            ("$.a[", "E0301", "", "ends inside brackets"),
            ("$.a[0", "E0301", "[", "not closed"),
            ("$.a[first]", "E0301", "first", "not in quotes"),
            ("$.a['b]", "E0301", "'", "not closed"),
            ("$.a[1 2]", "E0301", "2", "`,` or `]`"),
            ("$.a[?]", "E0301", "?", "no condition"),
            ("$.a[?(@.b]", "E0301", "(", "not closed"),
            ("$.a[?(@.b = 1)]", "E0301", "=", "single `=`"),
            ("$.a[?(1)]", "E0301", "1", "a constant alone"),
            ("$.a[?(@.b ==)]", "E0301", ")", "is expected here"),
            ("$.a[?(b > 1)]", "E0301", "b", "is expected here"),
            ("$.a[99999999999999999999]", "E0301", "99999999999999999999", "too large"),
            ("$.a[-]", "E0301", "-", "a number is expected"),
            ("$.a[?(@.b =~ x)]", "E0301", "x", "regular expression is expected"),
            ("$.a[?(@.b =~ /x/q)]", "E0301", "q", "flag `q`"),
            ("$.a\\", "E0301", "\\", "nothing follows the backslash"),
            ("$.a.max()", "E0305", "max(", "`max`"),
            ("$.a[*].length()", "E0305", "$.a[*].length()", "several values"),
            ("$.a[(@.first)]", "E0305", "(@.first)", "scripts"),
            ("$.a[?(@.b == $$.Execution.Id)]", "E0306", "$$", "a filter reaches only"),
            ("$.a[?(@.b == $x.id)]", "E0306", "$x", "a filter reaches only"),
            ("$x[?(@.b == $.id)]", "E0305", "$.id", "not supported"),
            ("$.a[?(@.b =~ /[/)]", "E0304", "/[/", "not valid"),
        ],
    );
}

#[test]
fn functions_of_filters_are_checked() {
    check(
        Mode::Rfc,
        &[
            ("$[?lenght(@.a) > 1]", "E0303", "lenght", "no function `lenght`"),
            ("$[?length(@.a)]", "E0303", "length(@.a)", "alone is no condition"),
            ("$[?length(@.*) > 1]", "E0303", "@.*", "can lead to several"),
            ("$[?count(1) > 1]", "E0303", "1", "takes a path"),
            ("$[?length(@.a, 1) > 1]", "E0303", "length(@.a, 1)", "takes 1 argument"),
            ("$[?match(@.a) ]", "E0303", "match(@.a)", "takes 2 arguments"),
            ("$[?match(@.a, 'x') == true]", "E0303", "match(@.a, 'x')", "cannot be compared"),
            ("$[?search(@.a, '(')]", "E0304", "'('", "not valid"),
            ("$[?@.* == 1]", "E0301", "@.*", "several values cannot be compared"),
        ],
    );
}

#[test]
fn strict_paths_refuse_what_only_jayway_has() {
    for path in [
        "$.[0]",
        "$.a-b",
        "$.a.length()",
        "$[?(@.a==es)]",
        "$[?(@.a =~ /x/)]",
        "$[?(@.a in [1])]",
        "$[?(@.a === 1)]",
        "$[(@.length-1)]",
        "$.a ",
        " $.a",
        "$[01]",
        "$[-0]",
        "$['\\x']",
        "$[?(@.a == [1])]",
        "$.0",
    ] {
        assert!(read(path, Mode::Rfc).is_err(), "{path}");
    }
}

#[test]
fn reference_paths_lead_to_one_place() {
    check(
        Mode::Reference,
        &[
            ("$.a[*].b", "E0302", "[*]", "several places"),
            ("$.a..b", "E0302", "..b", "several places"),
            ("$.a[0,1]", "E0302", "[0,1]", "several places"),
            ("$.a[1:2]", "E0302", "[1:2]", "several places"),
            ("$.a['b','c']", "E0302", "['b','c']", "several places"),
            ("$.a[?(@.b)]", "E0302", "[?(@.b)]", "several places"),
            ("$.a.*", "E0302", ".*", "several places"),
            ("$.a.length()", "E0302", "$.a.length()", "a function"),
        ],
    );
    for target in ["$$.a", "$x.a"] {
        let mut diagnostics = Diagnostics::default();
        assert_eq!(parse_target(&text(target), &mut diagnostics), None);
        assert_eq!(diagnostics.finish()[0].code.id, "E0306", "{target}");
    }
}

#[test]
fn what_is_accepted_with_a_warning_is_marked() {
    for (path, code, marked) in [
        ("$[?(@.code==es)].text", "W0301", "es"),
        ("$[?(@.code == fr-CA)].text", "W0301", "fr-CA"),
        ("$.a  ", "W0302", "  "),
    ] {
        let mut diagnostics = Diagnostics::default();
        assert!(super::parse(&text(path), Mode::Jayway, &super::TestRoots, &mut diagnostics).is_some(), "{path}");
        let found = diagnostics.finish();
        assert_eq!(found[0].code.id, code, "{path}");
        assert_eq!(&path[found[0].span.start as usize..found[0].span.end as usize], marked);
        assert!(found[0].fix.is_some(), "{path}");
    }
}

#[test]
fn hostile_paths_cost_little() {
    let deep = format!("$[?{}@.a{}]", "(".repeat(100_000), ")".repeat(100_000));
    let negated = format!("$[?{}@.a]", "!".repeat(100_000));
    let nested = "$[?@".repeat(100_000);
    let lists = format!("$[?@.a in {}", "[".repeat(100_000));
    let long = format!("${}", ".a".repeat(100_000));
    for path in [deep, negated, nested, lists, long] {
        for mode in [Mode::Rfc, Mode::Jayway, Mode::Reference] {
            assert!(read(&path, mode).is_err());
        }
    }
}

#[test]
fn lenient_paths_start_from_the_data() {
    check(
        Mode::ServerlessWorkflow,
        &[
            ("", "E0301", "", "starts with `$`"),
            ("$$.a", "E0306", "$$", "no `$$`"),
            ("$order.id", "E0306", "$order", "no variables"),
            ("$.a[?(@.b == $x.id)]", "E0306", "$x", "no variables"),
            ("$.a.", "E0301", ".", "a name is missing"),
            ("$..", "E0301", "..", "a name is missing"),
            ("$.a[?(@.b == $.)]", "E0301", ".)", "cannot start with `)`"),
            ("$.a.max()", "E0305", "max(", "`max`"),
            ("$.a[*].length()", "E0305", "$.a[*].length()", "several values"),
        ],
    );
}
