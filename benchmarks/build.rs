//! Compiles the definitions.

fn main() {
    for flow in ["ten", "linear", "pure", "chain", "each", "rounds"] {
        workflow_compiler::build().compile(format!("flows/{flow}.asl.json"));
    }
    #[cfg(feature = "maps")]
    for flow in ["charges", "batches"] {
        workflow_compiler::build().compile(format!("flows/{flow}.asl.json"));
    }
    #[cfg(feature = "javascript")]
    compositions::compile();
    #[cfg(feature = "jq")]
    filters::compile();
    #[cfg(feature = "jsonata")]
    expressions::compile();
}

#[cfg(feature = "jq")]
mod filters {
    use proc_macro2::{Ident, Span};
    use std::path::Path;
    use std::sync::Arc;
    use workflow_compiler::expr::jq::{self, ResultMode};

    /// Writes the compiled expressions to a file of functions.
    pub fn compile() {
        let list = "flows/filters.tsv";
        println!("cargo::rerun-if-changed={list}");
        let list = std::fs::read_to_string(list).expect("the list is there");
        let mut functions = String::new();
        for line in list.lines() {
            let (name, source) = line.split_once('\t').expect("a name and an expression");
            let mode = if name == "condition" { ResultMode::Test } else { ResultMode::Value };
            let filter = jq::read_text(source, &["value"], mode).expect("the expression is sound");
            let tokens = filter.emit(&Ident::new(name, Span::call_site()), &Arc::default()).expect("it is translated");
            functions.push_str(&format!("// {source}\npub {tokens}\n"));
        }
        let folder = std::env::var("OUT_DIR").expect("set by cargo");
        std::fs::write(Path::new(&folder).join("filters.rs"), functions).expect("a file can be written");
    }
}

#[cfg(feature = "jsonata")]
mod expressions {
    use proc_macro2::{Ident, Span};
    use std::path::Path;
    use std::sync::Arc;
    use workflow_compiler::expr::jsonata;

    /// Writes the translated expressions to a file of functions of the state's input.
    pub fn compile() {
        let list = "flows/expressions.tsv";
        println!("cargo::rerun-if-changed={list}");
        let list = std::fs::read_to_string(list).expect("the list is there");
        let mut functions = String::new();
        for line in list.lines() {
            let (name, source) = line.split_once('\t').expect("a name and an expression");
            let translation = jsonata::translate(source, &["states.input"], false).expect("it is translated");
            let tokens = translation.emit(&Ident::new(name, Span::call_site()), &Arc::default());
            functions.push_str(&format!("// {source}\npub {tokens}\n"));
        }
        let folder = std::env::var("OUT_DIR").expect("set by cargo");
        std::fs::write(Path::new(&folder).join("expressions.rs"), functions).expect("a file can be written");
    }
}

#[cfg(feature = "javascript")]
mod compositions {
    use std::fmt::Write as _;
    use std::path::Path;

    /// The calls of each function in an execution, equal to the constant in the benchmark.
    const CALLS: usize = 100;

    pub fn compile() {
        workflow_compiler::build().compile("flows/countdown.composer.json");
        for name in ["increment", "predicate"] {
            let path = format!("flows/{name}.js");
            println!("cargo::rerun-if-changed={path}");
            let function = std::fs::read_to_string(&path).expect("the function is there");
            let function = function.trim_end();
            write(name, &chain(name, function));
            // A class is not translated, so that the engine runs the same function.
            write(&format!("{name}_on_engine"), &chain(name, &format!("true ? {function} : class {{}}")));
        }
    }

    /// Writes a composition that calls the function repeatedly: an increment on its previous
    /// result, a predicate on parameters that are saved around the call, as `composer.if` does.
    fn chain(name: &str, function: &str) -> String {
        let mut states = String::new();
        for at in 0..CALLS {
            let next = at + 1;
            let function = format!("\"Type\": \"Task\", \"Function\": {function:?}");
            let written = match name {
                "predicate" => write!(
                    states,
                    "\"s{at}\": {{ \"Type\": \"Push\", \"Next\": \"f{at}\" }}, \
                     \"f{at}\": {{ {function}, \"Next\": \"c{at}\" }}, \
                     \"c{at}\": {{ \"Type\": \"Choice\", \"Then\": \"s{next}\", \"Else\": \"end\" }},"
                ),
                _ => write!(states, "\"s{at}\": {{ {function}, \"Next\": \"s{next}\" }},"),
            };
            written.expect("strings can be written to");
        }
        format!(
            "{{ \"Entry\": \"s0\", \"Exit\": \"end\", \"States\": {{ {states} \
             \"s{CALLS}\": {{ \"Type\": \"Pass\", \"Next\": \"end\" }}, \"end\": {{ \"Type\": \"Pass\" }} }} }}"
        )
    }

    fn write(name: &str, composition: &str) {
        let folder = std::env::var("OUT_DIR").expect("set by cargo");
        let file = Path::new(&folder).join(format!("{name}.composer.json"));
        std::fs::write(&file, composition).expect("a file can be written");
        // WF0375 notes that the engine runs a function.
        workflow_compiler::build().allow("WF0375").compile(file);
    }
}
