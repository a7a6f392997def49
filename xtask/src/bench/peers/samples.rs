//! The outputs and the samples of all engines.

use super::process::Answer;
use serde_json::Value;
use std::collections::BTreeMap;

/// The samples by engine and measurement.
#[derive(Default)]
pub struct Samples {
    outputs: BTreeMap<String, (String, Value)>,
    samples: BTreeMap<(String, String), Vec<f64>>,
}

impl Samples {
    /// Fails if an output is not that of the first engine with this measurement.
    pub fn check(&mut self, answer: &Answer) -> Result<(), String> {
        let engine = &answer.engine;
        let output = serde_json::from_str(&answer.text).map_err(|error| format!("{engine} has no output: {error}"))?;
        let output = plain(output);
        let (first, expected) =
            self.outputs.entry(answer.measure.clone()).or_insert_with(|| (engine.clone(), output.clone()));
        match *expected == output {
            true => Ok(()),
            false => {
                Err(format!("the outputs of `{}` differ:\n{first}: {expected}\n{engine}: {output}", answer.measure))
            }
        }
    }

    /// Adds a sample.
    pub fn add(&mut self, answer: &Answer) -> Result<(), String> {
        let number: f64 = answer.text.parse().map_err(|_| format!("`{}` is not a number", answer.text))?;
        self.samples.entry((answer.engine.clone(), answer.measure.clone())).or_default().push(number);
        Ok(())
    }

    /// Returns the best of the samples, if there are any: the one that `better` prefers to all
    /// others. It has the least of the other work of the machine in it.
    pub fn best(&self, engine: &str, measure: &str, better: fn(f64, f64) -> f64) -> Option<f64> {
        let numbers = self.samples.get(&(engine.to_owned(), measure.to_owned()))?;
        numbers.iter().copied().reduce(better)
    }
}

/// Returns the value with all numbers as floating-point numbers: engines write 1 and 1.0.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(engine: &str, text: &str) -> Answer {
        Answer { engine: engine.into(), measure: "ten".into(), text: text.into() }
    }

    #[test]
    fn outputs_agree_whatever_the_order_of_members_and_the_notation_of_numbers() {
        let mut samples = Samples::default();
        for (engine, text, agrees) in [
            ("ours", r#"{"a": 1, "b": [true]}"#, true),
            ("theirs", r#"{"b": [true], "a": 1.0}"#, true),
            ("another", r#"{"a": 1, "b": [false]}"#, false),
            ("a last one", "Traceback", false),
        ] {
            assert_eq!(samples.check(&answer(engine, text)).is_ok(), agrees, "{engine}");
        }
    }

    #[test]
    fn the_best_sample_is_the_least_time_or_the_most_steps() {
        let mut samples = Samples::default();
        for text in ["7", "100.5", "3"] {
            samples.add(&answer("ours", text)).unwrap();
        }
        assert_eq!(samples.best("ours", "ten", f64::min), Some(3.0));
        assert_eq!(samples.best("ours", "ten", f64::max), Some(100.5));
        assert_eq!(samples.best("ours", "linear", f64::max), None);
        assert!(samples.add(&answer("ours", "many")).is_err());
    }
}
