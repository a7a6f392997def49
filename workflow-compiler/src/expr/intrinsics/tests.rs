//! Tests of intrinsic functions and payload templates, down to the functions of the runtime.

use super::{parse, path_or_intrinsic, template};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::expr::jsonpath::tests::{TestRoots, text, value};
use crate::expr::tests::eval::{Env, eval};
use crate::expr::{Expr, Fallibility, Literal, Type};
use crate::source::{FileId, Span};
use crate::syntax::{Entry, Node, Tree};
use workflow_runtime::Value;

fn read(call: &str) -> Result<Expr, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::default();
    let expr = parse(&text(call), &TestRoots, &mut diagnostics);
    let found = diagnostics.finish();
    expr.ok_or(found)
}

/// The result of an expression: a value, or the message of its fault.
fn outcome(expr: &Expr, input: &str) -> Result<Value, String> {
    let env = Env { locals: vec![Some(value(input)), Some(Value::from(5))], context: value(r#"{"Name": "run"}"#) };
    match eval(expr, &env) {
        Ok(found) => Ok(found.value().expect("a value")),
        Err(fault) => Err(fault.to_string()),
    }
}

#[test]
fn calls_are_read_and_evaluated() {
    let cases = [
        ("States.Array()", "[]"),
        ("States.Array('a', 1, -1.5, true, false, null, $.n)", r#"["a", 1, -1.5, true, false, null, 3]"#),
        ("States.Array( $.n ,$$.Name,$x )", r#"[3, "run", 5]"#),
        (r"States.Array('it\'s', '\{\}', '\\')", r#"["it's", "{}", "\\"]"#),
        ("States.Array($.list[*], $.list[7:])", "[[3, 1, 3], []]"),
        ("States.Array($.list[?(@ == 3)], $['n'])", "[[3, 3], 3]"),
        ("States.ArrayContains($.list, 1)", "true"),
        ("States.ArrayGetItem(States.StringSplit('a-b-c', '-'), States.MathAdd(1, 1))", r#""c""#),
        ("States.ArrayLength($.list)", "3"),
        ("States.ArrayPartition($.list, 2)", "[[3, 1], [3]]"),
        ("States.ArrayRange(1, 9, 2)", "[1, 3, 5, 7, 9]"),
        ("States.ArrayUnique($.list)", "[3, 1]"),
        ("States.Base64Encode('Data to encode')", r#""RGF0YSB0byBlbmNvZGU=""#),
        ("States.Base64Decode('RGF0YSB0byBlbmNvZGU=')", r#""Data to encode""#),
        ("States.Format('{} of {}: {}', $.n, $x, $.object)", r#""3 of 5: {a=1, b=[x, null]}""#),
        (r"States.Format('\{{}\} \'{}\'\\', 'a', 'b')", r#""{a} 'b'\\""#),
        ("States.Format($.template, 'a')", r#""<a>""#),
        ("States.Format('s3://${bucket}/{}', $.n)", r#""s3://${bucket}/3""#),
        ("States.Format('plain')", r#""plain""#),
        ("States.Hash('input data', 'SHA-1')", r#""aaff4a450a104cd177d28d18d74485e8cae074b7""#),
        (
            "States.JsonMerge($.object, States.StringToJson('{\"a\":{\"c\":2}}'), false)",
            r#"{"a":{"c":2},"b":["x",null]}"#,
        ),
        ("States.JsonToString($.object)    ", r#""{\"a\":1,\"b\":[\"x\",null]}""#),
        ("States.MathAdd($.n, -1)", "2"),
        ("States.MathRandom(0, 10, 3)", "4"),
        ("States.StringSplit('Hello\nWorld', '\n')", r#"["Hello", "World"]"#),
        ("States.StringToJson('')", "null"),
    ];
    let input = r#"{"n": 3, "list": [3, 1, 3], "object": {"a": 1, "b": ["x", null]}, "template": "<{}>"}"#;
    for (call, expected) in cases {
        let expr = read(call).unwrap_or_else(|found| panic!("{call}: {found:?}"));
        assert_eq!(outcome(&expr, input), Ok(value(expected)), "{call}");
    }
}

#[test]
fn calls_of_constants_alone_are_constants_where_that_is_cheap() {
    assert_eq!(read("States.Array(1, 'a')"), Ok(Expr::Literal(Literal::Array(vec![Literal::Int(1), "a".into()]))));
    assert_eq!(read("States.Format('a')"), Ok(Expr::Literal("a".into())));
}

#[test]
fn clocks_and_chances_ask_the_turn() {
    for (call, path, fails) in [
        ("States.UUID()", "asl::uuid", Fallibility::Infallible),
        ("States.MathRandom(1, 2)", "asl::math_random", Fallibility::Fatal),
    ] {
        let Ok(Expr::Call(read)) = read(call) else { panic!("{call}") };
        assert_eq!((read.function.path, read.function.fallibility, read.function.turn), (path, fails, true));
        assert_eq!(read.function.returns, Type::Value);
    }
}

#[test]
fn absence_is_a_fault_that_names_the_call() {
    let expr = read("States.Array(States.MathAdd($.no, 1))").expect("valid");
    let expected = "States.Runtime: The function 'States.MathAdd($.no, 1)' had the following error: The JsonPath \
                    argument for the field '$.no' could not be found in the input '{\"n\":1}'";
    assert_eq!(outcome(&expr, r#"{"n": 1}"#), Err(expected.to_owned()));
}

#[test]
fn faults_of_functions_name_the_call() {
    let expr = read("States.MathAdd($.n, 1)").expect("valid");
    let expected = "States.Runtime: There was an error while evaluating the intrinsic function: States.MathAdd($.n, \
                    1). Invalid arguments in States.MathAdd";
    assert_eq!(outcome(&expr, r#"{"n": "1"}"#), Err(expected.to_owned()));
}

/// A call that fails in every run is refused, unless its code is allowed. The fault is then the
/// one that AWS raises.
#[test]
fn errors_that_are_allowed_fail_at_run_time() {
    let invalid = |call: &str, name: &str| format!("{call}. Invalid arguments in {name}");
    let cases = [
        ("States.MathAdd(1)", "WF0312", invalid("States.MathAdd(1)", "States.MathAdd")),
        ("States.Hash()", "WF0312", invalid("States.Hash()", "States.Hash")),
        ("States.MathAdd('1', 2)", "WF0313", invalid("States.MathAdd('1', 2)", "States.MathAdd")),
        ("States.Hash($.n, 'SHA256')", "WF0313", invalid("States.Hash($.n, 'SHA256')", "States.Hash")),
        (
            "States.Array(States.ArrayLength(States.JsonToString($.n)))",
            "WF0313",
            invalid("States.ArrayLength(States.JsonToString($.n))", "States.ArrayLength"),
        ),
        ("States.Format('{} {}', $.n)", "WF0314", invalid("States.Format('{} {}', $.n)", "States.Format")),
        (
            r"States.Format('\{ }', $.n)",
            "WF0314",
            r"States.Format('\{ }', $.n). Invalid template in States.Format: matching '{' not found for '}'."
                .to_owned(),
        ),
        ("States.Format(5)", "WF0313", invalid("States.Format(5)", "States.Format")),
    ];
    for (call, code, cause) in cases {
        assert!(read(call).is_err(), "{call}");
        let mut diagnostics = Diagnostics::default();
        diagnostics.allow(crate::codes::find(code));
        let expr = parse(&text(call), &TestRoots, &mut diagnostics).unwrap_or_else(|| panic!("{call}"));
        let found = diagnostics.finish();
        let severities: Vec<_> = found.iter().map(|found| (found.code.id, found.severity())).collect();
        assert_eq!(severities, [(code, Severity::Warning)], "{call}");
        let fault = format!("States.Runtime: There was an error while evaluating the intrinsic function: {cause}");
        assert_eq!(outcome(&expr, r#"{"n": 1}"#), Err(fault));
    }
}

#[test]
fn arguments_of_uuid_are_ignored() {
    let call = "States.UUID($.seed, 'x')";
    let mut diagnostics = Diagnostics::default();
    let expr = parse(&text(call), &TestRoots, &mut diagnostics).expect("accepted");
    assert_eq!(Ok(expr), read("States.UUID()"));
    let found = diagnostics.finish();
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((only.code.id, &call[only.span.start as usize..only.span.end as usize]), ("WF0354", "$.seed, 'x'"));
}

#[test]
fn mistakes_are_placed() {
    // Call, code, marked part, part of the message or help.
    let cases = [
        ("", "WF0310", "", "expected an intrinsic function"),
        (" States.UUID()", "WF0310", " ", "unexpected white space"),
        ("States.UUID", "WF0310", "States.UUID", "missing `(`"),
        ("States.UUID ()", "WF0310", "States.UUID ", "missing `(`"),
        ("pets", "WF0310", "pets", "not an intrinsic function"),
        ("States.Array(pets)", "WF0310", "pets)", "single quotes: `'pets'`"),
        ("States.Array(\"a\")", "WF0310", "\"", "single quotes"),
        ("States.Array(1", "WF0310", "(", "unclosed"),
        ("States.Array(1,)", "WF0310", ")", "missing argument after the comma"),
        ("States.Array(,1)", "WF0310", ",", "unexpected `,`"),
        ("States.Array(1 2)", "WF0310", "States.Array(1 2", "`,` or `)`"),
        ("States.Array('a)", "WF0310", "'", "unclosed"),
        ("States.Array(-)", "WF0310", "-", "invalid number"),
        ("States.Array(01)", "WF0310", "0", "invalid number"),
        ("States.UUID() x", "WF0310", "x", "unexpected text after"),
        ("States.Array($.a[)", "WF0301", ")", "in brackets"),
        ("States.Array($y)", "E9999", "", ""),
        ("States.Xyz(1)", "WF0311", "States.Xyz", "unknown intrinsic function"),
        ("States.MathAd(1, 2)", "WF0311", "States.MathAd", "did you mean `States.MathAdd`?"),
        ("JsonToString($)", "WF0311", "JsonToString", "did you mean `States.JsonToString`?"),
        ("States.Hash('x')", "WF0312", "States.Hash('x')", "takes 2 arguments, found 1"),
        ("States.MathAdd(1)", "WF0312", "States.MathAdd(1)", "takes 2 arguments, found 1"),
        ("States.MathRandom(1)", "WF0312", "States.MathRandom(1)", "takes 2 or 3 arguments"),
        ("States.Format()", "WF0312", "States.Format()", "at least 1 argument"),
        ("States.ArrayLength('a')", "WF0313", "'a'", "must be an array, found a string"),
        ("States.ArrayLength(States.UUID())", "WF0313", "States.UUID()", "must be an array, found a string"),
        ("States.MathAdd($.a[*], 1)", "WF0313", "$.a[*]", "must be a number, found an array"),
        ("States.MathAdd(null, 1)", "WF0313", "null", "must be a number, found null"),
        ("States.Hash($.a, 'SHA256')", "WF0313", "'SHA256'", "not a hash algorithm"),
        ("States.ArrayRange(1, 2, 0)", "WF0313", "0", "cannot be 0"),
        ("States.ArrayPartition($.a, 0)", "WF0313", "0", "at least 1"),
        ("States.Format('{}')", "WF0314", "States.Format('{}')", "1 placeholder, but there are 0 arguments"),
        ("States.Format('a { b')", "WF0314", "{", "escape a literal brace"),
        ("States.Format('a } b')", "WF0314", "}", "escape a literal brace"),
        ("States.Format('${a.b} {}', $.n)", "WF0314", "{", "escape a literal brace"),
        (r#"States.Array('a \"b\"')"#, "WF0315", r#"\""#, "unknown escape"),
        (r"States.Array('a\n')", "WF0315", r"\n", "unknown escape"),
    ];
    for (call, code, marked, words) in cases {
        let found = read(call).err().unwrap_or_else(|| panic!("{call} is accepted"));
        // Reporting an unknown variable is up to the dialect. The roots of the tests do not report
        // it.
        if code == "E9999" {
            assert_eq!(found, [], "{call}");
            continue;
        }
        let [only] = &found[..] else { panic!("{call}: {found:?}") };
        let said = format!("{} / {}", only.message, only.help.as_deref().unwrap_or_default());
        assert_eq!(only.code.id, code, "{call}: {said}");
        assert_eq!(&call[only.span.start as usize..only.span.end as usize], marked, "{call}: {said}");
        assert!(said.contains(words), "{call}: {said}");
    }
}

#[test]
fn hostile_calls_cost_little() {
    let nested = "States.Array(".repeat(100_000);
    let open = format!("States.Array({}", "1,".repeat(100_000));
    for call in [nested, open] {
        assert!(read(&call).is_err());
    }
    let wide = format!("States.Array({}1)", "1,".repeat(100_000));
    assert!(read(&wide).is_ok());
}

/// Returns a tree without spans.
fn node(value: &Value) -> Node {
    let tree = match value {
        Value::Null => Tree::Null,
        Value::Bool(value) => Tree::Bool(*value),
        Value::Int(value) => Tree::Int(*value),
        Value::Float(value) => Tree::Float(*value),
        Value::String(value) => Tree::String(text(value)),
        Value::Array(items) => Tree::Array(items.iter().map(node).collect()),
        Value::Object(members) => {
            Tree::Object(members.iter().map(|(key, member)| Entry { key: text(key), value: node(member) }).collect())
        }
    };
    Node { span: Span::new(FileId(0), 0, 0), tree }
}

fn read_template(json: &str) -> Result<Expr, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::default();
    let expr = template(&node(&value(json)), &TestRoots, &mut diagnostics);
    let found = diagnostics.finish();
    expr.ok_or(found)
}

#[test]
fn templates_take_in_the_input() {
    let source = r#"{
        "flagged": true,
        "parts": {"first.$": "$.vals[0]", "last3.$": "$.vals[-3:]", "none.$": "$.vals[?(@ > 90)]"},
        "name.$": "$$.Name",
        "all.$": "$",
        "text.$": "States.Format('{} is {}', $.who, $x)",
        "list": [1, {"inner.$": "$.who"}, ["$.who"]],
        "plain": "$.who",
        "pair.$": "$['who','no']"
    }"#;
    let expected = r#"{
        "flagged": true,
        "parts": {"first": 0, "last3": [30, 40, 50], "none": []},
        "name": "run",
        "all": {"vals": [0, 10, 20, 30, 40, 50], "who": "Ada"},
        "text": "Ada is 5",
        "list": [1, {"inner": "Ada"}, ["$.who"]],
        "plain": "$.who",
        "pair": {"who": "Ada"}
    }"#;
    let expr = read_template(source).unwrap_or_else(|found| panic!("{found:?}"));
    assert_eq!(outcome(&expr, r#"{"vals": [0, 10, 20, 30, 40, 50], "who": "Ada"}"#), Ok(value(expected)));
}

#[test]
fn templates_without_paths_are_constants() {
    let expr = read_template(r#"{"a": [1, {"b": null}], "c": "x"}"#).expect("valid");
    assert!(matches!(expr, Expr::Literal(_)), "{expr:?}");
}

#[test]
fn absence_in_a_template_names_the_field() {
    let expr = read_template(r#"{"a": {"value.$": "$.x.y"}}"#).expect("valid");
    let expected = "States.Runtime: The JSONPath '$.x.y' specified for the field 'value.$' could not be found in the \
                    input '{\"int-literal\":0}'";
    assert_eq!(outcome(&expr, r#"{"int-literal": 0}"#), Err(expected.to_owned()));
}

#[test]
fn mistakes_in_templates_are_all_reported() {
    let found = read_template(
        r#"{
            "a.$": "constant", "b.$": 5, "c.$": {"x": 1}, "d": 1, "d.$": "$.d",
            "e": [{"f.$": "$."}], "g.$": "States.Nope($)"
        }"#,
    );
    let mut codes: Vec<&str> = found.expect_err("wrong").iter().map(|found| found.code.id).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["WF0301", "WF0311", "WF0320", "WF0320", "WF0320", "WF0321"]);
}

#[test]
fn paths_and_calls_are_distinguished_by_the_first_character() {
    use super::Dynamic;
    let read = |source: &str| path_or_intrinsic(&text(source), &TestRoots, &mut Diagnostics::default());
    assert!(matches!(read("$.Cause"), Some(Dynamic::Path(path)) if path.text == "$.Cause"));
    assert!(matches!(read("States.UUID()"), Some(Dynamic::Intrinsic(Expr::Call(_)))));
    assert_eq!(read("Cause"), None);
}

#[test]
fn every_function_of_the_table_can_be_called() {
    use super::functions::INTRINSICS;
    assert_eq!(INTRINSICS.len(), 18);
    for intrinsic in INTRINSICS {
        let arguments = vec!["$.a"; intrinsic.arguments.len()].join(", ");
        let call = format!("{}({arguments})", intrinsic.name);
        assert!(read(&call).is_ok(), "{call}");
    }
}
