//! Programs in jq.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::json;

pub(crate) const SHAPES: u8 = 4;

/// The number of places for names of variables and functions. The other places are for keys and
/// strings.
const NAMES: usize = 10;
/// The depth of the deepest expression.
const DEPTH: usize = 5;

/// Words of Rust and of generated code that have no meaning in jq.
const PLAIN: &[&str] = &[
    "Box", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Turn", "Value", "Vec", "async", "await",
    "const", "crate", "current", "dyn", "enum", "extern", "fn", "for", "gen", "impl", "item", "jq", "let", "loop",
    "match", "mod", "move", "mut", "pub", "ref", "return", "rt", "self", "static", "struct", "super", "time", "trait",
    "turn", "type", "union", "unsafe", "use", "value_of", "where", "while", "yield",
];

/// Fits a text to its place: a name, or a key or string.
pub(crate) fn fitted(place: usize, text: &str) -> String {
    if place >= NAMES {
        return text.to_owned();
    }
    let name: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if PLAIN.contains(&&*name) { name } else { format!("q{name}") }
}

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let shape = choices.below(usize::from(SHAPES));
    let mut writer = Writer { choices, texts, variables: Vec::new(), functions: Vec::new(), budget: 40 };
    let program = writer.expr(DEPTH);
    let other = writer.expr(3);
    let (program, other) = (json(&program), json(&other));
    let (file, text) = match shape {
        0 | 1 => (
            "flow.sm4c.json",
            format!(
                r#"{{"name": "flow", "version": "1", "events": [{{ "name": "made" }}], "states": [
  {{ "name": "One", "start": true, "enterResultHandler": "${{ .made = ({program}) }}", "transitions": [{{ "condition": "${{ {other} }}", "nextState": "Two" }}, {{ "nextState": "Two" }}] }},
  {{ "name": "Two", "enterResultHandler": "${{ {other} }}", "exitAction": {{ "type": "sendEvent", "event": "made", "expression": "${{ {program} }}" }} }}
]}}"#
            ),
        ),
        2 => (
            "flow.workflow-dsl.json",
            format!(
                r#"{{"id": "flow", "namespace": "shop", "name": "flow", "version": "1.0", "specVersion": "0.1", "firstActivity": "One", "workflowDataFilter": {{ "output": "${{ {program} }}" }}, "activities": [
  {{ "name": "One", "type": "switch", "dataConditions": [{{ "name": "a", "condition": "${{ {other} }}", "end": true }}], "defaultCondition": {{ "transition": "Two" }} }},
  {{ "name": "Two", "type": "inject", "data": {{ "a": "${{ {program} }}" }}, "end": true }}
]}}"#
            ),
        ),
        _ => (
            "flow.serverless-workflow.json",
            format!(
                r#"{{"id": "flow", "name": "flow", "expressionLanguage": "jq", "functions": [{{ "name": "act", "resource": "a/b" }}], "states": [
  {{ "name": "One", "type": "operation", "start": {{ "kind": "default" }}, "actions": [{{ "functionRef": {{ "refName": "act" }} }}], "onError": [{{ "expression": "{other}", "transition": {{ "nextState": "Two" }} }}], "transition": {{ "nextState": "Two", "expression": "{program}" }} }},
  {{ "name": "Two", "type": "inject", "data": {{ }}, "end": {{ "kind": "default" }} }}
]}}"#
            ),
        ),
    };
    Definition { file: file.to_owned(), text, name: None, files: Vec::new() }
}

struct Writer<'a, 'b> {
    choices: &'a mut Choices<'b>,
    texts: &'a Texts,
    /// The places of the bound variables.
    variables: Vec<usize>,
    /// The places of the defined functions.
    functions: Vec<usize>,
    /// The number of expressions that may still be written.
    budget: usize,
}

impl Writer<'_, '_> {
    fn name(&mut self) -> usize {
        self.choices.below(NAMES)
    }

    fn text(&mut self) -> usize {
        NAMES + self.choices.below(10)
    }

