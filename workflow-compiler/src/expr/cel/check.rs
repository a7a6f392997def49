//! Name resolution and type checks of CEL expressions.

use super::functions::{self, FUNCTIONS, MACROS, TYPES};
use super::parse::{ParsedExpression, parts};
use super::types::{evident, is_number, type_name};
use crate::diagnostics::codes::expressions::{WF0304, WF0326};
use crate::diagnostics::suggest::nearest;
use crate::expr::PathStep;
use crate::expr::cel::codes::WF1602;
use crate::expr::error::{ExprError, impossible_path};
use crate::expr::pattern::{self, Flavour};
use crate::schema::Schema;
use crate::syntax::shown;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, LiteralValue, StructExpr, operators};
use std::ops::Range;

/// The result of checking an expression.
#[derive(Debug, Default)]
pub(super) struct CheckResult {
    pub errors: Vec<ExprError>,
    /// The variables that the expression reads.
    pub variables: Vec<String>,
    /// The members of the data that the expression reads.
    pub reads: Vec<String>,
}

/// Checks a condition. `variables` are names that do not refer to members of the data. `schema`
/// describes the data.
pub(super) fn check(
    program: &ParsedExpression,
    text: &str,
    variables: &[&str],
    schema: Option<&Schema>,
) -> CheckResult {
    let mut check = Checker { program, text, variables, schema, bound: Vec::new(), found: CheckResult::default() };
    check.test(&program.root, "a condition");
    check.part(&program.root);
    check.found
}

/// The check of an expression.
pub(super) struct Checker<'a> {
    pub program: &'a ParsedExpression,
    pub text: &'a str,
    pub variables: &'a [&'a str],
    pub schema: Option<&'a Schema>,
    /// The variables bound by enclosing macros.
    pub bound: Vec<&'a str>,
    pub found: CheckResult,
}

