//! Payload templates (ASL, "Payload Template").

use super::functions::{CONTEXT_FIELD, FIELD, FIELD_AT, REQUIRE_FIELD};
use super::{Dynamic, path_or_intrinsic};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::intrinsics::codes::{WF0320, WF0321};
use crate::expr::jsonpath::{JsonPath, Root, Roots, names};
use crate::expr::{Arg, Expr, Literal, PathStep};
use crate::syntax::{Entry, Node, Tree};
use std::collections::HashMap;

/// Lowers a payload template. The value of a field whose name ends in `.$` is a path or an
/// intrinsic function, and its result replaces the field under the name without `.$`. All other
/// values are constants.
///
/// Lowering continues after an error, and then returns `None`.
pub fn template(node: &Node, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    match &node.tree {
        Tree::Object(entries) => object(entries, roots, diagnostics),
        Tree::Array(items) => {
            let items: Vec<Option<Expr>> = items.iter().map(|item| template(item, roots, diagnostics)).collect();
            items.into_iter().collect::<Option<Vec<Expr>>>().map(array)
        }
        _ => Some(Expr::Literal(Literal::from(node))),
    }
}

fn object(entries: &[Entry], roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut members: Vec<(String, Expr)> = Vec::with_capacity(entries.len());
    let mut complete = true;
    let mut seen: HashMap<&str, &Entry> = HashMap::with_capacity(entries.len());
    for entry in entries {
        let dynamic = entry.key.value.strip_suffix(".$");
        let name = dynamic.unwrap_or(&entry.key.value);
        if let Some(first) = seen.insert(name, entry) {
            let message = format!("duplicate field `{name}`, with and without `.$`");
            diagnostics.push(
                Diagnostic::new(&WF0321, entry.key.span, message)
                    .related(first.key.span, "first defined here")
                    .help("keep one of the two"),
            );
            complete = false;
        }
        let value = match dynamic {
            Some(_) => field(entry, roots, diagnostics),
            None => template(&entry.value, roots, diagnostics),
        };
        match value {
            Some(value) => members.push((name.to_owned(), value)),
            None => complete = false,
        }
    }
    complete.then(|| fold_object(members))
}

/// Lowers the value of a field whose name ends in `.$`.
fn field(entry: &Entry, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let key = &entry.key.value;
    let refuse = |found: &str| {
        let message = format!("the value of `{key}` must be a path or an intrinsic function, found {found}");
        let constant = key.strip_suffix(".$").unwrap_or(key);
        Diagnostic::new(&WF0320, entry.value.span, message)
            .help(format!("start a path with `$`, or name the field `{constant}` for a constant"))
    };
    let Some(text) = entry.value.as_text() else {
        diagnostics.push(refuse(entry.value.kind()));
        return None;
    };
    // A text that resembles neither a path nor a call is most likely meant as a constant.
    if !text.value.starts_with('$') && !text.value.contains("States.") && !text.value.contains('(') {
        diagnostics.push(refuse("a plain string"));
        return None;
    }
    match path_or_intrinsic(text, roots, diagnostics)? {
        Dynamic::Path(path) if path.can_be_absent() => Some(required(path, key, roots)),
        Dynamic::Path(path) => Some(path.expr),
        Dynamic::Intrinsic(expr) => Some(expr),
    }
}

/// Returns the value that the path of a field leads to, by the shortest call that can report an
/// absent value.
fn required(path: JsonPath, key: &str, roots: &dyn Roots) -> Expr {
    let field = Arg::Str(key.into());
    let document = Arg::Value(roots.document());
    let steps = path.plain_steps().map(<[PathStep]>::to_vec);
    match (path.root.clone(), steps) {
        (Root::Document, Some(steps)) => match names(&steps) {
            Some(names) => Expr::call(&FIELD, vec![document, Arg::Strs(names), field]),
            None => Expr::call(&FIELD_AT, vec![document, Arg::Steps(steps), field]),
        },
        (Root::Context, Some(steps)) if names(&steps).is_some() && path.base == Expr::Context => {
            let names = names(&steps).unwrap_or_default();
            Expr::call(&CONTEXT_FIELD, vec![Arg::Strs(names), document, field])
        }
        _ => Expr::call(&REQUIRE_FIELD, vec![Arg::Maybe(path.expr), document, Arg::Str(path.text.into()), field]),
    }
}

/// Builds an object. An object of constants is a constant.
fn fold_object(members: Vec<(String, Expr)>) -> Expr {
    if members.iter().all(|(_, member)| matches!(member, Expr::Literal(_))) {
        let constant = |(key, member)| match member {
            Expr::Literal(value) => Some((key, value)),
            _ => None,
        };
        return Expr::Literal(Literal::Object(members.into_iter().filter_map(constant).collect()));
    }
    Expr::Object(members)
}

/// Builds an array. An array of constants is a constant.
pub(super) fn array(items: Vec<Expr>) -> Expr {
    if items.iter().all(|item| matches!(item, Expr::Literal(_))) {
        let constant = |item| match item {
            Expr::Literal(value) => Some(value),
            _ => None,
        };
        return Expr::Literal(Literal::Array(items.into_iter().filter_map(constant).collect()));
    }
    Expr::Array(items)
}
