//! Tests of the JSON reader.

use super::*;
use crate::diagnostics::MAX_ERRORS;
use crate::diagnostics::{Diagnostic, Severity, render};
use crate::source::{Source, Sources, Span};
use crate::syntax::limits::{MAX_DEPTH, MAX_NODES};
use crate::syntax::testing::{apply_fixes, check_spans, flip_bytes, is_same};

fn read_text(text: &str) -> (Node, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.json", text));
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
    for text in [
        "null",
        " true ",
        "[]",
        "{}",
        "[1,-2,0,-0,9223372036854775807,-9223372036854775808]",
        "[1.5,-0.25,1e3,1E-3,1.0e+2,0.0]",
        r#"{"a":{"b":[[],{},"x",null,false]},"c":"d"}"#,
        r#"["\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\u0000"]"#,
        "[\"é漢😀\u{7f}\u{2028}\"]",
        "{\"\":1}",
    ] {
        let (node, diagnostics, _) = read_text(text);
        assert_eq!(diagnostics, [], "{text}");
        let expected: serde_json::Value = serde_json::from_str(text).unwrap();
        assert!(is_same(&node, &expected), "{text}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let (node, diagnostics, sources) = read_text("\u{FEFF}{\"a\": 1}");
    assert_eq!(diagnostics, []);
    assert_eq!(sources.text(node.span), "{\"a\": 1}");
}

#[test]
fn a_bracket_that_is_missing_before_a_member_is_no_missing_comma() {
    for (text, expected) in [
        // The state `A` is not closed.
        (
            "{\n  \"States\": {\n    \"A\": {\n      \"Type\": \"Pass\"\n    \"B\": {}\n  }\n}",
            &["WF0102 3:10 `{` is never closed"][..],
        ),
        // Neither are `A` and `States`.
        (
            "{\n  \"States\": {\n    \"A\": {\n      \"Type\": \"Pass\"\n  \"StartAt\": \"A\"\n}",
            &["WF0102 3:10 `{` is never closed"],
        ),
        // The lines have no indentation.
        ("{\"A\": {\n\"Type\": \"Pass\"\n\"End\": true}}", &["WF0103 2:15 missing comma"]),
        ("{\n  \"A\": {\n    \"Type\": \"Pass\"\n    \"End\": true}}", &["WF0103 3:19 missing comma"]),
    ] {
        assert_eq!(reported(text), expected, "{text}");
    }
    let (_, diagnostics, sources) = read_text("{\n  \"A\": {\n    \"x\": 1\n  \"B\": 2\n}");
    let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
    assert_eq!(diagnostic.fix, None);
    let text = render::render(diagnostic, &sources, false);
    assert!(text.contains("write `},` before this member"), "{text}");
}

#[test]
fn each_mistake_is_one_error_with_a_fix() {
    for (text, expected, tree) in [
        // Commas.
        (r#"{"a":1 "b":2}"#, "WF0103 1:7 missing comma", r#"{"a":1,"b":2}"#),
        ("[1 2]", "WF0103 1:3 missing comma", "[1,2]"),
        ("[1,2,]", "WF0104 1:5 trailing comma before `]`", "[1,2]"),
        ("{\"a\":1,}", "WF0104 1:7 trailing comma before `}`", "{\"a\":1}"),
        ("[,1]", "WF0104 1:2 missing value before this comma", "[1]"),
        ("[1,,2]", "WF0104 1:4 missing value before this comma", "[1,2]"),
        ("{\"a\":1;\"b\":2}", "WF0103 1:7 unexpected `;` between two values", r#"{"a":1,"b":2}"#),
        // Colons, keys and values.
        (r#"{"a" 1}"#, "WF0105 1:5 the key `a` is not followed by a colon", r#"{"a":1}"#),
        (r#"{"a" = 1}"#, "WF0105 1:6 unexpected `=` between a key and its value", r#"{"a":1}"#),
        (r#"{"a" => 1}"#, "WF0105 1:6 unexpected `=>` between a key and its value", r#"{"a":1}"#),
        (r#"{"a"}"#, "WF0105 1:2 the key `a` has no value", r#"{"a":null}"#),
        (r#"{"a":,"b":2}"#, "WF0101 1:6 expected a value", r#"{"a":null,"b":2}"#),
        (r#"{"a"::2}"#, "WF0101 1:6 expected a value, found `:`", r#"{"a":2}"#),
        (r#"{:2}"#, "WF0101 1:2 missing key before this colon", r#"{}"#),
        (r#"{[1],"b":2}"#, "WF0101 1:2 expected a key", r#"{"b":2}"#),
        (r#"{"a":1 2,"b":2}"#, "WF0101 1:8 expected `,` or `}`", r#"{"a":1,"b":2}"#),
        (r#"{"a":1:2,"b":2}"#, "WF0101 1:7 expected `,` or `}`", r#"{"a":1,"b":2}"#),
        (r#"{1:2}"#, "WF0106 1:2 the key `1` is not in double quotes", r#"{"1":2}"#),
        (r#"["a":1,"b":2]"#, "WF0101 1:5 unexpected colon inside an array", r#"["a",1,"b",2]"#),
        // Barewords.
        ("{a:1}", "WF0106 1:2 `a` is not in double quotes", r#"{"a":1}"#),
        (r#"{"a":b c}"#, "WF0106 1:6 `b c` is not in double quotes", r#"{"a":"b c"}"#),
        (r#"{"a":arn:aws:x}"#, "WF0106 1:6 `arn:aws:x` is not in double quotes", r#"{"a":"arn:aws:x"}"#),
        (
            "[2020-01-01T00:00:00Z]",
            "WF0106 1:2 `2020-01-01T00:00:00Z` is not in double quotes",
            r#"["2020-01-01T00:00:00Z"]"#,
        ),
        ("['it']", "WF0106 1:2 a JSON string must be in straight double quotes", r#"["it"]"#),
        ("[“it”]", "WF0106 1:2 a JSON string must be in straight double quotes", r#"["it"]"#),
        ("[True]", "WF0106 1:2 `True` is not a JSON literal", "[true]"),
        ("[None]", "WF0106 1:2 `None` is not a JSON literal", "[null]"),
        ("[1, // one\n2]", "WF0107 1:5 JSON has no comments", "[1,2]"),
        ("[1, # one\n2]", "WF0107 1:5 JSON has no comments", "[1,2]"),
        ("[1, /* one\n */2]", "WF0107 1:5 JSON has no comments", "[1,2]"),
        ("[1,\u{a0}2]", "WF0101 1:4 unexpected invisible character U+00A0", "[1,2]"),
        ("[1,\u{0}2]", "WF0101 1:4 unexpected invisible character U+0000", "[1,2]"),
        // Strings.
        ("{\"a\":\"b,\n\"c\":1}", "WF0108 1:6 the string `b` has no closing quote", r#"{"a":"b","c":1}"#),
        ("[\"a]", "WF0108 1:2 the string `a]` has no closing quote", ""),
        (r#"["say "hi" there",1]"#, "WF0108 1:7 unescaped double quote in a string", r#"["say \"hi\" there",1]"#),
        ("[\"a\nb\nc\"]", "WF0110 1:4 a string cannot contain a line break", r#"["a\nb\nc"]"#),
        ("[\"a\tb\"]", "WF0110 1:4 unescaped control character U+0009 in a string", r#"["a\tb"]"#),
        ("[\"a\u{0}b\"]", "WF0110 1:4 unescaped control character U+0000 in a string", r#"["a\u0000b"]"#),
        (r#"["\d"]"#, "WF0109 1:3 `\\d` is not a JSON escape", r#"["\\d"]"#),
        (r#"["\x41"]"#, "WF0109 1:3 `\\x` is not a JSON escape", r#"["\\x41"]"#),
        (r#"["\u12"]"#, "WF0109 1:3 `\\u` is not followed by four hexadecimal digits", "[\"\u{fffd}\"]"),
        (r#"["\ud83d"]"#, "WF0109 1:3 unpaired surrogate `\\ud83d`", "[\"\u{fffd}\"]"),
        (r#"["\ude00a"]"#, "WF0109 1:3 unpaired surrogate `\\ude00`", "[\"\u{fffd}a\"]"),
        (r#"["\ud83d\u0041"]"#, "WF0109 1:3 unpaired surrogate `\\ud83d`", "[\"\u{fffd}A\"]"),
        // Numbers.
        ("[01]", "WF0111 1:2 `01` is not a JSON number", "[1]"),
        ("[+1]", "WF0111 1:2 `+1` is not a JSON number", "[1]"),
        ("[.5]", "WF0111 1:2 `.5` is not a JSON number", "[0.5]"),
        ("[5.]", "WF0111 1:2 `5.` is not a JSON number", "[5.0]"),
        ("[0x1F]", "WF0111 1:2 `0x1F` is not a JSON number", "[31]"),
        ("[1_000]", "WF0111 1:2 `1_000` is not a JSON number", "[1000]"),
        ("[NaN]", "WF0111 1:2 `NaN` is not a JSON number", "[null]"),
        ("[-Infinity]", "WF0111 1:2 `-Infinity` is not a JSON number", "[null]"),
        ("[1e999]", "WF0111 1:2 the number `1e999` is out of range", "[1.7976931348623157e308]"),
        ("[9223372036854775808]", "", "[9223372036854775808.0]"),
        (
            "[12345678901234567891]",
            "WF0151 1:2 the number `12345678901234567891` does not fit into 64 bits and is rounded",
            "[12345678901234567000.0]",
        ),
        // Objects and brackets.
        (r#"{"a":1,"a":2}"#, "WF0112 1:8 duplicate key `a`", r#"{"a":1}"#),
        (r#"{"a":1,"\u0061":2}"#, "WF0112 1:8 duplicate key `a`", r#"{"a":1}"#),
        (r#"{"a":[1,2,"b":3}"#, "WF0102 1:6 `[` is never closed", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":[1,2 "b":3}"#, "WF0102 1:6 `[` is never closed", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":[1,2}"#, "WF0102 1:6 `[` is never closed", r#"{"a":[1,2]}"#),
        (r#"{"a":[1,2},"b":3}"#, "WF0102 1:10 `[` is closed by `}`", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":1]}"#, "WF0102 1:7 unmatched `]`", r#"{"a":1}"#),
        (r#"{"a":1}}"#, "WF0102 1:8 unmatched `}`", r#"{"a":1}"#),
        (r#"{"a":{"b":[1"#, "WF0102 1:13 the file ends before `]}}`", r#"{"a":{"b":[1]}}"#),
        (r#"{"a":1} {"b":2}"#, "WF0101 1:9 unexpected text after the end of the definition", r#"{"a":1}"#),
        ("", "WF0114 1:1 the file is empty", "null"),
        (" \n ", "WF0114 1:1 the file is empty", "null"),
    ] {
        let (node, diagnostics, _) = read_text(text);
        let lines = reported(text);
        let tolerated = if text == "[\"a]" { 2 } else { 1 };
        assert!(lines.len() <= tolerated, "{text:?}: {lines:?}");
        assert_eq!(lines.first().map_or("", String::as_str), expected, "{text:?}");
        assert!(diagnostics.iter().all(|diagnostic| diagnostic.help.is_some()), "{text:?} has no help");
        if !tree.is_empty() {
            let expected: serde_json::Value = serde_json::from_str(tree).unwrap();
            assert!(is_same(&node, &expected), "{text:?}: {node:?}");
        }
    }
}

#[test]
fn fixes_correct_the_text() {
    for text in [
        r#"{"a":1 "b":2}"#,
        "[1,2,]",
        "[1,,2]",
        "{\"a\":1;\"b\":2}",
        r#"{"a" 1}"#,
        r#"{"a" => 1}"#,
        "{a:b c}",
        "{1: True}",
        "['a \"b\" c']",
        "[1, // one\n2]",
        "[1,\u{a0}2]",
        "{\"a\":\"b,\n\"c\":1}",
        r#"["say "hi, there"]"#,
        "[\"a\tb\"]",
        r#"["\d+\."]"#,
        "[007, 0x10, .5, 1_0]",
        r#"{"a":[1,2,"b":3}"#,
        r#"{"a":[1,2 "b":3}"#,
        r#"{"a":[1,2}"#,
        r#"{"a":[1,2},"b":3}"#,
        r#"{"a":{"b":[1"#,
    ] {
        let (_, diagnostics, _) = read_text(text);
        assert!(!diagnostics.is_empty(), "{text:?}");
        let fixed = apply_fixes(text, &diagnostics);
        assert_eq!(reported(&fixed), Vec::<String>::new(), "{text:?} became {fixed:?}");
    }
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let text = r#"{
  "StartAt": A,
  "States": {
    "A": {"Type": 'Pass', "Next": "B"}
    "B": {"Type": "Wait", "Seconds": 010, "Next": "C",},
    "C": {"Type": "Fail", "Cause": "\q", "Cause": "y"}
  }
"#;
    assert_eq!(
        reported(text),
        [
            "WF0106 2:14 `A` is not in double quotes",
            "WF0106 4:19 a JSON string must be in straight double quotes",
            "WF0103 4:39 missing comma",
            "WF0111 5:38 `010` is not a JSON number",
            "WF0104 5:54 trailing comma before `}`",
            "WF0109 6:37 `\\q` is not a JSON escape",
            "WF0112 6:42 duplicate key `Cause`",
            "WF0102 7:4 the file ends before `}`",
        ]
    );
}

#[test]
fn indentation_identifies_the_unclosed_bracket() {
    let text = "{\n  \"a\": {\n    \"b\": [1, 2]\n  ,\n  \"c\": 3\n}\n";
    let (_, diagnostics, sources) = read_text(text);
    let expected = "\
error[WF0102]: the file ends before `}`
 --> flow.json:6:2
  |
2 |   \"a\": {
  |        - this bracket may be unclosed
...
6 | }
  |  ^ the file ends here
  | - its closing bracket is indented differently
  = help: close the bracket where it should end";
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(render::render(&diagnostics[0], &sources, false), expected);
}

#[test]
fn strings_know_where_each_character_was_written() {
    let text = r#"{"key": "a\u00e9b\ud83d\ude00\nc"}"#;
    let (node, _, sources) = read_text(text);
    let value = node.get("key").and_then(Node::as_text).unwrap();
    assert_eq!(value.value, "aéb😀\nc");
    assert_eq!(sources.text(value.span), r#""a\u00e9b\ud83d\ude00\nc""#);
    for (character, source) in [
        ("a", "a"),
        ("é", "\\u00e9"),
        ("b", "b"),
        ("😀", "\\ud83d\\ude00"),
        ("\n", "\\n"),
        ("c", "c"),
        ("éb", "\\u00e9b"),
    ] {
        let start = value.value.find(character).unwrap();
        assert_eq!(sources.text(value.span_of(start, start + character.len())), source);
    }
    let end = value.value.len();
    assert_eq!(value.span_of(end, end), Span::new(value.span.file, text.len() - 2, text.len() - 2));
    assert_eq!(sources.text(node.span), text);
    assert_eq!(sources.text(node.as_object().unwrap()[0].key.span), "\"key\"");
}

#[test]
fn limits_hold() {
    let deepest = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(reported(&deepest), Vec::<String>::new());
    for text in [format!("{}1", "[".repeat(10_000)), "{\"a\":".repeat(10_000), "[{\"a\":".repeat(600_000)] {
        let diagnostics = reported(&text);
        assert_eq!(diagnostics.len(), 1);
        assert!(
            diagnostics[0].starts_with("WF0113")
                && diagnostics[0].ends_with("values are nested more than 128 levels deep")
        );
    }
    let diagnostics = reported(&format!("[{}1]", "1,".repeat(MAX_NODES)));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].ends_with("the definition holds more than 1048576 values"), "{diagnostics:?}");
    let diagnostics = reported(&format!("\"{}\"", "a".repeat(100_000_000)));
    assert_eq!(diagnostics, ["WF0113 1:1 the definition is 100000002 bytes long, but the limit is 4194304 bytes"]);
    let diagnostics = reported(&format!("[{}1]", "12345678901234567891,".repeat(1_000)));
    assert_eq!(diagnostics.len(), MAX_ERRORS);
    let diagnostics = reported(&format!("[{}]", ",".repeat(1_000_000)));
    assert_eq!(diagnostics.len(), MAX_ERRORS + 1);
    assert!(diagnostics.iter().any(|line| line.contains("more than 100 errors")));
}

#[test]
fn large_texts_take_little_time() {
    let large = 1 << 20;
    let texts = [
        format!("\"{}\"", "a".repeat(large)),
        format!("\"{}\"", "\\n".repeat(large / 2)),
        format!("\"{}", "\n".repeat(large)),
        format!("\"{}", "a\"b".repeat(large / 3)),
        "[]".repeat(large / 2),
        format!("[{}]", "[],".repeat(300_000)),
        format!("[{}]", "[\n],".repeat(300_000)),
        format!("{{\"a\":{}\"{}\":1", "[1,".repeat(100), "b".repeat(large / 2)),
        "'".repeat(large),
        "«{".repeat(large / 3),
        "a:".repeat(large / 2),
        "/*".repeat(large / 2),
    ];
    for text in texts {
        read_text(&text);
    }
    let keys: String = (0..200_000).map(|key| format!("\"k{key}\":1,")).collect();
    let (node, diagnostics, _) = read_text(&format!("{{{keys}\"k7\":2}}"));
    assert_eq!(node.as_object().map(<[_]>::len), Some(200_000));
    assert_eq!(diagnostics.len(), 1);
}

const SAMPLE: &str = r#"{
  "Comment": "ünïcode \u00e9 \ud83d\ude00 \"quoted\" \\ / text",
  "StartAt": "First", "TimeoutSeconds": 12.5e1, "Version": null, "Ok": [true, false, -0, 18446744073709551615],
  "States": {
    "First": {"Type": "Choice", "Choices": [{"Variable": "$.a['b']", "NumericEquals": 0, "Next": "Last"}]},
    "Last": {"Type": "Pass", "Result": {"": [[], {}, [{}]]}, "End": true}
  }
}
"#;

/// Asserts that spans lie within the text and at character boundaries, and that serde accepts what
/// the reader accepts.
fn check_sanity(text: &str) {
    let (node, diagnostics, sources) = read_text(text);
    check_spans(&node, text);
    for diagnostic in &diagnostics {
        for span in std::iter::once(diagnostic.span).chain(diagnostic.related.iter().map(|(span, _)| *span)) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?} in {text:?}");
        }
        render::render(diagnostic, &sources, true);
    }
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    match serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{FEFF}')) {
        Ok(value) if !has_errors => assert!(is_same(&node, &value), "{text:?}: {node:?}"),
        Ok(_) => {
            assert!(diagnostics.iter().all(|diagnostic| diagnostic.code.id == "WF0112"), "{diagnostics:?} in {text:?}")
        }
        Err(error) => assert!(has_errors, "{error} in {text:?}"),
    }
}

#[test]
fn truncated_at_every_byte() {
    check_sanity(SAMPLE);
    for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        check_sanity(&SAMPLE[..end]);
        check_sanity(&SAMPLE[end..]);
    }
}

#[test]
fn random_changes() {
    for seed in 0..4_000 {
        check_sanity(&flip_bytes(SAMPLE, seed));
    }
}
