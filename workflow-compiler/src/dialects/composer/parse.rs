//! Parser from the spanned tree to the AST. It reports all errors in fields and names of states.
//!
//! Unknown fields are ignored (FORMAT.md §Specification).

use super::ast::{Composition, Name, State, StateKind};
use crate::diagnostics::suggest::{did_you_mean, listed, nearest};
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes, codes::graph as graph_codes};
use crate::dialects::object::Object;
use crate::syntax::wrong_type;
use crate::syntax::{Entry, Node, Tree};
use std::collections::BTreeMap;

const TYPES: &[&str] = &["Pass", "Task", "Choice", "Push", "Pop", "Try", "Catch", "Let", "End"];
const FIELDS: &[&str] = &["Type", "Next", "Action", "Function", "Value", "Then", "Else", "Handler", "Symbol", "Helper"];
/// Names that a variable cannot have in strict mode (ECMA-262 §12.7.2, §13.1.1), and names that
/// would hide a name that every function sees.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Parses a composition. Returns `None` after reporting an error.
pub fn parse(definition: &Node, diagnostics: &mut Diagnostics) -> Option<Composition> {
    let top = &["Entry", "Exit", "States"];
    let fields = Object::exact(definition, "a composition", diagnostics)?;
    let mut name = |name: &str| {
        fields.require(name, top, diagnostics)?;
        state_name(&fields, name, diagnostics)
    };
    let (entry, exit) = (name("Entry"), name("Exit"));
    let node = fields.require("States", top, diagnostics)?;
    let entries = match &node.tree {
        Tree::Object(entries) if entries.is_empty() => {
            diagnostics.push(Diagnostic::new(&codes::WF0412, node.span, "`States` is empty").help("add a state"));
            return None;
        }
        Tree::Object(entries) => entries,
        _ => {
            wrong_type(node, "States", "an object", diagnostics);
            return None;
        }
    };
    let names: BTreeMap<&str, ()> = entries.iter().map(|entry| (entry.key.value.as_str(), ())).collect();
    let mut cx = Cx { names, exit: exit.clone(), diagnostics };
    [&entry, &exit].into_iter().flatten().for_each(|name| cx.check(name));
    let states: Vec<State> = entries.iter().filter_map(|entry| state(entry, &mut cx)).collect();
    let complete = states.len() == entries.len() && !diagnostics.has_errors();
    Some(Composition { entry: entry?, exit: exit?, states, span: definition.span }).filter(|_| complete)
}

struct Cx<'a> {
    names: BTreeMap<&'a str, ()>,
    exit: Option<Name>,
    diagnostics: &'a mut Diagnostics,
}

impl Cx<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a name that no state has.
    fn check(&mut self, name: &Name) {
        if self.names.contains_key(&*name.value) {
            return;
        }
        let names = self.names.keys().copied();
        let help =
            did_you_mean(&name.value, names.clone()).unwrap_or_else(|| format!("the states are {}", listed(names)));
        let message = format!("state `{}` does not exist", name.value);
        self.push(Diagnostic::new(&graph_codes::WF0201, name.span, message).label("not found").help(help));
    }

    /// Parses a required field that names a state.
    fn target(&mut self, fields: &Object, name: &str) -> Option<Name> {
        fields.require(name, FIELDS, self.diagnostics)?;
        let name_of_state = state_name(fields, name, self.diagnostics)?;
        self.check(&name_of_state);
        Some(name_of_state)
    }
}

