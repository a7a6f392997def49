//! Tests of identifiers.

use super::*;
use std::collections::BTreeSet;
use unicode_normalization::is_nfc;

pub(crate) mod bindings;
mod modules;

/// Names that once became the same identifier or none: by sanitizing, by normal forms, by
/// keywords, by numbers, and by declarations of generated code.
pub(crate) const HOSTILE: &[&str] = &[
    "$",
    "dollar",
    "$$",
    "x",
    "x_2",
    "x_3",
    "x2",
    "x$2",
    "X",
    "X_",
    "_",
    "__",
    "_x",
    "_1",
    "_2",
    "a",
    "a_",
    "a1",
    "a1_2",
    "é",
    "e\u{301}",
    "É",
    "ê\u{301}",
    "ế",
    "K",
    "\u{212a}",
    "k",
    "Å",
    "\u{212b}",
    "ά",
    "\u{1f71}",
    "ﬁ",
    "fi",
    "ſ",
    "s",
    "가",
    "\u{1100}\u{1161}",
    "\u{ac00}\u{11a8}",
    "각",
    "\u{16d69}",
    "\u{16d63}\u{16d67}",
    "\u{16d6a}",
    "\u{16d63}\u{16d67}\u{16d67}",
    "\u{16d69}\u{16d67}",
    "क\u{93c}",
    "\u{958}",
    "状态",
    "状態",
    "ªx",
    "a\u{200c}b",
    "au200cb",
    "a\u{fe0f}",
    "ŉ",
    "ß",
    "SS",
    "ΐ",
    "İ",
    "i\u{307}",
    "fn",
    "match",
    "type",
    "move",
    "mut",
    "ref",
    "impl",
    "loop",
    "use",
    "self",
    "Self",
    "crate",
    "gen",
    "dyn",
    "union",
    "box",
    "fn_",
    "match_",
    "run",
    "js",
    "Js",
    "rt",
    "jq",
    "params",
    "this_",
    "value",
    "value_",
    "left_",
    "it_",
    "object_",
    "whole_",
    "whole_2_",
    "items_",
    "key_",
    "key_1_",
    "item_",
    "argument",
    "argument_",
    "thrown_",
    "tried_",
    "case_",
    "switched_",
    "method_",
    "old_",
    "right_",
    "list_",
    "Ok",
    "Err",
    "Some",
    "None",
    "f64",
    "bool",
    "str",
    "out",
    "new",
    "now",
    "error",
    "found",
    "turn",
    "item",
    "fault",
    "limits",
    "delay",
    "collected",
    "request",
    "time",
    "timeout",
    "current",
    "node",
    "GRAPH",
    "LITERAL_1",
    "_LITERAL_1",
    "into",
    "try_into",
];

/// Pseudo-random numbers with a fixed seed.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Returns a text made of few characters, so that collisions are likely.
fn text(random: &mut Random) -> String {
    const JOINING: &[char] = &[
        '\u{301}',
        '\u{307}',
        '\u{323}',
        '\u{93c}',
        '\u{1100}',
        '\u{1161}',
        '\u{11a8}',
        '\u{16d63}',
        '\u{16d67}',
        '\u{16d68}',
        '\u{345}',
        '\u{200d}',
        'e',
        'I',
        'ı',
        'क',
        '_',
        '-',
        ' ',
        '1',
    ];
    let mut text = String::new();
    for _ in 0..=random.below(4) {
        match random.below(4) {
            0 => text.push_str(random.one_of::<&str>(HOSTILE)),
            1 => text.extend(char::from_u32(random.below(0x2_0000) as u32)),
            _ => text.push(*random.one_of(JOINING)),
        }
    }
    text
}

#[track_caller]
fn assert_legal(name: &str, authored: &str) {
    assert!(syn::parse_str::<syn::Ident>(name).is_ok(), "`{name}` of {authored:?} is no identifier");
    assert!(is_identifier(name) && is_nfc(name), "`{name}` of {authored:?}");
}

#[test]
fn any_names_of_a_module_become_distinct_identifiers() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let workflow = text(random);
        let mut names = Names::new(&workflow);
        let (mut values, mut points, mut tags) =
            (BTreeSet::from([type_name(&workflow)]), BTreeSet::new(), BTreeSet::new());
        for _ in 0..60 {
            let authored = text(random);
            let name = match random.below(3) {
                0 => names.local(&authored),
                1 => names.function(&authored),
                _ => names.constant(&authored),
            };
            assert_legal(&name, &authored);
            assert!(!MODULE_LOCALS.contains(&&*name) && !MODULE_CONSTANTS.contains(&&*name), "{name}");
            assert!(values.insert(name.clone()), "`{name}` of {authored:?} twice, seed {seed}");
            let (point, tag) = names.point(&authored);
            assert_legal(&point, &authored);
            assert!(points.insert(point) && tags.insert(tag), "{authored:?}, seed {seed}");
        }
    }
}

#[test]
fn any_names_of_nested_functions_become_distinct_identifiers() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut names = Names::new("order");
        let constants: BTreeSet<String> = (0..10).map(|_| names.constant(&text(random))).collect();
        let mut scope = NameScope::of_javascript(&names.constants());
        let mut visible = constants;
        for _ in 0..8 {
            for _ in 0..8 {
                let authored = text(random);
                let name = scope.give_with_underscore(&as_written(&authored));
                assert_legal(&name, &authored);
                assert!(!JAVASCRIPT.contains(&&*name), "{name}");
                assert!(visible.insert(name.clone()), "`{name}` of {authored:?} twice, seed {seed}");
            }
            scope = NameScope::inside(&Arc::new(scope));
        }
    }
}

