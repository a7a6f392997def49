//! Tests of paths, predicates and arrays.

use super::check;

#[test]
fn a_path_maps_over_arrays_and_flattens_their_results() {
    check(&[
        ("name", r#""shop""#),
        ("$states.input.name", r#""shop""#),
        ("orders.id", r#"["a", "b", "c"]"#),
        ("$states.input.orders.id", r#"["a", "b", "c"]"#),
        ("orders.lines.sku", r#"["p", "q", "p"]"#),
        ("orders.tags", r#"["x", "y"]"#),
        ("customer.address.city", r#""Rome""#),
        ("customer.address.street", "nothing"),
        ("name.x", "nothing"),
        ("nothing", "null"),
        ("nothing.x", "nothing"),
        ("nested", "[[1, [2]], [], [3]]"),
        ("nested.($)", "[1, [2], 3]"),
        ("orders.lines", r#"[{"sku": "p", "n": 1}, {"sku": "q", "n": 2}, {"sku": "p", "n": 3}]"#),
        ("orders[2].lines", "[]"),
        ("missing", "nothing"),
    ]);
}

#[test]
fn a_sequence_of_one_element_is_the_element_unless_it_is_kept() {
    check(&[
        ("orders[id = 'b'].total", "10"),
        ("orders[id = 'b'].total[]", "[10]"),
        ("orders[id = 'z'].total", "nothing"),
        ("orders[id = 'z'].total[]", "nothing"),
        ("name[]", r#"["shop"]"#),
        ("$states.input.name[]", r#"["shop"]"#),
        ("[name]", r#"["shop"]"#),
        ("$given[]", "7"),
        ("orders[0].tags[]", r#"["x", "y"]"#),
        ("orders[1].tags", "[]"),
    ]);
}

#[test]
fn a_predicate_is_a_position_positions_or_a_condition() {
    check(&[
        ("orders[0].id", r#""a""#),
        ("orders[-1].id", r#""c""#),
        ("orders[1.9].id", r#""b""#),
        ("orders[7].id", "nothing"),
        ("orders[[0, 2]].id", r#"["a", "c"]"#),
        ("orders[[0..1]].id", r#"["a", "b"]"#),
        ("orders[total > 15].id", r#"["a", "c"]"#),
        ("orders[tags].id", r#""a""#),
        ("orders.lines[0].n", "[1, 3]"),
        ("(orders.lines)[0].n", "1"),
        ("name[0]", r#""shop""#),
        ("name[1]", "nothing"),
        ("$given[0]", "7"),
        ("($x := [1, 2, 3]; $i := 1; $x[$i])", "2"),
        ("nested[0]", "[1, [2]]"),
        ("orders[1/0]", "D1001: Number out of range: null"),
    ]);
}

#[test]
fn wildcards_yield_members_and_descendants() {
    check(&[
        ("customer.*", r#"[true, {"city": "Rome"}]"#),
        ("customer.*.city", r#""Rome""#),
        ("orders[0].*", r#"["a", 30, "x", "y", {"sku": "p", "n": 1}, {"sku": "q", "n": 2}]"#),
        ("customer.address.*", r#""Rome""#),
        ("name.*", "nothing"),
        ("nested.*", "[1, 2, 3]"),
        ("**.sku", r#"["p", "q", "p"]"#),
        ("customer.**", r#"[{"vip": true, "address": {"city": "Rome"}}, true, {"city": "Rome"}, "Rome"]"#),
        ("name.**", r#""shop""#),
        ("nested.**", "[1, 2, 3]"),
    ]);
}

#[test]
fn an_array_constructor_keeps_its_array() {
    check(&[
        ("[1, 2][][0].($)", "[1]"),
        ("[[1, 2]][][0].($count($))", "[1, 1]"),
        ("orders.[id, total]", r#"[["a", 30], ["b", 10], ["c", 20]]"#),
        ("orders[0].[id]", r#"["a"]"#),
        ("orders[0].[id][]", r#"[["a"]]"#),
        ("[1, 2, [3, 4]]", "[1, 2, [3, 4]]"),
        ("[orders.id, 'z']", r#"["a", "b", "c", "z"]"#),
        ("[1..3, 7]", "[1, 2, 3, 7]"),
        ("[3..1]", "[]"),
        ("[]", "[]"),
        ("[missing]", "[]"),
        ("[[missing]]", "[[]]"),
        ("[1, 2].($ + 1)", "[2, 3]"),
    ]);
}

#[test]
fn the_context_is_each_item() {
    check(&[
        ("orders.($.total)", "[30, 10, 20]"),
        ("orders.(total + 1)", "[31, 11, 21]"),
        ("orders.($$.name)", r#"["shop", "shop", "shop"]"#),
        ("[1, 2].$", "[1, 2]"),
        ("$.name", r#""shop""#),
    ]);
}

#[test]
fn numbers_that_only_move_are_exact() {
    check(&[
        ("big", "9007199254740993"),
        ("-big", "-9007199254740993"),
        ("[big][0]", "9007199254740993"),
        ("big + 0", "9007199254740992"),
        ("big = 9007199254740992", "false"),
        ("big > 9007199254740992", "true"),
    ]);
}
