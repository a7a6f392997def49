//! Public types of one crate have different names, so that a name in a message or in a search is
//! unambiguous.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use super::source::code;

/// Types that may share a name: one `crate Name — reason` a line. Types of the dialects' syntax
/// trees may share a name if they are one concept in several languages.
const ALLOWED: &str = include_str!("homonyms.txt");
const LIST: &str = "xtask/src/tidy/homonyms.txt";

/// Returns the names of several types of a crate that are not in the list, and the rows of the
/// list that are out of date.
pub fn check(files: &[File]) -> Vec<String> {
    compare(&homonyms(files), ALLOWED)
}

fn compare(homonyms: &BTreeMap<String, BTreeSet<String>>, allowed: &str) -> Vec<String> {
    let lines = allowed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut listed, mut without_reason) = (BTreeSet::new(), Vec::new());
    for line in lines {
        let (name, reason) = line.split_once(" — ").unwrap_or((line, ""));
        listed.insert(name);
        if reason.trim().is_empty() {
            without_reason.push(format!("{LIST}: `{name}` has no reason"));
        }
    }
    let new = homonyms.iter().filter(|(name, _)| !listed.contains(name.as_str()));
    let new = new.map(|(name, places)| {
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        format!("{name}: is the name of several types: {}", places.join(", "))
    });
    let stale = listed.iter().filter(|name| !homonyms.contains_key(**name));
    let stale = stale.map(|name| format!("{LIST}: lists `{name}`, which names at most one type"));
    new.chain(stale).chain(without_reason).collect()
}

/// Returns `crate Name` of types that share a name, with their files.
fn homonyms(files: &[File]) -> BTreeMap<String, BTreeSet<String>> {
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_source() && !file.is_test()) {
        let Some((name, _)) = file.name.split_once("/src/") else { continue };
        for ty in code(file).filter_map(|(_, line)| public_type(line)) {
            types.entry(format!("{name} {ty}")).or_default().insert(file.name.clone());
        }
    }
    types.retain(|_, places| places.len() > 1);
    types
}

/// Returns the name of the type that a line declares, if the type is visible outside of its
/// module.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub")?;
    let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
    let mut words = rest.split_whitespace();
    let is_type = matches!(words.next()?, "struct" | "enum" | "trait" | "type" | "union");
    let name = words.next().filter(|_| is_type)?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_share_a_name_are_found() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let files = [
            file("one/src/a.rs", "pub struct Kind;\npub enum Other<T> {}\nstruct Own;\n"),
            file("one/src/b.rs", "pub(crate) enum Kind {}\npub trait Own {}\n"),
            file("two/src/a.rs", "pub struct Kind;\npub struct Other;\n"),
        ];
        let found = homonyms(&files);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["one Kind"]);
        assert_eq!(compare(&found, "").len(), 1);
        assert!(compare(&found, "# one\none Kind — both\n").is_empty());
        assert_eq!(compare(&found, "one Kind — both\none Gone — both\n").len(), 1);
        assert_eq!(compare(&found, "one Kind\n"), [format!("{LIST}: `one Kind` has no reason")]);
    }
}
