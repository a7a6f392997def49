//! Paths, intrinsic functions and payload templates of fields. They are parsed twice: the parser
//! checks them, and lowering parses them again with the locals that they start from.

use super::context::{self, ExpressionPlace};
use super::functions::{AT, AT_STEPS, COMPUTED, PATH, PATH_AT, REQUIRE_PATH, SELECTED};
use super::jsonata::{self, JsonataTemplate};
use super::parse::{AslParseCx, fields};
use crate::diagnostics::codes::fields as codes;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::object::values::text;
use crate::expr::intrinsics::{self, Dynamic};
use crate::expr::jsonpath::codes::WF0301;
use crate::expr::jsonpath::{self, JsonPath, Mode, Root, Roots};
use crate::expr::{Arg, Expr, LocalId, PathStep};
use crate::model::InputTemplate;
use crate::source::Span;
use crate::syntax::wrong_type;
use crate::syntax::{Entry, Node, Text, Tree};

/// Checked path.
#[derive(Debug)]
pub struct Path {
    text: Text,
    mode: Mode,
    root: Root,
    is_bare: bool,
}

/// Checked path or intrinsic function.
#[derive(Debug)]
pub struct PathOrIntrinsic(Text);

/// Checked payload template, or the value of a field with expressions in JSONata.
#[derive(Debug)]
pub enum PayloadTemplate {
    /// Payload template of JSONPath.
    JsonPath(Node),
    /// Value with expressions in JSONata.
    Jsonata(JsonataTemplate),
}

