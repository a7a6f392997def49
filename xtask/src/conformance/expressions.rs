//! Expressions in JSONata outside of a workflow. The module of an expression has its text and, if
//! the compiler translates it, its code. The runner runs both ways.

use super::case::{Mismatch, Outcome};
use super::compile::{GeneratedModule, GeneratedProgram, Ways};
use super::observed::Ended;
use proc_macro2::{Ident, Span};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use workflow_compiler::expr::jsonata;
use workflow_jsonata::{Facts, is_function, parse};

/// The name of the function with an expression's code.
const FUNCTION: &str = "expression";

/// An expression in JSONata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The text.
    pub source: String,
    /// The names of the values that it reads: variables, and members of `$states`, such as
    /// `states.input`.
    pub names: Vec<String>,
    /// `true` if it sees an input document, which expressions of a state do not have.
    pub document: bool,
}

impl Expression {
    /// Returns an expression of a state. The names are those that it reads. `assigned` are the
    /// variables that hide functions of the same names.
    pub fn of_state(source: &str, assigned: &BTreeSet<String>) -> Expression {
        let facts = parse(source).map(|node| Facts::of(&node)).ok();
        let states = facts.iter().flat_map(|facts| &facts.states).map(|member| format!("states.{member}"));
        let free = facts.iter().flat_map(|facts| &facts.variables).filter(|free| free.is_read);
        let variables = free
            .filter(|free| !is_function(&free.name) || assigned.contains(&*free.name))
            .map(|free| free.name.to_string());
        Expression { source: source.to_owned(), names: states.chain(variables).collect(), document: false }
    }
}

/// Compiles an expression to its module.
pub fn compile(expression: &Expression) -> GeneratedModule {
    let Expression { source, names, document } = expression;
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let (function, translated, ways) = match jsonata::translate(source, &known, *document) {
        Ok(translation) => {
            let tokens = translation.emit(&Ident::new(FUNCTION, Span::call_site()), &Arc::default());
            let document = document.then(|| "document".to_owned());
            let values = (0..names.len()).map(|at| format!("values[{at}]"));
            let arguments: Vec<String> = document.into_iter().chain(values).chain(["run".to_owned()]).collect();
            let call = format!("{FUNCTION}({})", arguments.join(", "));
            (tokens.to_string(), format!("Some(|document, values, run| {call})"), Ways::Both)
        }
        Err(_) if parse(source).is_err() => (String::new(), "None".to_owned(), Ways::Neither),
        Err(reason) => (String::new(), "None".to_owned(), Ways::Evaluated(reason)),
    };
    let code = format!(
        "#![allow(warnings, clippy::all)]\nuse workflow_runtime::__private::{{self as rt, Value, jsonata}};\n\n\
         pub static EXPRESSION: conformance_runner::Expression = conformance_runner::Expression {{\n    \
         source: {source:?},\n    names: &{names:?},\n    translated: {translated},\n}};\n\n{function}"
    );
    GeneratedModule { code, program: GeneratedProgram::Expression(ways) }
}

/// The outcomes of a round: by the evaluator, and by the translated code, if there is any.
pub struct Round<'a> {
    /// The outcome of the evaluator.
    pub evaluated: &'a Value,
    /// The outcome of the translated code, if it is another one.
    pub different: Option<&'a Value>,
}

/// Returns the rounds of a run.
pub fn rounds<'a>(outcome: &'a Outcome<'_>) -> Result<Vec<Round<'a>>, Mismatch> {
    let Outcome::Ran(observed) = outcome else { return Err(Mismatch::new("to be run", "not run")) };
    let Ended::Output(Value::Array(records)) = &observed.result else {
        return Err(Mismatch::new("records of rounds", "none"));
    };
    let round = |record: &'a Value| Round {
        evaluated: &record["evaluated"],
        different: if record["differs"] == true { record.get("translated") } else { None },
    };
    Ok(records.iter().map(round).collect())
}

/// Fails if the translated code has another outcome than the evaluator in a round.
pub fn both_ways(outcome: &Outcome<'_>) -> Result<(), Mismatch> {
    for (at, round) in rounds(outcome)?.iter().enumerate() {
        if let Some(different) = round.different {
            let expected = format!("as evaluated in round {at}: {}", round.evaluated);
            return Err(Mismatch::new(expected, format!("translated: {different}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_of_a_state_reads_members_and_variables() {
        let assigned = BTreeSet::from(["error".to_owned()]);
        let names = |source: &str| Expression::of_state(source, &assigned).names;
        assert_eq!(names("$error.Cause & $string & $type"), ["error"]);
        assert_eq!(names("$states.input.a + $sum($b) + ($c := 1; $c)"), ["states.input", "b"]);
        assert_eq!(names("("), [""; 0]);
    }

    #[test]
    fn the_module_of_an_expression_has_its_code_or_only_its_text() {
        let compiled = |source: &str| compile(&Expression::of_state(source, &BTreeSet::new()));
        let translated = compiled("$states.input.total > $limit");
        assert!(translated.code.contains("Some(|document, values, run| expression(values[0], values[1], run))"));
        assert!(matches!(translated.program, GeneratedProgram::Expression(Ways::Both)));
        let evaluated = compiled("$states.input.a.{'b': %.c}");
        assert!(evaluated.code.contains("translated: None"));
        assert!(matches!(evaluated.program, GeneratedProgram::Expression(Ways::Evaluated(_))));
        assert!(matches!(compiled("$states.").program, GeneratedProgram::Expression(Ways::Neither)));
    }
}
