//! The operands of the compared operations.

use workflow_runtime::__private::js::{self, Js, Session};
use workflow_runtime::Timestamp;

use crate::Maker;

/// Calls a built-in that must not fail.
fn made(call: fn(&js::Run, &[Js]) -> js::Result, arguments: &[Js]) -> Js {
    call(&Session::new(Timestamp::from_seconds(0), 0), arguments).expect("the constructor returns")
}

pub const ABSENT: &[Maker] =
    &[Maker::new("undefined", || Js::Undefined), Maker::json("null"), Maker::json("true"), Maker::json("false")];

pub const NUMBERS: &[Maker] = &[
    Maker::json("0"),
    Maker::new("-0", || Js::Number(-0.0)),
    Maker::json("1"),
    Maker::json("-1"),
    Maker::json("2"),
    Maker::json("3"),
    Maker::json("0.5"),
    Maker::json("-1.5"),
    Maker::json("0.1"),
    Maker::json("255"),
    Maker::json("1e21"),
    Maker::json("1.5e-7"),
    Maker::json("123456789012345680000"),
    Maker::json("2147483648"),
    Maker::json("4294967296"),
    Maker::json("-4294967297"),
    Maker::json("9007199254740991"),
    Maker::json("1152921504606846976"),
    Maker::json("5e-324"),
    Maker::json("1.7976931348623157e308"),
    Maker::new("NaN", || Js::Number(f64::NAN)),
    Maker::new("Infinity", || Js::Number(f64::INFINITY)),
    Maker::new("-Infinity", || Js::Number(f64::NEG_INFINITY)),
];

pub const TEXTS: &[Maker] = &[
    Maker::json(r#""""#),
    Maker::json(r#"" ""#),
    Maker::json(r#""0""#),
    Maker::json(r#""-0""#),
    Maker::json(r#""1""#),
    Maker::json(r#""01""#),
    Maker::json(r#"" 12 \n""#),
    Maker::json(r#""1.5e3""#),
    Maker::json(r#""0x1F""#),
    Maker::json(r#""0b101""#),
    Maker::json(r#""1_0""#),
    Maker::json(r#""Infinity""#),
    Maker::json(r#""infinity""#),
    Maker::json(r#""nan""#),
    Maker::json(r#"".5""#),
    Maker::json(r#""5.""#),
    Maker::json(r#"".""#),
    Maker::json(r#""a""#),
    Maker::json(r#""b""#),
    Maker::json(r#""B""#),
    Maker::json(r#""length""#),
    Maker::json(r#""true""#),
    Maker::json(r#""null""#),
    Maker::json(r#""abcabc""#),
    Maker::json(r#""äöü ß""#),
    Maker::json(r#""😀x😀""#),
    Maker::json(r#""\ufffd\uff5e""#),
    Maker::json(r#""\ufeff\u00a0 x\u2028""#),
];

pub const OBJECTS: &[Maker] = &[
    Maker::json("[]"),
    Maker::json("[1]"),
    Maker::json("[0]"),
    Maker::json(r#"["a","b"]"#),
    Maker::json("[1,[2,[3,[4]]],null]"),
    Maker::json("({})"),
    Maker::json(r#"({"a":1,"b":{"c":2}})"#),
    Maker::json(r#"({"b":1,"2":2,"a":3,"1":4,"01":5})"#),
    Maker::json(r#"({"length":2,"0":"x","1":"y"})"#),
    Maker::new("new Date(0)", || made(js::builtin::date, &[Js::Number(0.0)])),
    Maker::new("new Date(NaN)", || made(js::builtin::date, &[Js::Number(f64::NAN)])),
    Maker::new("new Error('m')", || made(js::builtin::error, &[Js::from("m")])),
    Maker::new("new TypeError()", || made(js::builtin::type_error, &[])),
    Maker::new("({valueOf: () => 7})", || {
        js::object([("valueOf", js::function("valueOf", 0, |_, _, _| Ok(Js::Number(7.0))))])
    }),
    Maker::new("({toString: () => 's', valueOf: 1})", || {
        js::object([
            ("toString", js::function("toString", 0, |_, _, _| Ok(Js::from("s")))),
            ("valueOf", Js::Number(1.0)),
        ])
    }),
    Maker::new("({toString: () => ({}), valueOf: () => []})", || {
        js::object([
            ("toString", js::function("toString", 0, |_, _, _| Ok(js::object([])))),
            ("valueOf", js::function("valueOf", 0, |_, _, _| Ok(js::array([])))),
        ])
    }),
    Maker::new("({valueOf() { throw new RangeError('v') }})", || {
        js::object([("valueOf", js::function("valueOf", 0, |_, _, _| Err(js::range_error("v"))))])
    }),
];

pub const FUNCTIONS: &[Maker] = &[
    Maker::new("x => x", || js::function("", 1, |_, _, a| Ok(a.first().cloned().unwrap_or_default()))),
    Maker::new("(x, y) => x - y", || {
        js::function("", 2, |_, _, a| Ok(Js::Number(js::number(&arg(a, 0))? - js::number(&arg(a, 1))?)))
    }),
    Maker::new("(x, i) => i % 2 === 0", || {
        js::function("", 2, |_, _, a| Ok(Js::Bool(js::number(&arg(a, 1))? % 2.0 == 0.0)))
    }),
    Maker::new("(...all) => [all.length, all[0]]", || {
        js::function("", 0, |_, _, a| Ok(js::array([Js::Number(a.len() as f64), arg(a, 0)])))
    }),
    Maker::new("() => { throw 'up' }", || js::function("", 0, |_, _, _| Err(js::Throw::Value(Js::from("up"))))),
];

fn arg(arguments: &[Js], at: usize) -> Js {
    arguments.get(at).cloned().unwrap_or_default()
}

/// Returns all values.
pub fn all() -> Vec<Maker> {
    [ABSENT, NUMBERS, TEXTS, OBJECTS].concat()
}

/// A value of each kind, for operations with several arguments.
pub const FEW: &[Maker] = &[
    Maker::new("undefined", || Js::Undefined),
    Maker::json("null"),
    Maker::json("true"),
    Maker::json("0"),
    Maker::new("-0", || Js::Number(-0.0)),
    Maker::json("1"),
    Maker::json("-2"),
    Maker::json("1.9"),
    Maker::json("10"),
    Maker::json("1e21"),
    Maker::new("NaN", || Js::Number(f64::NAN)),
    Maker::new("-Infinity", || Js::Number(f64::NEG_INFINITY)),
    Maker::json(r#""""#),
    Maker::json(r#""a""#),
    Maker::json(r#""2""#),
    Maker::json(r#""$&-$$-$`-$'-$1""#),
    Maker::json(r#""😀""#),
    Maker::json("[]"),
    Maker::json("[1]"),
    Maker::json(r#"({"a":1})"#),
];
