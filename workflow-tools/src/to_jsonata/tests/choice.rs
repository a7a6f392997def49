//! Tests of Choice states.

use super::whole_state;

/// Returns the condition of a rule of these fields.
fn condition(fields: &str) -> Result<String, String> {
    let state = whole_state(&format!(r#""Type":"Choice","Choices":[{{{fields},"Next":"Z"}}],"Default":"Z""#))?;
    let value = state.split_once(r#""Condition":"{% "#).and_then(|(_, rest)| rest.split_once(r#" %}""#));
    let value = value.unwrap_or_else(|| panic!("{state}")).0;
    Ok(value.replace("\\\\", "\\"))
}

#[test]
fn every_operator_has_a_condition() {
    const TIME: &str = "/^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d+)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$/";
    let symbols = [
        ("Equals", "="),
        ("LessThan", "<"),
        ("LessThanEquals", "<="),
        ("GreaterThan", ">"),
        ("GreaterThanEquals", ">="),
    ];
    let families = [("String", "string", "\"x\"", "'x'"), ("Numeric", "number", "1.5", "1.5")];
    for (name, symbol) in symbols {
        for (family, kind, written, literal) in families {
            let guard = if symbol == "=" { String::new() } else { format!("$type($states.input.a) = '{kind}' and ") };
            assert_eq!(
                condition(&format!(r#""Variable":"$.a","{family}{name}":{written}"#)),
                Ok(format!("{guard}$states.input.a {symbol} {literal}"))
            );
            let other = if symbol == "=" { String::new() } else { format!("$type($states.input.b) = '{kind}' and ") };
            assert_eq!(
                condition(&format!(r#""Variable":"$.a","{family}{name}Path":"$.b""#)),
                Ok(format!("$type($states.input.a) = '{kind}' and {other}$states.input.a {symbol} $states.input.b"))
            );
        }
        let is_time = |field: &str| {
            format!("$type($states.input.{field}) = 'string' and $contains($states.input.{field}, {TIME})")
        };
        assert_eq!(
            condition(&format!(r#""Variable":"$.a","Timestamp{name}":"2020-01-01T00:00:00Z""#)),
            Ok(format!("{} and $toMillis($states.input.a) {symbol} $toMillis('2020-01-01T00:00:00Z')", is_time("a")))
        );
        assert_eq!(
            condition(&format!(r#""Variable":"$.a","Timestamp{name}Path":"$.b""#)),
            Ok(format!(
                "{} and {} and $toMillis($states.input.a) {symbol} $toMillis($states.input.b)",
                is_time("a"),
                is_time("b")
            ))
        );
    }
    let cases = [
        (r#""BooleanEquals":true"#, "$states.input.a = true"),
        (r#""BooleanEqualsPath":"$.b""#, "$type($states.input.a) = 'boolean' and $states.input.a = $states.input.b"),
        (r#""IsPresent":true"#, "$exists($states.input.a)"),
        (r#""IsPresent":false"#, "$not($exists($states.input.a))"),
        (r#""IsNull":true"#, "$states.input.a = null"),
        (r#""IsNull":false"#, "$states.input.a != null"),
        (r#""IsString":true"#, "$type($states.input.a) = 'string'"),
        (r#""IsNumeric":false"#, "$type($states.input.a) != 'number'"),
        (r#""IsBoolean":true"#, "$type($states.input.a) = 'boolean'"),
        (
            r#""StringMatches":"a*.(\\*)""#,
            "$type($states.input.a) = 'string' and $contains($states.input.a, /^a[\\s\\S]*\\.\\(\\*\\)$/)",
        ),
    ];
    for (operator, expected) in cases {
        assert_eq!(condition(&format!(r#""Variable":"$.a",{operator}"#)).as_deref(), Ok(expected), "{operator}");
    }
    let time = format!("$type($states.input.a) = 'string' and $contains($states.input.a, {TIME})");
    assert_eq!(condition(r#""Variable":"$.a","IsTimestamp":true"#), Ok(time.clone()));
    assert_eq!(condition(r#""Variable":"$.a","IsTimestamp":false"#), Ok(format!("$not({time})")));
}

#[test]
fn conditions_are_joined_with_as_few_parentheses_as_possible() {
    let a = r#"{"Variable":"$.a","StringEquals":"x"}"#;
    let b = r#"{"Variable":"$.b","NumericLessThan":1}"#;
    let (ca, cb) = ("$states.input.a = 'x'", "$type($states.input.b) = 'number' and $states.input.b < 1");
    let cases = [
        (format!(r#""And":[{a},{b}]"#), format!("{ca} and {cb}")),
        (format!(r#""Or":[{a},{b}]"#), format!("{ca} or {cb}")),
        (format!(r#""Not":{b}"#), format!("$not({cb})")),
        (format!(r#""And":[{{"Or":[{a},{b}]}},{a}]"#), format!("({ca} or {cb}) and {ca}")),
        (format!(r#""And":[{{"And":[{b},{a}]}},{b}]"#), format!("{cb} and {ca}")),
        (format!(r#""And":[{{"Not":{a}}},{b}]"#), format!("$not({ca}) and {cb}")),
    ];
    for (written, expected) in cases {
        assert_eq!(condition(&written), Ok(expected), "{written}");
    }
}

#[test]
fn many_conditions_are_grouped() {
    let rules: Vec<String> = (0..200).map(|n| format!(r#"{{"Variable":"$.a","NumericEquals":{n}}}"#)).collect();
    let text = condition(&format!(r#""Or":[{}]"#, rules.join(","))).expect("it is converted");
    assert!(text.starts_with("((("), "{text}");
    assert_eq!(text.matches(" or ").count(), 199);
}

#[test]
fn the_other_fields_of_a_rule_stay() {
    let written = r#""Type":"Choice","InputPath":"$.i","Choices":[{"Comment":"c","Variable":"$.a","IsNull":true,"Next":"Z","Assign":{"v.$":"$.b"}}],"Default":"Z","Assign":{"v.$":"$.c"},"OutputPath":"$.o""#;
    let expected = r#""Type":"Choice","Choices":[{"Comment":"c","Condition":"{% $states.input.i.a = null %}","Output":"{% $states.input.i.o %}","Next":"Z","Assign":{"v":"{% $states.input.i.b %}"}}],"Default":"Z","Assign":{"v":"{% $states.input.i.c %}"},"Output":"{% $states.input.i.o %}""#;
    assert_eq!(whole_state(written).as_deref(), Ok(expected));
}

#[test]
fn conditions_without_an_equal_are_refused() {
    let cases = [
        (r#""Variable":"$.a[*]","IsPresent":true"#, "several selected values"),
        (r#""Variable":"$.a['b','c']","IsPresent":true"#, "`IsPresent`"),
        (r#""Variable":"$.a.length()","IsPresent":false"#, "`IsPresent`"),
        (r#""Variable":"$.a","StringEquals":"${Stage}""#, "placeholder"),
        (r#""Variable":"$.a","StringMatches":"${Stage}*""#, "placeholder"),
        (r#""Variable":"$.a","NumericEquals":9007199254740993"#, "exactly"),
    ];
    for (written, reason) in cases {
        let refused = condition(written).expect_err(written);
        assert!(refused.contains(reason), "{written}: {refused}");
    }
}

#[test]
fn days_without_a_date_are_noted() {
    for test in [r#""IsTimestamp":true"#, r#""TimestampEquals":"2020-01-01T00:00:00Z""#] {
        let rule = format!(r#"{{"Variable":"$.t",{test},"Next":"Z"}}"#);
        let text = format!(
            r#"{{"StartAt":"S","States":{{"S":{{"Type":"Choice","Choices":[{rule}],"Default":"Z"}},"Z":{{"Type":"Succeed"}}}}}}"#
        );
        let notes = super::convert(&text).notes;
        assert!(notes.iter().any(|note| note.message.contains("February 30")), "{test}: {notes:?}");
    }
}

#[test]
fn many_conditions_that_all_hold_are_converted_in_a_moment() {
    let rules: Vec<String> = (0..10_000).map(|n| format!(r#"{{"Variable":"$.a{n}","NumericLessThan":1}}"#)).collect();
    let text = condition(&format!(r#""And":[{}]"#, rules.join(","))).expect("it is converted");
    assert_eq!(text.matches(" and ").count(), 19_999);
}