    fn string(&mut self) -> String {
        let place = self.text();
        let mut string = String::new();
        for c in self.texts.get(place).chars() {
            match c {
                '"' | '\\' => string.extend(['\\', c]),
                c if c.is_control() => string.push_str(&format!("\\u{:04x}", u32::from(c))),
                _ => string.push(c),
            }
        }
        string
    }

    /// Writes an expression in whose scope a variable is bound.
    fn within(&mut self, place: usize, depth: usize) -> String {
        self.variables.push(place);
        let body = self.expr(depth);
        self.variables.pop();
        body
    }

    fn leaf(&mut self) -> String {
        match self.choices.below(4) {
            0 if !self.variables.is_empty() => {
                let at = self.choices.below(self.variables.len());
                format!("${}", self.texts.get(self.variables[at]))
            }
            1 if !self.functions.is_empty() => {
                let at = self.choices.below(self.functions.len());
                self.texts.get(self.functions[at]).to_owned()
            }
            2 => format!("\"{}\"", self.string()),
            _ => ".".to_owned(),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.budget == 0 {
            return self.leaf();
        }
        self.budget -= 1;
        let d = depth - 1;
        match self.choices.below(20) {
            0 => self.leaf(),
            1 => format!(".[\"{}\"]", self.string()),
            2 => format!(".\"{}\"", self.string()),
            3 => {
                let name = self.name();
                format!(".{}", self.texts.get(name))
            }
            4 => {
                let (name, source) = (self.name(), self.expr(d));
                let body = self.within(name, d);
                format!("(({source}) as ${} | {body})", self.texts.get(name))
            }
            5 => {
                let (name, source, init) = (self.name(), self.expr(d), self.expr(d));
                let body = self.within(name, d);
                format!("reduce ({source})[]? as ${} ({init}; {body})", self.texts.get(name))
            }
            6 => {
                let (name, source) = (self.name(), self.expr(d));
                let (update, extract) = (self.within(name, d), self.within(name, d));
                format!("[foreach ({source})[]? as ${} (0; {update}; {extract})]", self.texts.get(name))
            }
            7 => {
                let (name, param, inner) = (self.name(), self.name(), self.expr(d));
                let body = self.within(param, d);
                self.functions.push(name);
                let rest = self.expr(d);
                self.functions.pop();
                let (name, param) = (self.texts.get(name), self.texts.get(param));
                format!("(def {name}: {inner}; def {name}(${param}): {body}; {rest}, {name}({rest}))")
            }
            8 => {
                let label = self.name();
                let body = self.expr(d);
                let label = self.texts.get(label);
                format!("[label ${label} | ({body}), break ${label}]")
            }
            9 => {
                let (one, other) = (self.string(), self.name());
                let (first, second, third) = (self.expr(d), self.expr(d), self.expr(d));
                format!("{{\"{one}\": ({first}), {}: ({second}), (({third}) | tostring): 1}}", self.texts.get(other))
            }
            10 => format!("\"{}\\({}){}\"", self.string(), self.expr(d), self.string()),
            11 => format!("@base64 \"{}\\({})\"", self.string(), self.expr(d)),
            12 => {
                let (one, other, key, source) = (self.name(), self.name(), self.string(), self.expr(d));
                self.variables.push(one);
                let body = self.within(other, d);
                self.variables.pop();
                let (one, other) = (self.texts.get(one), self.texts.get(other));
                format!("(({source}) as [${one}, {{\"{key}\": ${other}}}] | {body})")
            }
            13 => format!("(try error(\"{}\") catch ({}))", self.string(), self.expr(d)),
            14 => format!("(.\"{}\" |= ({}))", self.string(), self.expr(d)),
            15 => format!("(({}) | {})", self.expr(d), self.expr(d)),
            16 => format!("(if {} then {} else {} end)", self.expr(d), self.expr(d), self.expr(d)),
            17 => format!("(({}) == ({}))", self.expr(d), self.expr(d)),
            18 => {
                let text = self.string().replace(['\\', '\n', '\r'], " ");
                format!("({} # {text}\n)", self.expr(d))
            }
            _ => format!("([{}[]?] | map({}) | test(\"{}\"))", self.expr(d), self.expr(d), "a"),
        }
    }
}
