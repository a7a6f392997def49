//! Tests of paths.

use super::{check, check_refused, notes};

#[test]
fn names_and_indices_become_steps() {
    check(&[
        ("$", "$states.input"),
        ("$.a.b", "$states.input.a.b"),
        ("$['a key'].b", "$states.input.`a key`.b"),
        ("$.and.a-b", "$states.input.`and`.`a-b`"),
        ("$['a`b'].c", "$lookup($states.input, 'a`b').c"),
        ("$.list[0].id", "$states.input.list[0].id"),
        ("$.list[-1]", "$states.input.list[-1]"),
        ("$.m[1][2]", "$states.input.m[1][2]"),
        ("$$.Execution.Id", "$states.context.Execution.Id"),
        ("$$", "$states.context"),
    ]);
}

#[test]
fn variables_keep_their_names() {
    let text = r#"{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"v":1},"Next":"B"},"B":{"Type":"Pass",FIELD,"End":true}}}"#;
    let written = text.replace("FIELD", r#""Parameters":{"x.$":"$v.a[0]","y.$":"$v"}"#);
    let expected = text.replace("FIELD", r#""Output":{"x":"{% $v.a[0] %}","y":"{% $v %}"}"#);
    assert_eq!(super::convert(&written).text.replace(r#""QueryLanguage":"JSONata","#, ""), expected);
}

#[test]
fn several_values_stay_an_array() {
    check(&[
        ("$.items[*]", "[$states.input.items]"),
        ("$.items[*].id", "[$states.input.items.id]"),
        ("$.orders[*].lines[*].price", "[$states.input.orders.lines.price]"),
        ("$.orders[*].lines[0]", "[$states.input.orders.lines[0]]"),
        ("$.items[0,2]", "[$states.input.items[[0, 2]]]"),
        ("$.items[1:3]", "[$states.input.items[[1..2]]]"),
        ("$.items[:2].id", "[$states.input.items[[0..1]].id]"),
        ("$.items[1:]", "[$filter($states.input.items, function($v, $i, $a) { $i >= 1 })]"),
        ("$.items[-2:]", "[$filter($states.input.items, function($v, $i, $a) { $i >= $count($a) - 2 })]"),
        ("$.items[0:9:2]", "[$filter($states.input.items, function($v, $i, $a) { $i < 9 and $i % 2 = 0 })]"),
        ("$.items[::2]", "[$filter($states.input.items, function($v, $i, $a) { $i % 2 = 0 })]"),
        ("$.items[1::2]", "[$filter($states.input.items, function($v, $i, $a) { $i >= 1 and ($i - 1) % 2 = 0 })]"),
        ("$.items[:1000]", "[$states.input.items[[0..999]]]"),
        ("$.items[:1000000]", "[$filter($states.input.items, function($v, $i, $a) { $i < 1000000 })]"),
        ("$.items[5:2000]", "[$filter($states.input.items, function($v, $i, $a) { $i >= 5 and $i < 2000 })]"),
        ("$..id", "[$states.input.**.id]"),
        ("$.a..id", "[$states.input.a.**.id]"),
        ("$['a','b']", "{'a': $states.input.a, 'b': $states.input.b}"),
        ("$.items[*]['a','b']", "[$states.input.items[$type($) = 'object'].{'a': a, 'b': b}]"),
        ("$.items.length()", "$count($states.input.items)"),
    ]);
    assert_eq!(notes("$.items[*]").len(), 1);
    assert_eq!(notes("$.items[*].id").len(), 2);
    assert_eq!(notes("$.items[0].id"), <[&str; 0]>::default());
}

#[test]
fn filters_become_predicates() {
    check(&[
        ("$.items[?(@.id)]", "[$states.input.items[$exists(id)]]"),
        ("$.items[?(!@.id)]", "[$states.input.items[$not($exists(id))]]"),
        ("$.items[?(@.k == 'x')].id", "[$states.input.items[k = 'x'].id]"),
        ("$.items[*][?(@.k == 'x')]", "[$states.input.items[k = 'x']]"),
        ("$.items[?(@.k != 'x')]", "[$states.input.items[$not(k = 'x')]]"),
        ("$.items[?(@.n > 1)]", "[$states.input.items[$type(n) = 'number' and n > 1]]"),
        ("$.items[?(1 >= @.n)]", "[$states.input.items[$type(n) = 'number' and n <= 1]]"),
        ("$.items[?(@ < 'b')]", "[$states.input.items[$type($) = 'string' and $ < 'b']]"),
        (
            "$.items[?(@.a <= $.b)]",
            "[$states.input.items[$type(a) in ['number', 'string'] and $type(a) = $type($states.input.b) and a <= \
             $states.input.b]]",
        ),
        (
            "$.items[?(@.a == true && (@.b || @.c.d))]",
            "[$states.input.items[a = true and ($exists(b) or $exists(c.d))]]",
        ),
        ("$.items[?(@.k in ['x', 'y'])]", "[$states.input.items[k in ['x', 'y']]]"),
        ("$.items[?(@.k =~ /a.*/i)]", "[$states.input.items[$type(k) = 'string' and $contains(k, /^(?:a.*)$/i)]]"),
    ]);
    check(&[
        ("$.items[?(@.k =~ /[(]a/)]", "[$states.input.items[$type(k) = 'string' and $contains(k, /^(?:[\\(]a)$/)]]"),
        (
            "$.items[?(@.k =~ /[^x})]+/)]",
            "[$states.input.items[$type(k) = 'string' and $contains(k, /^(?:[^x\\}\\)]+)$/)]]",
        ),
    ]);
}

#[test]
fn differences_of_paths_are_noted_where_the_data_decides() {
    const LIST: &str = "a single selected value that is an array takes the place of the list";
    const NAMES: &str = "a name applied to an array leads to the members of its elements, and `[0]` of another value to \
                         the value itself";
    const DIGITS: &str = "a number and a string with its digits are different, where";
    const ABSENT: &str = "two absent values are different, where";
    let cases: [(&str, &[&str]); 12] = [
        ("$.items[?(@.n == 1)]", &[DIGITS, LIST]),
        ("$.items[?(@.n == 'x')]", &[LIST]),
        ("$.items[?(@.n == null)]", &[LIST]),
        ("$.items[?(@.a == @.b)]", &[DIGITS, ABSENT, LIST]),
        ("$.items[?(@.a in ['x', true])]", &[LIST]),
        ("$.items[?(@.a in ['x', 1])]", &[DIGITS, LIST]),
        ("$.items[?(@.a.b == 'x')]", &[NAMES, LIST]),
        ("$.items[?(@.a[0] == 'x')]", &[NAMES, LIST]),
        ("$.items[0:2]", &[LIST]),
        ("$.items[*].a.b", &["an object in place", NAMES, "selected values"]),
        ("$..a[0]", &[NAMES, "selected values"]),
        ("$.items.length()", &["a value other than an array counts as 1, where `.length()` counts the members"]),
    ];
    for (path, expected) in cases {
        let notes = notes(path);
        let fits = notes.len() == expected.len()
            && expected.iter().all(|start| notes.iter().any(|note| note.starts_with(start)));
        assert!(fits, "{path}: {notes:?}");
    }
}

#[test]
fn selections_without_an_equal_are_refused() {
    check_refused(&[
        ("$.items[?(@.id)][0]", "applies to each selected value"),
        ("$.items[*][*]", "two selections in a row"),
        ("$..[0]", "`..`"),
        ("$..*", "`..`"),
        ("$.items[2,0]", "in another order"),
        ("$.items[::-1]", "slice"),
        ("$.items[?(@.k size 2)]", "`size`"),
        ("$.items[?(@.k =~ /(?s)b/)]", "regular expression"),
        ("$.items[?(@.k =~ /[a&&b]/)]", "regular expression"),
        ("$.items[*]['a`b']", "no step of JSONata"),
    ]);
}
