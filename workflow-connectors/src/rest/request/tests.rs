//! Requests made of arguments.

use super::*;
use workflow_runtime::value;

static CHARGE: operation::Rest = operation::Rest::new(
    "bank",
    "bank.json",
    "charge",
    "POST",
    &[Piece::Text("/accounts/"), Piece::Parameter(0), Piece::Text("/charges")],
)
.parameters(&[
    Parameter::new("account", Place::Path).required(),
    Parameter::new("tags", Place::Query),
    Parameter::new("id", Place::Query).argument("query.id").style(Style::Form, false),
    Parameter::new("X-Trace", Place::Header),
    Parameter::new("lang", Place::Cookie),
])
.body(Body::new(Media::Json, "application/json").whole(&["body", "order"]).members().required());

fn shown(operation: &operation::Rest, arguments: Value) -> Result<String, String> {
    let request = request(operation, &arguments)?;
    let headers = request.headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or("?")));
    let body = request.body.map(|(kind, body)| format!("{kind} {body}"));
    let mut lines = vec![request.path, request.query.join("&")];
    lines.extend(headers);
    lines.push(request.cookies.join("; "));
    lines.extend(body);
    Ok(lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | "))
}

#[test]
fn arguments_find_their_places() {
    for (arguments, expected) in [
        (value!({ "account": "A 1" }), "/accounts/A%201/charges | application/json {}"),
        (
            value!({ "account": 7, "amount": 2.5, "tags": ["a", "b&c"], "note": null, "query.id": [1, 2] }),
            r#"/accounts/7/charges | tags=a&tags=b%26c&id=1,2 | application/json {"amount":2.5,"note":null}"#,
        ),
        (
            value!({ "account": "a", "X-Trace": "t", "lang": "de; x=y", "tags": null }),
            "/accounts/a/charges | x-trace: t | lang=de%3B%20x%3Dy | application/json {}",
        ),
        (value!({ "account": "a", "order": [1], "more": 2 }), "/accounts/a/charges | application/json [1]"),
        (value!({ "account": "a", "order": [1], "body": null }), "/accounts/a/charges | application/json null"),
    ] {
        assert_eq!(shown(&CHARGE, arguments.clone()).as_deref(), Ok(expected), "{arguments}");
    }
}

#[test]
fn data_stands_for_no_other_parameter_and_leads_to_no_other_path() {
    static FIND: operation::Rest = operation::Rest::new("bank", "bank.json", "find", "GET", &[Piece::Text("/f")])
        .parameters(&[Parameter::new("id", Place::Query), Parameter::new("account", Place::Query)])
        .security(&[&[operation::Scheme::new("key", SchemeKind::ApiKey(Place::Query, "api_key"))]]);
    for name in ["account", "api_key"] {
        let mut members = Object::new();
        members.insert(name, value!("x"));
        let message = format!("the member `{name}` of the argument `id` and another parameter have the same name");
        assert_eq!(shown(&FIND, value!({ "id": members })), Err(message));
    }
    assert_eq!(shown(&FIND, value!({ "id": { "from": 1 } })).as_deref(), Ok("/f | from=1"));
    for account in ["../../admin", "a/..", "..\\admin"] {
        let message = "the argument `account` would change the path".to_owned();
        assert_eq!(shown(&CHARGE, value!({ "account": account })), Err(message), "{account}");
    }
    assert!(shown(&CHARGE, value!({ "account": "a/b..c" })).is_ok());
}

#[test]
fn arguments_that_cannot_be_sent_are_reported() {
    let list: operation::Rest =
        CHARGE.clone().body(Body::new(Media::Json, "application/json").whole(&["body"]).required());
    let text: operation::Rest = CHARGE.clone().body(Body::new(Media::Text, "text/plain").whole(&["body"]));
    let away = "the path contains the segment `.` or `..`";
    for (operation, arguments, expected) in [
        (&CHARGE, value!([]), "the arguments must be an object, found `array`"),
        (&CHARGE, value!({}), "the argument `account` is missing"),
        (&CHARGE, value!({ "account": null }), "the argument `account` is missing"),
        (&CHARGE, value!({ "account": "" }), "the argument `account` is part of the path and must not be empty"),
        (&CHARGE, value!({ "account": [] }), "the argument `account` is part of the path and must not be empty"),
        (&CHARGE, value!({ "account": ".." }), away),
        (&CHARGE, value!({ "account": "." }), away),
        (
            &CHARGE,
            value!({ "account": "a", "X-Trace": "a\r\nHost: b" }),
            "the argument `X-Trace` is not valid in a header",
        ),
        (&list, value!({ "account": "a" }), "the argument `body`, the body, is missing"),
        (&text, value!({ "account": "a", "body": {} }), "the body must be a string"),
    ] {
        assert_eq!(shown(operation, arguments.clone()), Err(expected.to_owned()), "{arguments}");
    }
    assert_eq!(shown(&text, value!({ "account": "a" })).as_deref(), Ok("/accounts/a/charges"));
    assert_eq!(
        shown(&text, value!({ "account": "a", "body": "b c" })).as_deref(),
        Ok("/accounts/a/charges | text/plain b c")
    );
    assert_eq!(
        shown(&CHARGE, value!({ "account": "..." })).as_deref(),
        Ok("/accounts/.../charges | application/json {}")
    );
}

