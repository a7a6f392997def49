//! The shapes of what jq programs yield.
//!
//! A member that an object lacks is null in jq. A program fails in every run only where it reads
//! a member of a value that is neither an object nor null, or computes with what cannot be
//! computed with.

use super::ast::{Binary, Member, StringPiece, Term, TermKind};
use super::{Filter, ResultMode};
use crate::escape::shown;
use crate::shapes::{Access, AnyReason, Field, KindSet, PathCount, RecordShape, Shape};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The depth of terms that is followed. Of deeper ones nothing is known.
const MAX_DEPTH: usize = 64;

/// A remark on a program.
#[derive(Debug, Clone)]
pub struct JqRemark {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The member that is read, the function, or the operator.
    pub what: Arc<str>,
    /// The value of a wrong kind, the object that lacks the member, or the left operand.
    pub of: Shape,
    /// The kind of the remark.
    pub kind: JqRemarkKind,
}

/// The kind of a remark.
#[derive(Debug, Clone, PartialEq)]
pub enum JqRemarkKind {
    /// A member is read of a value that can have none.
    NoMembers,
    /// A member is read that the object never has.
    AlwaysNull,
    /// A member of a value of a type of the program is read.
    InRust {
        /// The path to the value.
        base: String,
    },
    /// The two sides of an equation are never equal.
    NeverEqual {
        /// The right side.
        right: Shape,
    },
    /// The input of a function is never of the kinds that it takes.
    WrongInput {
        /// These kinds.
        wanted: KindSet,
    },
    /// An operator never has a result for the two operands.
    WrongOperands {
        /// The right operand.
        right: Shape,
    },
}

impl JqRemarkKind {
    /// Returns `true` if the program fails in every run.
    fn fails(&self) -> bool {
        match self {
            JqRemarkKind::NoMembers | JqRemarkKind::WrongInput { .. } | JqRemarkKind::WrongOperands { .. } => true,
            JqRemarkKind::AlwaysNull | JqRemarkKind::InRust { .. } | JqRemarkKind::NeverEqual { .. } => false,
        }
    }
}

/// The outcome of a program.
#[derive(Debug, Clone)]
pub struct JqOutcome {
    /// The value, which is an array if the program yields several values.
    pub value: Shape,
    /// The remarks.
    pub remarks: Vec<JqRemark>,
    /// The number of paths that begin at the input of a term or a variable.
    pub paths: PathCount,
}

impl Filter {
    /// Returns what the program yields for an input. `variables` are the values of its variables.
    pub fn outcome(&self, input: &Shape, variables: &[Shape]) -> JqOutcome {
        let scope = self.variables.iter().cloned().zip(variables.iter().cloned()).collect();
        let mut run = Run { variables: scope, remarks: Vec::new(), quiet: 0, paths: PathCount::default() };
        let each = run.eval(&self.program, input);
        let is_single = super::is_single(&self.program);
        let fails = run.remarks.iter().any(|remark| remark.kind.fails());
        let value = match self.mode {
            _ if fails => Shape::never(),
            ResultMode::Test
                if is_single && each.only(KindSet::BOOLEAN) == Shape::flag(true) && each.set() == KindSet::BOOLEAN =>
            {
                Shape::flag(true)
            }
            // Any other value than `true` is no success.
            ResultMode::Test if is_single && !each.is_any() && each.without_flag(true) == each => Shape::flag(false),
            ResultMode::Test => Shape::boolean(),
            ResultMode::Value if is_single && !each.is_never() => each,
            ResultMode::Value => each.join(&Shape::list(each.clone())),
            ResultMode::All => Shape::list(each),
        };
        JqOutcome { value, remarks: run.remarks, paths: run.paths }
    }
}

struct Run {
    variables: BTreeMap<String, Shape>,
    remarks: Vec<JqRemark>,
    /// The number of terms around this one that may not evaluate it, or handle its errors.
    quiet: usize,
    paths: PathCount,
}

