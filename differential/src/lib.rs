//! Runs the same operation on the same values in QuickJS and in the runtime, and compares the
//! results.
//!
//! A value is described by an expression that makes it, in either language, so that each operation
//! gets a new value. Results are compared as text: the type, the members, or the name of the
//! thrown error.

use std::collections::BTreeMap;

use rquickjs::{CatchResultExt, Context, Runtime};
use workflow_runtime::__private::js::{self, Class, Js, Run, Session, Throw};
use workflow_runtime::{Timestamp, Value};

/// A value, described in both languages.
#[derive(Clone, Copy)]
pub struct Maker {
    /// An expression of JavaScript.
    pub source: &'static str,
    make: Make,
}

#[derive(Clone, Copy)]
enum Make {
    Json,
    Rust(fn() -> Js),
}

impl Maker {
    /// Returns the value that a JSON text describes.
    pub const fn json(source: &'static str) -> Maker {
        Maker { source, make: Make::Json }
    }

    pub const fn new(source: &'static str, make: fn() -> Js) -> Maker {
        Maker { source, make: Make::Rust(make) }
    }

    pub fn make(&self) -> Js {
        match self.make {
            Make::Json => {
                let text = self.source.trim_start_matches('(').trim_end_matches(')');
                Js::from(Value::from_json(text).expect("JSON"))
            }
            Make::Rust(make) => make(),
        }
    }
}

type Call = dyn Fn(&Run, &[Js]) -> js::Result;

/// A compared operation: a function of values.
pub struct Operation {
    /// The parameters and body of a function of JavaScript, on `a`, an array of the values.
    pub source: String,
    pub run: Box<Call>,
}

impl Operation {
    pub fn new(source: impl Into<String>, run: impl Fn(&Run, &[Js]) -> js::Result + 'static) -> Operation {
        Operation { source: source.into(), run: Box::new(run) }
    }
}

/// JavaScript that renders a value as `show` below does.
const SHOW: &str = r#"
function text(s) { return JSON.stringify(s.toWellFormed()); }
function show(v, depth = 0) {
    if (depth > 6) return '…';
    switch (typeof v) {
        case 'number': return Object.is(v, -0) ? '-0' : String(v);
        case 'string': return text(v);
        case 'function': return 'function';
        case 'object': break;
        default: return String(v);
    }
    if (v === null) return 'null';
    if (Array.isArray(v)) return '[' + Array.from(v, x => show(x, depth + 1)).join() + ']';
    const kind = v instanceof Error ? v.name : v instanceof Date ? 'Date ' + v.getTime() : '';
    const keys = Object.keys(v);
    return kind + '{' + keys.map(k => text(k) + ':' + show(v[k], depth + 1)).join() + '}';
}
function outcome(f, makers) {
    const a = makers.map(m => m());
    let shown;
    try { shown = show(f(a)); } catch (e) { shown = 'throw ' + (e instanceof Error ? e.name : show(e)); }
    return shown + ' after ' + a.map(x => show(x)).join(' ');
}
"#;

