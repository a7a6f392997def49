//! Tests of every built-in method over receivers of its kind and products of arguments.

use workflow_differential::values::{ABSENT, FEW, FUNCTIONS, NUMBERS, OBJECTS, TEXTS};
use workflow_differential::{Maker, Operation, compare, product};
use workflow_runtime::__private::js::{self, Js};

/// Returns `false` for a method whose results cannot be compared.
fn compared(prototype: &str, method: &str) -> bool {
    // QuickJS has no Buffer; locales are the host's; the source of functions is not kept.
    prototype != "Buffer" && method != "toLocaleString" && (prototype != "Function" || method != "toString")
}

fn receivers(prototype: &str) -> Vec<Maker> {
    match prototype {
        "Array" => {
            let mut arrays: Vec<Maker> =
                OBJECTS.iter().copied().filter(|maker| maker.source.starts_with('[')).collect();
            arrays.extend([
                Maker::json("[3,1,2,10,null,1]"),
                Maker::json(r#"["b","a","😀","\uff5e",""]"#),
                Maker::new("[NaN, undefined, -0, 0, 'x', {}]", || {
                    js::array([
                        Js::Number(f64::NAN),
                        Js::Undefined,
                        Js::Number(-0.0),
                        Js::Number(0.0),
                        Js::from("x"),
                        js::object([]),
                    ])
                }),
            ]);
            arrays
        }
        "Boolean" => ABSENT[2..].to_vec(),
        "Date" => {
            let date = |source, time: fn() -> Js| Maker::new(source, time);
            vec![
                date("new Date(0)", || date_of(0.0)),
                date("new Date(NaN)", || date_of(f64::NAN)),
                date("new Date(951782400123)", || date_of(951_782_400_123.0)),
                date("new Date(-1)", || date_of(-1.0)),
                date("new Date(-62198755200000)", || date_of(-62_198_755_200_000.0)),
                date("new Date(8.64e15)", || date_of(8.64e15)),
                date("new Date(1709164800000)", || date_of(1_709_164_800_000.0)),
            ]
        }
        "Error" => OBJECTS.iter().copied().filter(|maker| maker.source.contains("Error(")).collect(),
        "Function" => FUNCTIONS.to_vec(),
        "Number" => NUMBERS.to_vec(),
        "Object" => OBJECTS.to_vec(),
        _ => TEXTS.to_vec(),
    }
}

fn date_of(time: f64) -> Js {
    let session = js::Session::new(workflow_runtime::Timestamp::from_seconds(0), 0);
    js::construct(&session, "Date", &[Js::Number(time)]).expect("a date is made")
}

fn operation(method: &'static str, arguments: usize) -> Operation {
    let list: Vec<String> = (1..=arguments).map(|at| format!("a[{at}]")).collect();
    let call = format!("a[0].{method}({})", list.join(", "));
    let source = match method {
        // Iterators are arrays in the runtime.
        "keys" | "values" | "entries" => format!("[...{call}]"),
        _ => call,
    };
    Operation::new(source, move |run, a| js::call_method(run, &a[0], method, method, &a[1..]))
}

/// Returns the values that do not make QuickJS build a string of gigabytes.
fn small(method: &str, values: &[Maker]) -> Vec<Maker> {
    let grows = matches!(method, "repeat" | "padStart" | "padEnd");
    let large = |maker: &Maker| matches!(maker.source, "2147483648" | "255");
    values.iter().copied().filter(|maker| !grows || !large(maker)).collect()
}

#[test]
fn methods_agree() {
    let mut operations = Vec::new();
    for (prototype, methods) in js::prototypes() {
        let receivers = receivers(prototype);
        for method in methods.iter().filter(|method| compared(prototype, method.name)) {
            let takes_functions = prototype == "Array" && method.name != "join" || method.name.starts_with("replace");
            let functions = if takes_functions { FUNCTIONS } else { &[] };
            let all = small(method.name, &[ABSENT, NUMBERS, TEXTS, &OBJECTS[..9], functions].concat());
            let few = small(method.name, &[FEW, functions].concat());
            let calls_back = prototype == "Function" && matches!(method.name, "apply" | "bind");
            operations.push((operation(method.name, 0), product(&[&receivers])));
            if !calls_back {
                operations.push((operation(method.name, 1), product(&[&receivers, &all])));
            }
            if !calls_back && !method.name.starts_with("get") {
                operations.push((operation(method.name, 2), product(&[&receivers, &few, &few])));
                operations.push((operation(method.name, 3), product(&[&receivers, &few[..6], &few[..8], &few[5..9]])));
            }
        }
    }
    compare(&operations).check("methods");
}

#[test]
fn functions_are_applied_alike() {
    let functions = FUNCTIONS;
    let bind = Operation::new("a[0].bind(a[1], a[2])(a[3])", |run, a| {
        let bound = js::call_method(run, &a[0], "bind", "bind", &a[1..3])?;
        js::call(run, &bound, "bound", &a[3..])
    });
    let apply =
        Operation::new("a[0].apply(a[1], a[2])", |run, a| js::call_method(run, &a[0], "apply", "apply", &a[1..]));
    let lists =
        [&Maker::json("[]"), &Maker::json("[5,3]"), &Maker::json("null"), &Maker::json("[[1],2,3]")].map(|m| *m);
    compare(&[
        (bind, product(&[functions, &FEW[..4], FEW, &FEW[..8]])),
        (apply, product(&[functions, &FEW[..4], &lists])),
    ])
    .check("functions");
}
