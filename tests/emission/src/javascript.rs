//! Functions of compositions.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::json;

pub(crate) const SHAPES: u8 = 8;

/// The number of places for names of variables. The other places are for keys and strings.
const NAMES: usize = 12;
/// The depth of the deepest expression.
const DEPTH: usize = 4;

/// Words of Rust and of generated code that are ordinary names in JavaScript.
const PLAIN: &[&str] = &[
    "Box", "Err", "Js", "None", "Ok", "Option", "Self", "Some", "Turn", "Value", "Vec", "abstract", "as", "box",
    "crate", "current", "dyn", "fn", "gen", "impl", "input", "item", "js", "loop", "macro", "match", "mod", "move",
    "mut", "params", "priv", "pub", "ref", "rt", "run", "self", "state", "str", "struct", "trait", "turn", "type",
    "u8", "union", "unsafe", "unsized", "use", "value", "virtual", "where",
];

/// Fits a text to its place: a name of a variable, or a key or string.
pub(crate) fn fitted(place: usize, text: &str) -> String {
    if place >= NAMES {
        // Names of built-in members are reserved, also as keys.
        let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        return if is_word { format!("k{text}") } else { text.to_owned() };
    }
    let mut name = String::new();
    for c in text.chars() {
        let fits = match name.is_empty() {
            true => matches!(c, '$' | '_') || unicode_ident::is_xid_start(c),
            false => c == '$' || unicode_ident::is_xid_continue(c),
        };
        if fits {
            name.push(c);
        }
    }
    // Other words may be keywords or built-ins.
    if name.is_ascii() && !name.contains('$') && !PLAIN.contains(&&*name) { format!("q{name}") } else { name }
}

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let shape = choices.below(usize::from(SHAPES));
    let mut writer = Writer { choices, texts, scope: vec![0, 1], budget: 40 };
    let function = writer.function(shape);
    let text = format!(
        r#"{{"Entry": "let", "Exit": "run", "States": {{
  "let": {{ "Type": "Let", "Symbol": "{}", "Value": 1, "Next": "also" }},
  "also": {{ "Type": "Let", "Symbol": "{}", "Value": {{ "{}": 1 }}, "Next": "run" }},
  "run": {{ "Type": "Task", "Function": "{}", "Next": "end" }},
  "end": {{ "Type": "End", "Next": "done" }},
  "done": {{ "Type": "End" }}
}}}}"#,
        json(texts.get(0)),
        json(texts.get(1)),
        json(texts.get(14)),
        json(&function)
    )
    .replace(r#""Exit": "run""#, r#""Exit": "done""#);
    Definition { file: "flow.composer.json".to_owned(), text, name: None, files: Vec::new() }
}

struct Writer<'a, 'b> {
    choices: &'a mut Choices<'b>,
    texts: &'a Texts,
    /// The places of the declared names.
    scope: Vec<usize>,
    /// The number of statements and expressions that may still be written.
    budget: usize,
}

impl Writer<'_, '_> {
    fn function(&mut self, shape: usize) -> String {
        let [a, b, c] = [2, 3, 4].map(|at| self.name(at));
        self.scope.extend([2, 3, 4]);
        let keys = [self.key(12), self.key(13)];
        let head = match shape {
            0 | 1 => format!("({{ {}: {a}, {}: {{ x: {b} = 1 }} = {{}}, ...{c} }}) =>", keys[0], keys[1]),
            2 => format!("function {a}({b}, {c} = 2)"),
            3 => format!("({a}, [{b}, ...{c}] = []) =>"),
            _ => {
                self.scope.truncate(3);
                format!("{a} =>")
            }
        };
        let body = self.block(3, 5);
        let last = self.expr(DEPTH);
        format!("{head} {{ {body} return {last} }}")
    }

    fn name(&self, place: usize) -> String {
        self.texts.get(place).to_owned()
    }

    fn declared(&mut self) -> String {
        let at = self.choices.below(self.scope.len());
        self.name(self.scope[at])
    }

    /// Returns the place of the name for a declaration in a new block.
    fn fresh(&mut self) -> usize {
        2 + self.choices.below(NAMES - 2)
    }

    fn string(&mut self, place: usize) -> String {
        let mut string = String::new();
        for c in self.texts.get(place).chars() {
            match c {
                '\'' | '\\' => string.extend(['\\', c]),
                '\n' => string.push_str("\\n"),
                '\r' => string.push_str("\\r"),
                _ => string.push(c),
            }
        }
        format!("'{string}'")
    }

    fn key(&mut self, place: usize) -> String {
        self.string(place)
    }

    fn text_place(&mut self) -> usize {
        NAMES + self.choices.below(8)
    }

    fn block(&mut self, depth: usize, most: usize) -> String {
        let outside = self.scope.len();
        let count = 1 + self.choices.below(most);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(outside);
        statements.join(" ")
    }

