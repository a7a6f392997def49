//! The shapes of expressions in JSONata.
//!
//! A missing member is undefined in JSONata, and often intended. It is reported only where the
//! whole expression is undefined in every run, which fails. Operands and arguments of a wrong
//! kind, and comparisons that never hold, are reported wherever they are evaluated.

mod functions;
mod steps;
#[cfg(test)]
mod tests;

use super::bindings::BoundVariables;
use crate::expr::jsonata::Yields;
use crate::shapes::{Access, KindSet, Numbers, PathCount, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use workflow_jsonata::{BinaryOperator, Lambda, Node, NodeKind, Number};

/// The most work that an expression may cost. Nothing is claimed of the value of one that costs
/// more.
const MOST_WORK: usize = 1_000_000;

/// A remark on the text of an expression.
#[derive(Debug, Clone)]
pub struct JsonataRemark {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The kind of the remark.
    pub kind: JsonataRemarkKind,
}

/// The kind of a remark.
#[derive(Debug, Clone)]
pub enum JsonataRemarkKind {
    /// A path, up to the member that cannot exist, the name of the member, and the value without
    /// it. The whole expression is undefined.
    NoMember { written: String, name: Arc<str>, of: Shape },
    /// An operand or an argument is never of the kind that the operator or function takes.
    WrongKind { what: String, found: Shape, wanted: KindSet },
    /// The two sides of an equation are never equal.
    NeverEqual { left: Shape, right: Shape },
    /// A path, up to a member that its object is not known to have, the name of the member, and
    /// the object.
    Unlisted { written: String, name: Arc<str>, of: Shape },
}

/// The value of an expression, and what was found in it.
pub struct JsonataOutcome {
    /// The value. It may be absent if the expression may be undefined.
    pub access: Access,
    /// The remarks.
    pub remarks: Vec<JsonataRemark>,
    /// The number of paths that begin at a member of `$states` or a variable of the workflow.
    pub paths: PathCount,
    /// The values of the program's types that its paths lead to.
    pub reads: Vec<Shape>,
    /// The path whose value is that of the whole expression, if rustc checks it.
    pub checked: Option<CheckedPath>,
    /// The number of parts that were evaluated, and of shapes that were joined there.
    pub work: usize,
}

/// A path into a value of a type of the program.
#[derive(Debug, Clone)]
pub struct CheckedPath {
    /// The place of its first checked step in the text, in bytes.
    pub at: Range<usize>,
    /// The path before this step.
    pub base: String,
    /// The number of checked steps.
    pub steps: usize,
}

/// Evaluates a parsed expression. `values` are the members of `$states` and the variables, by
/// name, and `source` is the text.
pub fn evaluate(node: &Node, source: &str, values: &BTreeMap<&str, Access>) -> JsonataOutcome {
    // Nothing is known of the context, but that it is no array.
    let context = Access { shape: Shape::any().only(KindSet::ARRAY.complement()), may_be_absent: true };
    evaluate_in(node, source, values, &context)
}

/// Evaluates a parsed expression in a context.
fn evaluate_in(node: &Node, source: &str, values: &BTreeMap<&str, Access>, context: &Access) -> JsonataOutcome {
    let mut run = Run {
        values,
        source,
        scopes: BoundVariables::default(),
        bindings: BTreeSet::new(),
        remarks: Vec::new(),
        missing: None,
        checked: None,
        quiet: 0,
        work: 0,
        has_quotients: has_quotients(node),
        paths: PathCount::default(),
        reads: Vec::new(),
    };
    let access = run.eval(node, context);
    // A binding in a part that is not followed may change any variable.
    if run.is_exhausted() || run.bindings.len() < source.matches(":=").count() {
        let Run { paths, reads, work, .. } = run;
        return JsonataOutcome { access: Access::unknown(), remarks: Vec::new(), paths, reads, checked: None, work };
    }
    if access.is_absent()
        && let Some(path) = path_of(node)
        && let Some(missing) = run.missing.take().filter(|missing| missing.at.start >= path.at.start)
    {
        run.remarks.push(missing);
    }
    let path = path_of(node).filter(|_| access.may_be_absent && access.shape.rust().is_some());
    let checked = run.checked.take().filter(|checked| path.is_some_and(|path| checked.at.start >= path.at.start));
    let Run { remarks, paths, reads, work, .. } = run;
    JsonataOutcome { access, remarks, paths, reads, checked, work }
}

/// Returns the kinds that a field takes.
pub fn wanted(yields: Yields) -> KindSet {
    match yields {
        Yields::Any => KindSet::ALL,
        Yields::Array => KindSet::ARRAY,
        Yields::Items => KindSet::ARRAY.or(KindSet::OBJECT),
        Yields::Boolean => KindSet::BOOLEAN,
        Yields::Number => KindSet::NUMBER,
        Yields::Object => KindSet::OBJECT,
        Yields::String => KindSet::STRING,
    }
}

/// Returns the path whose value is that of an expression. If it is undefined, its last missing
/// member is the reason.
fn path_of(node: &Node) -> Option<&Node> {
    match &node.kind {
        NodeKind::Path(_) => Some(node),
        NodeKind::Block(parts) => path_of(parts.last()?),
        _ => None,
    }
}

struct Run<'v> {
    values: &'v BTreeMap<&'v str, Access>,
    /// The text of the expression.
    source: &'v str,
    /// The variables that the expression binds.
    scopes: BoundVariables,
    /// The places of the bindings that are followed.
    bindings: BTreeSet<usize>,
    remarks: Vec<JsonataRemark>,
    /// The last member that cannot exist.
    missing: Option<JsonataRemark>,
    /// The last path into a value of a type of the program.
    checked: Option<CheckedPath>,
    /// The number of parts around this one that may not evaluate it.
    quiet: usize,
    /// The work so far.
    work: usize,
    /// `true` if a part of the expression can yield an infinity or NaN.
    has_quotients: bool,
    paths: PathCount,
    reads: Vec<Shape>,
}

