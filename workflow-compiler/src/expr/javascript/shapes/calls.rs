//! The shapes of what functions and methods yield.

use super::super::ir::{Expr, Function, Item, MemberKey, PlaceExpr};
use super::super::{globals, walk};
use super::values::{INHERITED, is_array, spread};
use super::{Run, dead, element, is_dead, number};
use crate::shapes::remark::RemarkKind;
use crate::shapes::{Access, KindSet, Shape};

/// The methods of texts, of arrays and of numbers that JavaScript has, with those of later
/// editions.
const OF_TEXTS: &[&str] = &[
    "anchor",
    "at",
    "big",
    "bold",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "concat",
    "endsWith",
    "fixed",
    "includes",
    "indexOf",
    "isWellFormed",
    "italics",
    "lastIndexOf",
    "link",
    "localeCompare",
    "match",
    "matchAll",
    "normalize",
    "padEnd",
    "padStart",
    "repeat",
    "replace",
    "replaceAll",
    "search",
    "slice",
    "small",
    "split",
    "startsWith",
    "strike",
    "sub",
    "substr",
    "substring",
    "sup",
    "toLocaleLowerCase",
    "toLocaleUpperCase",
    "toLowerCase",
    "toUpperCase",
    "toWellFormed",
    "trim",
    "trimEnd",
    "trimLeft",
    "trimRight",
    "trimStart",
];
const OF_ARRAYS: &[&str] = &[
    "at",
    "concat",
    "copyWithin",
    "entries",
    "every",
    "fill",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "map",
    "pop",
    "push",
    "reduce",
    "reduceRight",
    "reverse",
    "shift",
    "slice",
    "some",
    "sort",
    "splice",
    "toReversed",
    "toSorted",
    "toSpliced",
    "unshift",
    "values",
    "with",
];
const OF_NUMBERS: &[&str] = &["toExponential", "toFixed", "toPrecision"];

/// The methods of arrays that call a function with each element.
const EACH: &[&str] = &["every", "filter", "find", "findIndex", "flatMap", "forEach", "map", "some"];

