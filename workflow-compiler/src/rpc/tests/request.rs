//! Tests of arguments against request types.

use super::{call, find, folder};
use crate::literal::Literal;
use crate::shapes::Shape;
use protox::prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::Value;

const EVERYTHING: &str = r#"
syntax = "proto2";
package t;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

message All {
  optional int32 i32 = 1;
  optional int64 i64 = 2;
  optional uint32 u32 = 3;
  optional fixed64 u64 = 4;
  optional float f32 = 5;
  optional double f64 = 6;
  optional bool flag = 7;
  optional string text = 8;
  optional bytes data = 9;
  optional Color color = 10;
  optional All inner_message = 11;
  repeated sint32 list = 12;
  map<string, All> by_name = 13;
  map<int32, bool> by_number = 14;
  map<bool, string> by_flag = 15;
  optional google.protobuf.Timestamp time = 16;
  optional google.protobuf.Duration duration = 17;
  optional google.protobuf.FieldMask mask = 18;
  optional google.protobuf.Struct struct = 19;
  optional google.protobuf.ListValue values = 20;
  optional google.protobuf.Value value = 21;
  optional google.protobuf.Empty empty = 22;
  optional google.protobuf.Int64Value wrapped = 23;
  optional google.protobuf.StringValue name = 24;
  oneof choice { string left = 25; string right = 26; }
  map<string, google.protobuf.Value> any_values = 27;
  optional google.protobuf.NullValue nothing = 28;
}
enum Color { RED = 1; GREEN = 2; }
message Needs { required string first_name = 1; optional Needs other = 2; }
service S {
  rpc M(All) returns (All);
  rpc N(Needs) returns (All);
  rpc E(google.protobuf.Empty) returns (google.protobuf.Empty);
  rpc F(google.protobuf.Struct) returns (google.protobuf.Empty);
  rpc A(google.protobuf.Any) returns (google.protobuf.Empty);
  rpc T(google.protobuf.StringValue) returns (google.protobuf.Empty);
}
"#;

fn method(name: &str) -> super::Found {
    find(&folder(&[("t.proto", EVERYTHING)]), &[&format!("t.proto#t.S/{name}")])
}

/// Values, with the expected result of the check.
const VALUES: &[(&str, &str, bool)] = &[
    ("i32", "1", true),
    ("i32", "-2147483648", true),
    ("i32", "2147483648", false),
    ("i32", "1.0", true),
    ("i32", "1.5", false),
    ("i32", "\"12\"", true),
    ("i32", "\"twelve\"", false),
    ("i32", "\"99999999999\"", false),
    ("i32", "true", false),
    ("i32", "[1]", false),
    ("i32", "null", true),
    ("i64", "9223372036854775807", true),
    ("i64", "\"9223372036854775807\"", true),
    ("i64", "\"9223372036854775808\"", false),
    ("i64", "1e30", false),
    ("u32", "-1", false),
    ("u32", "4294967295", true),
    ("u64", "\"18446744073709551615\"", true),
    ("u64", "-1", false),
    ("f32", "1.5", true),
    ("f32", "1e300", false),
    ("f32", "\"NaN\"", true),
    ("f64", "1e300", true),
    ("f64", "\"-Infinity\"", true),
    ("f64", "\"many\"", false),
    ("f64", "{}", false),
    ("flag", "true", true),
    ("flag", "\"true\"", false),
    ("flag", "1", false),
    ("text", "\"a\"", true),
    ("text", "1", false),
    ("data", "\"aGVsbG8=\"", true),
    ("data", "\"aGVsbG8\"", true),
    ("data", "\"-_8\"", true),
    ("data", "\"a\"", false),
    ("data", "\"a b c\"", false),
    ("data", "\"aGVsbG8==\"", false),
    ("data", "[1, 2]", false),
    ("color", "\"RED\"", true),
    ("color", "2", true),
    ("color", "\"BLUE\"", false),
    ("color", "true", false),
    ("innerMessage", "{\"innerMessage\": {\"i32\": 1}}", true),
    ("inner_message", "{\"inner_message\": {\"i32\": \"x\"}}", false),
    ("inner_message", "{\"i33\": 1}", false),
    ("inner_message", "[]", false),
    ("list", "[1, \"2\", -3]", true),
    ("list", "[1, null]", false),
    ("list", "[1, \"b\"]", false),
    ("list", "1", false),
    ("list", "null", true),
    ("byName", "{\"a\": {\"flag\": true}, \"b\": {}}", true),
    ("byName", "{\"a\": {\"flag\": 1}}", false),
    ("byName", "{\"a\": null}", false),
    ("byName", "[]", false),
    ("byNumber", "{\"1\": true, \"-7\": false}", true),
    ("byNumber", "{\"one\": true}", false),
    ("byFlag", "{\"true\": \"a\"}", true),
    ("byFlag", "{\"yes\": \"a\"}", false),
    ("time", "\"2026-01-31T12:00:00Z\"", true),
    ("time", "\"2026-01-31T12:00:00.123+01:00\"", true),
    ("time", "\"2026-01-31\"", false),
    ("time", "\"2026-01-31T12:00:00\"", false),
    ("time", "\"2026-13-31T12:00:00Z\"", false),
    ("time", "1738324800", false),
    ("duration", "\"1.5s\"", true),
    ("duration", "\"-3s\"", true),
    ("duration", "\"PT1S\"", false),
    ("duration", "\"999999999999s\"", false),
    ("duration", "1", false),
    ("mask", "\"a.b,c\"", true),
    ("mask", "[\"a\"]", false),
    ("struct", "{\"a\": [1, null]}", true),
    ("struct", "[]", false),
    ("values", "[1, \"a\", null]", true),
    ("values", "{}", false),
    ("value", "{\"a\": 1}", true),
    ("value", "1", true),
    ("empty", "{}", true),
    ("empty", "{\"a\": 1}", false),
    ("empty", "true", false),
    ("wrapped", "\"5\"", true),
    ("wrapped", "5", true),
    ("wrapped", "{\"value\": 5}", false),
    ("name", "\"a\"", true),
    ("name", "1", false),
    ("anyValues", "{\"a\": null, \"b\": 1}", true),
    ("nothing", "\"NULL_VALUE\"", true),
    ("i33", "1", false),
];