impl Run {
    /// Returns the shape of each value that a term yields: [`Shape::never`] if it yields none, or
    /// fails.
    fn eval(&mut self, term: &Term, input: &Shape) -> Shape {
        if input.is_never() {
            return Shape::never();
        }
        if term.depth > MAX_DEPTH {
            return Shape::any();
        }
        match &term.kind {
            TermKind::Identity => input.clone(),
            TermKind::Number(text) => text.parse().map_or_else(|_| Shape::number(), Shape::whole),
            TermKind::Text(None, pieces) => self.text(term, pieces, input),
            TermKind::Text(Some(_), _) | TermKind::Format(_) => Shape::string(),
            TermKind::Array(None) => Shape::tuple(Vec::new()),
            TermKind::Array(Some(inner)) => self.array(inner, input),
            TermKind::Object(members) => self.object(members, input),
            TermKind::Negate(inner) => {
                self.eval(inner, input);
                Shape::number()
            }
            TermKind::Pipe(parts) => self.pipe(parts, input),
            TermKind::Comma(parts) => {
                let values: Vec<Shape> = parts.iter().map(|part| self.eval(part, input)).collect();
                Shape::union(&values)
            }
            TermKind::Binary(operator, left, right) => self.binary(*operator, left, right, input, &term.at),
            TermKind::If(test, then, otherwise) => {
                if is_path(test) {
                    self.guard(test, input);
                } else {
                    self.eval(test, input);
                }
                let then = self.quietly(then, input);
                let otherwise = match otherwise {
                    Some(otherwise) => self.quietly(otherwise, input),
                    None => input.clone(),
                };
                then.join(&otherwise)
            }
            TermKind::Try(body, handler) => {
                let body = self.quietly(body, input);
                match handler {
                    // The handler receives what the error is.
                    Some(_) => Shape::any(),
                    None => body,
                }
            }
            TermKind::Call(name, args) => self.call(name, args, input, &term.at),
            TermKind::Variable(name) => self.variables.get(name).cloned().unwrap_or_else(Shape::any),
            TermKind::Index(of, key, optional) => self.index(of, key, *optional, input),
            TermKind::Slice(of, ..) => {
                let of = self.eval(of, input);
                let strings = of.only(KindSet::STRING);
                let strings = if strings.is_never() { strings } else { Shape::string() };
                let null = of.only(KindSet::NULL);
                match of.set().meets(KindSet::ARRAY) {
                    true => Shape::list(of.elements()).join(&strings).join(&null),
                    false => strings.join(&null),
                }
            }
            TermKind::Iterate(of, optional) => {
                let value = self.eval(of, input);
                let may_be_empty = usize::from(*optional || !super::is_single(of));
                self.quiet += may_be_empty;
                let is_taken = self.takes(&value, KindSet::ARRAY | KindSet::OBJECT, "[]", &term.at);
                let failed = self.failed();
                self.quiet -= may_be_empty;
                if is_taken { value.children() } else { failed }
            }
            TermKind::Descend
            | TermKind::Update(..)
            | TermKind::Bind(..)
            | TermKind::Reduce(..)
            | TermKind::Foreach(..)
            | TermKind::Label(..)
            | TermKind::Break(_)
            | TermKind::Define(..) => Shape::any(),
        }
    }

    fn text(&mut self, term: &Term, pieces: &[StringPiece], input: &Shape) -> Shape {
        if let Some(text) = term.as_str() {
            return Shape::text(text);
        }
        let before = self.quiet;
        for piece in pieces {
            if let StringPiece::Term(inner) = piece {
                self.eval(inner, input);
                self.quiet += usize::from(!super::is_single(inner));
            }
        }
        self.quiet = before;
        Shape::string()
    }

    fn array(&mut self, inner: &Term, input: &Shape) -> Shape {
        // The terms of a list that each yield one value are the elements.
        let parts = match &inner.kind {
            TermKind::Comma(parts) => &parts[..],
            _ => std::slice::from_ref(inner),
        };
        let values: Vec<Shape> = parts.iter().map(|part| self.eval(part, input)).collect();
        match parts.iter().all(super::is_single) {
            true => Shape::tuple(values),
            false => Shape::list(Shape::union(&values)),
        }
    }

    fn object(&mut self, members: &[Member], input: &Shape) -> Shape {
        let mut fields = BTreeMap::new();
        let mut rest = Shape::never();
        // Without a value of one member, the others may not be evaluated.
        let parts = || members.iter().flat_map(|member| std::iter::once(&member.key).chain(&member.value));
        let may_be_empty = parts().filter(|part| !super::is_single(part)).count();
        for member in members {
            let own = usize::from(member.value.as_ref().is_some_and(|value| !super::is_single(value)));
            let others = usize::from(may_be_empty > own);
            self.quiet += others;
            let value = match (&member.value, &member.key.kind) {
                (Some(value), _) => self.eval(value, input),
                (None, TermKind::Variable(name)) => self.variables.get(name).cloned().unwrap_or_else(Shape::any),
                (None, _) => match member.key.as_str() {
                    Some(name) => member_of(input, name),
                    None => Shape::any(),
                },
            };
            self.quiet -= others;
            let name = match &member.key.kind {
                TermKind::Variable(name) => Some(name.as_str()),
                _ => member.key.as_str(),
            };
            match name {
                // A variable with a value is a key that is computed.
                Some(_) if member.value.is_some() && matches!(member.key.kind, TermKind::Variable(_)) => {
                    rest = rest.join(&value);
                }
                Some(name) => _ = fields.insert(name.into(), Field { shape: value, required: true }),
                None => rest = rest.join(&value),
            }
        }
        if !rest.is_never() {
            // A computed key can be that of a member before.
            fields.values_mut().for_each(|field| field.shape = field.shape.join(&rest));
        }
        Shape::object(RecordShape { fields: fields.into_iter().collect(), rest })
    }

