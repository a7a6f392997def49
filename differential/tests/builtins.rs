//! Tests of every built-in function over products of arguments.

use workflow_differential::values::{ABSENT, FEW, FUNCTIONS, NUMBERS, OBJECTS, TEXTS, all};
use workflow_differential::{Maker, Operation, compare, product};
use workflow_runtime::__private::js::builtin as b;
use workflow_runtime::__private::js::{self, Js, Run};

type Call = fn(&Run, &[Js]) -> js::Result;

const FUNCTIONS_OF_ANYTHING: &[(&str, Call)] = &[
    ("Array", b::array),
    ("Array.from", b::array_from),
    ("Array.isArray", b::array_is_array),
    ("Array.of", b::array_of),
    ("Boolean", b::boolean),
    ("Date.UTC", b::date_utc),
    ("Date.parse", b::date_parse),
    ("Error", b::error),
    ("EvalError", b::eval_error),
    ("JSON.parse", b::json_parse),
    ("JSON.stringify", b::json_stringify),
    ("Number", b::number),
    ("Number.isFinite", b::number_is_finite),
    ("Number.isInteger", b::number_is_integer),
    ("Number.isNaN", b::number_is_nan),
    ("Number.isSafeInteger", b::number_is_safe_integer),
    ("Number.parseFloat", b::number_parse_float),
    ("Number.parseInt", b::number_parse_int),
    ("Object.assign", b::object_assign),
    ("Object.entries", b::object_entries),
    ("Object.freeze", b::object_freeze),
    ("Object.fromEntries", b::object_from_entries),
    ("Object.hasOwn", b::object_has_own),
    ("Object.is", b::object_is),
    ("Object.keys", b::object_keys),
    ("Object.values", b::object_values),
    ("RangeError", b::range_error),
    ("ReferenceError", b::reference_error),
    ("String", b::string),
    ("String.fromCharCode", b::string_from_char_code),
    ("String.fromCodePoint", b::string_from_code_point),
    ("SyntaxError", b::syntax_error),
    ("TypeError", b::type_error),
    ("URIError", b::uri_error),
    ("atob", b::atob),
    ("btoa", b::btoa),
    ("decodeURI", b::decode_uri),
    ("decodeURIComponent", b::decode_uri_component),
    ("encodeURI", b::encode_uri),
    ("encodeURIComponent", b::encode_uri_component),
    ("isFinite", b::is_finite),
    ("isNaN", b::is_nan),
    ("new Date", b::date),
    ("parseFloat", b::parse_float),
    ("parseInt", b::parse_int),
];

const MATH: &[(&str, Call)] = &[
    ("abs", b::math_abs),
    ("atan2", b::math_atan2),
    ("cbrt", b::math_cbrt),
    ("ceil", b::math_ceil),
    ("clz32", b::math_clz32),
    ("floor", b::math_floor),
    ("fround", b::math_fround),
    ("hypot", b::math_hypot),
    ("imul", b::math_imul),
    ("max", b::math_max),
    ("min", b::math_min),
    ("pow", b::math_pow),
    ("round", b::math_round),
    ("sign", b::math_sign),
    ("sqrt", b::math_sqrt),
    ("trunc", b::math_trunc),
];

/// Functions whose last digits depend on the library. Ten digits are compared.
const ROUNDED: &[(&str, Call)] = &[
    ("acos", b::math_acos),
    ("acosh", b::math_acosh),
    ("asin", b::math_asin),
    ("asinh", b::math_asinh),
    ("atan", b::math_atan),
    ("atanh", b::math_atanh),
    ("cos", b::math_cos),
    ("cosh", b::math_cosh),
    ("exp", b::math_exp),
    ("expm1", b::math_expm1),
    ("log", b::math_log),
    ("log10", b::math_log10),
    ("log1p", b::math_log1p),
    ("log2", b::math_log2),
    ("sin", b::math_sin),
    ("sinh", b::math_sinh),
    ("tan", b::math_tan),
    ("tanh", b::math_tanh),
];

fn operation(name: &str, call: Call, arguments: usize) -> Operation {
    let list: Vec<String> = (0..arguments).map(|at| format!("a[{at}]")).collect();
    Operation::new(format!("{name}({})", list.join(", ")), call)
}

/// Returns the values that do not make QuickJS allocate large arrays of holes.
fn without_lengths(values: &[Maker]) -> Vec<Maker> {
    values.iter().copied().filter(|maker| !matches!(maker.source, "2147483648")).collect()
}

#[test]
fn functions_agree() {
    let plain = without_lengths(&[all(), EXTRA.to_vec()].concat());
    let mut operations = Vec::new();
    for (name, call) in FUNCTIONS_OF_ANYTHING {
        // The source text of a function is not available in the runtime. The last argument but one
        // makes a list for each of its lists, without end.
        let functions = match *name {
            "JSON.parse" | "JSON.stringify" => &FUNCTIONS[..3],
            name if name.starts_with("Object") || name.starts_with("Array") => FUNCTIONS,
            _ => &[],
        };
        let values = [plain.as_slice(), functions].concat();
        let few = [FEW, functions, &OBJECTS[4..9]].concat();
        if !matches!(*name, "new Date") {
            operations.push((operation(name, *call, 0), product(&[])));
        }
        operations.push((operation(name, *call, 1), product(&[&values])));
        operations.push((operation(name, *call, 2), product(&[&values, &few])));
        operations.push((operation(name, *call, 3), product(&[&few, &few[..12], &few[..12]])));
    }
    compare(&operations).check("functions");
}