impl Run<'_> {
    fn eval(&mut self, node: &Node, context: &Access) -> Access {
        self.work += 1;
        if self.is_exhausted() {
            return Access::unknown();
        }
        match &node.kind {
            NodeKind::Null => Access::present(Shape::null()),
            NodeKind::Bool(value) => Access::present(Shape::flag(*value)),
            NodeKind::Number(Number::Int(number)) => Access::present(Shape::whole(*number)),
            NodeKind::Number(Number::Float(_)) => Access::present(Shape::number()),
            NodeKind::String(text) => Access::present(Shape::text(text)),
            NodeKind::Variable(name) => self.variable(name),
            NodeKind::Context => context.clone(),
            NodeKind::Path(path) => self.path(path, context),
            NodeKind::Negate(inner) => {
                let operand = self.operand(inner, context, "the operand of `-`", KindSet::NUMBER);
                Access { shape: Shape::number(), may_be_absent: operand.may_be_absent }
            }
            NodeKind::Array(items) => {
                let is_range = |item: &Node| matches!(item.kind, NodeKind::Binary(BinaryOperator::Range, ..));
                let elements: Vec<(Access, bool)> =
                    items.iter().map(|item| (self.eval(item, context), is_array_constructor(item))).collect();
                // An undefined item adds no element, and a sequence adds its own elements.
                let is_plain = |(item, whole): &(Access, bool)| {
                    !item.may_be_absent && (*whole || !item.shape.set().meets(KindSet::ARRAY))
                };
                if elements.iter().all(is_plain) && !items.iter().any(is_range) {
                    return Access::present(Shape::tuple(elements.into_iter().map(|(item, _)| item.shape).collect()));
                }
                elements.iter().for_each(|(item, _)| self.spend(item.shape.size()));
                let elements: Vec<Shape> =
                    elements.into_iter().flat_map(|(item, _)| [item.shape.elements(), item.shape]).collect();
                Access::present(Shape::list(Shape::union(&elements)))
            }
            NodeKind::Object(members) => self.object(members, context),
            NodeKind::Binary(operator, left, right) => self.binary(*operator, left, right, context),
            NodeKind::Bind(name, value) => {
                let value = self.eval(value, context);
                self.bindings.insert(node.at.start);
                self.scopes.bind(name, value.clone());
                value
            }
            NodeKind::Block(parts) => {
                let outer = self.scopes.len();
                let mut last = Access::absent();
                for part in parts {
                    last = self.eval(part, context);
                }
                self.scopes.leave(outer);
                last
            }
            NodeKind::Condition(condition) => {
                self.eval(&condition.test, context);
                let then = self.quietly(&condition.then, context);
                let otherwise = condition.otherwise.as_ref().map(|otherwise| self.quietly(otherwise, context));
                let otherwise = otherwise.unwrap_or_else(Access::absent);
                self.spend(then.shape.size() + otherwise.shape.size());
                then.join(&otherwise)
            }
            NodeKind::Call(call) => self.call(call, context),
            NodeKind::Apply(left, right) => self.chain(left, right, context),
            NodeKind::Suffixed(suffixed) => self.suffixed(suffixed, context),
            NodeKind::Lambda(lambda) if lambda.is_thunk => self.eval(&lambda.body, context),
            NodeKind::Lambda(lambda) => {
                self.lambda(lambda, &[], context);
                Access::unknown()
            }
            NodeKind::Partial(call) => {
                call.args.iter().for_each(|arg| _ = self.eval(arg, context));
                Access::unknown()
            }
            _ => Access::unknown(),
        }
    }

    /// Counts work. The evaluation is abandoned where it is too much.
    fn spend(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
    }

    /// Counts the elements of arrays that are joined.
    fn spend_elements(&mut self, shape: &Shape) {
        if !shape.is_any() && shape.set().meets(KindSet::ARRAY) {
            self.spend(shape.size());
        }
    }

    fn is_exhausted(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Evaluates a function, which may never run. Of arguments that are not listed nothing
    /// is known. A signature changes arguments when the function is called.
    fn lambda(&mut self, lambda: &Lambda, args: &[Access], context: &Access) -> Access {
        let outer = self.scopes.len();
        let args = if lambda.signature.is_some() { &[] } else { args };
        for (at, name) in lambda.params.iter().enumerate() {
            self.scopes.bind(name, args.get(at).cloned().unwrap_or_else(Access::unknown));
        }
        let value = self.quietly(&lambda.body, context);
        self.scopes.leave(outer);
        value
    }

    /// Evaluates a part that may be evaluated never, or several times. Of the variables that it
    /// binds nothing is known after it, nor of its value, which may depend on them.
    fn quietly(&mut self, node: &Node, context: &Access) -> Access {
        let outer = self.scopes.len();
        self.quiet += 1;
        let value = self.eval(node, context);
        self.quiet -= 1;
        if self.scopes.len() > outer {
            self.scopes.forget(outer);
            return Access::unknown();
        }
        value
    }

    fn remark(&mut self, at: Range<usize>, kind: JsonataRemarkKind) {
        if self.quiet == 0 {
            self.remarks.push(JsonataRemark { at, kind });
        }
    }

    fn variable(&self, name: &str) -> Access {
        self.scopes.get(name).or_else(|| self.values.get(name)).cloned().unwrap_or_else(Access::unknown)
    }

    /// Evaluates an operand, and reports it if it is never of a kind.
    fn operand(&mut self, node: &Node, context: &Access, what: &str, wanted: KindSet) -> Access {
        let value = self.eval(node, context);
        if !value.shape.is_never() && !value.may_be_absent && !value.shape.set().meets(wanted) {
            let kind = JsonataRemarkKind::WrongKind { what: what.to_owned(), found: value.shape.clone(), wanted };
            self.remark(node.at.clone(), kind);
        }
        value
    }

    fn object(&mut self, members: &[(Node, Node)], context: &Access) -> Access {
        let mut known = Vec::with_capacity(members.len());
        let mut is_known = true;
        // The elements of an array are grouped, so that a value is evaluated for several at once.
        let is_group = context.shape.set().meets(KindSet::ARRAY);
        let grouped = Access::unknown();
        let context = if is_group { &grouped } else { context };
        for (key, value) in members {
            match &key.kind {
                NodeKind::String(name) => known.push((Arc::clone(name), self.eval(value, context))),
                // Without a key the value is not evaluated.
                _ => {
                    self.quietly(value, context);
                    is_known = false;
                }
            }
        }
        if !is_known {
            return Access::present(Shape::any_object());
        }
        let fields = known.into_iter().map(|(name, value)| {
            // A member whose value is undefined is left out.
            (name, crate::shapes::Field { required: !value.may_be_absent, shape: value.shape })
        });
        let fields = fields.collect();
        Access::present(Shape::object(crate::shapes::RecordShape { fields, rest: Shape::never() }))
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Node, right: &Node, context: &Access) -> Access {
        use BinaryOperator as Op;
        match operator {
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => {
                let what = format!("an operand of `{}`", operator.sign());
                // The operands are finite, or the operator fails.
                let shape = if is_quotient(operator, right) { quotient() } else { Shape::number() };
                let [left, right] = [left, right].map(|side| self.operand(side, context, &what, KindSet::NUMBER));
                Access { shape, may_be_absent: left.may_be_absent || right.may_be_absent }
            }
            Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => {
                let what = format!("an operand of `{}`", operator.sign());
                let kinds = KindSet::NUMBER | KindSet::STRING;
                let [left, right] = [left, right].map(|side| self.operand(side, context, &what, kinds));
                Access { shape: Shape::boolean(), may_be_absent: left.may_be_absent || right.may_be_absent }
            }
            Op::Equal | Op::Unequal => {
                let at = left.at.start..right.at.end;
                let [left, right] = [left, right].map(|side| self.eval(side, context));
                let may_fail = [&left, &right].into_iter().any(|side| side.may_be_absent || side.shape.is_never());
                let [one, other] = [&left.shape, &right.shape];
                let is_possible = !one.is_distinct(other) || may_overflow(one, other) || may_overflow(other, one);
                if may_fail || is_possible {
                    return Access::present(Shape::boolean());
                }
                let is_equal = operator == Op::Equal;
                // Null stands for data that is still to come, and a test of it is careful.
                if is_equal && ![&left, &right].iter().any(|side| side.shape.set() == KindSet::NULL) {
                    let kind = JsonataRemarkKind::NeverEqual { left: left.shape, right: right.shape };
                    self.remark(at, kind);
                }
                Access::present(Shape::flag(!is_equal))
            }
            Op::Concatenate => {
                self.eval(left, context);
                self.eval(right, context);
                Access::present(Shape::string())
            }
            Op::And | Op::Or => {
                self.eval(left, context);
                self.quietly(right, context);
                Access::present(Shape::boolean())
            }
            Op::In => {
                self.eval(left, context);
                self.eval(right, context);
                Access::present(Shape::boolean())
            }
            Op::Range => {
                let [left, right] =
                    [left, right].map(|side| self.operand(side, context, "an operand of `..`", KindSet::NUMBER));
                let may_be_absent = left.may_be_absent || right.may_be_absent;
                // Numbers beyond 2^53 are not exact. A range has at most 10,000,000 numbers.
                let is_small = |numbers: &Numbers| matches!(numbers, Numbers::Known(known) if known.iter().all(|number| number.unsigned_abs() < 1 << 52));
                let is_exact = left.shape.kinds().is_some_and(|kinds| is_small(&kinds.numbers));
                let number = if is_exact { Shape::integer() } else { Shape::number() };
                Access { shape: Shape::list(number), may_be_absent }
            }
        }
    }
}