    fn binary(&mut self, operator: Binary, left: &Term, right: &Term, input: &Shape, at: &Range<usize>) -> Shape {
        match operator {
            Binary::Alternative => {
                // An error of the left side counts as no value.
                let left = self.quietly(left, input);
                let right = self.quietly(right, input);
                left.only(KindSet::NULL.complement()).without_flag(false).join(&right)
            }
            Binary::Or | Binary::And => {
                self.eval(left, input);
                self.quietly(right, input);
                Shape::boolean()
            }
            Binary::Values(operator) => {
                // Without a value of one side, the other one may not be evaluated.
                let [left_may_be_empty, right_may_be_empty] =
                    [left, right].map(|side| usize::from(!super::is_single(side)));
                let is_equation = matches!(operator.sign, "==" | "!=");
                let [left_is_guard, right_is_guard] = [right, left].map(|other| is_equation && is_null(other));
                self.quiet += right_may_be_empty;
                let left = if left_is_guard { self.guard(left, input) } else { self.eval(left, input) };
                self.quiet += left_may_be_empty;
                self.quiet -= right_may_be_empty;
                let right = if right_is_guard { self.guard(right, input) } else { self.eval(right, input) };
                self.quiet -= left_may_be_empty;
                let either_may_be_empty = left_may_be_empty.max(right_may_be_empty);
                if left.is_never() || right.is_never() {
                    return Shape::never();
                }
                match operator.sign {
                    "==" | "!=" if left.is_distinct(&right) => {
                        let is_equal = operator.sign == "==";
                        // Null stands for data that is still to come, and a test of it is careful.
                        if is_equal && ![&left, &right].iter().any(|side| side.set() == KindSet::NULL) {
                            self.quiet += either_may_be_empty;
                            self.remark(at, operator.sign, left, JqRemarkKind::NeverEqual { right });
                            self.quiet -= either_may_be_empty;
                        }
                        Shape::flag(!is_equal)
                    }
                    _ if !operator.is_arithmetic() => Shape::boolean(),
                    sign if !computes(sign, left.set(), right.set()) => {
                        self.quiet += either_may_be_empty;
                        self.remark(at, sign, left, JqRemarkKind::WrongOperands { right });
                        let failed = self.failed();
                        self.quiet -= either_may_be_empty;
                        failed
                    }
                    _ => arithmetic(operator.sign, &left, &right),
                }
            }
        }
    }

    fn index(&mut self, of: &Term, key: &Term, optional: bool, input: &Shape) -> Shape {
        let value = self.eval(of, input);
        if matches!(of.kind, TermKind::Identity | TermKind::Variable(_)) {
            self.paths.note(!value.is_unknown(), AnyReason::Computed);
        }
        // Without a value, no member is read.
        let may_be_empty = usize::from(!super::is_single(of));
        let Some(name) = key.as_str() else {
            self.quiet += may_be_empty;
            self.eval(key, input);
            let mut fails = false;
            if matches!(key.kind, TermKind::Number(_)) && !optional {
                fails = !self.takes(&value, KindSet::ARRAY, "[…]", &key.at);
            }
            let failed = self.failed();
            self.quiet -= may_be_empty;
            if fails {
                return failed;
            }
            return match &key.kind {
                TermKind::Number(text) if !value.is_any() => {
                    let found = text.parse().map_or_else(|_| Access::unknown(), |index| value.element(index));
                    if found.may_be_absent { found.shape.join(&Shape::null()) } else { found.shape }
                }
                _ => Shape::any(),
            };
        };
        let mut found = member_of(&value, name);
        self.quiet += may_be_empty;
        if !value.is_never() && found.is_never() && !optional {
            self.remark(&key.at, name, value.clone(), JqRemarkKind::NoMembers);
            found = self.failed();
        } else if found.set() == KindSet::NULL && value.set() == KindSet::OBJECT && value.member(name).is_absent() {
            self.remark(&key.at, name, value.clone(), JqRemarkKind::AlwaysNull);
        }
        let inner = value.member(name);
        if inner.may_be_absent && inner.shape.ends_in(Some(name)) && !optional {
            self.remark(&key.at, name, inner.shape, JqRemarkKind::InRust { base: written(of) });
        }
        self.quiet -= may_be_empty;
        found
    }

