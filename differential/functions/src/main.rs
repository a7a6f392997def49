//! Compares translated functions with QuickJS: generates functions, translates them, and compiles
//! and runs each batch.
//!
//! `cargo run -p functions -- [SECONDS [SEED [COUNT]]]`. `functions print SEED COUNT` prints one
//! batch as Rust. `functions list FILE` prints the batch of a list of functions: a JSON array of
//! objects with the text as `src`.

mod grammar;
mod random;

use grammar::Generator;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::expr::javascript::{FunctionText, globals, read};
use workflow_compiler::source::{Source, Sources};
use workflow_compiler::syntax;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    match arguments.first().map(String::as_str) {
        Some("print") => return println!("{}", batch(generated(number(1, 1), number(2, 400) as usize))),
        Some("list") => return println!("{}", batch(listed(arguments.get(1).expect("a file")))),
        _ => {}
    }
    let (limit, mut seed, count) = (Duration::from_secs(number(0, 600)), number(1, 1), number(2, 400) as usize);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = root.join("target/functions.rs");
    std::fs::create_dir_all(root.join("target")).expect("a folder for batches");
    let start = Instant::now();
    while start.elapsed() < limit {
        std::fs::write(&target, batch(generated(seed, count))).expect("the batch is written");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["run", "-q", "-p", "batch"])
            .env("FUNCTIONS", &target)
            .current_dir(&root)
            .status();
        if !status.expect("cargo starts").success() {
            eprintln!("seed {seed} failed");
            std::process::exit(1);
        }
        seed += 1;
    }
    println!("nothing differs up to seed {seed}");
}

/// Returns the functions of a seed, and one function for each built-in function.
fn generated(seed: u64, count: usize) -> Vec<String> {
    let mut generator = Generator::new(seed);
    let builtins = globals::BUILTINS.iter().map(|builtin| format!("({{ a, c }}) => {}(a, c)", builtin.name));
    builtins.chain((0..count).map(|_| generator.function())).collect()
}

/// Returns the functions of a file.
fn listed(path: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("functions.json", std::fs::read_to_string(path).expect("a file")));
    let root = syntax::read(file, &sources, &mut Diagnostics::default());
    let text = |node: &syntax::Node| Some(node.get("src")?.as_text()?.value.clone());
    root.as_array().unwrap_or_default().iter().filter_map(text).collect()
}

/// Returns the functions as Rust, with a table of them.
fn batch(functions: Vec<String>) -> String {
    let (mut code, mut table, mut refused) = (String::new(), String::new(), 0);
    let visible = ["v".to_owned(), "w".to_owned()];
    for (at, source) in functions.into_iter().enumerate() {
        let (text, name) = (text_of(&source), format!("function_{at}"));
        let mut diagnostics = Diagnostics::default();
        let Some(script) = read(&FunctionText { text: &text, variables: &visible }, &mut diagnostics) else {
            // The translation fails if a `var` conflicts with an outer `let` of the same name.
            let found = diagnostics.finish();
            let is_usual = found.iter().all(|found| found.message.contains("already been declared"));
            if !is_usual {
                eprintln!("{source}\nis refused: {:?}", found.first().map(|found| &found.message));
            }
            continue;
        };
        let ident = proc_macro2::Ident::new(&name, proc_macro2::Span::call_site());
        let Some(tokens) = script.emit(&ident, &std::sync::Arc::default()) else {
            refused += 1;
            if refused < 4 {
                eprintln!("not translated: {}", script.engine.unwrap_or_default());
            }
            continue;
        };
        code.push_str(&format!("// {}\n", source.replace('\n', " ")));
        code.push_str(&tokens.to_string());
        // Functions that QuickJS lacks, or whose results vary, are compiled only.
        if ["Buffer.", "console.", "atob", "btoa", "Date.now", "Math.random", "new Date"]
            .iter()
            .any(|it| source.contains(it))
        {
            continue;
        }
        let variables = script.variables.join(", ");
        table.push_str(&format!(
            "    ({source:?}, &[\"v\", \"w\"], |run, document, [v, w]| {name}(run, document, [{variables}])),\n"
        ));
    }
    format!("{code}\npub const FUNCTIONS: &[(&str, &[&str], super::Function)] = &[\n{table}];\n")
}

/// Returns the function as a text in a definition.
fn text_of(source: &str) -> syntax::Text {
    let mut sources = Sources::default();
    let quoted = format!("{source:?}").replace("\\'", "'");
    let file = sources.add(Source::new("function.json", quoted));
    let node = syntax::read(file, &sources, &mut Diagnostics::default());
    node.as_text().cloned().expect("a string")
}
