//! Tests of shapes, and of the messages about paths into them.

use super::check::Text;
use super::{PathRule, PathUse, Shape, ShapeOf, TypeShape, UnknownShape as _};
use crate::value::Value;
use std::collections::HashMap;
use workflow_model::name_hash;

/// A type as `derive(Shape)` describes it.
struct Receipt;

impl Shape for Receipt {
    const SHAPE: &'static TypeShape = &TypeShape::Record {
        name: "Receipt",
        members: &[
            (name_hash("id"), "id", String::SHAPE),
            (name_hash("amount"), "amount", f64::SHAPE),
            (name_hash("items"), "items", <Vec<(String, u32)>>::SHAPE),
            (name_hash("card"), "card", <Option<Card>>::SHAPE),
            (name_hash("notes"), "notes", <HashMap<String, bool>>::SHAPE),
            (name_hash("data"), "data", Value::SHAPE),
        ],
        flattened: &[Card::SHAPE],
    };
}

struct Card;

impl Shape for Card {
    const SHAPE: &'static TypeShape = &TypeShape::OneOf(
        "Card",
        &[
            &TypeShape::Record {
                name: "Card::Credit",
                members: &[(name_hash("limit"), "limit", u32::SHAPE)],
                flattened: &[],
            },
            &TypeShape::Record {
                name: "Card::Debit",
                members: &[(name_hash("account"), "account", String::SHAPE)],
                flattened: &[],
            },
        ],
    );
}