#[test]
fn forms() {
    static LOGIN: operation::Rest =
        operation::Rest::new("bank", "bank.json", "login", "POST", &[Piece::Text("/login")])
            .parameters(&[
                Parameter::new("user", Place::Form).required(),
                Parameter::new("roles", Place::Form).style(Style::Pipes, false),
            ])
            .body(Body::new(Media::Form, "application/x-www-form-urlencoded").whole(&["body"]).members());
    let kind = "application/x-www-form-urlencoded";
    for (arguments, expected) in [
        (value!({ "user": "a b", "roles": ["x", "y"], "more": [1, 2] }), "user=a%20b&roles=x%7Cy&more=1&more=2"),
        (
            value!({ "body": { "user": "a", "roles": ["x", "y"], "other": null, "b": { "c": 1 } } }),
            "user=a&roles=x%7Cy&b=%7B%22c%22%3A1%7D",
        ),
    ] {
        assert_eq!(shown(&LOGIN, arguments), Ok(format!("/login | {kind} {expected}")));
    }
    assert_eq!(shown(&LOGIN, value!({ "roles": [] })), Err("the argument `user` is missing".to_owned()));
    assert_eq!(shown(&LOGIN, value!({ "body": 1 })), Err("the body is a form and must be an object".to_owned()));
}

#[test]
fn what_the_schema_does_not_allow_is_not_taken_apart() {
    static FIND: operation::Rest =
        operation::Rest::new("bank", "bank.json", "find", "GET", &[Piece::Text("/f/"), Piece::Parameter(0)])
            .parameters(&[
                Parameter::new("id", Place::Path).decomposition(Decomposition::None),
                Parameter::new("text", Place::Query).decomposition(Decomposition::None),
                Parameter::new("list", Place::Query).decomposition(Decomposition::Items),
                Parameter::new("map", Place::Header).decomposition(Decomposition::Members),
                Parameter::new("any", Place::Query),
            ]);
    for (name, value, message) in [
        ("id", value!({ "a": 1 }), Some("an object")),
        ("id", value!(["a"]), Some("an array")),
        ("text", value!({ "limit": 1 }), Some("an object")),
        ("text", value!([]), Some("an array")),
        ("list", value!({ "limit": 1 }), Some("an object")),
        ("list", value!(["a"]), None),
        ("map", value!(["a"]), Some("an array")),
        ("map", value!({ "a": 1 }), None),
        ("any", value!({ "a": 1 }), None),
        ("text", value!(null), None),
    ] {
        let mut arguments = Object::new();
        arguments.insert("id", "x");
        arguments.insert(name, value.clone());
        let found = shown(&FIND, arguments.into()).err();
        let expected =
            message.map(|message| format!("the argument `{name}` is {message}, which its schema does not allow"));
        assert_eq!(found, expected, "{name} {value}");
    }
}

#[test]
fn fields_of_forms_keep_apart() {
    static FORM: operation::Rest = operation::Rest::new("bank", "bank.json", "form", "POST", &[Piece::Text("/f")])
        .parameters(&[
            Parameter::new("a", Place::Form).decomposition(Decomposition::None),
            Parameter::new("b", Place::Form).style(Style::Typed, false),
            Parameter::new("c", Place::Form),
        ])
        .body(Body::new(Media::Form, "application/x-www-form-urlencoded").whole(&["body"]));
    let body = |value: Value| shown(&FORM, value!({ "body": value })).map(|shown| shown.replace("/f | ", ""));
    let expected = "application/x-www-form-urlencoded a=x&b=%7B%22a%22%3A1%7D&d=1";
    assert_eq!(body(value!({ "a": "x", "b": { "a": 1 }, "c": { "d": 1 } })).as_deref(), Ok(expected));
    assert_eq!(
        body(value!({ "a": { "x": 1 } })),
        Err("the field `a` of the body is an object, which its schema does not allow".to_owned())
    );
    assert_eq!(
        body(value!({ "c": { "a": 1 } })),
        Err("the member `a` of the field `c` of the body and another parameter have the same name".to_owned())
    );
}
