//! The shapes of expressions.

use super::super::ir::{Binary, Expr, Item, Logical, Member, MemberKey, PlaceExpr, Unary};
use super::super::{globals, walk};
use super::values::{INHERITED, are_equal, has_member, is_array, spread};
use super::{Run, dead, element, is_dead, number, truth};
use crate::shapes::remark::{Remark, RemarkKind};
use crate::shapes::{Access, AnyReason, Field, KindSet, RecordShape, Shape};
use std::ops::Range;

/// The numbers up to which each whole number has a value of its own.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl<'u> Run<'u> {
    /// Evaluates an expression that tests the presence of a value, without reports of a member
    /// that is undefined.
    pub(super) fn guard(&mut self, expr: &'u Expr) -> Access {
        let before = self.remarks.len();
        let value = self.eval(expr);
        let own = self.remarks.split_off(before);
        let is_path = matches!(expr, Expr::Member(..) | Expr::Chain(_));
        let keep = |kind: &RemarkKind| !is_path || !matches!(kind, RemarkKind::Undefined { .. });
        self.remarks.extend(own.into_iter().filter(|remark| keep(&remark.kind)));
        value
    }

    /// Evaluates a part that some runs may not evaluate. Its assignments may not happen.
    pub(super) fn absorbed(&mut self, expr: &'u Expr) -> Access {
        let before = self.now.clone();
        self.absorbing += 1;
        let value = self.eval(expr);
        self.absorbing -= 1;
        self.now = self.now.join(&before);
        value
    }

    /// Notes that the links of the chain that follow may not be evaluated.
    pub(super) fn may_end_chain(&mut self) {
        let end = self.chain_end.take();
        self.chain_end = Some(end.map_or_else(|| self.now.clone(), |end| end.join(&self.now)));
        self.absorbing += 1;
    }

    /// Returns the value of an expression.
    pub(super) fn eval(&mut self, expr: &'u Expr) -> Access {
        match expr {
            Expr::Undefined => Access::absent(),
            Expr::Null => Access::present(Shape::null()),
            Expr::Bool(value) => Access::present(Shape::flag(*value)),
            Expr::Number(value) if value.fract() == 0.0 && value.abs() < MOST_WHOLE => {
                Access::present(Shape::whole(*value as i64))
            }
            Expr::Number(value) if value.is_finite() => Access::present(Shape::number()),
            Expr::Number(_) => number(),
            Expr::String(text) => Access::present(Shape::text(text)),
            Expr::Template(pieces) => {
                use super::super::ir::TextPiece;
                self.may_throw = true;
                for piece in pieces {
                    if let TextPiece::Value(inner) | TextPiece::Added(inner) = piece
                        && is_dead(&self.eval(inner))
                    {
                        return dead();
                    }
                }
                Access::present(Shape::string())
            }
            Expr::Local(local) => self.now.locals[local.0].clone(),
            Expr::Variable(variable) => self.now.variables.get(*variable).cloned().unwrap_or_else(Access::unknown),
            Expr::Free(_) | Expr::TooEarly(_) => {
                self.may_throw = true;
                Access::unknown()
            }
            Expr::This | Expr::Function(_) | Expr::Named(..) | Expr::Builtin(_) => Access::unknown(),
            Expr::Object(members) => self.object(members),
            Expr::Array(items) => self.array(items),
            Expr::Unary(operator, inner) => self.unary(*operator, inner),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::Logical(operator, left, right) => self.logical(*operator, left, right),
            Expr::Conditional(test, yes, no) => {
                let test = self.guard(test);
                match truth(&test) {
                    _ if is_dead(&test) => dead(),
                    Some(true) => self.eval(yes),
                    Some(false) => self.eval(no),
                    None => {
                        let yes = self.absorbed(yes);
                        yes.join(&self.absorbed(no))
                    }
                }
            }
            Expr::Member(object, key) => self.read(object, key),
            Expr::Chain(inner) => {
                let outer = self.chain_end.take();
                let absorbing = self.absorbing;
                let value = self.eval(inner);
                self.absorbing = absorbing;
                match std::mem::replace(&mut self.chain_end, outer) {
                    Some(end) => {
                        self.now = self.now.join(&end);
                        Access { may_be_absent: true, ..value }
                    }
                    None => value,
                }
            }
            Expr::Optional(inner) => {
                let value = self.guard(inner);
                if is_dead(&value) {
                    return value;
                }
                if value.may_be_absent || value.shape.set().meets(KindSet::NULL) {
                    self.may_end_chain();
                }
                Access::present(value.shape.only(KindSet::NULL.complement()))
            }
            Expr::Call { callee, args, .. } => {
                let callee = self.eval(callee);
                self.arguments(args);
                self.forget_objects();
                self.may_throw = true;
                if is_dead(&callee) { callee } else { Access::unknown() }
            }
            Expr::Method { object, key, args, .. } | Expr::OptionalMethod { object, key, args, .. } => {
                let is_optional = matches!(expr, Expr::OptionalMethod { .. });
                self.method(object, key, args, is_optional)
            }
            Expr::Static(builtin, args) => self.builtin(builtin.name, args),
            Expr::Construct(_, args) => {
                self.arguments(args);
                self.may_throw = true;
                Access::unknown()
            }
            Expr::InstanceOf(inner, class) => {
                let value = self.guard(inner);
                Access::present(if *class == "Array" { is_array(&value) } else { Shape::boolean() })
            }
            Expr::ConstructorName(inner) => {
                self.eval(inner);
                self.may_throw = true;
                Access::unknown()
            }
            Expr::Assign(place, value) => {
                let (is_fresh, is_plain) = (is_fresh(value), is_plain(value));
                let value = self.eval(value);
                if is_dead(&value) {
                    return value;
                }
                let changes = self.changes;
                self.assign(place, value.clone(), is_fresh, is_plain);
                self.current(value, changes)
            }
            Expr::Compound(place, _, value) => {
                let is_plain = is_plain(value);
                let value = self.eval(value);
                if is_dead(&value) {
                    return value;
                }
                let is_number = |value: &Access| !value.may_be_absent && value.shape.set() == KindSet::NUMBER;
                let before = self.place(place);
                let after = match is_plain && is_number(&value) && is_number(&before) {
                    true => number(),
                    false => Access::unknown(),
                };
                self.assign(place, after.clone(), false, is_plain);
                after
            }
            Expr::LogicalAssign(place, _, value) => {
                self.absorbed(value);
                self.assign(place, Access::unknown(), false, false);
                Access::unknown()
            }
            Expr::Update { place, .. } => {
                self.place(place);
                self.assign(place, number(), true, true);
                number()
            }
            Expr::Destructure(pattern, value) => {
                let value = self.eval(value);
                let changes = self.changes;
                if !is_dead(&value) {
                    self.bind(pattern, value.clone(), false);
                }
                self.current(value, changes)
            }
            Expr::Delete(object, key) => {
                self.guard(object);
                if let MemberKey::Computed(key) = key {
                    self.eval(key);
                }
                self.forget_objects();
                self.may_throw = true;
                Access::present(Shape::boolean())
            }
            Expr::Sequence(list) => list.iter().map(|inner| self.eval(inner)).last().unwrap_or_else(Access::absent),
        }
    }

    /// Returns the value at a place before it is assigned.
    fn place(&mut self, place: &'u PlaceExpr) -> Access {
        match place {
            PlaceExpr::Local(local) | PlaceExpr::Constant(local) => self.now.locals[local.0].clone(),
            PlaceExpr::Variable(variable) => self.now.variables.get(*variable).cloned().unwrap_or_else(Access::unknown),
            PlaceExpr::Free(_) => Access::unknown(),
            PlaceExpr::Member(object, MemberKey::Name(name, _)) => {
                let object = self.guard(object);
                self.member_of(&object, name)
            }
            PlaceExpr::Member(..) => Access::unknown(),
        }
    }

    fn object(&mut self, members: &'u [Member]) -> Access {
        let (mut shape, mut is_known) = (Shape::record::<&str>([]), true);
        for member in members {
            let changes = self.changes;
            match member {
                Member::Value(MemberKey::Name(name, _), value) => {
                    let value = self.eval(value);
                    if is_dead(&value) {
                        return value;
                    }
                    // JSON asks this member what the object is.
                    is_known &= name != "toJSON";
                    // The member is there even if it is undefined.
                    let known = if value.is_absent() { Shape::any() } else { value.shape };
                    let field = Field { required: !value.may_be_absent, shape: known };
                    let mut object = self
                        .current(Access::present(shape), changes)
                        .shape
                        .as_object()
                        .unwrap_or_else(RecordShape::open);
                    object.fields.insert(name, field);
                    shape = Shape::object(object);
                }
                Member::Value(MemberKey::Computed(key), value) => {
                    let (key, value) = (self.eval(key), self.eval(value));
                    if is_dead(&key) || is_dead(&value) {
                        return dead();
                    }
                    (shape, self.may_throw) = (Shape::any_object(), true);
                }
                Member::Spread(value) => {
                    let value = self.guard(value);
                    if is_dead(&value) {
                        return value;
                    }
                    shape = spread(&self.current(Access::present(shape), changes).shape, &value);
                }
            }
        }
        if is_known { Access::present(shape) } else { Access::unknown() }
    }

    fn array(&mut self, items: &'u [Item]) -> Access {
        let (mut elements, mut is_tuple) = (Vec::with_capacity(items.len()), true);
        let changes = self.changes;
        for item in items {
            let value = self.eval(item.value());
            if is_dead(&value) {
                return value;
            }
            let is_list = value.shape.set() == KindSet::ARRAY && !value.may_be_absent;
            match item {
                // The element is undefined here, and null in JSON.
                Item::Value(_) if value.may_be_absent => elements.push(Shape::any()),
                Item::Value(_) => elements.push(value.shape),
                Item::Spread(_) => {
                    (is_tuple, self.may_throw) = (false, self.may_throw || !is_list);
                    elements.push(if is_list { value.shape.elements() } else { Shape::any() });
                }
            }
        }
        let list = if is_tuple { Shape::tuple(elements) } else { Shape::list(Shape::union(&elements)) };
        self.current(Access::present(list), changes)
    }

    fn unary(&mut self, operator: Unary, inner: &'u Expr) -> Access {
        let is_guard = matches!(operator, Unary::Not | Unary::TypeOf | Unary::Void);
        let value = if is_guard { self.guard(inner) } else { self.eval(inner) };
        if is_dead(&value) {
            return value;
        }
        match operator {
            Unary::Minus | Unary::Plus | Unary::BitNot => {
                self.may_throw |= value.may_be_absent;
                number()
            }
            Unary::Not => Access::present(truth(&value).map_or_else(Shape::boolean, |truth| Shape::flag(!truth))),
            Unary::Void => Access::absent(),
            Unary::TypeOf => Access::present(match (value.may_be_absent, value.shape.set()) {
                (true, _) if value.is_absent() => Shape::text("undefined"),
                (false, KindSet::NUMBER) => Shape::text("number"),
                (false, KindSet::STRING) => Shape::text("string"),
                (false, KindSet::BOOLEAN) => Shape::text("boolean"),
                (false, set) if !set.meets((KindSet::ARRAY | KindSet::OBJECT | KindSet::NULL).complement()) => {
                    Shape::text("object")
                }
                _ => Shape::string(),
            }),
        }
    }

    fn binary(&mut self, operator: Binary, left: &'u Expr, right: &'u Expr) -> Access {
        let is_equation =
            matches!(operator, Binary::StrictEqual | Binary::StrictUnequal | Binary::Equal | Binary::Unequal);
        let is_nothing = |side: &Expr| matches!(side, Expr::Null | Expr::Undefined);
        let is_guard = is_equation && (is_nothing(left) || is_nothing(right));
        let at = place_of(left).or_else(|| place_of(right));
        let [left, right] = [left, right].map(|side| if is_guard { self.guard(side) } else { self.eval(side) });
        if is_dead(&left) || is_dead(&right) {
            return dead();
        }
        match operator {
            Binary::StrictEqual | Binary::StrictUnequal | Binary::Equal | Binary::Unequal => {
                let is_loose = matches!(operator, Binary::Equal | Binary::Unequal);
                let holds = matches!(operator, Binary::StrictEqual | Binary::Equal);
                match are_equal(&left, &right, is_loose) {
                    Some(true) => Access::present(Shape::flag(holds)),
                    Some(false) => {
                        let is_nothing = |side: &Access| side.may_be_absent || side.shape.set() == KindSet::NULL;
                        if let (true, false, Some(at)) = (holds, is_nothing(&left) || is_nothing(&right), at) {
                            let kind = RemarkKind::NeverEqual { left: left.shape, right: right.shape };
                            self.remark(&at, kind);
                        }
                        Access::present(Shape::flag(!holds))
                    }
                    None => Access::present(Shape::boolean()),
                }
            }
            Binary::In => {
                self.may_throw = true;
                Access::present(has_member(&right, &left.shape))
            }
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
                self.may_throw |= left.may_be_absent || right.may_be_absent;
                Access::present(Shape::boolean())
            }
            Binary::Add => {
                let is_only = |kinds: KindSet| {
                    let fits = |side: &Access| !side.may_be_absent && !side.shape.set().meets(kinds.complement());
                    fits(&left) && fits(&right)
                };
                let is_text = |side: &Access| !side.may_be_absent && side.shape.set() == KindSet::STRING;
                self.may_throw |= !is_only((KindSet::ARRAY | KindSet::OBJECT).complement());
                if is_only(KindSet::NUMBER | KindSet::BOOLEAN | KindSet::NULL) {
                    number()
                } else if is_text(&left) || is_text(&right) {
                    Access::present(Shape::string())
                } else {
                    Access::present(number().shape.join(&Shape::string()))
                }
            }
            _ => {
                self.may_throw |= left.may_be_absent || right.may_be_absent;
                number()
            }
        }
    }

    fn logical(&mut self, operator: Logical, left: &'u Expr, right: &'u Expr) -> Access {
        let left = self.guard(left);
        if is_dead(&left) {
            return left;
        }
        let is_nothing = left.is_absent() || !left.may_be_absent && left.shape.set() == KindSet::NULL;
        let decided = match operator {
            Logical::And | Logical::Or => truth(&left).map(|truth| truth == (operator == Logical::And)),
            Logical::Coalesce if is_nothing => Some(true),
            Logical::Coalesce => (!left.may_be_absent && !left.shape.set().meets(KindSet::NULL)).then_some(false),
        };
        match (decided, operator) {
            // The right side is the value.
            (Some(true), _) => self.eval(right),
            (Some(false), _) => left,
            (None, Logical::And) => {
                let changes = self.changes;
                let right = self.absorbed(right);
                self.current(left, changes).join(&right)
            }
            (None, Logical::Or) => {
                let kept = left.shape.only(KindSet::NULL.complement()).without_flag(false);
                // The value may have no JSON form.
                let is_unknown = left.shape.is_any() && left.may_be_absent;
                let (kept, changes) = (Access { shape: kept, may_be_absent: is_unknown }, self.changes);
                let right = self.absorbed(right);
                self.current(kept, changes).join(&right)
            }
            (None, Logical::Coalesce) => {
                let is_unknown = left.shape.is_any() && left.may_be_absent;
                // Null may stand for `NaN`, which is something.
                let is_number = left.shape.set().meets(KindSet::NUMBER);
                let shape = if is_number { left.shape } else { left.shape.only(KindSet::NULL.complement()) };
                let (kept, changes) = (Access { shape, may_be_absent: is_unknown }, self.changes);
                let right = self.absorbed(right);
                self.current(kept, changes).join(&right)
            }
        }
    }

    fn read(&mut self, object: &'u Expr, key: &'u MemberKey) -> Access {
        let of = self.eval(object);
        if is_dead(&of) {
            return of;
        }
        if matches!(object, Expr::Local(_) | Expr::Variable(_)) {
            self.paths.note(!of.shape.is_any(), AnyReason::Computed);
        }
        let MemberKey::Name(name, at) = key else {
            let MemberKey::Computed(key) = key else { return Access::unknown() };
            let index = self.eval(key);
            self.may_throw |= of.may_be_absent || index.may_be_absent || of.shape.set().meets(KindSet::NULL);
            return match &**key {
                Expr::Number(index)
                    if of.shape.set() == KindSet::ARRAY
                        && !of.may_be_absent
                        && (0.0..MOST_WHOLE).contains(index)
                        && index.fract() == 0.0 =>
                {
                    let found = of.shape.element(*index as i64);
                    element(found.shape.clone()).join(&found)
                }
                _ => Access::unknown(),
            };
        };
        if of.is_absent() {
            return self.read_of_nothing(object, name, at);
        }
        let found = self.member_of(&of, name);
        if found.is_absent() {
            self.remark(at, RemarkKind::Undefined { name: name.as_str().into(), of: of.shape });
        }
        found
    }

    /// Reports a member of what is always undefined. If that is a member, it is the mistake.
    pub(super) fn read_of_nothing(&mut self, object: &Expr, name: &str, at: &Range<usize>) -> Access {
        let own = place_of(object);
        let missing = self
            .remarks
            .pop_if(|last| matches!(last.kind, RemarkKind::Undefined { .. }) && Some(&last.at) == own.as_ref());
        match (missing, object) {
            (Some(Remark { at, kind: RemarkKind::Undefined { name, of }, .. }), Expr::Member(inner, _)) => {
                self.remark(&at, RemarkKind::NoMember { written: written(inner), name, of });
            }
            _ => {
                let kind = RemarkKind::NoMember { written: written(object), name: name.into(), of: Shape::never() };
                self.remark(at, kind);
            }
        }
        self.failed()
    }

    /// Returns the member of a value.
    pub(super) fn member_of(&mut self, of: &Access, name: &str) -> Access {
        if of.shape.is_any() {
            self.may_throw = true;
            return Access::unknown();
        }
        let set = of.shape.set();
        self.may_throw |= of.may_be_absent || set.meets(KindSet::NULL);
        // A number as a name is an index.
        let is_index = name.starts_with(|first: char| first.is_ascii_digit());
        let has_elements = set.meets(KindSet::ARRAY | KindSet::STRING);
        if globals::is_method(name) || INHERITED.contains(&name) || is_index && has_elements {
            return Access::unknown();
        }
        let length = match name {
            "length" if set.meets(KindSet::ARRAY | KindSet::STRING) => Shape::integer(),
            _ => Shape::never(),
        };
        let objects = of.shape.only(KindSet::OBJECT);
        let member = if objects.is_never() { Access::present(Shape::never()) } else { objects.member(name) };
        // The other values have no such member, and nothing is read of null.
        let with_length = if name == "length" { KindSet::ARRAY | KindSet::STRING } else { KindSet::NONE };
        let others = set.meets((KindSet::OBJECT | KindSet::NULL | with_length).complement());
        let is_read_of_nothing = member.shape.is_never() && length.is_never();
        let may_be_absent = member.may_be_absent || others || is_read_of_nothing && set.meets(KindSet::NULL);
        let shape = match of.shape.origin() {
            Some(origin) if !member.shape.is_any() => member.shape.or_origin(|| origin.clone()),
            _ => member.shape,
        };
        // Null may stand for data that is still to come.
        match set.meets(KindSet::NULL) && is_read_of_nothing {
            true => Access::unknown(),
            false => Access { shape: if length.is_never() { shape } else { shape.join(&length) }, may_be_absent },
        }
    }
}