    fn remark(&mut self, at: &Range<usize>, what: &str, of: Shape, kind: JqRemarkKind) {
        if self.quiet == 0 {
            self.remarks.push(JqRemark { at: at.clone(), what: what.into(), of, kind });
        }
    }

    /// Returns what a term yields that fails in every run. A failure that is not reported is no
    /// ground for what is claimed later.
    fn failed(&self) -> Shape {
        if self.quiet == 0 { Shape::never() } else { Shape::any() }
    }

    /// Evaluates a term that tests the presence of a value, without reports of null.
    fn guard(&mut self, term: &Term, input: &Shape) -> Shape {
        let before = self.remarks.len();
        let value = self.eval(term, input);
        let own = self.remarks.split_off(before);
        self.remarks.extend(own.into_iter().filter(is_certain));
        value
    }

    /// Reports the input of a function that is never of the kinds that it takes, and returns
    /// `false` for it. Null stands for data that is still to come.
    fn takes(&mut self, input: &Shape, wanted: KindSet, name: &str, at: &Range<usize>) -> bool {
        let is_taken = input.is_never() || input.set().meets(wanted | KindSet::NULL);
        if !is_taken {
            self.remark(at, name, input.clone(), JqRemarkKind::WrongInput { wanted });
        }
        is_taken
    }

    fn call(&mut self, name: &str, args: &[Term], input: &Shape, at: &Range<usize>) -> Shape {
        if let Some(wanted) = input_of(name, args.len())
            && !self.takes(input, wanted, name, at)
        {
            return self.failed();
        }
        match (name, args) {
            ("true", []) => Shape::flag(true),
            ("false", []) => Shape::flag(false),
            ("null", []) => Shape::null(),
            ("not" | "isnan" | "isinfinite" | "isnormal", []) => Shape::boolean(),
            ("has" | "test" | "startswith" | "endswith" | "contains" | "inside", [_]) => Shape::boolean(),
            ("any" | "all", _) => Shape::boolean(),
            ("length" | "utf8bytelength" | "now", []) => Shape::number(),
            // The root of a negative number is NaN, which is null in JSON, and so is its floor.
            ("sqrt" | "floor" | "ceil" | "round" | "tonumber" | "fabs", []) => Shape::number().join(&Shape::null()),
            ("tostring" | "tojson" | "ascii_downcase" | "ascii_upcase" | "type" | "todate" | "implode", []) => {
                Shape::string()
            }
            ("join" | "strftime", [_]) => Shape::string(),
            // Values of other kinds stay as they are.
            ("ltrimstr" | "rtrimstr", [_]) if input.set() == KindSet::STRING => Shape::string(),
            ("keys" | "keys_unsorted", []) => Shape::list(Shape::string().join(&Shape::integer())),
            ("split", _) => Shape::list(Shape::string()),
            ("explode", []) => Shape::list(Shape::integer()),
            ("reverse" | "sort" | "unique", []) if input.set() == KindSet::ARRAY => Shape::list(input.elements()),
            ("sort_by" | "unique_by", [_]) if input.set() == KindSet::ARRAY => Shape::list(input.elements()),
            ("map", [body]) if !input.is_any() => Shape::list(self.quietly(body, &input.children())),
            ("select", [test]) => {
                self.quietly(test, input);
                input.clone()
            }
            ("values", []) => input.only(KindSet::NULL.complement()),
            ("empty" | "error", _) => Shape::any(),
            ("to_entries", []) => {
                let key = match (input.set().meets(KindSet::OBJECT), input.set().meets(KindSet::ARRAY)) {
                    (true, false) => Shape::string(),
                    (false, true) => Shape::integer(),
                    _ => Shape::string().join(&Shape::integer()),
                };
                Shape::list(Shape::record([("key", key), ("value", input.children())]))
            }
            _ => Shape::any(),
        }
    }

    /// Evaluates a term that may be applied to no value, or whose errors are handled.
    fn quietly(&mut self, term: &Term, input: &Shape) -> Shape {
        self.quiet += 1;
        let shape = self.eval(term, input);
        self.quiet -= 1;
        shape
    }

    fn pipe(&mut self, parts: &[Term], input: &Shape) -> Shape {
        let before = self.quiet;
        let mut value = input.clone();
        for part in parts {
            value = self.eval(part, &value);
            // A part that may yield no value leaves nothing to the parts after it.
            self.quiet += usize::from(!super::is_single(part));
        }
        self.quiet = before;
        value
    }
}

