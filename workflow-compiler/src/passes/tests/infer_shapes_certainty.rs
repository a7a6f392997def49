//! Tests that parts of a definition that some runs do not evaluate are no errors.

use super::infer_shapes::{after_prepare, jsonata, with_items};

#[test]
fn parts_of_expressions_that_may_never_be_evaluated_are_no_errors() {
    let prepare = "Prepare: { Type: Pass, Next: Use, \
                   Output: { id: 7, text: x, empty: [], none: [{ price: [] }], items: [{ name: a }] } }";
    for expression in [
        "$type($states.input.text) = \"number\" ? $states.input.text + 1 : 0",
        "$exists($states.input.more) ? 1 : $states.input.text + 1",
        "$type($states.input.text) = \"number\" and $states.input.text * 2 > 1",
        "$type($states.input.text) = \"string\" or $states.input.text * 2 > 1",
        "$states.input.empty[$states.input.text + 1 > 1]",
        "$states.input.none.price",
        "($x := \"a\"; $exists($states.input.id) ? $x := 5 : 0; $x + 1)",
        "($x := \"a\"; $exists($states.input.id) and $exists($x := 5); $x + 1)",
        "($x := \"a\"; $states.input.items[$x := 5]; $x + 1)",
        "($x := \"a\"; $states.input.items^($x := 5); $x + 1)",
        "($x := 5; $x + 1)",
    ] {
        let state = format!("Use: {{ Type: Pass, Output: '{{% {expression} %}}', End: true }}");
        assert_eq!(jsonata(&format!("{prepare}\n{state}")), "", "{expression}");
    }
    for expression in [
        "$states.input.text + 1 > 1 ? 1 : 0",
        "$states.input.text + 1 > 1 and true",
        "($x := \"a\"; $x + 1)",
        "($exists($x := \"a\") ? 1 : 0; $x + 1)",
    ] {
        let state = format!("Use: {{ Type: Pass, Output: '{{% {expression} %}}', End: true }}");
        let expected = "error[WF1902]: an operand of `+` must be a number, found a string";
        assert_eq!(jsonata(&format!("{prepare}\n{state}")), expected, "{expression}");
    }
}

#[test]
fn tolerated_failures_leave_null_in_the_result() {
    let map = |tolerated: &str| {
        let map = format!("{{ Type: Map, ItemsPath: $.items, {tolerated}ITEMS }}");
        let more = "More: { Type: Choice, Choices: [{ Variable: '$[0]', IsNull: true, Next: Failed }], Default: Done }
                    Failed: { Type: Succeed }
                    Done: { Type: Succeed }";
        let map = with_items(&map).replace("End: true", "Next: More");
        after_prepare("{ items: [{ name: a }] }", &format!("Use: {map}\n{more}"))
    };
    assert_eq!(map(""), "warning[WF1953]: the test never holds: `$[0]` is { name: \"a\" }");
    assert_eq!(map("ToleratedFailureCount: 1, "), "");
    assert_eq!(map("ToleratedFailurePercentage: 50, "), "");
}

#[test]
fn only_the_first_term_of_the_first_rule_is_an_error() {
    let skip = "\nE: { Type: Succeed }\nF: { Type: Succeed }";
    let error = "error[WF1901]: `$` has no member `idd`";
    let warning = "warning[WF1901]: `$` has no member `idd`";
    let missing = "{ Variable: $.idd, NumericEquals: 1 }";
    let possible = "{ Variable: $.id, NumericLessThan: 9 }";
    for (rules, expected) in [
        (format!("{{ And: [{missing}, {possible}], Next: E }}"), error),
        (format!("{{ And: [{possible}, {missing}], Next: E }}"), warning),
        (format!("{{ Or: [{possible}, {missing}], Next: E }}"), warning),
        (format!("{{ Not: {{ And: [{possible}, {missing}] }}, Next: E }}"), warning),
        (format!("{{ Variable: $.id, NumericLessThan: 9, Next: E }}, {{ And: [{missing}], Next: E }}"), warning),
    ] {
        let choice = format!("Use: {{ Type: Choice, Choices: [{rules}], Default: F }}{skip}");
        assert_eq!(after_prepare("{ id: 7 }", &choice), expected, "{rules}");
    }
}

