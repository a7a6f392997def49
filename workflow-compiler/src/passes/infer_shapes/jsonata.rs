//! The shapes of expressions in JSONata.
//!
//! A missing member is undefined in JSONata, and often intended. It is reported only where the
//! whole expression is undefined in every run, which fails. Operands and arguments of a wrong
//! kind, and comparisons that never hold, are reported wherever they are evaluated.

use super::bindings::BoundVariables;
use crate::expr::jsonata::Yields;
use crate::shapes::{Access, AnyReason, KindSet, PathCount, RustStep, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use workflow_jsonata::{BinaryOperator, Call, Node, NodeKind, Number, Path, Stage, Step, StepKind};

/// A finding in the text of an expression.
#[derive(Debug, Clone)]
pub struct JsonataRemark {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The kind of the finding.
    pub kind: JsonataRemarkKind,
}

/// The kind of a finding.
#[derive(Debug, Clone)]
pub enum JsonataRemarkKind {
    /// A path, up to the member that cannot exist, the name of the member, and the value without
    /// it. The whole expression is undefined.
    NoMember { written: String, name: Arc<str>, of: Shape },
    /// An operand or an argument is never of the kind that the operator or function takes.
    WrongKind { what: String, found: Shape, wanted: KindSet },
    /// The two sides of an equation are never equal.
    NeverEqual { left: Shape, right: Shape },
}

/// The value of an expression, and what was found in it.
pub struct JsonataOutcome {
    /// The value. It may be absent if the expression may be undefined.
    pub access: Access,
    /// The findings.
    pub remarks: Vec<JsonataRemark>,
    /// The number of paths that begin at a member of `$states` or a variable of the workflow.
    pub paths: PathCount,
    /// The values of the program's types that its paths lead to.
    pub reads: Vec<Shape>,
    /// The path whose value is that of the whole expression, if rustc checks it.
    pub checked: Option<CheckedPath>,
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
    let (scopes, bindings, remarks, paths) =
        (BoundVariables::default(), BTreeSet::new(), Vec::new(), PathCount::default());
    let reads = Vec::new();
    let mut run = Run { values, scopes, bindings, remarks, missing: None, checked: None, quiet: 0, paths, reads };
    let access = run.eval(node, &Access::unknown());
    // A binding in a part that is not followed may change any variable.
    if run.bindings.len() < source.matches(":=").count() {
        let Run { paths, reads, .. } = run;
        return JsonataOutcome { access: Access::unknown(), remarks: Vec::new(), paths, reads, checked: None };
    }
    if access.is_absent()
        && let Some(path) = path_of(node)
        && let Some(missing) = run.missing.take().filter(|missing| missing.at.start >= path.at.start)
    {
        run.remarks.push(missing);
    }
    let path = path_of(node).filter(|_| access.may_be_absent && access.shape.rust().is_some());
    let checked = run.checked.take().filter(|checked| path.is_some_and(|path| checked.at.start >= path.at.start));
    JsonataOutcome { access, remarks: run.remarks, paths: run.paths, reads: run.reads, checked }
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
    paths: PathCount,
    reads: Vec<Shape>,
}

impl Run<'_> {
    fn eval(&mut self, node: &Node, context: &Access) -> Access {
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
                match &condition.otherwise {
                    Some(otherwise) => then.join(&self.quietly(otherwise, context)),
                    None => then.join(&Access::absent()),
                }
            }
            NodeKind::Call(call) => self.call(call, context),
            NodeKind::Suffixed(suffixed) => {
                self.eval(&suffixed.base, context);
                Access::unknown()
            }
            _ => Access::unknown(),
        }
    }

    /// Evaluates a part that may never be evaluated. Of the variables that it binds nothing is
    /// known after it.
    fn quietly(&mut self, node: &Node, context: &Access) -> Access {
        let outer = self.scopes.len();
        self.quiet += 1;
        let value = self.eval(node, context);
        self.quiet -= 1;
        self.scopes.forget(outer);
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
        for (key, value) in members {
            let value = self.eval(value, context);
            match &key.kind {
                NodeKind::String(name) => known.push((Arc::clone(name), value)),
                _ => is_known = false,
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
                let [left, right] = [left, right].map(|side| self.operand(side, context, &what, KindSet::NUMBER));
                Access { shape: Shape::number(), may_be_absent: left.may_be_absent || right.may_be_absent }
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
                if may_fail || !left.shape.is_distinct(&right.shape) {
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
                Access { shape: Shape::list(Shape::integer()), may_be_absent }
            }
        }
    }

    fn path(&mut self, path: &Path, context: &Access) -> Access {
        let mut written = String::new();
        let mut steps = &path.steps[..];
        let mut value = context.clone();
        if let [Step { kind: StepKind::Node(first), .. }, rest @ ..] = steps {
            if let (NodeKind::Variable(name), [second, more @ ..]) = (&first.kind, rest)
                && **name == *"states"
                && self.scopes.get(name).is_none()
                && let StepKind::Node(Node { kind: NodeKind::Name(member), .. }) = &second.kind
                && is_simple(&path.steps[0])
            {
                written = format!("$states.{member}");
                value = self.values.get(&*format!("states.{member}")).cloned().unwrap_or_else(Access::unknown);
                if !more.is_empty() && **member != *"context" {
                    self.paths.note(!value.shape.is_unknown(), AnyReason::Computed);
                }
                if !is_simple(second) {
                    self.stages(second, &value);
                    return Access::unknown();
                }
                steps = more;
            } else if let NodeKind::Variable(name) = &first.kind {
                written = format!("${name}");
                value = self.variable(name);
                if !rest.is_empty() && self.values.contains_key(&**name) {
                    self.paths.note(!value.shape.is_unknown(), AnyReason::Computed);
                }
                if !is_simple(&path.steps[0]) {
                    self.stages(&path.steps[0], &value);
                    return Access::unknown();
                }
                steps = rest;
            }
        }
        if path.group.is_some() || path.is_tuple || path.keeps_array {
            return Access::unknown();
        }
        let mut checked: Option<CheckedPath> = None;
        for step in steps {
            let StepKind::Node(node) = &step.kind else { return Access::unknown() };
            let next = match &node.kind {
                NodeKind::Name(name) => {
                    let next = member(&value, name);
                    if next.is_absent() && !value.is_absent() {
                        let kind = JsonataRemarkKind::NoMember {
                            written: if written.is_empty() { "$".to_owned() } else { written.clone() },
                            name: Arc::clone(name),
                            of: value.shape.clone(),
                        };
                        self.missing = Some(JsonataRemark { at: node.at.clone(), kind });
                    }
                    // A step that always finds a value is not checked, nor are those before it.
                    let is_checked = next.shape.ends_in(Some(name))
                        && member(&Access::present(value.shape.clone()), name).may_be_absent;
                    checked = is_checked.then(|| match checked.take() {
                        Some(path) => CheckedPath { steps: path.steps + 1, ..path },
                        None => CheckedPath { at: node.at.clone(), base: written.clone(), steps: 1 },
                    });
                    written = format!("{written}.{name}");
                    next
                }
                _ => return Access::unknown(),
            };
            if !is_simple(step) {
                self.read(&next.shape);
                self.stages(step, &next);
                if next.is_absent() {
                    return next;
                }
                return Access::unknown();
            }
            value = next;
        }
        self.checked = checked;
        self.read(&value.shape);
        value
    }

    /// Notes a value of a type of the program to which a path leads.
    fn read(&mut self, value: &Shape) {
        if value.rust().is_some() {
            self.reads.push(value.clone());
        }
    }

    /// Evaluates the predicates of a step, for what they bind. Without an item they are never
    /// evaluated.
    fn stages(&mut self, step: &Step, items: &Access) {
        let item = Access { shape: single(&items.shape), may_be_absent: true };
        for stage in &step.stages {
            if let Stage::Filter(predicate) = stage {
                let missing = self.missing.clone();
                self.quietly(predicate, &item);
                self.missing = missing;
            }
        }
    }

    fn call(&mut self, call: &Call, context: &Access) -> Access {
        let args: Vec<Access> = call.args.iter().map(|arg| self.eval(arg, context)).collect();
        let NodeKind::Variable(name) = &call.callee.kind else { return Access::unknown() };
        if self.scopes.get(name).is_some() || self.values.contains_key(&**name) {
            return Access::unknown();
        }
        if let (Some(wanted), [first, ..], [at, ..]) = (argument_of(name, args.len()), &args[..], &call.args[..])
            && !first.may_be_absent
            && !first.shape.is_never()
            && !first.shape.set().meets(wanted)
        {
            let what = format!("the first argument of `${name}`");
            let kind = JsonataRemarkKind::WrongKind { what, found: first.shape.clone(), wanted };
            self.remark(at.at.clone(), kind);
        }
        let first_absent = args.first().is_some_and(|arg| arg.may_be_absent);
        let of = |shape: Shape| Access { shape, may_be_absent: first_absent || args.is_empty() };
        match &**name {
            // These functions never yield undefined.
            "count" | "millis" => Access::present(Shape::integer()),
            "exists" => Access::present(Shape::boolean()),
            "now" | "uuid" => Access::present(Shape::string()),
            "random" => Access::present(Shape::number()),
            "string" | "uppercase" | "lowercase" | "trim" | "substring" | "substringBefore" | "substringAfter"
            | "pad" | "join" | "replace" | "base64encode" | "base64decode" | "encodeUrlComponent"
            | "decodeUrlComponent" | "formatNumber" | "formatBase" | "fromMillis" | "type" | "hash" => {
                of(Shape::string())
            }
            "length" | "number" | "abs" | "floor" | "ceil" | "round" | "power" | "sqrt" | "toMillis" => {
                of(Shape::number())
            }
            "sum" | "max" | "min" | "average" => Access { shape: Shape::number(), may_be_absent: true },
            "boolean" | "not" | "contains" => of(Shape::boolean()),
            _ => Access::unknown(),
        }
    }
}