    fn statement(&mut self, depth: usize) -> String {
        if self.budget == 0 || depth == 0 {
            return format!("{} = {};", self.declared(), self.expr(1));
        }
        self.budget -= 1;
        match self.choices.below(13) {
            0 => format!("{} = {};", self.declared(), self.expr(DEPTH)),
            1 => {
                let (place, value) = (self.fresh(), self.expr(DEPTH));
                let name = self.name(place);
                self.scope.push(place);
                // The block lets the declaration hide an outer one.
                let rest = self.block(depth - 1, 2);
                self.scope.pop();
                format!("{{ let {name} = {value}; {rest} }}")
            }
            2 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.expr(2),
                self.block(depth - 1, 2),
                self.block(depth - 1, 2)
            ),
            3 => {
                let (place, list) = (self.fresh(), self.expr(2));
                let name = self.name(place);
                self.scope.push(place);
                let body = self.block(depth - 1, 2);
                self.scope.pop();
                format!("for (const {name} of [{list}]) {{ {body} }}")
            }
            4 => {
                let tried = self.block(depth - 1, 2);
                let place = self.fresh();
                let name = self.name(place);
                self.scope.push(place);
                let caught = self.block(depth - 1, 2);
                self.scope.pop();
                format!("try {{ {tried} }} catch ({name}) {{ {caught} }}")
            }
            5 => {
                let (inner, place) = (self.fresh(), self.fresh());
                let (inner, name) = (self.name(inner), self.name(place));
                let body = self.expr(2);
                format!(
                    "{{ function {name}({inner}) {{ return [{inner}, {body}] }} {} = {name}(1); }}",
                    self.declared()
                )
            }
            6 => {
                let label = self.fresh();
                let label = self.name(label);
                format!(
                    "{label}: for (let i = 0; i < 3; i++) {{ {} if (i) continue {label}; break {label} }}",
                    self.block(depth - 1, 2)
                )
            }
            7 => {
                let (key, place) = (self.text_place(), self.fresh());
                let (key, name, from) = (self.key(key), self.name(place), self.declared());
                self.scope.push(place);
                let rest = self.block(depth - 1, 2);
                self.scope.pop();
                format!("{{ const {{ {key}: {name} = 1 }} = {from}; {rest} }}")
            }
            8 => {
                let text = self.text_place();
                let text = self.texts.get(text).replace("*/", "* /");
                format!("/* {text} */ ;")
            }
            9 => {
                let text = self.text_place();
                let text = self.texts.get(text).replace(['\n', '\r', '\u{2028}', '\u{2029}'], " ");
                format!("// {text}\n")
            }
            10 => {
                let (first, second) = (self.text_place(), self.text_place());
                let (first, second) = (self.string(first), self.string(second));
                format!(
                    "switch ({}) {{ case {first}: {} break; case {second}: default: {} }}",
                    self.declared(),
                    self.block(depth - 1, 1),
                    self.block(depth - 1, 1)
                )
            }
            11 => {
                let key = self.text_place();
                format!("{}[{}] = {};", self.declared(), self.key(key), self.expr(2))
            }
            _ => {
                let text = self.text_place();
                format!("if ({}) throw new TypeError({});", self.expr(1), self.string(text))
            }
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.budget == 0 {
            return self.declared();
        }
        self.budget -= 1;
        let d = depth - 1;
        match self.choices.below(13) {
            0 => self.declared(),
            1 => {
                let text = self.text_place();
                self.string(text)
            }
            2 => {
                let (one, other) = (self.text_place(), self.text_place());
                format!(
                    "({{ {}: {}, [{}]: {}, ...{} }})",
                    self.key(one),
                    self.expr(d),
                    self.key(other),
                    self.expr(d),
                    self.declared()
                )
            }
            3 => {
                let key = self.text_place();
                format!("({})?.[{}]", self.expr(d), self.key(key))
            }
            4 => {
                let text = self.text_place();
                let text = crate::template::quoted(self.texts.get(text), &['\\', '`', '$']);
                format!("`{text}${{{}}}{text}`", self.expr(d))
            }
            5 => {
                let (one, other) = (self.fresh(), self.fresh());
                let names = format!("({{ a: {}, ...rest }}, {})", self.name(one), self.name(other));
                self.scope.extend([one, other]);
                let body = self.expr(d);
                self.scope.truncate(self.scope.len() - 2);
                format!("({names} => ({body}))")
            }
            6 => {
                let place = self.fresh();
                let name = self.name(place);
                let list = self.expr(d);
                self.scope.push(place);
                let body = self.expr(d);
                self.scope.pop();
                format!("[{list}].map({name} => {body})")
            }
            7 => format!("({} + {})", self.expr(d), self.expr(d)),
            8 => format!("({} ? {} : {})", self.expr(d), self.expr(d), self.expr(d)),
            9 => format!("({} ?? {})", self.expr(d), self.expr(d)),
            10 => format!("JSON.stringify({})", self.expr(d)),
            11 => format!("({} = {})", self.declared(), self.expr(d)),
            _ => {
                let (name, text) = (self.declared(), self.text_place());
                format!("({name} === {})", self.string(text))
            }
        }
    }
}
