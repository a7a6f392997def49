//! Tests of orders.

use super::check;

#[test]
fn items_are_ordered_by_terms() {
    check(&[
        ("orders^(total).id", r#"["b", "c", "a"]"#),
        ("orders^(>total).id", r#"["a", "c", "b"]"#),
        ("orders.lines^(sku, >n).n", "[3, 1, 2]"),
        ("orders^(total)[0].id", r#""b""#),
        ("[{'k': 1, 'v': 1}, {'v': 2}, {'k': 0, 'v': 3}]^(k).v", "[3, 1, 2]"),
        ("[{'k': 1, 'v': 1}, {'v': 2}, {'k': 0, 'v': 3}]^(>k).v", "[1, 3, 2]"),
        ("['\u{ff61}', '\u{1f600}']^($)", "[\"\u{1f600}\", \"\u{ff61}\"]"),
        ("name^($)", r#""shop""#),
        ("missing^(x)", "nothing"),
        ("[1, 'a']^($)", r#"T2007: Type mismatch when comparing values 1 and "a" in order-by clause"#),
        (
            "[true, false]^($)",
            "T2008: The expressions within an order-by clause must evaluate to numeric or string values",
        ),
    ]);
}

#[test]
fn sort_is_stable_and_takes_a_comparison() {
    check(&[
        ("$sort([3, 1, 2])", "[1, 2, 3]"),
        ("$sort(['b', 'a'])", r#"["a", "b"]"#),
        ("$sort([1])", "[1]"),
        ("$sort(missing)", "nothing"),
        ("$sort(orders, function($a, $b) { $a.total > $b.total }).id", r#"["b", "c", "a"]"#),
        ("$sort([[1, 1], [0, 2], [1, 3]], function($a, $b) { $a[0] > $b[0] }).($[1])", "[2, 1, 3]"),
        (
            "$sort([1, 'a'])",
            "D3070: The single argument form of the sort function can only be applied to an array of strings or an \
             array of numbers.  Use the second argument to specify a comparison function",
        ),
    ]);
}

#[test]
fn a_comparison_that_is_no_order_has_the_result_of_the_reference() {
    check(&[
        ("$sort([1..6], function($a, $b) { true })", "[6, 5, 4, 3, 2, 1]"),
        ("$sort([1..6], function($a, $b) { false })", "[1, 2, 3, 4, 5, 6]"),
        (
            "$sort([3, 'x', 1, 'y', 2], function($a, $b) { $type($a) = 'number' and $type($b) = 'number' and $a > $b })",
            "[1, 3, \"x\", \"y\", 2]",
        ),
        (
            "$sort([5, 1, null, 4, 0], function($a, $b) { $boolean($a) and $boolean($b) and $a > $b })",
            "[1, 5, null, 4, 0]",
        ),
    ]);
}
