//! The modules of a crate, and the items of it that rustdoc shows.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, Ident, Item, UseTree, Visibility};

use super::super::File;
use super::examples::documentation;

/// A visible item.
#[derive(Debug)]
pub struct Visible {
    /// The path that users write.
    pub path: String,
    /// The file that defines it, or exports it if another crate defines it.
    pub file: String,
    /// Its documentation, if it needs an example.
    pub documentation: Option<String>,
}

impl Visible {
    /// Returns the last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }
}

/// The path of a module below the crate root.
type ModulePath = Vec<String>;

struct Module {
    file: String,
    items: Vec<Item>,
}

/// A crate, with the modules that are not for tests.
pub struct Crate {
    name: String,
    modules: BTreeMap<ModulePath, Module>,
}

/// The target of a path in a `use`.
enum Target<'a> {
    Module(ModulePath),
    Item(&'a Item, &'a Module),
    /// An item of another crate, or one that a macro writes.
    Elsewhere,
}

impl Crate {
    /// Reads the crate in this folder. Returns `None` if it has no library.
    pub fn read(files: &[File], folder: &str) -> Option<Crate> {
        let files: BTreeMap<&str, &str> = files.iter().map(|file| (&*file.name, &*file.text)).collect();
        let manifest = files.get(&*format!("{folder}/Cargo.toml"))?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))?;
        let root = format!("{folder}/src/lib.rs");
        let items = syn::parse_file(files.get(&*root)?).ok()?.items;
        let mut found = Crate { name: name.replace('-', "_"), modules: BTreeMap::new() };
        found.add(&files, Vec::new(), &format!("{folder}/src"), root, items);
        Some(found)
    }

    /// Adds a module and those in it. `folder` has the files of the modules in it.
    fn add(&mut self, files: &BTreeMap<&str, &str>, path: ModulePath, folder: &str, file: String, items: Vec<Item>) {
        let mut kept = Vec::new();
        for mut item in items {
            if let Item::Mod(module) = &mut item
                && !is_for_tests(&module.attrs)
            {
                let name = module.ident.to_string();
                let inner = format!("{folder}/{name}");
                let inside = [&path[..], &[name]].concat();
                if let Some((_, items)) = &mut module.content {
                    self.add(files, inside, &inner, file.clone(), std::mem::take(items));
                } else {
                    let candidates = [format!("{inner}.rs"), format!("{inner}/mod.rs")];
                    let read = candidates.into_iter().find_map(|name| {
                        let text = files.get(&*name)?;
                        Some((syn::parse_file(text).ok()?.items, name))
                    });
                    let (items, name) = read.unwrap_or_default();
                    self.add(files, inside, &inner, name, items);
                }
            }
            kept.push(item);
        }
        self.modules.insert(path, Module { file, items: kept });
    }

    /// Returns the visible items, each once for each of its paths.
    pub fn visible(&self) -> Vec<Visible> {
        let mut found = Vec::new();
        self.show(&[], &[], &mut found, &mut BTreeSet::new());
        // Exported macros are in the root, wherever they are defined.
        for module in self.modules.values() {
            for item in &module.items {
                if let Item::Macro(item) = item
                    && let Some(name) = &item.ident
                    && item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"))
                    && !is_hidden(&item.attrs)
                {
                    found.push(self.entry(&[name.to_string()], &module.file, Some(&item.attrs)));
                }
            }
        }
        // A macro and a module can have one name.
        found.sort_by(|a, b| (&a.path, &a.file).cmp(&(&b.path, &b.file)));
        found.dedup_by(|a, b| (&a.path, &a.file) == (&b.path, &b.file));
        found
    }

    /// Adds the visible items of the module `at`, which users reach as `shown`.
    fn show(&self, at: &[String], shown: &[String], found: &mut Vec<Visible>, seen: &mut BTreeSet<ModulePath>) {
        let Some(module) = self.modules.get(at) else { return };
        if !seen.insert(shown.to_vec()) {
            return;
        }
        for item in &module.items {
            if let Item::Use(exported) = item {
                if is_public(&exported.vis) && !is_hidden(&exported.attrs) {
                    let mut paths = Vec::new();
                    flatten(&exported.tree, &mut Vec::new(), &mut paths);
                    for (path, name) in paths {
                        self.export(at, &path, name, shown, found, seen);
                    }
                }
                continue;
            }
            let Some((name, visibility, attributes)) = parts(item) else { continue };
            if is_public(visibility) && !is_hidden(attributes) && !is_for_tests(attributes) {
                let shown = [shown, &[name.to_string()]].concat();
                found.push(self.entry(&shown, &module.file, needs_example(item).then_some(attributes)));
                if matches!(item, Item::Mod(_)) {
                    self.show(&[at, &[name.to_string()]].concat(), &shown, found, seen);
                }
            }
        }
    }

    /// Adds the target of a `pub use`. Without a name it is the glob of a module.
    fn export(
        &self,
        at: &[String],
        path: &[String],
        name: Option<String>,
        shown: &[String],
        found: &mut Vec<Visible>,
        seen: &mut BTreeSet<ModulePath>,
    ) {
        let target = self.resolve(at, path, 0);
        let Some(name) = name else {
            if let Target::Module(inner) = target {
                seen.remove(shown);
                self.show(&inner, shown, found, seen);
            }
            return;
        };
        let shown = [shown, &[name]].concat();
        match target {
            Target::Module(inner) => {
                found.push(self.entry(&shown, &self.modules[&inner].file, None));
                // The items of a module that is visible elsewhere are shown there.
                if !self.is_shown(&inner) {
                    self.show(&inner, &shown, found, seen);
                }
            }
            Target::Item(item, module) => {
                if let Some((_, _, attributes)) = parts(item).filter(|(_, _, attributes)| !is_hidden(attributes)) {
                    found.push(self.entry(&shown, &module.file, needs_example(item).then_some(attributes)));
                }
            }
            Target::Elsewhere => found.push(self.entry(&shown, &self.modules[at].file, None)),
        }
    }

    /// Returns `true` if a module and all around it are visible.
    fn is_shown(&self, module: &[String]) -> bool {
        (0..module.len()).all(|depth| {
            let around = self.modules.get(&module[..depth]).map_or(&[][..], |around| &around.items);
            around.iter().any(|item| match item {
                Item::Mod(item) => item.ident == module[depth] && is_public(&item.vis) && !is_hidden(&item.attrs),
                _ => false,
            })
        })
    }

    fn entry(&self, path: &[String], file: &str, attributes: Option<&Vec<Attribute>>) -> Visible {
        let path = format!("{}::{}", self.name, path.join("::"));
        Visible { path, file: file.to_owned(), documentation: attributes.map(|attributes| documentation(attributes)) }
    }

    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Target<'_> {
        // Two modules can import each other's items.
        if depth > 16 {
            return Target::Elsewhere;
        }
        let mut at = from.to_vec();
        let mut rest = path;
        while let [first, others @ ..] = rest {
            match &**first {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                name => {
                    match self.named(&at, name, others.is_empty(), depth) {
                        Target::Module(inner) => at = inner,
                        target if others.is_empty() => return target,
                        _ => return Target::Elsewhere,
                    };
                }
            }
            rest = others;
        }
        Target::Module(at)
    }

    /// Returns the item of this name in a module. The last name of a path can be a module and
    /// something else: the item counts.
    fn named(&self, at: &[String], name: &str, is_last: bool, depth: usize) -> Target<'_> {
        let Some(module) = self.modules.get(at) else { return Target::Elsewhere };
        let is_it =
            |item: &&Item| !matches!(item, Item::Mod(_)) && parts(item).is_some_and(|(ident, _, _)| ident == name);
        if let (true, Some(item)) = (is_last, module.items.iter().find(is_it)) {
            return Target::Item(item, module);
        }
        let inner = [at, &[name.to_owned()]].concat();
        if self.modules.contains_key(&inner) {
            return Target::Module(inner);
        }
        for item in &module.items {
            let Item::Use(used) = item else { continue };
            let mut paths = Vec::new();
            flatten(&used.tree, &mut Vec::new(), &mut paths);
            let used = paths.into_iter().find(|(path, known)| known.as_deref() == Some(name) && path[0] != name);
            if let Some((path, _)) = used {
                return self.resolve(at, &path, depth + 1);
            }
        }
        Target::Elsewhere
    }
}

