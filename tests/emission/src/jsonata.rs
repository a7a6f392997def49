//! Expressions in JSONata.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::json;
use std::collections::BTreeSet;

pub(crate) const SHAPES: u8 = 3;

/// The number of places for names of variables and members. The other places are for keys, quoted
/// names, strings and comments.
const NAMES: usize = 10;
/// The place for the name of a variable of the workflow.
const ASSIGNED: usize = 23;
/// The number of forms of expressions.
const FORMS: usize = 24;
/// The depth of the deepest expression.
const DEPTH: usize = 5;

/// Words of Rust and of generated code that are no operators of JSONata.
const PLAIN: &[&str] = &[
    "Box", "Err", "Item", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Turn", "Value", "Vec", "async",
    "await", "const", "crate", "current", "dyn", "else", "enum", "extern", "fn", "for", "gen", "if", "impl", "item",
    "jsonata", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "rt", "run", "self", "static",
    "struct", "super", "trait", "turn", "type", "unsafe", "use", "where", "while", "yield",
];

/// Fits a text to its place: a name, or a key, a quoted name or a string.
pub(crate) fn fitted(place: usize, text: &str) -> String {
    if place >= NAMES && place != ASSIGNED {
        return text.to_owned();
    }
    let name: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    match PLAIN.contains(&&*name) {
        true => name,
        // A name that ends in `s` would name an array, and its singular the items. The plain words
        // end in no `s`, so this one does not either.
        false => format!("q{name}").trim_end_matches('s').to_owned(),
    }
}

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let shape = choices.below(usize::from(SHAPES));
    let mut writer = Writer { choices, texts, variables: Vec::new(), budget: 40, forms: BTreeSet::new() };
    let [first, second, third, fourth] = writer.fields();
    let name = json(texts.get(ASSIGNED));
    let states = match shape {
        0 => format!(
            r#""One": {{ "Type": "Pass", "Assign": {{ "{name}": "{first}" }}, "Output": "{{% $states.input %}}", "Next": "Two" }},
  "Two": {{ "Type": "Choice", "Choices": [{{ "Condition": "{second}", "Assign": {{ "{name}": "{third}" }}, "Next": "Three" }}], "Default": "Three" }},
  "Three": {{ "Type": "Pass", "Output": {{ "a": "{fourth}", "b": ["{fourth}", "{second}"] }}, "End": true }}"#
        ),
        1 => format!(
            r#""One": {{ "Type": "Pass", "Assign": {{ "{name}": "{first}" }}, "Next": "Two" }},
  "Two": {{ "Type": "Task", "Resource": "act", "Arguments": {{ "a": "{second}" }}, "Output": "{third}", "TimeoutSeconds": "{{% 5 %}}", "Catch": [{{ "ErrorEquals": ["States.ALL"], "Output": "{fourth}", "Next": "Three" }}], "Next": "Three" }},
  "Three": {{ "Type": "Fail", "Cause": "{fourth}" }}"#
        ),
        _ => format!(
            r#""One": {{ "Type": "Pass", "Assign": {{ "{name}": "{first}" }}, "Next": "Two" }},
  "Two": {{ "Type": "Map", "Items": "{second}", "ItemSelector": {{ "a": "{third}" }}, "ItemProcessor": {{ "StartAt": "In", "States": {{ "In": {{ "Type": "Pass", "Output": "{fourth}", "End": true }} }} }}, "Next": "Three" }},
  "Three": {{ "Type": "Wait", "Seconds": "{{% $states.input.n %}}", "End": true }}"#
        ),
    };
    let text = format!(r#"{{"QueryLanguage": "JSONata", "StartAt": "One", "States": {{ {states} }}}}"#);
    Definition { file: "flow.asl.json".to_owned(), text, name: None, files: Vec::new() }
}

struct Writer<'a, 'b> {
    choices: &'a mut Choices<'b>,
    texts: &'a Texts,
    /// The places of the bound variables.
    variables: Vec<usize>,
    /// The number of expressions that may still be written.
    budget: usize,
    /// The forms of the expressions that are written.
    forms: BTreeSet<usize>,
}

impl Writer<'_, '_> {
    /// Writes the fields of a definition. The variable of the workflow has a value after the
    /// first.
    fn fields(&mut self) -> [String; 4] {
        let first = self.field(DEPTH);
        self.variables.push(ASSIGNED);
        let [second, third, fourth] = [3, 3, 2].map(|depth| self.expr(depth));
        // The compiler cannot see whether the kind of the value fits the field.
        let second = format!("$exists($states.input.q) ? $states.input.q : ({second})");
        let [second, third, fourth] = [second, third, fourth].map(|text| json(&format!("{{% {text} %}}")));
        [first, second, third, fourth]
    }

    /// Writes an expression as a field of a definition.
    fn field(&mut self, depth: usize) -> String {
        json(&format!("{{% {} %}}", self.expr(depth)))
    }

    fn name(&mut self) -> usize {
        self.choices.below(NAMES)
    }

    fn named(&mut self) -> String {
        let place = self.name();
        self.texts.get(place).to_owned()
    }

    fn text(&mut self) -> &str {
        let place = NAMES + self.choices.below(ASSIGNED - NAMES);
        self.texts.get(place)
    }