/// Returns the shape of a number that may be an infinity or NaN, which are texts outside of the
/// expression.
fn quotient() -> Shape {
    Shape::union(&["Infinity", "-Infinity", "NaN"].map(Shape::text)).join(&Shape::number())
}

/// Returns `true` if a number of one shape may be a text of the other: another expression has
/// yielded a number that exceeds the largest one, which is a text outside of it.
fn may_overflow(number: &Shape, text: &Shape) -> bool {
    let is_open = number.kinds().is_some_and(|kinds| kinds.numbers == Numbers::Any);
    let infinities = ["Infinity", "-Infinity", "NaN"].map(Shape::text);
    is_open && infinities.iter().any(|infinity| !infinity.is_distinct(text))
}

/// Returns `true` if a part of an expression can yield an infinity or NaN from finite numbers. A
/// number that exceeds the largest one is not considered.
fn has_quotients(node: &Node) -> bool {
    let mut found = false;
    node.walk(&mut |part| {
        found |= match &part.kind {
            NodeKind::Binary(operator, _, right) => is_quotient(*operator, right),
            // They yield NaN of a text without a number, and of a date that is out of range.
            NodeKind::Variable(name) => matches!(&**name, "parseInteger" | "toMillis"),
            _ => false,
        };
    });
    found
}

/// Returns `true` for an operator that divides by what may be zero.
fn is_quotient(operator: BinaryOperator, right: &Node) -> bool {
    matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) && !is_divisor(right)
}

/// Returns `true` for a literal by which every finite number has a finite quotient.
fn is_divisor(node: &Node) -> bool {
    match node.kind {
        NodeKind::Number(Number::Int(number)) => number != 0,
        NodeKind::Number(Number::Float(number)) => number.abs() >= 1.0,
        _ => false,
    }
}

/// Returns `true` for an array literal.
fn is_array_constructor(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Array(_))
}
