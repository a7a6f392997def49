//! Tests of the rendering of diagnostics.

use super::*;
use crate::diagnostics::codes::syntax::{WF0112, WF0151};
use crate::source::Source;

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(Source::new("order.asl.json", text));
    sources
}

/// The place of the first occurrence of `words`.
fn at(text: &str, words: &str) -> Span {
    let start = text.find(words).expect("the words occur");
    Span::new(FileId(0), start, start + words.len())
}

fn check(text: &str, diagnostic: &Diagnostic, expected: &str) {
    assert_eq!(render(diagnostic, &sources(text), false), expected, "\n{}", render(diagnostic, &sources(text), false));
}

/// A finding about `words`, shown with `label`.
fn show(text: &str, words: &str, label: &str, expected: &str) {
    check(text, &Diagnostic::new(&WF0112, at(text, words), "message").label(label), expected);
}

#[test]
fn as_rustc_shows_its_own() {
    let text = format!("{}    \"Next\": \"Notfiy\"\n  }}\n}}\n", "\n".repeat(13));
    let diagnostic = Diagnostic::new(&WF0112, at(&text, "\"Notfiy\""), "state `Notfiy` does not exist")
        .label("not found in this scope")
        .help("did you mean `Notify`?");
    check(
        &text,
        &diagnostic,
        "\
error[WF0112]: state `Notfiy` does not exist
  --> order.asl.json:14:13
   |
14 |     \"Next\": \"Notfiy\"
   |             ^^^^^^^^ not found in this scope
   = help: did you mean `Notify`?",
    );
    assert_eq!(render_argument(&diagnostic), "WF0112: state `Notfiy` does not exist\n= help: did you mean `Notify`?");
}