/// The methods that change their object.
const CHANGING: &[&str] = &["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

/// Returns the kinds of values that have a method, apart from objects.
fn owners(name: &str) -> KindSet {
    if INHERITED.contains(&name) {
        return KindSet::ALL;
    }
    let lists = [(OF_TEXTS, KindSet::STRING), (OF_ARRAYS, KindSet::ARRAY), (OF_NUMBERS, KindSet::NUMBER)];
    lists.into_iter().filter(|(list, _)| list.contains(&name)).fold(KindSet::NONE, |kinds, (_, kind)| kinds | kind)
}

impl<'u> Run<'u> {
    /// Evaluates arguments. Returns the values of those before the first spread.
    pub(super) fn arguments(&mut self, args: &'u [Item]) -> Vec<Access> {
        let (mut values, mut is_plain) = (Vec::with_capacity(args.len()), true);
        let changes = self.changes;
        for item in args {
            let value = self.guard(item.value());
            is_plain &= matches!(item, Item::Value(_));
            if is_plain {
                values.push(value);
            }
        }
        values.into_iter().map(|value| self.current(value, changes)).collect()
    }

    pub(super) fn method(
        &mut self,
        object: &'u Expr,
        key: &'u MemberKey,
        args: &'u [Item],
        is_optional: bool,
    ) -> Access {
        let of = self.eval(object);
        if is_dead(&of) {
            return of;
        }
        self.may_throw = true;
        let changes = self.changes;
        let MemberKey::Name(name, at) = key else {
            if let MemberKey::Computed(key) = key {
                self.eval(key);
            }
            self.arguments(args);
            self.forget_objects();
            return Access::unknown();
        };
        if of.is_absent() {
            return self.read_of_nothing(object, name, at);
        }
        if is_optional {
            self.may_end_chain();
        }
        let set = of.shape.set();
        let (owners, known) = (owners(name), !of.may_be_absent && !set.meets(KindSet::NULL | KindSet::OBJECT));
        if known && !set.meets(owners) && !is_optional {
            let what = format!("the value before `.{name}()`");
            self.remark(at, RemarkKind::WrongKind { what, found: of.shape, wanted: owners });
            return self.failed();
        }
        let is_list = known && set == KindSet::ARRAY;
        if let (true, true, [Item::Value(Expr::Function(each)), ..]) = (is_list, EACH.contains(&&**name), args) {
            let yielded = self.callback(each, &of.shape);
            let yielded = self.current(yielded, changes);
            args[1..].iter().for_each(|arg| _ = self.guard(arg.value()));
            let of = self.current(of, changes);
            return match &**name {
                "map" => {
                    // An element may be undefined here.
                    let element = if yielded.may_be_absent { Shape::any() } else { yielded.shape };
                    let Some(array) = of.shape.as_array() else { return Access::unknown() };
                    Access::present(Shape::array(crate::shapes::ArrayShape {
                        prefix: Vec::new(),
                        rest: if element.is_never() { Shape::any() } else { element },
                        least: array.least,
                    }))
                }
                "filter" => Access::present(Shape::list(of.shape.elements())),
                "find" => Access { shape: of.shape.elements(), may_be_absent: true },
                "every" | "some" => Access::present(Shape::boolean()),
                "findIndex" => Access::present(Shape::integer()),
                "forEach" => Access::absent(),
                _ => Access::unknown(),
            };
        }
        let values = self.arguments(args);
        if values.iter().any(is_dead) {
            return dead();
        }
        let calls_back = args.iter().any(|arg| !matches!(arg, Item::Value(Expr::String(_) | Expr::Number(_))));
        // A method of an object can be any function.
        if !known || CHANGING.contains(&&**name) || !globals::is_quiet_method(name) && calls_back {
            self.forget_objects();
        }
        let of = self.current(of, changes);
        match &**name {
            "toUpperCase" | "toLowerCase" | "trim" | "trimStart" | "trimEnd" | "padStart" | "padEnd" | "repeat"
            | "substring" | "substr" | "charAt"
                if set == KindSet::STRING && known =>
            {
                Access::present(Shape::string())
            }
            "toFixed" | "toString" | "toPrecision" if known && set == KindSet::NUMBER => {
                Access::present(Shape::string())
            }
            "split" if known && set == KindSet::STRING => Access::present(Shape::list(Shape::string())),
            "join" if is_list => Access::present(Shape::string()),
            "slice" | "filter" if is_list => Access::present(Shape::list(of.shape.elements())),
            "slice" if known && set == KindSet::STRING => Access::present(Shape::string()),
            "includes" | "startsWith" | "endsWith" if known => Access::present(Shape::boolean()),
            "indexOf" | "lastIndexOf" if known => Access::present(Shape::integer()),
            _ => Access::unknown(),
        }
    }

    /// Evaluates a function that is called with each element of an array, maybe with none.
    /// Returns what it yields.
    fn callback(&mut self, function: &'u Function, list: &Shape) -> Access {
        if list.elements().is_never() {
            return dead();
        }
        let is_pure = is_pure(function);
        if !is_pure {
            self.forget_objects();
        }
        let (outer, may_have_left) = (self.returned.take(), self.may_have_left);
        let before = self.now.clone();
        self.absorbing += 1;
        for (at, pattern) in function.params.iter().enumerate() {
            let value = match at {
                0 if is_pure => element(list.elements()),
                1 => Access::present(Shape::integer()),
                _ => Access::unknown(),
            };
            self.bind(pattern, value, false);
        }
        function.rest.iter().for_each(|rest| self.bind(rest, Access::unknown(), true));
        if self.block(&function.body) == super::End::Next {
            self.note_return(Access::absent());
        }
        let yielded = std::mem::replace(&mut self.returned, outer);
        self.absorbing -= 1;
        self.may_have_left = may_have_left;
        self.now = self.now.join(&before);
        if !is_pure {
            self.forget_objects();
        }
        yielded.unwrap_or_else(dead)
    }

    /// Evaluates a call of a built-in function.
    pub(super) fn builtin(&mut self, name: &str, args: &'u [Item]) -> Access {
        let values = self.arguments(args);
        if values.iter().any(is_dead) {
            return dead();
        }
        self.may_throw = true;
        let first = values.first().cloned().unwrap_or_else(Access::absent);
        match name {
            "Object.assign" => {
                let is_new = matches!(args.first(), Some(Item::Value(Expr::Object(_))));
                if !is_new {
                    self.forget_objects();
                    return Access::present(Shape::any_object());
                }
                if values.len() < args.len() {
                    return Access::present(Shape::any_object());
                }
                let shape = values[1..].iter().fold(first.shape, |into, value| spread(&into, value));
                Access::present(shape)
            }
            "Object.freeze" => first,
            "Object.keys" => Access::present(Shape::list(Shape::string())),
            // A function or a value without JSON is undefined.
            "JSON.stringify" if args.len() == 1 => Access { shape: Shape::string(), may_be_absent: true },
            "JSON.parse" if args.len() == 1 => Access::present(Shape::any()),
            "Array.isArray" if args.len() == values.len() => Access::present(is_array(&first)),
            "Boolean" | "Object.is" | "isNaN" | "isFinite" => Access::present(Shape::boolean()),
            "String" => Access::present(Shape::string()),
            "Number" | "parseInt" | "parseFloat" | "Date.now" => number(),
            _ if name.starts_with("Math.") => number(),
            _ => {
                self.forget_objects();
                Access::unknown()
            }
        }
    }
}

/// Returns `true` for a function that changes no object, as far as its text shows.
fn is_pure(function: &Function) -> bool {
    let mut is_pure = true;
    walk::function(function, &mut |node| {
        is_pure &= match node {
            walk::IrNode::Place(PlaceExpr::Member(..)) => false,
            walk::IrNode::Expr(Expr::Call { .. } | Expr::Delete(..)) => false,
            walk::IrNode::Expr(Expr::Method { key, .. } | Expr::OptionalMethod { key, .. }) => match key {
                MemberKey::Name(name, _) => {
                    !CHANGING.contains(&&**name) && (globals::is_quiet_method(name) || EACH.contains(&&**name))
                }
                MemberKey::Computed(_) => false,
            },
            walk::IrNode::Expr(Expr::Static(builtin, args)) => {
                builtin.name != "Object.assign" || matches!(args.first(), Some(Item::Value(Expr::Object(_))))
            }
            _ => true,
        };
        is_pure
    });
    is_pure
}
