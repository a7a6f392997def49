//! Runs the functions of a batch on some documents, in QuickJS and translated, and compares the
//! results: the returned or thrown value, the document after the call, and the variables.

use rquickjs::{CatchResultExt, Context, Promise, Runtime};
use workflow_runtime::__private::js::{self, Class, Js, Run, Session, Throw, Var};
use workflow_runtime::{Timestamp, Value};

/// A translated function. Every function may use the two Let variables.
type Function = fn(&Run, Js, [Var; 2]) -> js::Result;

mod generated {
    #![allow(warnings)]
    use workflow_runtime::__private::js::{self, Js};
    include!(env!("FUNCTIONS"));
}

/// The arguments of functions: the document, and the variables.
const INPUTS: &[(&str, [&str; 2])] = &[
    ("{}", ["0", r#"{"b":{"c":2}}"#]),
    (r#"{"a":1,"b":"x","c":[1,2,3],"d":{"a":5,"e":null}}"#, ["3", r#""text""#]),
    (r#"{"a":"10","b":[],"c":["q",{"a":1},[2]],"d":{"b":{"c":[true]}},"e":-0.5}"#, ["-1.5", "[1,2]"]),
    (r#"{"a":null,"b":true,"c":"héllo","d":[{"a":1},{"a":2}],"e":{"length":2}}"#, [r#""7""#, r#"{"a":1,"c":[4]}"#]),
    (r#"{"2":"two","1":"one","a":{"a":{"a":0}},"b":1e21,"c":false,"d":""}"#, [r#"[3,"4"]"#, "1e3"]),
];

fn main() {
    let runtime = Runtime::new().expect("QuickJS starts");
    runtime.set_memory_limit(256 << 20);
    runtime.set_max_stack_size(512 << 10);
    let context = Context::full(&runtime).expect("QuickJS starts");
    let (mut cases, mut thrown, mut differences) = (0, 0, 0);
    for (source, variables, function) in generated::FUNCTIONS {
        for (document, values) in INPUTS {
            cases += 1;
            let expected = context.with(|context| {
                let script = script(source, variables, document, values);
                let result = context.eval::<Promise, _>(script).and_then(|promise| promise.finish::<String>());
                result.catch(&context).unwrap_or_else(|error| format!("engine: {error}"))
            });
            thrown += usize::from(expected.starts_with("throw"));
            let actual = translated(*function, variables, document, values);
            if expected != actual && !is_known(source, &expected, &actual) {
                differences += 1;
                println!("--- {source}\nof {document} {values:?}\n  QuickJS    {expected}\n  translated {actual}");
            }
        }
    }
    println!("{cases} cases, {thrown} thrown, {differences} differences");
    std::process::exit(i32::from(differences > 0));
}

/// Returns `true` if a difference is intended: the function aborts instead of continuing with
/// another value.
fn is_known(source: &str, expected: &str, actual: &str) -> bool {
    // The globals of Node.js are known to `typeof`, but their use throws a `ReferenceError`.
    let uses_node = source.contains("require(") || source.contains("process.");
    uses_node && actual.starts_with("throw ReferenceError")
        || actual.starts_with("abort a property")
        || actual.starts_with("abort objects around primitives")
        || expected.contains("Maximum call stack")
        || actual.starts_with("abort the function used up its budget") && expected.starts_with("throw \"turns\"")
}

fn script(source: &str, variables: &[&str], document: &str, values: &[&str; 2]) -> String {
    let declared: Vec<String> =
        variables.iter().zip(values).map(|(name, value)| format!("let {name} = {value};")).collect();
    let names = variables.join(", ");
    format!(
        r#""use strict"; (async () => {{
            globalThis.console ??= {{}}; globalThis.process ??= {{}};
            globalThis.require = globalThis.setTimeout = globalThis.clearTimeout = globalThis.setImmediate = () => {{}};
            globalThis.Buffer = globalThis.atob = globalThis.btoa = () => {{}};
            const show = x => {{ try {{ const t = JSON.stringify(x); return t === undefined ? typeof x : t; }} catch (e) {{ return e.name; }} }};
            {} const document = {document}; let params = document;
            let outcome;
            try {{ outcome = show(await (({source}))(document)); }}
            catch (e) {{ outcome = 'throw ' + (e instanceof Error ? e.name : show(e)); }}
            return [outcome, document, {names}].map((x, i) => i ? show(x) : x).join(' | ');
        }})()"#,
        declared.join(" "),
    )
}

fn translated(function: Function, variables: &[&str], document: &str, values: &[&str; 2]) -> String {
    let _ = variables;
    let of_text = |text: &str| Js::from(Value::from_json(text).expect("JSON"));
    let run = Session::new(Timestamp::from_seconds(0), 0);
    let document = of_text(document);
    let variables = values.map(|value| Var::new(of_text(value)));
    let outcome = match function(&run, document.clone(), variables.clone()) {
        Ok(value) => show(&run, &value),
        Err(Throw::Abort(text)) => return format!("abort {text}"),
        Err(Throw::Value(value)) => match &value {
            Js::Object(object) if object.class() == Class::Error => {
                let name = js::get(&value, "name").and_then(|name| js::string(&name));
                format!("throw {}", name.map_or_else(|_| String::new(), |name| name.to_string()))
            }
            value => format!("throw {}", show(&run, value)),
        },
    };
    let after: Vec<String> = [document]
        .into_iter()
        .chain(variables.map(|variable| variable.get()))
        .map(|value| show(&run, &value))
        .collect();
    format!("{outcome} | {}", after.join(" | "))
}

fn show(run: &Run, value: &Js) -> String {
    match js::builtin::json_stringify(run, &[value.clone()]) {
        Ok(Js::String(text)) => text.to_string(),
        Ok(_) => js::type_of(value).to_owned(),
        Err(Throw::Value(error)) => js::get(&error, "name")
            .and_then(|name| js::string(&name))
            .map_or_else(|_| "?".into(), |name| name.to_string()),
        Err(Throw::Abort(text)) => format!("abort {text}"),
    }
}
