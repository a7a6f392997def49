//! Tests that run functions by the reference interpreter, before and after the passes, and compare
//! the results with those of Node.js.

use super::super::{JsScript, globals, to_core};
use super::read_text;
use crate::expr::core::CoreFunction;
use crate::expr::core::interpret::OUTCOME;
use crate::expr::core::interpret::javascript::{names, run_function};
use crate::expr::tests::shape::{admits, views};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::{env, fs, thread};
use workflow_runtime::__private::js::{self, Class, Js, Run, Session, Throw, Var};
use workflow_runtime::{Timestamp, Value};

/// The variable that names another file of records.
const RECORDS: &str = "JAVASCRIPT_RECORDS";
/// The starts of the messages of what the runtime does not support, and Node.js does.
const UNSUPPORTED: [&str; 3] =
    ["abort a property", "abort objects around primitives", "abort the function used up its budget"];
/// The folders with compositions.
const CASES: [&str; 3] = ["../tests/cases/composer", "../tests/functions", "../benchmarks"];
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
static INPUTS: LazyLock<Vec<Value>> =
    LazyLock::new(|| items(&json(&place("../differential/functions/data/inputs.json"))).to_vec());

/// Returns a value as a text, as `differential/functions/record.js` does.
fn shown(run: &Run, value: &Js) -> String {
    match js::builtin::json_stringify(run, std::slice::from_ref(value)) {
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

/// The end of a call.
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
    let outcome = match run_function(function, &run, document.clone(), &variables) {
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
fn check(script: &JsScript) -> Option<Vec<String>> {
    let _current = Current(&script.source);
    let lowered = to_core::function(script.unit.as_ref()?, &script.variables, &Arc::default());
    let mut optimised = lowered.clone();
    optimised.optimise();
    let [lowered, optimised] = [lowered, optimised].map(Rc::new);
    let results = INPUTS.iter().map(|input| {
        let (before, after) = (effect(&lowered, script, input), effect(&optimised, script, input));
        assert_eq!(before, after, "{}\nof {input}\n{lowered}\n{optimised}", script.source);
        after.shown
    });
    Some(results.collect())
}

/// Runs a function that another test translates.
#[track_caller]
pub(super) fn passes_keep_results(script: &JsScript) {
    check(script);
}

#[test]
fn random_functions_have_one_result_before_and_after_the_passes_and_in_node() {
    let recorded = place("../differential/functions/data/expected.json");
    let path = env::var_os(RECORDS).map_or(recorded, PathBuf::from);
    let (mut translated, mut unsupported, mut different) = (0, 0, Vec::new());
    for entry in items(&json(&path)) {
        let [source, recorded] = items(entry) else { panic!("a record has two parts") };
        let source = source.as_str().expect("a record has a function");
        let Some(results) = read_text(source, &["v", "w"]).0.and_then(|script| check(&script)) else {
            continue;
        };
        translated += 1;
        for ((input, recorded), result) in INPUTS.iter().zip(items(recorded)).zip(results) {
            let recorded = recorded.as_str().expect("a result is a text");
            if UNSUPPORTED.iter().any(|message| result.starts_with(message)) {
                unsupported += 1;
            } else if recorded != result {
                different.push(format!("{source}\nof {input}\n  Node.js    {recorded}\n  translated {result}"));
            }
        }
    }
    println!("{translated} functions, {unsupported} calls need what is not supported");
    let first = different[..different.len().min(10)].join("\n");
    assert!(different.is_empty(), "{} different:\n{first}", different.len());
    let is_enough = translated >= 660 && unsupported <= 15;
    assert!(is_enough || env::var_os(RECORDS).is_some(), "only {translated} functions");
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
    let scripts = sources.filter_map(|source| read_text(source, &["v", "w"]).0);
    let translated = scripts.filter(|script| check(script).is_some()).count();
    println!("{translated} functions");
    assert_eq!(translated, 219);
}

/// Adds the texts of the members with a name.
fn collect<'v>(value: &'v Value, name: &str, texts: &mut Vec<&'v str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, texts)),
        Value::Object(members) => members.iter().for_each(|(key, member)| match member.as_str() {
            Some(text) if key == name => texts.push(text),
            _ => collect(member, name, texts),
        }),
        _ => {}
    }
}

/// Runs the functions of the compositions in a folder, and returns how many are translated.
fn functions_of(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let functions = entries.map(|entry| {
        let path = entry.expect("the folder is read").path();
        if path.is_dir() {
            return functions_of(&path);
        }
        if !path.to_string_lossy().ends_with(".composer.json") {
            return 0;
        }
        let Ok(flow) = Value::from_json(&fs::read_to_string(&path).expect("the file is read")) else { return 0 };
        let (mut sources, mut variables) = (Vec::new(), Vec::new());
        collect(&flow, "Function", &mut sources);
        collect(&flow, "Symbol", &mut variables);
        let scripts = sources.into_iter().filter_map(|source| read_text(source, &variables).0);
        scripts.filter(|script| check(script).is_some()).count()
    });
    functions.sum()
}

#[test]
fn functions_of_cases_have_one_result_before_and_after_the_passes() {
    let translated: usize = CASES.iter().map(|folder| functions_of(&place(folder))).sum();
    println!("{translated} functions");
    assert!(translated >= 39, "only {translated} functions");
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

/// Returns a value as JSON, in which `undefined` is the empty object. `None` for another value
/// that JSON does not have.
fn as_json(run: &Run, value: &Js) -> Option<Value> {
    let text = shown(run, value);
    if text == "undefined" || text == "function" { Value::from_json("{}").ok() } else { Value::from_json(&text).ok() }
}

/// Functions whose shapes are known.
const SOUND: &[&str] = &[
    "p => p",
    "() => ({ value: true, n: [1, 'x', null] })",
    "p => ({ a: p.a, b: p.b, c: p.c })",
    "p => ({ ...p, a: 1, z: p.d })",
    "p => [p.a, p.missing, ...p.c]",
    "({ a, b = 3, missing }) => ({ a, b, missing })",
    "({ d: { a, e } }) => ({ a, e })",
    "p => p.missing.more",
    "p => p.a.toUpperCase()",
    "p => p.b.toFixed(1)",
    "p => p.c.map(x => x.a)",
    "p => p.c.map((x, i) => ({ x, i })).filter(x => x.i > 0)",
    "p => p.d?.a ?? 'none'",
    "p => p.missing?.x",
    "p => p.a || p.b || v",
    "p => p.a && p.b",
    "p => p.missing && p.missing.x",
    "p => typeof p.a === 'number' ? p.a + 1 : typeof p.a",
    "p => { p.total = p.a * 2; p.d = { z: 1 }; return p }",
    "p => { const q = p; q.a = 'changed'; return p.a }",
    "p => { const d = p.d; if (d) d.a = 'changed'; return { a: p.d } }",
    "p => { p.self = p.d; if (p.self) p.self.a = 'changed'; return p.d }",
    "p => { delete p.a; return { a: p.a, p } }",
    "p => Object.assign({}, p, v, { x: 1 })",
    "p => { Object.assign(p, { a: { z: 1 } }); return p.a.z }",
    "p => { v = p.a; w = { v, b: p.b }; return { v, w } }",
    "p => { const set = x => { v = x }; set('new'); return v }",
    "p => { [1, 2].forEach(x => { v = [v, x] }); return v }",
    "p => { let n = 0; for (const x of p.c) n = x; return n }",
    "p => { let n = 0; [1, 2].forEach(x => { n += x }); return n }",
    "p => { if (p.a === 1) return 'one'; if (p.b) throw new Error('b'); return { other: p.c } }",
    "p => { if (!p.d) { p = { d: { a: 0 } } } return p.d.a }",
    "p => { try { return p.missing.x } catch (e) { return { caught: true } } }",
    "p => p.a === p.a && v === w",
    "p => ({ eq: p.a == '10', strict: p.a === '10', nothing: p.a == null, un: p.zz === undefined })",
    "p => `${p.a} of ${p.b}`",
    "p => p.a + p.b",
    "p => p.a - p.b",
    "p => -p.a",
    "p => [p.a].concat(p.c).length",
    "p => { const list = []; list.push(p.a); return { list, first: list[0], n: list.length } }",
    "p => { const o = { f() { o.x = 'changed' }, x: 1 }; o.f(); return { x: o.x } }",
    "p => { const o = { trim() { o.x = 'changed' }, x: 1 }; o.trim(); return { x: o.x } }",
    "p => p.c[0]",
    "p => p['c']['0']",
    "p => Object.keys(p).length > 2 ? Object.values(p) : JSON.stringify(p)",
    "p => { var x = 1; var x; return x }",
    "p => { switch (p.a) { case 1: v = 'one'; break; default: v = 2 } return v }",
    "p => { v++; w += 'x'; return [v, w] }",
    "p => void 0",
    "p => null",
    "p => { throw { code: 1 } }",
    "p => p.nope()",
    "p => ({ toJSON: () => 5 })",
    "p => ({ f: () => 1, d: new Date(0), n: NaN })",
    "p => { if (p.a) { v = { name: 'a' }; return p } return p }",
    "p => { w = { text: 'no' }; if (p.a) throw new Error('x'); w = false; return p }",
    "p => { v = { text: 'x' }; const j = JSON.parse(p.b); v = false; return j }",
    "p => { v = undefined; return { ok: true } }",
    "p => { w = p.missing; return 1 }",
    "p => { v = () => 1; return p }",
    "p => { v = {}; v.v = v; return 1 }",
    "p => { const [user] = [p.zz]; if (user === undefined) return { none: { n: 1 } }; return { user } }",
    "p => [p.zz].map(x => x === undefined ? 0 : x)",
    "p => { const [a = 5] = [p.zz]; return a }",
    "p => Object.values({ a: p.zz }).map(x => x === undefined)",
    "p => [1, 2].map(x => p.zz).filter(x => x === undefined).length > 0 ? { n: 1 } : 2",
    "p => { if (p) { if (p) return { ok: true } } return p.missing.more }",
    "p => { if (p.c) { if (p.a) return { ok: true } } return p.missing.more }",
    "p => { if (p.c) { for (const x of [1]) return x } return p.missing.more }",
    "() => [{ a: 1 }].filter(i => { i.a = 'x'; return true })[0].a.trim()",
    "() => [{ a: 1 }].find(i => { i.s = { n: 1 }; return true }).s.n",
    "() => { const list = []; return [list, list.push({})] }",
    "() => { const o = {}; return { a: o, b: (o.x = 1) } }",
    "() => { let last; return [1, 2].map(i => { if (last) last.n = 'x'; last = { n: 1 }; return last }) }",
    "() => { const o = { x: { n: 1 } }; const { x, y = (o.x.n = 'a') } = o; return { x, y } }",
    "p => ({ ...{ a: 1 }, ...{ a: p.zz } })",
    "p => ({ ...{ a: 1 }, ...{ a: undefined } }).a === undefined ? { n: 1 } : 2",
    "p => { const patch = { a: p.zz }; return { ...p, ...patch } }",
    "p => Object.assign({ a: 1 }, { a: p.zz })",
    "p => ({ r: Number(p.b) ?? 0 })",
    "p => ({ r: Number('x') ?? 0 })",
    "p => { p.b.x = 5; return p }",
    "p => { p.c.note = 1; return p }",
    "p => { p.a++; p.b.x += 1; return 1 }",
    "p => { p.b.x ??= 1; return 1 }",
    "p => 'zz' in p ? p.zz.rate : 0",
    "p => 'x' in { x: undefined } ? { n: 1 } : 2",
    "p => Array.isArray(p.c) ? p.c.length : p.c.list",
    "p => p.c instanceof Array ? 1 : { n: p.c }",
    "p => { const seen = {}; JSON.stringify(p, (k, v) => { seen[k] = { n: 1 }; return v }); return seen }",
    "() => { const s = {}; const o = { toString() { s.n = 'x'; return '' } }; String(o); return s.n.trim() }",
    "() => { const s = {}; const o = { valueOf() { s.n = 'x'; return 1 } }; return [o + 1, s.n.trim()] }",
    "p => { let n = 1; p.zz?.add(n = 'a'); return n }",
    "p => { let n = 1; ({}).add?.(n = 'a'); return n }",
    "() => [1][0.5]",
    "() => { let n = 'a'; n += (n = 1, 2); return n }",
    "p => { p = { x: 0 }; p.x = (p = { y: 1 }, 2); return p }",
];

#[test]
fn shapes_admit_the_results_of_functions() {
    let recorded = json(&place("../differential/functions/data/expected.json"));
    let parts = |at: usize| INPUTS.iter().map(|input| items(input)[at].clone()).collect::<Vec<_>>();
    let all = [parts(0), parts(1), parts(2)];
    let (mut results, mut known, mut throws, mut wrong) = (0, 0, 0, Vec::new());
    let random = items(&recorded).iter().map(|entry| items(entry)[0].as_str().expect("a record has a function"));
    for source in random.chain(SOUND.iter().copied()) {
        let Some(script) = read_text(source, &["v", "w"]).0 else { continue };
        let Some(unit) = script.unit.as_ref() else { continue };
        let function = Rc::new(to_core::function(unit, &script.variables, &Arc::default()));
        for input in INPUTS.iter() {
            let run = Session::new(Timestamp::from_seconds(0), 0);
            let [document, v, w] = items(input) else { panic!("an input has three values") };
            let of = |name: &String| if name == "w" { (w, &all[2]) } else { (v, &all[1]) };
            let given: Vec<_> = script.variables.iter().map(of).collect();
            let variables: Vec<Var> = given.iter().map(|(value, _)| Var::new(Js::from((*value).clone()))).collect();
            let result = run_function(&function, &run, Js::from(document.clone()), &variables);
            let result = match result {
                Err(Throw::Abort(_)) => continue,
                Err(Throw::Value(_)) => None,
                Ok(value) => match as_json(&run, &value) {
                    Some(value) => Some(value),
                    None => continue,
                },
            };
            // As in a state, a variable without JSON form keeps its value, and the call fails.
            let after: Vec<_> =
                variables.iter().map(|variable| Value::from_json(&shown(&run, &variable.get()))).collect();
            let result = result.filter(|_| after.iter().all(Result::is_ok));
            let after: Vec<Value> = after
                .into_iter()
                .zip(&given)
                .map(|(value, (before, _))| value.unwrap_or_else(|_| (*before).clone()))
                .collect();
            results += 1;
            let views_of = |(value, all): &(&Value, &Vec<Value>)| views(value, all);
            let of_variables: Vec<_> = given.iter().map(views_of).collect();
            for (at, shape) in views(document, &all[0]).iter().enumerate() {
                let shapes: Vec<_> = of_variables.iter().map(|views| views[at].clone()).collect();
                let Some(found) = script.outcome(shape, &shapes) else { continue };
                known += usize::from(!found.outcome.value.is_any());
                throws += usize::from(found.outcome.value.is_never());
                let is_certain = found.outcome.remarks.iter().any(|remark| remark.is_certain && remark.kind.fails());
                let fits = match &result {
                    Some(value) => admits(&found.outcome.value, value) && !is_certain,
                    None => found.may_throw,
                };
                let fits = fits && after.iter().zip(&found.variables).all(|(value, shape)| admits(shape, value));
                if !fits {
                    let (shape, variables) = (&found.outcome.value, &found.variables);
                    wrong.push(format!("{source}\n  of {input}\n  {result:?}\n  is not {shape} {variables:?}"));
                }
            }
        }
    }
    println!("{results} results, {known} known shapes, {throws} that throw");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(results > 3_000 && known > 1_000 && throws > 50, "{results} results, {known} known shapes");
}
