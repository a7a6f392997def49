//! Conversion of the rules of Choice states to conditions.

use super::code::{self, Binding, Code, Kind};
use super::functions::escaped;
use super::printer::{Printer, Setting};
use super::report::{Refusal, Refused};
use std::collections::HashSet;
use workflow_compiler::expr::Literal;
use workflow_compiler::syntax::{Node, Text, Tree};

/// The fields of a rule that are not part of its condition.
pub(super) const OTHER_FIELDS: [&str; 4] = ["Next", "Assign", "Comment", "Output"];

/// A timestamp of the Amazon States Language, as a regular expression.
const TIMESTAMP: &str = r"/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/";

/// Converts the condition of a rule. `document` is the effective input.
pub(super) fn condition(rule: &Node, document: &Code, setting: &mut Setting) -> Refused<Code> {
    Ok(code::chain(&conjunction(rule, document, setting)?, "and", Binding::And))
}

/// Converts the condition of a rule to conditions that all have to hold.
fn conjunction(rule: &Node, document: &Code, setting: &mut Setting) -> Refused<Vec<Code>> {
    let variable = rule.get("Variable").and_then(Node::as_text);
    for entry in rule.as_object().unwrap_or_default() {
        let inner = entry.value.as_array().unwrap_or_default();
        match entry.key.value.as_str() {
            "And" => {
                let mut all: Vec<Code> = Vec::new();
                let mut texts = HashSet::new();
                for one in inner {
                    // Several tests of a value can have the same guard.
                    let new = conjunction(one, document, setting)?;
                    all.extend(new.into_iter().filter(|test| texts.insert(test.text.clone())));
                }
                return Ok(all);
            }
            "Or" => {
                let inner = inner.iter().map(|one| condition(one, document, setting)).collect::<Refused<Vec<_>>>()?;
                return Ok(vec![code::chain(&inner, "or", Binding::Or)]);
            }
            "Not" => {
                let inner = condition(&entry.value, document, setting)?;
                let printer = Printer::new(document, setting, entry.key.span);
                return Ok(vec![printer.calling("not", &inner.text, Kind::Scalar)?]);
            }
            name if name == "Variable" || OTHER_FIELDS.contains(&name) => {}
            name => {
                let Some(variable) = variable else { continue };
                let mut printer = Printer::new(document, setting, entry.key.span);
                return printer.comparison(variable, name, &entry.value);
            }
        }
    }
    Err(Refusal::new(rule.span, "the rule has no condition"))
}

