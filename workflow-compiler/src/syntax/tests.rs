//! Tests of both readers.

use super::*;
use crate::Options;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "yaml")]
use crate::diagnostics::render;
use crate::dialects;
use crate::source::Source;

#[test]
fn the_format_is_chosen_by_name() {
    for (name, text, expected) in [
        ("a.json", "a: 1", Format::Json),
        ("a.asl.json", "", Format::Json),
        ("dir.yaml/A.JSON", "", Format::Json),
        ("a.yaml", "{}", Format::Yaml),
        ("a.sw.yml", "{}", Format::Yaml),
        ("a.YML", "{}", Format::Yaml),
        ("a.asl", "\u{FEFF}\n  {}", Format::Json),
        ("a", "{", Format::Json),
        ("json", "a: {}", Format::Yaml),
        ("a.json/b", "# {", Format::Yaml),
        ("dir\\a.json.txt", "[1]", Format::Yaml),
        ("", "", Format::Yaml),
    ] {
        assert_eq!(format_of(name, text), expected, "{name}: {text}");
    }
}

#[test]
fn one_file_of_several_is_read() {
    let mut sources = Sources::default();
    sources.add(Source::new("a.json", "{\"a\": 1"));
    let file = sources.add(Source::new("b.json", "{\"b\": [2,]}"));
    let mut diagnostics = Diagnostics::default();
    let node = read(file, &sources, &mut diagnostics);
    assert_eq!(sources.text(node.span), "{\"b\": [2,]}");
    let diagnostics = diagnostics.finish();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!((diagnostics[0].span.file, sources.text(diagnostics[0].span)), (file, ","));
}

#[test]
fn accessors_depend_on_the_kind_of_a_node() {
    let (node, _, _) = read_definition("flow.json", r#"{"a": [1, "b", null, true, 1.5], "c": {}}"#);
    let items = node.get("a").and_then(Node::as_array).unwrap();
    let kinds: Vec<&str> = items.iter().map(Node::kind).collect();
    assert_eq!(kinds, ["a number", "a string", "null", "a boolean", "a number"]);
    assert_eq!((node.kind(), node.get("a").map(Node::kind)), ("an object", Some("an array")));
    assert_eq!(items[1].as_text().map(|text| text.value.as_str()), Some("b"));
    assert!(node.get("b").is_none() && items[0].get("a").is_none() && items[0].as_text().is_none());
    assert_eq!(node.entry("c").map(|entry| entry.key.value.as_str()), Some("c"));
}

fn read_definition(name: &str, text: &str) -> (Node, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text));
    let mut diagnostics = Diagnostics::default();
    let mut node = read(file, &sources, &mut diagnostics);
    // The compiler falls back in the same way.
    let mut lenient_diagnostics = Diagnostics::default();
    if let Some(lenient) = read_leniently(file, &sources, &mut lenient_diagnostics)
        && diagnostics.has_errors()
        && dialects::is_lenient(&lenient, name, &Options::default())
    {
        (node, diagnostics) = (lenient, lenient_diagnostics);
    }
    dialects::detect(&node, name, &mut diagnostics);
    (node, diagnostics.finish(), sources)
}

/// Returns the code blocks of an explanation, each with its language.
#[cfg(feature = "yaml")]
fn examples(explanation: &str) -> Vec<(&str, &str)> {
    let blocks = explanation.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.split_once('\n')).collect()
}

#[test]
#[cfg(feature = "yaml")]
fn each_explanation_shows_a_bad_example_and_a_good_one() {
    for code in crate::diagnostics::codes::syntax::ALL {
        let examples = examples(code.explanation);
        let [(language, bad), (same_language, good), ..] = examples[..] else { panic!("{}: {examples:?}", code.id) };
        assert_eq!(language, same_language);
        if language == "toml" {
            continue;
        }
        let name = format!("flow.{language}");
        let (_, diagnostics, sources) = read_definition(&name, bad);
        let shown: Vec<String> =
            diagnostics.iter().map(|diagnostic| render::render(diagnostic, &sources, false)).collect();
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.code == *code), "{}: {}", code.id, shown.join("\n"));
        let (_, mut diagnostics, sources) = read_definition(&name, good);
        // The only dialect with lenient JSON may be disabled.
        diagnostics.retain(|diagnostic| code.id != "WF0152" || diagnostic.code.id != "WF0132");
        let shown: Vec<String> =
            diagnostics.iter().map(|diagnostic| render::render(diagnostic, &sources, false)).collect();
        assert_eq!(shown, Vec::<String>::new(), "{}", code.id);
    }
}

#[test]
#[cfg(not(feature = "yaml"))]
fn without_yaml_a_yaml_file_is_refused() {
    let (node, diagnostics, _) = read_definition("flow.yaml", "a: 1");
    assert_eq!(node.tree, Tree::Null);
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect::<Vec<_>>(), ["WF0132"]);
}
