//! Translates every expression of a list to a Rust function. Expressions that are not translated
//! have the reason.

use proc_macro2::{Ident, Span};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs};
use workflow_compiler::expr::jsonata;

/// The number of expressions of the list that are compiled. Tests of the compiler interpret all.
const COMPILED: usize = 2_000;

fn main() {
    // The variable may name another list, with one expression a line.
    println!("cargo::rerun-if-env-changed=JSONATA_EXPRESSIONS");
    println!("cargo::rerun-if-changed=build.rs");
    let (list, most) = match env::var("JSONATA_EXPRESSIONS") {
        Ok(list) => (list, usize::MAX),
        Err(_) => ("data/expressions.txt".to_owned(), COMPILED),
    };
    println!("cargo::rerun-if-changed={list}");
    let list = fs::read_to_string(list).expect("the list of expressions is there");
    let mut out = String::from("use workflow_runtime::__private::{self as rt, Value, jsonata};\n\n");
    let mut table = String::new();
    for (at, source) in list.lines().take(most).enumerate() {
        let entry = match jsonata::translate(source, &["states.input", "bound"], true) {
            Err(reason) => format!("Err({reason:?})"),
            Ok(translation) => {
                let function = format!("expression_{at}");
                let tokens = translation.emit(&Ident::new(&function, Span::call_site()), &Arc::default());
                writeln!(out, "// {source}\n{tokens}").expect("a string");
                format!("Ok({function})")
            }
        };
        writeln!(table, "    ({source:?}, {entry}),").expect("a string");
    }
    write!(out, "pub static EXPRESSIONS: &[Expression] = &[\n{table}];\n").expect("a string");
    let path = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("expressions.rs");
    fs::write(path, out).expect("it can be written");
}
