//! Conversion of the conditions of filters. In a predicate of JSONata, as in a filter, `$` is the
//! value under test.

use super::code::{self, Binding, Code, Kind};
use super::printer::Printer;
use super::report::Refused;
use workflow_compiler::expr::{Arg, Call, Expr, Literal};

impl Printer<'_> {
    /// Converts a condition of a filter.
    pub(super) fn condition(&mut self, expr: &Expr) -> Refused<Code> {
        match expr {
            Expr::And(terms) => Ok(code::chain(&self.conditions(terms)?, "and", Binding::And)),
            Expr::Or(terms) => Ok(code::chain(&self.conditions(terms)?, "or", Binding::Or)),
            Expr::Not(inner) => {
                let inner = self.condition(inner)?;
                self.calling("not", &inner.text, Kind::Scalar)
            }
            Expr::Call(call) => self.test(call),
            _ => Err(self.refusal("this condition of a filter has no equal in JSONata")),
        }
    }

    fn conditions(&mut self, terms: &[Expr]) -> Refused<Vec<Code>> {
        terms.iter().map(|term| self.condition(term)).collect()
    }

    fn test(&mut self, call: &Call) -> Refused<Code> {
        let operands: Vec<&Expr> = call.args.iter().filter_map(value_of).collect();
        match (call.function.path, &operands[..]) {
            ("jsonpath::exists" | "jsonpath::any", [subject]) => {
                let subject = self.existence(subject)?;
                self.calling("exists", &subject.text, Kind::Scalar)
            }
            ("jsonpath::equal" | "jsonpath::jayway_equal", [left, right]) => self.equality(left, right, call),
            ("jsonpath::less", [left, right]) => self.order(left, "<", right),
            ("jsonpath::less_or_equal" | "jsonpath::jayway_less_or_equal", [left, right]) => {
                self.order(left, "<=", right)
            }
            ("jsonpath::jayway_in", [subject, list @ Expr::Literal(Literal::Array(_))]) => {
                let is_exact = |item: &Literal| is_exact(&Expr::Literal(item.clone()));
                if !matches!(list, Expr::Literal(Literal::Array(items)) if items.iter().all(is_exact)) {
                    self.note("a number and a string with its digits are different, where `in` of a filter converts");
                }
                let [subject, list] = [self.one(subject)?, self.expr(list)?];
                Ok(Code::condition(format!("{} in {}", subject.operand(Binding::Add), list.text), Binding::Compare))
            }
            (path @ ("jsonpath::matches" | "jsonpath::searches" | "jsonpath::jayway_matches"), [subject]) => {
                let pattern = call.args.iter().find_map(|arg| if let Arg::Str(text) = arg { Some(text) } else { None });
                let Some(regex) = pattern.and_then(|pattern| regex(pattern, path)) else {
                    let message = "this regular expression of a filter has no certain equal in JSONata";
                    return Err(self.refusal(message));
                };
                let subject = self.one(subject)?.text;
                let [kind, contains] = [self.function("type")?, self.function("contains")?];
                let text = format!("{kind}({subject}) = 'string' and {contains}({subject}, {regex})");
                Ok(Code::condition(text, Binding::And))
            }
            (path, _) => {
                let name = path.rsplit("::").next().unwrap_or(path).trim_start_matches("jayway_").replace('_', " ");
                Err(self.refusal(format!("the test `{name}` of a filter has no equal in JSONata")))
            }
        }
    }

    /// Converts an operand that has at most one value.
    fn one(&mut self, operand: &Expr) -> Refused<Code> {
        match operand {
            Expr::Find(_) | Expr::Literal(_) | Expr::Current | Expr::Local(_) | Expr::Context => self.expr(operand),
            _ => Err(self.refusal("this operand of a filter has no equal in JSONata")),
        }
    }

    fn equality(&mut self, left: &Expr, right: &Expr, call: &Call) -> Refused<Code> {
        if call.function.path != "jsonpath::equal" && !is_exact(left) && !is_exact(right) {
            self.note("a number and a string with its digits are different, where `==` of a filter converts");
        }
        if ![left, right].into_iter().any(|side| matches!(side, Expr::Literal(_))) {
            self.note("two absent values are different, where `==` of a filter takes them for equal");
        }
        let [left, right] = [self.one(left)?, self.one(right)?];
        let text = format!("{} = {}", left.operand(Binding::Add), right.operand(Binding::Add));
        Ok(Code::condition(text, Binding::Compare))
    }

    /// Converts a comparison by order, which holds only between two numbers or two strings.
    fn order(&mut self, left: &Expr, operator: &str, right: &Expr) -> Refused<Code> {
        let types = (constant_type(left), constant_type(right));
        let [left, right] = [self.one(left)?, self.one(right)?];
        let kind = self.function("type")?;
        let guard = match types {
            (Some(known), None) => format!("{kind}({}) = '{known}'", right.text),
            (None, Some(known)) => format!("{kind}({}) = '{known}'", left.text),
            (Some(_), Some(_)) => return Err(self.refusal("a comparison of two constants has no equal in JSONata")),
            (None, None) => format!(
                "{kind}({}) in ['number', 'string'] and {kind}({}) = {kind}({})",
                left.text, left.text, right.text
            ),
        };
        let [left, right] = [left, right].map(|side| side.operand(Binding::Add));
        // A constant stands on the right, as authors write it.
        let test = match types.0 {
            Some(_) => format!("{right} {} {left}", operator.replace('<', ">")),
            None => format!("{left} {operator} {right}"),
        };
        Ok(Code::condition(format!("{guard} and {test}"), Binding::And))
    }
}

