//! The functions of JSONata.

use super::steps::{items, member, sequence};
use super::{JsonataRemarkKind, Run, quotient};
use crate::shapes::{Access, Field, KindSet, RecordShape, Shape};
use workflow_jsonata::{Call, Node, NodeKind};

impl Run<'_> {
    /// Evaluates a call.
    pub(super) fn call(&mut self, call: &Call, context: &Access) -> Access {
        self.call_with(&call.callee, None, &call.args, context)
    }

    /// Evaluates `left ~> right`.
    pub(super) fn chain(&mut self, left: &Node, right: &Node, context: &Access) -> Access {
        let value = self.eval(left, context);
        match &right.kind {
            NodeKind::Call(call) => self.call_with(&call.callee, Some(value), &call.args, context),
            NodeKind::Variable(_) | NodeKind::Lambda(_) => self.applied(right, &[value], context),
            _ => {
                self.eval(right, context);
                Access::unknown()
            }
        }
    }

    /// Evaluates a call, whose first argument may stand before it.
    fn call_with(&mut self, callee: &Node, first: Option<Access>, nodes: &[Node], context: &Access) -> Access {
        let offset = usize::from(first.is_some());
        let name = self.function_of(callee);
        if let (Some("merge"), None, [Node { kind: NodeKind::Array(parts), .. }]) = (name, &first, nodes) {
            let parts: Vec<Access> = parts.iter().map(|part| self.eval(part, context)).collect();
            return Access::present(self.merged(&parts));
        }
        let callback = name.and_then(|name| if takes_function(name) { 1_usize.checked_sub(offset) } else { None });
        let function = callback.and_then(|at| nodes.get(at));
        let mut args: Vec<Access> = first.into_iter().collect();
        for (at, node) in nodes.iter().enumerate() {
            args.push(match callback == Some(at) {
                true => Access::unknown(),
                false => self.eval(node, context),
            });
        }
        let Some(name) = name else {
            return match &callee.kind {
                NodeKind::Lambda(_) => self.applied(callee, &args, context),
                NodeKind::Variable(_) => Access::unknown(),
                _ => {
                    self.eval(callee, context);
                    Access::unknown()
                }
            };
        };
        if let (Some(wanted), [value, ..]) = (argument_of(name, args.len()), &args[..])
            && !value.may_be_absent
            && !value.shape.is_never()
            && !value.shape.set().meets(wanted)
        {
            let at = if offset == 0 { nodes[0].at.clone() } else { callee.at.clone() };
            let what = format!("the first argument of `${name}`");
            self.remark(at, JsonataRemarkKind::WrongKind { what, found: value.shape.clone(), wanted });
        }
        match function {
            Some(function) => self.higher_order(name, &args, function, context),
            None => self.builtin(name, &args),
        }
    }

    /// Returns the result of a function of the language.
    fn builtin(&mut self, name: &str, args: &[Access]) -> Access {
        if joins_arguments(name) {
            args.iter().for_each(|arg| self.spend(arg.shape.size()));
        }
        let result = builtin(name, args);
        let has_texts = match (name, args) {
            ("abs" | "floor" | "ceil" | "number" | "round" | "sqrt", [number, ..]) => {
                self.has_quotients && may_be_infinite(&number.shape)
            }
            ("sum" | "max" | "min" | "average", [list, ..]) => {
                self.has_quotients && {
                    self.spend(list.shape.size());
                    may_be_infinite(&items(&list.shape))
                }
            }
            // Of a text without a number, and of a date that is out of range, it is NaN.
            ("parseInteger", _) | ("toMillis", [_, _, ..]) => true,
            _ => false,
        };
        if has_texts { Access { shape: quotient(), ..result } } else { result }
    }

    /// Returns the merger of the parts of an array. A part that is undefined adds nothing, and one
    /// that is an array adds its elements.
    fn merged(&mut self, parts: &[Access]) -> Shape {
        parts.iter().fold(Shape::record::<&str>([]), |all, part| {
            self.spend(all.size() + part.shape.size());
            let objects = part.shape.only(KindSet::OBJECT);
            if part.shape.is_any() || part.shape.set().meets(KindSet::ARRAY) {
                return all.merged(&Shape::any_object());
            }
            match (objects.is_never(), part.may_be_absent) {
                (true, _) => all,
                (false, true) => all.join(&all.merged(&objects)),
                (false, false) => all.merged(&objects),
            }
        })
    }

    /// Returns the name of a function of the language, if a node is one.
    fn function_of<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let NodeKind::Variable(name) = &node.kind else { return None };
        let is_hidden = self.scopes.get(name).is_some() || self.values.contains_key(&**name);
        (!is_hidden).then_some(&**name)
    }

    /// Returns the result of a function for these arguments.
    fn applied(&mut self, function: &Node, args: &[Access], context: &Access) -> Access {
        match (&function.kind, self.function_of(function)) {
            (NodeKind::Lambda(lambda), _) => self.lambda(lambda, args, context),
            // A function of the language gets as many of the arguments as it takes.
            (_, Some(name)) => self.builtin(name, args.get(..1).unwrap_or_default()),
            _ => {
                self.eval(function, context);
                Access::unknown()
            }
        }
    }

    /// Evaluates a function that calls another one.
    fn higher_order(&mut self, name: &str, args: &[Access], function: &Node, context: &Access) -> Access {
        let Some(list) = args.first() else { return Access::unknown() };
        args.iter().for_each(|arg| self.spend(arg.shape.size()));
        let item = Access::present(items(&list.shape));
        let index = Access::present(Shape::integer());
        // A value that is no array is passed on as one.
        let whole = Access::present(Shape::list(item.shape.clone()));
        match name {
            "map" => {
                let result = self.applied(function, &[item, index, whole], context);
                let has_items = list.shape.as_array().is_some_and(|array| array.least > 0) && is_list(list);
                let all = sequence(&result.shape);
                Access { may_be_absent: !has_items || result.may_be_absent || list.may_be_absent, ..all }
            }
            "filter" => {
                self.applied(function, &[item.clone(), index, whole], context);
                sequence(&item.shape)
            }
            "single" => {
                self.applied(function, &[item.clone(), index, whole], context);
                Access { may_be_absent: list.may_be_absent, ..item }
            }
            "reduce" => {
                // Without an initial value, which may be undefined, it is the first item.
                let first = Access { may_be_absent: true, ..item.clone() };
                let before = match args.get(2) {
                    Some(initial) if initial.may_be_absent => initial.join(&first),
                    Some(initial) => initial.clone(),
                    None => first,
                };
                let next = self.applied(function, &[Access::unknown(), item, index, whole], context);
                let all = before.join(&next);
                Access { may_be_absent: all.may_be_absent || list.may_be_absent, ..all }
            }
            "sort" => {
                self.applied(function, &[item.clone(), item.clone()], context);
                reordered(list)
            }
            "each" => {
                let result = self.applied(function, &[Access::present(members(&list.shape))], context);
                sequence(&result.shape)
            }
            _ => {
                self.applied(function, &[Access::present(members(&list.shape))], context);
                Access { shape: Shape::any_object(), may_be_absent: true }
            }
        }
    }
}

