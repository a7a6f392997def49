//! Tests of mutated documents. Each mutation is reported or has no effect.

use super::calls::BODY;
use super::requests::{THREE, TWO};
use super::{read, with};
use crate::diagnostics::Diagnostics;
use crate::source::{Source, Sources};
use crate::syntax::{self, Node, Tree};

/// The replacements of a value.
const OTHERS: [&str; 7] = ["null", "7", "\"x\"", "[]", "{}", "[[1]]", r##"{"$ref": "#/paths"}"##];

fn places(node: &Node, found: &mut Vec<(usize, usize)>) {
    found.push((node.span.start as usize, node.span.end as usize));
    match &node.tree {
        Tree::Array(items) => items.iter().for_each(|item| places(item, found)),
        Tree::Object(entries) => entries.iter().for_each(|entry| places(&entry.value, found)),
        _ => {}
    }
}

fn mutated(name: &str, text: &str, ids: &[&str], arguments: &str) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text));
    let tree = syntax::read(file, &sources, &mut Diagnostics::default());
    let mut found = Vec::new();
    places(&tree, &mut found);
    assert!(found.len() > 30, "there is something to change");
    for (start, end) in found {
        for other in OTHERS {
            let changed = format!("{}{other}{}", &text[..start], &text[end..]);
            for id in ids {
                let read = read(&[(name, &changed)], &format!("{name}#{id}"), Some(arguments));
                assert!(
                    read.described.is_some() || !read.messages.is_empty(),
                    "{id} is refused without a word: {other} for {}",
                    &text[start..end]
                );
                assert!(read.messages.iter().all(|found| !found.ends_with("NO HELP")), "{:?}", read.messages);
            }
        }
    }
}

#[test]
fn of_version_3() {
    mutated("api.json", THREE, &["search", "replace", "form"], r#"{"kind": "a", "d": {}, "body": {}}"#);
    mutated("api.json", &with(BODY), &["op"], r#"{"id": "a", "limit": 10, "amount": 1, "tree": {"left": {}}}"#);
}

#[test]
fn of_version_2() {
    // JSON cannot replace every YAML value at the start of a line. An unreadable document is
    // reported, too.
    mutated("api.yaml", TWO, &["charge", "charges", "login"], r#"{"account": "a", "amount": 1, "user": "b"}"#);
}
