//! Names of the code are words of the field: vague words are banned from the names of items,
//! fields, variants, parameters and locals. `docs/glossary.md` has the words to use.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{
    Attribute, Field, Ident, ImplItemConst, ImplItemFn, ItemConst, ItemEnum, ItemFn, ItemMod, ItemStatic, ItemStruct,
    ItemTrait, ItemType, PatIdent, Path, TraitItemFn, Variant,
};

use super::File;

/// Banned words, in lower case. A name that is the word or has the word as a part is refused:
/// `room`, `make_room` and `RoomLeft`. The parts of a phrase follow one another.
const WORDS: &[&str] = &[
    "apart",
    "beyond",
    "called",
    "carry_out",
    "flaw",
    "flaws",
    "given",
    "gone",
    "hear",
    "mailbox",
    "room",
    "stay",
    "stays",
    "tell",
    "tells",
    "told",
    "under_way",
    "wish",
    "wishes",
];

/// Names that may have such a word: one `path/of/file.rs name — reason` a line.
const ALLOWED: &str = include_str!("identifiers.txt");
const LIST: &str = "xtask/src/tidy/identifiers.txt";

/// Returns the names with a banned word that are not in the list, and the rows of the list that
/// are out of date.
pub fn check(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| file.is_source() && !file.is_test());
    let found = sources.flat_map(|file| names(file).into_iter().map(|found| (file.name.clone(), found))).collect();
    compare(&found, ALLOWED)
}

/// A name with a banned word, and the word.
type Found = (String, &'static str);

fn compare(found: &BTreeSet<(String, Found)>, allowed: &str) -> Vec<String> {
    let lines = allowed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut broken = Vec::new();
    let mut listed: BTreeSet<&str> = BTreeSet::new();
    for line in lines {
        match line.split_once(" — ") {
            Some((row, reason)) if !reason.trim().is_empty() => _ = listed.insert(row),
            _ => broken.push(format!("{LIST}: `{line}` has no reason")),
        }
    }
    let rows: BTreeSet<String> = found.iter().map(|(file, (name, _))| format!("{file} {name}")).collect();
    for (file, (name, word)) in found.iter().filter(|(file, (name, _))| !listed.contains(&*format!("{file} {name}"))) {
        broken.push(format!("{file}: the name `{name}` has the word `{word}`: use a word of `docs/glossary.md`"));
    }
    let stale = listed.iter().filter(|row| !rows.contains(**row));
    broken.extend(stale.map(|row| format!("{LIST}: lists `{row}`, which does not exist")));
    broken
}

/// Returns the names of a file that have a banned word, outside of its tests.
fn names(file: &File) -> BTreeSet<Found> {
    let Ok(parsed) = syn::parse_file(&file.text) else { return BTreeSet::new() };
    let mut names = Names(BTreeSet::new());
    names.visit_file(&parsed);
    names.0
}

/// The names with banned words that a file declares.
struct Names(BTreeSet<Found>);

impl Names {
    fn note(&mut self, name: &Ident) {
        let name = name.to_string();
        if let Some(word) = banned(&name) {
            self.0.insert((name, word));
        }
    }
}

/// Returns the banned word of a name.
fn banned(name: &str) -> Option<&'static str> {
    let mut snake = String::from("_");
    let mut before_is_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && before_is_lower {
            snake.push('_');
        }
        before_is_lower = c.is_lowercase() || c.is_ascii_digit();
        snake.extend(c.to_lowercase());
    }
    snake.push('_');
    WORDS.iter().copied().find(|word| snake.contains(&format!("_{word}_")))
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            self.note(&item.ident);
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.note(&item.sig.ident);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.note(&item.sig.ident);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.note(&item.sig.ident);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.note(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.note(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.note(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.note(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.note(&item.ident);
        visit::visit_item_const(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.note(&item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.note(&item.ident);
        visit::visit_item_static(self, item);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.note(&variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        field.ident.iter().for_each(|name| self.note(name));
        visit::visit_field(self, field);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.note(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }
}

/// Returns `true` for `#[cfg(test)]` and `#[test]`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        attribute.path().is_ident("test")
            || is_cfg && attribute.parse_args::<Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> BTreeSet<(String, Found)> {
        let file = File { name: "one/src/a.rs".to_owned(), text: text.to_owned() };
        names(&file).into_iter().map(|found| (file.name.clone(), found)).collect()
    }

    #[test]
    fn banned_words_are_found_in_names() {
        for text in [
            "fn make_room() {}",
            "struct RoomLeft;",
            "enum Called { A }",
            "enum A { Gone }",
            "struct A { under_way: bool }",
            "const APART: u8 = 1;",
            "fn f(given: u8) {}",
            "fn f() { let told = 1; }",
            "fn f() { g(|wishes| 1) }",
            "mod beyond {}",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        for text in [
            "fn bedroom() { let roomy = \"room\"; call(room) }",
            "// room\nfn under() { let way = 1; }",
            "#[cfg(test)]\nmod tests { fn room() {} }",
            "#[test]\nfn a_room_is_given() {}",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn rows_have_reasons_and_exist() {
        let found = found("fn make_room() {}");
        assert_eq!(compare(&found, "").len(), 1);
        assert!(compare(&found, "# names\none/src/a.rs make_room — a name of others\n").is_empty());
        assert_eq!(compare(&found, "one/src/a.rs make_room\n").len(), 2);
        assert_eq!(compare(&found, "one/src/a.rs make_room — a\none/src/b.rs make_room — a\n").len(), 1);
    }
}