/// The check accepts exactly the values that the request library accepts.
#[test]
fn constants_are_checked_as_they_are_sent() {
    let found = method("M");
    let request: &MessageDescriptor = &found.method().request;
    for (field, value, fits) in VALUES {
        let arguments = format!("{{\"{field}\": {value}}}");
        let reported = call(found.method(), &arguments);
        assert_eq!(reported.is_empty(), *fits, "{arguments}: {reported:?}");
        let json: Value = serde_json::from_str(&arguments).unwrap();
        let sent = DynamicMessage::deserialize(request.clone(), json);
        assert_eq!(sent.is_ok(), *fits, "{arguments}: {sent:?}");
    }
}

/// Values of which only the shape is known are refused if no value of the shape can be sent.
#[test]
fn shapes_are_checked_as_values_are_sent() {
    let found = method("M");
    let wanted = &found.method().shapes.input;
    let mut refused = Vec::new();
    for (field, value, fits) in VALUES {
        let value: Value = serde_json::from_str(value).unwrap();
        let misfits = Shape::record([(*field, Shape::from(&literal(&value)))]).misfits(wanted);
        assert!(!fits || misfits.is_empty(), "{field}: {value}: {misfits:?}");
        if !misfits.is_empty() {
            refused.push(*field);
        }
    }
    refused.dedup();
    let expected = "i32 f64 flag text data color inner_message list byName time duration mask struct values empty wrapped name i33";
    assert_eq!(refused.join(" "), expected);
    let found = method("N");
    let wanted = &found.method().shapes.input;
    assert_eq!(Shape::record([("other", Shape::any())]).misfits(wanted).len(), 0, "it has two names");
    assert!(Shape::null().misfits(wanted).is_empty());
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Bool(*value),
        Value::Number(number) => number.as_i64().map_or(Literal::Float(1.5), Literal::Int),
        Value::String(text) => Literal::String(text.clone()),
        Value::Array(items) => Literal::Array(items.iter().map(literal).collect()),
        Value::Object(members) => {
            Literal::Object(members.iter().map(|(name, member)| (name.clone(), literal(member))).collect())
        }
    }
}

