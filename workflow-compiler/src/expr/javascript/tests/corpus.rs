//! A test of functions from public repositories, if they are available.

use super::read_text;
use crate::diagnostics::Diagnostics;
use crate::source::{Source, Sources};
use crate::syntax::{self, Tree};
use std::path::Path;

/// The possible locations: beside the repository, or beside the folder of its worktrees.
const PLACES: [&str; 2] = ["../../shared", "../../../shared"];

#[test]
fn functions_in_the_wild_are_translated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = |place: &&str| root.join(place).join("corpus/composer/js_functions.json");
    let Some(path) = PLACES.iter().map(file).find(|path| path.is_file()) else { return };
    let mut sources = Sources::default();
    let file = sources.add(Source::new("js_functions.json", std::fs::read_to_string(path).unwrap()));
    let root = syntax::read(file, &sources, &mut Diagnostics::default());
    let mut counts = std::collections::BTreeMap::new();
    for function in root.as_array().unwrap() {
        let text = |key| match function.get(key).map(|node| &node.tree) {
            Some(Tree::String(text)) => text.value.clone(),
            other => panic!("{other:?}"),
        };
        let (source, tier) = (text("src"), text("tier"));
        let (script, found) = read_text(&source, &[]);
        let why = script.map_or_else(|| format!("{found:?}"), |script| script.engine.unwrap_or_default());
        assert!(why.is_empty() || tier == "C", "{source}\n{why}");
        *counts.entry(tier).or_insert(0) += usize::from(why.is_empty());
    }
    // The others pass on promises, use `eval`, or are incomplete.
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("A".into(), 179), ("B".into(), 31), ("C".into(), 9)]);
}