/// Returns `true` if the parser's name for a call is that of an operator: `_+_`, `!_`. Names of
/// functions contain no such characters.
fn is_operator(name: &str) -> bool {
    name.contains(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'))
}

impl<'a> Checker<'a> {
    fn report(&mut self, error: ExprError) {
        self.found.errors.push(error);
    }

    /// Reports operands of types that an operation never takes.
    fn refuse_types(&mut self, part: &IdedExpr, message: String, help: &str) {
        let error = ExprError::new(&WF0326, self.range(part), message);
        self.report(error.help(help));
    }

    fn part(&mut self, part: &'a IdedExpr) {
        match &part.expr {
            Expr::Ident(_) | Expr::Select(_) => return self.name(part),
            Expr::Comprehension(of) => return self.comprehension(of),
            Expr::Call(call) => self.call(part, call),
            Expr::Struct(of) => self.message(part, of),
            Expr::List(_) | Expr::Map(_) | Expr::Literal(_) | Expr::Unspecified => {}
        }
        parts(part, &mut |inner| self.part(inner));
    }

    /// Checks an expanded macro.
    fn comprehension(&mut self, of: &'a ComprehensionExpr) {
        if let Some(found) = evident(&of.iter_range).filter(|found| !matches!(*found, "list" | "map")) {
            let message = format!("expected a list or a map, found {}", type_name(found));
            self.refuse_types(&of.iter_range, message, "write `list.all(x, x > 0)`");
        }
        self.part(&of.iter_range);
        self.bound.push(&of.iter_var);
        for part in [&of.accu_init, &of.loop_cond, &of.loop_step, &of.result] {
            self.part(part);
        }
        self.bound.pop();
    }

    /// Checks a name, or a path of members from a name.
    fn name(&mut self, part: &'a IdedExpr) {
        let Some((root, steps)) = self.path(part) else {
            return parts(part, &mut |inner| self.part(inner));
        };
        let Expr::Ident(written) = &root.expr else { return };
        let name = written.trim_start_matches('.');
        // A leading dot escapes the scope of macros.
        if written.starts_with('@') || written == name && self.bound.contains(&name) {
            return;
        }
        let list = if self.variables.contains(&name) { &mut self.found.variables } else { &mut self.found.reads };
        if !list.iter().any(|known| known == name) {
            list.push(name.to_owned());
        }
        if self.variables.contains(&name) || TYPES.contains(&name) || name.starts_with("google") {
            return;
        }
        let at = self.range(part);
        let whole = self.text.get(at.clone()).unwrap_or(name).to_owned();
        if let Some(error) = impossible_path(self.schema, &steps, false, &whole, at) {
            self.report(error);
        }
    }

    /// Returns the root name of a path, and its statically known steps.
    fn path(&self, part: &'a IdedExpr) -> Option<(&'a IdedExpr, Vec<PathStep>)> {
        match &part.expr {
            Expr::Ident(name) => Some((part, vec![PathStep::Key(name.trim_start_matches('.').to_owned())])),
            Expr::Select(select) => {
                let (root, mut steps) = self.path(&select.operand)?;
                steps.push(PathStep::Key(select.field.clone()));
                Some((root, steps))
            }
            _ => None,
        }
    }

    fn message(&mut self, part: &IdedExpr, of: &StructExpr) {
        let at = self.name_range(part, &of.type_name);
        let error = ExprError::new(&WF1602, at, format!("unknown type `{}`", shown(&of.type_name)));
        self.report(error.help("write the keys of a map in quotes: `{'total': 1}`"));
    }

    fn call(&mut self, part: &'a IdedExpr, call: &'a CallExpr) {
        let name = call.func_name.as_str();
        if name.starts_with('@') {
            return;
        }
        let is_operator = is_operator(name);
        match (is_operator || name == operators::IN, &call.args[..]) {
            (true, args) => self.operator(part, name, args),
            (false, args) => self.function(part, call, args.len()),
        }
    }

    fn function(&mut self, part: &'a IdedExpr, call: &'a CallExpr, count: usize) {
        // A leading dot escapes the scope of macros.
        let name = call.func_name.trim_start_matches('.');
        let at = self.name_range(part, name);
        if let Some((_, written)) = MACROS.iter().find(|(known, _)| *known == name) {
            let error = ExprError::new(&WF1602, at, format!("invalid use of the macro `{name}`"));
            return self.report(error.help(format!("write `{written}`")));
        }
        let Some(function) = functions::find(name) else {
            let known = FUNCTIONS.iter().map(|function| function.name).chain(MACROS.iter().map(|(name, _)| *name));
            let error = ExprError::new(&WF1602, at, format!("unknown function `{}`", shown(name)));
            return self.report(match nearest(name, known) {
                Some(near) => error.help(format!("did you mean `{near}`?")).replace_by(near),
                None => error.help(
                    "the functions include `size`, `matches`, `contains`, `startsWith`, `endsWith`, conversions such as \
                     `int`, and accessors of times such as `getFullYear`",
                ),
            });
        };
        let (takes, other) = match call.target {
            Some(_) => (function.member, function.global),
            None => (function.global, function.member),
        };
        if takes.is_empty() && !other.is_empty() {
            let (wrong, right) = match call.target {
                Some(_) => ("a function, not a method", format!("{name}(value)")),
                None if other == [1] => ("a method, not a function", format!("value.{name}(argument)")),
                None => ("a method, not a function", format!("value.{name}()")),
            };
            let error = ExprError::new(&WF1602, at, format!("`{name}` is {wrong}"));
            self.report(error.help(format!("write `{right}`")));
        } else if !takes.contains(&count) {
            let counts: Vec<String> = takes.iter().map(usize::to_string).collect();
            let message =
                format!("wrong number of arguments for `{name}`: expected {}, found {count}", counts.join(" or "));
            let arguments = vec!["…"; takes.first().copied().unwrap_or_default()].join(", ");
            let written = format!("{name}({arguments})");
            let written = if call.target.is_some() { format!("value.{written}") } else { written };
            self.report(ExprError::new(&WF1602, at, message).help(format!("write `{written}`")));
        } else if name == "matches" {
            self.pattern(call);
        }
    }

    /// Checks a regular expression that is a constant.
    fn pattern(&mut self, call: &'a CallExpr) {
        let Some(last) = call.args.last() else { return };
        let Expr::Literal(LiteralValue::String(pattern)) = &last.expr else { return };
        if let Err(problem) = pattern::check(pattern.inner(), Flavour::Part) {
            let error = ExprError::new(&WF0304, self.range(last), format!("the regular expression {problem}"));
            self.report(error.help(pattern::HELP));
        }
    }

    fn operator(&mut self, part: &'a IdedExpr, name: &str, args: &'a [IdedExpr]) {
        match (name, args) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [left, right]) => {
                let what = if name == operators::LOGICAL_AND { "an operand of `&&`" } else { "an operand of `||`" };
                self.test(left, what);
                self.test(right, what);
            }
            (operators::LOGICAL_NOT, [inner]) => self.test(inner, "the operand of `!`"),
            (operators::CONDITIONAL, [test, ..]) => self.test(test, "the condition before `?`"),
            (operators::EQUALS | operators::NOT_EQUALS, [left, right]) => {
                let (Some(of_left), Some(of_right)) = (evident(left), evident(right)) else { return };
                let same = of_left == of_right || is_number(of_left) && is_number(of_right);
                if !same && of_left != "null" && of_right != "null" {
                    let message = format!("{} and {} are never equal", type_name(of_left), type_name(of_right));
                    let help = "compare values of one type, or convert one with `int`, `double` or `string`";
                    self.refuse_types(part, message, help);
                }
            }
            (
                operators::LESS | operators::LESS_EQUALS | operators::GREATER | operators::GREATER_EQUALS,
                [left, right],
            ) => {
                let (of_left, of_right) = (evident(left), evident(right));
                let has_order = |side: Option<&str>| !matches!(side, Some("list" | "map" | "null" | "type"));
                let fit = match (of_left, of_right) {
                    (Some(left), Some(right)) => left == right || is_number(left) && is_number(right),
                    _ => true,
                };
                if !fit || !has_order(of_left) || !has_order(of_right) {
                    let known: Vec<String> = [of_left, of_right].into_iter().flatten().map(type_name).collect();
                    let message = format!("{} cannot be ordered", known.join(" and "));
                    self.refuse_types(part, message, "compare two numbers, or two values of one type");
                }
            }
            (
                operators::ADD | operators::SUBSTRACT | operators::MULTIPLY | operators::DIVIDE | operators::MODULO,
                [left, right],
            ) => {
                let (Some(of_left), Some(of_right)) = (evident(left), evident(right)) else { return };
                let is_known = |of: &str| is_number(of) && of != "a number";
                if is_known(of_left) && is_known(of_right) && of_left != of_right {
                    let found = format!("{} and {}", type_name(of_left), type_name(of_right));
                    let message = format!("arithmetic takes numbers of one type, found {found}");
                    self.refuse_types(part, message, "convert one of them: `double(size(items)) * 1.5`");
                }
            }
            _ => {}
        }
    }

    /// Checks an expression that must be a boolean.
    fn test(&mut self, part: &'a IdedExpr, what: &str) {
        if let Some(found) = evident(part).filter(|found| *found != "bool") {
            let message = format!("{what} must be a boolean, found {}", type_name(found));
            self.refuse_types(part, message, "compare the value, as in `size(items) > 0`");
        }
    }

    /// Returns the byte range of an expression, including its subexpressions.
    pub fn range(&self, part: &IdedExpr) -> Range<usize> {
        let mut range = self.own_range(part);
        parts(part, &mut |inner| {
            let of_inner = self.range(inner);
            if of_inner.is_empty() {
                return;
            }
            range = match range.is_empty() {
                true => of_inner,
                false => range.start.min(of_inner.start)..range.end.max(of_inner.end),
            };
        });
        let rest = self.text.get(range.end..).unwrap_or_default();
        let after = rest.trim_start();
        let end = match &part.expr {
            // The parser reports a selection at its dot, and a call at the parenthesis after the
            // name.
            Expr::Select(select) if !select.test => select.field.as_str(),
            Expr::Call(call) if !is_operator(&call.func_name) => {
                range.start = range.start.min(self.name_range(part, &call.func_name).start);
                ")"
            }
            Expr::Comprehension(_) => ")",
            Expr::List(_) => "]",
            Expr::Map(_) => "}",
            _ => return range,
        };
        if after.starts_with(end) {
            range.end += rest.len() - after.len() + end.len();
        }
        range
    }

    /// Returns the byte range of an expression without its subexpressions.
    fn own_range(&self, part: &IdedExpr) -> Range<usize> {
        let Some((start, stop)) = self.program.places.offset_for(part.id) else { return 0..0 };
        // The offsets are bytes, and the last may be inside a character.
        let boundary = |byte: usize| (byte..=self.text.len()).find(|at| self.text.is_char_boundary(*at));
        let (start, stop) = (boundary(start as usize), boundary(stop as usize + 1));
        let end = self.text.len();
        let (start, stop) = (start.unwrap_or(end), stop.unwrap_or(end));
        start..stop.max(start)
    }

    /// Returns the byte range of a function's name, which is before or after the range that the
    /// parser reports.
    fn name_range(&self, part: &IdedExpr, name: &str) -> Range<usize> {
        let own = self.own_range(part);
        let before = self.text.get(..own.start).unwrap_or_default().trim_end();
        if self.text.get(own.start..).is_some_and(|rest| rest.starts_with(name)) {
            own.start..own.start + name.len()
        } else if before.ends_with(name) {
            before.len() - name.len()..before.len()
        } else {
            match self.text.get(own.start..).and_then(|rest| rest.find(name)) {
                Some(at) => own.start + at..own.start + at + name.len(),
                None => own,
            }
        }
    }
}
