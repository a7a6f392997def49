//! Tests of the rule: each breaks one part of it.

use super::*;

/// Returns the visible items of a crate with this root and this module `inner`.
fn items(root: &str, inner: &str) -> Vec<Visible> {
    let files = [
        ("a/Cargo.toml", "[package]\nname = \"my-crate\"\n"),
        ("a/src/lib.rs", root),
        ("a/src/inner.rs", inner),
        ("a/src/inner/deep.rs", "pub struct Deep; pub(crate) struct Unseen;"),
    ];
    let files = files.map(|(name, text)| File { name: name.to_owned(), text: text.to_owned() });
    visible(&files, &["a"])
}

fn paths(root: &str, inner: &str) -> Vec<String> {
    items(root, inner).iter().map(|item| item.path.trim_start_matches("my_crate::").to_owned()).collect()
}

#[test]
fn visible_items_are_those_that_rustdoc_shows() {
    let inner = "pub mod deep; pub struct A; struct B; #[doc(hidden)] pub struct C; pub const D: u8 = 0;\n\
                 #[macro_export] macro_rules! shown { () => {} }\n\
                 #[macro_export] #[doc(hidden)] macro_rules! hidden { () => {} }\n\
                 #[cfg(test)] mod tests { pub struct T; }";
    assert_eq!(
        paths("pub mod inner;", inner),
        ["inner", "inner::A", "inner::D", "inner::deep", "inner::deep::Deep", "shown"]
    );
    assert_eq!(paths("#[doc(hidden)] pub mod inner;", inner), ["shown"]);
    assert_eq!(paths("mod inner; pub use inner::*;", inner), ["A", "D", "deep", "deep::Deep", "shown"]);
    // The items of a visible module are not shown twice.
    let prelude = "pub mod inner; pub mod prelude { pub use crate::inner; }";
    assert_eq!(paths(prelude, "pub struct A;"), ["inner", "inner::A", "prelude", "prelude::inner"]);
    let exports = "mod inner; #[doc(hidden)] pub use inner::D; pub use inner::{A, C, deep::Deep as E}; pub use x::F;\n\
                   pub mod prelude { pub use crate::{E, inner::A}; }";
    assert_eq!(paths(exports, inner), ["A", "E", "F", "prelude", "prelude::A", "prelude::E", "shown"]);
}

#[test]
fn a_new_item_and_a_missing_one_are_named() {
    let found = items("pub const A: u8 = 0; pub const B: u8 = 0;", "");
    assert!(compare(&found, "# Words.\nmy_crate::A\nmy_crate::B\n").is_empty());
    assert_eq!(
        compare(&found, "my_crate::A\nmy_crate::C\n"),
        [
            "xtask/src/tidy/api.txt: `my_crate::B` is visible, but not in the list: hide it by `#[doc(hidden)]`, or add it to the list",
            "xtask/src/tidy/api.txt: `my_crate::C` is in the list, but not visible",
        ]
    );
}

#[test]
fn a_large_root_is_named() {
    let constants = |count: usize| (0..count).map(|at| format!("pub const A{at}: u8 = 0;\n")).collect::<String>();
    for (count, is_right) in [(ROOT, true), (ROOT + 1, false)] {
        let found = items(&constants(count), "");
        let listed: String = found.iter().map(|item| format!("{}\n", item.path)).collect();
        assert_eq!(compare(&found, &listed).is_empty(), is_right, "{count}");
    }
}

#[test]
fn items_without_a_tested_example_are_named() {
    let with = |text: &str, item: &str| {
        let lines: String = text.lines().map(|line| format!("/// {line}\n")).collect();
        format!("{lines}{item}\n")
    };
    let tested = "Words.\n\n```no_run\nlet a = 1;\n```";
    let cases = [
        (with(tested, "pub struct A;"), None),
        (with("```\n```", "pub fn a() {}"), None),
        (with("```\n```", "#[macro_export] macro_rules! a { () => {} }"), None),
        (
            "#[cfg_attr(not(x), doc = \"```ignore\")]\n#[cfg_attr(x, doc = \"```\")]\n/// ```\npub trait A {}".into(),
            None,
        ),
        (with(tested, "pub struct A;") + &with("See the\nexample of [`A`].", "pub enum B {}"), None),
        ("pub type A = u8; pub mod a { pub const B: u8 = 0; }".to_owned(), None),
        (with("Words.", "pub struct A;"), Some("`A` has no example")),
        (with("Words.", "pub fn a() {}"), Some("`a` has no example")),
        (with("Words.", "#[macro_export] macro_rules! a { () => {} }"), Some("`a` has no example")),
        (with("```text\na\n```", "pub trait A {}"), Some("`A` has no example")),
        (with("```json\n{}\n```", "pub enum A {}"), Some("`A` has no example")),
        (with("```ignore\n```", "pub struct A;"), Some("`A` has an example that is not tested")),
        (with("See the example of [`B`].", "pub struct A;"), Some("`A` refers to the example of `B`, which has none")),
    ];
    for (code, expected) in cases {
        let expected: Vec<String> = expected.iter().map(|problem| format!("a/src/lib.rs: {problem}")).collect();
        assert_eq!(without_example(&items(&code, "")), expected, "{code}");
    }
}

#[test]
fn an_example_is_required_where_an_item_is_exported() {
    let inner = "pub struct A;";
    assert_eq!(without_example(&items("mod inner; pub use inner::A;", inner)), ["a/src/inner.rs: `A` has no example"]);
    assert!(without_example(&items("mod inner;", inner)).is_empty());
}