/// Returns the value of an argument.
pub(super) fn value_of(argument: &Arg) -> Option<&Expr> {
    match argument {
        Arg::Value(value) | Arg::Owned(value) | Arg::Maybe(value) => Some(value),
        _ => None,
    }
}

/// Returns `true` for a constant that filters convert to no other type.
fn is_exact(side: &Expr) -> bool {
    match side {
        Expr::Literal(Literal::String(text)) => text.trim().parse::<f64>().is_err(),
        Expr::Literal(Literal::Bool(_) | Literal::Null) => true,
        _ => false,
    }
}

fn constant_type(operand: &Expr) -> Option<&'static str> {
    match operand {
        Expr::Literal(Literal::Int(_) | Literal::Float(_)) => Some("number"),
        Expr::Literal(Literal::String(_)) => Some("string"),
        _ => None,
    }
}

/// Returns a pattern of a filter as a regular expression of JSONata, if it has only constructs
/// that both have. A pattern of Jayway starts with its flags.
fn regex(pattern: &str, function: &str) -> Option<String> {
    let (pattern, flags) = match pattern.strip_prefix("(?i)") {
        Some(rest) => (rest, "i"),
        None => (pattern, ""),
    };
    // The patterns of RFC 9535 have no anchors.
    let is_anchored = pattern.replace("[^", "[").contains(['^', '$']);
    if pattern.contains("(?") || (is_anchored && function != "jsonpath::jayway_matches") {
        return None;
    }
    let mut text = String::new();
    let mut characters = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        match c {
            // A class in a class, and the operators between classes.
            '[' if in_class => return None,
            '&' | '-' | '~' if in_class && next == Some(c) => return None,
            '[' => {
                in_class = true;
                text.push('[');
                text.extend(characters.next_if_eq(&'^'));
                // A bracket that closes nothing.
                if characters.peek() == Some(&']') {
                    return None;
                }
            }
            ']' if in_class => {
                in_class = false;
                text.push(']');
            }
            // JSONata counts the brackets of a class as those of groups.
            '(' | ')' | '{' | '}' if in_class => text.extend(['\\', c]),
            '\\' => {
                let escaped = characters.next().filter(|c| "dDwWsS.*+?()[]{}|^$-/".contains(*c))?;
                text.extend(['\\', escaped]);
            }
            '/' => text.push_str("\\/"),
            c if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() => text.push(c),
            _ => return None,
        }
    }
    let whole = function != "jsonpath::searches";
    Some(if whole { format!("/^(?:{text})$/{flags}") } else { format!("/{text}/{flags}") })
}
