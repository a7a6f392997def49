//! Tests of the lenient JSON reader.

use super::super::{read, read_leniently};
use super::*;
use crate::codes;
use crate::diagnostics::MAX_ERRORS;
use crate::diagnostics::{Diagnostics, Severity, fixes, render};
use crate::source::{FileId, Source, Sources, Span};
use crate::syntax::limits::{MAX_DEPTH, MAX_NODES};
use crate::syntax::testing::{check_spans, flip_bytes, is_same};

fn read_text(text: &str) -> (Node, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.json", text));
    let mut diagnostics = Diagnostics::default();
    let node = read_leniently(file, text, &mut diagnostics);
    (node, diagnostics.finish(), sources)
}

/// Returns each diagnostic as `code line:column message`.
fn lines(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let line = |diagnostic: &Diagnostic| {
        let at = sources.position(diagnostic.span);
        format!("{} {}:{} {}", diagnostic.code.id, at.line, at.column, diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

fn reported(text: &str) -> Vec<String> {
    let (_, diagnostics, sources) = read_text(text);
    lines(&diagnostics, &sources)
}

fn strict(text: &str) -> (Node, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let node = read(FileId(0), text, &mut diagnostics);
    (node, diagnostics.finish())
}

/// Returns the text after all fixes, applied until none is left.
fn fix(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..20 {
        match fixes::apply(&text, FileId(0), &read_text(&text).1) {
            Some((fixed, _)) => text = fixed,
            None => return text,
        }
    }
    panic!("no end of fixes: {text:?}");
}

const EXPRESSION: &str = "the expression is not in quotes";
const LIST: &str = "the list is in braces instead of brackets";
const MEMBERS: &str = "missing braces around these members";
const QUOTES: &str = "a JSON string must be in straight double quotes";

#[test]
fn each_repair_is_one_warning() {
    for (text, place, message, fixed) in [
        // Expressions.
        ("{\"a\": ${ .b }}", "1:7", EXPRESSION, r#"{"a": "${ .b }"}"#),
        ("[1, ${.b}]", "1:5", EXPRESSION, r#"[1, "${.b}"]"#),
        ("[{\"a\": 1}, ${ .b }, 2]", "1:12", EXPRESSION, r#"[{"a": 1}, "${ .b }", 2]"#),
        ("[${ {a : .b, c: {}} }]", "1:2", EXPRESSION, r#"["${ {a : .b, c: {}} }"]"#),
        ("[${ .a | test(\"}\\\"{\") }]", "1:2", EXPRESSION, r#"["${ .a | test(\"}\\\"{\") }"]"#),
        ("[${}]", "1:2", EXPRESSION, r#"["${}"]"#),
        ("[${ \"é\t漢\" }]", "1:2", EXPRESSION, "[\"${ \\\"é\\t漢\\\" }\"]"),
        // Commas.
        ("{\"a\": 1,}", "1:8", "trailing comma before `}`", r#"{"a": 1}"#),
        ("[1, 2 , ]", "1:7", "trailing comma before `]`", "[1, 2  ]"),
        ("{\"a\": 1\n \"b\": 2}", "1:8", "missing comma", "{\"a\": 1,\n \"b\": 2}"),
        ("[\"a\" \"b\"]", "1:5", "missing comma", r#"["a", "b"]"#),
        // Quotes.
        ("{“a”: 1}", "1:2", QUOTES, r#"{"a": 1}"#),
        ("{\"a\": ”it’s”}", "1:7", QUOTES, r#"{"a": "it’s"}"#),
        // Lists.
        (r#"{ "a" }"#, "1:1", LIST, r#"[ "a" ]"#),
        (r#"{"r": {"a", "b", {"c": 1}, 2}}"#, "1:7", LIST, r#"{"r": ["a", "b", {"c": 1}, 2]}"#),
        (r#"{ [ "a", "b" ] }"#, "1:1", LIST, r#"[ [ "a", "b" ] ]"#),
        // Members.
        (r#""a": {"b": 1}"#, "1:1", MEMBERS, "{\n\"a\": {\"b\": 1}\n}"),
        ("\u{feff} \"a\": 1,\n\"b\": []\n", "1:3", MEMBERS, "\u{feff} {\n\"a\": 1,\n\"b\": []\n}\n"),
        ("\"a\": 1,\r\n\"b\": 2\r\n", "1:1", MEMBERS, "{\r\n\"a\": 1,\r\n\"b\": 2\r\n}\r\n"),
    ] {
        assert_eq!(reported(text), [format!("WF0152 {place} {message}")], "{text:?}");
        assert_eq!(fix(text), fixed, "{text:?}");
        check_fixed(text);
    }
}

#[test]
fn repairs_are_combined() {
    let text = "\
“sleep”: { \"before\": “PT1M” }
\"filter\": {
  \"input\": ${ {user : .data} }
  \"output\": ${ {data: .customer} },
},
\"messageRef\": { “sent”, ${ .more }, },
";
    let expected = [
        "WF0152 1:1 a JSON string must be in straight double quotes",
        "WF0152 1:1 missing braces around these members",
        "WF0152 1:22 a JSON string must be in straight double quotes",
        "WF0152 1:30 missing comma",
        "WF0152 3:12 the expression is not in quotes",
        "WF0152 3:31 missing comma",
        "WF0152 4:13 the expression is not in quotes",
        "WF0152 4:35 trailing comma before `}`",
        "WF0152 6:15 the list is in braces instead of brackets",
        "WF0152 6:17 a JSON string must be in straight double quotes",
        "WF0152 6:25 the expression is not in quotes",
        "WF0152 6:35 trailing comma before `}`",
        "WF0152 6:38 trailing comma before the end",
    ];
    assert_eq!(reported(text), expected);
    let fixed = r#"{
"sleep": { "before": "PT1M" },
"filter": {
  "input": "${ {user : .data} }",
  "output": "${ {data: .customer} }"
},
"messageRef": [ "sent", "${ .more }" ]
}
"#;
    assert_eq!(fix(text), fixed);
    check_fixed(text);
}

#[test]
fn a_repair_is_shown_with_what_to_write() {
    let (_, diagnostics, sources) = read_text("{\n  \"input\": ${ {\"user\": .data} }\n}");
    let expected = "\
warning[WF0152]: the expression is not in quotes
 --> flow.json:2:12
  |
2 |   \"input\": ${ {\"user\": .data} }
  |            ^^^^^^^^^^^^^^^^^^^^
  = help: write `\"${ {\\\"user\\\": .data} }\"`";
    assert_eq!(render::render(&diagnostics[0], &sources, false), expected);
}

#[test]
fn spans_refer_to_the_source() {
    let text = "{\"a\": ${ .b | “é”.c }, “d”: “ef”}";
    let (node, _, sources) = read_text(text);
    let value = node.get("a").and_then(Node::as_text).unwrap();
    assert_eq!((value.value.as_str(), value.is_plain()), ("${ .b | “é”.c }", true));
    let start = value.value.find(".c").unwrap();
    assert_eq!(sources.text(value.span_of(start, start + 2)), ".c");
    let entry = node.entry("d").unwrap();
    assert_eq!((sources.text(entry.key.span), sources.text(entry.value.span)), ("“d”", "“ef”"));
    let value = entry.value.as_text().unwrap();
    assert_eq!(sources.text(value.span_of(1, 2)), "f");
    assert_eq!(sources.text(node.span), text);

    let (node, _, sources) = read_text(" \"a\": [1, { \"b\" } ],\n");
    assert_eq!(sources.text(node.span), "\"a\": [1, { \"b\" } ],");
    let list = &node.get("a").and_then(Node::as_array).unwrap()[1];
    assert_eq!((sources.text(list.span), list.kind()), ("{ \"b\" }", "an array"));
}

#[test]
fn all_else_stays_an_error() {
    for (text, errors) in [
        // Brackets, including two truncated examples.
        ("\"a\": {\n  \"b\": {}\n]]\n}", &["WF0102 3:1 unmatched `]`", "WF0102 3:2 unmatched `]`"][..]),
        ("\"a\": {}\n]]\n}", &["WF0102 2:1 unmatched `]`", "WF0102 2:2 unmatched `]`", "WF0102 3:1 unmatched `}`"]),
        ("{\"a\": [{\n \"b\": {}\n ]\n}]\n}", &["WF0102 1:8 `{` is never closed", "WF0102 4:2 unmatched `]`"]),
        ("{\"a\": [1}", &["WF0102 1:7 `[` is never closed"]),
        ("{\"a\": {\"b\": 1}", &["WF0102 1:15 the file ends before `}`"]),
        ("\"a\": [1, 2", &["WF0102 1:11 the file ends before `]`"]),
        ("\"a\": [1, \"b\": 2", &["WF0102 1:6 `[` is never closed"]),
        ("{\"a\": { \"b\" ", &["WF0105 1:9 the key `b` has no value", "WF0102 1:12 the file ends before `}}`"]),
        ("[{\"a\", {\"k\": 1}]", &["WF0102 1:2 `{` is never closed"]),
        // Quotes.
        ("{'a': 'b'}", &["WF0106 1:2 ", "WF0106 1:7 "]),
        ("[‘a’, «b», `c`]", &["WF0106 1:2 ", "WF0106 1:7 ", "WF0106 1:12 "]),
        ("{a: 1}", &["WF0106 1:2 `a` is not in double quotes"]),
        ("{\"a\": b}", &["WF0106 1:7 `b` is not in double quotes"]),
        ("[“a\\n”]", &["WF0106 1:2 "]),
        ("[“a \"b\" c”]", &["WF0106 1:2 "]),
        ("[“a\tb”]", &["WF0106 1:2 "]),
        ("[“a]", &["WF0106 1:2 "]),
        ("[\"a]", &["WF0108 1:2 the string `a]` has no closing quote", "WF0102 1:5 "]),
        // Expressions.
        ("{\"a\": ${ {b: .c }}", &["WF0102 1:19 the file ends before `}`"]),
        (
            "{\"a\": ${ .b\n}, \"c\": 1}",
            &["WF0102 1:7 unclosed expression: no `}` on this line", "WF0101 2:2 unexpected text after the end"],
        ),
        ("{\"a\": ${ \"}\n}", &["WF0102 1:7 unclosed expression: no `}` on this line"]),
        ("{${ .a }: 1}", &["WF0106 1:2 the expression is not in quotes"]),
        ("{\"a\": $.b}", &["WF0106 1:7 `$.b` is not in double quotes"]),
        (
            "{\"a\": ${ .b } c}",
            &[
                "WF0103 1:14 missing comma",
                "WF0106 1:15 `c` is not in double quotes",
                "WF0105 1:15 the key `c` has no value",
            ],
        ),
        // Commas and colons.
        ("[,1]", &["WF0104 1:2 missing value before this comma"]),
        ("[1,,2]", &["WF0104 1:4 missing value before this comma"]),
        ("{\"a\": 1; \"b\": 2}", &["WF0103 1:8 unexpected `;` between two values"]),
        ("{\"a\": {} {}}", &["WF0101 1:10 expected `,` or `}`"]),
        ("{\"a\" 1}", &["WF0105 1:5 the key `a` is not followed by a colon"]),
        ("{\"a\" \"b\"}", &["WF0105 1:5 the key `a` is not followed by a colon"]),
        ("{\"a\": }", &["WF0101 1:7 expected a value"]),
        // Lists in braces.
        ("{1, 2}", &["WF0106 1:2 the key `1` is not in double quotes", "WF0105 1:2 ", "WF0106 1:5 ", "WF0105 1:5 "]),
        ("{\"x\": {\"a\", \"b\": 1}}", &["WF0101 1:16 unexpected colon inside an array"]),
        ("{\"a\", {\"b\"}}", &["WF0105 1:8 the key `b` has no value"]),
        ("{\"a\": 1, \"b\"}", &["WF0105 1:10 the key `b` has no value"]),
        // The rest.
        ("{\"a\": 1} // b", &["WF0107 1:10 JSON has no comments"]),
        ("{ # b\n}", &["WF0107 1:3 JSON has no comments"]),
        ("{\"a\": True}", &["WF0106 1:7 `True` is not a JSON literal"]),
        ("{\"a\": 01}", &["WF0111 1:7 "]),
        ("\"a\": 1, \"a\": 2", &["WF0112 1:9 duplicate key `a`"]),
        ("{\"a\": 1}, {\"b\": 2}", &["WF0101 1:9 unexpected text after the end of the definition"]),
        ("", &["WF0114 1:1 the file is empty"]),
    ] {
        let diagnostics = reported(text);
        let diagnostics: Vec<&String> = diagnostics.iter().filter(|line| codes::is_error(line)).collect();
        assert_eq!(diagnostics.len(), errors.len(), "{text:?}: {diagnostics:?}");
        for error in errors {
            assert!(diagnostics.iter().any(|line| line.starts_with(error)), "{text:?}: {diagnostics:?}");
        }
        assert!(strict(text).1.iter().any(|diagnostic| diagnostic.severity() == Severity::Error), "{text:?}");
    }
}

#[test]
fn truncated_texts_and_uncertain_lists_have_no_fix() {
    for (text, kept) in [
        // Something other than the outer braces may be missing.
        ("\"a\": {}\n]", "\"a\": {}\n]"),
        ("{\"x\": {\"a\", \"b\": 1}}", "{\"x\": {\"a\", \"b\": 1}}"),
        // A comma or a colon may be missing.
        ("{\"a\" \"b\"}", "{\"a\" \"b\"}"),
        ("[“a\\n”]", "[“a\\n”]"),
        // A truncated expression, with and without the comma after it.
        ("{ \"input\": ${ {user: .data},\n \"output\": \"\" }", "{ \"input\": ${ {user: .data},\n \"output\": \"\" }"),
        ("[${ {a: .b}\n \"c\"]", "[${ {a: .b}\n \"c\"]"),
        ("[\"c\" ${ {a: .b}\n]", "[\"c\" ${ {a: .b}\n]"),
        // A list, or keys without values.
        ("{\"e\":{1,2}}", "{\"e\":{1,2}}"),
        ("{1 2}", "{1 2}"),
        ("{a, b}", "{a, b}"),
        ("{ true }", "{ true }"),
        ("{ ${ .a } }", "{ ${ .a } }"),
        ("{ \"a\", b }", "{ \"a\", b }"),
        // Two values, or one.
        ("{\"operation\":${ .a }/b}", "{\"operation\":${ .a }/b}"),
        ("[${ .a } b]", "[${ .a } b]"),
        ("[“A” B”]", "[“A” B”]"),
        ("{\"a\": “A” B”}", "{\"a\": “A” B”}"),
        ("[\"a\"\"b\"]", "[\"a\"\"b\"]"),
        ("[\"a\" b]", "[\"a\" b]"),
        ("[1 b]", "[1 b]"),
        // Certain fixes are applied.
        ("{a: 1\n b: {'c'\n \"d\"}}", "{\"a\": 1,\n \"b\": {\"c\"\n \"d\"}}"),
        ("{\"a\" [b\n 'c']}", "{\"a\": [\"b\",\n \"c\"]}"),
        ("{ 'a', 'b' }", "[ \"a\", \"b\" ]"),
        ("\"a\": {\"b\": ${ .c }]\n", "\"a\": {\"b\": \"${ .c }\"]\n"),
    ] {
        assert_eq!(fix(text), kept);
    }
}

#[test]
fn valid_json_is_read_as_json() {
    for text in [
        "null",
        "\"${ .a }\"",
        r#"{"a": {}, "b": [], "“c”": "${ .d } { \"e\" }"}"#,
        "[1, -2.5, true, {\"a\": [[]]}]",
        "\u{feff}{\"a\": 1}",
    ] {
        let (node, diagnostics, _) = read_text(text);
        assert_eq!((node, diagnostics), (strict(text).0, vec![]), "{text}");
    }
}

#[test]
fn strict_reading_corrects_nothing() {
    for text in ["{\"a\": ${ .b }}", "[1,]", "[1 2]", "[“a”]", r#"{ "a" }"#, r#"{ [ "a" ] }"#, r#""a": 1"#, "\"a\": 1,"]
    {
        let (_, diagnostics) = strict(text);
        assert!(
            diagnostics.iter().all(|diagnostic| diagnostic.severity() == Severity::Error),
            "{text}: {diagnostics:?}"
        );
        assert!(!diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn limits_hold() {
    let nested =
        |before: &str, depth: usize, after: &str| format!("{before}{}{}{after}", "[".repeat(depth), "]".repeat(depth));
    let too_deep = |text: &str| {
        let diagnostics = reported(text);
        assert!(diagnostics.iter().any(|line| line.ends_with("nested more than 128 levels deep")), "{diagnostics:?}");
    };
    // The missing braces count as a level.
    assert_eq!(reported(&nested("\"a\": ", MAX_DEPTH - 1, "")), [format!("WF0152 1:1 {MEMBERS}")]);
    too_deep(&nested("\"a\": ", MAX_DEPTH, ""));
    assert_eq!(reported(&nested("{", MAX_DEPTH - 1, "}")), [format!("WF0152 1:1 {LIST}")]);
    for text in [nested("\"a\": ", MAX_DEPTH - 1, ""), nested("{", MAX_DEPTH - 1, "}")] {
        assert_eq!(strict(&fix(&text)).1, []);
    }
    too_deep(&nested("{", MAX_DEPTH, "}"));
    for text in ["{[".repeat(10_000), "\"a\":{".repeat(10_000)] {
        too_deep(&text);
    }
    // A list in braces contains no other list in braces.
    for text in ["{\"a\",".repeat(10_000), "{\"a\":{\"b\",".repeat(10_000)] {
        assert_eq!(reported(&text).len(), MAX_ERRORS + 1);
    }
    let diagnostics = reported(&format!("{{{}\"a\"}}", "\"\",".repeat(MAX_NODES)));
    assert!(
        diagnostics.iter().any(|line| line.ends_with("the definition holds more than 1048576 values")),
        "{diagnostics:?}"
    );
    let diagnostics = reported(&format!("\"a\":\"{}\"", "a".repeat(100_000_000)));
    assert_eq!(diagnostics, ["WF0113 1:1 the definition is 100000006 bytes long, but the limit is 4194304 bytes"]);
    // The parsed tree does not depend on the number of diagnostics that are reported.
    let text = format!("[{}]", "${ .a } ".repeat(10_000));
    let (node, diagnostics, _) = read_text(&text);
    assert_eq!((node.as_array().map(<[_]>::len), diagnostics.len()), (Some(10_000), MAX_ERRORS));
    let diagnostics = reported(&format!("[{}]", "'a',".repeat(1_000)));
    assert_eq!(diagnostics.len(), MAX_ERRORS + 1);
}

#[test]
fn large_texts_take_little_time() {
    let large = 1 << 20;
    for text in [
        format!("[{}]", "${".repeat(large / 2)),
        format!("[${{{}]", "\"{".repeat(large / 2)),
        format!("[{}", "${\n".repeat(large / 2)),
        format!("[{}]", "${}".repeat(large / 3)),
        format!("[{}]", "{\"a\"}".repeat(large / 5)),
        format!("{{{}}}", "[[],[],[]],".repeat(large / 12)),
        "{[".repeat(large / 2),
        format!("{}{}", "{\"a\",[".repeat(60), "0,".repeat(large)),
        "\"a\":1 ".repeat(large / 6),
        "“a”:".repeat(large / 8),
        format!("[{}]", "“a”,".repeat(large / 8)),
        "“".repeat(large / 3),
        "{“a”,".repeat(large / 9),
    ] {
        read_text(&text);
    }
}

const SAMPLE: &str = r#"“id”: "ünïcode \u00e9 😀", "n": [1.5e1, null true false],
"activities": [
  { "type": "operation", "filter": { "input": ${ {user : .data, "é": 1} }, "output": ${ .x }, }
    "messageRef": { "sent", [ “a”, ${ {} } ], {"k": {}} }, },
  {},
]
"#;

/// Asserts that the fixed text is JSON with the same meaning.
fn check_fixed(text: &str) {
    let (node, diagnostics, _) = read_text(text);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.code.id == "WF0152"), "{text:?}: {diagnostics:?}");
    let fixed = fix(text);
    let value: serde_json::Value = serde_json::from_str(fixed.trim_start_matches('\u{FEFF}')).unwrap();
    assert!(is_same(&node, &value), "{text:?}: {node:?}, {fixed:?}");
    assert_eq!(strict(&fixed).1, [], "{fixed:?}");
}

/// Asserts that spans lie within the text and at character boundaries, and that a leniently
/// accepted text is JSON once its fixes are applied.
fn check_sanity(text: &str) {
    let (node, diagnostics, sources) = read_text(text);
    check_spans(&node, text);
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for diagnostic in &diagnostics {
        assert!(
            is_place(diagnostic.span) && diagnostic.related.iter().all(|(span, _)| is_place(*span)),
            "{diagnostic:?} in {text:?}"
        );
        assert!(diagnostic.fix.iter().all(|(span, _)| is_place(*span)), "{diagnostic:?} in {text:?}");
        render::render(diagnostic, &sources, true);
    }
    if diagnostics.iter().all(|diagnostic| diagnostic.code.id == "WF0152") {
        check_fixed(text);
    }
    // A missing token is not inserted again and again.
    fix(text);
    // Valid JSON needs no fix.
    if strict(text).1.is_empty() {
        assert_eq!(diagnostics, [], "{text:?}");
    }
}

#[test]
fn truncated_at_every_byte() {
    check_fixed(SAMPLE);
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
