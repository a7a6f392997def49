//! Looks up what an expression names, and what never fits.

use super::functions::{self, FUNCTIONS, MACROS, TYPES};
use super::parse::{Program, parts};
use super::types::{evident, is_number, told};
use crate::diagnostics::codes::cel::{E1602, E1603, E1604};
use crate::diagnostics::suggest::nearest;
use crate::expr::Step;
use crate::expr::flaw::{Flaw, ruled_out};
use crate::expr::pattern::{self, Flavour};
use crate::schema::Schema;
use crate::syntax::shown;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, LiteralValue, StructExpr, operators};
use std::ops::Range;

/// What has been found out about an expression.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub flaws: Vec<Flaw>,
    /// The variables that it names.
    pub variables: Vec<String>,
    /// The members of the data that it names.
    pub reads: Vec<String>,
}

/// Checks a condition; `variables` are the names that stand for something else than members of the data, which fit `schema`.
pub(super) fn check(program: &Program, text: &str, variables: &[&str], schema: Option<&Schema>) -> Found {
    let mut check = Check { program, text, variables, schema, bound: Vec::new(), found: Found::default() };
    check.test(&program.root, "a condition");
    check.part(&program.root);
    check.found
}

struct Check<'a> {
    program: &'a Program,
    text: &'a str,
    variables: &'a [&'a str],
    schema: Option<&'a Schema>,
    /// The names that macros around a part give to elements.
    bound: Vec<&'a str>,
    found: Found,
}

