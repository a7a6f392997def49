//! Tests of intrinsic functions.

use super::{check, check_refused, notes};

#[test]
fn every_intrinsic_function_has_an_equal() {
    check(&[
        ("States.Format('Order {} of {}', $.id, $.name)", "'Order ' & $states.input.id & ' of ' & $states.input.name"),
        ("States.Format('{}', $.id)", "$string($states.input.id)"),
        ("States.Format('{}{}', $.a, 1)", "$states.input.a & 1"),
        ("States.Format('it\\'s {}', $.id)", "\"it's \" & $states.input.id"),
        ("States.Format('n: {}', States.MathAdd($.n, 1))", "'n: ' & ($states.input.n + 1)"),
        ("States.StringToJson($.t)", "$parse($states.input.t)"),
        ("States.JsonToString($.t)", "$string($states.input.t)"),
        ("States.Array('a', 1, $.b)", "['a', 1, $states.input.b]"),
        ("States.Array($.a.b, States.Array())", "[$states.input.a.b, []]"),
        ("States.Array(States.ArrayUnique($.a))", "[[$distinct($states.input.a)]]"),
        ("States.ArrayPartition($.list, 4)", "[$partition($states.input.list, 4)]"),
        ("States.ArrayContains($.list, 'x')", "'x' in $states.input.list"),
        ("States.ArrayRange(1, 9, 2)", "[$range(1, 9, 2)]"),
        ("States.ArrayGetItem($.list, 0)", "$states.input.list[0]"),
        ("States.ArrayGetItem(States.StringSplit($.t, ','), 1)", "[$split($states.input.t, ',')[$ != '']][1]"),
        ("States.ArrayLength($.list)", "$count($states.input.list)"),
        ("States.ArrayUnique($.list)", "$distinct($states.input.list)"),
        ("States.Base64Encode($.t)", "$base64encode($states.input.t)"),
        ("States.Base64Decode($.t)", "$base64decode($states.input.t)"),
        ("States.Hash('x', 'SHA-1')", "$hash('x', 'SHA-1')"),
        ("States.Hash($.x, 'MD5')", "$hash($string($states.input.x), 'MD5')"),
        ("States.JsonMerge($.a, $.b, false)", "$merge([$states.input.a, $states.input.b])"),
        ("States.MathAdd($.n, 1)", "$states.input.n + 1"),
        ("States.MathAdd($.n, -1)", "$states.input.n - 1"),
        ("States.MathAdd(1, States.MathAdd($.a, $.b))", "1 + ($states.input.a + $states.input.b)"),
        ("States.MathRandom(1, 9)", "$floor($random() * 8) + 1"),
        ("States.MathRandom(1.7, 9.9)", "$floor($random() * 8) + 1"),
        ("States.MathRandom(0, $.n)", "$floor($random() * $states.input.n)"),
        ("States.MathRandom($.a, $.b)", "$floor($random() * ($states.input.b - $states.input.a)) + $states.input.a"),
        ("States.StringSplit($.t, ',')", "[$split($states.input.t, ',')[$ != '']]"),
        ("States.StringSplit($.t, ',-]')", "[$split($states.input.t, /[,\\-\\]]/)[$ != '']]"),
        ("States.StringSplit($.t, $.s)", "[$split($states.input.t, $states.input.s)[$ != '']]"),
        ("States.UUID()", "$uuid()"),
    ]);
}

#[test]
fn functions_without_an_equal_are_refused() {
    check_refused(&[
        ("States.JsonMerge($.a, $.b, true)", "merges objects only at the top level"),
        ("States.MathRandom(1, 9, 7)", "with a seed"),
        ("States.Format($.template, 1)", "computed template"),
        ("States.StringSplit($.t, '')", "without a separator"),
        ("States.Format('{} ${Name}', $.a)", "placeholder"),
    ]);
}

#[test]
fn differences_are_noted_where_the_data_decides() {
    let cases = [
        ("States.MathAdd($.n, 1)", "rounds"),
        ("States.Format('a {}', $.n)", "written as JSON"),
        ("States.Array($.n)", "joined"),
        ("States.ArrayContains($.l, $.n)", "no arrays and objects"),
        ("States.StringToJson($.n)", "null"),
        ("States.JsonToString($.n)", "quotes"),
        ("States.ArrayGetItem($.l, 0)", "empty array"),
        ("States.StringSplit($.l, $.s)", "separator"),
        ("States.MathRandom($.a, 9)", "fractions"),
    ];
    let digits = "a number is written with 15 digits at most, and without `.0`";
    for text in ["States.JsonToString(1.0)", "States.Hash(2.0, 'MD5')", "States.Format('a {}', 3.0)"] {
        assert_eq!(notes(text), [digits], "{text}");
    }
    for text in ["States.JsonToString($.n)", "States.Hash($.n, 'MD5')"] {
        assert!(notes(text).contains(&digits), "{text}");
    }
    for (text, words) in cases {
        let notes = notes(text);
        assert!(notes.iter().any(|note| note.contains(words)), "{text}: {notes:?}");
    }
    for text in
        ["States.MathAdd(1, 2)", "States.Format('a {}', 1)", "States.JsonToString(1.5)", "States.Array('a')", "$.a"]
    {
        assert_eq!(notes(text).len(), 0, "{text}");
    }
}

#[test]
fn a_function_that_a_variable_hides_is_refused() {
    let state = |name: &str| {
        super::state(&format!(
            r#""Type":"Pass","Assign":{{"{name}":1}},"Parameters":{{"x.$":"States.ArrayLength($.l)","y.$":"$.l[1:]"}}"#
        ))
    };
    assert_eq!(state("count"), Err("the variable `count` hides the function `$count` of JSONata".to_owned()));
    assert!(state("v").is_ok_and(|text| text.contains("function($v2, $i, $a) { $i >= 1 }")));
    let lookup = |variable: &str| {
        super::state(&format!(r#""Type":"Pass","Assign":{{"{variable}":1}},"Parameters":{{"x.$":"$['a`b']"}}"#))
    };
    assert_eq!(lookup("lookup"), Err("the variable `lookup` hides the function `$lookup` of JSONata".to_owned()));
    assert!(lookup("other").is_ok_and(|text| text.contains("$lookup($states.input, 'a`b')")));
}

#[test]
fn many_operands_of_a_text_are_grouped() {
    let operands = ", $.a".repeat(60);
    let text = super::expression(&format!("States.Format('{}'{operands})", "{}".repeat(60))).expect("it is converted");
    assert!(text.starts_with("(($states.input.a & ") || text.starts_with("($states.input.a & "), "{text}");
    assert_eq!(text.matches(" & ").count(), 59);
}

#[test]
fn a_random_value_is_drawn_once() {
    let state = |parameters: &str, assign: &str| {
        super::state(&format!(r#""Type":"Pass","Parameters":{{{parameters}}},"Assign":{{{assign}}}"#))
    };
    let drawn = r#""id.$":"States.UUID()","n.$":"States.MathRandom(0, $.m)","k.$":"$.k""#;
    for assign in [r#""v.$":"$.id""#, r#""v.$":"States.Format('{}', $.n)""#, r#""v.$":"$""#] {
        let refused = Err("the random value would be drawn again for each use".to_owned());
        assert_eq!(state(drawn, assign), refused, "{assign}");
    }
    for assign in [r#""v.$":"$.k""#, r#""v.$":"States.UUID()""#, r#""v":1"#] {
        assert!(state(drawn, assign).is_ok(), "{assign}");
    }
}
