//! The intrinsic functions.

use super::super::*;
use super::{parts, value};
use crate::fault::Fault;
use crate::value::{Value, array, object};

/// A function of two arguments.
type Two = fn(&Value, &Value, &'static str) -> Result<Value, Fault>;

fn check_two(function: Two, cases: &[(&str, &str, Option<&str>)]) {
    for (first, second, expected) in cases {
        let found = function(&value(first), &value(second), "States.X(…)").ok();
        assert_eq!(found, expected.map(value), "{first}, {second}");
    }
}

#[test]
fn math_add_rounds_each_number_first() {
    // The first seven are recorded.
    check_two(
        math_add,
        &[
            ("1.49", "1.5", Some("3")),
            ("1.5", "1.51", Some("4")),
            ("-1.49", "-1.5", Some("-2")),
            ("-1.5", "-1.51", Some("-3")),
            ("-0.5", "0.5", Some("1")),
            ("2.5", "0", Some("3")),
            ("-1.51", "0", Some("-2")),
            ("0.49999999999999994", "0", Some("0")),
            ("2147483646", "1", Some("2147483647")),
            ("2147483647", "0.49", Some("2147483647")),
            ("2147483647", "1", None),
            ("2147483647", "0.5", None),
            ("-2147483648", "0", Some("-2147483648")),
            ("-3000000000", "1000000000", None),
            ("9223372036854775807", "1", None),
            ("1e300", "1", None),
            ("'1'".replace('\'', "\"").leak(), "1", None),
            ("null", "1", None),
        ],
    );
}

#[test]
fn string_split_takes_each_character_for_a_separator() {
    // All but the last three are recorded.
    check_two(
        string_split,
        &[
            (r#"" , ""#, r#"",""#, Some(r#"[" ", " "]"#)),
            (r#"", , ,""#, r#"",""#, Some(r#"[" ", " "]"#)),
            (r#"",,,,""#, r#"",""#, Some("[]")),
            (r#""This.is+a,test=string""#, r#"".+,=""#, Some(r#"["This", "is", "a", "test", "string"]"#)),
            (r#""abc""#, r#""""#, Some(r#"["abc"]"#)),
            (r#""""#, r#"",""#, Some("[]")),
            ("1", r#"",""#, None),
        ],
    );
}

#[test]
fn array_partition() {
    check_two(
        super::super::array_partition,
        &[
            ("[]", "5", Some("[]")),
            ("[0]", "5", Some("[[0]]")),
            ("[0,1,2]", "1", Some("[[0],[1],[2]]")),
            ("[0,1,2]", "2", Some("[[0,1],[2]]")),
            ("[0,1,2]", "2.6", Some("[[0,1],[2]]")),
            ("[0,1,2]", "9223372036854775807", Some("[[0,1,2]]")),
            ("[0]", "0", None),
            ("[0]", "0.6", None),
            ("[0]", "-1", None),
            ("5", "1", None),
        ],
    );
}

#[test]
fn array_contains_compares_by_value() {
    check_two(
        super::super::array_contains,
        &[
            ("[]", "[]", Some("false")),
            ("[[1,2,3],2]", "[1,2,3]", Some("true")),
            (r#"[{"1":2,"2":[]}]"#, r#"{"2":[],"1":2}"#, Some("true")),
            ("[1]", "1.0", Some("true")),
            ("[true]", "1", Some("false")),
            ("{}", "1", None),
        ],
    );
}

#[test]
fn array_get_item() {
    check_two(
        super::super::array_get_item,
        &[
            ("[1,2,3]", "2", Some("3")),
            ("[1,2,3]", "1.2", Some("2")),
            ("[]", "5", Some("null")),
            ("[1]", "1", None),
            ("[1]", "-1", None),
            ("[1]", r#""0""#, None),
        ],
    );
}

#[test]
fn array_range() {
    let range = |first: &str, last: &str, step: &str| {
        super::super::array_range(&value(first), &value(last), &value(step), "States.ArrayRange(…)").ok()
    };
    let cases = [
        ("0", "10", "3", Some("[0,3,6,9]")),
        ("0", "9", "3", Some("[0,3,6,9]")),
        ("9", "-1", "-2", Some("[9,7,5,3,1,-1]")),
        ("1", "9", "-2", Some("[]")),
        ("5", "1", "1", Some("[]")),
        ("3", "3", "-1", Some("[3]")),
        ("1.4", "5.6", "2.2", Some("[1,3,5]")),
        ("1", "1001", "1", None),
        ("-9223372036854775808", "9223372036854775807", "1", None),
        ("0", "1", "0", None),
        ("0", "1", "0.5", None),
    ];
    for (first, last, step, expected) in cases {
        assert_eq!(range(first, last, step), expected.map(value), "{first}, {last}, {step}");
    }
    assert_eq!(
        range("-9223372036854775808", "9223372036854775807", "9223372036854775807"),
        Some(value("[-9223372036854775808,-1,9223372036854775806]"))
    );
    let longest = range("1000", "1", "-1").and_then(|range| Some(range.as_array()?.len()));
    assert_eq!(longest, Some(1000));
}

#[test]
fn array_unique_keeps_the_first_of_equals() {
    let items = value(
        r#"[1, 1.0, "1", 1, [1], [1.0], {"a": 1}, {"a": 1}, null, null, -0.0, 0,
        {"a": [1, {"b": 2, "c": 3}]}, {"a": [1.0, {"c": 3.0, "b": 2}]}]"#,
    );
    let expected = value(r#"[1, "1", [1], {"a": 1}, null, 0, {"a": [1, {"b": 2, "c": 3}]}]"#);
    assert_eq!(array_unique(&items, "States.ArrayUnique($)").ok(), Some(expected));
    let many: Value = (0..50_000_i64).map(|number| Value::Int(number % 1_000)).collect();
    let unique = array_unique(&many, "States.ArrayUnique($)").expect("an array");
    assert_eq!(unique.as_array().map(|items| items.len()), Some(1_000));
}

/// The time must not grow with the square of a task's output.
#[test]
fn many_alike_values_and_long_texts_take_no_time() {
    let started = std::time::Instant::now();
    let rows = |number: i64| object([("kind", "row".into()), ("at", array([number.into()]))]);
    let many: Value = (0..100_000).map(rows).collect();
    assert_eq!(array_unique(&many, "States.ArrayUnique($)").ok(), Some(many));
    let (text, separators) = ("x".repeat(1_000_000), "y".repeat(1_000_000));
    let split = string_split(&text.as_str().into(), &separators.into(), "States.StringSplit($.a, $.b)");
    assert_eq!(split.ok(), Some(array([text.into()])));
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn encodings() {
    let encode = |text: &str| base64_encode(&Value::from(text), "x").ok();
    let decode = |text: &str| base64_decode(&Value::from(text), "x").ok();
    for (plain, encoded) in [("", ""), ("Data to encode", "RGF0YSB0byBlbmNvZGU="), ("✓", "4pyT"), ("a", "YQ==")] {
        assert_eq!(encode(plain), Some(encoded.into()));
        assert_eq!(decode(encoded), Some(plain.into()));
    }
    assert_eq!(decode(" YWJj\r\nZA== "), Some("abcd".into()));
    assert_eq!(decode("YQ"), Some("a".into()));
    for wrong in ["garbage", "!!!!", "/w==", "YQ=\u{e9}"] {
        assert_eq!(decode(wrong), None, "{wrong}");
    }
    assert!(encode(&"ä".repeat(10_000)).is_some() && encode(&"a".repeat(10_001)).is_none());
}

#[test]
fn hashes() {
    let hash = |data: &str, algorithm: &str| {
        super::super::hash(&value(data), &Value::from(algorithm), "x").ok().map(|hash| hash.to_string())
    };
    let cases = [
        (r#""input data""#, "MD5", "812f45842bc6d66ee14572ce20db8e86"),
        (r#""input data""#, "SHA-1", "aaff4a450a104cd177d28d18d74485e8cae074b7"),
        (r#""input data""#, "SHA-256", "b4a697a057313163aee33cd8d40c66e9f0f177e00cac2de32475ffff6169c3e3"),
        ("1", "SHA-1", "356a192b7913b04c54574d18c28d46e6395428ab"),
        (r#"{"foo": "bar"}"#, "SHA-1", "a5e744d0164540d33b1d7ea616c28f2fa97e754a"),
        ("[1, 2, 3]", "SHA-1", "9ef50cc82ae474279fb8e82896142702bccbb33a"),
    ];
    for (data, algorithm, expected) in cases {
        assert_eq!(hash(data, algorithm), Some(format!("\"{expected}\"")), "{data}");
    }
    // Recorded.
    let sha512 = hash(r#""input data""#, "SHA-512").unwrap_or_default();
    assert!(sha512.starts_with("\"6ce4adb348546d4f449c4d25aad9a7c9") && sha512.len() == 130);
    let sha384 = hash(r#""input data""#, "SHA-384").unwrap_or_default();
    assert!(sha384.starts_with("\"d28a7d5cf25a74f11a50a18452b75e04") && sha384.len() == 98);
    assert_eq!(hash("1", "sha-1"), None);
}

#[test]
fn json_text() {
    let read = |text: &str| string_to_json(&Value::from(text), "x").ok();
    for (text, expected) in
        [("", "null"), ("  ", "null"), ("-0", "0"), (" {\"a\":1} ", "{\"a\":1}"), ("\"x\"", "\"x\"")]
    {
        assert_eq!(read(text), Some(value(expected)), "{text}");
    }
    assert_eq!(read("-0").map(|zero| zero.to_string()), Some("0".to_owned()));
    assert_eq!(read("{bad}"), None);
    assert_eq!(read(&"[".repeat(100_000)), None);
    assert_eq!(json_to_string(&value(r#"[1, 2, "Hello"]"#), "x"), Ok(Value::from(r#"[1,2,"Hello"]"#)));
}

#[test]
fn json_merge_is_shallow_or_deep() {
    let (first, second) =
        (value(r#"{"a":{"a1":1,"a2":2},"b":2,"d":3}"#), value(r#"{"a":{"a3":1,"a2":4},"c":3,"d":4}"#));
    let merge = |deep: bool| super::super::json_merge(&first, &second, &deep.into(), "x").ok();
    // Recorded.
    assert_eq!(merge(false), Some(value(r#"{"a":{"a3":1,"a2":4},"b":2,"c":3,"d":4}"#)));
    assert_eq!(merge(true), Some(value(r#"{"a":{"a1":1,"a2":4,"a3":1},"b":2,"c":3,"d":4}"#)));
    assert!(json_merge(&value("[]"), &second, &false.into(), "x").is_err());
    let deep = (0..100_000).fold(value("{}"), |inner, _| object([("a", inner)]));
    let other = (0..100_000).fold(value("{}"), |inner, _| object([("a", inner)]));
    assert!(json_merge(&deep, &other, &true.into(), "x").is_err());
}

#[test]
fn format_shows_values_as_java_does() {
    let show = |json: &str| format(&["<", ">"], &[&value(json)]).to_string();
    // The first five are recorded.
    for (json, expected) in [
        (r#""HelloWorld""#, "HelloWorld"),
        ("1", "1"),
        ("1.1", "1.1"),
        ("null", "null"),
        (r#"{"Arg1":1,"Arg2":[]}"#, "{Arg1=1, Arg2=[]}"),
        (r#"[1,"a",{"b":[true,null]},{}]"#, "[1, a, {b=[true, null]}, {}]"),
    ] {
        assert_eq!(show(json), format!("\"<{expected}>\""));
    }
    let deep = (0..200_000).fold(Value::Null, |inner, _| array([inner]));
    assert_eq!(format(&["", ""], &[&deep]).as_str().map(str::len), Some(400_004));
}

#[test]
fn templates_from_data_are_checked() {
    let show = |template: &str| format_template(&Value::from(template), &[&Value::from("a")], "x").ok();
    assert_eq!(show(r"\{{}\} \'\\"), Some(Value::from(r"{a} '\")));
    for wrong in ["{} {}", "none", "{", "}", "{{}}", r"{} \n", r"{} \"] {
        assert_eq!(show(wrong), None, "{wrong}");
    }
}

#[test]
fn seeded_random_numbers_are_those_of_java() {
    let random = |start: i64, end: i64, seed: i64| {
        math_random_seeded(&start.into(), &end.into(), &seed.into(), "x").ok().and_then(|number| number.as_i64())
    };
    // `new java.util.Random(seed).nextInt(end - start) + start`
    assert_eq!(random(0, 10, 42), Some(0));
    assert_eq!(random(0, 100, 42), Some(30));
    assert_eq!(random(0, 1000, 0), Some(360));
    assert_eq!(random(0, 16, 42), Some(11));
    for (start, end) in [(0, 999), (-5, 5), (i64::MIN, i64::MAX), (2_147_483_640, 2_147_483_647)] {
        for seed in 0..200 {
            let number = random(start, end, seed).expect("a number");
            assert!((start..end).contains(&number), "{number}");
            assert_eq!(random(start, end, seed), Some(number));
        }
    }
    assert_eq!(random(1, 1, 0), None);
    assert_eq!(random(10, 5, 0), None);
}

#[test]
fn faults_name_the_function() {
    let cause = |result: Result<Value, Fault>| {
        let (error, cause) = parts(result);
        assert_eq!(error, "States.Runtime");
        cause.strip_prefix("There was an error while evaluating the intrinsic function: ").map(str::to_owned)
    };
    let length = array_length(&Value::Int(1), "States.ArrayLength($.n)");
    let expected = "States.ArrayLength($.n). Invalid arguments in States.ArrayLength";
    assert_eq!(cause(length).as_deref(), Some(expected));
    let parsed = cause(string_to_json(&"{bad}".into(), "States.StringToJson($.t)")).unwrap_or_default();
    let expected = "States.StringToJson($.t). Cannot convert String to Json in States.StringToJson, caused by: ";
    assert!(parsed.starts_with(expected), "{parsed}");
    let wrong = cause(wrong_arguments("States.MathAdd(1)"));
    assert_eq!(wrong.as_deref(), Some("States.MathAdd(1). Invalid arguments in States.MathAdd"));
    let wrong = cause(wrong_arguments("States.JsonToString()"));
    let expected =
        "States.JsonToString(). Invalid arguments in States.JsonToString: only a single argument is allowed.";
    assert_eq!(wrong.as_deref(), Some(expected));
    for (template, told) in [
        ("a {{}}", "Invalid template in States.Format: matching '}' not found for '{'."),
        ("}", "Invalid template in States.Format: matching '{' not found for '}'."),
        ("{} {}", "Invalid arguments in States.Format"),
        ("none", "Invalid arguments in States.Format"),
    ] {
        let found = cause(format_template(&template.into(), &[&Value::Null], "States.Format($.t, $.a)"));
        assert_eq!(found, Some(format!("States.Format($.t, $.a). {told}")), "{template}");
    }
}
