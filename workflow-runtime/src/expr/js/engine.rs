//! The engine for functions that are not translated: QuickJS, within the limits of translated
//! functions.
//!
//! Every call has an engine of its own, so that globals, unsettled promises and memory never leak
//! into another execution. Values pass as JSON text. The clock and the random numbers are those of
//! the execution. Local time is the machine's.

use std::cell::Cell;
use std::time::Instant;

use rquickjs::{Context, Ctx, Function, Object, Promise, Runtime, Value as Any};

use crate::budget::SharedBudget;
use crate::expr::composer;
use crate::machine::{Core, FunctionLimits, RandomStream};
use crate::value::text::shortened;
use crate::value::{Value, object};

/// The limit of a function's native stack, in bytes.
const STACK: usize = 512 << 10;

/// The script that runs before every function: the clock, random numbers, a silent console,
/// base64.
const PRELUDE: &str = include_str!("prelude.js");

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    static INTERRUPTED: Cell<bool> = const { Cell::new(false) };
}

/// Creates an engine. Returns `None` if memory is exhausted.
fn engine(limits: FunctionLimits) -> Option<Runtime> {
    let engine = Runtime::new().ok()?;
    engine.set_memory_limit(usize::try_from(limits.memory).unwrap_or(usize::MAX));
    engine.set_max_stack_size(STACK);
    engine.set_interrupt_handler(Some(Box::new(|| {
        let late = DEADLINE.get().is_some_and(|deadline| Instant::now() > deadline);
        INTERRUPTED.set(late || INTERRUPTED.get());
        late
    })));
    Some(engine)
}

/// The failure of a function: the text of the error object.
struct Failed(String);

type Result<T> = std::result::Result<T, Failed>;

