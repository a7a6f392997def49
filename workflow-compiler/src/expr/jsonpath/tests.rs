//! Tests of paths: against `serde_json_path` for RFC 9535, against tables for Jayway and ASL.

mod errors;
mod jayway;
mod random;
mod rfc;
mod serverless_workflow;

use super::{JsonPath, Mode, Roots, parse};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::tests::eval::{Env, Yield, eval};
use crate::expr::{Arg, Expr, Fallibility, Function, LocalId, Type};
use crate::source::{FileId, Span};
use crate::syntax::Text;
use workflow_runtime::Value;

static VARIABLE: Function = Function {
    path: "asl::variable",
    returns: Type::Ref,
    fallibility: Fallibility::Fatal,
    turn: false,
    context: false,
};

/// Roots with the document as local 0 and the only variable `x` as local 1.
pub(crate) struct TestRoots;

impl Roots for TestRoots {
    fn document(&self) -> Expr {
        Expr::Local(LocalId(0))
    }

    fn variable(&self, name: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        let local = Arg::Maybe(Expr::Local(LocalId(1)));
        (name == "x").then(|| Expr::call(&VARIABLE, vec![local, Arg::Str(name.into())]))
    }
}

/// Returns a text that is the whole of its file, without quotes.
pub(crate) fn text(value: &str) -> Text {
    let span = Span::new(FileId(0), 0, value.len());
    Text { value: value.to_owned(), span, start: 0, breaks: Vec::new(), is_substituted: false }
}

fn read(path: &str, mode: Mode) -> Result<JsonPath, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::default();
    let path = parse(&text(path), mode, &TestRoots, &mut diagnostics);
    let found = diagnostics.finish();
    path.ok_or(found)
}

pub(crate) fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Evaluates a path on a document. Returns `None` if the path leads nowhere.
fn follow(path: &JsonPath, document: &str) -> Option<Value> {
    let env = Env {
        locals: vec![Some(value(document)), Some(value(r#"{"id": 7, "items": [1, 2]}"#))],
        context: value(r#"{"Execution": {"Name": "run"}}"#),
    };
    match eval(&path.expr, &env) {
        Ok(Yield::Nothing) => None,
        Ok(found) => found.value(),
        Err(fault) => panic!("{}: {fault}", path.text),
    }
}

#[test]
fn roots_are_distinguished() {
    use super::Root;
    let document = r#"{"a": 1}"#;
    let cases = [
        ("$", Root::Document, document),
        ("$.a", Root::Document, "1"),
        ("$$", Root::Context, r#"{"Execution": {"Name": "run"}}"#),
        ("$$.Execution.Name", Root::Context, r#""run""#),
        ("$x", Root::Variable("x".into()), r#"{"id": 7, "items": [1, 2]}"#),
        ("$x.items[1]", Root::Variable("x".into()), "2"),
        ("$x['id']", Root::Variable("x".into()), "7"),
        ("$x.items[?(@ > 1)]", Root::Variable("x".into()), "[2]"),
    ];
    for (path, root, expected) in cases {
        let read = read(path, Mode::Jayway).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(read.root, root, "{path}");
        assert_eq!(read.text, path);
        assert_eq!(follow(&read, document), Some(value(expected)), "{path}");
    }
    assert!(read("$y.a", Mode::Jayway).is_err());
    assert!(read("$$.a", Mode::Rfc).is_err());
}

#[test]
fn reference_paths_are_read_as_the_language_shows_them() {
    let cases = [
        ("$.store.book", vec!["store", "book"]),
        (r"$.store\.book", vec!["store.book"]),
        (r"$.\stor\e.boo\k", vec!["store", "book"]),
        (r"$.foo.\.bar", vec!["foo", ".bar"]),
        (r"$.foo\@bar.baz\[\[.\?pretty", vec!["foo@bar", "baz[[", "?pretty"]),
        (r"$.&Ж中.\uD800\uDF46", vec!["&Ж中", "\u{10346}"]),
        ("$.ledgers.branch[0].pending.count", vec!["ledgers", "branch", "[0]", "pending", "count"]),
        ("$.ledgers[0][22][315].foo", vec!["ledgers", "[0]", "[22]", "[315]", "foo"]),
        ("$['store']['book']", vec!["store", "book"]),
        ("$['store'][0]['book']", vec!["store", "[0]", "book"]),
        ("$", vec![]),
    ];
    for (path, expected) in cases {
        let read = read(path, Mode::Reference).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        let steps = read.steps.unwrap_or_else(|| panic!("{path} is not definite"));
        let written: Vec<String> = steps
            .iter()
            .map(|step| match step {
                crate::expr::PathStep::Key(key) => key.clone(),
                crate::expr::PathStep::Index(index) => format!("[{index}]"),
            })
            .collect();
        assert_eq!(written, expected, "{path}");
        let mut diagnostics = Diagnostics::default();
        assert_eq!(super::parse_target(&text(path), &mut diagnostics), Some(steps));
    }
}

#[test]
fn only_paths_that_can_lead_nowhere_say_so() {
    for (path, can_be_absent) in [
        ("$", false),
        ("$$", false),
        ("$x", false),
        ("$.a", true),
        ("$.a[-1]", true),
        ("$.a['b','c']", true),
        ("$.a.length()", true),
        ("$[*]", false),
        ("$[*].a[0]", false),
        ("$..a", false),
        ("$..a[0:1]", false),
        ("$.a[*]", true),
        ("$[0,1]", true),
        ("$[0:1]", true),
        ("$[?(@.b)]", true),
        ("$.a[*]['b','c']", true),
    ] {
        let read = read(path, Mode::Jayway).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(read.can_be_absent(), can_be_absent, "{path}");
        assert!(read.steps.is_some() || !can_be_absent, "{path}");
    }
}
