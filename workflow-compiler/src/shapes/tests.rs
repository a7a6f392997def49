//! The laws of the lattice, on pseudo-random shapes, and tables of reads and writes.

use super::*;
use crate::literal::{Literal, PathStep};
use crate::source::{FileId, Span};
use std::cell::Cell;

thread_local! {
    /// The number of comparisons in this thread.
    static COMPARISONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a comparison of two shapes.
pub(super) fn count_comparison() {
    COMPARISONS.set(COMPARISONS.get() + 1);
}

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn shape(&mut self, depth: u64) -> Shape {
        let kinds = if depth == 0 { 8 } else { 12 };
        match self.below(kinds) {
            0 => Shape::null(),
            1 => Shape::flag(self.below(2) == 1),
            2 => Shape::whole(self.below(3) as i64),
            3 => Shape::integer(),
            4 => Shape::number(),
            5 => Shape::text(["a", "b", "c"][self.below(3) as usize]),
            6 => Shape::string(),
            7 => [Shape::any(), Shape::never(), Shape::any_object()][self.below(3) as usize].clone(),
            8 => Shape::list(self.shape(depth - 1)),
            9 => {
                let prefix: Vec<Shape> = (0..self.below(3)).map(|_| self.shape(depth - 1)).collect();
                let least = self.below(prefix.len() as u64 + 1) as usize;
                Shape::array(ArrayShape { prefix, rest: self.shape(depth - 1), least })
            }
            10 => {
                let names = ["x", "y", "z"].into_iter().take(self.below(4) as usize);
                let fields = names
                    .map(|name| (name.into(), Field { shape: self.shape(depth - 1), required: self.below(2) == 1 }));
                let fields = fields.collect();
                let rest = [Shape::never(), Shape::any(), Shape::string()][self.below(3) as usize].clone();
                Shape::object(RecordShape { fields, rest })
            }
            _ => self.shape(depth - 1).join(&self.shape(depth - 1)),
        }
    }
}

#[test]
fn joins_are_commutative_associative_idempotent_and_upper_bounds() {
    let mut random = Random(7);
    for _ in 0..4000 {
        let (a, b, c) = (random.shape(3), random.shape(3), random.shape(3));
        let joined = a.join(&b);
        assert_eq!(joined, b.join(&a), "{a} and {b}");
        assert_eq!(joined.join(&c), a.join(&b.join(&c)), "{a} and {b} and {c}");
        assert_eq!(a.join(&a), a);
        assert!(a.is_within(&joined) && b.is_within(&joined), "{a} and {b} in {joined}");
        assert!(a.is_within(&Shape::any()) && Shape::never().is_within(&a), "{a}");
    }
}

#[test]
fn intersections_are_commutative_idempotent_and_greatest_lower_bounds() {
    let mut random = Random(11);
    for _ in 0..4000 {
        let (a, b, c) = (random.shape(3), random.shape(3), random.shape(2));
        let met = a.meet(&b);
        assert_eq!(met, b.meet(&a), "{a} and {b}");
        assert_eq!(a.meet(&a), a, "{a}");
        assert_eq!(a.meet(&a.join(&b)), a, "{a} and {b}");
        assert!(met.is_within(&a) && met.is_within(&b), "{a} and {b}: {met}");
        if c.is_within(&a) && c.is_within(&b) {
            assert!(c.is_within(&met), "{c} in {a} and {b}: {met}");
        }
    }
}

#[test]
fn data_are_merged_in_depth() {
    let inner = |name: &'static str| Shape::record([(name, Shape::integer())]);
    let data = Shape::record([("a", inner("x")), ("b", Shape::string())]);
    for (data, new, expected) in [
        (data.clone(), Shape::record([("a", inner("y"))]), "{ a: { x: integer, y: integer }, b: string }"),
        (data.clone(), Shape::record([("b", inner("y"))]), "{ a: { x: integer }, b: { y: integer } }"),
        (data.clone(), Shape::record([("a", Shape::null())]), "{ a: null, b: string }"),
        (data.clone(), Shape::null(), "{ a: { x: integer }, b: string }"),
        (data.clone(), Shape::string(), "string"),
        (data, Shape::any(), "any"),
        (Shape::string(), inner("y"), "{ y: integer }"),
        (
            Shape::any(),
            Shape::record([("a", inner("y")), ("b", Shape::string())]),
            "{ a: { y: integer, … }, b: string, … }",
        ),
    ] {
        assert_eq!(data.merged_deeply(&new).to_string(), expected, "{data} and {new}");
    }
}

