//! Tests of the conversion of Rust data to values and back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::value;
use crate::value::{Str, Value, ValueError};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: String,
    price: f64,
    lines: Vec<Line>,
    note: Option<String>,
    tags: BTreeMap<u32, bool>,
    status: Status,
    pair: (i8, char),
    unit: (),
    id_of: Id,
    rest: Value,
    name: Str,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    sku: String,
    n: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Id(i64);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Status {
    Open,
    Paid(i64),
    Split(i64, String),
    Sent { by: String },
}

fn order(status: Status) -> Order {
    Order {
        id: "a-1".into(),
        price: 2.0,
        lines: vec![Line { sku: "x".into(), n: i64::MAX as u64 }],
        note: None,
        tags: BTreeMap::from([(7, true)]),
        status,
        pair: (-1, 'ä'),
        unit: (),
        id_of: Id(i64::MIN),
        rest: value!({"a": [1, 1.5, null]}),
        name: Str::from_static("n"),
    }
}

/// The shapes are those of `serde_json`, and can be read back.
#[test]
fn data_goes_both_ways() {
    let variants = [Status::Open, Status::Paid(5), Status::Split(1, "x".into()), Status::Sent { by: "van".into() }];
    for order in variants.map(order) {
        let value = Value::serialize_from(&order).unwrap();
        assert_eq!(value.to_string(), serde_json::to_string(&order).unwrap());
        assert_eq!(value.deserialize_into::<Order>().unwrap(), order);
        let json = serde_json::to_value(&order).unwrap();
        assert_eq!(Value::from(json.clone()), value);
        assert_eq!(serde_json::Value::try_from(&value), Ok(json));
        // Directly from and to text.
        assert_eq!(serde_json::from_str::<Order>(&serde_json::to_string(&value).unwrap()).unwrap(), order);
    }
}

#[test]
fn text_is_borrowed_from_the_value() {
    let value = value!({"id": "a-1"});
    let borrowed: BTreeMap<&str, &str> = value.deserialize_into().unwrap();
    assert!(std::ptr::eq(borrowed["id"], value.get("id").and_then(Value::as_str).unwrap()));
}

#[test]
fn whole_numbers_stay_exact() {
    fn there_and_back<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(data: T) {
        assert_eq!(Value::serialize_from(&data).unwrap().deserialize_into::<T>().unwrap(), data);
    }
    there_and_back(i64::MIN);
    there_and_back(i64::MAX as u64);
    there_and_back(1_u64 << 63);
    there_and_back(3_i128);
    there_and_back(f64::MAX);
    there_and_back(0.1_f32);
    assert_eq!(value!(3.0).deserialize_into::<u8>().unwrap(), 3);
    assert_eq!(value!(3).deserialize_into::<f64>().unwrap(), 3.0);
    for data in [u128::from(u64::MAX), (1 << 63) + 1, u128::MAX] {
        assert_eq!(
            Value::serialize_from(&[data]).unwrap_err().to_string(),
            format!(
                "the integer `{data}` does not fit into 64 signed bits and would lose digits as a double at `$[0]`"
            )
        );
    }
    assert_eq!(Value::serialize_from(&f64::INFINITY).unwrap(), value!(null));
}

