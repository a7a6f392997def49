//! Tests that run functions by the reference interpreter, before and after the passes, and compare
//! the results with those of Node.js.

use super::super::{JsScript, globals, to_core};
use super::read_text;
use crate::expr::core::CoreFunction;
use crate::expr::core::interpret::OUTCOME;
use crate::expr::core::interpret::javascript::{called, names};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::{fs, thread};
use workflow_runtime::__private::js::{self, Class, Js, Run, Session, Throw, Var};
use workflow_runtime::{Timestamp, Value};

/// The possible locations of functions from public repositories.
const PLACES: [&str; 2] = ["../../shared", "../../../shared"];

fn place(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Value::from_json(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().expect("the value is an array")
}

/// The documents, each with the values of the variables `v` and `w`.
fn inputs() -> Vec<Value> {
    items(&json(&place("../differential/functions/data/inputs.json"))).to_vec()
}

/// Returns a value as a text, as `differential/functions/record.js` does.
fn shown(run: &Run, value: &Js) -> String {
    match js::builtin::json_stringify(run, &[value.clone()]) {
        Ok(Js::String(text)) => text.to_string(),
        Ok(_) => js::type_of(value).to_owned(),
        Err(Throw::Value(error)) => member(&error, "name"),
        Err(Throw::Abort(text)) => format!("abort {text}"),
    }
}

fn member(error: &Js, name: &str) -> String {
    let text = js::get(error, name).and_then(|member| js::string(&member));
    text.map_or_else(|_| "?".to_owned(), |text| text.to_string())
}

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
struct Effect {
    /// The result, the document and the variables, as they are recorded.
    shown: String,
    /// The message of an error.
    message: Option<String>,
}

/// Calls a function with an input.
fn effect(function: &Rc<CoreFunction>, script: &JsScript, input: &Value) -> Effect {
    let run = Session::new(Timestamp::from_seconds(0), 0);
    let [document, v, w] = items(input) else { panic!("an input has three values") };
    let document = Js::from(document.clone());
    let [v, w] = [v, w].map(|value| Var::new(Js::from(value.clone())));
    let variables: Vec<Var> =
        script.variables.iter().map(|name| if name == "w" { w.clone() } else { v.clone() }).collect();
    let mut message = None;
    let outcome = match called(function, &run, document.clone(), &variables) {
        Ok(value) => shown(&run, &value),
        Err(Throw::Abort(text)) => return Effect { shown: format!("abort {text}"), message },
        Err(Throw::Value(Js::Object(object))) if object.class() == Class::Error => {
            let error = Js::Object(object);
            message = Some(member(&error, "message"));
            format!("throw {}", member(&error, "name"))
        }
        Err(Throw::Value(value)) => format!("throw {}", shown(&run, &value)),
    };
    let after = [document, v.get(), w.get()].map(|value| shown(&run, &value));
    Effect { shown: format!("{outcome} | {}", after.join(" | ")), message }
}

/// Names the function whose run panics.
struct Current<'s>(&'s str);

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the function is {}", self.0);
        }
    }
}

/// Runs a function on inputs before and after the passes. Returns the results, or nothing if it is
/// not translated.
///
/// # Panics
/// Panics if the passes change a result.
#[track_caller]
fn check(script: &JsScript, inputs: &[Value]) -> Option<Vec<String>> {
    let _current = Current(&script.source);
    let lowered = to_core::function(script.unit.as_ref()?, &script.variables, &Arc::default());
    let mut optimised = lowered.clone();
    optimised.optimise();
    let [lowered, optimised] = [lowered, optimised].map(Rc::new);
    let results = inputs.iter().map(|input| {
        let (before, after) = (effect(&lowered, script, input), effect(&optimised, script, input));
        assert_eq!(before, after, "{}\nof {input}\n{lowered}\n{optimised}", script.source);
        after.shown
    });
    Some(results.collect())
}

/// Runs a function that another test translates.
#[track_caller]
pub(super) fn passes_keep_results(script: &JsScript) {
    check(script, &inputs());
}

/// Runs functions that use the variables `v` and `w`, and returns how many are translated.
#[track_caller]
fn checked<'s>(sources: impl IntoIterator<Item = &'s str>) -> usize {
    let inputs = inputs();
    let scripts = sources.into_iter().filter_map(|source| read_text(source, &["v", "w"]).0);
    scripts.filter(|script| check(script, &inputs).is_some()).count()
}

#[test]
fn random_functions_have_one_result_before_and_after_the_passes_and_in_node() {
    let inputs = inputs();
    let (mut translated, mut different) = (0, Vec::new());
    for entry in items(&json(&place("../differential/functions/data/expected.json"))) {
        let [source, recorded] = items(entry) else { panic!("a record has two parts") };
        let source = source.as_str().expect("a record has a function");
        let Some(results) = read_text(source, &["v", "w"]).0.and_then(|script| check(&script, &inputs)) else {
            continue;
        };
        translated += 1;
        for ((input, recorded), result) in inputs.iter().zip(items(recorded)).zip(results) {
            let recorded = recorded.as_str().expect("a result is a text");
            if recorded != result {
                different.push(format!("{source}\nof {input}\n  Node.js    {recorded}\n  translated {result}"));
            }
        }
    }
    println!("{translated} functions");
    let first = different[..different.len().min(10)].join("\n");
    assert!(different.is_empty(), "{} different:\n{first}", different.len());
    assert!(translated >= 460, "only {translated} functions");
}

#[test]
fn functions_in_the_wild_have_one_result_before_and_after_the_passes() {
    let file = |root: &&str| place(root).join("corpus/composer/js_functions.json");
    let Some(path) = PLACES.iter().map(file).find(|path| path.is_file()) else {
        println!("the functions are in none of the places {PLACES:?}");
        return;
    };
    let functions = json(&path);
    let sources = items(&functions).iter().filter_map(|function| function.get("src").and_then(Value::as_str));
    let translated = checked(sources);
    println!("{translated} functions");
    assert_eq!(translated, 219);
}

#[test]
fn the_interpreter_has_the_functions_that_lowered_functions_call_and_no_others() {
    let code = include_str!("../to_core/callees.rs").lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = code.flat_map(|line| line.split('"').skip(1).step_by(2)).filter(|name| !name.is_empty());
    let mut called: BTreeSet<&str> = quoted.collect();
    // Names of functions beside the list.
    for before in ["comparison(\"", "Primitive::operator(\"", "operator(\""] {
        let found = include_str!("../to_core/operator.rs").split(before).skip(1);
        called.extend(found.filter_map(|rest| rest.split('"').next()));
    }
    called.extend(globals::BUILTINS.iter().map(|builtin| builtin.function));
    called.insert(OUTCOME);
    assert_eq!(called, names().collect());
}
