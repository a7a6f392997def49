//! CEL programs: parsed once, evaluated any number of times.

use std::sync::{Arc, LazyLock, OnceLock};

use cel::common::types::CelBool;
use cel::parser::{Expression, ExpressionReferences, Parser};
use cel::{Context, Env};

use super::error::{evaluation, fault, is_no_answer};
use super::{guard, value};
use crate::budget::SharedBudget;
use crate::expr::jq::{self, budget};
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::panics;
use crate::value::{MAX_DEPTH, Value};

/// The native stack reserved for parsing and evaluation, in bytes. It is committed on demand.
/// Without optimization, `cel` takes 50 KiB for a level of nesting, more than callers can be
/// expected to provide.
const STACK: usize = 128 << 20;

/// An expression of a definition, parsed on its first evaluation.
pub struct CelProgram {
    source: &'static str,
    variables: &'static [&'static str],
    parsed: OnceLock<Result<Parsed, String>>,
}

/// A parsed expression.
struct Parsed {
    expression: Expression,
    /// The names of the variables and members that the expression reads.
    names: Vec<String>,
}

/// The functions of the language, and the functions that count the resources of an evaluation.
static FUNCTIONS: LazyLock<Result<Arc<Env>, String>> = LazyLock::new(|| {
    let mut functions = Env::default().with_optional_support(false).with_stdlib();
    guard::declare(&mut functions).map_err(|error| error.to_string())?;
    Ok(Arc::new(functions))
});

impl CelProgram {
    /// Creates the program of a text whose variables have these names. Generated code calls this.
    pub const fn new(source: &'static str, variables: &'static [&'static str]) -> CelProgram {
        CelProgram { source, variables, parsed: OnceLock::new() }
    }

    /// Returns `true` if the expression holds for the data. `values` are the values of the
    /// variables, in their order.
    ///
    /// # Errors
    /// See [`interpret_test`](super::interpret_test).
    pub fn holds(&self, limits: FunctionLimits, data: &Value, values: &[Value]) -> Result<bool, Fault> {
        let variables: Vec<(&str, &Value)> = self.variables.iter().copied().zip(values).collect();
        let run = || {
            let parsed = self.parsed.get_or_init(|| parse(self.source));
            let parsed = parsed.as_ref().map_err(|problem| fault(problem.clone()))?;
            jq::run(limits, || parsed.holds(data, &variables))
        };
        with_stack(run).unwrap_or_else(|problem| Err(fault(format!("cannot evaluate the expression: {problem}"))))
    }
}

/// Runs a closure with a large stack on a thread of its own.
fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, String> {
    let turn = SharedBudget::current();
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("cel".to_owned()).stack_size(STACK);
        let started = thread.spawn_scoped(scope, move || turn.run(|| panics::catch(run)));
        let ended = started.map_err(|error| format!("cannot start a thread: {error}"))?;
        ended.join().unwrap_or_else(|_| Err("the thread has ended".to_owned()))
    });
    turn.end();
    ended
}

/// Parses a text that the compiler has checked.
fn parse(source: &str) -> Result<Parsed, String> {
    let read = Parser::new().enable_ident_escape_syntax(true).parse(source);
    let mut expression = read.map_err(|errors| {
        let first = errors.errors.first().map_or("", |error| error.msg.as_str());
        format!("cannot parse the expression: {first}")
    })?;
    let mut names: Vec<String> = names(&expression.references());
    names.sort_unstable();
    names.dedup();
    guard::guard(&mut expression);
    Ok(Parsed { expression, names })
}

fn names(references: &ExpressionReferences<'_>) -> Vec<String> {
    // A leading dot makes a name refer to the outermost scope, which contains all variables.
    references.variables().into_iter().map(|name| name.trim_start_matches('.').to_owned()).collect()
}

impl Parsed {
    fn holds(&self, data: &Value, variables: &[(&str, &Value)]) -> jq::Result<bool> {
        let functions = FUNCTIONS.as_ref().map_err(|problem| jq::Error::message(problem.as_str()))?;
        let mut context = Context::with_env(Arc::clone(functions));
        for name in &self.names {
            let variable = variables.iter().find(|(variable, _)| variable == name).map(|(_, value)| *value);
            let member = || data.as_object().and_then(|members| members.get(name));
            if let Some(value) = variable.or_else(member) {
                context.add_variable_as_val(name.as_str(), value::convert(value, MAX_DEPTH)?);
            }
        }
        let answer = cel::Value::resolve_val(&self.expression, &context);
        // `cel` ignores errors that do not affect the result (`||`, `exists`). Errors of the
        // budget must not be ignored.
        budget::charge(0)?;
        budget::tick()?;
        let answer = answer.map_err(|error| evaluation(&error))?;
        match answer.downcast_ref::<CelBool>() {
            Some(answer) => Ok(*answer.inner()),
            None => Err(is_no_answer(answer.get_type().name())),
        }
    }
}
