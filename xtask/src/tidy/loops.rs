//! Functions of the runtime that loop over data count their steps: nobody may keep an engine busy
//! with a definition, or with data. Functions that do not count are in a list, each with the
//! reason why it need not.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ExprPath, ImplItem, Item, Type};

use super::File;

/// The folder of the runtime's modules, which work on data.
const SOURCES: &str = "workflow-runtime/src/";
const FOLDERS: &[&str] = &["expr/", "machine/", "value/"];
/// The files beside these folders that work on data.
const FILES: &[&str] = &["event", "schema"];
/// The functions that do not count: one `path::function — reason` a line, where `*` stands for all
/// functions of a file.
const ALLOWED: &str = include_str!("loops.txt");
const LIST: &str = "xtask/src/tidy/loops.txt";

/// Methods that visit all items. Methods that return a lazy iterator (`iter`, `map`) are not among
/// them.
const LOOPS: &[&str] = &[
    "all",
    "any",
    "cmp_by",
    "collect",
    "count",
    "dedup_by",
    "extend",
    "find",
    "find_map",
    "fold",
    "for_each",
    "position",
    "replace",
    "retain",
    "reverse",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by_key",
    "sum",
    "to_lowercase",
    "to_uppercase",
    "to_vec",
    "try_fold",
    "try_for_each",
];

/// Functions and methods that count steps.
const COUNTS: &[&str] = &[
    "charge",
    "charge_elements",
    "nested",
    "push_text",
    "reserve",
    "spend",
    "spend_bytes",
    "spend_text",
    "steps",
    "tick",
    "walk",
    "walk_on",
];

/// Returns the functions that are not in the list, and the rows of the list that name no function.
pub fn check(files: &[File]) -> Vec<String> {
    compare(&uncounted(files), ALLOWED)
}

/// Returns the functions that loop and do not count, by file.
fn uncounted(files: &[File]) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for file in files {
        let Some(name) = file.name.strip_prefix(SOURCES).and_then(|name| name.strip_suffix(".rs")) else { continue };
        let is_about_data = FOLDERS.iter().any(|folder| name.starts_with(folder)) || FILES.contains(&name);
        if file.is_test() || !is_about_data {
            continue;
        }
        let functions = match syn::parse_file(&file.text) {
            Ok(parsed) => functions_of(&parsed.items),
            Err(error) => vec![format!("cannot parse the file: {error}")],
        };
        if !functions.is_empty() {
            found.insert(name.to_owned(), functions);
        }
    }
    found
}

fn functions_of(items: &[Item]) -> Vec<String> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Fn(function) if is_uncounted(|body| body.visit_block(&function.block)) => {
                found.push(function.sig.ident.to_string());
            }
            Item::Impl(of) => {
                let name = match &*of.self_ty {
                    Type::Path(path) => path.path.segments.last().map_or(String::new(), |last| last.ident.to_string()),
                    _ => String::new(),
                };
                for item in &of.items {
                    if let ImplItem::Fn(method) = item
                        && is_uncounted(|body| body.visit_block(&method.block))
                    {
                        found.push(format!("{name}::{}", method.sig.ident));
                    }
                }
            }
            Item::Mod(module) if !module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) => {
                found.extend(module.content.iter().flat_map(|(_, items)| functions_of(items)));
            }
            _ => {}
        }
    }
    found
}

fn is_uncounted(look: impl FnOnce(&mut Body)) -> bool {
    let mut body = Body::default();
    look(&mut body);
    body.loops && !body.counts
}

/// The contents of a function.
#[derive(Default)]
struct Body {
    loops: bool,
    counts: bool,
}

impl<'ast> Visit<'ast> for Body {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.loops |= matches!(expression, Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_));
        visit::visit_expr(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let method = call.method.to_string();
        // `position` is also a method of objects and texts. The search of an iterator has a
        // closure.
        let is_search = method != "position" || matches!(call.args.first(), Some(Expr::Closure(_)));
        self.loops |= LOOPS.contains(&&*method) && is_search;
        self.counts |= COUNTS.contains(&&*method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (last, module) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        self.counts |= COUNTS.contains(&&*last) || (module == "budget" && last == "read");
    }
}

fn compare(found: &BTreeMap<String, Vec<String>>, allowed: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let mut entries: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (at, line) in allowed.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let entry = line.split_once(" — ").and_then(|(name, reason)| Some((name.split_once("::")?, reason)));
        let Some(((file, function), reason)) = entry else {
            broken.push(format!("{LIST}:{}: is not `path::function — reason`", at + 1));
            continue;
        };
        let functions = found.get(file).map_or(&[][..], Vec::as_slice);
        let is_known = functions.iter().any(|found| function == "*" || found == function);
        if !is_known || reason.trim().is_empty() || entries.get(file).is_some_and(|known| known.contains(&function)) {
            broken.push(format!(
                "{LIST}:{}: `{file}::{function}` is not a function that loops without spending budget",
                at + 1
            ));
        }
        entries.entry(file).or_default().push(function);
    }
    for (file, functions) in found {
        let allowed = entries.get(&**file).map_or(&[][..], Vec::as_slice);
        let missing = functions.iter().filter(|function| !allowed.contains(&&***function) && !allowed.contains(&"*"));
        broken.extend(missing.map(|function| {
            format!("{SOURCES}{file}.rs: `{function}` loops without spending budget: call `budget::spend`, or add the reason to {LIST}")
        }));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_loop_and_do_not_count_are_named() {
        let text = "fn a(v: &[u8]) { for _ in v {} }\n\
             fn b(v: &[u8]) { v.iter().for_each(|_| budget::spend(1)); } fn i(v: &[u8]) { v.iter() }\n\
             fn c(v: Option<u8>) { v.map(|v| v + 1); }\n\
             impl<'a> D<'a> { fn e(&self) { while self.more() { self.run.tick()?; } } fn f(&self) { self.0.chars().count(); } }\n\
             fn g() -> bool { loop { timestamp::read(1); } }\n\
             #[cfg(test)]\nmod tests { fn h() { loop {} } }\n";
        let file = |name: &str| File { name: format!("{SOURCES}{name}"), text: text.to_owned() };
        let names = ["expr/x.rs", "expr/tests.rs", "machine/y.rs", "engine/z.rs", "schema.rs", "schemas.rs"];
        let functions = vec!["a".to_owned(), "D::f".to_owned(), "g".to_owned()];
        let expected = ["expr/x", "machine/y", "schema"].map(|name| (name.to_owned(), functions.clone()));
        assert_eq!(uncounted(&names.map(file)).into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_list_names_what_there_is() {
        let found = BTreeMap::from([("expr/x".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
        assert!(compare(&found, "# words\nexpr/x::a — short\nexpr/x::b — short\n").is_empty());
        assert!(compare(&found, "expr/x::* — short\n").is_empty());
        assert_eq!(compare(&found, "expr/x::a — short\n").len(), 1);
        assert_eq!(compare(&found, "expr/x::* — short\nexpr/x::c — short\nexpr/y::* — short\nexpr/x::a\n").len(), 3);
    }
}
