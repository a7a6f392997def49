//! Snapshot that one invocation hands to the next one of an execution: a line of JSON for people
//! and checks, followed by the frames.

use std::collections::{BTreeMap, BTreeSet};

use hyper::body::Bytes;
use workflow_runtime::machine::{Definition, Execution, FrameId, INBOX_CAPACITY, Op, Program, Row, StoredRow};
use workflow_runtime::observe::Observer;
use workflow_runtime::value::codec::{LoadError, Reader, Writer};
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
    /// Set if it stores its state before a failure, for a redrive.
    pub redrives: bool,
    /// Name of the try: empty for the first one.
    pub of_try: String,
    /// Redrive that the execution begins with.
    pub redrive: Option<Redrive>,
    /// Children that it awaits, and its events.
    pub links: ExecutionLinks,
}

/// Beginning of a redrive.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Redrive {
    /// Time of the request.
    pub at: Timestamp,
    /// Completion that made the execution fail, with an output. The operation is not repeated.
    pub completed: Option<Completed>,
    /// Operations that have sent the starts of detached children.
    pub sent: BTreeSet<u64>,
}

/// Operation with its output.
type Completed = (Op, Value);

/// Execution with the state of its invocation.
pub(crate) struct Segment {
    pub state: InvocationState,
    pub execution: Box<dyn Execution>,
    /// Rows from which the execution was restored, if a redrive begins.
    pub rows: Vec<StoredRow>,
}

/// Execution that was read: with its rows, if it was stored in rows, and the last completion.
type Read = (Box<dyn Execution>, Vec<StoredRow>, Option<Completed>);

impl Segment {
    /// Writes the snapshot.
    pub fn save(state: &InvocationState, execution: &dyn Execution) -> Bytes {
        // All children of a run of a Map are in its state.
        let most = if execution.map_counts().is_some() { 1 } else { usize::MAX };
        let states = execution.describe().iter().take(most).map(|at| Value::from(at.state)).collect::<Vec<_>>();
        write(Segment::header(state, execution, states), &execution.save())
    }

    /// Writes the state before a failure, for a redrive: rows, the output that the execution
    /// failed on, and the operations that have sent the starts of detached children.
    pub fn save_failed(
        state: &InvocationState,
        execution: &dyn Execution,
        rows: &BTreeMap<Row, Vec<u8>>,
        completed: Option<(Op, &Value)>,
        sent: &BTreeSet<u64>,
    ) -> Bytes {
        let mut header = Segment::header(state, execution, Vec::new());
        header.insert("rows", true);
        if !sent.is_empty() {
            header.insert("sent", sent.iter().map(|op| *op as i64).collect::<Value>());
        }
        write(header, &encode(rows, completed))
    }

    /// Writes the reason why an execution cannot be redriven, in place of its state.
    pub fn refusal(reason: &str) -> Bytes {
        let mut header = Object::with_capacity(1);
        header.insert("refused", reason);
        write(header, &[])
    }

    /// Returns the reason why an execution cannot be redriven, if that is stored.
    pub fn refusal_in(failed: &[u8]) -> Option<String> {
        let end = failed.iter().position(|byte| *byte == b'\n')?;
        let header = Value::from_json_slice(&failed[..end]).ok()?;
        header.get("refused").and_then(Value::as_str).map(str::to_owned)
    }

    /// Returns the snapshot with which a redrive begins, from the state before a failure.
    pub fn redriven(failed: &[u8], of_try: &str, at: Timestamp) -> Option<Bytes> {
        let end = failed.iter().position(|byte| *byte == b'\n')?;
        let mut header = Value::from_json_slice(&failed[..end]).ok()?;
        header.as_object_mut()?.insert("try", of_try);
        header.as_object_mut()?.insert("redriven", at.as_micros());
        Some(write(header.as_object()?.clone(), &failed[end + 1..]))
    }

    /// Returns the parent of an execution, from its state before a failure.
    pub fn parent_of(failed: &[u8]) -> Option<String> {
        let end = failed.iter().position(|byte| *byte == b'\n')?;
        let header = Value::from_json_slice(&failed[..end]).ok()?;
        ExecutionLinks::load(&header).ok()?.parent
    }

    fn header(state: &InvocationState, execution: &dyn Execution, states: Vec<Value>) -> Object {
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
        if state.redrives {
            header.insert("redrives", true);
        }
        if !state.of_try.is_empty() {
            header.insert("try", state.of_try.as_str());
        }
        header.insert("states", Value::from(Array::from(states)));
        header.insert("handedOut", Value::from(Array::from(handed_out.collect::<Vec<_>>())));
        header.insert("batches", Value::from(Array::from(batches.collect::<Vec<_>>())));
        state.links.save(&mut header);
        header
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
        Segment::read(program, key, bytes, |snapshot, is_in_rows| match is_in_rows {
            true => {
                let (rows, completed) = decode(snapshot)?;
                Ok((program.restore(&rows)?, rows, completed))
            }
            false => Ok((program.load(snapshot)?, Vec::new(), None)),
        })
    }

