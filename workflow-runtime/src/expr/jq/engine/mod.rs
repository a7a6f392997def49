//! The engine for programs that cannot be compiled: `jaq-core` on the runtime's values, with the
//! natives of the parent module.
//!
//! A program is compiled on its first run. Each run has a thread of its own with a large stack,
//! and the limits of the evaluation: steps, time and memory, 512 levels of nesting for values, and
//! 16 KiB of text for programs. The last two limits bound the native recursion: `jaq-core`
//! recurses with the nesting of programs and of values. Recursive definitions are rejected. No
//! function can end the process, read input or access the environment (`library`).
//!
//! `jaq-core` has no hook for limits. Constructs that can have several outputs (`,`, `.[]`, `..`
//! and the loops of the library) are instrumented to count steps (`guard`). An exhausted budget
//! ends the run with an exception that `try` does not catch.
//!
//! `jaq-core` differs from jq in these points: if both operands of an operator have several
//! outputs, the results have another order. `|=` through `,` sees its own changes. A path through
//! `try` or `label` cannot be updated.

mod guard;
mod library;
mod value;

use std::sync::OnceLock;

use jaq_core::data::JustLut;
use jaq_core::load::lex::Lexer;
use jaq_core::load::parse::{Def, Parser, Term};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars};

use super::{Error, Result, budget, number};
use crate::budget::SharedBudget;
use crate::machine::FunctionLimits;
use crate::value::Value;
use value::V;

/// The native stack reserved for a run, in bytes. It is committed on demand.
const STACK: usize = 256 << 20;
/// The length limit of a program, in bytes.
const LONGEST: usize = 16 << 10;

/// A program of a definition, compiled on its first run.
pub struct JqProgram {
    source: &'static str,
    variables: &'static [&'static str],
    compiled: OnceLock<std::result::Result<Filter<JustLut<V>>, String>>,
}

impl JqProgram {
    /// Creates the program of a text whose variables have these names (with `$`). Generated code
    /// calls this.
    pub const fn new(source: &'static str, variables: &'static [&'static str]) -> JqProgram {
        JqProgram { source, variables, compiled: OnceLock::new() }
    }

    /// Returns all outputs of the program for an input. `values` are the values of the variables,
    /// in their order. `now` is the time of the execution, in seconds since 1970.
    ///
    /// # Errors
    /// An error that the program raises, or a compilation error, which the compiler should have
    /// reported.
    pub fn outputs(&self, limits: FunctionLimits, now: f64, input: &Value, values: &[Value]) -> Result<Vec<Value>> {
        let run = || {
            let compiled = self.compiled.get_or_init(|| compile(self.source, self.variables));
            let filter = compiled.as_ref().map_err(|problem| Error::message(problem.as_str()))?;
            budget::bounded(limits, || collect(filter, now, input, values))
        };
        let turn = SharedBudget::current();
        let ended = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("jq".to_owned()).stack_size(STACK);
            let started = thread.spawn_scoped(scope, move || turn.run(run));
            let ended = started.map_err(|error| Error::message(format!("the engine could not start: {error}")))?;
            ended.join().unwrap_or_else(|_| Err(Error::message("the engine failed")))
        });
        turn.end();
        ended
    }
}

/// Runs a compiled program and returns its outputs in their JSON form.
fn collect(filter: &Filter<JustLut<V>>, now: f64, input: &Value, values: &[Value]) -> Result<Vec<Value>> {
    library::set_now(now);
    value::forget();
    let variables: Vec<V> = values.iter().map(|value| V::measured(value.clone())).collect::<Result<_>>()?;
    let context = Ctx::<JustLut<V>>::new(&filter.lut, Vars::new(variables));
    let mut outputs = Vec::new();
    for output in filter.id.run((context, V::measured(input.clone())?)) {
        budget::charge_elements(1)?;
        budget::tick()?;
        match output {
            Ok(output) => outputs.push(number::finish(output.into_value())),
            Err(exception) => {
                let exceeded = value::exceeded();
                return Err(match exception.get_err() {
                    Ok(error) => exceeded.unwrap_or_else(|| Error::raised(error.into_val().into_value())),
                    Err(_) => exceeded.unwrap_or_else(|| Error::message("break")),
                });
            }
        }
    }
    Ok(outputs)
}

/// Parses and compiles a text. Must be called on a thread with a large stack.
fn compile(source: &str, variables: &[&str]) -> std::result::Result<Filter<JustLut<V>>, String> {
    if source.len() > LONGEST {
        return Err(format!("the program is longer than {LONGEST} bytes"));
    }
    let unread = |at: &str| {
        let offset = source.len() - at.len().min(source.len());
        format!("cannot parse the program at byte {offset}")
    };
    let tokens = Lexer::new(source).lex().map_err(|errors| unread(errors.first().map_or("", |(_, at)| at)))?;
    let program: Term<&str> = Parser::new(&tokens).parse(|parser| parser.term()).map_err(|_| unread(source))?;
    let program = guard::guard(program)?;
    let main = Def { name: "_main", args: variables.to_vec(), body: program };
    // The definition takes the variables as arguments, under their own names.
    let call = match variables {
        [] => "_main".to_owned(),
        names => format!("_main({})", names.join("; ")),
    };
    let (arena, loader) = (Arena::default(), Loader::new(library::definitions().into_iter().chain([main])));
    let modules = loader.load(&arena, File { code: call.as_str(), path: () });
    let modules = modules.map_err(|_| "cannot load the program".to_owned())?;
    let compiler = Compiler::default().with_funs(library::functions()).with_global_vars(variables.iter().copied());
    compiler.compile(modules).map_err(|errors| match errors.iter().flat_map(|(_, errors)| errors).next() {
        Some((name, what)) => format!("the {} `{name}` is not defined", what.as_str()),
        None => "cannot compile the program".to_owned(),
    })
}