fn state(entry: &Entry, cx: &mut Cx) -> Option<State> {
    let fields = Object::exact(&entry.value, "a state", cx.diagnostics)?;
    fields.require("Type", FIELDS, cx.diagnostics)?;
    let kind = fields.text("Type", cx.diagnostics)?;
    let Some(kind) = TYPES.iter().find(|known| **known == kind.value) else {
        let near = TYPES.iter().find(|known| known.eq_ignore_ascii_case(&kind.value)).copied();
        let help = match near.or_else(|| nearest(&kind.value, TYPES.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the types are `{}`", TYPES.join("`, `")),
        };
        let message = format!("unknown state type `{}`", kind.value);
        cx.push(Diagnostic::new(&codes::WF0407, kind.span, message).help(help));
        return None;
    };
    let name = Name::new(entry.key.value.as_str().into(), entry.key.span);
    let fields = fields.named(match *kind {
        "Pass" => "a Pass state",
        "Push" => "a Push state",
        "Pop" => "a Pop state",
        "Catch" => "a Catch state",
        "End" => "an End state",
        "Task" => "a Task state",
        "Try" => "a Try state",
        "Let" => "a Let state",
        _ => "a Choice state",
    });
    let kind = match *kind {
        "Pass" => Some(StateKind::Pass),
        "Push" => Some(StateKind::Push),
        "Pop" => Some(StateKind::Pop),
        "Catch" => Some(StateKind::Catch),
        "End" => Some(StateKind::End),
        "Task" => task(&fields, cx),
        "Try" => cx.target(&fields, "Handler").map(|handler| StateKind::Try { handler }),
        "Let" => variable(&fields, cx),
        _ => {
            let (then, otherwise) = (cx.target(&fields, "Then"), cx.target(&fields, "Else"));
            then.zip(otherwise).map(|(then, otherwise)| StateKind::Choice { then, otherwise })
        }
    };
    let next = match fields.owner {
        "a Choice state" => choice_leads(&name, &fields, cx),
        _ => next(&name, &fields, cx),
    };
    Some(State { name, kind: kind?, next: next?, span: entry.key.span.to(entry.value.span) })
}

/// Parses `Next`, which every state has except the final one and a Choice.
fn next(name: &Name, fields: &Object, cx: &mut Cx) -> Option<Option<Name>> {
    let is_final = cx.exit.as_ref().is_some_and(|exit| exit.value == name.value);
    let Some(entry) = fields.entry("Next") else {
        if is_final {
            return Some(None);
        }
        // Without a readable `Exit`, the final state is unknown.
        if cx.exit.is_some() {
            fields.require("Next", FIELDS, cx.diagnostics);
        }
        return None;
    };
    let target = state_name(fields, "Next", cx.diagnostics)?;
    cx.check(&target);
    if is_final {
        let exit = cx.exit.as_ref().map(|exit| exit.span);
        let message = format!("the final state `{}` has a `Next`", name.value);
        let mut diagnostic = Diagnostic::new(&codes::WF0408, entry.key.span, message)
            .help("remove `Next`, or name the last state in `Exit`");
        if let Some(exit) = exit {
            diagnostic = diagnostic.related(exit, "`Exit` names it here");
        }
        cx.push(diagnostic);
        return None;
    }
    Some(Some(target))
}

/// Reports a Choice that is the final state ([Q9](docs/composer.md#q9)).
fn choice_leads(name: &Name, fields: &Object, cx: &mut Cx) -> Option<Option<Name>> {
    let Some(exit) = cx.exit.clone().filter(|exit| exit.value == name.value) else { return Some(None) };
    let message = format!("the final state `{}` cannot be a Choice", name.value);
    cx.push(
        Diagnostic::new(&codes::WF0408, fields.span.opening(), message)
            .related(exit.span, "`Exit` names it here")
            .help("point both transitions to a Pass state, and name that state in `Exit`"),
    );
    None
}

/// Parses a Task. `Action` wins over `Value`, and `Value` over `Function`, as in the conductor.
fn task(fields: &Object, cx: &mut Cx) -> Option<StateKind> {
    if fields.get("Action").is_some() {
        let action = fields.text("Action", cx.diagnostics)?;
        if !is_action(&action.value) {
            let message = format!("`{}` is not a valid action name", action.value);
            let diagnostic = Diagnostic::new(&codes::WF0410, action.span, message);
            cx.push(diagnostic.help("write `name`, `package/name`, `/namespace/name` or `/namespace/package/name`"));
            return None;
        }
        return Some(StateKind::Action(action.clone()));
    }
    if let Some(value) = fields.get("Value") {
        return Some(StateKind::Value(value.clone()));
    }
    if fields.get("Function").is_some() {
        return fields.text("Function", cx.diagnostics).cloned().map(StateKind::Function);
    }
    let kinds = ["Action", "Function", "Value"];
    let intended = fields.misspelling(&kinds, |written| FIELDS.contains(&written));
    let message = "missing `Action`, `Function` or `Value` in a Task state";
    cx.push(match intended {
        Some((entry, near)) => {
            Diagnostic::new(&codes::WF0401, entry.key.span, message).help(format!("did you mean `{near}`?"))
        }
        None => {
            Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help("add an action, a function or a value")
        }
    });
    None
}

/// Returns a field that names a state, if it is present.
fn state_name(fields: &Object, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
    fields.text(name, diagnostics).map(|text| Name::new(text.value.as_str().into(), text.span))
}

/// Returns `true` for `name` or `package/name`, both also after `/namespace/`.
fn is_action(name: &str) -> bool {
    let (parts, most) = match name.strip_prefix('/') {
        Some(path) => (path.split('/').collect::<Vec<_>>(), 2..=3),
        None => (name.split('/').collect(), 1..=2),
    };
    most.contains(&parts.len()) && parts.iter().all(|part| !part.trim().is_empty())
}

fn variable(fields: &Object, cx: &mut Cx) -> Option<StateKind> {
    let symbol = fields.require("Symbol", FIELDS, cx.diagnostics).and_then(|_| fields.text("Symbol", cx.diagnostics));
    let value = fields.require("Value", FIELDS, cx.diagnostics);
    let symbol = symbol?;
    let mut characters = symbol.value.chars();
    let starts = characters.next().is_some_and(|c| unicode_ident::is_xid_start(c) || matches!(c, '_' | '$'));
    if !starts || !characters.all(|c| unicode_ident::is_xid_continue(c) || matches!(c, '$' | '\u{200c}' | '\u{200d}')) {
        let message = format!("`{}` is not a valid JavaScript variable name", symbol.value);
        cx.push(
            Diagnostic::new(&codes::WF0410, symbol.span, message)
                .help("use a letter, `_` or `$`, followed by letters, digits, `_` or `$`"),
        );
        return None;
    }
    if RESERVED.contains(&symbol.value.as_str()) {
        let message = format!("`{}` is a reserved word of JavaScript", symbol.value);
        let diagnostic = Diagnostic::new(&codes::WF0410, symbol.span, message);
        cx.push(diagnostic.help(format!("choose another name, such as `{}_`", symbol.value)));
        return None;
    }
    Some(StateKind::Let { symbol: symbol.clone(), value: value?.clone() })
}
