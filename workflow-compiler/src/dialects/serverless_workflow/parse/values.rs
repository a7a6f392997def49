//! Parsers of member values: words, flags, durations, paths, and values whose strings may be
//! paths.

use super::super::ast::{Name, Template, Timespan};
use super::SwParseCx;
use crate::diagnostics::Diagnostics;
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::word;
use crate::dialects::object::values::text;
use crate::dialects::serverless_workflow::codes as own;
use crate::expr::jsonpath::{self, Mode, Roots};
use crate::expr::{Expr, LocalId};
use crate::source::Span;
use crate::syntax::{Node, Text, Tree};
use std::sync::Arc;

/// Returns the members of an object. Warns of unknown members, which are ignored, and of members
/// in another case, which are read.
pub fn members<'a>(
    node: &'a Node,
    owner: &'static str,
    required: &[&'static str],
    optional: &[&'static str],
    diagnostics: &mut Diagnostics,
) -> Option<Object<'a>> {
    let members = Object::ignoring(&["$schema"], node, owner, required, optional, diagnostics)?;
    for (name, entry) in members.in_other_case() {
        let message = format!("`{}` is read as `{name}`", entry.key.value);
        diagnostics.push(Diagnostic::new(&own::WF1251, entry.key.span, message).help(format!("write `{name}`")));
    }
    Some(members)
}

/// Returns a text as a name.
pub fn name_of(text: &Text) -> Name {
    Name::new(Arc::from(text.value.as_str()), text.span)
}

/// Returns the one of `words` that `node` is. Warns of another case than that of the
/// specification.
pub fn choice(node: &Node, name: &str, words: &[&'static str], cx: &mut SwParseCx) -> Option<&'static str> {
    let word = word(node, name, words, cx.diagnostics)?;
    if let Some(written) = node.as_text().filter(|text| text.value != word) {
        let message = format!("`{}` is read as `{word}`", written.value);
        cx.warn(written.span, message, format!("write `{word}`"));
    }
    Some(word)
}

/// Returns the kind of a start or an end that is written as a word or as `true` instead of an
/// object, with a warning.
pub fn bare_kind(node: &Node, name: &str, kinds: &[&'static str], cx: &mut SwParseCx) -> Option<&'static str> {
    let kind = match &node.tree {
        Tree::String(_) => word(node, name, kinds, cx.diagnostics)?,
        _ => "default",
    };
    let help = match kind {
        "scheduled" => "write `{ \"kind\": \"scheduled\", \"schedule\": { \"interval\": … } }`".to_owned(),
        "event" => "write `{ \"kind\": \"event\", \"produceEvent\": { \"eventRef\": … } }`".to_owned(),
        kind => format!("write `{{ \"kind\": \"{kind}\" }}`"),
    };
    cx.warn(node.span, format!("`{name}` should be an object: it is read as the kind `{kind}`"), help);
    Some(kind)
}

/// Returns the member `name` as a path, `Some(None)` if it is absent, and `None` after reporting
/// an error. An empty path is an error.
pub fn path(members: &Object<'_>, name: &str, cx: &mut SwParseCx) -> Option<Option<Text>> {
    match members.get(name) {
        None => Some(None),
        Some(node) => path_of(node, name, cx).map(Some),
    }
}

/// Returns a required path. Its absence has been reported.
pub fn required_path(members: &Object<'_>, name: &str, cx: &mut SwParseCx) -> Option<Text> {
    path(members, name, cx).flatten()
}

/// Returns an optional duration: `Some(None)` if it is absent, and `None` after reporting an
/// error.
pub fn maybe_duration(members: &Object<'_>, name: &str, cx: &mut SwParseCx) -> Option<Option<Timespan>> {
    if members.has(name) { members.duration(name, cx.diagnostics).map(Some) } else { Some(None) }
}

/// Returns the path that `node` is.
pub fn path_of(node: &Node, name: &str, cx: &mut SwParseCx) -> Option<Text> {
    let text = text(node, name, cx.diagnostics)?;
    if text.value.trim().is_empty() {
        let diagnostic = Diagnostic::new(&codes::WF0412, text.span, format!("`{name}` is empty"));
        cx.push(diagnostic.help("use `$` for all of the data"));
        return None;
    }
    Some(text.clone())
}

/// Returns a value whose strings may be paths ([R25](docs/serverless-workflow.md#r25)).
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

/// Returns `true` if a text is a path. A text that begins like a path and does not parse is plain
/// text.
fn is_path(text: &Text) -> bool {
    if !text.value.starts_with("$.") && !text.value.starts_with("$[") {
        return false;
    }
    let mut discarded = Diagnostics::default();
    jsonpath::parse(text, Mode::ServerlessWorkflow, &Anywhere, &mut discarded).is_some()
}

/// Stand-in for the roots of a path, for a check of its syntax only.
struct Anywhere;

impl Roots for Anywhere {
    fn document(&self) -> Expr {
        Expr::Local(LocalId(0))
    }

    fn variable(&self, _: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        None
    }
}
