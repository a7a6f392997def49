//! Prints the results of the compiled expressions for some inputs, as lines of JSON: the number of
//! the expression, the number of the input, and the outputs or the message of the error.

use std::io::{BufWriter, Write as _};
use workflow_differential_jq::{Compiled, EXPRESSIONS};
use workflow_runtime::__private::jq;
use workflow_runtime::{FunctionLimits, Value};

fn main() {
    let path = std::env::args().nth(1).expect("a file with an array of inputs");
    let inputs = std::fs::read_to_string(path).expect("the file can be read");
    let inputs = Value::from_json(&inputs).expect("it is JSON");
    let inputs: Vec<Value> = inputs.as_array().expect("it is an array").iter().cloned().collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (at, (_, compiled)) in EXPRESSIONS.iter().enumerate() {
        match compiled {
            Compiled::Native(function) => {
                for (number, input) in inputs.iter().enumerate() {
                    let ended = jq::run(FunctionLimits::default(), || function(input, &Value::Int(3)));
                    match ended {
                        Ok(values) => writeln!(out, "[{at},{number},{values}]"),
                        Err(fault) => writeln!(out, "[{at},{number},null,{}]", Value::from(fault.to_string())),
                    }
                    .expect("it can be written");
                }
            }
            Compiled::Engine(reason) => writeln!(out, "[{at},\"engine\",{}]", Value::from(*reason)).expect("written"),
            Compiled::Refused(reason) => writeln!(out, "[{at},\"refused\",{}]", Value::from(*reason)).expect("written"),
        }
    }
}