/// Whether a call is that of an operator, by the name the parser gives it: `_+_`, `!_`. Names of functions have no signs.
fn is_operator(name: &str) -> bool {
    name.contains(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'))
}

impl<'a> Check<'a> {
    fn report(&mut self, flaw: Flaw) {
        self.found.flaws.push(flaw);
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

    /// What a macro has become.
    fn comprehension(&mut self, of: &'a ComprehensionExpr) {
        if let Some(found) = evident(&of.iter_range).filter(|found| !matches!(*found, "list" | "map")) {
            let at = self.range(&of.iter_range);
            let flaw = Flaw::new(&E1603, at, format!("this is {}, and macros go through lists and maps", told(found)));
            self.report(flaw.help("write `list.all(x, x > 0)`"));
        }
        self.part(&of.iter_range);
        self.bound.push(&of.iter_var);
        for part in [&of.accu_init, &of.loop_cond, &of.loop_step, &of.result] {
            self.part(part);
        }
        self.bound.pop();
    }

    /// A name, or members of one.
    fn name(&mut self, part: &'a IdedExpr) {
        let Some((root, steps)) = self.path(part) else {
            return parts(part, &mut |inner| self.part(inner));
        };
        let Expr::Ident(written) = &root.expr else { return };
        let name = written.trim_start_matches('.');
        // What is written with a dot before it is none of macros.
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
        if let Some(flaw) = ruled_out(self.schema, &steps, false, &whole, at) {
            self.report(flaw);
        }
    }

    /// The name that a part begins with, and the way from the data, where that is certain.
    fn path(&self, part: &'a IdedExpr) -> Option<(&'a IdedExpr, Vec<Step>)> {
        match &part.expr {
            Expr::Ident(name) => Some((part, vec![Step::Key(name.trim_start_matches('.').to_owned())])),
            Expr::Select(select) => {
                let (root, mut steps) = self.path(&select.operand)?;
                steps.push(Step::Key(select.field.clone()));
                Some((root, steps))
            }
            _ => None,
        }
    }

    fn message(&mut self, part: &IdedExpr, of: &StructExpr) {
        let at = self.named(part, &of.type_name);
        let flaw = Flaw::new(&E1602, at, format!("there is no type `{}`", shown(&of.type_name)));
        self.report(flaw.help("a map is written with its keys in quotes: `{'total': 1}`"));
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

    fn function(&mut self, part: &'a IdedExpr, call: &'a CallExpr, given: usize) {
        // One with a dot before it is that outside of macros.
        let name = call.func_name.trim_start_matches('.');
        let at = self.named(part, name);
        if let Some((_, written)) = MACROS.iter().find(|(known, _)| *known == name) {
            let flaw = Flaw::new(&E1602, at, format!("the macro `{name}` is not written so"));
            return self.report(flaw.help(format!("write `{written}`")));
        }
        let Some(function) = functions::find(name) else {
            let known = FUNCTIONS.iter().map(|function| function.name).chain(MACROS.iter().map(|(name, _)| *name));
            let flaw = Flaw::new(&E1602, at, format!("there is no function `{}`", shown(name)));
            return self.report(match nearest(name, known) {
                Some(near) => flaw.help(format!("did you mean `{near}`?")).replace_by(near),
                None => flaw.help(
                    "there are `size`, `matches`, `contains`, `startsWith`, `endsWith`, conversions such as `int`, and parts of \
                     times such as `getFullYear`",
                ),
            });
        };
        let (takes, other) = match call.target {
            Some(_) => (function.member, function.global),
            None => (function.global, function.member),
        };
        if takes.is_empty() && !other.is_empty() {
            let (wrong, right) = match call.target {
                Some(_) => ("of a value", format!("{name}(value)")),
                None if other == [1] => ("alone", format!("value.{name}(argument)")),
                None => ("alone", format!("value.{name}()")),
            };
            let flaw = Flaw::new(&E1602, at, format!("`{name}` is not called {wrong}"));
            self.report(flaw.help(format!("write `{right}`")));
        } else if !takes.contains(&given) {
            let counts: Vec<String> = takes.iter().map(usize::to_string).collect();
            let message = format!("`{name}` takes {} arguments here, and is given {given}", counts.join(" or "));
            self.report(Flaw::new(&E1602, at, message).help("leave out what is too much, and add what is missing"));
        } else if name == "matches" {
            self.pattern(call);
        }
    }

    /// A regular expression that is written in the expression.
    fn pattern(&mut self, call: &'a CallExpr) {
        let Some(last) = call.args.last() else { return };
        let Expr::Literal(LiteralValue::String(pattern)) = &last.expr else { return };
        if let Err(problem) = pattern::check(pattern.inner(), Flavour::Part) {
            let flaw = Flaw::new(&E1604, self.range(last), format!("the regular expression {problem}"));
            self.report(flaw.help(pattern::HELP));
        }
    }

    fn operator(&mut self, part: &'a IdedExpr, name: &str, args: &'a [IdedExpr]) {
        match (name, args) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [left, right]) => {
                let what = if name == operators::LOGICAL_AND { "a side of `&&`" } else { "a side of `||`" };
                self.test(left, what);
                self.test(right, what);
            }
            (operators::LOGICAL_NOT, [inner]) => self.test(inner, "what `!` turns round"),
            (operators::CONDITIONAL, [test, ..]) => self.test(test, "what stands before `?`"),
            (operators::EQUALS | operators::NOT_EQUALS, [left, right]) => {
                let (Some(of_left), Some(of_right)) = (evident(left), evident(right)) else { return };
                let same = of_left == of_right || is_number(of_left) && is_number(of_right);
                if !same && of_left != "null" && of_right != "null" {
                    let message = format!("{} and {} are never equal", told(of_left), told(of_right));
                    let flaw = Flaw::new(&E1603, self.range(part), message);
                    self.report(flaw.help("compare what is of one type; `int`, `double` and `string` convert"));
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
                    let told = |side: Option<&str>| side.map_or("something".to_owned(), told);
                    let message = format!("{} and {} have no order", told(of_left), told(of_right));
                    let flaw = Flaw::new(&E1603, self.range(part), message);
                    self.report(flaw.help("compare two numbers, or two of one type"));
                }
            }
            (
                operators::ADD | operators::SUBSTRACT | operators::MULTIPLY | operators::DIVIDE | operators::MODULO,
                [left, right],
            ) => {
                let (Some(of_left), Some(of_right)) = (evident(left), evident(right)) else { return };
                if is_number(of_left)
                    && is_number(of_right)
                    && of_left != of_right
                    && of_left != "a number"
                    && of_right != "a number"
                {
                    let message = format!(
                        "arithmetic takes numbers of one type, and these are {} and {}",
                        told(of_left),
                        told(of_right)
                    );
                    let flaw = Flaw::new(&E1603, self.range(part), message);
                    self.report(flaw.help("convert one of them: `double(size(items)) * 1.5`"));
                }
            }
            _ => {}
        }
    }

    /// What is to be true or false.
    fn test(&mut self, part: &'a IdedExpr, what: &str) {
        if let Some(found) = evident(part).filter(|found| *found != "bool") {
            let flaw =
                Flaw::new(&E1603, self.range(part), format!("{what} is true or false, and this is {}", told(found)));
            self.report(flaw.help("compare it with something: `size(items) > 0`"));
        }
    }

    /// The bytes of a part, from the first that is known to the last.
    fn range(&self, part: &IdedExpr) -> Range<usize> {
        let mut range = self.own(part);
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
            // The place of a step is that of its dot, and that of a call the bracket behind the name.
            Expr::Select(select) if !select.test => select.field.as_str(),
            Expr::Call(call) if !is_operator(&call.func_name) => {
                range.start = range.start.min(self.named(part, &call.func_name).start);
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

    /// The bytes of a part without those in it.
    fn own(&self, part: &IdedExpr) -> Range<usize> {
        let Some((start, stop)) = self.program.places.offset_for(part.id) else { return 0..0 };
        // Bytes, of which the last may be in the midst of a character.
        let boundary = |byte: usize| (byte..=self.text.len()).find(|at| self.text.is_char_boundary(*at));
        let (start, stop) = (boundary(start as usize), boundary(stop as usize + 1));
        let end = self.text.len();
        let (start, stop) = (start.unwrap_or(end), stop.unwrap_or(end));
        start..stop.max(start)
    }

    /// The bytes of the name of a function, which stands before or behind what the parser takes for its place.
    fn named(&self, part: &IdedExpr, name: &str) -> Range<usize> {
        let own = self.own(part);
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
