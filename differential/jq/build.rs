//! Compiles every expression of the lists to a Rust function.

use proc_macro2::{Ident, Span};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};
use workflow_compiler::expr::jq;

fn main() {
    // The variable may name another list, with one expression a line.
    let lists = match env::var("JQ_EXPRESSIONS") {
        Ok(list) => vec![list],
        Err(_) => vec!["data/expressions.txt".to_owned(), "data/serverless.txt".to_owned()],
    };
    println!("cargo::rerun-if-env-changed=JQ_EXPRESSIONS");
    println!("cargo::rerun-if-env-changed=JQ_MODE");
    println!("cargo::rerun-if-changed=build.rs");
    // The mode selects the result from the outputs: `all` by default, `value` or `test`.
    let name = env::var("JQ_MODE").unwrap_or_else(|_| "all".to_owned());
    let mode = match name.as_str() {
        "all" => jq::ResultMode::All,
        "value" => jq::ResultMode::Value,
        "test" => jq::ResultMode::Test,
        other => panic!("JQ_MODE is `{other}`, and none of `all`, `value` and `test`"),
    };
    let mut text = String::new();
    for list in lists {
        println!("cargo::rerun-if-changed={list}");
        text.push_str(&fs::read_to_string(&list).expect("the list of expressions is there"));
    }
    let expressions: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut out = String::from("use workflow_runtime::__private::{self as rt, Value, jq};\n\n");
    let mut table = String::new();
    for (at, source) in expressions.iter().enumerate() {
        let entry = match jq::read_text(source, &["value"], mode) {
            Err(refusal) => format!("Compiled::Refused({refusal:?})"),
            Ok(filter) => {
                let function = format!("expression_{at}");
                match (filter.emit(&Ident::new(&function, Span::call_site()), &std::sync::Arc::default()), &filter.engine) {
                    (Some(tokens), None) => {
                        let doc: String = source.lines().map(|line| format!("// {line}\n")).collect();
                        write!(out, "{doc}{tokens}\n").expect("a string");
                        let mut arguments = vec![if filter.properties.takes_ownership { "input.clone()" } else { "input" }];
                        arguments.extend(filter.variables.iter().map(|_| "value"));
                        arguments.extend(filter.properties.now.then_some("NOW"));
                        let call = format!("{function}({})", arguments.join(", "));
                        let call = if filter.properties.fails { call } else { format!("Ok({call})") };
                        let call = if name == "test" { format!("{call}.map(Value::Bool)") } else { call };
                    format!("Compiled::Native(|input, value| {call})")
                    }
                    (_, reason) => format!("Compiled::Engine({:?})", reason.clone().unwrap_or_default()),
                }
            }
        };
        writeln!(table, "    ({source:?}, {entry}),").expect("a string");
    }
    writeln!(out, "pub const MODE: &str = {name:?};\n").expect("a string");
    write!(out, "pub static EXPRESSIONS: &[(&str, Compiled)] = &[\n{table}];\n").expect("a string");
    let path = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("expressions.rs");
    fs::write(path, out).expect("it can be written");
}