/// Returns `true` for an expression that assigns nothing and calls nothing.
fn is_plain(expr: &Expr) -> bool {
    let mut is_plain = true;
    walk::expr(expr, &mut |node| {
        is_plain &= !matches!(
            node,
            walk::IrNode::Place(_)
                | walk::IrNode::Expr(
                    Expr::Call { .. }
                        | Expr::Method { .. }
                        | Expr::OptionalMethod { .. }
                        | Expr::Static(..)
                        | Expr::Construct(..)
                        | Expr::Delete(..)
                )
        );
        is_plain
    });
    is_plain
}

/// Returns `true` if no other place holds the value of an expression, nor anything in it.
fn is_fresh(expr: &Expr) -> bool {
    let mut is_fresh = true;
    walk::expr(expr, &mut |node| {
        if let walk::IrNode::Expr(
            Expr::Local(_)
            | Expr::Variable(_)
            | Expr::Call { .. }
            | Expr::Method { .. }
            | Expr::OptionalMethod { .. }
            | Expr::Free(_)
            | Expr::This
            | Expr::Static(..),
        ) = node
        {
            is_fresh = false;
        }
        is_fresh
    });
    is_fresh
}

/// Returns the place of the last member of a path.
fn place_of(expr: &Expr) -> Option<Range<usize>> {
    match expr {
        Expr::Member(_, MemberKey::Name(_, at)) => Some(at.clone()),
        Expr::Member(inner, _) | Expr::Chain(inner) | Expr::Optional(inner) | Expr::Unary(_, inner) => place_of(inner),
        _ => None,
    }
}

/// Returns a path as its author writes it, without its beginning.
fn written(expr: &Expr) -> String {
    match expr {
        Expr::Member(_, MemberKey::Name(name, _)) => name.clone(),
        _ => "the value".to_owned(),
    }
}