/// Returns `true` for a function whose result is made of the shapes of its arguments.
fn joins_arguments(name: &str) -> bool {
    matches!(name, "append" | "distinct" | "lookup" | "merge" | "reverse" | "shuffle" | "sort" | "zip")
}

/// Returns `true` if a shape has numbers and strings. In an expression that can yield an infinity
/// or NaN, only the values of such a shape can be one.
fn may_be_infinite(shape: &Shape) -> bool {
    shape.set().meets(KindSet::NUMBER) && shape.set().meets(KindSet::STRING)
}

/// Returns `true` for a function whose second argument is a function.
fn takes_function(name: &str) -> bool {
    matches!(name, "map" | "filter" | "single" | "reduce" | "sort" | "each" | "sift")
}

/// Returns the result of a function of the language.
fn builtin(name: &str, args: &[Access]) -> Access {
    let first_absent = args.first().is_none_or(|arg| arg.may_be_absent);
    let of = |shape: Shape| Access { shape, may_be_absent: first_absent };
    let meets = |at: usize, kinds: KindSet| args.get(at).is_some_and(|arg| arg.shape.set().meets(kinds));
    // If the arguments fit the parameters after the first, the context is the first, and there may
    // be none.
    let least_with = |is_shifted: bool, least: usize| least + usize::from(is_shifted);
    let of_first = |least: usize, shape: Shape| Access { shape, may_be_absent: first_absent || args.len() < least };
    let of_all = |least: usize, shape: Shape| {
        let may_be_absent = args.len() < least || args.iter().any(|arg| arg.may_be_absent);
        Access { shape, may_be_absent }
    };
    match (name, args) {
        // These functions never yield undefined.
        ("count" | "millis", _) => Access::present(Shape::integer()),
        ("exists", _) => Access::present(Shape::boolean()),
        ("now" | "uuid", _) => Access::present(Shape::string()),
        ("random", _) => Access::present(Shape::number()),
        (
            "string" | "uppercase" | "lowercase" | "trim" | "join" | "base64encode" | "base64decode" | "encodeUrl"
            | "encodeUrlComponent" | "decodeUrl" | "decodeUrlComponent" | "type",
            _,
        ) => of(Shape::string()),
        ("substring" | "pad", _) => of_first(least_with(meets(0, KindSet::NUMBER), 2), Shape::string()),
        ("substringBefore" | "substringAfter", _) => of_first(2, Shape::string()),
        ("replace", _) => of_first(least_with(meets(2, KindSet::NUMBER), 3), Shape::string()),
        ("fromMillis", _) => of_first(if meets(0, KindSet::STRING) { usize::MAX } else { 1 }, Shape::string()),
        ("formatBase", _) => of(Shape::string()),
        ("formatNumber", _) => of_all(least_with(meets(1, KindSet::OBJECT), 2), Shape::string()),
        ("formatInteger" | "hash", _) => of_all(2, Shape::string()),
        ("length" | "number" | "abs" | "floor" | "ceil" | "round" | "sqrt", _) => of(Shape::number()),
        ("power" | "parseInteger", _) => of_all(2, Shape::number()),
        // A text that does not fit the picture yields nothing.
        ("toMillis", [_]) => of(Shape::number()),
        ("toMillis", _) | ("sum" | "max" | "min" | "average", _) => {
            Access { shape: Shape::number(), may_be_absent: true }
        }
        ("boolean" | "not", _) => of(Shape::boolean()),
        ("contains", _) => of_all(2, Shape::boolean()),
        ("split", _) => of_first(least_with(meets(1, KindSet::NUMBER), 2), sequence(&Shape::string()).shape),
        ("keys", _) => sequence(&Shape::string()),
        ("match", _) => {
            // A function in the place of the pattern can yield any index.
            let groups = Shape::list(Shape::any());
            sequence(&Shape::record([("match", Shape::string()), ("index", Shape::any()), ("groups", groups)]))
        }
        ("merge", [list]) => {
            let objects = items(&list.shape);
            match objects.is_any() || objects.set() != KindSet::OBJECT {
                true => of(Shape::any_object()),
                false => of(optional(&objects)),
            }
        }
        ("append", [left, right]) => {
            let [left_items, right_items] = [left, right].map(|side| items(&side.shape));
            let both = Access::present(Shape::list(left_items.join(&right_items)));
            let lone = |own: &Access, other: &Access| if other.may_be_absent { own.clone() } else { both.clone() };
            both.join(&lone(left, right)).join(&lone(right, left))
        }
        ("lookup", [object, key]) => match key.shape.known_texts() {
            Some(names) if !key.may_be_absent && names.len() == 1 => {
                names.iter().next().map_or_else(Access::unknown, |name| optionally(member(object, name)))
            }
            _ => Access::unknown(),
        },
        ("distinct" | "reverse" | "shuffle" | "sort", [list]) => reordered(list),
        ("zip", lists) if !lists.is_empty() => {
            let items: Vec<Shape> = lists.iter().map(|list| items(&list.shape)).collect();
            Access { shape: Shape::list(Shape::list(Shape::union(&items))), may_be_absent: true }
        }
        // A path does not flatten the parts. Of an empty array there is none.
        ("partition", _) => Access { shape: Shape::list(Shape::any()), may_be_absent: true },
        ("range", _) => sequence(&Shape::integer()),
        _ => Access::unknown(),
    }
}