#[test]
fn states_that_some_runs_do_not_come_to_are_warnings() {
    let fails = "{ Type: Pass, InputPath: $.idd, End: true }";
    let error = "error[WF1901]: `$` has no member `idd`";
    let warning = "warning[WF1901]: `$` has no member `idd`";
    let task = |rest: &str| format!("{{ Type: Task, Resource: t, ResultPath: null, {rest} }}");
    let catch = "Catch: [{ ErrorEquals: [States.ALL], ResultPath: null, Next: More }]";
    let scope = format!("{{ StartAt: A, States: {{ A: {fails} }} }}");
    let sound = "{ StartAt: A, States: { A: { Type: Succeed } } }";
    let later = "{ Type: Pass, InputPath: $.idd, End: true }";
    let later_warning = "warning[WF1901]: `$` is an array and has no member `idd`";
    for (states, expected) in [
        (format!("Use: {}\nMore: {fails}", task("Next: More")), error),
        (format!("Use: {}\nMore: {fails}\nE: {{ Type: Succeed }}", task(&format!("{catch}, Next: E"))), warning),
        (
            format!(
                "Use: {{ Type: Choice, Choices: [{{ Variable: $.id, NumericEquals: 7, Next: More }}], Default: E }}
                 More: {fails}
                 E: {{ Type: Succeed }}"
            ),
            warning,
        ),
        (format!("Use: {{ Type: Parallel, Branches: [{scope}], End: true }}"), error),
        (format!("Use: {{ Type: Parallel, Branches: [{sound}], Next: More }}\nMore: {later}"), later_warning),
        (
            format!("Use: {{ Type: Map, ItemsPath: $.list, ItemProcessor: {sound}, Next: More }}\nMore: {later}"),
            later_warning,
        ),
        (
            format!(
                "Use: {{ Type: Map, ItemsPath: $.list, ItemProcessor: {sound}, \
                 ResultSelector: {{ x.$: $.idd }}, End: true }}"
            ),
            later_warning,
        ),
        (
            format!("Use: {{ Type: Parallel, Branches: [{scope}], {catch}, Next: More }}\nMore: {{ Type: Succeed }}"),
            warning,
        ),
        (format!("Use: {{ Type: Map, ItemsPath: $.list, ItemProcessor: {scope}, End: true }}"), error),
        (format!("Use: {{ Type: Map, ItemsPath: $.unknown, ItemProcessor: {scope}, End: true }}"), ""),
    ] {
        let found = after_prepare("{ id: 7, list: [{ a: 1 }] }", &states);
        let expected = if expected.is_empty() { "error[WF1901]: `$` has no member `unknown`" } else { expected };
        assert_eq!(found, expected, "{states}");
    }
}

#[test]
fn conditions_cost_what_they_contain() {
    let mut condition = "{ Variable: $.id, NumericEquals: 7 }".to_owned();
    for _ in 0..20 {
        condition = format!(
            "{{ And: [{{ Not: {{ Or: [{condition}, {{ Variable: $.id, NumericEquals: 8 }}] }} }}, \
             {{ Variable: $.id, NumericLessThan: 9 }}] }}"
        );
    }
    let rule = condition.replacen('{', "{ Next: E, ", 1);
    let choice = format!(
        "Use: {{ Type: Choice, Choices: [{rule}], Default: F }}\nE: {{ Type: Succeed }}\nF: {{ Type: Succeed }}"
    );
    let found = after_prepare("{ id: 7 }", &choice);
    assert!(!found.contains("error"), "{found}");
}

#[cfg(feature = "jq")]
#[test]
fn terms_of_jq_that_may_yield_no_value_leave_the_others_unevaluated() {
    use crate::expr::jq::{ResultMode, read_text};
    use crate::shapes::Shape;
    let input = || Shape::record([("items", Shape::list(Shape::string())), ("id", Shape::whole(7))]);
    for (program, expected) in [
        (".id.x", 1),
        ("{ a: 1, b: .id.x }", 1),
        ("1 + .id.x", 1),
        ("-(.id.x)", 1),
        (".items[].name", 0),
        (".items[].name.more", 0),
        ("{ a: .items[], b: .id.x }", 0),
        ("{ b: .id.x, a: .items[] }", 0),
        (".items[] + .id.x", 0),
        (".id.x + .items[]", 0),
        (".items[] == .id", 0),
        ("-(.items[].name)", 0),
        ("\"\\(.items[]) \\(.id.x)\"", 0),
    ] {
        let filter = read_text(program, &[], ResultMode::Value).expect("the program is valid");
        assert_eq!(filter.outcome(&input(), &[]).remarks.len(), expected, "{program}");
    }
    // Nothing follows from a failure that is not reported.
    for (program, expected) in [
        ("[.items[].name]", "[any…]"),
        ("[.items[] | floor]", "[any…]"),
        ("[.items[] + .id]", "[any…]"),
        ("{ a: [.items | map(.name)] }", "{ a: [[any…]…] }"),
        ("[.items[] | .[0]]", "[any…]"),
        ("[.items[]]", "[string…]"),
    ] {
        let filter = read_text(program, &[], ResultMode::Value).expect("the program is valid");
        assert_eq!(filter.outcome(&input(), &[]).value.to_string(), expected, "{program}");
    }
    let closed = Shape::record([("receipt", Shape::record([("amount", Shape::whole(12))]))]);
    for (program, expected) in [
        (".receipt.ammount == null", 0),
        ("null != .receipt.ammount", 0),
        ("if .receipt.ammount then 1 else 2 end", 0),
        ("if .receipt.ammount > 1 then 1 else 2 end", 1),
        (".receipt.ammount > 1", 1),
        (".receipt.ammount", 1),
    ] {
        let filter = read_text(program, &[], ResultMode::Value).expect("the program is valid");
        assert_eq!(filter.outcome(&closed, &[]).remarks.len(), expected, "{program}");
    }
}

#[cfg(feature = "jq")]
#[test]
fn optional_steps_of_jq_yield_perhaps_nothing() {
    use crate::expr::jq::{ResultMode, read_text};
    use crate::shapes::Shape;
    let input = Shape::record([("id", Shape::whole(7)), ("items", Shape::list(Shape::string()))]);
    for program in ["[.id.x?]", "[.id.x?, 1]", "[.items.x?]", "[.[0]?]"] {
        for program in [program.to_owned(), format!("{{ a: {program}, b: .id }}")] {
            let filter = read_text(&program, &[], ResultMode::Value).expect("the program is valid");
            let outcome = filter.outcome(&input, &[]);
            assert!(!outcome.value.is_never() && outcome.remarks.is_empty(), "{program}: {}", outcome.value);
        }
    }
}