/// Runs the function in `source` as `super::run` runs a translated function. `variables` are the
/// variables in scope.
pub fn run<const N: usize>(
    document: &mut Value,
    variables: [(&'static str, &mut Value); N],
    source: &'static str,
    core: &mut Core,
) {
    let now = core.now().as_micros().div_euclid(1000) as f64;
    let limits = core.function_limits();
    let seed = core.random_stream();
    let mut variables: Vec<(&str, &mut Value)> = variables.into_iter().collect();
    let parameters = document.take();
    let outcome = evaluate(parameters, &mut variables, source, now, seed, limits);
    *document = match outcome {
        Ok(result) => composer::outcome(result),
        Err(Failed(_)) if INTERRUPTED.get() => error("An error has occurred: the function used up its budget of time"),
        Err(Failed(text)) => error(&shortened(&text)),
    };
}

fn error(text: &str) -> Value {
    object([("error", text.into())])
}

fn evaluate(
    parameters: Value,
    variables: &mut [(&str, &mut Value)],
    source: &str,
    now: f64,
    random: &mut RandomStream,
    limits: FunctionLimits,
) -> Result<Value> {
    // A time limit that cannot be represented is never reached.
    let turn = SharedBudget::current();
    DEADLINE.set(Instant::now().checked_add(limits.time).into_iter().chain(turn.deadline()).min());
    INTERRUPTED.set(false);
    let context = engine(limits).and_then(|engine| Context::full(&engine).ok());
    let context = context.ok_or_else(|| Failed("An error has occurred: the engine has no memory".to_owned()))?;
    let evaluated = context.with(|ctx| {
        let call = EngineCall { ctx: &ctx, memory: limits.memory };
        let due = call.prepare(now, random.fraction())?;
        let host = call.host(source, &parameters, variables)?;
        let result = call.invoke(&host, &due);
        // Changes made before the function threw are kept ([Q2](docs/composer.md#q2)).
        let saved = call.save(&host, variables);
        result.and_then(|result| saved.map(|()| result))
    });
    DEADLINE.set(None);
    turn.end();
    evaluated
}

/// A call in a context.
struct EngineCall<'c, 'js> {
    ctx: &'c Ctx<'js>,
    /// The size limit of a text passed to the engine, in bytes. The parsed value takes more than
    /// the text.
    memory: u64,
}

impl<'js> EngineCall<'_, 'js> {
    /// Returns the function that runs the next due timer.
    fn prepare(&self, now: f64, seed: f64) -> Result<Function<'js>> {
        let prelude: Function = self.check(self.ctx.eval(PRELUDE))?;
        self.check(prelude.call((now, seed)))
    }

    /// Builds `{call, save}`: the function with the variables around it
    /// ([Functions](docs/composer.md#functions)).
    fn host(&self, source: &str, parameters: &Value, variables: &[(&str, &mut Value)]) -> Result<Object<'js>> {
        // The name differs from all names of the author. The function is an arrow function, which
        // has no `arguments` that the author's code could see.
        let mut own = String::from("host");
        while source.contains(&own) || variables.iter().any(|(name, _)| *name == own) {
            own.push('_');
        }
        let mut code = format!("({own}) => {{\n\"use strict\";\n");
        if variables.iter().all(|(name, _)| *name != "params") {
            code.push_str(&format!("var params = {own}.params;\n"));
        }
        for (at, (name, _)) in variables.iter().enumerate() {
            code.push_str(&format!("var {name} = {own}.variables[{at}];\n"));
        }
        let names: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        code.push_str(&format!(
            "{own}.save = () => [{}];\n{own}.call = () => ({source}\n)(params);\nreturn {own};\n}}",
            names.join(", ")
        ));
        let make: Function = self.check(self.ctx.eval(code))?;
        let host = self.check(Object::new(self.ctx.clone()))?;
        let values: Value = variables.iter().map(|(_, value)| (**value).clone()).collect();
        self.check(host.set("params", self.parse(parameters)?))?;
        self.check(host.set("variables", self.parse(&values)?))?;
        self.check(make.call((host,)))
    }

    fn parse(&self, value: &Value) -> Result<Any<'js>> {
        // The engine counts the memory of the parsed value, but not of the text.
        let text = value
            .to_json(self.memory)
            .map_err(|_| Failed("An error has occurred: the function used up its budget of memory".to_owned()))?;
        self.check(self.ctx.json_parse(text))
    }

    fn invoke(&self, host: &Object<'js>, due: &Function<'js>) -> Result<Value> {
        let call: Function = self.check(host.get("call"))?;
        let mut result: Any = self.check(call.call(()))?;
        // Promises are awaited ([Q4](docs/composer.md#q4)).
        while let Some(promise) = result.clone().into_promise() {
            result = self.settle(&promise, due)?;
        }
        match result.is_undefined() {
            true => Ok(object([])),
            false => self.round_trip(result),
        }
    }

    fn settle(&self, promise: &Promise<'js>, due: &Function<'js>) -> Result<Any<'js>> {
        loop {
            match promise.finish::<Any>() {
                Err(rquickjs::Error::WouldBlock) if self.check(due.call::<_, bool>(()))? => {}
                Err(rquickjs::Error::WouldBlock) => {
                    return Err(Failed("the function waits for a promise that is never settled".to_owned()));
                }
                other => return self.check(other),
            }
        }
    }

    fn save(&self, host: &Object<'js>, variables: &mut [(&str, &mut Value)]) -> Result<()> {
        let save: Function = self.check(host.get("save"))?;
        let values: Vec<Any> = self.check(save.call(()))?;
        let mut saved = Ok(());
        for ((_, variable), value) in variables.iter_mut().zip(values) {
            match self.round_trip(value) {
                Ok(value) => **variable = value,
                Err(failed) => saved = saved.and(Err(failed)),
            }
        }
        saved
    }

    /// Returns the result of `JSON.parse(JSON.stringify(value))`.
    fn round_trip(&self, value: Any<'js>) -> Result<Value> {
        let text = self.check(self.ctx.json_stringify(value))?;
        let Some(text) = text else {
            return Err(Failed("An error has occurred: SyntaxError: \"undefined\" is not valid JSON".to_owned()));
        };
        let text = self.check(text.to_string())?;
        Value::from_json(&text).map_err(|error| Failed(format!("An error has occurred: {error}")))
    }

    /// Converts a thrown value to the text of an error object.
    fn check<T>(&self, result: rquickjs::Result<T>) -> Result<T> {
        result.map_err(|error| {
            if !error.is_exception() {
                return Failed(format!("An error has occurred: {error}"));
            }
            let thrown = self.ctx.catch();
            let text = self.ctx.globals().get("String").and_then(|text: Function| text.call::<_, String>((thrown,)));
            Failed(format!(
                "An error has occurred: {}",
                text.unwrap_or_else(|_| "an object that has no text".to_owned())
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;
    use std::time::Duration;

    fn ran(source: &str, document: Value, variables: &mut [(&str, &mut Value)]) -> std::result::Result<Value, String> {
        let limits = FunctionLimits { time: Duration::from_millis(300), ..FunctionLimits::default() };
        with_limits(limits, source, document, variables)
    }

    fn with_limits(
        limits: FunctionLimits,
        source: &str,
        document: Value,
        variables: &mut [(&str, &mut Value)],
    ) -> std::result::Result<Value, String> {
        let mut random = RandomStream::seeded(7);
        let outcome = evaluate(document, variables, source, 1_000.0, &mut random, limits);
        outcome.map_err(|Failed(text)| text)
    }

    fn alone(source: &str, document: Value) -> std::result::Result<Value, String> {
        ran(source, document, &mut [])
    }

    #[test]
    fn functions_take_parameters_and_yield_json() {
        assert_eq!(alone("p => ({ n: p.n + 1 })", value!({"n": 1})), Ok(value!({"n": 2})));
        assert_eq!(alone("() => undefined", value!({})), Ok(value!({})));
        assert_eq!(alone("() => new Map([[1, 2]])", value!({})), Ok(value!({})));
        assert_eq!(alone("({ s }) => s.match(/b+/)[0] // the end", value!({"s": "abbc"})), Ok(value!("bb")));
        assert_eq!(alone("() => params.a", value!({"a": 4})), Ok(value!(4)));
    }

    #[test]
    fn promises_are_awaited() {
        assert_eq!(alone("async ({ n }) => { await null; return n }", value!({"n": 3})), Ok(value!(3)));
        let later = alone(
            "() => new Promise(done => { let s = ''; setTimeout(() => done(s + 'b'), 9); setTimeout(() => { s = 'a' }, 1) })",
            value!({}),
        );
        assert_eq!(later, Ok(value!("ab")));
        let pending = alone("() => new Promise(() => {})", value!({}));
        assert!(pending.is_err_and(|text| text.contains("never settled")));
        let rejected = alone("async () => { throw new Error('no') }", value!({}));
        assert_eq!(rejected, Err("An error has occurred: Error: no".to_owned()));
    }

    #[test]
    fn what_is_thrown_is_reported() {
        assert_eq!(alone("() => { throw 'x' }", value!({})), Err("An error has occurred: x".to_owned()));
        let symbol = alone("() => Symbol('s')", value!({}));
        assert!(symbol.is_err_and(|text| text.starts_with("An error has occurred: SyntaxError: ")));
        let free = alone("() => nobody", value!({}));
        assert!(free.is_err_and(|text| text.starts_with("An error has occurred: ReferenceError: ")));
    }

    #[test]
    fn variables_keep_what_was_set_before_a_throw() {
        let mut n = value!(1);
        let thrown = ran("() => { n = { set: n }; throw 1 }", value!({}), &mut [("n", &mut n)]);
        assert!(thrown.is_err());
        assert_eq!(n, value!({"set": 1}));
        let mut n = value!(1);
        assert!(ran("() => { n = undefined }", value!({}), &mut [("n", &mut n)]).is_err());
        assert_eq!(n, value!(1));
    }

    #[test]
    fn a_function_is_stopped_and_the_engine_goes_on() {
        INTERRUPTED.set(false);
        assert!(alone("() => { for (;;) try { for (;;); } catch {} }", value!({})).is_err());
        assert!(INTERRUPTED.get());
        let deep = alone("function f() { return f() }", value!({}));
        assert!(deep.is_err(), "{deep:?}");
        let large = alone("() => { let s = 'x'; for (;;) s += s }", value!({}));
        assert!(large.is_err(), "{large:?}");
        assert_eq!(alone("() => globalThis.left", value!({})), Ok(value!({})));
        alone("() => { globalThis.left = 1 }", value!({})).expect("it can be set");
        assert_eq!(alone("() => globalThis.left", value!({})), Ok(value!({})));
    }

    #[test]
    fn limits_are_those_of_the_call() {
        let few = FunctionLimits { memory: 8 << 20, ..FunctionLimits::default() };
        let large = "() => ({ length: 'x'.repeat(16 << 20).length })";
        assert!(with_limits(few, large, value!({}), &mut []).is_err());
        let outcome = with_limits(FunctionLimits::default(), large, value!({}), &mut []);
        assert_eq!(outcome, Ok(value!({"length": 16 << 20})));
        // The interrupt handler also stops regular expressions.
        let short = FunctionLimits { time: Duration::from_millis(20), ..FunctionLimits::default() };
        let start = Instant::now();
        let hostile = "() => /^(a+)+$/.test('a'.repeat(60) + '!')";
        assert!(with_limits(short, hostile, value!({}), &mut []).is_err());
        assert!(INTERRUPTED.get() && start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn nothing_is_left_for_the_next_call() {
        let endless = "() => { Promise.resolve().then(() => { for (;;); }); return { a: 1 } }";
        assert_eq!(alone(endless, value!({})), Ok(value!({"a": 1})));
        assert_eq!(alone("async () => { await null; return 2 }", value!({})), Ok(value!(2)));
        assert_eq!(alone("() => typeof host + typeof host_", value!({})), Ok(value!("undefinedundefined")));
        let mut host = value!(5);
        assert_eq!(ran("() => host + /a/.source", value!({}), &mut [("host", &mut host)]), Ok(value!("5a")));
        let sparse = alone("() => { const a = []; a[4294967294] = 1; a.sort() }", value!({}));
        assert!(sparse.is_err_and(|text| text.contains("RangeError")));
    }

    #[test]
    fn clock_and_random_numbers_are_those_of_the_execution() {
        assert_eq!(alone("() => [Date.now(), new Date().getTime()]", value!({})), Ok(value!([1000, 1000])));
        let first = alone("() => Math.random()", value!({}));
        assert_eq!(first, alone("() => Math.random()", value!({})));
        let buffer =
            alone("() => Buffer.from('aGk=', 'base64').toString() + Buffer.from('hü').toString('base64')", value!({}));
        assert_eq!(buffer, Ok(value!("hiaMO8")));
        assert_eq!(alone("() => atob(btoa('héllo'))", value!({})), Ok(value!("héllo")));
    }
}