/// Returns `true` for the constant null.
fn is_null(term: &Term) -> bool {
    matches!(&term.kind, TermKind::Call(name, args) if name == "null" && args.is_empty())
}

/// Returns `true` for a path of names, which is a test of whether a member is there.
fn is_path(mut term: &Term) -> bool {
    while let TermKind::Index(of, key, _) = &term.kind {
        if key.as_str().is_none() {
            return false;
        }
        term = of;
    }
    matches!(term.kind, TermKind::Identity | TermKind::Variable(_))
}

/// Returns `true` for a diagnostic that is a mistake also where a program tests for null.
fn is_certain(remark: &JqRemark) -> bool {
    !matches!(remark.kind, JqRemarkKind::AlwaysNull | JqRemarkKind::InRust { .. })
}

/// Returns a path as messages show it: `.receipt`, or `…` for another term.
fn written(term: &Term) -> String {
    match &term.kind {
        TermKind::Identity => ".".to_owned(),
        TermKind::Variable(name) => format!("${}", shown(name)),
        TermKind::Index(of, key, _) => match (written(of).as_str(), key.as_str()) {
            (".", Some(name)) => format!(".{}", shown(name)),
            (of, Some(name)) => format!("{of}.{}", shown(name)),
            _ => "…".to_owned(),
        },
        _ => "…".to_owned(),
    }
}

/// Returns the member of a value: null where an object lacks it, and [`Shape::never`] where
/// reading it is an error.
fn member_of(value: &Shape, name: &str) -> Shape {
    if value.is_any() {
        return value.member(name).shape;
    }
    let null = if value.set().meets(KindSet::NULL) { Shape::null() } else { Shape::never() };
    let objects = value.only(KindSet::OBJECT);
    if objects.is_never() {
        return null;
    }
    let found = objects.member(name);
    let found = if found.may_be_absent { found.shape.join(&Shape::null()) } else { found.shape };
    found.join(&null)
}

/// Returns the kinds of values that a function of jq takes as its input, if it fails for others.
fn input_of(name: &str, args: usize) -> Option<KindSet> {
    Some(match (name, args) {
        ("keys" | "keys_unsorted" | "to_entries" | "add", 0) | ("map" | "map_values" | "has" | "with_entries", 1) => {
            KindSet::ARRAY | KindSet::OBJECT
        }
        ("sort" | "unique" | "min" | "max" | "implode", 0)
        | ("sort_by" | "unique_by" | "group_by" | "min_by" | "max_by", 1) => KindSet::ARRAY,
        ("tonumber", 0) => KindSet::NUMBER | KindSet::STRING,
        ("floor" | "ceil" | "round" | "sqrt" | "fabs", 0) => KindSet::NUMBER,
        ("ascii_downcase" | "ascii_upcase" | "explode" | "fromjson", 0)
        | ("startswith" | "endswith" | "test" | "match" | "capture" | "split", 1) => KindSet::STRING,
        ("length", 0) => KindSet::BOOLEAN.complement(),
        _ => return None,
    })
}

/// Returns `true` if an arithmetic operator may have a result for operands of these kinds.
fn computes(sign: &str, left: KindSet, right: KindSet) -> bool {
    let both = |kind: KindSet| left.meets(kind) && right.meets(kind);
    let numbers = both(KindSet::NUMBER) || left.meets(KindSet::NULL) || right.meets(KindSet::NULL);
    numbers
        || match sign {
            "+" => both(KindSet::STRING) || both(KindSet::ARRAY) || both(KindSet::OBJECT),
            "-" => both(KindSet::ARRAY),
            "*" => {
                let repeated =
                    |text: KindSet, times: KindSet| text.meets(KindSet::STRING) && times.meets(KindSet::NUMBER);
                both(KindSet::OBJECT) || repeated(left, right) || repeated(right, left)
            }
            "/" => both(KindSet::STRING),
            _ => false,
        }
}

/// Returns what an arithmetic operator yields.
fn arithmetic(sign: &str, left: &Shape, right: &Shape) -> Shape {
    let both = |kind: KindSet| left.set() == kind && right.set() == kind;
    match sign {
        _ if both(KindSet::NUMBER) => Shape::number(),
        "+" if both(KindSet::STRING) => Shape::string(),
        "+" if both(KindSet::ARRAY) => Shape::list(left.elements().join(&right.elements())),
        "+" if both(KindSet::OBJECT) => left.merged(right),
        _ => Shape::any(),
    }
}
