//! The top-level modules of a crate import one another without cycles: data flows one way, and a
//! reader can begin at one end. A stage of the compiler imports no stage that it must not know.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, Path, UseTree};

use super::File;

const FILE: &str = "xtask/src/tidy/cycles.rs";

/// A tolerated cycle.
struct Cycle {
    /// The folder of the crate.
    package: &'static str,
    /// The modules that import one another.
    modules: &'static [&'static str],
    /// The change that removes the cycle.
    goes_with: &'static str,
}

/// The cycles that are tolerated. Cycles are removed from this list, and none is added.
const REMAINING: &[Cycle] = &[
    Cycle {
        package: "cargo-workflow",
        modules: &["commands", "generate"],
        goes_with: "a module for the files of a project, which both use",
    },
    Cycle {
        package: "cargo-workflow",
        modules: &["config", "options"],
        goes_with: "a module for the types of settings, which both use",
    },
    Cycle {
        package: "engines/restate",
        modules: &[
            "answers",
            "client",
            "directory",
            "discovery",
            "drive",
            "endpoint",
            "events",
            "handlers",
            "inbox",
            "links",
            "proof",
            "redrives",
            "segment",
            "server",
            "status",
            "updates",
        ],
        goes_with: "the coordination core that the engines share",
    },
    Cycle {
        package: "engines/sqlite",
        modules: &["builder", "engine", "journal", "loading", "map_slots", "scheduler"],
        goes_with: "the `Engine` trait",
    },
    Cycle {
        package: "engines/sqlite",
        modules: &["children", "executions", "inbox", "records"],
        goes_with: "the coordination core that the engines share",
    },
    Cycle {
        package: "workflow-runner",
        modules: &[
            "bindings",
            "cases",
            "command_line",
            "durable",
            "engine",
            "help",
            "inspect",
            "restate",
            "serve",
            "sink",
            "stores",
            "suite",
            "tasks",
        ],
        goes_with: "the `Engine` trait, with one layer each for arguments, commands and output",
    },
];

/// A stage of the compiler, with the modules that it must not import.
struct Stage {
    module: &'static str,
    forbidden: &'static [&'static str],
}

/// The crate of the stages.
const COMPILER: &str = "workflow-compiler";

/// The stages.
const STAGES: &[Stage] = &[
    Stage { module: "dialects", forbidden: &["emit", "graph", "machine", "passes"] },
    Stage { module: "emit", forbidden: &["dialects", "graph", "hir", "passes", "syntax"] },
    Stage { module: "expr", forbidden: &["dialects", "emit", "hir", "machine", "passes"] },
    Stage { module: "graph", forbidden: &["dialects", "emit", "machine", "passes", "syntax"] },
    Stage { module: "hir", forbidden: &["dialects", "emit", "machine", "passes", "syntax"] },
    Stage { module: "machine", forbidden: &["dialects", "emit", "graph", "hir", "passes", "syntax"] },
    Stage { module: "model", forbidden: &["dialects", "emit", "hir", "machine", "passes", "syntax"] },
    Stage { module: "passes", forbidden: &["dialects", "emit"] },
    Stage { module: "syntax", forbidden: &["dialects", "emit", "expr", "graph", "hir", "machine", "model", "passes"] },
];

/// The modules of each crate, with the modules that each imports.
type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Returns the cycles that are not in the list, and the rows of the list that are out of date.
pub fn check(files: &[File]) -> Vec<String> {
    let imports = imports(files);
    let mut found = compare(&cycles(&imports), REMAINING);
    found.extend(STAGES.iter().flat_map(|stage| forbidden_imports(stage, &imports)));
    found
}

/// Returns the imports that a stage must not have, and the modules in its row that do not exist.
fn forbidden_imports(stage: &Stage, imports: &Imports) -> Vec<String> {
    let Stage { module, forbidden } = stage;
    let Some(modules) = imports.get(COMPILER) else { return vec![format!("{FILE}: there is no crate {COMPILER}")] };
    let named = forbidden.iter().chain([module]);
    let unknown = named.filter(|name| !modules.contains_key(**name));
    let unknown = unknown.map(|name| format!("{FILE}: lists a module that does not exist: {name}"));
    let imported = |name: &&&str| modules.get(*module).is_some_and(|imported| imported.contains(**name));
    let found = forbidden.iter().filter(imported).map(|name| format!("{COMPILER}: `{module}` imports `{name}`"));
    unknown.chain(found).collect()
}

fn compare(cycles: &[(String, Vec<String>)], remaining: &[Cycle]) -> Vec<String> {
    let is_listed = |name: &str, modules: &[String]| {
        remaining.iter().any(|listed| listed.package == name && modules == listed.modules)
    };
    let new = cycles.iter().filter(|(name, modules)| !is_listed(name, modules));
    let new = new.map(|(name, modules)| format!("{name}: cycle of modules: {}", modules.join(", ")));
    let broken = remaining.iter().filter_map(|listed| {
        let Cycle { package, modules, goes_with } = listed;
        let names = modules.join(", ");
        if !cycles.iter().any(|(name, others)| name == package && others == modules) {
            Some(format!("{FILE}: lists a cycle that does not exist in {package}: {names}"))
        } else if goes_with.is_empty() {
            Some(format!("{FILE}: does not name the change that removes the cycle in {package}: {names}"))
        } else {
            None
        }
    });
    new.chain(broken).collect()
}