    /// Begins a batch, and runs it until it has to wait.
    pub fn load_batch(
        program: &Program,
        key: &str,
        bytes: &[u8],
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Segment, String> {
        Segment::read(program, key, bytes, |snapshot, _| {
            Ok((program.load_batch(snapshot, observers)?, Vec::new(), None))
        })
    }

    fn read(
        program: &Program,
        key: &str,
        bytes: &[u8],
        load: impl FnOnce(&[u8], bool) -> Result<Read, LoadError>,
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
        let is_in_rows = header.get("rows").and_then(Value::as_bool) == Some(true);
        let (execution, rows, completed) = load(&bytes[end + 1..], is_in_rows)
            .map_err(|error| refuse(&format!("cannot read the snapshot: {error}")))?;
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
            redrives: header.get("redrives").and_then(Value::as_bool).unwrap_or_default(),
            of_try: header.get("try").and_then(Value::as_str).unwrap_or_default().to_owned(),
            redrive: header.get("redriven").and_then(Value::as_i64).map(|at| Redrive {
                at: Timestamp::from_micros(at),
                completed,
                sent: list("sent").filter_map(number).collect(),
            }),
            batch: header.get("batch").and_then(number),
            handed_out: list("handedOut").filter_map(read_handed_out).collect(),
            batches: list("batches").filter_map(number).collect(),
            links,
        };
        Ok(Segment { state, execution, rows })
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

/// Encodes rows and a completion.
fn encode(rows: &BTreeMap<Row, Vec<u8>>, completed: Option<(Op, &Value)>) -> Vec<u8> {
    let mut w = Writer::with_capacity(rows.values().map(|bytes| bytes.len() + 8).sum());
    w.count(rows.len());
    for (row, bytes) in rows {
        let (kind, number, index) = match *row {
            Row::Header => (0, 0, 0),
            Row::Progress => (1, 0, 0),
            Row::Frame(frame) => (2, frame.0.into(), 0),
            Row::Output { of, index } => (3, of.0.into(), index),
            Row::Event(number) => (4, number, 0),
            Row::Shared(number) => (5, number, 0),
        };
        w.u8(kind);
        w.u64(number);
        w.put(&index);
        w.bytes(bytes);
    }
    w.put(&completed.is_some());
    if let Some((op, output)) = completed {
        w.put_all(&[&op.id, &op.frame.0, output]);
    }
    w.finish()
}

/// Decodes the output of [`encode`], which may be untrusted.
fn decode(bytes: &[u8]) -> Result<(Vec<StoredRow>, Option<Completed>), LoadError> {
    let mut r = Reader::new(bytes);
    let mut rows = Vec::new();
    for _ in 0..r.count()? {
        let (kind, number, index) = (r.u8()?, r.u64()?, r.take::<u32>()?);
        let frame = |r: &Reader<'_>| {
            u32::try_from(number).map(FrameId).map_err(|_| r.error(format!("the frame {number} does not exist")))
        };
        let row = match kind {
            0 => Row::Header,
            1 => Row::Progress,
            2 => Row::Frame(frame(&r)?),
            3 => Row::Output { of: frame(&r)?, index },
            4 => Row::Event(number),
            5 => Row::Shared(number),
            other => return Err(r.error(format!("unknown kind of row {other}"))),
        };
        rows.push((row, r.bytes()?.to_vec()));
    }
    let completed = match r.take()? {
        true => Some((Op { id: r.take()?, frame: FrameId(r.take()?) }, r.take()?)),
        false => None,
    };
    r.finish()?;
    Ok((rows, completed))
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
            redrives: true,
            of_try: "7f".to_owned(),
            redrive: None,
            links: ExecutionLinks { parent: Some("order-1/one".to_owned()), ..ExecutionLinks::default() },
        };
        let bytes = Segment::save(&state, &*execution);
        let mut segment = Segment::load(&program, "k", &bytes).unwrap();
        assert_eq!(segment.state, state);
        assert!(matches!(segment.execution.next_command(), Some((again, Command::Invoke(_))) if again == op));
    }

    #[test]
    fn a_redrive_begins_with_the_state_before_the_failure() {
        let program = Program::of::<approval::Approval>();
        let mut execution = program.start(Start::new(value!({ "long": "x".repeat(2_000) })));
        let (op, _) = execution.next_command().unwrap();
        let mut rows = BTreeMap::new();
        execution.changes().apply(&mut rows);
        let links = ExecutionLinks { parent: Some("order-1/one".to_owned()), ..ExecutionLinks::default() };
        let state = InvocationState { redrives: true, links, ..InvocationState::default() };
        let output = value!({ "answer": "yes\n" });
        let sent = BTreeSet::from([5, 7]);
        let failed = Segment::save_failed(&state, &*execution, &rows, Some((op, &output)), &sent);
        assert_eq!(Segment::refusal_in(&failed), None);
        assert_eq!(Segment::refusal_in(&Segment::refusal("it waits")).as_deref(), Some("it waits"));
        assert_eq!(Segment::parent_of(&failed).as_deref(), Some("order-1/one"));
        let at = Timestamp::from_seconds(7);
        let bytes = Segment::redriven(&failed, "7f", at).unwrap();
        let mut segment = Segment::load(&program, "k", &bytes).unwrap();
        let redrive = Some(Redrive { at, completed: Some((op, output)), sent });
        assert_eq!(segment.state, InvocationState { of_try: "7f".to_owned(), redrive, ..state });
        assert_eq!(segment.rows, rows.into_iter().collect::<Vec<_>>());
        assert!(matches!(segment.execution.next_command(), Some((again, Command::Invoke(_))) if again == op));
        for end in 0..bytes.len() {
            assert!(Segment::load(&program, "k", &bytes[..end]).is_err(), "cut at {end}");
        }
        for end in 0..failed.len() {
            let _any = Segment::redriven(&failed[..end], "7f", at).map(|cut| Segment::load(&program, "k", &cut));
        }
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
