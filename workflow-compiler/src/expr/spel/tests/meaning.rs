//! Tests of results.

use super::{SpelMode, expr, run, value};

const DATA: &str = r#"{
    "name": "member",
    "status": "done",
    "count": 7,
    "price": 2.5,
    "open": true,
    "nothing": null,
    "error": {"name": "OrderError", "message": "no id", "trace": ""},
    "creditCheck": [{"decision": "Approved", "score": 700}],
    "items": [{"id": "a-1", "price": 8}, {"id": "b-2", "price": 12}],
    "tags": ["x", "y"],
    "empty": [],
    "user": {"title": "MANAGER"},
    "exit-code": 1
}"#;

#[test]
fn values_are_worked_out() {
    for (source, expected) in [
        ("1 + 2 * 3", "7"),
        ("7 / 2", "3"),
        ("7 div 2.0", "3.5"),
        ("-7 mod 4", "-3"),
        ("- (count - 10)", "3"),
        ("+count", "7"),
        ("count * price", "17.5"),
        ("'a' + count + price", r#""a72.5""#),
        ("count + 1 + 'a'", r#""8a""#),
        ("'it''s'", r#""it's""#),
        ("{1, {'a', null}, count}", r#"[1,["a",null],7]"#),
        ("status", r#""done""#),
        ("$.name + '/' + name", r#""member/OrderError""#),
        ("nothing.at.all", "null"),
        ("status.more", "null"),
        ("user['title']", r#""MANAGER""#),
        ("items[1].id", r#""b-2""#),
        ("items[9].id", "null"),
        ("$.items[-1].id", r#""b-2""#),
        ("$['exit-code']", "1"),
        ("$.exit-code", "1"),
        ("creditCheck.decision", r#""Approved""#),
        ("$.creditCheck.decision", r#""Approved""#),
        ("items.id", "null"),
        ("$.items[*].id", r#"["a-1","b-2"]"#),
        ("$.items[?(@.price > 10)][0]", "[]"),
        ("($.items[?(@.price > 10)])[0].id", r#""b-2""#),
        ("#jsonPath(#root, '$.items[?(@.price > 10)]').id", r#""b-2""#),
        ("#jsonPath(items, '$[*].id')", r#"["a-1","b-2"]"#),
        ("#jsonPath(items, '$[?(@.id == ''a-1'')].price')", "8"),
        ("#jsonPath(items, '$[?(@.id == \"c\")]')", "[]"),
        ("#jsonPath(nothing, '$.a')", "null"),
        ("#jsonPath(stateOutputData, '$.user.title')", r#""MANAGER""#),
        ("stateOutputData.users.size()", "2"),
        ("status.toUpperCase().length()", "4"),
        ("nothing?.size()", "null"),
        ("tags?.size()", "2"),
        ("nothing ?: 'none'", r#""none""#),
        ("'' ?: 'none'", r#""none""#),
        ("status ?: 1 / 0", r#""done""#),
        ("open ? count : 1 / 0", "7"),
        ("count gt 9 ? 'many' : count gt 5 ? 'some' : 'few'", r#""some""#),
        ("open and count eq 7", "true"),
    ] {
        assert_eq!(run(&expr(source, SpelMode::Value), DATA), Ok(value(expected)), "{source}");
    }
}

#[test]
fn tests_are_answered() {
    for (source, expected) in [
        ("$.error ne null", true),
        ("$.exception ne null", false),
        ("nothing eq null", true),
        ("missing.more eq null", true),
        ("missing eq 'x'", false),
        ("missing ne 'x'", true),
        ("name eq 'OrderError'", true),
        ("$.error.name eq 'OrderError'", true),
        ("$.creditCheck.decision eq 'Approved'", true),
        ("#jsonPath(stateOutputData,'$..user.title') eq 'MANAGER'", true),
        ("#jsonPath(stateOutputData,'$..user.title') eq 'CLERK'", false),
        ("count eq 7.0", true),
        ("$.count eq price", false),
        ("tags eq {'x', 'y'}", true),
        ("tags eq {'y', 'x'}", false),
        ("user eq stateOutputData.user", true),
        ("'a' lt 'b' and 1 le 1 and 2 gt 1.5 and 2 ge 2", true),
        ("open", true),
        ("not open or count lt 1", false),
        ("true or 1 / 0 eq 1", true),
        ("false and 1 / 0 eq 1", false),
        ("open ? count eq 7 : false", true),
        ("missing ?: open", true),
        ("$.items[?(@.price > 10)].size() eq 1", true),
        ("not $.empty.isEmpty() or $.tags.contains('y')", true),
        ("status matches 'd.*e'", true),
        ("status matches 'd'", false),
        ("count matches '[0-9]+'", true),
        ("missing matches '.*'", false),
        ("items[0].id matches '[a-z]-' + 1", true),
        ("status.startsWith('do') and status.endsWith('ne') and status.contains('on')", true),
        ("missing?.startsWith('a')", false),
        ("!missing?.startsWith('a')", true),
        ("status?.startsWith('d')", true),
        ("status.toUpperCase() eq 'DONE' and 'A'.toLowerCase() eq 'a'", true),
        ("empty.isEmpty() and not user.isEmpty() and ''.isEmpty()", true),
        ("$.count-1 eq 6", true),
    ] {
        assert_eq!(run(&expr(source, SpelMode::Test), DATA), Ok(expected.into()), "{source}");
    }
}

#[test]
fn faults_say_what_was_given_and_can_be_caught() {
    for (source, cause) in [
        ("status", "a condition must be a boolean, found a string"),
        ("missing", "a condition must be a boolean, found null"),
        ("open and count", "a condition must be a boolean, found a number"),
        ("status gt 1", "`gt` compares two numbers or two strings, found a string and a number"),
        ("missing lt 1", "`lt` compares two numbers or two strings, found null and a number"),
        ("user - 1 eq 1", "`-` takes two numbers, found an object and a number"),
        ("count / 0 eq 1", "the right side of `/` is zero"),
        ("missing.isEmpty()", "`isEmpty()` is a method of a string, an array or an object, found null"),
        ("count.startsWith('7')", "`startsWith()` is a method of a string, found a number"),
        ("tags matches 'x'", "`matches` takes a string, found an array"),
        ("status matches '(' + ''", "the pattern of `matches` is not a valid regular expression or is too large: ("),
    ] {
        let fault = run(&expr(source, SpelMode::Test), DATA).expect_err(source);
        assert_eq!(fault.error(), Some("States.QueryEvaluationError"), "{source}");
        assert_eq!(fault.cause().and_then(|cause| cause.as_str()), Some(cause), "{source}");
        assert!(!fault.is_uncatchable(), "{source}");
    }
}