#[test]
fn widening_is_an_upper_bound_and_ends() {
    let mut random = Random(11);
    for _ in 0..500 {
        let mut shape = random.shape(3);
        let mut changes = 0;
        for _ in 0..60 {
            let next = random.shape(3);
            let widened = shape.widen(&next);
            assert!(next.is_within(&widened) && shape.is_within(&widened), "{shape} and {next} in {widened}");
            changes += u32::from(widened != shape);
            shape = widened;
        }
        assert!(changes < 30, "{changes} changes up to {shape}");
    }
}

#[test]
fn parts_of_a_shape_are_within_it() {
    let mut random = Random(13);
    for _ in 0..1000 {
        let shape = random.shape(3);
        for kind in [KindSet::NULL, KindSet::STRING | KindSet::NUMBER, KindSet::OBJECT, KindSet::NONE] {
            let (part, others) = (shape.only(kind), shape.only(kind.complement()));
            assert!(part.is_within(&shape), "{part} in {shape}");
            assert_eq!(part.join(&others), shape);
        }
        assert_eq!(shape.without_text("a").join(&shape.only_text("a")), shape, "{shape}");
    }
}

#[test]
fn literals_beyond_a_number_are_all_values_of_their_kind() {
    let texts = (0..17).map(|at| Shape::text(&at.to_string()));
    assert_eq!(texts.fold(Shape::never(), |all, one| all.join(&one)), Shape::string());
    let numbers = (0..17).map(Shape::whole);
    assert_eq!(numbers.fold(Shape::never(), |all, one| all.join(&one)), Shape::integer());
    assert_eq!(Shape::text(&"x".repeat(1000)), Shape::string());
}

#[test]
fn shapes_beyond_a_limit_are_all_values() {
    let mut deep = Shape::null();
    let mut doubled = Shape::null();
    for _ in 0..40 {
        deep = Shape::list(deep);
        doubled = Shape::record([("a", doubled.clone()), ("b", doubled)]);
    }
    assert!(deep.to_string().len() < 100 && doubled.to_string().len() < 100_000);
    let wide = Shape::record((0..300).map(|at| (at.to_string(), Shape::null())));
    assert_eq!(wide, Shape::any_object());
    let long = Shape::tuple((0..100).map(Shape::whole).collect());
    assert!(long.element(99).shape.is_within(&Shape::integer()) && !long.element(99).may_be_absent);
}

#[test]
fn the_number_of_comparisons_grows_with_the_size() {
    const DEPTH: usize = 23;
    let deep = |depth: usize, leaf: &Shape| {
        (0..depth).fold(leaf.clone(), |inner, _| Shape::record([("a", inner), ("b", Shape::null())]))
    };
    let comparisons = |compare: &dyn Fn()| {
        let before = COMPARISONS.get();
        compare();
        COMPARISONS.get() - before
    };
    // Nothing is shared, so that each part is compared.
    let (one, other) = (deep(DEPTH, &Shape::string()), deep(DEPTH, &Shape::string()));
    let (text, shallow) = (deep(DEPTH, &Shape::text("x")), deep(DEPTH - 1, &Shape::string()));
    assert!(!one.is_any() && one.kinds().is_some_and(|kinds| kinds.depth == DEPTH + 1));
    let size = one.size();
    let equal = comparisons(&|| assert_eq!(one, other));
    assert!((DEPTH..2 * size).contains(&equal), "{equal} for {size} parts");
    assert!(comparisons(&|| assert_ne!(one, text)) < 2 * size);
    assert_eq!(comparisons(&|| assert_ne!(one, shallow)), 1);
    // A join, and each step of a widening, compares members with those that have no name.
    let others: [(&dyn Fn(), usize); 5] = [
        (&(|| assert!(text.is_within(&one))), 4 * size),
        (&(|| assert!(!one.is_within(&text))), 4 * size),
        (&(|| assert_eq!(one.join(&text), other)), 4 * size),
        (&(|| assert_eq!(text.widen(&one), other)), 4 * size * DEPTH),
        (&(|| assert_eq!(one.widen(&text), other)), 4 * size * DEPTH),
    ];
    for (compare, most) in others {
        let found = comparisons(compare);
        assert!(found < most, "{found} for {size} parts");
    }
}

