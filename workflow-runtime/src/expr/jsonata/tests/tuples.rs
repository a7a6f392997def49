//! Tests of items that carry variables.

use super::check;

#[test]
fn a_position_is_bound_to_a_variable() {
    check(&[
        ("orders#$i.{'i': $i, 'id': id}", r#"[{"i": 0, "id": "a"}, {"i": 1, "id": "b"}, {"i": 2, "id": "c"}]"#),
        ("orders#$i[$i > 0].id", r#"["b", "c"]"#),
        ("orders[total < 25]#$i.($i & id)", r#"["0b", "1c"]"#),
        ("orders.lines#$i.$i", "[0, 1, 0]"),
        ("orders#$i^(total).$i", "[1, 2, 0]"),
        ("orders#$i[0].id", r#""a""#),
        ("$given#$i.$i", "0"),
    ]);
}

#[test]
fn an_item_is_bound_to_a_variable_and_the_context_stays() {
    check(&[
        ("orders@$o.name", r#"["shop", "shop", "shop"]"#),
        ("orders@$o.($o.id)", r#"["a", "b", "c"]"#),
        ("orders@$o.orders@$p[$o.total = 2 * $p.total].[$o.id, $p.id]", r#"["c", "b"]"#),
        ("orders@$o{$o.id: $o.total}", r#"{"a": 30, "b": 10, "c": 20}"#),
        ("missing@$m.name", "nothing"),
    ]);
}

#[test]
fn a_parent_is_the_item_of_the_step_before() {
    check(&[
        ("orders.lines.[%.id, sku]", r#"["a", "p", "a", "q", "b", "p"]"#),
        ("orders.lines[sku = 'p'].{'of': %.id, 'n': n}", r#"[{"of": "a", "n": 1}, {"of": "b", "n": 3}]"#),
        ("orders.lines.sku.(%.%.id)", r#"["a", "a", "b"]"#),
        ("orders.lines^(%.total).n", "[3, 1, 2]"),
        ("(orders.lines)[%.id = 'b'].n", "3"),
        ("customer.address.city.%.%.vip", "true"),
        ("[].open.%", "[]"),
        ("orders[9].lines.%", "nothing"),
    ]);
}

#[test]
fn groups_merge_the_variables_of_their_items() {
    check(&[
        ("orders#$i{'all': $i}", r#"{"all": [0, 1, 2]}"#),
        ("orders.lines#$i{sku: $i}", r#"{"p": [0, 0], "q": 1}"#),
        ("missing#$i{'a': 1}", r#"{"a": 1}"#),
    ]);
}
