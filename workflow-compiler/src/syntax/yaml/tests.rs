//! Tests of the YAML reader.

use super::*;
use crate::diagnostics::MAX_ERRORS;
use crate::diagnostics::{Diagnostic, fixes, render};
use crate::source::{FileId, Source, Sources};
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::testing::{check_spans, flip_bytes, is_same};

fn read_text(text: &str) -> (Node, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.yaml", text));
    let mut diagnostics = Diagnostics::default();
    let node = read(file, text, &mut diagnostics);
    (node, diagnostics.finish(), sources)
}

/// Returns each diagnostic as `code line:column message`.
fn reported(text: &str) -> Vec<String> {
    let (_, diagnostics, sources) = read_text(text);
    let line = |diagnostic: &Diagnostic| {
        let at = sources.position(diagnostic.span);
        format!("{} {}:{} {}", diagnostic.code.id, at.line, at.column, diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

#[test]
fn legal_texts() {
    for (text, expected) in [
        // Plain scalars by the core schema.
        ("[null, Null, ~, true, False, TRUE]", "[null,null,null,true,false,true]"),
        ("- on\n- no\n- yes\n- y\n- off\n- nULL\n- tRue", r#"["on","no","yes","y","off","nULL","tRue"]"#),
        ("[0, 12, -3, +4, 007, 0x1F, 0o17, 1_000, 0b1]", r#"[0,12,-3,4,7,31,15,"1_000","0b1"]"#),
        ("[1.5, -.5, 5., 1e3, 1.e+2, .5E-1, 1e, ., '-', e5]", r#"[1.5,-0.5,5.0,1000.0,100.0,0.05,"1e",".","-","e5"]"#),
        (
            "[9223372036854775807, -9223372036854775808, -0x1, 12:30, 2020-01-01, 1.2.3]",
            r#"[9223372036854775807,-9223372036854775808,"-0x1","12:30","2020-01-01","1.2.3"]"#,
        ),
        ("['1', \"true\", 'null']", r#"["1","true","null"]"#),
        // Styles.
        ("a: one\n  two\n\n  three", r#"{"a":"one two\nthree"}"#),
        ("a: 'it''s\n  so'", r#"{"a":"it's so"}"#),
        ("a: \"\\u00e9\\x41\\\n   b\\tc\\U0001F600\\_\\N\"", "{\"a\":\"éAb\\tc😀\u{a0}\u{85}\"}"),
        ("a: |\n  one\n   two\n\n  three\n\nb: 1", r#"{"a":"one\n two\n\nthree\n","b":1}"#),
        ("a: >-\n  one\n  two\n\n  three\n", r#"{"a":"one two\nthree"}"#),
        ("a: |+\n  one\n\nb: |2-\n    two\nc: |", r#"{"a":"one\n\n","b":"  two","c":""}"#),
        // Structure.
        ("a:\n- 1\n- b: 2\n  c: 3\n-\n  - 4\nd:\ne: ", r#"{"a":[1,{"b":2,"c":3},[4]],"d":null,"e":null}"#),
        ("{a: 1, 'b':2, c, \"d\": [x: 1, y]}", r#"{"a":1,"b":2,"c":null,"d":[{"x":1},"y"]}"#),
        ("? a\n: 1\n? b", r#"{"a":1,"b":null}"#),
        ("%YAML 1.2\n# first\n---\na: 1 # one\n...\n", r#"{"a":1}"#),
        ("\u{FEFF}a: 1", r#"{"a":1}"#),
        ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", r#"{"a":1,"b":"x\ny\n"}"#),
        ("{\"a\": [1, 2.5, null, true, \"\\ud\"]}".replace("\\ud", "é").as_str(), r#"{"a":[1,2.5,null,true,"é"]}"#),
        // Keys.
        ("1: a\n2.50: b\ntrue: c\nnull: d\n\"\": e", r#"{"1":"a","2.50":"b","true":"c","null":"d","":"e"}"#),
        ("&k key: 1\nother: *k", r#"{"key":1,"other":"key"}"#),
        ("- &k 0x10\n- *k : 1", r#"[16,{"0x10":1}]"#),
        // Tags.
        (
            "[!!str 1, !!int 2, !!float 3, !!bool true, !!null ~, ! 4, !!str , !!int '5', !<tag:yaml.org,2002:str> 6]",
            r#"["1",2,3.0,true,null,"4","",5,"6"]"#,
        ),
        ("a: !!seq [1]\nb: !!map {c: 1}\nd: !!map\n  e: 1", r#"{"a":[1],"b":{"c":1},"d":{"e":1}}"#),
        // Aliases and merges.
        ("a: &a [1, &b {x: 2}]\nb: *b\nc: *a", r#"{"a":[1,{"x":2}],"b":{"x":2},"c":[1,{"x":2}]}"#),
        ("- &a 1\n- &a 2\n- *a", "[1,2,2]"),
        ("- &a {x: 1, y: 2}\n- {<<: *a, y: 3}", r#"[{"x":1,"y":2},{"y":3,"x":1}]"#),
        ("- &a {x: 1}\n- &b {x: 2, y: 2}\n- <<: [*a, *b, {z: 3}]", r#"[{"x":1},{"x":2,"y":2},{"x":1,"y":2,"z":3}]"#),
        ("- &a {x: 1}\n- &b {<<: *a, y: 2}\n- <<: *b", r#"[{"x":1},{"y":2,"x":1},{"y":2,"x":1}]"#),
        ("'<<': 1", r#"{"<<":1}"#),
    ] {
        let (node, diagnostics, _) = read_text(text);
        assert_eq!(diagnostics, [], "{text:?}");
        let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
        assert!(is_same(&node, &expected), "{text:?}: {node:?}");
        check_spans(&node, text);
    }
}

#[test]
fn json_is_yaml() {
    let text = r#"{"a": ["x", 1, -2.5e3, true, null, {"b":"\u00e9\n\"\\\/"}], "c":{}}"#;
    let (node, diagnostics, _) = read_text(text);
    assert_eq!(diagnostics, []);
    assert!(is_same(&node, &serde_json::from_str(text).unwrap()), "{node:?}");
}

#[test]
fn each_mistake_is_one_error() {
    for (text, expected) in [
        // Values outside of the JSON data model.
        ("a: .inf", "WF0111 1:4 `.inf` is not a finite number"),
        ("a: -.INF", "WF0111 1:4 `-.INF` is not a finite number"),
        ("a: .NaN", "WF0111 1:4 `.NaN` is not a finite number"),
        ("a: 1e999", "WF0111 1:4 the number `1e999` is out of range"),
        ("a: 0xFFFFFFFFFFFFFFFFFF", "WF0111 1:4 the number `0xFFFFFFFFFFFFFFFFFF` does not fit into 64 bits"),
        (
            "a: 12345678901234567891",
            "WF0151 1:4 the number `12345678901234567891` does not fit into 64 bits and is rounded",
        ),
        ("a: !Ref b", "WF0121 1:4 unknown tag `!Ref`"),
        ("a: &x !Sub b", "WF0121 1:7 unknown tag `!Sub`"),
        ("a: !!binary b", "WF0121 1:4 unknown tag `!!binary`"),
        ("a: !<tag:example.com:x> b", "WF0121 1:4 unknown tag `!tag:example.com:x`"),
        ("a: !x!y b", "WF0121 1:4 the prefix of the tag is not declared"),
        ("a: !!int b", "WF0121 1:10 the tag `!!int` does not fit `b`"),
        ("a: !!map [b]", "WF0121 1:4 the tag `!!map` does not fit a list"),
        ("a: !!str {b: c}", "WF0121 1:4 the tag `!!str` does not fit a mapping"),
        ("? [a]\n: b\nc: d", "WF0123 1:3 an array cannot be a key"),
        ("{a: b}: c", "WF0123 1:1 an object cannot be a key"),
        (": b", "WF0123 1:1 missing key"),
        ("- &a [x]\n- *a : 1", "WF0123 2:3 an array cannot be a key"),
        ("a: 1\n---\nb: 2", "WF0124 2:1 a second YAML document starts here"),
        ("a: 1\n...\nb: 2", "WF0124 3:1 a second YAML document starts here"),
        ("a: 1\nb: 2\na: 3", "WF0112 3:1 duplicate key `a`"),
        ("a: 1\n'a': 3", "WF0112 2:1 duplicate key `a`"),
        ("1: 1\n'1': 3", "WF0112 2:1 duplicate key `1`"),
        ("- &a {x: 1}\n- <<: *a\n  <<: *a", "WF0112 3:3 duplicate key `<<`"),
        // Aliases and merges.
        ("a: &a\n  b: *a", "WF0122 2:6 `*a` refers to a value that contains it"),
        ("&a [1, [*a]]", "WF0122 1:9 `*a` refers to a value that contains it"),
        ("a: &name 1\nb: *nmae", "WF0122 2:4 unknown alias `*nmae`"),
        ("<<: 1\na: 2", "WF0125 1:5 `<<` must be a mapping or a list of mappings, found a number"),
        ("<<: [{a: 1}, b]\na: 2", "WF0125 1:14 `<<` must be a mapping or a list of mappings, found a string"),
        // Syntax.
        ("a: b: c", "WF0120 1:5 unexpected colon: a key is not allowed here"),
        ("a:\n\t- b", "WF0120 2:1 tabs are not allowed for indentation"),
        ("a: 1\n b: 2", "WF0120 2:3 unexpected colon: a key is not allowed here"),
        ("a: 1\nb\nc: 2", "WF0120 2:1 missing colon after a key"),
        ("a: @b", "WF0120 1:4 an unquoted value cannot start with this character"),
        ("a: `b`", "WF0120 1:4 an unquoted value cannot start with this character"),
        ("a: * b", "WF0120 1:4 an unquoted value cannot start with this character"),
        ("a: [1, 2", "WF0120 1:9 expected `,` or `]`"),
        ("a: {b: 1", "WF0120 1:9 expected `,` or `}`"),
        ("a: [1, 2}", "WF0120 1:9 expected `,` or `]`"),
        ("a: 1]\nb: [,]", "WF0120 2:5 expected a value"),
        ("a: ]", "WF0102 1:4 unmatched closing bracket"),
        ("a: \"b", "WF0108 1:4 the string has no closing quote"),
        ("a: 'b\nc: d", "WF0120 1:4 a line of this string is not indented deeper than its key"),
        ("a: 'b' c", "WF0108 1:8 unexpected text after the closing quote"),
        ("a: \"ab\\d\"", "WF0109 1:7 `\\d` is not a YAML escape"),
        ("a: \"\\n\\u12\"", "WF0109 1:7 `\\u12` is not a YAML escape"),
        ("a: \"\\ud83d\\ude00\"", "WF0109 1:5 `\\ud83d` is not a YAML escape"),
        ("a: - b", "WF0120 1:4 an item of a list is not allowed here"),
        ("a: [- b]", "WF0120 1:5 an item with `-` is not allowed in brackets"),
        ("a:\n - b\n c", "WF0120 3:2 missing colon after a key"),
        ("a: b\u{0}c", "WF0110 1:5 control character U+0000 in the text"),
        ("a: b\u{1b}c", "WF0110 1:5 control character U+001B in the text"),
        ("", "WF0114 1:1 the file is empty"),
        ("# nothing\n", "WF0114 1:1 the file is empty"),
    ] {
        let (_, diagnostics, _) = read_text(text);
        assert_eq!(reported(text), [expected], "{text:?}");
        assert!(diagnostics.iter().all(|diagnostic| diagnostic.help.is_some()), "{text:?} has no help");
    }
}

#[test]
fn an_unquoted_expression_is_reported_with_a_fix() {
    for (text, place, expected) in [
        ("a: ${ {b: .c} }", "1:4", "a: \"${ {b: .c} }\""),
        ("x:\n  - ${ {b : .c, d: .e} } # f\n", "2:5", "x:\n  - \"${ {b : .c, d: .e} }\" # f\n"),
        ("a:   ${ {\"b\": 'c'} }\r\nd: 1\r\n", "1:6", "a:   '${ {\"b\": ''c''} }'\r\nd: 1\r\n"),
        ("a: { b: ${ .c } }", "1:9", "a: { b: \"${ .c }\" }"),
        ("a: [${ .b }, ${.c}]", "1:5", "a: [\"${ .b }\", \"${.c}\"]"),
        ("ü: ${ .a }\nb: ${ {ö: .c} | .d }", "2:4", "ü: ${ .a }\nb: \"${ {ö: .c} | .d }\""),
    ] {
        assert_eq!(reported(text), [format!("WF0120 {place} the expression is not in quotes")], "{text:?}");
        let mut fixed = text.to_owned();
        for _ in 0..=text.matches("${").count() {
            let Some((next, _)) = fixes::apply(&fixed, FileId(0), &read_text(&fixed).1) else { break };
            fixed = next;
        }
        assert_eq!(fixed, expected);
        assert_eq!(reported(&fixed), Vec::<String>::new(), "{fixed:?}");
    }
    // Valid texts.
    assert_eq!(reported("a: ${ .b }\nc: ${ {.d} }\ne: ${ {f:.g} }\nh: ${}"), Vec::<String>::new());
    let (_, diagnostics, sources) = read_text("a: ${ {b: .c,\n  d: .e} }");
    let expected = "\
error[WF0120]: the expression is not in quotes
 --> flow.yaml:1:4
  |
1 | a: ${ {b: .c,
  |    ^^ the expression starts here
  = help: write the expression in quotes, on one line";
    assert_eq!(render::render(&diagnostics[0], &sources, false), expected);
    assert_eq!(diagnostics[0].fix, None);
    // Texts with other errors.
    for text in [
        "a: b ${ {c: .d} }",
        "a: ${ .b } c: ${ {d: .e} }",
        "a: \"${ {b: .c} }\" d: e",
        "a${ .b }: ${ .c }\n  d: e",
        "a: ${ .b } c: d",
    ] {
        let diagnostics = reported(text);
        assert!(
            !diagnostics.is_empty() && !diagnostics.iter().any(|line| line.contains("expression")),
            "{text:?}: {diagnostics:?}"
        );
    }
}

#[test]
fn values_before_an_error_are_kept() {
    for (text, expected) in [
        ("a: [1, {b: 2}]\nc: d: e", r#"{"a":[1,{"b":2}],"c":"d"}"#),
        ("a: !Ref b\nc: [d]\nd: !GetAtt [x, y]", r#"{"a":"b","c":["d"],"d":["x","y"]}"#),
        ("a: .inf\nb: 1\nb: 2", r#"{"a":null,"b":1}"#),
        ("a: 1\n---\nb: 2", r#"{"a":1}"#),
    ] {
        let (node, diagnostics, _) = read_text(text);
        assert!(!diagnostics.is_empty());
        assert!(is_same(&node, &serde_json::from_str(expected).unwrap()), "{text:?}: {node:?}");
    }
}

#[test]
fn values_know_where_they_were_written() {
    let text = "\
# ünïcödé
plain: héllo wörld  # note
key: !!str &a 'qu''oted'  # note
list: [ eins, \"zw\\u00e9i\" ] # note
block:
  inner: 1

  more:
    - x
    -
      y: z
last: *a
";
    let (node, diagnostics, sources) = read_text(text);
    assert_eq!(diagnostics, []);
    let written = |node: &Node| sources.text(node.span);
    let at = |key: &str| node.get(key).unwrap();
    assert_eq!(written(at("plain")), "héllo wörld");
    assert_eq!(written(at("key")), "'qu''oted'");
    assert_eq!(written(at("list")), "[ eins, \"zw\\u00e9i\" ]");
    assert_eq!(written(&at("list").as_array().unwrap()[1]), "\"zw\\u00e9i\"");
    assert_eq!(written(at("block")), "inner: 1\n\n  more:\n    - x\n    -\n      y: z");
    assert_eq!(written(at("block").get("more").unwrap()), "- x\n    -\n      y: z");
    assert_eq!(written(at("last")), "'qu''oted'");
    assert_eq!(sources.text(node.entry("block").unwrap().key.span), "block");
    assert_eq!(node.span.start as usize, text.find("plain").unwrap());
    assert_eq!(node.span.end as usize, text.len() - 1);
}

/// Finds each word in the value, and compares it with the source text of its span.
#[test]
fn strings_know_where_each_character_was_written() {
    for (text, words) in [
        ("a: one two", &["one", "two", "e t"][..]),
        ("a: one\n    two\n\n    thrée  \n    four", &["one", "two", "thrée", "four"]),
        ("a: 'it''s one\n    two\n\n\n  thrée'", &["it", "s one", "two", "thrée"]),
        ("a: \"one \\\n    tw\\u006F\n    thr\\xe9e\\tfour \\\"five\\\"\"", &["one ", "four ", "five"]),
        ("a: |\n    one {{ two }}\n      thrée\n\n    four\n  ", &["one", "two", "thrée", "four"]),
        ("a: |2\n    one\n   two\n", &["one", "two"]),
        ("a: &x |\n\n\n  öne\n  two\n", &["öne", "two"]),
        ("a: !!str >-\n  one\n  two\n    three\n\n  four", &["one", "two", "three", "four"]),
        ("a: >\r\n  one\r\n  two\r\n\r\n  three\r\n", &["one", "two", "three"]),
        ("a: |\n  # one\n  - two: 'x'\n  | three\n", &["# one", "- two: 'x'", "| three"]),
    ] {
        let (node, diagnostics, sources) = read_text(text);
        assert_eq!(diagnostics, []);
        let value = node.get("a").and_then(Node::as_text).unwrap();
        for word in words {
            let start = value.value.find(word).unwrap_or_else(|| panic!("{word} in {value:?}"));
            assert_eq!(sources.text(value.span_of(start, start + word.len())), *word, "{text:?}: {value:?}");
        }
        check_spans(&node, text);
    }
}

#[test]
fn escapes_know_where_they_were_written() {
    let (node, _, sources) = read_text("\"a\\u00e9\\\n   b\\tc\"");
    let value = node.as_text().unwrap();
    assert_eq!(value.value, "aéb\tc");
    for (character, source) in [("é", "\\u00e9"), ("b", "b"), ("\t", "\\t"), ("c", "c")] {
        let start = value.value.find(character).unwrap();
        assert_eq!(sources.text(value.span_of(start, start + character.len())), source);
    }
}

#[test]
fn an_unknown_alias_is_shown_with_the_nearest_name() {
    let (_, diagnostics, sources) = read_text("retry: &defaultRetry {a: 1}\nb: *defaultRety\n");
    let expected = "\
error[WF0122]: unknown alias `*defaultRety`
 --> flow.yaml:2:4
  |
2 | b: *defaultRety
  |    ^^^^^^^^^^^^
  = help: did you mean `*defaultRetry`?";
    assert_eq!(render::render(&diagnostics[0], &sources, false), expected);
}

#[test]
fn limits_hold() {
    let deepest = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(reported(&deepest), Vec::<String>::new());
    let too_deep = "values are nested more than 128 levels deep";
    let blocks: String = (0..1_000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    for text in [
        "[".repeat(10_000),
        "{a: ".repeat(10_000),
        "- ".repeat(10_000),
        "? ".repeat(10_000),
        "[{a: ".repeat(5_000),
        blocks,
    ] {
        let diagnostics = reported(&text);
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert!(diagnostics[0].starts_with("WF0113") && diagnostics[0].ends_with(too_deep), "{diagnostics:?}");
    }
    let diagnostics = reported(&format!("\"{}\"", "a".repeat(100_000_000)));
    assert_eq!(diagnostics, ["WF0113 1:1 the definition is 100000002 bytes long, but the limit is 4194304 bytes"]);
    let diagnostics = reported(&"- .inf\n".repeat(1_000));
    assert_eq!(diagnostics.len(), MAX_ERRORS + 1);
}

#[test]
fn aliases_cannot_exhaust_memory() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", [alias.as_str(); 10].join(", "));
    }
    let diagnostics = reported(&bomb);
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].ends_with("the definition holds more than 1048576 values"), "{diagnostics:?}");

    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), "*a, ".repeat(1_000));
    let diagnostics = reported(&long);
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].ends_with("aliases repeat more than 4194304 bytes of text"), "{diagnostics:?}");

    let deep: String = (1..200).map(|level| format!("- &a{level} [*a{}]\n", level - 1)).collect();
    let diagnostics = reported(&format!("- &a0 x\n{deep}"));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].ends_with("values are nested more than 128 levels deep"), "{diagnostics:?}");

    let merges: String =
        (1..40).map(|level| format!("- &a{level} {{<<: [*a{0}, *a{0}], k{level}: 1}}\n", level - 1)).collect();
    assert_eq!(reported(&format!("- &a0 {{x: 1}}\n{merges}")), Vec::<String>::new());
}

#[test]
fn large_texts_take_little_time() {
    let large = 1 << 18;
    for text in [
        format!("\"{}\"", "a".repeat(large)),
        format!("\"{}\"", "\\n".repeat(large / 2)),
        format!("\"{}\"", "é ".repeat(large / 3)),
        format!("a: |\n{}", "  x\n".repeat(large / 4)),
        format!("a:\n{}", "  x\n".repeat(large / 4)),
        format!("[{}]", "a,".repeat(large / 2)),
        format!("[{}]", "é: b,".repeat(large / 6)),
        "- a\n".repeat(large / 4),
        "a\n\n".repeat(large / 3),
        "#".repeat(large),
        "\n".repeat(large),
        "! ".repeat(large / 2),
        "&a ".repeat(large / 3),
        format!("%TAG ! tag:{}\n---\n{}", "x".repeat(large / 2), "- !a b\n".repeat(large / 16)),
    ] {
        read_text(&text);
    }
    let keys: String = (0..100_000).map(|key| format!("k{key}: 1\n")).collect();
    let (node, diagnostics, _) = read_text(&format!("{keys}k7: 2"));
    assert_eq!(node.as_object().map(<[_]>::len), Some(100_000));
    assert_eq!(diagnostics.len(), 1);
}

const SAMPLE: &str = r#"# ünïcödé
Comment: &text "ünï \u00e9 \x41 \"quoted\" \
  text"
StartAt: First
TimeoutSeconds: 12.5e1
States:
  First: &first
    Type: Choice
    Choices: [{Variable: "$.a['b']", NumericEquals: 0, Next: 'La''st'}, {? x : y}]
  Second:
    <<: *first
    Parameters: !!map
      folded.$: >-
        States.Format('{}',
          $.x)

        more
      literal: |+
        one
          two

    Retry:
    - ErrorEquals: [ States.ALL ] # all
      1: ~
    - *text
  Last: {Type: Pass, Result: {"": [[], {}, [{}]]}, End: true}
"#;

fn check_sanity(text: &str) {
    let (node, diagnostics, sources) = read_text(text);
    check_spans(&node, text);
    for diagnostic in &diagnostics {
        for span in std::iter::once(diagnostic.span).chain(diagnostic.related.iter().map(|(span, _)| *span)) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?} in {text:?}");
        }
        render::render(diagnostic, &sources, true);
    }
}

#[test]
fn truncated_at_every_byte() {
    let (_, diagnostics, _) = read_text(SAMPLE);
    assert_eq!(diagnostics, []);
    for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        check_sanity(&SAMPLE[..end]);
        check_sanity(&SAMPLE[end..]);
        check_sanity(&SAMPLE[..end].replace('\n', "\r\n"));
    }
}

#[test]
fn random_changes() {
    for seed in 0..4_000 {
        check_sanity(&flip_bytes(SAMPLE, seed));
    }
}