/// Returns the field `name` as a path of any form.
pub fn path(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<Path> {
    checked(node, name, Mode::Jayway, true, cx)
}

/// Returns the field `name` as a path of any form that may select nothing.
pub fn path_or_nothing(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<Path> {
    checked(node, name, Mode::Jayway, false, cx)
}

/// Returns the field `name` as a reference path, which selects a single location.
pub fn reference_path(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<Path> {
    checked(node, name, Mode::Reference, name != "ResultPath", cx)
}

fn checked(node: &Node, name: &str, mode: Mode, is_read: bool, cx: &mut AslParseCx) -> Option<Path> {
    let text = fields::static_text(node, name, cx)?;
    if is_call(&text.value) {
        let message = format!("`{name}` must be a path, found an intrinsic function");
        cx.push(
            Diagnostic::new(&WF0301, text.span, message).help(
                "compute the value in `Parameters` of an earlier Pass state, and write the path of the value here",
            ),
        );
        return None;
    }
    let roots = Checking { read_at: is_read.then_some(cx.place) };
    let path = jsonpath::parse(text, mode, &roots, cx.diagnostics)?;
    let is_bare = path.expr == path.base;
    Some(Path { text: text.clone(), mode, root: path.root, is_bare })
}

/// Returns the field `name` as a reference path or an intrinsic function.
pub fn path_or_intrinsic(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<PathOrIntrinsic> {
    let text = text(node, name, cx.diagnostics)?;
    if fields::unbound_name(text, name, cx) {
        return None;
    }
    intrinsics::path_or_intrinsic(text, &Checking::reading(cx), cx.diagnostics)?;
    Some(PathOrIntrinsic(text.clone()))
}

/// Returns the field `name` as a payload template that is an object (ASL §Payload Template).
pub fn template(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    if !matches!(node.tree, Tree::Object(_)) {
        wrong_type(node, name, "an object", cx.diagnostics);
        return None;
    }
    payload(node, name, cx)
}

/// Returns the field `name` as a payload template of any type. The specification requires an
/// object for `Parameters`, and AWS takes any value.
pub fn payload(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    check_constants(node, name, false, cx);
    let unbound = unbound_names(node, cx);
    intrinsics::template(node, &Checking::reading(cx), cx.diagnostics)?;
    (!unbound).then(|| PayloadTemplate::JsonPath(node.clone()))
}

/// Reports placeholders in the names of a template's expressions. Returns `true` if there are any.
fn unbound_names(node: &Node, cx: &mut AslParseCx) -> bool {
    let mut has_unbound = false;
    match &node.tree {
        Tree::Object(entries) => {
            for Entry { key, value } in entries {
                has_unbound |= match value.as_text().filter(|_| key.value.ends_with(".$")) {
                    Some(text) => fields::unbound_name(text, &key.value, cx),
                    None => unbound_names(value, cx),
                };
            }
        }
        Tree::Array(items) => items.iter().for_each(|item| has_unbound |= unbound_names(item, cx)),
        _ => {}
    }
    has_unbound
}

/// Warns of constants that look like expressions. The name of their field probably lacks `.$`.
fn check_constants(node: &Node, name: &str, in_list: bool, cx: &mut AslParseCx) {
    match &node.tree {
        Tree::Object(entries) => {
            for entry in entries.iter().filter(|entry| !entry.key.value.ends_with(".$")) {
                check_constants(&entry.value, &entry.key.value, false, cx);
            }
        }
        Tree::Array(items) => items.iter().for_each(|item| check_constants(item, name, true, cx)),
        Tree::String(text) if jsonata::has_delimiters(&text.value) => {
            jsonata::warn_of_constant(text, cx.diagnostics);
        }
        Tree::String(text) if looks_dynamic(&text.value) => {
            let message = format!("`{}` is not evaluated: this field is a constant", text.value);
            let help = match name {
                "Parameters" => {
                    "put the expression into a field of an object, and end the name of the field with `.$`".to_owned()
                }
                name if in_list => format!("name the field `{name}.$`, and create the array with `States.Array`"),
                name => format!("name the field `{name}.$` to evaluate the expression"),
            };
            cx.push(Diagnostic::new(&codes::WF0457, text.span, message).help(help));
        }
        _ => {}
    }
}

fn looks_dynamic(text: &str) -> bool {
    let is_path = ["$.", "$$.", "$["].iter().any(|start| text.starts_with(start)) && !text.contains(' ');
    is_path || is_call(text)
}

/// Returns `true` if a text looks like an intrinsic function.
fn is_call(text: &str) -> bool {
    text.starts_with("States.") && text.ends_with(')') && text.contains('(')
}

impl Path {
    /// Returns `true` if the path starts from the state's data. Other paths start from a variable
    /// or the context object.
    pub fn is_input(&self) -> bool {
        self.root == Root::Document
    }

    /// Returns `true` if the path is `$`.
    pub fn is_whole(&self) -> bool {
        self.is_input() && self.is_bare
    }

    /// Returns the path as written.
    pub fn written(&self) -> &str {
        &self.text.value
    }

    /// Returns the span of the path.
    pub fn span(&self) -> Span {
        self.text.span
    }

    /// Lowers the path.
    pub fn lower(&self, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<JsonPath> {
        jsonpath::parse(&self.text, self.mode, roots, diagnostics)
    }

    /// Lowers the path to its value. The value is a fault at run time if the path selects nothing.
    pub fn value(&self, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
        self.lower(roots, diagnostics).map(required)
    }

    /// Lowers the path to what it selects, for a check.
    pub fn selection(&self, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
        self.lower(roots, diagnostics).map(selection)
    }

    /// Returns the steps of the path, or `None` if it can select several locations.
    pub fn steps(&self, diagnostics: &mut Diagnostics) -> Option<Vec<PathStep>> {
        self.lower(&Checking { read_at: None }, diagnostics)?.steps
    }
}

/// Returns the value that a path leads to, by the shortest call that can report an absent value.
fn required(path: JsonPath) -> Expr {
    if !path.can_be_absent() {
        return path.expr;
    }
    if path.root == Root::Document {
        if let Some(names) = path.plain_names() {
            return Expr::call(&PATH, vec![Arg::Value(path.base), Arg::Strs(names)]);
        }
        if let Some(steps) = path.plain_steps().map(<[PathStep]>::to_vec) {
            return Expr::call(&PATH_AT, vec![Arg::Value(path.base), Arg::Steps(steps)]);
        }
    }
    let steps = path.steps.unwrap_or_default();
    Expr::call(
        &REQUIRE_PATH,
        vec![Arg::Maybe(path.expr), Arg::Value(path.base), Arg::Str(path.text.into()), Arg::Steps(steps)],
    )
}

/// Returns the shortest call that selects the value of a path for a check.
fn selection(path: JsonPath) -> Expr {
    if path.root == Root::Document {
        if let Some(names) = path.plain_names() {
            return Expr::call(&AT, vec![Arg::Value(path.base), Arg::Strs(names)]);
        }
        if let Some(steps) = path.plain_steps().map(<[PathStep]>::to_vec) {
            return Expr::call(&AT_STEPS, vec![Arg::Value(path.base), Arg::Steps(steps)]);
        }
    }
    if !path.can_be_absent() {
        return computed(path.expr, &path.text);
    }
    let steps = path.steps.unwrap_or_default();
    Expr::call(
        &SELECTED,
        vec![Arg::Maybe(path.expr), Arg::Value(path.base), Arg::Str(path.text.into()), Arg::Steps(steps)],
    )
}

/// Returns the call that selects a value that is always present for a check. The text is that of
/// the field.
pub fn computed(value: Expr, text: &str) -> Expr {
    Expr::call(&COMPUTED, vec![Arg::Value(value), Arg::Str(text.into())])
}

impl PathOrIntrinsic {
    /// Returns the text as written.
    pub fn written(&self) -> &str {
        &self.0.value
    }

    /// Returns the span of the text.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Lowers the text to what it selects, for a check.
    pub fn selection(&self, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
        Some(match intrinsics::path_or_intrinsic(&self.0, roots, diagnostics)? {
            Dynamic::Intrinsic(expr) => computed(expr, &self.0.value),
            Dynamic::Path(path) => selection(path),
        })
    }
}

impl PayloadTemplate {
    /// Returns the span of the template.
    pub fn span(&self) -> Span {
        match self {
            PayloadTemplate::JsonPath(node) => node.span,
            PayloadTemplate::Jsonata(template) => template.span,
        }
    }

    /// Returns the places of the template and of its members.
    pub fn places(&self) -> InputTemplate {
        let node = match self {
            PayloadTemplate::JsonPath(node) => Some(node),
            PayloadTemplate::Jsonata(_) => None,
        };
        let names = node.and_then(Node::as_object).unwrap_or_default().iter().map(|Entry { key, .. }| {
            let name = key.value.strip_suffix(".$").unwrap_or(&key.value);
            (name.to_owned(), key.span_of(0, name.len()))
        });
        InputTemplate { span: Some(self.span()), names: names.collect() }
    }
}

/// Placeholder for the locals while an expression is only checked. Every variable counts as
/// defined.
struct Checking {
    /// The place at which a path is read. `None` if a path that selects nothing is no fault.
    read_at: Option<ExpressionPlace>,
}

impl Checking {
    /// Returns the roots of an expression that is read at the place of the parser.
    fn reading(cx: &AslParseCx) -> Checking {
        Checking { read_at: Some(cx.place) }
    }
}

impl Roots for Checking {
    fn document(&self) -> Expr {
        Expr::Local(LocalId(0))
    }

    fn check_context(&self, steps: &[(PathStep, Span)], diagnostics: &mut Diagnostics) {
        if let Some(place) = self.read_at {
            context::check(steps, place, diagnostics);
        }
    }

    fn variable(&self, _name: &str, _span: Span, _diagnostics: &mut Diagnostics) -> Option<Expr> {
        Some(Expr::Local(LocalId(0)))
    }
}
