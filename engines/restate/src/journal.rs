//! Encoding of journal entries, promises and outputs: outcomes with their times, as JSON text.
//!
//! JSON rather than the runtime's codec: Restate's console and command line show it, and any HTTP
//! client can resolve a promise with it. It preserves everything except values nested deeper than
//! [`MAX_DEPTH`](workflow_runtime::value::MAX_DEPTH) or longer than [`TEXT_LIMIT`]. Those cannot
//! be stored, and the task fails.

use hyper::body::Bytes;
use restate_sdk_shared_core::TerminalFailure;
use workflow_runtime::machine::{Definition, Outcome};
use workflow_runtime::value::codec::{LoadError, Reader, Writer};
use workflow_runtime::value::{DOCUMENT_LIMIT, TEXT_LIMIT};
use workflow_runtime::{Fault, Object, Timestamp, Value, fault};

/// Earliest time. An execution that receives this time keeps its own.
pub const NO_TIME: Timestamp = Timestamp::from_micros(i64::MIN);

/// Largest length of what is sent to the server, which refuses messages of 32 MiB.
pub const MESSAGE_LIMIT: u64 = 30 << 20;

/// Encodes an outcome and its time: `{"at": …, "output": …}` or `{"at": …, "fault": {…}}`.
pub fn encode(at: Timestamp, outcome: &Outcome) -> Bytes {
    let mut entry = Object::with_capacity(2);
    entry.insert("at", at.as_micros());
    match outcome {
        Ok(output) => entry.insert("output", output.clone()),
        Err(fault) => entry.insert("fault", fault_to_value(fault)),
    };
    match Value::from(entry).to_json(TEXT_LIMIT) {
        Ok(text) => Bytes::from(text),
        Err(error) => encode(at, &Err(Fault::too_large("The outcome", error))),
    }
}

/// Decodes the output of [`encode`]. An unreadable entry is a fault, the same whenever it is read.
pub fn decode(entry: &[u8]) -> (Timestamp, Outcome) {
    match Value::from_json_slice(entry) {
        Ok(entry) => outcome_in(entry),
        Err(error) => (NO_TIME, Err(Fault::runtime(format!("cannot read a journaled outcome: {error}")))),
    }
}

/// Returns the outcome and the time in an entry, which was parsed.
pub fn outcome_in(mut entry: Value) -> (Timestamp, Outcome) {
    let at = entry.get("at").and_then(Value::as_i64).map_or(NO_TIME, Timestamp::from_micros);
    match entry.get("fault") {
        Some(fault) => (at, Err(fault_from_value(fault))),
        None => (at, Ok(entry.get_mut("output").map(Value::take).unwrap_or_default())),
    }
}

/// Decodes the output of `run`.
pub fn read_output(output: &[u8]) -> Outcome {
    Value::from_json_slice(output).map_err(|error| Fault::runtime(format!("cannot read the output: {error}")))
}

/// Encodes an outcome and its time without loss, at any depth, including the propagation path of a
/// fault. Only the same workflow can decode it.
pub fn encode_exactly(at: Timestamp, outcome: &Outcome) -> Bytes {
    let mut w = Writer::new();
    w.put(&at);
    w.put(&outcome.is_ok());
    match outcome {
        Ok(output) => w.put(output),
        Err(fault) => {
            w.put(fault);
            fault.save_trace(&mut w);
        }
    }
    Bytes::from(w.finish())
}

/// Decodes the output of [`encode_exactly`] for an execution of this definition. An unreadable
/// entry is a fault.
pub fn decode_exactly(entry: &[u8], definition: &Definition) -> (Timestamp, Outcome) {
    let mut r = Reader::new(entry);
    let mut read = || {
        let at = r.take()?;
        let outcome = match r.take()? {
            true => Ok(r.take()?),
            // The propagation path is dropped if it cannot be read; the fault itself counts.
            false => {
                let fault: Fault = r.take()?;
                Err(fault.clone().load_trace(&mut r, definition).unwrap_or(fault))
            }
        };
        Ok((at, outcome))
    };
    read().unwrap_or_else(|error: LoadError| {
        (NO_TIME, Err(Fault::runtime(format!("cannot read a journaled outcome: {error}"))))
    })
}

/// Encodes a fault as JSON: `{"error": …, "cause": …}`, without absent members.
pub fn fault_to_value(fault: &Fault) -> Value {
    let mut object = Object::with_capacity(4);
    if let Some(error) = fault.error() {
        object.insert("error", error);
    }
    if let Some(cause) = fault.cause() {
        object.insert("cause", cause.clone());
    }
    if fault.is_uncatchable() {
        object.insert("uncatchable", true);
    }
    if fault.is_termination() {
        object.insert("terminates", true);
    }
    if fault.is_heartbeat_timeout() {
        object.insert("heartbeat", true);
    }
    object.into()
}