#[test]
fn errors_say_where() {
    fn read<T: for<'de> Deserialize<'de>>(value: Value) -> String {
        value.deserialize_into::<T>().map(|_| ()).unwrap_err().to_string()
    }
    type Lines = BTreeMap<String, Vec<Line>>;
    for (error, expected) in [
        (
            read::<Lines>(value!({"a b": [{"sku": "x", "n": 1}, {"sku": 5, "n": 1}]})),
            "expected a string, found a whole number at `$['a b'][1].sku`",
        ),
        (read::<Lines>(value!({"_l": [{"sku": "x"}]})), "missing field `n` at `$._l[0]`"),
        (read::<Lines>(value!({"l": {}})), "expected a sequence, found an object at `$.l`"),
        (read::<Line>(value!(null)), "expected struct Line, found null"),
        (read::<Vec<u8>>(value!([1, 256])), "invalid value: integer `256`, expected u8 at `$[1]`"),
        (read::<Vec<u8>>(value!([1.5])), "expected u8, found a number with a fraction at `$[0]`"),
        (read::<(i64, i64)>(value!([1, 2, 3])), "invalid length 3, expected fewer elements in array"),
        (read::<(i64, i64)>(value!([1])), "invalid length 1, expected a tuple of size 2"),
        (read::<BTreeMap<u8, i64>>(value!({"1x": 1})), "expected u8, found a string at `$['1x']`"),
        (
            read::<Vec<Status>>(value!(["Open", "Lost"])),
            "unknown variant `Lost`, expected one of `Open`, `Paid`, `Split`, `Sent` at `$[1]`",
        ),
        (read::<Status>(value!({"Paid": "x"})), "expected i64, found a string at `$.Paid`"),
        (read::<Status>(value!({"Sent": {"by": 1}})), "expected a string, found a whole number at `$.Sent.by`"),
        (read::<Status>(value!({"Split": [1, 2]})), "expected a string, found a whole number at `$.Split[1]`"),
        (read::<Status>(value!("Paid")), "expected a variant with content, found a string"),
        (read::<Status>(value!({"Open": 1})), "expected unit, found a whole number at `$.Open`"),
        (read::<Status>(value!({})), "expected an object with exactly one member, the name of a variant"),
        (
            read::<Status>(value!(1)),
            "expected the name of a variant or an object with one member, found a whole number",
        ),
    ] {
        assert_eq!(error, expected);
    }
}

#[test]
fn data_that_json_cannot_say_is_refused() {
    fn refused(data: impl Serialize) -> String {
        Value::serialize_from(&data).unwrap_err().to_string()
    }
    let key = "the key of a member must be a string, not";
    assert_eq!(refused(BTreeMap::from([([1], 1)])), format!("{key} an array"));
    assert_eq!(refused(vec![BTreeMap::from([(None::<u8>, 1)])]), format!("{key} null at `$[0]`"));
    assert_eq!(refused(BTreeMap::from([(Status::Paid(1), 1)])), format!("{key} an object"));
    assert_eq!(
        refused(
            BTreeMap::from([("a", Status::Split(1, String::new())), ("b", Status::Open)])
                .into_iter()
                .map(|(key, status)| BTreeMap::from([(key, BTreeMap::from([(status, u64::MAX)]))]))
                .collect::<Vec<_>>()
        ),
        format!("{key} an object at `$[0].a`")
    );
    let keys = Value::serialize_from(&BTreeMap::from([(Status::Open, 1)])).unwrap();
    assert_eq!(keys, value!({"Open": 1}));
    assert_eq!(
        Value::serialize_from(&BTreeMap::from([(true, 'x')])).unwrap().deserialize_into(),
        Ok::<_, ValueError>(BTreeMap::from([(true, 'x')]))
    );
}

/// The form of every number if a crate of the program turns on a feature of `serde_json`.
#[test]
fn numbers_that_come_as_digits_are_numbers() {
    for (digits, expected) in [
        ("1", Ok(Value::Int(1))),
        ("-2.50", Ok(Value::Float(-2.5))),
        ("9223372036854775808", Ok(Value::Float(9_223_372_036_854_775_808.0))),
        ("1e999", Err("number out of range")),
        ("infinity", Err("number out of range")),
    ] {
        let data = BTreeMap::from([("$serde_json::private::Number", digits)]);
        let text = format!("[{}]", serde_json::to_string(&data).unwrap());
        let read = Value::from_json(&text).map(|list| list.get(0).cloned().unwrap());
        let made = Value::serialize_from(&data);
        match expected {
            Ok(value) => assert_eq!((read, made), (Ok(value.clone()), Ok(value))),
            Err(message) => {
                assert!(read.unwrap_err().message().starts_with(message));
                assert_eq!(made.unwrap_err().message(), message);
            }
        }
    }
}
