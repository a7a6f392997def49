//! Tests of the path dialect of the Serverless Workflow draft.

use super::{Mode, follow, read, value};
use crate::expr::Expr;

const DATA: &str = r#"{
    "creditCheck": [{"decision": "Approved", "score": 700, "factors": [{"name": "age"}]}],
    "people": [{"name": "Ada", "age": 36}, {"name": "Tim", "age": 44}],
    "orders": [{"id": 1, "completed": true}, {"id": 2, "completed": false}],
    "user": {"title": "MANAGER", "boss": {"user": {"title": "CEO"}}},
    "deep": [[{"n": 1}]],
    "empty": [],
    "exit-code": 1,
    "box": {"open": true}
}"#;

#[test]
fn the_paths_of_the_draft_are_read() {
    check(&[
        ("$", Some(DATA)),
        ("$.", Some(DATA)),
        ("$.exit-code", Some("1")),
        ("$.people.[0].name", Some(r#""Ada""#)),
        ("$.people[?(@.age < 40)]", Some(r#"[{"name":"Ada","age":36}]"#)),
        ("$.orders.[?(@.completed == true)].id", Some("[1]")),
        ("$.orders[?(@.completed)].id", Some("[1]")),
        ("$.orders[?(@.completed=='false')].id", Some("[]")),
        ("$..user.title", Some(r#"["MANAGER","CEO"]"#)),
        ("$.user['title','nothing']", Some(r#"{"title":"MANAGER"}"#)),
        ("$.box[?(@.open)]", Some(r#"[{"open":true}]"#)),
    ]);
}

#[test]
fn a_name_is_taken_from_the_one_element_of_an_array() {
    check(&[
        ("$.creditCheck.decision", Some(r#""Approved""#)),
        ("$['creditCheck']['decision']", Some(r#""Approved""#)),
        ("$.creditCheck.factors.name", Some(r#""age""#)),
        ("$.creditCheck[0].decision", Some(r#""Approved""#)),
        ("$.deep.n", Some("1")),
        // From any other array the name selects nothing.
        ("$.people.name", None),
        ("$.empty.name", None),
        ("$.empty.name.more", None),
        // Filters read members as paths do.
        ("$[?(@.creditCheck.score > 600)].user.title", Some(r#"["MANAGER"]"#)),
        ("$[?(@.people.name)].user.title", Some("[]")),
        // A value is selected only once.
        ("$..decision", Some(r#"["Approved"]"#)),
        ("$..n", Some("[1]")),
        ("$.*.decision", Some(r#"["Approved"]"#)),
        ("$.deep[*].n", Some("[1]")),
    ]);
}

#[test]
fn what_does_not_fit_selects_nothing() {
    check(&[
        ("$.user.title.more", None),
        ("$.user.title[0]", None),
        ("$.user[0:1]", Some("[]")),
        ("$.exit-code[?(@.a)]", Some("[]")),
        ("$.people.name[*]", Some("[]")),
        ("$.nothing[*]", Some("[]")),
    ]);
}

#[test]
fn definite_paths_are_found_and_others_select() {
    for (path, definite) in [
        ("$.a", true),
        ("$.a.b[0]['c']", true),
        ("$.a[-1]", true),
        ("$..a", false),
        ("$.a[*]", false),
        ("$.[?(@.a)]", false),
        ("$.a[0:1].b", false),
    ] {
        let read = read(path, Mode::ServerlessWorkflow).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(matches!(read.expr, Expr::Find(_)), definite, "{path}");
        assert_eq!(matches!(read.expr, Expr::Select(_)), !definite, "{path}");
        assert_eq!((read.can_be_absent(), read.is_indefinite(), read.steps.is_some()), (definite, !definite, definite));
    }
}

#[test]
fn other_modes_are_as_they_were() {
    for mode in [Mode::Jayway, Mode::Rfc, Mode::Reference] {
        let read = read("$.creditCheck.decision", mode).expect("a path");
        assert_eq!(follow(&read, DATA), None, "{mode:?}");
    }
}

fn check(cases: &[(&str, Option<&str>)]) {
    for (path, expected) in cases {
        let read = read(path, Mode::ServerlessWorkflow).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(follow(&read, DATA), expected.map(value), "{path}");
    }
}