#[test]
fn a_union_of_all_kinds_is_any_value() {
    let scalars = [Shape::null(), Shape::boolean(), Shape::number(), Shape::string()];
    let all = scalars.iter().fold(Shape::any_object(), |all, one| all.join(one));
    assert!(!all.is_any());
    assert!(all.join(&Shape::list(Shape::any())).is_any());
}

fn key(name: &str) -> PathStep {
    PathStep::Key(name.to_owned())
}

#[test]
fn members_and_elements_are_found() {
    let order = Literal::Object(vec![
        ("id".to_owned(), Literal::Int(7)),
        ("items".to_owned(), Literal::Array(vec![Literal::Int(1), "two".into()])),
    ]);
    let order = Shape::from(&order);
    for (steps, expected, may_be_absent) in [
        (vec![key("id")], "7", false),
        (vec![key("idd")], "never", true),
        (vec![key("id"), key("x")], "never", true),
        (vec![key("items"), PathStep::Index(1)], "\"two\"", false),
        (vec![key("items"), PathStep::Index(-2)], "1", false),
        (vec![key("items"), PathStep::Index(2)], "never", true),
        (vec![key("items"), PathStep::Index(-3)], "never", true),
    ] {
        let found = steps.iter().fold(Access::present(order.clone()), |found, step| found.step(step));
        assert_eq!((&*found.shape.to_string(), found.may_be_absent), (expected, may_be_absent), "{steps:?}");
    }
    assert_eq!(Shape::any().member("x"), Access::unknown());
}

#[test]
fn values_are_put_at_paths() {
    let start = Shape::record([("a", Shape::null())]);
    for (steps, expected) in [
        (vec![key("b")], Some("{ a: null, b: 1 }")),
        (vec![key("b"), key("c")], Some("{ a: null, b: { c: 1 } }")),
        (vec![key("a"), key("c")], None),
        (vec![PathStep::Index(0)], None),
    ] {
        let put = start.put(&steps, &Shape::whole(1)).map(|shape| shape.to_string());
        assert_eq!(put.as_deref(), expected, "{steps:?}");
    }
    assert_eq!(
        Shape::any().put(&[key("a")], &Shape::null()).map(|shape| shape.to_string()).as_deref(),
        Some("{ a: null, … }")
    );
}

#[test]
fn tests_refine_members() {
    let either = Shape::record([("kind", Shape::text("a").join(&Shape::text("b")).join(&Shape::null()))]);
    let is_text = |access: Access| Access { shape: access.shape.only(KindSet::STRING), may_be_absent: false };
    let names = ["kind".to_owned()];
    assert_eq!(either.refined(&names, true, &is_text).to_string(), "{ kind: \"a\" | \"b\" }");
    let absent = |access: Access| if access.may_be_absent { Access::absent() } else { Access::present(Shape::never()) };
    assert!(either.refined(&names, false, &absent).is_never());
}

#[test]
fn shapes_are_json_schemas() {
    let optional = Field { shape: Shape::integer().join(&Shape::null()), required: false };
    let fields = [("n".into(), optional), ("s".into(), Field { shape: Shape::text("x"), required: true })];
    let shape = Shape::object(RecordShape { fields: fields.into_iter().collect(), rest: Shape::never() });
    assert_eq!(
        shape.json_schema().to_string(),
        concat!(
            r#"{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}]},"#,
            r#""s":{"enum":["x"]}},"required":["s"],"additionalProperties":false}"#
        )
    );
    assert_eq!(Shape::any().json_schema().to_string(), "true");
    assert_eq!(Shape::never().json_schema().to_string(), "false");
}

