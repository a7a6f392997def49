//! The shapes of what CEL expressions yield.
//!
//! A missing member is an error, and so is an operation on values that it is not defined for.
//! `&&`, `||` and the macros can absorb the error of a part, so that such a part is no certain
//! failure.
//! Types of CEL that JSON does not have are any value here.

use super::CelCondition;
use super::check::{CheckResult, Checker};
use super::functions::TYPES;
use super::parse::parts;
use crate::shapes::remark::{Outcome, Remark, RemarkKind};
use crate::shapes::{AnyReason, KindSet, PathCount, Shape};
use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedExpr, LiteralValue, SelectExpr, operators};
use std::ops::Range;

const NUMBER: KindSet = KindSet::NUMBER;
const STRING: KindSet = KindSet::STRING;
const BOOLEAN: KindSet = KindSet::BOOLEAN;
const CONTAINER: KindSet = KindSet::ARRAY.or(KindSet::OBJECT);

impl CelCondition {
    /// Returns what the condition yields for some data. `variables` are the values of its
    /// variables.
    pub fn outcome(&self, data: &Shape, variables: &[Shape]) -> Outcome {
        let variables: Vec<(&str, &Shape)> = self.variables.iter().map(String::as_str).zip(variables).collect();
        let places = Checker {
            program: &self.program,
            text: &self.source,
            variables: &[],
            schema: None,
            bound: Vec::new(),
            found: CheckResult::default(),
        };
        let mut run = Run {
            places,
            data,
            variables: &variables,
            bound: Vec::new(),
            remarks: Vec::new(),
            // A test of a type decides what is evaluated, and is not followed.
            quiet: usize::from(tests_types(&self.program.root)),
            absorbing: 0,
            paths: PathCount::default(),
        };
        let value = run.operand(&self.program.root, "a condition", BOOLEAN);
        let Run { remarks, paths, .. } = run;
        Outcome { value: value.only(BOOLEAN), remarks, paths }
    }
}

/// Returns `true` if an expression asks for the type of a value.
fn tests_types(part: &IdedExpr) -> bool {
    let mut found = matches!(&part.expr, Expr::Call(call) if call.func_name == "type");
    parts(part, &mut |inner| found |= tests_types(inner));
    found
}

struct Run<'a> {
    places: Checker<'a>,
    data: &'a Shape,
    variables: &'a [(&'a str, &'a Shape)],
    /// The variables of the macros around, innermost last.
    bound: Vec<(&'a str, Shape)>,
    remarks: Vec<Remark>,
    /// The number of parts around this one of which nothing is reported.
    quiet: usize,
    /// The number of parts around this one that may not evaluate it, or absorb its errors.
    absorbing: usize,
    paths: PathCount,
}

impl<'a> Run<'a> {
    fn remark(&mut self, at: Range<usize>, kind: RemarkKind) {
        if self.quiet == 0 {
            self.remarks.push(Remark { at, kind, is_certain: self.absorbing == 0 });
        }
    }

    /// Returns the shape of a part that fails in every run. A failure that is not reported is no
    /// ground for what is claimed later.
    fn failed(&self) -> Shape {
        if self.quiet == 0 { Shape::never() } else { Shape::any() }
    }

