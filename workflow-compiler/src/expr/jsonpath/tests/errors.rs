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
            ("", "WF0301", "", "start with `$`"),
            ("order.id", "WF0301", "o", "start with `$`"),
            ("$.", "WF0301", ".", "missing name"),
            ("$...", "WF0301", "...", "two dots"),
            ("$..", "WF0301", "..", "missing name"),
            ("$.a b", "WF0301", " b", "unexpected white space in the path"),
            ("$.a]", "WF0301", "]", "unexpected `]`"),
            ("$.'a'", "WF0301", ".'", "cannot start with"),
            ("$.a[", "WF0301", "", "inside brackets"),
            ("$.a[0", "WF0301", "[", "unclosed"),
            ("$.a[first]", "WF0301", "first", "unquoted"),
            ("$.a['b]", "WF0301", "'", "unclosed"),
            ("$.a[1 2]", "WF0301", "2", "`,` or `]`"),
            ("$.a[?]", "WF0301", "?", "no condition"),
            ("$.a[?(@.b]", "WF0301", "(", "unclosed"),
            ("$.a[?(@.b = 1)]", "WF0301", "=", "single `=`"),
            ("$.a[?(1)]", "WF0301", "1", "a constant is not a condition"),
            ("$.a[?(@.b ==)]", "WF0301", ")", "expected a path, a constant or a function"),
            ("$.a[?(b > 1)]", "WF0301", "b", "expected a path, a constant or a function"),
            ("$.a[99999999999999999999]", "WF0301", "99999999999999999999", "too large"),
            ("$.a[-]", "WF0301", "-", "expected a number"),
            ("$.a[?(@.b =~ x)]", "WF0301", "x", "expected a regular expression"),
            ("$.a[?(@.b =~ /x/q)]", "WF0301", "q", "flag `q`"),
            ("$.a\\", "WF0301", "\\", "unexpected end of the path after `\\`"),
            ("$.a.max()", "WF0305", "max(", "`max`"),
            ("$.a[*].length()", "WF0305", "$.a[*].length()", "several values"),
            ("$.a[(@.first)]", "WF0305", "(@.first)", "scripts"),
            ("$.a[?(@.b == $$.Execution.Id)]", "WF0306", "$$", "a filter can only read"),
            ("$.a[?(@.b == $x.id)]", "WF0306", "$x", "a filter can only read"),
            ("$x[?(@.b == $.id)]", "WF0305", "$.id", "not supported"),
            ("$.a[?(@.b =~ /[/)]", "WF0304", "/[/", "not valid"),
        ],
    );
}

#[test]
fn functions_of_filters_are_checked() {
    check(
        Mode::Rfc,
        &[
            ("$[?lenght(@.a) > 1]", "WF0303", "lenght", "unknown function `lenght`"),
            ("$[?length(@.a)]", "WF0303", "length(@.a)", "is not a condition"),
            ("$[?length(@.*) > 1]", "WF0303", "@.*", "can select several"),
            ("$[?count(1) > 1]", "WF0303", "1", "takes a path"),
            ("$[?length(@.a, 1) > 1]", "WF0303", "length(@.a, 1)", "takes 1 argument"),
            ("$[?match(@.a) ]", "WF0303", "match(@.a)", "takes 2 arguments"),
            ("$[?match(@.a, 'x') == true]", "WF0303", "match(@.a, 'x')", "cannot be compared"),
            ("$[?search(@.a, '(')]", "WF0304", "'('", "not valid"),
            ("$[?@.* == 1]", "WF0301", "@.*", "several values cannot be compared"),
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
            ("$.a[*].b", "WF0302", "[*]", "several values"),
            ("$.a..b", "WF0302", "..b", "several values"),
            ("$.a[0,1]", "WF0302", "[0,1]", "several values"),
            ("$.a[1:2]", "WF0302", "[1:2]", "several values"),
            ("$.a['b','c']", "WF0302", "['b','c']", "several values"),
            ("$.a[?(@.b)]", "WF0302", "[?(@.b)]", "several values"),
            ("$.a.*", "WF0302", ".*", "several values"),
            ("$.a.length()", "WF0302", "$.a.length()", "a function"),
        ],
    );
    for target in ["$$.a", "$x.a"] {
        let mut diagnostics = Diagnostics::default();
        assert_eq!(parse_target(&text(target), &mut diagnostics), None);
        assert_eq!(diagnostics.finish()[0].code.id, "WF0306", "{target}");
    }
}

#[test]
fn what_is_accepted_with_a_warning_is_marked() {
    for (path, code, marked) in [
        ("$[?(@.code==es)].text", "WF0351", "es"),
        ("$[?(@.code == fr-CA)].text", "WF0351", "fr-CA"),
        ("$.a  ", "WF0352", "  "),
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
            ("", "WF0301", "", "start with `$`"),
            ("$$.a", "WF0306", "$$", "`$$` is not supported"),
            ("$order.id", "WF0306", "$order", "variables are not supported"),
            ("$.a[?(@.b == $x.id)]", "WF0306", "$x", "variables are not supported"),
            ("$.a.", "WF0301", ".", "missing name"),
            ("$..", "WF0301", "..", "missing name"),
            ("$.a[?(@.b == $.)]", "WF0301", ".)", "cannot start with `)`"),
            ("$.a.max()", "WF0305", "max(", "`max`"),
            ("$.a[*].length()", "WF0305", "$.a[*].length()", "several values"),
        ],
    );
}
