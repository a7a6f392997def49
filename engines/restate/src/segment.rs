//! Snapshot that one invocation hands to the next one of an execution: a line of JSON for people
//! and checks, followed by the frames.

use std::collections::{BTreeMap, BTreeSet};

use hyper::body::Bytes;
use workflow_runtime::machine::{Definition, Execution, INBOX_CAPACITY, Program};
use workflow_runtime::observe::Observer;
use workflow_runtime::value::codec::LoadError;
use workflow_runtime::{Array, Object, Timestamp, Value, value};

use crate::links::ExecutionLinks;

/// Limits that determine the commands of an execution. An execution keeps the limits that it
/// started with, so that a replay issues the same commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Number of journal entries after which another invocation continues.
    pub journal: u64,
    /// Inbox capacity: number of events that are kept and not waited for.
    pub events: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { journal: 2_000, events: INBOX_CAPACITY as u32 }
    }
}

impl Limits {
    /// Returns the stored form.
    pub fn save(self) -> Value {
        value!([i64::try_from(self.journal).unwrap_or(i64::MAX), self.events])
    }

    /// Reads the stored form.
    pub fn load(kept: Option<&Value>) -> Option<Limits> {
        let number = |at: i64| kept?.get(at)?.as_i64();
        let (journal, events) = (u64::try_from(number(0)?).ok()?, u32::try_from(number(1)?).ok()?);
        Some(Limits { journal, events })
    }
}

/// Waiting callback: its task has handed the token out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HandedOut {
    /// Number of heartbeats so far.
    pub beats: u32,
    /// Time of the heartbeat time-out.
    pub silent: Option<Timestamp>,
}

/// State of an execution in an invocation, apart from its frames.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct InvocationState {
    /// Number of earlier invocations.
    pub segment: u32,
    pub limits: Limits,
    /// Operation that waits for this batch, if the invocation runs a batch.
    pub batch: Option<u64>,
    /// Waiting callbacks, by operation number.
    pub handed_out: BTreeMap<u64, HandedOut>,
    /// Running batches, by operation number.
    pub batches: BTreeSet<u64>,
    /// Number of answered status questions.
    pub answered: u32,
    /// Number of changes, if the execution is a run of a Map that processes them.
    pub updates: Option<u32>,
    /// Children that it awaits, and its events.
    pub links: ExecutionLinks,
}

/// Execution with the state of its invocation.
pub(crate) struct Segment {
    pub state: InvocationState,
    pub execution: Box<dyn Execution>,
}

impl Segment {
    /// Writes the snapshot.
    pub fn save(state: &InvocationState, execution: &dyn Execution) -> Bytes {
        // All children of a run of a Map are in its state.
        let most = if execution.map_counts().is_some() { 1 } else { usize::MAX };
        let states = execution.describe().iter().take(most).map(|at| Value::from(at.state)).collect::<Vec<_>>();
        let handed_out = state.handed_out.iter().map(|(op, handed)| {
            let silent = handed.silent.map_or(Value::Null, |at| at.as_micros().into());
            value!([*op as i64, handed.beats, silent])
        });
        let batches = state.batches.iter().map(|op| Value::from(*op as i64));
        let mut header = header(execution.info().definition(), state.batch, state.limits);
        header.insert("segment", state.segment);
        header.insert("answered", state.answered);
        if let Some(updates) = state.updates {
            header.insert("updates", updates);
        }
        header.insert("states", Value::from(Array::from(states)));
        header.insert("handedOut", Value::from(Array::from(handed_out.collect::<Vec<_>>())));
        header.insert("batches", Value::from(Array::from(batches.collect::<Vec<_>>())));
        state.links.save(&mut header);
        write(header, &execution.save())
    }

    /// Writes the snapshot that a batch begins with. `op` is the operation that waits for it.
    pub fn of_batch(definition: &Definition, op: u64, state: &InvocationState, snapshot: &[u8]) -> Bytes {
        let mut header = header(definition, Some(op), state.limits);
        let secret = state.links.secret.clone();
        ExecutionLinks { secret, ..ExecutionLinks::default() }.save(&mut header);
        write(header, snapshot)
    }

    /// Reads a snapshot. The error describes the mismatch.
    pub fn load(program: &Program, key: &str, bytes: &[u8]) -> Result<Segment, String> {
        Segment::read(program, key, bytes, |snapshot| program.load(snapshot))
    }