/// Returns the kinds of values that a function takes as its first argument, if it fails for
/// others. With fewer arguments the context is the first.
fn argument_of(name: &str, args: usize) -> Option<KindSet> {
    Some(match (name, args) {
        ("uppercase" | "lowercase" | "trim" | "length" | "base64encode" | "base64decode", 1..)
        | ("substring" | "substringBefore" | "substringAfter" | "contains" | "split" | "match" | "pad", 2..)
        | ("replace", 3..) => KindSet::STRING,
        ("abs" | "floor" | "ceil" | "round" | "sqrt", 1..) | ("power" | "formatNumber", 2..) => KindSet::NUMBER,
        // A number alone is an array of one.
        ("sum" | "max" | "min" | "average", 1) => KindSet::ARRAY | KindSet::NUMBER,
        ("number", 1) => (KindSet::ARRAY | KindSet::OBJECT).complement(),
        _ => return None,
    })
}

fn is_array_constructor(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Array(_))
}

/// Returns `true` for a step without predicates, bindings and markers.
fn is_simple(step: &Step) -> bool {
    step.stages.is_empty()
        && step.focus.is_none()
        && step.index.is_none()
        && step.ancestors.is_empty()
        && !step.is_tuple
        && !step.keeps_array
}

/// Returns the items of a value: the elements of arrays, at any depth, and other values.
fn single(shape: &Shape) -> Shape {
    if shape.is_any() {
        return Shape::any();
    }
    let others = shape.only(KindSet::ARRAY.complement());
    match shape.set().meets(KindSet::ARRAY) {
        true => others.join(&single(&shape.elements())),
        false => others,
    }
}

/// Returns the member of a value. That of an array is the sequence of the members of its elements:
/// one member alone, or an array.
fn member(value: &Access, name: &str) -> Access {
    if value.shape.is_any() {
        return value.shape.in_rust(RustStep::Mapped(name.into()));
    }
    let own = value.shape.only(KindSet::ARRAY.complement()).member(name);
    let own = Access { may_be_absent: own.may_be_absent || value.may_be_absent, ..own };
    if !value.shape.set().meets(KindSet::ARRAY) {
        return own;
    }
    let inner = single(&value.shape.elements()).member(name).shape;
    if inner.is_never() {
        return Access { may_be_absent: true, ..own };
    }
    // A single member that is an empty array stays one.
    let items = inner.only(KindSet::ARRAY.complement()).join(&inner.elements());
    Access { shape: own.shape.join(&items).join(&Shape::list(items)), may_be_absent: true }
}
