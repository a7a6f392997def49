//! Programs: read once, and evaluated as often as is asked.

use std::sync::{Arc, LazyLock, OnceLock};

use cel::common::types::CelBool;
use cel::parser::{Expression, ExpressionReferences, Parser};
use cel::{Context, Env};

use super::error::{evaluation, fault, is_no_answer};
use super::{guard, value};
use crate::budget::Lent;
use crate::expr::jq::{self, budget};
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::panics;
use crate::value::{MAX_DEPTH, Value};

/// How much native stack it may take to read a text, and to evaluate it, in bytes. It is reserved, and taken as it is needed: without
/// optimization `cel` takes 50 KiB for a level of nesting, more than callers can be asked for.
const STACK: usize = 128 << 20;

/// An expression of a definition, which is read when it is first evaluated.
pub struct Program {
    source: &'static str,
    variables: &'static [&'static str],
    parsed: OnceLock<Result<Parsed, String>>,
}

/// An expression that has been read.
struct Parsed {
    expression: Expression,
    /// The names that it asks for, of variables and of members of the data.
    names: Vec<String>,
}

/// The functions of the language, and those that count what an evaluation uses up.
static FUNCTIONS: LazyLock<Result<Arc<Env>, String>> = LazyLock::new(|| {
    let mut functions = Env::default().with_optional_support(false).with_stdlib();
    guard::declare(&mut functions).map_err(|error| error.to_string())?;
    Ok(Arc::new(functions))
});

impl Program {
    /// The program of this text, which is given values of these names. Generated code writes it.
    pub const fn new(source: &'static str, variables: &'static [&'static str]) -> Program {
        Program { source, variables, parsed: OnceLock::new() }
    }

    /// Whether it holds for the data. `values` are those of the variables, in their order.
    ///
    /// # Errors
    /// See [`interpret_test`](super::interpret_test).
    pub fn holds(&self, limits: FunctionLimits, data: &Value, values: &[Value]) -> Result<bool, Fault> {
        let given: Vec<(&str, &Value)> = self.variables.iter().copied().zip(values).collect();
        let run = || {
            let parsed = self.parsed.get_or_init(|| parse(self.source));
            let parsed = parsed.as_ref().map_err(|problem| fault(problem.clone()))?;
            jq::run(limits, || parsed.holds(data, &given))
        };
        with_stack(run).unwrap_or_else(|problem| Err(fault(format!("the expression cannot be evaluated: {problem}"))))
    }
}

/// Runs something on a thread of its own, with much stack.
fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, String> {
    let turn = Lent::here();
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("cel".to_owned()).stack_size(STACK);
        let started = thread.spawn_scoped(scope, move || turn.run(|| panics::catch(run)));
        let ended = started.map_err(|error| format!("there is no thread for it: {error}"))?;
        ended.join().unwrap_or_else(|_| Err("its thread has ended".to_owned()))
    });
    turn.end();
    ended
}

/// Reads a text that the compiler has let pass.
fn parse(source: &str) -> Result<Parsed, String> {
    let read = Parser::new().enable_ident_escape_syntax(true).parse(source);
    let mut expression = read.map_err(|errors| {
        let first = errors.errors.first().map_or("", |error| error.msg.as_str());
        format!("the expression cannot be read: {first}")
    })?;
    let mut names: Vec<String> = names(&expression.references());
    names.sort_unstable();
    names.dedup();
    guard::guard(&mut expression);
    Ok(Parsed { expression, names })
}

fn names(references: &ExpressionReferences<'_>) -> Vec<String> {
    // A dot before a name is for what stands outside of macros, which all variables do.
    references.variables().into_iter().map(|name| name.trim_start_matches('.').to_owned()).collect()
}

impl Parsed {
    fn holds(&self, data: &Value, given: &[(&str, &Value)]) -> jq::Result<bool> {
        let functions = FUNCTIONS.as_ref().map_err(|problem| jq::Error::message(problem.as_str()))?;
        let mut context = Context::with_env(Arc::clone(functions));
        for name in &self.names {
            let variable = given.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let member = || data.as_object().and_then(|members| members.get(name));
            if let Some(found) = variable.or_else(member) {
                context.add_variable_as_val(name.as_str(), value::convert(found, MAX_DEPTH)?);
            }
        }
        let answer = cel::Value::resolve_val(&self.expression, &context);
        // Errors are passed over where they make no difference (`||`, `exists`): not those of the budget.
        budget::charge(0)?;
        budget::tick()?;
        let answer = answer.map_err(|error| evaluation(&error))?;
        match answer.downcast_ref::<CelBool>() {
            Some(answer) => Ok(*answer.inner()),
            None => Err(is_no_answer(answer.get_type().name())),
        }
    }
}