/// Decodes the output of [`fault_to_value`].
pub fn fault_from_value(value: &Value) -> Fault {
    if value.get("terminates").and_then(Value::as_bool) == Some(true) {
        return Fault::terminated(value.get("cause").cloned().unwrap_or_default());
    }
    if value.get("heartbeat").and_then(Value::as_bool) == Some(true) {
        return Fault::heartbeat_timeout();
    }
    let fault = Fault::from_parts(value.get("error").cloned(), value.get("cause").cloned());
    match value.get("uncatchable").and_then(Value::as_bool) {
        Some(true) => fault.uncatchable(),
        _ => fault,
    }
}

/// Returns an outcome for anyone but the awaiting parent: a termination is a success.
pub fn external_outcome(outcome: Outcome) -> Outcome {
    outcome.or_else(|fault| if fault.is_termination() { Ok(fault.into_termination_output()) } else { Err(fault) })
}

/// Encodes a fault as the failure of a handler. The message is JSON, so that clients can read its
/// members.
pub fn failure(fault: &Fault) -> TerminalFailure {
    let code = if fault.error() == Some(crate::CANCELLED) { 409 } else { 500 };
    let message = fault_to_value(fault).to_json(DOCUMENT_LIMIT);
    let message = message.unwrap_or_else(|error| failure(&Fault::too_large("The cause", error)).message);
    TerminalFailure { code, message, metadata: Vec::new() }
}

/// Decodes the fault of a failure's message. A failure of Restate itself has a plain text.
pub fn fault_of_message(message: &str) -> Fault {
    match Value::from_json(message) {
        Ok(value @ Value::Object(_)) => fault_from_value(&value),
        _ => Fault::new(fault::names::RUNTIME, message),
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    workflow_runtime::include_workflow!("tests/flows/tills.sw.json");

    /// Decodes the outcome of a batch.
    fn read_exactly(entry: &[u8]) -> (Timestamp, Outcome) {
        decode_exactly(entry, &tills::DEFINITION)
    }

    #[test]
    fn outcomes_round_trip() {
        let at = Timestamp::from_seconds(1_769_862_600);
        let outcomes: [Outcome; 7] = [
            Ok(Value::Null),
            Ok(value!({ "amount": 12.5, "fault": [1, "two"] })),
            Err(Fault::new("Declined", "by the bank")),
            Err(Fault::from_parts(None, Some(value!({ "code": 3 }))).uncatchable()),
            Err(Fault::timeout()),
            Err(Fault::heartbeat_timeout()),
            Err(Fault::terminated(value!({ "paid": true }))),
        ];
        for outcome in outcomes {
            let (time, read) = decode(&encode(at, &outcome));
            assert_eq!((time, &read), (at, &outcome));
            let uncatchable = |outcome: &Outcome| outcome.as_ref().err().is_some_and(Fault::is_uncatchable);
            assert_eq!(uncatchable(&read), uncatchable(&outcome));
            let (time, exactly) = read_exactly(&encode_exactly(at, &outcome));
            assert_eq!((time, &exactly), (at, &outcome));
            assert_eq!(uncatchable(&exactly), uncatchable(&outcome));
            let is_silent = |outcome: &Outcome| outcome.as_ref().err().is_some_and(Fault::is_heartbeat_timeout);
            assert_eq!([is_silent(&read), is_silent(&exactly)], [is_silent(&outcome); 2]);
            let terminates = |outcome: &Outcome| outcome.as_ref().err().is_some_and(Fault::is_termination);
            assert_eq!([terminates(&read), terminates(&exactly)], [terminates(&outcome); 2]);
        }
    }

    #[test]
    fn a_value_that_is_too_deep_is_a_fault() {
        let mut deep = Value::Null;
        for _ in 0..200 {
            deep = workflow_runtime::Array::from(vec![deep]).into();
        }
        let (_, outcome) = decode(&encode(NO_TIME, &Ok(deep.clone())));
        assert_eq!(outcome.unwrap_err().error(), Some(fault::names::RUNTIME));
        let exactly = encode_exactly(NO_TIME, &Ok(deep.clone()));
        assert_eq!(read_exactly(&exactly), (NO_TIME, Ok(deep)));
        let cut = read_exactly(&exactly[..exactly.len() - 1]).1;
        assert_eq!(cut.unwrap_err().error(), Some(fault::names::RUNTIME));
    }

    #[test]
    fn a_value_that_is_too_long_is_a_fault() {
        let long = (0..60).fold(Value::Null, |part, _| value!({ "a": part.clone(), "b": part }));
        let (_, outcome) = decode(&encode(NO_TIME, &Ok(long.clone())));
        assert_eq!(outcome.unwrap_err().error(), Some(fault::names::DATA_LIMIT_EXCEEDED));
        let message = failure(&Fault::new("Declined", long.clone())).message;
        assert_eq!(fault_of_message(&message).error(), Some(fault::names::DATA_LIMIT_EXCEEDED));
        // The runtime's codec shares what the document shares.
        assert!(encode_exactly(NO_TIME, &Ok(long)).len() < 10_000);
    }

    #[test]
    fn a_failure_of_restate_itself_keeps_its_text() {
        let fault = Fault::new("Declined", "by the bank");
        assert_eq!(fault_of_message(&failure(&fault).message), fault);
        assert_eq!(fault_of_message("killed").cause(), Some(&Value::from("killed")));
    }
}