impl Printer<'_> {
    /// Converts a variable and an operator to conditions that all have to hold.
    fn comparison(&mut self, variable: &Text, operator: &str, operand: &Node) -> Refused<Vec<Code>> {
        let value = self.path(variable)?;
        if value.kind == Kind::Constructor {
            return Err(self.refusal("a condition on several selected values has no equal in JSONata"));
        }
        if let Some(test) = operator.strip_prefix("Is") {
            return self.is(&value, test, operand.tree == Tree::Bool(true));
        }
        if let ("StringMatches", Some(pattern)) = (operator, operand.as_text()) {
            return self.matches(&value, pattern);
        }
        let (operator, is_path) = match operator.strip_suffix("Path") {
            Some(operator) => (operator, true),
            None => (operator, false),
        };
        let other = match operand.as_text() {
            Some(text) if is_path => self.path(text)?,
            _ => code::literal(&Literal::from(operand)).map_err(|message| Refusal::new(operand.span, message))?,
        };
        let families = ["String", "Numeric", "Boolean", "Timestamp"];
        let family = families.into_iter().find(|family| operator.starts_with(family)).unwrap_or_default();
        let symbol = match operator.strip_prefix(family) {
            Some("Equals") => "=",
            Some("LessThan") => "<",
            Some("LessThanEquals") => "<=",
            Some("GreaterThan") => ">",
            Some("GreaterThanEquals") => ">=",
            _ => return Err(self.refusal(format!("the operator `{operator}` has no equal in JSONata"))),
        };
        if family == "Timestamp" {
            return self.timestamps(&value, symbol, &other, is_path);
        }
        let text = format!("{} {symbol} {}", value.operand(Binding::Add), other.operand(Binding::Add));
        let test = Code::condition(text, Binding::Compare);
        // A constant is equal only to values of its own type.
        if symbol == "=" && !is_path {
            return Ok(vec![test]);
        }
        let mut tests = vec![self.has_type(&value, family)?];
        if symbol != "=" && is_path {
            tests.push(self.has_type(&other, family)?);
        }
        tests.push(test);
        Ok(tests)
    }

    /// Returns the test that a value has the type of a family of operators.
    fn has_type(&self, value: &Code, family: &str) -> Refused<Code> {
        let name = match family {
            "Numeric" => "number".to_owned(),
            "Timestamp" => "string".to_owned(),
            other => other.to_ascii_lowercase(),
        };
        let kind = self.calling("type", &value.text, Kind::String)?;
        Ok(Code::condition(format!("{} = '{name}'", kind.text), Binding::Compare))
    }

    /// Converts an operator `Is…`.
    fn is(&mut self, value: &Code, test: &str, holds: bool) -> Refused<Vec<Code>> {
        let test = match test {
            "Null" => {
                let operator = if holds { "=" } else { "!=" };
                let text = format!("{} {operator} null", value.operand(Binding::Add));
                return Ok(vec![Code::condition(text, Binding::Compare)]);
            }
            // A constructor or a call has a value even where its path leads nowhere.
            "Present" if value.kind != Kind::Any && value.text != "{}" => {
                return Err(self.refusal("`IsPresent` of several names, or of a function, has no equal in JSONata"));
            }
            "Present" => vec![self.calling("exists", &value.text, Kind::Scalar)?],
            "Timestamp" => self.is_timestamp(value)?,
            family => {
                let mut test = self.has_type(value, family)?;
                if !holds {
                    // The only `=` is that of the test: names with blanks are in backquotes.
                    let at = test.text.rfind(" = ").unwrap_or_default();
                    test.text.replace_range(at..at + 3, " != ");
                }
                return Ok(vec![test]);
            }
        };
        if holds {
            return Ok(test);
        }
        let test = code::chain(&test, "and", Binding::And);
        Ok(vec![self.calling("not", &test.text, Kind::Scalar)?])
    }

    fn is_timestamp(&mut self, value: &Code) -> Refused<Vec<Code>> {
        self.note("a day that its month does not have, such as February 30, counts as a timestamp");
        let fits = self.calling("contains", &format!("{}, {TIMESTAMP}", value.text), Kind::Scalar)?;
        Ok(vec![self.has_type(value, "Timestamp")?, fits])
    }

    /// Converts a comparison of two points in time.
    fn timestamps(&mut self, value: &Code, symbol: &str, other: &Code, is_path: bool) -> Refused<Vec<Code>> {
        self.note("timestamps are compared to the millisecond");
        let mut tests = self.is_timestamp(value)?;
        if is_path {
            tests.extend(self.is_timestamp(other)?);
        }
        let [left, right] = [value, other].map(|side| self.calling("toMillis", &side.text, Kind::Scalar));
        tests.push(Code::condition(format!("{} {symbol} {}", left?.text, right?.text), Binding::Compare));
        Ok(tests)
    }

    /// Converts `StringMatches`, in whose pattern `*` stands for any text and a backslash escapes
    /// the next character.
    fn matches(&mut self, value: &Code, pattern: &Text) -> Refused<Vec<Code>> {
        if code::has_placeholder(&pattern.value) {
            return Err(Refusal::new(pattern.span, "the placeholder in this pattern would be in an expression"));
        }
        let mut regex = String::from("/^");
        let mut characters = pattern.value.chars();
        while let Some(c) = characters.next() {
            match c {
                '*' => regex.push_str("[\\s\\S]*"),
                '\\' => regex.push_str(&escaped(characters.next().unwrap_or('\\'))),
                c => regex.push_str(&escaped(c)),
            }
        }
        regex.push_str("$/");
        let fits = self.calling("contains", &format!("{}, {regex}", value.text), Kind::Scalar)?;
        Ok(vec![self.has_type(value, "String")?, fits])
    }
}