#[test]
fn a_member_that_says_no_more_than_the_others_makes_no_difference() {
    let origin = || ValueOrigin::new(Span::new(FileId(0), 0, 0), "described".to_owned());
    let object = |member: Shape, rest: Shape| {
        let field = Field { shape: member.from_origin(origin()), required: false };
        Shape::object(RecordShape { fields: [("id".into(), field)].into_iter().collect(), rest })
    };
    let rest = |rest: Shape| Shape::object(RecordShape { fields: Default::default(), rest });
    for member in [Shape::any(), Shape::string()] {
        let (named, unnamed) = (object(member.clone(), member.clone()), rest(member));
        // The description is kept.
        assert_eq!(named.as_object().expect("an object").names().collect::<Vec<_>>(), ["id"]);
        assert_eq!(named, unnamed);
        assert_eq!(unnamed, named);
        assert_eq!(Shape::list(named.clone()), Shape::list(unnamed.clone()));
        assert!(named.is_within(&unnamed) && unnamed.is_within(&named));
        let other = object(Shape::null(), Shape::string());
        assert_ne!(named, other);
        assert_eq!(named.join(&other), other.join(&unnamed));
        assert_eq!(named.join(&Shape::null()).join(&unnamed), unnamed.join(&Shape::null()));
    }
    assert_ne!(object(Shape::string(), Shape::any()), Shape::any_object());
    assert_ne!(rest(Shape::any()), object(Shape::string(), Shape::any()));
}

#[test]
fn members_are_in_order_and_have_a_size_and_a_depth() {
    let field = |shape: Shape| Field { shape, required: true };
    let deep = Shape::list(Shape::list(Shape::string()));
    let mut members: Members =
        ["c", "a", "b", "a"].into_iter().zip(0..).map(|(name, at)| (name.into(), field(Shape::whole(at)))).collect();
    members.insert("d", field(deep.clone()));
    members.insert("aa", field(Shape::null()));
    let names: Vec<&str> = members.keys().map(|name| &**name).collect();
    assert_eq!(names, ["a", "aa", "b", "c", "d"]);
    // Of two members with one name the last counts.
    assert_eq!(members.get("a"), Some(&field(Shape::whole(3))));
    members.insert("d", field(Shape::null()));
    members.insert("b", field(deep));
    members.retain(|field| field.shape != Shape::null());
    let fresh: Members = members.iter().map(|(name, field)| (name.clone(), field.clone())).collect();
    assert_eq!((members.len(), members.size(), members.depth()), (3, fresh.size(), fresh.depth()));
}

#[test]
fn what_does_not_change_is_shared() {
    let document = Shape::record((0..100).map(|at| (format!("m{at}"), Shape::list(Shape::whole(at)))));
    let put = |name: &str, shape: &Shape| document.put(&[PathStep::Key(name.to_owned())], shape).expect("an object");
    let (one, other) = (put("m7", &Shape::null()), put("m8", &Shape::null()));
    assert_eq!(one.size(), document.size() - 2);
    // A union with a part of itself is the whole, and a test that shows nothing changes nothing.
    let union = one.join(&other);
    assert!(union.join(&one).is_same(&union) && one.join(&union).is_same(&union));
    assert!(document.refined(&["m7".to_owned()], true, &|access| access).is_same(&document));
    let general = document.generalised();
    assert!(!general.is_same(&document) && general.generalised().is_same(&general));
    // The members that are not put are those of the document.
    let pairs = |left: &Shape, right: &Shape| {
        let [left, right] = [left, right].map(|shape| shape.as_object().expect("an object").fields);
        left.pairs(&right).filter(|pair| matches!(pair, (Some(left), Some(right)) if Arc::ptr_eq(left, right))).count()
    };
    assert_eq!((pairs(&document, &one), pairs(&document, &union)), (99, 98));
}
