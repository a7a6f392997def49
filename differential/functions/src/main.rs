//! Compares translated functions with QuickJS: generates functions, translates them, and has each batch compiled and run.
//!
//! `cargo run -p functions -- [SECONDS [SEED [COUNT]]]`; `functions print SEED COUNT` prints one batch as Rust.

mod grammar;

use grammar::Generator;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::expr::javascript::{Site, read};
use workflow_compiler::source::{FileId, Sources};
use workflow_compiler::syntax;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    if arguments.first().is_some_and(|first| first == "print") {
        println!("{}", batch(number(1, 1), number(2, 400) as usize));
        return;
    }
    let (limit, mut seed, count) = (Duration::from_secs(number(0, 600)), number(1, 1), number(2, 400) as usize);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/functions.rs");
    let start = Instant::now();
    while start.elapsed() < limit {
        std::fs::write(&target, batch(seed, count)).expect("the batch is written");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo).args(["run", "-q", "-p", "batch"]).env("FUNCTIONS", &target).status();
        if !status.expect("cargo starts").success() {
            eprintln!("seed {seed} failed");
            std::process::exit(1);
        }
        seed += 1;
    }
    println!("nothing differs up to seed {seed}");
}

/// The functions of a seed, and a table of them.
fn batch(seed: u64, count: usize) -> String {
    let mut generator = Generator::new(seed);
    let (mut code, mut table, mut refused) = (String::new(), String::new(), 0);
    let visible = ["v".to_owned(), "w".to_owned()];
    for at in 0..count {
        let source = generator.function();
        let (text, name) = (text_of(&source), format!("function_{at}"));
        let mut diagnostics = Diagnostics::default();
        let Some(script) = read(&Site { text: &text, variables: &visible }, &mut diagnostics) else {
            // A `var` that meets a `let` of the same name around it.
            let found = diagnostics.finish();
            let is_usual = found.iter().all(|found| found.message.contains("already been declared"));
            assert!(is_usual, "{source}\nis refused: {:?}", found.first().map(|found| &found.message));
            continue;
        };
        let ident = proc_macro2::Ident::new(&name, proc_macro2::Span::call_site());
        let Some(tokens) = script.emit(&ident) else {
            refused += 1;
            if refused < 4 {
                eprintln!("not translated: {}", script.engine.unwrap_or_default());
            }
            continue;
        };
        code.push_str(&format!("// {}\n", source.replace('\n', " ")));
        code.push_str(&workflow_compiler::emit::format::format(tokens));
        let variables = script.variables.join(", ");
        table.push_str(&format!(
            "    ({source:?}, &[\"v\", \"w\"], |run, document, [v, w]| {name}(run, document, [{variables}])),\n"
        ));
    }
    format!("{code}\npub const FUNCTIONS: &[(&str, &[&str], super::Function)] = &[\n{table}];\n")
}

/// The function as it stands in a definition.
fn text_of(source: &str) -> syntax::Text {
    let mut sources = Sources::default();
    let quoted = format!("{source:?}").replace("\\'", "'");
    let file: FileId = sources.add(workflow_compiler::source::Source::new("function.json", quoted));
    let node = syntax::read(file, &sources, &mut Diagnostics::default());
    node.as_text().cloned().expect("a string")
}