    /// Returns the shape of a part: [`Shape::never`] if it fails in every run.
    fn eval(&mut self, part: &'a IdedExpr) -> Shape {
        match &part.expr {
            Expr::Literal(literal) => match literal {
                LiteralValue::Boolean(value) => Shape::flag(*value.inner()),
                LiteralValue::Double(_) => Shape::number(),
                LiteralValue::Int(value) => Shape::whole(*value.inner()),
                LiteralValue::Null => Shape::null(),
                LiteralValue::String(text) => Shape::text(text.inner()),
                LiteralValue::Bytes(_) | LiteralValue::UInt(_) => Shape::any(),
            },
            Expr::Ident(written) => self.name(part, written),
            Expr::Select(select) => self.select(part, select),
            Expr::Call(call) => self.call(part, call),
            Expr::Comprehension(of) => self.comprehension(of),
            Expr::List(list) => {
                let items: Vec<Shape> = list.elements.iter().map(|item| self.eval(item)).collect();
                if items.iter().any(Shape::is_never) { self.failed() } else { Shape::tuple(items) }
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        self.eval(&entry.value);
                    }
                }
                Shape::any_object()
            }
            Expr::Struct(_) | Expr::Unspecified => Shape::any(),
        }
    }

    fn name(&mut self, part: &'a IdedExpr, written: &'a str) -> Shape {
        let name = written.trim_start_matches('.');
        if written == name
            && let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| *bound == name)
        {
            return value.clone();
        }
        if let Some((_, value)) = self.variables.iter().find(|(variable, _)| *variable == name) {
            self.paths.note(!value.is_any(), AnyReason::Computed);
            return (*value).clone();
        }
        if written.starts_with('@') || TYPES.contains(&name) || name.starts_with("google") {
            return Shape::any();
        }
        self.paths.note(!self.data.is_any(), AnyReason::Computed);
        let data = self.data.clone();
        let at = self.places.range(part);
        self.member(&data, name, "the data", at)
    }

    /// Reads a member, and reports one that is never there.
    fn member(&mut self, of: &Shape, name: &str, written: &str, at: Range<usize>) -> Shape {
        if of.is_any() || of.set().meets(KindSet::NULL) {
            // Null stands for data that is still to come.
            return Shape::any();
        }
        if of.is_never() {
            return Shape::never();
        }
        let found = of.member(name);
        if found.is_absent() {
            let kind = RemarkKind::NoMember { written: written.to_owned(), name: name.into(), of: of.clone() };
            self.remark(at, kind);
            return self.failed();
        }
        found.shape
    }

    fn select(&mut self, part: &'a IdedExpr, select: &'a SelectExpr) -> Shape {
        if select.test {
            // A test of a member does not follow the path to it.
            self.quiet += 1;
            let of = self.eval(&select.operand);
            self.quiet -= 1;
            return has_member(&of, &Shape::text(&select.field));
        }
        let of = self.eval(&select.operand);
        let at = self.places.range(part);
        let start = at.end.saturating_sub(select.field.len()).max(at.start);
        let is_plain = self.places.text.get(start..at.end) == Some(&*select.field);
        let at = if is_plain { start..at.end } else { at };
        let written = self.written(&select.operand);
        self.member(&of, &select.field, &written, at)
    }

    fn written(&self, part: &IdedExpr) -> String {
        self.places.text.get(self.places.range(part)).unwrap_or("the value").to_owned()
    }

    /// Evaluates an operand, and reports it if it is never of a kind.
    fn operand(&mut self, part: &'a IdedExpr, what: &str, wanted: KindSet) -> Shape {
        let value = self.eval(part);
        self.check(part, value, what, wanted)
    }

    fn check(&mut self, part: &IdedExpr, value: Shape, what: &str, wanted: KindSet) -> Shape {
        if value.is_never() || value.set().meets(wanted) {
            return value;
        }
        if value.set() == KindSet::NULL {
            return Shape::any();
        }
        let at = self.places.range(part);
        self.remark(at, RemarkKind::WrongKind { what: what.to_owned(), found: value, wanted });
        self.failed()
    }

    fn call(&mut self, part: &'a IdedExpr, call: &'a CallExpr) -> Shape {
        match (call.func_name.as_str(), &call.args[..]) {
            (operators::LOGICAL_AND, [left, right]) => self.logic(left, right, true),
            (operators::LOGICAL_OR, [left, right]) => self.logic(left, right, false),
            (operators::LOGICAL_NOT, [inner]) => {
                let value = self.operand(inner, "the operand of `!`", BOOLEAN);
                match value.only(BOOLEAN) {
                    _ if value.is_never() => value,
                    known if known == Shape::flag(true) && value.set() == BOOLEAN => Shape::flag(false),
                    known if known == Shape::flag(false) && value.set() == BOOLEAN => Shape::flag(true),
                    _ => Shape::boolean(),
                }
            }
            (operators::CONDITIONAL, [test, then, otherwise]) => {
                let test = self.operand(test, "the condition before `?`", BOOLEAN);
                if test.is_never() {
                    return test;
                }
                let can = |flag: bool| test.set() != BOOLEAN || !test.without_flag(!flag).is_never();
                let branches = [(then, can(true)), (otherwise, can(false))].into_iter().filter(|(_, can)| *can);
                let branches: Vec<Shape> = branches.map(|(branch, _)| self.absorbed(branch)).collect();
                Shape::union(&branches)
            }
            (name, [left, right]) if call.target.is_none() && sign(name).is_some() => {
                let [of_left, of_right] = [left, right].map(|side| self.eval(side));
                if of_left.is_never() || of_right.is_never() {
                    return self.failed();
                }
                self.binary(part, sign(name).unwrap_or_default(), of_left, of_right)
            }
            (operators::NEGATE, [inner]) => match self.operand(inner, "the operand of `-`", NUMBER).is_never() {
                true => self.failed(),
                false => Shape::number(),
            },
            (operators::IN, [left, right]) => {
                let left = self.eval(left);
                let right = self.operand(right, "the right side of `in`", CONTAINER);
                if left.is_never() || right.is_never() { self.failed() } else { has_member(&right, &left) }
            }
            (operators::INDEX, [of, key]) => self.index(of, key),
            _ => self.function(call),
        }
    }

    /// Evaluates a part that may not be evaluated, or whose error may be absorbed.
    fn absorbed(&mut self, part: &'a IdedExpr) -> Shape {
        self.absorbing += 1;
        let value = self.eval(part);
        self.absorbing -= 1;
        value
    }

    fn logic(&mut self, left: &'a IdedExpr, right: &'a IdedExpr, is_and: bool) -> Shape {
        self.absorbing += 1;
        let what = if is_and { "an operand of `&&`" } else { "an operand of `||`" };
        let of_left = self.operand(left, what, BOOLEAN);
        // The value that decides.
        let deciding = Shape::flag(!is_and);
        let value = if of_left == deciding {
            deciding
        } else {
            let of_right = self.operand(right, what, BOOLEAN);
            let decides = |side: &Shape| side.is_any() || !side.without_flag(is_and).only(BOOLEAN).is_never();
            match (of_left.is_never(), of_right.is_never()) {
                (true, true) => self.failed(),
                (true, false) if decides(&of_right) => deciding,
                (false, true) if decides(&of_left) => deciding,
                (true, false) | (false, true) => self.failed(),
                (false, false) if of_left == Shape::flag(is_and) && of_right == Shape::flag(is_and) => of_left,
                (false, false) if of_right == deciding => deciding,
                (false, false) => Shape::boolean(),
            }
        };
        self.absorbing -= 1;
        value
    }

    fn binary(&mut self, part: &'a IdedExpr, sign: &'static str, left: Shape, right: Shape) -> Shape {
        let both = |kind: KindSet| left.set().meets(kind) && right.set().meets(kind);
        let null = [&left, &right].iter().any(|side| side.set() == KindSet::NULL);
        let (is_defined, result) = match sign {
            "==" | "!=" => {
                if !left.is_distinct(&right) {
                    let are_null = left.set() == KindSet::NULL && right.set() == KindSet::NULL;
                    return if are_null { Shape::flag(sign == "==") } else { Shape::boolean() };
                }
                if sign == "==" && !null {
                    let at = self.places.range(part);
                    self.remark(at, RemarkKind::NeverEqual { left, right });
                }
                return Shape::flag(sign == "!=");
            }
            "<" | "<=" | ">" | ">=" => (both(NUMBER) || both(STRING) || both(BOOLEAN), Shape::boolean()),
            "+" => {
                let kinds = [(NUMBER, Shape::number()), (STRING, Shape::string())];
                // The library adds more than lists to a list.
                if left.set().meets(KindSet::ARRAY) || right.set().meets(KindSet::ARRAY) {
                    return Shape::any();
                }
                let results: Vec<Shape> =
                    kinds.into_iter().filter(|(kind, _)| both(*kind)).map(|(_, result)| result).collect();
                (!results.is_empty(), Shape::union(&results))
            }
            _ => (both(NUMBER), Shape::number()),
        };
        // Times are values of other types, of which nothing is known.
        if left.is_any() || right.is_any() || null {
            return if matches!(sign, "<" | "<=" | ">" | ">=") { Shape::boolean() } else { Shape::any() };
        }
        if is_defined {
            return result;
        }
        let at = self.places.range(part);
        self.remark(at, RemarkKind::WrongOperands { sign, left, right });
        self.failed()
    }

    fn index(&mut self, of: &'a IdedExpr, key: &'a IdedExpr) -> Shape {
        let value = self.operand(of, "the operand of `[…]`", CONTAINER);
        let by = self.eval(key);
        if value.is_never() || by.is_never() {
            return self.failed();
        }
        let at = self.places.range(key);
        match &key.expr {
            Expr::Literal(LiteralValue::String(name)) if value.set() == KindSet::OBJECT => {
                let written = self.written(of);
                let inside = at.start + 1..at.end.saturating_sub(1);
                let at = if self.places.text.get(inside.clone()) == Some(name.inner()) { inside } else { at };
                self.member(&value, name.inner(), &written, at)
            }
            Expr::Literal(LiteralValue::Int(index)) if value.set() == KindSet::ARRAY && *index.inner() >= 0 => {
                let found = value.element(*index.inner());
                if found.is_absent() {
                    let (written, name) = (self.written(of), index.inner().to_string().into());
                    self.remark(at, RemarkKind::NoMember { written, name, of: value });
                    return self.failed();
                }
                found.shape
            }
            _ => Shape::any(),
        }
    }

    fn function(&mut self, call: &'a CallExpr) -> Shape {
        let name = call.func_name.trim_start_matches('.');
        let operands: Vec<&'a IdedExpr> = call.target.iter().map(|target| &**target).chain(&call.args).collect();
        let values: Vec<Shape> = operands.iter().map(|operand| self.eval(operand)).collect();
        if values.iter().any(Shape::is_never) {
            return self.failed();
        }
        let (wanted, result): (&[KindSet], Shape) = match name {
            "size" => (&[STRING.or(CONTAINER)], Shape::integer()),
            "startsWith" | "endsWith" | "contains" | "matches" => (&[STRING, STRING], Shape::boolean()),
            "int" => (&[CONTAINER.complement()], Shape::integer()),
            "double" => (&[CONTAINER.complement()], Shape::number()),
            "bool" => (&[CONTAINER.complement()], Shape::boolean()),
            "string" => (&[], Shape::string()),
            // Texts are converted to times before.
            _ if name.starts_with("get") => (&[KindSet::NONE], Shape::integer()),
            "timestamp" | "duration" => (&[STRING.or(NUMBER)], Shape::any()),
            _ => (&[], Shape::any()),
        };
        for (at, ((operand, value), wanted)) in operands.iter().zip(values).zip(wanted).enumerate() {
            if value.is_any() {
                continue;
            }
            let what = if at == 0 { format!("the operand of `{name}`") } else { format!("the argument of `{name}`") };
            if self.check(operand, value, &what, *wanted).is_never() {
                return self.failed();
            }
        }
        result
    }

    /// Evaluates an expanded macro.
    fn comprehension(&mut self, of: &'a ComprehensionExpr) -> Shape {
        let range = self.operand(&of.iter_range, "the list of a macro", CONTAINER);
        if range.is_never() {
            return self.failed();
        }
        let key = if range.set().meets(KindSet::OBJECT) { Shape::string() } else { Shape::never() };
        let item =
            if range.is_any() || range.set().meets(KindSet::NULL) { Shape::any() } else { range.elements().join(&key) };
        let mut element = Shape::any();
        if !item.is_never() {
            self.bound.push((&of.iter_var, item.clone()));
            self.bound.push((&of.accu_var, Shape::any()));
            self.absorbing += 1;
            match added(&of.loop_step) {
                Some((test, added)) => {
                    test.into_iter().for_each(|test| _ = self.operand(test, "the condition of a macro", BOOLEAN));
                    element = self.eval(added);
                }
                None => _ = self.eval(&of.loop_step),
            }
            self.absorbing -= 1;
            self.bound.truncate(self.bound.len() - 2);
        }
        match &of.accu_init.expr {
            Expr::Literal(LiteralValue::Boolean(_)) => Shape::boolean(),
            Expr::List(_) => Shape::list(element),
            Expr::Literal(LiteralValue::Int(_)) => Shape::boolean(),
            _ => Shape::any(),
        }
    }
}