    /// Begins a batch, and runs it until it has to wait.
    pub fn load_batch(
        program: &Program,
        key: &str,
        bytes: &[u8],
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Segment, String> {
        Segment::read(program, key, bytes, |snapshot| program.load_batch(snapshot, observers))
    }

    fn read(
        program: &Program,
        key: &str,
        bytes: &[u8],
        load: impl FnOnce(&[u8]) -> Result<Box<dyn Execution>, LoadError>,
    ) -> Result<Segment, String> {
        let definition = program.definition;
        let refuse =
            |problem: &str| format!("the execution `{key}` of `{}` cannot continue: {problem}", definition.name);
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| refuse("the snapshot has no header"))?;
        let header = Value::from_json_slice(&bytes[..end])
            .map_err(|error| refuse(&format!("cannot read the header of the snapshot: {error}")))?;
        let saved = header.get("definition").and_then(Value::as_str).unwrap_or_default();
        let here = format!("{:016x}", definition.hash);
        if saved != here {
            // Refused even if the frames fit: a journal written since then may not.
            let waits = match header.get("states") {
                Some(states) => format!("it waits in the states {states} of"),
                None => "it iterates in".to_owned(),
            };
            return Err(refuse(&format!(
                "{waits} the definition {saved}, but this program has the definition {here}; serve the former definition \
                 under this name, and the new one as another version"
            )));
        }
        let execution =
            load(&bytes[end + 1..]).map_err(|error| refuse(&format!("cannot read the snapshot: {error}")))?;
        let links = ExecutionLinks::load(&header)
            .map_err(|problem| refuse(&format!("cannot read the header of the snapshot: {problem}")))?;
        let number = |of: &Value| of.as_i64().and_then(|number| u64::try_from(number).ok());
        let list = |name: &str| header.get(name).and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let count = |name: &str| header.get(name).and_then(Value::as_i64).and_then(|count| u32::try_from(count).ok());
        let state = InvocationState {
            segment: count("segment").unwrap_or_default(),
            limits: Limits::load(header.get("limits")).unwrap_or_default(),
            answered: count("answered").unwrap_or_default(),
            updates: count("updates"),
            batch: header.get("batch").and_then(number),
            handed_out: list("handedOut").filter_map(read_handed_out).collect(),
            batches: list("batches").filter_map(number).collect(),
            links,
        };
        Ok(Segment { state, execution })
    }
}

/// Returns the header line.
fn header(definition: &Definition, batch: Option<u64>, limits: Limits) -> Object {
    let mut header = Object::with_capacity(12);
    header.insert("definition", format!("{:016x}", definition.hash));
    header.insert("limits", limits.save());
    if let Some(op) = batch {
        header.insert("batch", op as i64);
    }
    header
}

fn write(header: Object, snapshot: &[u8]) -> Bytes {
    let mut bytes = Value::from(header).to_string().into_bytes();
    bytes.push(b'\n');
    bytes.extend_from_slice(snapshot);
    Bytes::from(bytes)
}

fn read_handed_out(value: &Value) -> Option<(u64, HandedOut)> {
    let op = u64::try_from(value.get(0)?.as_i64()?).ok()?;
    let beats = u32::try_from(value.get(1)?.as_i64()?).ok()?;
    let silent = value.get(2)?.as_i64().map(Timestamp::from_micros);
    Some((op, HandedOut { beats, silent }))
}

#[cfg(test)]
mod tests {
    use workflow_runtime::machine::{Command, Start};

    use super::*;

    workflow_runtime::include_workflow!("tests/flows/approval.asl.json");
    workflow_runtime::include_workflow!("tests/flows/shop.asl.json");

    mod changed {
        workflow_runtime::include_workflow!("tests/flows/changed/approval.asl.json");
    }

    #[test]
    fn snapshots_keep_the_invocation_state() {
        let program = Program::of::<approval::Approval>();
        let mut execution = program.start(Start::new(Value::Null));
        let (op, _) = execution.next_command().unwrap();
        let handed_out = [
            (op.id, HandedOut { beats: 3, silent: Some(Timestamp::from_seconds(7)) }),
            (op.id + 1, HandedOut { beats: 0, silent: None }),
        ];
        let state = InvocationState {
            segment: 2,
            limits: Limits { journal: 7, events: 8 },
            batch: Some(7),
            handed_out: handed_out.into(),
            batches: [9, 11].into(),
            answered: 4,
            updates: Some(5),
            links: ExecutionLinks { parent: Some("order-1/one".to_owned()), ..ExecutionLinks::default() },
        };
        let bytes = Segment::save(&state, &*execution);
        let mut segment = Segment::load(&program, "k", &bytes).unwrap();
        assert_eq!(segment.state, state);
        assert!(matches!(segment.execution.next_command(), Some((again, Command::Invoke(_))) if again == op));
    }

    #[test]
    fn the_longest_journal_limit_round_trips() {
        let limits = Limits { journal: i64::MAX as u64, events: u32::MAX };
        assert_eq!(Limits::load(Some(&limits.save())), Some(limits));
        assert_eq!(Limits::load(None), None);
    }

    #[test]
    fn another_definition_is_refused_and_named_even_if_it_fits() {
        let program = Program::of::<approval::Approval>();
        let bytes = Segment::save(&InvocationState::default(), &*program.start(Start::new(Value::Null)));
        let snapshot = program.start(Start::new(Value::Null)).save();
        let (fits, shop) = (Program::of::<changed::approval::Approval>(), Program::of::<shop::Shop>());
        assert!(fits.load(&snapshot).is_ok() && shop.load(&snapshot).is_err());
        for other in [fits, shop] {
            let problem = Segment::load(&other, "order-7", &bytes).err().unwrap();
            let (name, there, here) = (other.definition.name, program.definition.hash, other.definition.hash);
            let expected = format!(
                "the execution `order-7` of `{name}` cannot continue: it waits in the states [\"Ask\"] of the definition \
                 {there:016x}, but this program has the definition {here:016x}; serve the former definition"
            );
            assert!(problem.starts_with(&expected), "{problem}");
        }
        let batch = Segment::of_batch(program.definition, 3, &InvocationState::default(), &snapshot);
        let problem = Segment::load_batch(&fits, "order-7", &batch, Vec::new()).err().unwrap();
        assert!(problem.contains("cannot continue: it iterates in the definition"), "{problem}");
        let cut = Segment::load(&program, "order-7", &bytes[..bytes.len() - 1]).err().unwrap();
        assert!(cut.starts_with("the execution `order-7` of `approval` cannot continue: cannot read the snapshot: "));
        assert!(Segment::load(&program, "order-7", b"no line").is_err());
    }
}