#[test]
fn math_agrees() {
    let values = [ABSENT, NUMBERS, TEXTS, OBJECTS, HALVES].concat();
    let mut operations = Vec::new();
    for (name, call) in MATH {
        let name = format!("Math.{name}");
        operations.push((operation(&name, *call, 0), product(&[])));
        operations.push((operation(&name, *call, 1), product(&[&values])));
        operations.push((operation(&name, *call, 2), product(&[NUMBERS, NUMBERS])));
        operations.push((operation(&name, *call, 3), product(&[FEW, FEW, &FEW[..6]])));
    }
    for (name, call) in ROUNDED {
        let call = *call;
        let rounded = Operation::new(format!("Math.{name}(a[0]).toPrecision(10)"), move |run, a| {
            js::call_method(run, &call(run, a)?, "toPrecision", "toPrecision", &[Js::Number(10.0)])
        });
        operations.push((rounded, product(&[&values])));
    }
    compare(&operations).check("Math");
}

const HALVES: &[Maker] = &[
    Maker::json("2.5"),
    Maker::json("-2.5"),
    Maker::json("-0.5"),
    Maker::json("0.49999999999999994"),
    Maker::json("-0.2"),
    Maker::json("4503599627370495.5"),
    Maker::json("1.005"),
];

#[test]
fn digits_agree() {
    let numbers =
        [NUMBERS, HALVES, &[Maker::json("123.456"), Maker::json("0.000001234"), Maker::json("999.995")]].concat();
    let counts: Vec<Maker> =
        ["0", "1", "2", "3", "7", "16", "20", "21", "36", "50", "100", "101"].into_iter().map(Maker::json).collect();
    let methods = ["toFixed", "toPrecision", "toExponential", "toString"];
    let operations: Vec<_> = methods
        .into_iter()
        .map(|method| {
            let call = move |run: &Run, a: &[Js]| js::call_method(run, &a[0], method, method, &a[1..]);
            (Operation::new(format!("a[0].{method}(a[1])"), call), product(&[&numbers, &counts]))
        })
        .collect();
    compare(&operations).check("digits");
}

/// Texts for the functions that parse.
const EXTRA: &[Maker] = &[
    Maker::json(
        r#""{\"b\": [1, 2.50, -0, 1e400, true], \"a\": {\"x\": null, \"x\": 2}, \"1\": \"\\u00e9\\ud83d\\ude00\"}""#,
    ),
    Maker::json(r#""[1, 2,]""#),
    Maker::json(r#""[01]""#),
    Maker::json(r#""{\"a\" 1}""#),
    Maker::json(r#""\"\\ud800\"""#),
    Maker::json(r#""\"\\x\"""#),
    Maker::json(r#""\"tab\there\"""#),
    Maker::json(r#""[[[[]]], {}] ""#),
    Maker::json(r#""12px""#),
    Maker::json(r#""-0x1f""#),
    Maker::json(r#""1e5x""#),
    Maker::json(r#""+.5e-2z""#),
    Maker::json(r#""123456789012345678901234567890""#),
    Maker::json(r#""2020-02-30""#),
    Maker::json(r#""2020-01-01""#),
    Maker::json(r#""2020-01""#),
    Maker::json(r#""2020""#),
    Maker::json(r#""2020-01-01T10:20""#),
    Maker::json(r#""2020-01-01T10:20:30.1234567Z""#),
    Maker::json(r#""2020-01-01T24:00:00Z""#),
    Maker::json(r#""2020-01-01T10:20:30+01:30""#),
    Maker::json(r#""+012020-01-01T00:00:00Z""#),
    Maker::json(r#""-000001-01-01T00:00:00Z""#),
    Maker::json(r#""2020-13-01""#),
    Maker::json(r#""Thu, 01 Jan 1970 00:00:10 GMT""#),
    Maker::json(r#""Thu Jan 01 1970 01:00:10 GMT+0100 (CET)""#),
    Maker::json(r#""Jan 5, 2021""#),
    Maker::json(r#""5 January 2021 10:20 PM""#),
    Maker::json(r#""1/2/2021""#),
    Maker::json(r#""yesterday""#),
    Maker::json(r#""aGVsbG8=""#),
    Maker::json(r#""aGVsbG8""#),
    Maker::json(r#""a=""#),
    Maker::json(r#""%41%c3%a9%20""#),
    Maker::json(r#""%E0%A4%A""#),
    Maker::json(r#""http://a/b?c=d&e=f g#h""#),
    Maker::json("2020"),
    Maker::json(r#"[["a",1],["b",2],["a",3]]"#),
    Maker::json("65536"),
    Maker::json("128512"),
    Maker::json("55357"),
];