#[test]
fn what_does_not_fit_is_reported() {
    let found = method("M");
    for (arguments, expected) in [
        (r#"{"i32": "x"}"#, "\"x\": `i32` must be a 32-bit integer, found a string | write a 32-bit integer"),
        (
            r#"{"u32": -1}"#,
            "-1: `u32` must be an unsigned 32-bit integer, found another number | write an unsigned 32-bit integer",
        ),
        (r#"{"text": 5}"#, "5: `text` must be a string, found a number | put it in double quotes"),
        (
            r#"{"color": "GREN"}"#,
            "\"GREN\": `color` must be a value of `t.Color`, found another string | did you mean `GREEN`?",
        ),
        (
            r#"{"color": "BLUE"}"#,
            "\"BLUE\": `color` must be a value of `t.Color`, found another string | its values are `RED` and `GREEN`",
        ),
        (r#"{"txt": "a"}"#, "\"txt\": `t.All` has no field `txt` | did you mean `text`?"),
        (
            r#"{"inner_mesage": {}}"#,
            "\"inner_mesage\": `t.All` has no field `inner_mesage` | did you mean `inner_message`?",
        ),
        (r#"{"innerMessage": {"lst": []}}"#, "\"lst\": `t.All` has no field `lst` | did you mean `list`?"),
        (
            r#"{"innerMessage": {}, "inner_message": {}}"#,
            "\"inner_message\": duplicate field `inner_message` | remove one of them: both names refer to the field",
        ),
        (
            r#"{"left": "a", "right": "b"}"#,
            "\"right\": `right` and `left` cannot be used together: both are members of the oneof `choice` | keep one of them",
        ),
        (r#"{"list": 1}"#, "1: `list` must be an array, found a number | put it in brackets: `[ … ]`"),
        (
            r#"{"byNumber": {"a": true}}"#,
            "\"a\": keys of `byNumber` must be a 32-bit integer, found `a` | write a 32-bit integer in quotes",
        ),
        (
            r#"{"time": "today"}"#,
            "\"today\": `time` must be a time such as `\"2026-01-31T12:00:00Z\"`, found another string | write a time such as `\"2026-01-31T12:00:00Z\"`",
        ),
    ] {
        assert_eq!(call(found.method(), arguments), [expected]);
    }
    // Unknown values are not checked.
    for arguments in [r#"{"i32": "?"}"#, r#"{"left": "?", "right": "b"}"#, r#"{"left": null, "right": "b"}"#, "{}"] {
        assert_eq!(call(found.method(), arguments), [] as [&str; 0], "{arguments}");
    }
}

#[test]
fn required_fields_must_be_given() {
    let found = method("N");
    for (arguments, expected) in [
        ("{}", &["{: missing field `firstName` in `Needs` | add `firstName`"][..]),
        (r#"{"first_name": null}"#, &["{: missing field `firstName` in `Needs` | add `firstName`"]),
        (r#"{"first_name": "?"}"#, &[]),
        (r#"{"firstName": "a", "other": {}}"#, &["{: missing field `firstName` in `Needs` | add `firstName`"]),
    ] {
        assert_eq!(call(found.method(), arguments), expected, "{arguments}");
    }
    assert_eq!(call(method("E").method(), "{}"), [] as [&str; 0]);
    let reported = call(method("E").method(), r#"{"a": 1}"#);
    assert_eq!(reported, ["\"a\": `google.protobuf.Empty` has no field `a` | remove it: the message has no fields"]);
}

#[test]
fn requests_with_a_form_of_their_own() {
    assert_eq!(call(method("F").method(), r#"{"anything": [1]}"#), [] as [&str; 0]);
    assert_eq!(call(method("A").method(), r#"{"@type": "type.googleapis.com/t.All", "i32": 1}"#), [] as [&str; 0]);
    let reported = call(method("A").method(), r#"{"i32": 1}"#);
    assert!(
        reported.len() == 1 && reported[0].starts_with("{: missing `@type` in a `google.protobuf.Any` request |"),
        "{reported:?}"
    );
    let reported = call(method("T").method(), r#"{"value": "a"}"#);
    let expected = "{: the request is a `google.protobuf.StringValue`, which cannot be built from arguments |";
    assert!(reported.len() == 1 && reported[0].starts_with(expected), "{reported:?}");
}
