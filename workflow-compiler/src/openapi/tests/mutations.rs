//! Documents in which something is not what it should be: whatever it is, it is told or makes no difference.

use super::calls::BODY;
use super::requests::{THREE, TWO};
use super::{read, with};
use crate::diagnostics::Diagnostics;
use crate::source::{Source, Sources};
use crate::syntax::{self, Node, Tree};

/// What stands in the place of a value.
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
                    read.described.is_some() || !read.findings.is_empty(),
                    "{id} is refused without a word: {other} for {}",
                    &text[start..end]
                );
                assert!(read.findings.iter().all(|found| !found.ends_with("NO HELP")), "{:?}", read.findings);
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
    // Values of YAML that begin a line cannot be replaced by those of JSON everywhere; what cannot be read is told, too.
    mutated("api.yaml", TWO, &["charge", "charges", "login"], r#"{"account": "a", "amount": 1, "user": "b"}"#);
}