fn show(value: &Js, depth: usize) -> String {
    if depth > 6 {
        return "…".into();
    }
    let object = match value {
        Js::Number(number) if *number == 0.0 && number.is_sign_negative() => return "-0".into(),
        Js::String(text) => return quoted(text),
        Js::Object(object) => object,
        other => return js::string(other).map_or_else(|_| "?".into(), |text| text.to_string()),
    };
    let part = |key: &str| show(&js::get(value, key).unwrap_or_default(), depth + 1);
    let kind = match object.class() {
        Class::Function => return "function".into(),
        Class::Array => {
            let parts: Vec<String> = js::keys(value).iter().map(|key| part(key)).collect();
            return format!("[{}]", parts.join(","));
        }
        Class::Error => {
            js::get(value, "name").and_then(|name| js::string(&name)).map_or_else(|_| "?".into(), |n| n.to_string())
        }
        Class::Date => format!("Date {}", js::number(value).map_or(f64::NAN, |number| number)),
        _ => String::new(),
    };
    let parts: Vec<String> = js::keys(value).iter().map(|key| format!("{}:{}", quoted(key), part(key))).collect();
    format!("{kind}{{{}}}", parts.join(","))
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn outcome(operation: &Operation, makers: &[Maker]) -> String {
    let values: Vec<Js> = makers.iter().map(Maker::make).collect();
    // The session frees the remaining objects when it ends.
    let session = Session::new(Timestamp::from_seconds(0), 0);
    let result = (operation.run)(&session, &values);
    let shown = match result {
        Ok(value) => show(&value, 0),
        Err(Throw::Abort(text)) => format!("abort {text}"),
        Err(Throw::Value(value)) => match &value {
            Js::Object(object) if object.class() == Class::Error => {
                format!("throw {}", js::get(&value, "name").and_then(|name| js::string(&name)).unwrap())
            }
            value => format!("throw {}", show(value, 0)),
        },
    };
    let after: Vec<String> = values.iter().map(|value| show(value, 0)).collect();
    format!("{shown} after {}", after.join(" "))
}

/// The result of a comparison.
pub struct Compared {
    pub cases: usize,
    /// The numbers of intended differences, by reason.
    pub known: BTreeMap<&'static str, usize>,
    /// The other differences, by operation.
    pub differences: BTreeMap<String, Vec<String>>,
}

impl Compared {
    /// Fails if there are other differences, and prints some of them for each operation.
    pub fn check(self, name: &str) {
        let total: usize = self.differences.values().map(Vec::len).sum();
        println!("{name}: {} cases, {total} differences", self.cases);
        self.known.iter().for_each(|(reason, count)| println!("    {count} known to differ: {reason}"));
        for (operation, differences) in &self.differences {
            println!("{operation}: {} differences", differences.len());
            differences.iter().take(4).for_each(|difference| println!("    {difference}"));
        }
        assert_eq!(total, 0, "{name} differ");
    }
}

/// Compares each operation over each list of values.
pub fn compare(operations: &[(Operation, Vec<Vec<Maker>>)]) -> Compared {
    let runtime = Runtime::new().expect("QuickJS starts");
    runtime.set_memory_limit(512 << 20);
    runtime.set_max_stack_size(512 << 10);
    let context = Context::full(&runtime).expect("QuickJS starts");
    let mut compared = Compared { cases: 0, known: BTreeMap::new(), differences: BTreeMap::new() };
    context.with(|context| {
        context.eval::<(), _>(SHOW).catch(&context).expect("the script is read");
        for (operation, lists) in operations {
            for lists in lists.chunks(2000) {
                let makers: Vec<String> = lists
                    .iter()
                    .map(|list| {
                        list.iter().map(|maker| format!("()=>({})", maker.source)).collect::<Vec<_>>().join(",")
                    })
                    .collect();
                let script = format!(
                    "'use strict'; [{}].map(makers => outcome(a => {}, makers)).join('\\n')",
                    makers.iter().map(|makers| format!("[{makers}]")).collect::<Vec<_>>().join(","),
                    operation.source
                );
                let expected: String = context.eval(script).catch(&context).expect("the script runs");
                for (list, expected) in lists.iter().zip(expected.split('\n')) {
                    compared.cases += 1;
                    let actual = outcome(operation, list);
                    if expected == actual {
                        continue;
                    }
                    if let Some(reason) = known(&operation.source, list, expected, &actual) {
                        *compared.known.entry(reason).or_default() += 1;
                    } else {
                        let values: Vec<&str> = list.iter().map(|maker| maker.source).collect();
                        let difference = format!("{}: QuickJS {expected}, runtime {actual}", values.join(" , "));
                        compared.differences.entry(operation.source.clone()).or_default().push(difference);
                    }
                }
            }
        }
    });
    compared
}

/// Returns the reason why a difference is intended, if it is.
fn known(operation: &str, values: &[Maker], expected: &str, actual: &str) -> Option<&'static str> {
    let first = values.first()?;
    let reasons = [
        // The function aborts instead of continuing with another value.
        (actual.starts_with("abort a property"), "arrays have elements only"),
        (actual.starts_with("abort objects around"), "there are no objects around primitives"),
        (
            operation.contains("...a[0], ...a[1]}") && values.iter().any(|value| value.source.starts_with('"')),
            "QuickJS copies nothing of a string into an object literal, against ECMA-262 §7.3.25",
        ),
        (
            operation.starts_with("a[0].set")
                && expected.starts_with("NaN after")
                && actual.starts_with("NaN after Date NaN"),
            "QuickJS leaves a date as it was when a setter makes it invalid, against ECMA-262 §21.4.4",
        ),
        (
            operation.starts_with("a[0].repeat") && first.source == "\"\"" && expected.starts_with("throw RangeError"),
            "QuickJS refuses to repeat even the empty text more than 2^31 times",
        ),
        (
            operation.starts_with("a[0].toString(a[1]") && !is_exact(*first),
            "ECMA-262 leaves open how many digits fractions have in a radix: as many as in V8",
        ),
        (
            operation.contains("Date") && is_number(*first),
            "ECMA-262 leaves open which texts without a format are dates",
        ),
        (
            operation.starts_with("a[0].replaceAll") && first.source.contains('😀') && expected.contains('\u{fffd}'),
            "an empty text is not found inside of a pair",
        ),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
}

fn is_exact(number: Maker) -> bool {
    number.source.parse().is_ok_and(|number: f64| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)
}

fn is_number(value: Maker) -> bool {
    let text = value.source.trim_matches(['"', '[', ']']).replace("\\n", "");
    text.trim().parse::<f64>().is_ok()
}

/// Returns all lists with one value of each choice.
pub fn product(choices: &[&[Maker]]) -> Vec<Vec<Maker>> {
    choices.iter().fold(vec![Vec::new()], |lists, choice| {
        let extend = |list: Vec<Maker>| choice.iter().map(move |maker| [list.clone(), vec![*maker]].concat());
        lists.into_iter().flat_map(extend).collect()
    })
}

pub mod values;