/// Returns a use of paths with these steps, and with the numbers of each path and place.
fn used(steps: &[&'static str], paths: &[[u32; 3]], places: &[[u32; 3]], bases: &'static [&'static str]) -> PathUse {
    // The compiler lists steps that differ. Here each step is listed.
    let hash = |step: &str| step.strip_prefix(['.', '*']).map_or(0, name_hash);
    let names: Vec<_> = steps.iter().map(|step| (hash(step), *step)).collect();
    let numbers: Vec<u32> = (0..).take(steps.len()).collect();
    PathUse {
        file: "a",
        source: "the output of `T`",
        name: "T",
        rule: PathRule::Fault,
        code: "WF1901",
        paths: paths.concat().leak(),
        steps: numbers.leak(),
        names: names.leak(),
        places: places.concat().leak(),
        bases,
    }
}

/// Returns the message for a path from `$.receipt`.
fn message(rule: PathRule, checked_from: u32, steps: &[&'static str]) -> String {
    let (file, source, name) = ("order.asl.json", "the output of `Charge`", "Receipt");
    let paths = [[steps.len() as u32, checked_from, 1]];
    let used = PathUse { file, source, name, rule, ..used(steps, &paths, &[[12, 34, 0]], &["$.receipt"]) };
    Text::of_mistakes(Receipt::SHAPE, &used).as_str().to_owned()
}

#[test]
fn paths_that_a_type_has_are_no_mistakes() {
    for steps in [
        &[".id"][..],
        &[".amount"],
        &[".items", "[]", "[]"],
        &[".items", "[*]", "[]"],
        &[".card", ".limit"],
        &[".card", ".account"],
        &[".limit"],
        &[".account"],
        &[".notes", ".anything"],
        &[".notes", "[*]", ".anything"],
        &[".data", ".anything", "[]", "*else"],
        &["*card", "*limit"],
        &["*items", "[]"],
        &["*id", "[]"],
    ] {
        for rule in [PathRule::Fault, PathRule::Null, PathRule::Nothing] {
            assert_eq!(message(rule, 0, steps), "", "{steps:?}");
        }
    }
}

#[test]
fn a_member_that_no_value_has_is_a_mistake() {
    for (steps, expected) in [
        (&[".ammount"][..], "`$.receipt` has no member `ammount`"),
        (&[".card", ".limits"], "`$.receipt.card` has no member `limits`"),
        (&[".id", ".text"], "`$.receipt.id` is a string and has no member `text`"),
        (&[".items", ".price"], "`$.receipt.items` is an array and has no member `price`"),
        (&[".items", "[]", ".price"], "`$.receipt.items[*]` is an array and has no member `price`"),
        (&["*items", "*price"], "`$.receipt.items` is an array and has no member `price`"),
        (&["[]"], "`$.receipt` is an object and has no elements"),
        (&[".amount", "[]"], "`$.receipt.amount` is a number and has no elements"),
    ] {
        let found = message(PathRule::Fault, 0, steps);
        let head = found.lines().nth(1).unwrap_or_default();
        assert_eq!(head, format!("error[WF1901]: {expected}"), "{steps:?}");
    }
}

#[test]
fn a_message_has_the_place_the_type_and_the_remedy() {
    let expected = "\
the workflow definition has errors
error[WF1901]: `$.receipt.card` has no member `limits`
 --> order.asl.json:12:34
  = note: `$.receipt` is the output of `Charge`, of the type `Receipt`
  = note: `$.receipt.card` is of the type `Card`
  = help: did you mean `limit`?";
    assert_eq!(message(PathRule::Fault, 0, &[".card", ".limits"]), expected);
    let others = message(PathRule::Fault, 0, &[".reference"]);
    let help = "  = help: the members are `id`, `amount`, `items`, `card`, `notes`, `data`, `limit` and `account`";
    assert_eq!(others.lines().last(), Some(help));
    let inner = message(PathRule::Fault, 1, &[".id", ".text"]);
    assert!(inner.contains("`$.receipt` is a string and has no member `text`"), "{inner}");
    assert!(inner.ends_with("= help: end the path at `$.receipt`"), "{inner}");
}

#[test]
fn a_step_that_is_not_checked_is_no_mistake() {
    assert_eq!(message(PathRule::Fault, 1, &[".gone", ".amount"]), "");
    assert_ne!(message(PathRule::Fault, 1, &[".card", ".gone"]), "");
}

#[test]
fn null_in_place_of_a_member_is_a_mistake_if_a_name_is_similar() {
    for (steps, is_mistake) in [
        (&[".ammount"][..], true),
        (&[".reference"], false),
        (&[".card", ".limits"], true),
        (&[".card", ".zone"], false),
        (&[".id", ".text"], true),
        // The amount may be null, which has all members.
        (&[".amount", ".text"], false),
    ] {
        assert_eq!(!message(PathRule::Null, 0, steps).is_empty(), is_mistake, "{steps:?}");
    }
}

/// Returns the message for a path into a shape.
fn message_of(shape: &'static TypeShape, rule: PathRule, steps: &[&'static str]) -> String {
    let used = PathUse { rule, ..used(steps, &[[steps.len() as u32, 0, 1]], &[[1, 1, 0]], &["$"]) };
    Text::of_mistakes(shape, &used).as_str().to_owned()
}

#[test]
fn an_array_of_nothing_is_a_mistake_only_if_a_name_is_similar() {
    let is_mistake = |steps: &[&'static str]| !message(PathRule::Nothing, 0, steps).is_empty();
    assert!(is_mistake(&[".ammount"]));
    assert!(!is_mistake(&[".reference"]));
    assert!(!is_mistake(&[".id", ".text"]));
    assert!(!is_mistake(&[".items", "[*]", ".price"]));
}

#[test]
fn each_variant_that_may_have_a_member_counts() {
    const CITY: &TypeShape =
        &TypeShape::Record { name: "City", members: &[(name_hash("zip"), "zip", String::SHAPE)], flattened: &[] };
    const fn variant(at: &'static [(u64, &'static str, &'static TypeShape)]) -> TypeShape {
        TypeShape::Record { name: "Place", members: at, flattened: &[] }
    }
    const AT_CITY: &TypeShape = &variant(&[(name_hash("at"), "at", CITY)]);
    const AT_TEXT: &TypeShape = &variant(&[(name_hash("at"), "at", String::SHAPE)]);
    for shape in [&TypeShape::OneOf("Place", &[AT_CITY, AT_TEXT]), &TypeShape::OneOf("Place", &[AT_TEXT, AT_CITY])] {
        assert_eq!(message_of(shape, PathRule::Null, &[".at", ".country"]), "");
        for rule in [PathRule::Fault, PathRule::Null, PathRule::Nothing] {
            let found = message_of(shape, rule, &[".at", ".zipp"]);
            assert!(found.contains("`$.at` has no member `zipp`") && found.ends_with("did you mean `zip`?"), "{found}");
        }
    }
}

#[test]
fn a_value_that_does_not_exist_has_each_member() {
    const OPTION: &TypeShape = <Option<Card>>::SHAPE;
    assert_eq!(message_of(&TypeShape::Null, PathRule::Fault, &["!", ".id"]), "");
    assert_eq!(message_of(&TypeShape::OneOf("Never", &[]), PathRule::Fault, &[".id"]), "");
    assert_eq!(message_of(OPTION, PathRule::Fault, &["!", ".limit"]), "");
    let found = message_of(OPTION, PathRule::Fault, &["!", ".limits"]);
    assert!(found.contains("`$` has no member `limits`") && found.ends_with("did you mean `limit`?"), "{found}");
    assert!(!message_of(&TypeShape::Null, PathRule::Fault, &[".id"]).is_empty());
}

#[test]
fn names_are_listed_once() {
    const ONE: &TypeShape =
        &TypeShape::Record { name: "One", members: &[(name_hash("street"), "street", String::SHAPE)], flattened: &[] };
    let found = message_of(&TypeShape::OneOf("Two", &[ONE, ONE]), PathRule::Fault, &[".city"]);
    assert!(found.ends_with("= help: the only member is `street`"), "{found}");
}

#[test]
fn a_type_without_a_shape_is_not_checked() {
    struct Foreign;
    let shapes = [ShapeOf::<Foreign>::SHAPE, ShapeOf::<Vec<Foreign>>::SHAPE, ShapeOf::<Option<Foreign>>::SHAPE];
    assert!(shapes.iter().all(|shape| matches!(shape, TypeShape::Any)));
    assert!(matches!(ShapeOf::<Vec<u8>>::SHAPE, TypeShape::List(TypeShape::Number)));
}

#[test]
fn a_lookup_ends_in_a_type_that_contains_itself() {
    static TREE: TypeShape = TypeShape::OneOf("Tree", &[&TREE, &TREE, &TypeShape::Null]);
    let used = used(&[".a"], &[[1, 0, 1]], &[[1, 1, 0]], &["$"]);
    assert_eq!(Text::of_mistakes(&TREE, &used).as_str(), "");
}

#[test]
fn each_path_has_its_steps_and_its_places() {
    let steps = [".id", ".card", ".limits", ".item", ".card", ".account"];
    let paths = [[1, 0, 2], [2, 1, 1], [1, 0, 2], [2, 0, 1]];
    let places = [[1, 1, 0], [2, 1, 0], [3, 1, 1], [4, 1, 0], [5, 1, 2], [6, 1, 0]];
    let used = used(&steps, &paths, &places, &["$.a", "$.b", "$.c"]);
    let text = Text::of_mistakes(Receipt::SHAPE, &used);
    let shown: Vec<&str> = text.as_str().lines().filter(|line| line.contains('`') || line.contains("-->")).collect();
    let heads = |line: &&&str| line.starts_with("error") || line.starts_with(" -->");
    let expected = [
        "error[WF1901]: `$.b` has no member `limits`",
        " --> a:3:1",
        "error[WF1901]: `$.a` has no member `item`",
        " --> a:4:1",
        "error[WF1901]: `$.c` has no member `item`",
        " --> a:5:1",
    ];
    assert_eq!(shown.iter().filter(heads).copied().collect::<Vec<_>>(), expected);
}

#[test]
fn messages_beyond_the_limit_are_counted() {
    let used = used(&[".ammount"], &[[1, 0, 200]], &[[1, 1, 0]; 200], &["$.receipt"]);
    let text = Text::of_mistakes(Receipt::SHAPE, &used);
    assert!(text.as_str().lines().count() > 50, "{}", text.as_str());
    let shown = text.as_str().matches("error[").count();
    assert!(text.as_str().ends_with(&format!("`amount`?\nand {} more errors", 200 - shown)), "{}", text.as_str());
}

/// Shapes of the standard library, beside what serde writes.
#[test]
fn shapes_are_those_that_serde_writes() {
    use serde::Serialize;
    use std::time::{Duration, SystemTime};

    fn check<T: Serialize + Shape>(value: T) {
        let json = Value::serialize_from(&value).expect("the value is JSON");
        let json = serde_json::from_str(&json.to_string()).expect("the value is JSON");
        assert!(has(T::SHAPE, &json), "{json} is not {:?}", T::SHAPE);
    }
    fn has(shape: &TypeShape, json: &serde_json::Value) -> bool {
        match shape {
            TypeShape::Any => true,
            TypeShape::Null => json.is_null(),
            TypeShape::Boolean => json.is_boolean(),
            TypeShape::Number => json.is_number(),
            TypeShape::String | TypeShape::Unit(..) => json.is_string(),
            TypeShape::List(of) => json.as_array().is_some_and(|items| items.iter().all(|item| has(of, item))),
            TypeShape::Tuple(of) => json
                .as_array()
                .is_some_and(|items| items.len() == of.len() && items.iter().zip(*of).all(|(item, of)| has(of, item))),
            TypeShape::Map(of) => {
                json.as_object().is_some_and(|members| members.values().all(|member| has(of, member)))
            }
            TypeShape::Record { members, .. } => json.as_object().is_some_and(|object| {
                let known =
                    |name: &str| members.iter().find(|(hash, known, _)| *known == name && *hash == name_hash(name));
                object.iter().all(|(name, member)| known(name).is_some_and(|(.., of)| has(of, member)))
            }),
            TypeShape::OneOf(_, shapes) => shapes.iter().any(|shape| has(shape, json)),
        }
    }
    check(());
    check((1_u8, "a", 'b', true, 2.5_f32));
    check(f64::NAN);
    check([Some(1), None]);
    check(std::num::NonZeroU8::MIN);
    check(vec![std::collections::BTreeMap::from([(1, "a")])]);
    check(std::collections::HashSet::from([1]));
    check(std::collections::VecDeque::from([1]));
    check(Duration::from_millis(1500));
    check(SystemTime::UNIX_EPOCH);
    check(1..2);
    check(Ok::<u8, String>(1));
    check(std::borrow::Cow::Borrowed("a"));
    check(Box::new(1));
    check(std::cmp::Reverse(1));
    check(std::marker::PhantomData::<String>);
    check(std::path::PathBuf::from("a"));
    check(std::net::Ipv4Addr::LOCALHOST);
    check(Value::from("a"));
    check(crate::value::Str::from("a"));
    check(serde_json::json!({ "a": [1] }));
    #[cfg(feature = "chrono")]
    {
        check(chrono::DateTime::UNIX_EPOCH);
        check(chrono::DateTime::UNIX_EPOCH.naive_utc());
        check(chrono::NaiveDate::MIN);
        check(chrono::NaiveTime::MIN);
        check(chrono::TimeDelta::seconds(1));
        check((chrono::Weekday::Mon, chrono::Month::May));
    }
    #[cfg(feature = "jiff")]
    {
        check(jiff::Timestamp::UNIX_EPOCH);
        check(jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC));
        check(jiff::Span::new().hours(1));
        check(jiff::SignedDuration::from_secs(1));
        check(jiff::civil::DateTime::ZERO);
        check(jiff::civil::DateTime::ZERO.date());
        check(jiff::civil::DateTime::ZERO.time());
        check(jiff::civil::ISOWeekDate::ZERO);
    }
    #[cfg(feature = "url")]
    check(url::Url::parse("https://example.com/a").expect("a URL"));
    #[cfg(feature = "uuid")]
    {
        check(uuid::Uuid::nil());
        check((uuid::NonNilUuid::new(uuid::Uuid::max()), uuid::Uuid::nil().simple(), uuid::Uuid::nil().urn()));
        check((uuid::Uuid::nil().braced(), uuid::Uuid::nil().hyphenated()));
    }
}
