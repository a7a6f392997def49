//! What one invocation hands to the next one that goes on with an execution: a line of JSON for people and checks, then the
//! snapshot.

use std::collections::BTreeMap;

use hyper::body::Bytes;
use workflow_runtime::machine::{Execution, Program};
use workflow_runtime::{Array, Object, Timestamp, Value, value};

/// A callback that waits for its token's outcome: its task has handed the token out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HandedOut {
    /// How many signs of life have arrived.
    pub beats: u32,
    /// When it will have been silent for too long.
    pub silent: Option<Timestamp>,
}

/// What the next invocation goes on with.
pub(crate) struct Segment {
    /// How many invocations there were before.
    pub number: u32,
    /// The callbacks that wait, by the numbers of their operations.
    pub handed_out: BTreeMap<u64, HandedOut>,
    pub execution: Box<dyn Execution>,
}

impl Segment {
    /// Writes it.
    pub fn save(number: u32, handed_out: &BTreeMap<u64, HandedOut>, execution: &dyn Execution) -> Bytes {
        let definition = execution.definition();
        let states = execution.describe().iter().map(|waiting| Value::from(waiting.state)).collect::<Vec<_>>();
        let handed_out = handed_out.iter().map(|(op, handed)| {
            let silent = handed.silent.map_or(Value::Null, |at| at.as_micros().into());
            value!([*op as i64, handed.beats, silent])
        });
        let mut header = Object::with_capacity(4);
        header.insert("definition", format!("{:016x}", definition.hash));
        header.insert("segment", number);
        header.insert("states", Value::from(Array::from(states)));
        header.insert("handedOut", Value::from(Array::from(handed_out.collect::<Vec<_>>())));
        let mut bytes = Value::from(header).to_string().into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(&execution.save());
        Bytes::from(bytes)
    }

    /// Reads it. The message says what does not fit.
    pub fn load(program: &Program, key: &str, bytes: &[u8]) -> Result<Segment, String> {
        let definition = program.definition;
        let refuse = |problem: &str| format!("the execution `{key}` of `{}` cannot go on: {problem}", definition.name);
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| refuse("what was saved has no header"))?;
        let header = Value::from_json_slice(&bytes[..end])
            .map_err(|error| refuse(&format!("the header of what was saved cannot be read: {error}")))?;
        let saved = header.get("definition").and_then(Value::as_str).unwrap_or_default();
        let execution = program.load(&bytes[end + 1..]).map_err(|error| {
            let states = header.get("states").map(Value::to_string).unwrap_or_default();
            let here = format!("{:016x}", definition.hash);
            refuse(&if saved == here {
                format!("what was saved cannot be read: {error}")
            } else {
                format!(
                    "it waits in the states {states} of the definition {saved}, and this program has the definition \
                     {here}, which does not fit: {error}; serve the former definition too, until its executions have ended"
                )
            })
        })?;
        let number = header.get("segment").and_then(Value::as_i64).unwrap_or_default();
        let handed_out = header.get("handedOut").and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        Ok(Segment {
            number: u32::try_from(number).unwrap_or_default(),
            handed_out: handed_out.filter_map(read_handed_out).collect(),
            execution,
        })
    }
}

fn read_handed_out(value: &Value) -> Option<(u64, HandedOut)> {
    let op = u64::try_from(value.get(0)?.as_i64()?).ok()?;
    let beats = u32::try_from(value.get(1)?.as_i64()?).ok()?;
    let silent = value.get(2)?.as_i64().map(Timestamp::from_micros);
    Some((op, HandedOut { beats, silent }))
}