#[test]
fn without_label_and_help() {
    let text = "{\"a\": 1}";
    check(
        text,
        &Diagnostic::new(&WF0151, at(text, "1"), "message"),
        "\
warning[WF0151]: message
 --> order.asl.json:1:7
  |
1 | {\"a\": 1}
  |       ^",
    );
}

#[test]
fn colours() {
    let text = "{\"a\": 1}";
    let diagnostic = Diagnostic::new(&WF0151, at(text, "1"), "message")
        .label("here")
        .related(at(text, "\"a\""), "there")
        .help("mend");
    let expected = "\
\u{1b}[1;33mwarning[WF0151]\u{1b}[0m\u{1b}[1m: message\u{1b}[0m
 \u{1b}[1;34m-->\u{1b}[0m order.asl.json:1:7
  \u{1b}[1;34m|\u{1b}[0m
\u{1b}[1;34m1 |\u{1b}[0m {\"a\": 1}
  \u{1b}[1;34m|\u{1b}[0m       \u{1b}[1;33m^ here\u{1b}[0m
  \u{1b}[1;34m|\u{1b}[0m  \u{1b}[1;34m--- there\u{1b}[0m
  \u{1b}[1;34m=\u{1b}[0m \u{1b}[1mhelp\u{1b}[0m: mend";
    assert_eq!(render(&diagnostic, &sources(text), true), expected);
}

#[test]
fn related_places() {
    let text = "first\nsecond\nthird\nfourth\nfifth\nsixth\nseventh\neighth\nninth\ntenth\n";
    let related = |words| (at(text, words), format!("about {words}"));
    let mut diagnostic = Diagnostic::new(&WF0112, at(text, "tenth"), "message").label("here");
    diagnostic.related = vec![related("first"), related("third"), related("fourth"), related("eighth")];
    check(
        text,
        &diagnostic,
        "\
error[WF0112]: message
  --> order.asl.json:10:1
   |
 1 | first
   | ----- about first
 2 | second
 3 | third
   | ----- about third
 4 | fourth
   | ------ about fourth
...
 8 | eighth
   | ------ about eighth
 9 | ninth
10 | tenth
   | ^^^^^ here",
    );
}

#[test]
fn related_places_in_other_files() {
    let mut sources = sources("one\n");
    let other = sources.add(Source::new("other.yaml", "two\n\nthree\n"));
    let diagnostic = Diagnostic::new(&WF0112, Span::new(FileId(0), 0, 3), "message")
        .related(Span::new(other, 5, 10), "there")
        .related(Span::new(other, 0, 3), "and there");
    assert_eq!(
        render(&diagnostic, &sources, false),
        "\
error[WF0112]: message
 --> order.asl.json:1:1
  |
1 | one
  | ^^^
 ::: other.yaml:1:1
  |
1 | two
  | --- and there
2 |
3 | three
  | ----- there"
    );
}

#[test]
fn wide_and_combining_characters_and_tabs() {
    show(
        "\t漢字 e\u{301}😀 \"x\"\t\"Notfiy\"",
        "\"Notfiy\"",
        "here",
        "\
error[WF0112]: message
 --> order.asl.json:1:13
  |
1 |     漢字 e\u{301}😀 \"x\"    \"Notfiy\"
  |                     ^^^^^^^^ here",
    );
    show(
        "\"漢\tx\"",
        "漢\tx",
        "here",
        "\
error[WF0112]: message
 --> order.asl.json:1:2
  |
1 | \"漢    x\"
  |  ^^^^^^^ here",
    );
}

#[test]
fn line_ends() {
    show(
        "one\r\ntwo\r\nthree",
        "two",
        "here",
        "\
error[WF0112]: message
 --> order.asl.json:2:1
  |
2 | two
  | ^^^ here",
    );
    // A span that covers the line break is about the line that it ends.
    show(
        "one\r\ntwo\r\nthree",
        "two\r\n",
        "here",
        "\
error[WF0112]: message
 --> order.asl.json:2:1
  |
2 | two
  | ^^^ here",
    );
}

#[test]
fn several_lines() {
    show(
        "{\n  \"A\": {\n    \"b\": 1,\n    \"c\": 2\n  },\n}",
        "{\n    \"b\": 1,\n    \"c\": 2\n  }",
        "this state",
        "\
error[WF0112]: message
 --> order.asl.json:2:8
  |
2 |   \"A\": {
  |        ^ this state
...
5 |   },
  |   ^",
    );
    show(
        "[1,\n   22]",
        "1,\n   2",
        "these",
        "\
error[WF0112]: message
 --> order.asl.json:1:2
  |
1 | [1,
  |  ^^ these
2 |    22]
  |    ^",
    );
}

#[test]
fn ends_of_files() {
    for (text, start, expected) in [
        ("", 0, " --> order.asl.json:1:1\n  |\n1 |\n  | ^ here"),
        ("ab", 2, " --> order.asl.json:1:3\n  |\n1 | ab\n  |   ^ here"),
        ("ab\n", 3, " --> order.asl.json:2:1\n  |\n2 |\n  | ^ here"),
        ("ab\n", 2, " --> order.asl.json:1:3\n  |\n1 | ab\n  |   ^ here"),
    ] {
        let diagnostic = Diagnostic::new(&WF0112, Span::new(FileId(0), start, start), "message").label("here");
        check(text, &diagnostic, &format!("error[WF0112]: message\n{expected}"));
    }
}

#[test]
fn places_that_do_not_exist_do_no_harm() {
    for (text, start, end) in [("é", 1, 1), ("é\né", 1, 4), ("ab", 7, 9), ("", 3, 3), ("ab\ncd", 4, 1)] {
        let span = Span::new(FileId(0), start, end);
        let diagnostic = Diagnostic::new(&WF0112, span, "message").related(span, "related");
        assert!(render(&diagnostic, &sources(text), true).contains("message"));
    }
}

#[test]
fn long_lines_are_cut_around_the_caret() {
    let text = format!("{{{}\"Notfiy\"{}}}", "\"a\": 1, ".repeat(100), ", \"b\": 2".repeat(100));
    let expected = format!(
        "\
error[WF0112]: message
 --> order.asl.json:1:802
  |
1 | ...{}\"Notfiy\"{}...
  |    {}^^^^^^^^ here",
        "\"a\": 1, ".repeat(5),
        ", \"b\": 2".repeat(9),
        " ".repeat(40),
    );
    show(&text, "\"Notfiy\"", "here", &expected);

    let text = format!("\"{}\"", "a".repeat(1_000));
    let expected = format!(
        "\
error[WF0112]: message
 --> order.asl.json:1:1
  |
1 | \"{}...
  | {} all",
        "a".repeat(119),
        "^".repeat(120),
    );
    show(&text, &text, "all", &expected);

    // Places outside what is shown are marked at its edges.
    let text = format!("\"first\"{}\"second\"", " ".repeat(10_000_000));
    let diagnostic =
        Diagnostic::new(&WF0112, at(&text, "\"second\""), "message").related(at(&text, "\"first\""), "first");
    let expected = format!(
        "\
error[WF0112]: message
 --> order.asl.json:1:10000008
  |
1 | ...{0}\"second\"
  |    {0}^^^^^^^^
  |    - first",
        " ".repeat(40),
    );
    check(&text, &diagnostic, &expected);
}

#[test]
fn a_definition_cannot_disturb_the_terminal() {
    let text = "\"a\u{1b}[31m\u{202E}b\u{7}\"";
    let diagnostic = Diagnostic::new(&WF0112, at(text, "b"), "`a\u{1b}[0m\nb`").label("\u{9b}1m").help("\u{2066}x\ty");
    check(
        text,
        &diagnostic,
        "\
error[WF0112]: `a\u{fffd}[0m b`
 --> order.asl.json:1:9
  |
1 | \"a\u{fffd}[31m\u{fffd}b\u{fffd}\"
  |         ^ \u{fffd}1m
  = help: \u{fffd}x y",
    );
}

/// Columns are those of what is shown: a replacement takes one, whatever it stands for.
#[test]
fn what_shows_nothing_is_shown() {
    for c in ['\u{61c}', '\u{200b}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{ad}', '\u{e0041}', '\u{3164}', '\u{200d}']
    {
        let text = format!("\"a{c}\": \"b\"");
        let label = format!("after{c}it");
        let diagnostic = Diagnostic::new(&WF0112, at(&text, "b"), format!("`a{c}`")).label(&label).help("h");
        let expected = "\
error[WF0112]: `a\u{fffd}`
 --> order.asl.json:1:8
  |
1 | \"a\u{fffd}\": \"b\"
  |        ^ after\u{fffd}it
  = help: h";
        check(&text, &diagnostic, expected);
    }
}
