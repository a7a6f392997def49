//! Tests of the JSON reader.

use super::*;
use crate::diagnostics::{Diagnostic, render};
use crate::source::{Source, Sources, Span};
use crate::syntax::limits::{MAX_DEPTH, MAX_ERRORS, MAX_NODES};
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
fn each_mistake_is_one_error_with_a_fix() {
    for (text, expected, tree) in [
        // Commas.
        (r#"{"a":1 "b":2}"#, "E0103 1:7 a comma is missing here", r#"{"a":1,"b":2}"#),
        ("[1 2]", "E0103 1:3 a comma is missing here", "[1,2]"),
        ("[1,2,]", "E0104 1:5 a comma before `]`", "[1,2]"),
        ("{\"a\":1,}", "E0104 1:7 a comma before `}`", "{\"a\":1}"),
        ("[,1]", "E0104 1:2 a comma with nothing before it", "[1]"),
        ("[1,,2]", "E0104 1:4 a comma with nothing before it", "[1,2]"),
        ("{\"a\":1;\"b\":2}", "E0103 1:7 `;` stands between two values", r#"{"a":1,"b":2}"#),
        // Colons, keys and values.
        (r#"{"a" 1}"#, "E0105 1:5 the key `a` is not followed by a colon", r#"{"a":1}"#),
        (r#"{"a" = 1}"#, "E0105 1:6 `=` stands between a key and its value", r#"{"a":1}"#),
        (r#"{"a" => 1}"#, "E0105 1:6 `=>` stands between a key and its value", r#"{"a":1}"#),
        (r#"{"a"}"#, "E0105 1:2 the key `a` has no value", r#"{"a":null}"#),
        (r#"{"a":,"b":2}"#, "E0101 1:6 a value was expected here", r#"{"a":null,"b":2}"#),
        (r#"{"a"::2}"#, "E0101 1:6 a value was expected here, and not `:`", r#"{"a":2}"#),
        (r#"{:2}"#, "E0101 1:2 a key was expected before this colon", r#"{}"#),
        (r#"{[1],"b":2}"#, "E0101 1:2 a key was expected here", r#"{"b":2}"#),
        (r#"{"a":1 2,"b":2}"#, "E0101 1:8 `,` or `}` was expected here", r#"{"a":1,"b":2}"#),
        (r#"{"a":1:2,"b":2}"#, "E0101 1:7 `,` or `}` was expected here", r#"{"a":1,"b":2}"#),
        (r#"{1:2}"#, "E0106 1:2 the key `1` is not in double quotes", r#"{"1":2}"#),
        (r#"["a":1,"b":2]"#, "E0101 1:5 a colon inside an array", r#"["a",1,"b",2]"#),
        // Barewords.
        ("{a:1}", "E0106 1:2 `a` is not in double quotes", r#"{"a":1}"#),
        (r#"{"a":b c}"#, "E0106 1:6 `b c` is not in double quotes", r#"{"a":"b c"}"#),
        (r#"{"a":arn:aws:x}"#, "E0106 1:6 `arn:aws:x` is not in double quotes", r#"{"a":"arn:aws:x"}"#),
        (
            "[2020-01-01T00:00:00Z]",
            "E0106 1:2 `2020-01-01T00:00:00Z` is not in double quotes",
            r#"["2020-01-01T00:00:00Z"]"#,
        ),
        ("['it']", "E0106 1:2 a string of JSON is written in straight double quotes", r#"["it"]"#),
        ("[“it”]", "E0106 1:2 a string of JSON is written in straight double quotes", r#"["it"]"#),
        ("[True]", "E0106 1:2 `True` is not a word of JSON", "[true]"),
        ("[None]", "E0106 1:2 `None` is not a word of JSON", "[null]"),
        ("[1, // one\n2]", "E0107 1:5 JSON has no comments", "[1,2]"),
        ("[1, # one\n2]", "E0107 1:5 JSON has no comments", "[1,2]"),
        ("[1, /* one\n */2]", "E0107 1:5 JSON has no comments", "[1,2]"),
        ("[1,\u{a0}2]", "E0101 1:4 unexpected invisible character U+00A0", "[1,2]"),
        ("[1,\u{0}2]", "E0101 1:4 unexpected invisible character U+0000", "[1,2]"),
        // Strings.
        ("{\"a\":\"b,\n\"c\":1}", "E0108 1:6 the string `b` has no closing quote", r#"{"a":"b","c":1}"#),
        ("[\"a]", "E0108 1:2 the string `a]` has no closing quote", ""),
        (
            r#"["say "hi" there",1]"#,
            "E0108 1:7 a double quote inside a string is not escaped",
            r#"["say \"hi\" there",1]"#,
        ),
        ("[\"a\nb\nc\"]", "E0110 1:4 a string goes over the end of the line", r#"["a\nb\nc"]"#),
        ("[\"a\tb\"]", "E0110 1:4 control character U+0009 in a string", r#"["a\tb"]"#),
        ("[\"a\u{0}b\"]", "E0110 1:4 control character U+0000 in a string", r#"["a\u0000b"]"#),
        (r#"["\d"]"#, "E0109 1:3 `\\d` is not an escape of JSON", r#"["\\d"]"#),
        (r#"["\x41"]"#, "E0109 1:3 `\\x` is not an escape of JSON", r#"["\\x41"]"#),
        (r#"["\u12"]"#, "E0109 1:3 `\\u` is not followed by four hexadecimal digits", "[\"\u{fffd}\"]"),
        (r#"["\ud83d"]"#, "E0109 1:3 `\\ud83d` is one half of a surrogate pair", "[\"\u{fffd}\"]"),
        (r#"["\ude00a"]"#, "E0109 1:3 `\\ude00` is one half of a surrogate pair", "[\"\u{fffd}a\"]"),
        (r#"["\ud83d\u0041"]"#, "E0109 1:3 `\\ud83d` is one half of a surrogate pair", "[\"\u{fffd}A\"]"),
        // Numbers.
        ("[01]", "E0111 1:2 `01` is not a number as JSON writes it", "[1]"),
        ("[+1]", "E0111 1:2 `+1` is not a number as JSON writes it", "[1]"),
        ("[.5]", "E0111 1:2 `.5` is not a number as JSON writes it", "[0.5]"),
        ("[5.]", "E0111 1:2 `5.` is not a number as JSON writes it", "[5.0]"),
        ("[0x1F]", "E0111 1:2 `0x1F` is not a number as JSON writes it", "[31]"),
        ("[1_000]", "E0111 1:2 `1_000` is not a number as JSON writes it", "[1000]"),
        ("[NaN]", "E0111 1:2 JSON has no number `NaN`", "[null]"),
        ("[-Infinity]", "E0111 1:2 JSON has no number `-Infinity`", "[null]"),
        ("[1e999]", "E0111 1:2 the number `1e999` is out of range", "[1.7976931348623157e308]"),
        ("[9223372036854775808]", "", "[9223372036854775808.0]"),
        (
            "[12345678901234567891]",
            "W0101 1:2 the number `12345678901234567891` does not fit 64 bits and is rounded",
            "[12345678901234567000.0]",
        ),
        // Objects and brackets.
        (r#"{"a":1,"a":2}"#, "E0112 1:8 the key `a` is written twice", r#"{"a":1}"#),
        (r#"{"a":1,"\u0061":2}"#, "E0112 1:8 the key `a` is written twice", r#"{"a":1}"#),
        (r#"{"a":[1,2,"b":3}"#, "E0102 1:6 `[` is never closed", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":[1,2 "b":3}"#, "E0102 1:6 `[` is never closed", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":[1,2}"#, "E0102 1:6 `[` is never closed", r#"{"a":[1,2]}"#),
        (r#"{"a":[1,2},"b":3}"#, "E0102 1:10 `[` is closed by `}`", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a":1]}"#, "E0102 1:7 `]` closes nothing", r#"{"a":1}"#),
        (r#"{"a":1}}"#, "E0102 1:8 `}` closes nothing", r#"{"a":1}"#),
        (r#"{"a":{"b":[1"#, "E0102 1:13 the file ends before `]}}`", r#"{"a":{"b":[1]}}"#),
        (r#"{"a":1} {"b":2}"#, "E0101 1:9 the file goes on after the end of the definition", r#"{"a":1}"#),
        ("", "E0114 1:1 the file is empty", "null"),
        (" \n ", "E0114 1:1 the file is empty", "null"),
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
            "E0106 2:14 `A` is not in double quotes",
            "E0106 4:19 a string of JSON is written in straight double quotes",
            "E0103 4:39 a comma is missing here",
            "E0111 5:38 `010` is not a number as JSON writes it",
            "E0104 5:54 a comma before `}`",
            "E0109 6:37 `\\q` is not an escape of JSON",
            "E0112 6:42 the key `Cause` is written twice",
            "E0102 7:4 the file ends before `}`",
        ]
    );
}

#[test]
fn indentation_identifies_the_unclosed_bracket() {
    let text = "{\n  \"a\": {\n    \"b\": [1, 2]\n  ,\n  \"c\": 3\n}\n";
    let (_, diagnostics, sources) = read_text(text);
    let expected = "\
error[E0102]: the file ends before `}`
 --> flow.json:6:2
  |
2 |   \"a\": {
  |        - this bracket may be the one that lacks its end
...
6 | }
  |  ^ the file ends here
  | - for this, which is indented otherwise, closes it
  = help: close that bracket where it should end";
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
            diagnostics[0].starts_with("E0113")
                && diagnostics[0].ends_with("values are nested more than 128 levels deep")
        );
    }
    let diagnostics = reported(&format!("[{}1]", "1,".repeat(MAX_NODES)));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].ends_with("the definition holds more than 1048576 values"), "{diagnostics:?}");
    let diagnostics = reported(&format!("\"{}\"", "a".repeat(100_000_000)));
    assert_eq!(diagnostics, ["E0113 1:1 the definition is 100000002 bytes long; the limit is 4194304"]);
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
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.code.id.starts_with('E'));
    match serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{FEFF}')) {
        Ok(value) if !has_errors => assert!(is_same(&node, &value), "{text:?}: {node:?}"),
        Ok(_) => {
            assert!(diagnostics.iter().all(|diagnostic| diagnostic.code.id == "E0112"), "{diagnostics:?} in {text:?}")
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