/// Returns objects of which each member may be missing.
fn optional(objects: &Shape) -> Shape {
    let Some(object) = objects.as_object() else { return Shape::any_object() };
    let fields = object.fields.map(|_, field| Field { shape: field.shape.clone(), required: false });
    Shape::object(RecordShape { fields, rest: object.rest })
}

/// Marks a value as possibly missing. Of one that is never there, nothing is claimed.
fn optionally(found: Access) -> Access {
    if found.shape.is_never() { Access::unknown() } else { Access { may_be_absent: true, ..found } }
}

/// Returns the same items in another order, or some of them. A value that is no array is kept.
fn reordered(list: &Access) -> Access {
    let items = items(&list.shape);
    let shape = if items.is_any() { Shape::any() } else { items.join(&Shape::list(items.clone())) };
    Access { shape, may_be_absent: list.may_be_absent }
}

fn is_list(value: &Access) -> bool {
    value.shape.set() == KindSet::ARRAY
}

/// Returns the union of the members of objects.
fn members(shape: &Shape) -> Shape {
    if shape.is_any() { Shape::any() } else { shape.only(KindSet::OBJECT).children() }
}

/// Returns the kinds of values that a function takes as its first argument, if it fails for
/// others. With fewer arguments the context is the first.
fn argument_of(name: &str, args: usize) -> Option<KindSet> {
    Some(match (name, args) {
        ("uppercase" | "lowercase" | "trim" | "length" | "base64encode" | "base64decode", 1..)
        | ("substringBefore" | "substringAfter" | "contains" | "split" | "match", 2..)
        | ("substring" | "pad" | "replace", 3..) => KindSet::STRING,
        // With a number as the first of two arguments, the context is the text.
        ("substring" | "pad", 2) => KindSet::STRING | KindSet::NUMBER,
        ("abs" | "floor" | "ceil" | "round" | "sqrt", 1..) | ("power", 2..) | ("formatNumber", 3..) => KindSet::NUMBER,
        ("formatNumber", 2) => KindSet::NUMBER | KindSet::STRING,
        // A number alone is an array of one.
        ("sum" | "max" | "min" | "average", 1) => KindSet::ARRAY | KindSet::NUMBER,
        ("number", 1) => (KindSet::ARRAY | KindSet::OBJECT).complement(),
        _ => return None,
    })
}