/// Returns the modules that each module of each crate imports outside of tests.
fn imports(files: &[File]) -> Imports {
    let mut imports = Imports::new();
    for file in files.iter().filter(|file| file.is_source() && !file.is_test()) {
        let Some((name, path)) = file.name.split_once("/src/") else { continue };
        let Some(path) = path.strip_suffix(".rs") else { continue };
        let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        let Some(top) = module.first().cloned() else { continue };
        if matches!(top.as_str(), "lib" | "main" | "bin") {
            continue;
        }
        let Ok(parsed) = syn::parse_file(&file.text) else { continue };
        let mut found = Imported { module, tops: BTreeSet::new() };
        found.visit_file(&parsed);
        found.tops.remove(&top);
        imports.entry(name.to_owned()).or_default().entry(top).or_default().extend(found.tops);
    }
    imports
}

/// The top-level modules that a file names.
struct Imported {
    module: Vec<String>,
    tops: BTreeSet<String>,
}

impl Imported {
    /// Records the top-level module that a path leads to: a path that begins with `crate`, or with
    /// enough `super` to reach the crate's root.
    fn note(&mut self, segments: &[String]) {
        let ups = segments.iter().take_while(|segment| *segment == "super").count();
        let is_rooted = segments.first().is_some_and(|first| first == "crate");
        let leads_to_root = is_rooted || ups > 0 && ups == self.module.len();
        let first = segments.get(if is_rooted { 1 } else { ups });
        if leads_to_root && let Some(first) = first {
            self.tops.insert(first.clone());
        }
    }

    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut before: Vec<String> = Vec::new();
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                self.note_tokens(group.stream());
            }
            if let TokenTree::Ident(name) = &token
                && before.ends_with(&["crate", ":", ":"].map(str::to_owned))
            {
                self.tops.insert(name.to_string());
            }
            before.push(token.to_string());
        }
    }

    fn note_tree(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.note_tree(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.note_tree(tree, before)),
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.note(before);
                before.pop();
            }
            UseTree::Rename(name) => {
                before.push(name.ident.to_string());
                self.note(before);
                before.pop();
            }
            UseTree::Glob(_) => self.note(before),
        }
    }
}

impl<'ast> Visit<'ast> for Imported {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.note_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    /// Notes the paths in the arguments of a macro that begin with `crate`.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.note_tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&segments);
        visit::visit_path(self, path);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Returns the groups of modules that reach one another, by crate. Names that are not modules of
/// the crate lead nowhere.
fn cycles(imports: &Imports) -> Vec<(String, Vec<String>)> {
    let mut cycles = Vec::new();
    for (name, modules) in imports {
        let reached: BTreeMap<&String, BTreeSet<&String>> =
            modules.keys().map(|module| (module, reach(module, modules))).collect();
        let mut done = BTreeSet::new();
        for module in modules.keys() {
            let group: Vec<String> = modules
                .keys()
                .filter(|other| reached[module].contains(other) && reached[*other].contains(module))
                .cloned()
                .collect();
            if group.len() > 1 && !done.contains(module) {
                done.extend(group.iter().cloned());
                cycles.push((name.clone(), group));
            }
        }
    }
    cycles
}

fn reach<'a>(from: &'a String, modules: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in modules.get(module).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forbidden_import_of_a_stage_is_named() {
        let file = |name: &str, text: &str| File { name: format!("{COMPILER}/src/{name}"), text: text.to_owned() };
        let stage = Stage { module: "emit", forbidden: &["hir", "passes"] };
        let found = |text: &str| {
            let others = [file("hir/mod.rs", ""), file("passes/mod.rs", "")];
            let files: Vec<File> = others.into_iter().chain([file("emit/block.rs", text)]).collect();
            forbidden_imports(&stage, &imports(&files))
        };
        assert!(found("use crate::machine::Module; fn f() { vec![crate::names::ONE]; }").is_empty());
        for text in [
            "fn f(x: &crate::hir::Workflow) {}",
            "use crate::{hir::{self, Next}, names};",
            "use super::super::hir;",
            "fn f() -> bool { matches!(x, crate::hir::Next::Never) }",
        ] {
            assert_eq!(found(text), ["workflow-compiler: `emit` imports `hir`"], "{text}");
        }
        assert_eq!(forbidden_imports(&stage, &imports(&[file("emit/mod.rs", "")])).len(), 2);
    }

    #[test]
    fn modules_that_import_one_another_are_named() {
        let file = |name: &str, text: &str| File { name: format!("one/src/{name}"), text: text.to_owned() };
        let files = [
            file("a.rs", "use crate::{b::B, std};"),
            file("b/mod.rs", "mod deep;"),
            file("b/deep.rs", "fn f() { super::super::c::g(); }"),
            file("c.rs", "use super::a; #[cfg(test)] mod tests { use crate::d; }"),
            file("d.rs", "use crate::c;"),
        ];
        let found = cycles(&imports(&files));
        assert_eq!(compare(&found, &[]), ["one: cycle of modules: a, b, c"]);
        let cycle = |modules, goes_with| Cycle { package: "one", modules, goes_with };
        assert!(compare(&found, &[cycle(&["a", "b", "c"], "a split")]).is_empty());
        assert_eq!(compare(&found, &[cycle(&["a", "b", "c"], "")]).len(), 1);
        assert_eq!(compare(&found, &[cycle(&["a", "b"], "a split")]).len(), 2);
    }
}