/// Returns the name, the visibility and the attributes of an item that can be visible.
fn parts(item: &Item) -> Option<(&Ident, &Visibility, &Vec<Attribute>)> {
    Some(match item {
        Item::Const(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
        Item::Mod(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Static(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Struct(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Trait(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Type(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Union(item) => (&item.ident, &item.vis, &item.attrs),
        _ => return None,
    })
}

fn needs_example(item: &Item) -> bool {
    matches!(item, Item::Enum(_) | Item::Fn(_) | Item::Struct(_) | Item::Trait(_) | Item::Union(_))
}

/// Collects the paths of a `use`, each with the name that it gets. A glob has no name.
fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<(Vec<String>, Option<String>)>) {
    let mut add = |before: &[String], name: &Ident, renamed: &Ident| {
        // `use module::{self}` names the module.
        let (mut path, name) = (before.to_vec(), name.to_string());
        let renamed = if renamed == "self" { before.last().cloned() } else { Some(renamed.to_string()) };
        if name != "self" || path.is_empty() {
            path.push(name);
        }
        paths.push((path, renamed));
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Name(name) => add(before, &name.ident, &name.ident),
        UseTree::Rename(name) => add(before, &name.ident, &name.rename),
        UseTree::Glob(_) => paths.push((before.clone(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, paths)),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns `true` if the attributes have `#[doc(hidden)]`.
fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden")
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    has(attributes, "cfg", "test")
}

fn has(attributes: &[Attribute], name: &str, word: &str) -> bool {
    let lists = attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok());
    lists.filter(|list| list.path.is_ident(name)).any(|list| list.tokens.to_string() == word)
}