    fn string(&mut self) -> String {
        let mut string = String::new();
        for c in self.text().chars() {
            match c {
                '"' | '\\' => string.extend(['\\', c]),
                c if c.is_control() => string.push_str(&format!("\\u{:04x}", u32::from(c))),
                _ => string.push(c),
            }
        }
        format!("\"{string}\"")
    }

    fn quoted_name(&mut self) -> String {
        format!("`{}`", self.text().replace('`', " "))
    }

    fn comment(&mut self) -> String {
        format!("/* {} */", self.text().replace("*/", "* /"))
    }

    /// Writes a regular expression that matches a text.
    fn pattern(&mut self) -> String {
        let escaped = |c: char| match c {
            c if c.is_alphanumeric() => c.to_string(),
            c => format!("\\u{:04x}", u32::from(c).min(0xffff)),
        };
        let pattern: String = self.text().chars().map(escaped).collect();
        format!("/a|{pattern}/i")
    }

    /// Writes an expression in whose scope variables are bound.
    fn within<const N: usize>(&mut self, places: [usize; N], depth: usize) -> String {
        self.variables.extend(places);
        let body = self.expr(depth);
        self.variables.truncate(self.variables.len() - N);
        body
    }

    fn variable(&self, place: usize) -> String {
        format!("${}", self.texts.get(place))
    }

    fn leaf(&mut self) -> String {
        match self.choices.below(5) {
            0 | 1 if !self.variables.is_empty() => {
                let at = self.choices.below(self.variables.len());
                self.variable(self.variables[at])
            }
            2 => self.string(),
            3 => format!("$states.input.{}", self.named()),
            _ => "$states.input".to_owned(),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.budget == 0 {
            return self.leaf();
        }
        self.budget -= 1;
        let d = depth - 1;
        let form = self.choices.below(FORMS);
        self.forms.insert(form);
        match form {
            0 => self.leaf(),
            1 => format!("({}).{}", self.expr(d), self.named()),
            2 => format!("({}).{}", self.expr(d), self.quoted_name()),
            3 => {
                let (name, source) = (self.name(), self.expr(d));
                let body = self.within([name], d);
                format!("({} := {source}; {body})", self.variable(name))
            }
            4 => {
                let (one, other, first, second) = (self.name(), self.name(), self.expr(d), self.expr(d));
                let body = self.within([one, other], d);
                format!("(function({}, {}){{ {body} }})({first}, {second})", self.variable(one), self.variable(other))
            }
            5 => {
                let (item, at, source) = (self.name(), self.name(), self.expr(d));
                let body = self.within([item, at], d);
                format!("$map({source}, function({}, {}){{ {body} }})", self.variable(item), self.variable(at))
            }
            6 => {
                let (function, param) = (self.name(), self.name());
                let body = self.within([param], d);
                let (argument, function) = (self.expr(d), self.variable(function));
                format!("({function} := function({}){{ {body} }}; {function}({argument}))", self.variable(param))
            }
            7 => format!("{{ {}: {}, {}: {} }}", self.string(), self.expr(d), self.string(), self.expr(d)),
            8 => format!("[{}, {}]", self.expr(d), self.expr(d)),
            9 => format!("({})[{} = {}]", self.expr(d), self.named(), self.string()),
            10 => format!("(({}) ? {} : {})", self.expr(d), self.expr(d), self.expr(d)),
            11 => format!("({} & {})", self.expr(d), self.string()),
            12 => format!("(({}) = ({}))", self.expr(d), self.expr(d)),
            13 => format!("({}).{}{{ {}: {} }}", self.expr(d), self.named(), self.string(), self.expr(d)),
            14 => format!("({})^(>{}, {})", self.expr(d), self.named(), self.quoted_name()),
            15 => format!("$contains({}, {})", self.string(), self.pattern()),
            16 => format!("({} {})", self.comment(), self.expr(d)),
            17 => {
                let (sum, item, source) = (self.name(), self.name(), self.expr(d));
                let body = self.within([sum, item], d);
                format!("$reduce({source}, function({}, {}){{ {body} }})", self.variable(sum), self.variable(item))
            }
            18 => format!("$lookup({}, {})", self.expr(d), self.string()),
            19 => format!("({}) ~> |{}|{{ {}: {} }}|", self.expr(d), self.named(), self.string(), self.expr(d)),
            20 => format!("(({}) ? 1 : $error({}))", self.expr(d), self.string()),
            21 => {
                let (item, source) = (self.name(), self.named());
                let body = self.within([item], d);
                format!("$states.input.{source}@{}.({body})", self.variable(item))
            }
            22 => format!("$replace({}, {}, {})", self.string(), self.pattern(), self.string()),
            _ => format!("({}).*[{}]", self.expr(d), self.expr(d)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Input};

    #[test]
    fn the_programs_of_the_tests_have_all_forms() {
        let texts = Texts::hostile(Family::Jsonata, &Input { program: Vec::new(), texts: Vec::new() });
        let mut forms = BTreeSet::new();
        for program in Family::Jsonata.programs() {
            let choices = &mut Choices::new(&program[1..]);
            let mut writer = Writer { choices, texts: &texts, variables: Vec::new(), budget: 40, forms };
            writer.fields();
            forms = writer.forms;
        }
        assert!(forms.into_iter().eq(0..FORMS));
    }
}