/// Returns the truth of a test that an object has a member.
fn has_member(of: &Shape, name: &Shape) -> Shape {
    let only = name.known_texts().filter(|texts| texts.len() == 1).and_then(|texts| texts.iter().next());
    match only.map(|name| of.member(name)) {
        Some(found) if of.set() == KindSet::OBJECT && found.is_absent() => Shape::flag(false),
        Some(found) if of.set() == KindSet::OBJECT && !found.may_be_absent => Shape::flag(true),
        _ => Shape::boolean(),
    }
}

/// Returns the element that a step of `map` or `filter` adds to the list, with the condition.
fn added(step: &IdedExpr) -> Option<(Option<&IdedExpr>, &IdedExpr)> {
    let Expr::Call(call) = &step.expr else { return None };
    match (call.func_name.as_str(), &call.args[..]) {
        (operators::ADD, [_, IdedExpr { expr: Expr::List(list), .. }]) => match &list.elements[..] {
            [only] => Some((None, only)),
            _ => None,
        },
        (operators::CONDITIONAL, [test, then, _]) => added(then).map(|(_, added)| (Some(test), added)),
        _ => None,
    }
}

/// Returns the sign of an operator on two values.
fn sign(name: &str) -> Option<&'static str> {
    Some(match name {
        operators::EQUALS => "==",
        operators::NOT_EQUALS => "!=",
        operators::LESS => "<",
        operators::LESS_EQUALS => "<=",
        operators::GREATER => ">",
        operators::GREATER_EQUALS => ">=",
        operators::ADD => "+",
        operators::SUBSTRACT => "-",
        operators::MULTIPLY => "*",
        operators::DIVIDE => "/",
        operators::MODULO => "%",
        _ => return None,
    })
}
