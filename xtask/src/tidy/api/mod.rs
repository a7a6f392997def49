//! The public interface of the published crates is the list `api.txt`: what users see, and so
//! what semver covers. An item is visible if rustdoc shows it: it is `pub`, it is reachable by
//! `pub` modules and `pub use`, and neither it nor a module on the way is `#[doc(hidden)]`.
//!
//! * An item that becomes visible, or disappears, is a change of the list.
//! * A crate root has at most [`ROOT`] items.
//! * Every type, trait, macro and free function has an example that is tested: a code block of its
//!   documentation that is Rust, and not `ignore`. An item that is only used together with another
//!   one can refer to it instead, by "example of" and a link: ``See the example of [`Mocks`].``
//!   Type aliases, constants and modules need no example.
//!
//! Items that a macro writes are not seen, and items of other crates that a crate exports are
//! listed without an example.

mod crates;
mod examples;

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use crate::package::PUBLISHED;
use crates::{Crate, Visible};
use examples::Example;

/// The visible items: one path a line.
const LISTED: &str = include_str!("../api.txt");
const LIST: &str = "xtask/src/tidy/api.txt";
/// The most items in a crate root.
const ROOT: usize = 40;

/// Returns the differences from the list, the crate roots with too many items, and the items
/// without an example.
pub fn check(files: &[File]) -> Vec<String> {
    compare(&visible(files, &PUBLISHED), LISTED)
}

/// Returns the visible items of the crates in these folders.
fn visible(files: &[File], folders: &[&str]) -> Vec<Visible> {
    folders.iter().filter_map(|folder| Crate::read(files, folder)).flat_map(|found| found.visible()).collect()
}

fn compare(visible: &[Visible], listed: &str) -> Vec<String> {
    let listed: BTreeSet<&str> = listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let paths: BTreeSet<&str> = visible.iter().map(|item| &*item.path).collect();
    let new = paths.difference(&listed).map(|path| {
        format!("{LIST}: `{path}` is visible, but not in the list: hide it by `#[doc(hidden)]`, or add it to the list")
    });
    let stale = listed.difference(&paths).map(|path| format!("{LIST}: `{path}` is in the list, but not visible"));
    new.chain(stale).chain(roots(&paths)).chain(without_example(visible)).collect()
}

fn roots(paths: &BTreeSet<&str>) -> Vec<String> {
    let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
    for (root, _) in paths.iter().filter_map(|path| path.split_once("::")).filter(|(_, name)| !name.contains("::")) {
        *roots.entry(root).or_default() += 1;
    }
    let large = roots.into_iter().filter(|(_, items)| *items > ROOT);
    large.map(|(root, items)| format!("{root}: has {items} items in its root; the maximum is {ROOT}")).collect()
}

fn without_example(visible: &[Visible]) -> Vec<String> {
    let example = |item: &Visible| item.documentation.as_deref().map(examples::example_of);
    let crate_of = |path: &str| path.split("::").next().unwrap_or_default().to_owned();
    let shown: BTreeSet<(String, &str)> = visible
        .iter()
        .filter(|item| matches!(example(item), Some(Example::Tested)))
        .map(|item| (crate_of(&item.path), item.name()))
        .collect();
    let mut broken = BTreeSet::new();
    for item in visible {
        let problem = match example(item) {
            None | Some(Example::Tested) => continue,
            Some(Example::Of(name)) if shown.contains(&(crate_of(&item.path), &*name)) => continue,
            Some(Example::Of(name)) => format!("refers to the example of `{name}`, which has none"),
            Some(Example::NotTested) => "has an example that is not tested".to_owned(),
            Some(Example::None) => "has no example".to_owned(),
        };
        broken.insert(format!("{}: `{}` {problem}", item.file, item.name()));
    }
    broken.into_iter().collect()
}

#[cfg(test)]
mod tests;