#[test]
fn methods_of_tasks_are_none_that_all_types_have() {
    for (key, method) in [
        ("Into", "into_"),
        ("try-into", "try_into_"),
        ("Clone", "clone_"),
        ("default", "default_"),
        ("Pay into", "pay_into"),
    ] {
        assert_eq!(method_name(key), method);
    }
    for authored in HOSTILE {
        assert_legal(&method_name(authored), authored);
    }
}

#[test]
fn authored_names_become_readable_identifiers() {
    for (authored, snake, camel) in [
        ("ChargeCard", "charge_card", "ChargeCard"),
        ("charge card", "charge_card", "ChargeCard"),
        ("a-b", "a_b", "AB"),
        ("if", "if_", "If"),
        ("self", "self_", "Self_"),
        ("Wait 20s", "wait_20s", "Wait20s"),
        ("状态", "状态", "状态"),
        ("S3GetObject", "s3_get_object", "S3GetObject"),
        ("HTTPRequest", "http_request", "HTTPRequest"),
        ("1st", "_1st", "_1st"),
        ("***", "unnamed", "unnamed"),
        ("a 1 2", "a_1_2", "A1_2"),
        ("\u{212a}elvin", "kelvin", "Kelvin"),
        ("cafe\u{301}", "café", "Café"),
        ("\u{1100}\u{1161} 가", "가_가", "가가"),
        ("\u{16d63}\u{16d67}", "\u{16d69}", "\u{16d69}"),
        ("Ⅷ ＡＢ x", "x", "X"),
        ("ΐ", "ΐ", "Ϊ\u{301}"),
        ("प्रश्न 1", "प्रश्न_1", "प्रश्न1"),
    ] {
        assert_eq!(snake_case(authored), snake, "{authored}");
        assert_eq!(camel_case(authored), camel, "{authored}");
    }
}

#[test]
fn names_of_javascript_stay_as_they_are_where_rust_takes_them() {
    for (authored, expected) in [
        ("orderTotal", "orderTotal"),
        ("$", "dollar"),
        ("$el", "dollarel"),
        ("_", "__"),
        ("value_", "value__"),
        ("Total", "Total_"),
        ("match", "match_"),
        ("Self", "Self_"),
        ("run", "run_"),
        ("e\u{301}", "é"),
        ("\u{212a}", "K_"),
        ("a\u{200d}b", "au200db"),
        ("ﬁ", "ufb01"),
    ] {
        assert_eq!(as_written(authored), expected, "{authored}");
    }
}

#[test]
fn every_name_is_handed_out_once() {
    let mut names = Names::new("o");
    assert_eq!(names.local("d"), "d");
    assert_eq!(names.function("d"), "d2");
    assert_eq!(names.function("a-b"), "a_b");
    assert_eq!(names.function("a b"), "a_b2");
    assert_eq!(names.function("turn"), "turn2");
    assert_eq!(names.function("if"), "if_");
    assert_eq!(names.function("if"), "if_2");
    assert_eq!(names.local("timeout"), "timeout2");
    assert_eq!(names.constant("状态"), "状态");
    assert_eq!(names.function("状态"), "状态2");
    assert_eq!(names.constant("Graph"), "GRAPH2");
    assert_eq!(names.constant("Metadata"), "METADATA2");
    assert_eq!(names.constant("o"), "O2");
    assert_eq!(names.constant("Literal 1"), "_LITERAL_1");
    assert_eq!(names.constant("Operation 1"), "_OPERATION_1");
    assert_eq!(names.constant("Schema 1"), "_SCHEMA_1");
    assert_eq!(names.point("A B"), ("AB".into(), "A B".into()));
    assert_eq!(names.point("A-B"), ("AB2".into(), "A-B".into()));
    assert_eq!(names.point("A B"), ("AB3".into(), "A B #2".into()));
}

#[test]
fn scopes_beside_each_other_share_names() {
    let mut outer = NameScope::default();
    assert_eq!(outer.give_with_underscore("x"), "x");
    let outer = Arc::new(outer);
    for _ in 0..2 {
        let mut inner = NameScope::inside(&outer);
        assert_eq!(inner.give_with_underscore("x"), "x_2");
        assert_eq!(inner.give_with_underscore("x_2"), "x_2_2");
        assert_eq!(inner.give_with_underscore("y"), "y");
    }
}

#[test]
fn identifiers_are_distinguished_from_other_texts() {
    for (text, expected) in [
        ("charge_card", true),
        ("_1", true),
        ("状态", true),
        ("", false),
        ("1", false),
        ("a-b", false),
        ("fn", false),
        ("_", false),
    ] {
        assert_eq!(is_identifier(text), expected, "{text}");
    }
}

#[test]
fn types_of_workflows_leave_those_of_the_module_alone() {
    assert_eq!(type_name("order"), "Order");
    assert_eq!(type_name("state"), "StateWorkflow");
    assert_eq!(type_name("t"), "TWorkflow");
    assert_eq!(type_name("iterator"), "IteratorWorkflow");
}
