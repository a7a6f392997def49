//! Expressions in JSONata, each evaluated from its text, and run as translated code.
//!
//! A plan is `{rounds, limits?}`. A round is `{document?, values?}`: the input document, which
//! expressions of a state do not have, and the values by their names. A name such as
//! `states.input` is that of a member of `$states`. `limits` is `{depth?, memory?, steps?}`. The
//! record of a round is `{evaluated, translated?, differs?}`. An outcome is `{result}`,
//! `{undefined}`, `{function}`, or `{code, message}`.

use crate::members;
use workflow_runtime::__private::jsonata::{
    self, JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};
use workflow_runtime::{Object, Value};

/// The native stack of an evaluation, in bytes. The official tests nest calls deeper than AWS
/// allows.
const STACK: usize = 256 << 20;

/// The instant of every evaluation: 2026-11-20T09:16:31Z.
const NOW: i64 = 1_795_166_191_000;

/// An expression of a generated crate.
pub struct Expression {
    /// The text.
    pub source: &'static str,
    /// The names of the values that the expression reads.
    pub names: &'static [&'static str],
    /// The translated code, if there is any.
    pub translated: Option<Translated>,
}

/// The code of an expression: a function of the document and of the values, in the order of the
/// names.
pub type Translated = fn(Option<&Value>, &[Option<&Value>], &mut jsonata::Run<'_>) -> jsonata::Result<jsonata::Maybe>;

/// Runs the rounds of a plan in both ways. Returns the record, in the form of that of a workflow.
pub(crate) fn run(expression: &Expression, plan: &Value) -> Result<Object, String> {
    let rounds = plan.get("rounds").and_then(Value::as_array).ok_or("a plan has no rounds")?;
    let limits = limits(plan.get("limits"));
    let thread = std::thread::Builder::new().stack_size(STACK);
    let records = std::thread::scope(|scope| {
        let all = || rounds.iter().map(|round| run_round(expression, round, limits)).collect::<Value>();
        let running = thread.spawn_scoped(scope, all).map_err(|error| error.to_string())?;
        running.join().map_err(|panic| crate::message(panic.as_ref()))
    })?;
    Ok(members([
        ("result", members([("output", records)]).into()),
        ("calls", Value::from(Vec::<Value>::new())),
        ("events", Value::from(Vec::<Value>::new())),
    ]))
}

fn run_round(expression: &Expression, round: &Value, limits: JsonataLimits) -> Value {
    let by_name = round.get("values").and_then(Value::as_object);
    let value = |name: &str| by_name.and_then(|values| values.get(name));
    let document = round.get("document");
    let references: Vec<Option<&Value>> = expression.names.iter().map(|name| value(name)).collect();
    let values: Vec<Option<Value>> = references.iter().map(|value| value.cloned()).collect();
    let states = States {
        input: value("states.input"),
        result: value("states.result"),
        error_output: value("states.errorOutput"),
        context: value("states.context"),
    };
    let environment = |random| JsonataEnvironment { states, values: &values, now: NOW, random, limits };
    let program = JsonataProgram::new(expression.source, expression.names);
    let (mut random, mut same) = (Sequence(0), Sequence(0));
    let evaluated = outcome(match document {
        Some(document) => program.evaluate_document(environment(&mut random), document),
        None => program.evaluate(environment(&mut random)),
    });
    let mut record = members([("evaluated", evaluated.clone())]);
    if let Some(translated) = expression.translated {
        let body = |run: &mut jsonata::Run<'_>| translated(document, &references, run);
        let translated = outcome(jsonata::evaluate_translated(environment(&mut same), body));
        // The texts also show the order of members.
        if translated.to_string() != evaluated.to_string() {
            record.insert("differs", true);
        }
        record.insert("translated", translated);
    }
    record.into()
}

fn outcome(result: jsonata::Result<JsonataOutcome>) -> Value {
    let members = match result {
        Ok(JsonataOutcome::Value(value)) => members([("result", value)]),
        Ok(JsonataOutcome::Nothing) => members([("undefined", true.into())]),
        Ok(JsonataOutcome::Function) => members([("function", true.into())]),
        Err(error) => members([("code", error.code().into()), ("message", error.message().into())]),
    };
    members.into()
}

/// Returns the limits of a plan. The default is those of a state.
fn limits(plan: Option<&Value>) -> JsonataLimits {
    let limit = |name: &str| plan.and_then(|limits| limits.get(name)).and_then(Value::as_f64);
    let default = JsonataLimits::default();
    // Limits are whole and less than 2^53.
    let size = |name: &str, default: usize| limit(name).map_or(default, |limit| limit as usize);
    JsonataLimits {
        depth: size("depth", default.depth),
        memory: size("memory", default.memory),
        total_memory: size("memory", default.total_memory),
        steps: limit("steps").map_or(default.steps, |steps| steps as u64),
    }
}

/// Numbers that only look random.
struct Sequence(u64);

impl Random for Sequence {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0 ^ (self.0 >> 31)
    }

    fn uuid(&mut self) -> String {
        format!("{:08x}-0000-4000-8000-000000000000", self.number() >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    #[test]
    fn both_ways_see_the_values_of_a_round_and_a_difference_is_marked() {
        let records = |translated: Option<Translated>| {
            let expression =
                Expression { source: "a + $states.input.b + $c", names: &["states.input", "c"], translated };
            let values = value!({ "states.input": { "b": 2 }, "c": 3 });
            let plan = value!({ "rounds": [{ "document": { "a": 1 }, "values": values }, { "values": { "c": "d" } }] });
            let record = run(&expression, &plan).expect("it is run");
            record.get("result").and_then(|result| result.get("output")).cloned().expect("an output")
        };
        let records = |translated| records(translated).to_string();
        let error = r#"{"code":"T2002","message":"The right side of the \"+\" operator must evaluate to a number"}"#;
        let expected = format!(r#"[{{"evaluated":{{"result":6}}}},{{"evaluated":{error}}}]"#);
        assert_eq!(records(None), expected);
        let seven: Translated = |document, values, _| {
            assert_eq!((document.is_some(), values.len()), (values[0].is_some(), 2));
            Ok(jsonata::int(7))
        };
        let translated = r#","differs":true,"translated":{"result":7}}"#;
        let expected =
            expected.replace("}},{", &format!("}}{translated},{{")).replace("}}]", &format!("}}{translated}]"));
        assert_eq!(records(Some(seven)), expected);
    }
}
