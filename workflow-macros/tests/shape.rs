//! The shapes of derived types, beside the JSON that serde writes of their values.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use workflow_compiler::name_hash;
use workflow_runtime::__private::{PathRule, PathUse, TypeShape, check_paths};
use workflow_runtime::{Shape, Value};

/// Returns the mistake of a path into a shape, if it is one.
fn mistake(shape: &'static TypeShape, path: &[String]) -> Option<String> {
    let steps = path.iter().map(|step| (name_hash(step.get(1..).unwrap_or_default()), &*step.clone().leak()));
    let names: &[(u64, &str)] = steps.collect::<Vec<_>>().leak();
    let numbers: Vec<u32> = (0..).take(names.len()).collect();
    let (paths, places) = (vec![numbers.len() as u32, 0, 1].leak(), &[1, 1, 0]);
    let (file, source, name, code) = ("file", "the output of `T`", "T", "WF1901");
    let used = PathUse {
        file,
        source,
        name,
        rule: PathRule::Fault,
        code,
        paths,
        steps: numbers.leak(),
        names,
        places,
        bases: &["$"],
    };
    let panicked = catch_unwind(|| check_paths(shape, &used)).err()?;
    Some(panicked.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// Looks up the paths to all values in a value.
fn check_all(shape: &'static TypeShape, value: &Value, path: &mut Vec<String>) {
    assert_eq!(mistake(shape, path), None, "{path:?}");
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, member)| (format!(".{name}"), member)).collect(),
        Value::Array(items) => items.iter().map(|item| ("[]".to_owned(), item)).collect(),
        _ => Vec::new(),
    };
    for (step, value) in inner {
        path.push(step);
        check_all(shape, value, path);
        path.pop();
    }
}

/// Checks that the shape has all that serde writes. If it is known, it has no other member.
fn check<T: Serialize + Shape>(value: T, is_known: bool) {
    let json = Value::serialize_from(&value).expect("the value is JSON");
    check_all(T::SHAPE, &json, &mut Vec::new());
    let is_refused = mistake(T::SHAPE, &[".noSuchMember".to_owned()]).is_some();
    assert_eq!(is_refused, is_known, "{json}: {:?}", T::SHAPE);
}

#[derive(Serialize, Shape, Clone)]
enum Status {
    Paid,
    #[serde(rename = "still-open")]
    Open,
    Partly(u32),
    Refunded {
        by_whom: String,
    },
    Pair(u8, u8),
    Skipped(#[serde(skip)] u8),
}

fn states() -> Vec<Status> {
    let refunded = Status::Refunded { by_whom: "me".to_owned() };
    vec![Status::Paid, Status::Open, Status::Partly(1), refunded, Status::Pair(1, 2), Status::Skipped(1)]
}

#[derive(Serialize, Shape, Default, Clone)]
struct Inner {
    zone: u8,
}

#[test]
fn fields_are_those_that_serde_writes() {
    #[derive(Serialize, Shape, Default)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Fields<'a, T> {
        first_name: &'a str,
        r#type: Vec<[T; 1]>,
        #[serde(rename = "other")]
        renamed: Option<Inner>,
        #[serde(rename(serialize = "written", deserialize = "read"), default, alias = "old")]
        both: f64,
        #[serde(skip)]
        _skipped: u8,
        #[serde(skip_deserializing)]
        kept: Vec<(u8, Inner)>,
        #[serde(skip_serializing_if = "Option::is_none")]
        maybe: Option<u8>,
        #[serde(serialize_with = "by_function")]
        function: u8,
        map: BTreeMap<u8, Inner>,
    }
    fn by_function<S: Serializer>(_: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        Inner::default().serialize(serializer)
    }
    let map = BTreeMap::from([(1, Inner::default())]);
    let (renamed, kept) = (Some(Inner::default()), vec![(1, Inner::default())]);
    check(Fields::<u8>::default(), true);
    check(Fields { r#type: vec![[Inner::default()]], renamed, kept, maybe: Some(1), map, ..Fields::default() }, true);
}

#[test]
fn flattened_members_are_those_that_serde_writes() {
    #[derive(Serialize, Shape)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        status: Status,
        #[serde(flatten)]
        inner: Option<Inner>,
    }
    for status in states() {
        check(Flat { id: 1, status: status.clone(), inner: None }, true);
        check(Flat { id: 1, status, inner: Some(Inner::default()) }, true);
    }
    #[derive(Serialize, Shape)]
    struct Open {
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    check(Open { rest: BTreeMap::from([("a".to_owned(), 1)]) }, false);
}

#[test]
fn variants_are_those_that_serde_writes() {
    states().into_iter().for_each(|status| check(status, true));

    #[derive(Serialize, Shape)]
    #[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum Tagged {
        OfStatus(Status),
        OfInner(Inner),
        Nothing,
        Fields { first_name: u8 },
        OfSkipped(#[serde(skip)] u8),
    }
    states().into_iter().for_each(|status| check(Tagged::OfStatus(status), true));
    let others = [Tagged::OfInner(Inner::default()), Tagged::Nothing, Tagged::Fields { first_name: 1 }];
    others.into_iter().chain([Tagged::OfSkipped(1)]).for_each(|tagged| check(tagged, true));

    #[derive(Serialize, Shape)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        One(Status),
        Two,
        Three { a: u8 },
        Four(u8, Inner),
        Five(#[serde(skip)] u8),
    }
    states().into_iter().for_each(|status| check(Adjacent::One(status), true));
    let others = [Adjacent::Two, Adjacent::Three { a: 1 }, Adjacent::Four(1, Inner::default()), Adjacent::Five(1)];
    others.into_iter().for_each(|adjacent| check(adjacent, true));

    #[derive(Serialize, Shape)]
    #[serde(untagged)]
    enum Untagged {
        One(Inner),
        Two,
        Three { a: Status },
        Four(Vec<Inner>),
    }
    let others = [Untagged::One(Inner::default()), Untagged::Two, Untagged::Four(vec![Inner::default()])];
    others.into_iter().for_each(|untagged| check(untagged, true));
    states().into_iter().for_each(|a| check(Untagged::Three { a }, true));
}

#[test]
fn structs_are_those_that_serde_writes() {
    #[derive(Serialize, Shape)]
    struct Unit;
    #[derive(Serialize, Shape)]
    struct New(Inner);
    #[derive(Serialize, Shape)]
    #[expect(dead_code, reason = "a skipped field is never read")]
    struct Pair(Inner, #[serde(skip)] u8, u8);
    #[derive(Serialize, Shape)]
    #[serde(transparent)]
    struct Clear {
        inner: Inner,
    }
    #[derive(Serialize, Shape)]
    #[serde(tag = "type")]
    struct Named {
        inner: Inner,
    }
    #[derive(Serialize, Shape, Clone)]
    #[serde(into = "Inner")]
    struct Into(u8);
    impl From<Into> for Inner {
        fn from(into: Into) -> Inner {
            Inner { zone: into.0 }
        }
    }
    #[derive(Serialize, Shape)]
    struct Tree {
        children: Vec<Tree>,
        boxed: Option<Box<Inner>>,
    }
    check(Unit, true);
    check(New(Inner::default()), true);
    check(Pair(Inner::default(), 1, 2), true);
    check(Clear { inner: Inner::default() }, true);
    check(Named { inner: Inner::default() }, true);
    check(Into(1), true);
    let leaf = Tree { children: Vec::new(), boxed: Some(Box::default()) };
    check(Tree { children: vec![leaf], boxed: None }, true);
}
