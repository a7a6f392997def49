//! Tests of the functions of arrays and objects.

use super::check;

#[test]
fn arrays_are_counted_joined_and_reversed() {
    check(&[
        ("$count([1, [2]])", "2"),
        ("$count('a')", "1"),
        ("$count($none)", "0"),
        ("$append([1], [2, 3])", "[1, 2, 3]"),
        ("$append(1, 2)", "[1, 2]"),
        ("$append($none, 2)", "2"),
        ("$append([1], $none)", "[1]"),
        ("$append([[1]], [[2]])", "[[1], [2]]"),
        ("$reverse([1, 2, 3])", "[3, 2, 1]"),
        ("$reverse([1])", "[1]"),
        ("$reverse($none)", "nothing"),
        ("$sort($shuffle([1, 2, 3, 4, 5]))", "[1, 2, 3, 4, 5]"),
        ("$zip([1, 2, 3], ['a', 'b'])", r#"[[1, "a"], [2, "b"]]"#),
        ("$zip([1], $none)", "[]"),
    ]);
}

#[test]
fn the_first_of_equal_elements_stays() {
    check(&[
        ("$distinct([1, 2, 1.0, '1', null, null, [1], [1]])", r#"[1, 2, "1", null, [1]]"#),
        ("$distinct([{'a': 1, 'b': [2]}, {'b': [2], 'a': 1}, {'a': 1}])", r#"[{"a": 1, "b": [2]}, {"a": 1}]"#),
        ("$distinct([[1, 2], [2, 1], [1, 2]])", "[[1, 2], [2, 1]]"),
        ("$count($distinct([0/0, 0/0, $sum, $sum]))", "3"),
        ("$distinct(5)", "5"),
        ("$distinct(orders.lines.sku)", r#"["p", "q"]"#),
        ("$distinct([1..100000] ~> $map(function($n) { $n % 10 }))", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 0]"),
    ]);
}

#[test]
fn names_and_values_are_looked_up_in_objects_and_in_arrays_of_them() {
    check(&[
        ("$keys({'b': 1, 'a': 2})", r#"["b", "a"]"#),
        ("$keys([{'a': 1}, [{'b': 2}], {'a': 3}, 4])", r#"["a", "b"]"#),
        ("$keys({})", "nothing"),
        ("$keys({'a': 1})", r#""a""#),
        ("$keys(5)", "nothing"),
        ("$lookup({'a': null}, 'a')", "null"),
        ("$lookup([{'a': 1}, [{'a': [2, 3]}], {'b': 4}], 'a')", "[1, 2, 3]"),
        ("$lookup({'a': 1}, 'b')", "nothing"),
        ("$lookup({'f': $sum}, 'f')([1, 2])", "3"),
    ]);
}

#[test]
fn objects_are_taken_apart_and_put_together() {
    check(&[
        ("$spread({'a': 1, 'b': 2})", r#"[{"a": 1}, {"b": 2}]"#),
        ("$spread([{'a': 1, 'b': 2}, [{'c': 3}], 4])", r#"[{"a": 1}, {"b": 2}, {"c": 3}, 4]"#),
        ("$spread({'a': 1})", r#"{"a": 1}"#),
        ("$spread([{'a': 1}])", r#"[{"a": 1}]"#),
        ("$spread([])", "nothing"),
        ("$spread('x')", r#""x""#),
        ("$merge([{'a': 1, 'b': 2}, {'c': 3, 'a': null}])", r#"{"a": null, "b": 2, "c": 3}"#),
        ("$merge({'a': 1})", r#"{"a": 1}"#),
        ("$merge([])", "{}"),
        ("$merge($none)", "nothing"),
        ("$merge([{'f': $sum}, {'a': 1}]).f([1, 2])", "3"),
        ("$merge([1])", "T0412: Argument 1 of function \"merge\" must be an array of \"objects\""),
        ("$clone({'a': [1], 'f': $sum})", r#"{"a": [1], "f": ""}"#),
    ]);
}
