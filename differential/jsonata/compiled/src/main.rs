//! Prints a line of JSON for each expression: the outcomes of the evaluator on the documents, and
//! those of the translated code, or the reason why there is none.

use std::io::{BufWriter, Write as _};
use workflow_differential_jsonata_compiled::{EXPRESSIONS, both_ways, inputs};
use workflow_runtime::Value;

fn main() {
    let inputs = inputs();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for expression in EXPRESSIONS {
        let (evaluated, translated): (Vec<String>, Vec<Option<String>>) =
            inputs.iter().map(|input| both_ways(expression, input)).unzip();
        let translated: Option<Vec<String>> = translated.into_iter().collect();
        let translated = match (translated, expression.1) {
            (Some(outcomes), _) => format!("[{}]", outcomes.join(",")),
            (None, reason) => Value::from(reason.err().unwrap_or_default()).to_string(),
        };
        writeln!(out, "[[{}],{translated}]", evaluated.join(",")).expect("the output is open");
    }
}
