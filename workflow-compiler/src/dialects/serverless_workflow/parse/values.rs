//! Values of members: words, flags, durations, paths, and values in which texts may be paths.

use super::super::ast::{Name, Template, Timespan};
use super::Cx;
use crate::diagnostics::Diagnostics;
use crate::diagnostics::{Diagnostic, codes::fields as codes, codes::serverless_workflow as own};
use crate::dialects::members::{Members, text, word};
use crate::dialects::values::duration;
use crate::expr::jsonpath::{self, Mode, Roots};
use crate::expr::{Expr, LocalId};
use crate::source::Span;
use crate::syntax::{Node, Text, Tree};
use std::sync::Arc;

/// The members of an object. Those that the language does not know there are ignored, with a warning; those in another case are
/// read, with one.
pub fn members<'a>(
    node: &'a Node,
    owner: &'static str,
    required: &[&'static str],
    optional: &[&'static str],
    diagnostics: &mut Diagnostics,
) -> Option<Members<'a>> {
    let members = Members::but_for(&["$schema"], node, owner, required, optional, diagnostics)?;
    for (name, entry) in members.in_other_case() {
        let message = format!("`{}` is read as `{name}`", entry.key.value);
        diagnostics.push(Diagnostic::new(&own::W1201, entry.key.span, message).help(format!("write `{name}`")));
    }
    Some(members)
}

/// A text as a name.
pub fn name_of(text: &Text) -> Name {
    Name::new(Arc::from(text.value.as_str()), text.span)
}

/// One of a few words. Another case than that of the text of the specification is a warning.
pub fn choice(node: &Node, name: &str, words: &[&'static str], cx: &mut Cx) -> Option<&'static str> {
    let found = word(node, name, words, cx.diagnostics)?;
    if let Some(written) = node.as_text().filter(|text| text.value != found) {
        let message = format!("`{}` is read as `{found}`", written.value);
        cx.warn(written.span, message, format!("write `{found}`"));
    }
    Some(found)
}

/// The kind of a start or an end that is written as a word, or as `true`, in place of an object: that is a warning.
pub fn bare_kind(node: &Node, name: &str, kinds: &[&'static str], cx: &mut Cx) -> Option<&'static str> {
    let kind = match &node.tree {
        Tree::String(_) => word(node, name, kinds, cx.diagnostics)?,
        _ => "default",
    };
    let help = match kind {
        "scheduled" => "write `{ \"kind\": \"scheduled\", \"schedule\": { \"interval\": … } }`".to_owned(),
        "event" => "write `{ \"kind\": \"event\", \"produceEvent\": { \"eventRef\": … } }`".to_owned(),
        kind => format!("write `{{ \"kind\": \"{kind}\" }}`"),
    };
    cx.warn(node.span, format!("`{name}` must be an object, and is read as one of the kind `{kind}`"), help);
    Some(kind)
}

/// A member that is a path. An empty one is an error.
pub fn path(members: &Members<'_>, name: &str, cx: &mut Cx) -> Option<Option<Text>> {
    match members.get(name) {
        None => Some(None),
        Some(node) => path_of(node, name, cx).map(Some),
    }
}

/// A path that must be there: one that is not has been reported.
pub fn needed_path(members: &Members<'_>, name: &str, cx: &mut Cx) -> Option<Text> {
    path(members, name, cx).flatten()
}

/// A duration that need not be there. The outer nothing is one that is wrong.
pub fn maybe_duration(members: &Members<'_>, name: &str, cx: &mut Cx) -> Option<Option<Timespan>> {
    if members.has(name) { duration(members, name, cx.diagnostics).map(Some) } else { Some(None) }
}

/// A value that is a path.
pub fn path_of(node: &Node, name: &str, cx: &mut Cx) -> Option<Text> {
    let text = text(node, name, cx.diagnostics)?;
    if text.value.trim().is_empty() {
        let found = Diagnostic::new(&codes::E0412, text.span, format!("`{name}` is empty"));
        cx.push(found.help("`$` is all of the data"));
        return None;
    }
    Some(text.clone())
}

/// A value in which texts may be paths (ruling R25).
pub fn template(node: &Node) -> Template {
    match &node.tree {
        Tree::String(text) if is_path(text) => Template::Path(text.clone()),
        Tree::Array(items) => {
            let items: Vec<Template> = items.iter().map(template).collect();
            match items.iter().all(is_constant) {
                true => Template::Constant(node.clone()),
                false => Template::Array(items),
            }
        }
        Tree::Object(entries) => {
            let members: Vec<(Text, Template)> =
                entries.iter().map(|entry| (entry.key.clone(), template(&entry.value))).collect();
            match members.iter().all(|(_, member)| is_constant(member)) {
                true => Template::Constant(node.clone()),
                false => Template::Object(members),
            }
        }
        _ => Template::Constant(node.clone()),
    }
}

fn is_constant(template: &Template) -> bool {
    matches!(template, Template::Constant(_))
}

/// Whether a text is a path: one that begins like one and is none is a text.
fn is_path(text: &Text) -> bool {
    if !text.value.starts_with("$.") && !text.value.starts_with("$[") {
        return false;
    }
    let mut found = Diagnostics::default();
    jsonpath::parse(text, Mode::Lenient, &Anywhere, &mut found).is_some()
}

/// What paths start from where it is only asked whether they are paths.
struct Anywhere;

impl Roots for Anywhere {
    fn document(&self) -> Expr {
        Expr::Local(LocalId(0))
    }

    fn variable(&self, _: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        None
    }
}
