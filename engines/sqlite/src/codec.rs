//! Binary format of the values in the tables: outcomes, events and starts.

use workflow_runtime::machine::{Call, FrameId, FunctionLimits, JsonataLimits, Op, Outcome, Start};
use workflow_runtime::value::codec::{Load, LoadError, Reader, Save, Writer};
use workflow_runtime::{CloudEvent, Fault, Object, Str, Timestamp, Value};

/// Writes an outcome.
pub fn outcome(outcome: &Outcome) -> Vec<u8> {
    write(|w| put_outcome(outcome, w))
}

/// Reads an outcome. Returns a fault if it cannot be read.
pub fn read_outcome(bytes: &[u8]) -> Outcome {
    match read(bytes, take_outcome) {
        Ok(outcome) => outcome,
        Err(error) => Err(Fault::runtime(format!("cannot read the stored outcome: {error}"))),
    }
}

/// Reads the outcome of an execution for anyone but its parent: a termination is a success.
pub fn read_result(bytes: &[u8]) -> Outcome {
    read_outcome(bytes)
        .or_else(|fault| if fault.is_termination() { Ok(fault.into_termination_output()) } else { Err(fault) })
}

/// Writes a completion.
pub fn completion(op: Op, outcome: &Outcome) -> Vec<u8> {
    write(|w| {
        w.u64(op.id);
        w.put(&op.frame.0);
        put_outcome(outcome, w);
    })
}

/// Reads a completion.
pub fn read_completion(bytes: &[u8]) -> Result<(Op, Outcome), LoadError> {
    read(bytes, |r| Ok((Op { id: r.u64()?, frame: FrameId(r.take()?) }, take_outcome(r)?)))
}

/// Writes the call of a child, without its input.
pub fn call(call: &Call) -> Vec<u8> {
    let mut call = call.clone();
    call.input = Value::Null;
    write(|w| w.put(&call))
}

/// Reads the call of a child, without its input.
pub fn read_call(bytes: &[u8]) -> Result<Call, LoadError> {
    read(bytes, |r| r.take())
}

/// Writes an event.
pub fn event(event: &CloudEvent) -> Vec<u8> {
    write(|w| w.put(event))
}

/// Reads an event.
pub fn read_event(bytes: &[u8]) -> Result<CloudEvent, LoadError> {
    read(bytes, |r| r.take())
}

/// Reads the attributes of an event that an execution keeps, without its data and extensions.
pub fn read_attributes(bytes: &[u8]) -> Result<CloudEvent, LoadError> {
    let mut r = Reader::new(bytes);
    let (id, source, kind): (Str, Str, Str) = (r.take()?, r.take()?, r.take()?);
    let mut event = CloudEvent::new(id, source, kind);
    event.subject = r.take()?;
    event.time = r.take()?;
    Ok(event)
}

/// Stored start of an execution. It includes the seed, so that a second start is the same
/// execution.
#[derive(Debug, Clone)]
pub struct Stored {
    pub input: Value,
    pub settings: Object,
    pub machine: Option<Str>,
    pub account: Str,
    pub region: Str,
    pub role: Str,
    pub seed: u64,
    pub data_limit: Option<u64>,
    pub step_limit: u32,
    pub function_limits: FunctionLimits,
    pub jsonata_limits: Option<JsonataLimits>,
}

impl Stored {
    /// Writes the start.
    pub fn write(&self) -> Vec<u8> {
        write(|w| {
            w.put(&self.input);
            w.put(&Value::from(self.settings.clone()));
            w.put(&self.machine);
            [&self.account, &self.region, &self.role].into_iter().for_each(|text| w.put(text));
            w.put(&self.seed);
            w.put(&self.data_limit);
            w.put(&self.step_limit);
            w.put(&self.function_limits);
            w.put(&self.jsonata_limits);
        })
    }

    /// Reads a start.
    pub fn read(bytes: &[u8]) -> Result<Stored, LoadError> {
        read(bytes, |r| {
            Ok(Stored {
                input: r.take()?,
                settings: match r.take::<Value>()? {
                    Value::Object(settings) => (*settings).clone(),
                    _ => Object::new(),
                },
                machine: r.take()?,
                account: r.take()?,
                region: r.take()?,
                role: r.take()?,
                seed: r.take()?,
                data_limit: r.take()?,
                step_limit: r.take()?,
                function_limits: r.take()?,
                // Starts that earlier versions have stored end here.
                jsonata_limits: if r.is_at_end() { None } else { r.take()? },
            })
        })
    }

    /// Returns the start of the execution of this id, at this time.
    pub fn start(self, id: &str, time: Timestamp) -> Start {
        Start {
            name: Some(id.into()),
            machine: self.machine,
            account: self.account,
            region: self.region,
            role: self.role,
            settings: self.settings,
            time: Some(time),
            seed: Some(self.seed),
            data_limit: self.data_limit,
            step_limit: self.step_limit,
            function_limits: self.function_limits,
            jsonata_limits: self.jsonata_limits,
            ..Start::new(self.input)
        }
    }
}

/// Returns the FNV-1a hash of the parts.
pub fn fingerprint(parts: &[&[u8]]) -> i64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.iter().chain(&part.len().to_le_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash as i64
}

fn put_outcome(outcome: &Outcome, w: &mut Writer) {
    w.put(&outcome.is_ok());
    match outcome {
        Ok(output) => output.save(w),
        Err(fault) => fault.save(w),
    }
}

fn take_outcome(r: &mut Reader<'_>) -> Result<Outcome, LoadError> {
    Ok(match r.take()? {
        true => Ok(Value::load(r)?),
        false => Err(Fault::load(r)?),
    })
}

fn write(put: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    put(&mut w);
    w.finish()
}

fn read<T>(bytes: &[u8], take: impl FnOnce(&mut Reader<'_>) -> Result<T, LoadError>) -> Result<T, LoadError> {
    let mut r = Reader::new(bytes);
    let value = take(&mut r)?;
    r.finish()?;
    Ok(value)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use workflow_runtime::value;

    /// Returns the call of a detached child, without an input.
    pub fn detached_call() -> Call {
        let bytes = write(|w| {
            w.u8(0);
            w.put(&Str::from("errand"));
            w.put(&Value::Null);
            w.put(&true);
            w.put(&1u32);
            w.put(&2u64);
            w.put(&[0u32; 0][..]);
            w.put(&0u32);
            w.put(&Timestamp::default());
            w.put(&None::<u64>);
        });
        read_call(&bytes).expect("a call")
    }

    #[test]
    fn calls_round_trip_without_their_inputs() {
        let call = detached_call();
        assert!(call.detached && call.execution_id("one") == "one.2-0");
        let mut with_input = call.clone();
        with_input.input = 7.into();
        assert_eq!(read_call(&super::call(&with_input)), Ok(call));
        assert!(read_call(b"\x07").is_err());
    }

    #[test]
    fn outcomes_and_completions_round_trip() {
        for outcome in [Ok(value!({ "a": [1, 2.5] })), Err(Fault::new("Declined", "no money"))] {
            assert_eq!(read_outcome(&super::outcome(&outcome)), outcome);
            let op = Op { id: 7, frame: FrameId(3) };
            assert_eq!(read_completion(&completion(op, &outcome)), Ok((op, outcome)));
        }
        assert!(read_outcome(b"\x07").is_err());
    }

    #[test]
    fn a_start_keeps_its_limits_and_one_of_an_earlier_version_has_none() {
        let stored = |jsonata_limits| Stored {
            input: value!({ "a": 1 }),
            settings: Object::new(),
            machine: None,
            account: "1".into(),
            region: "r".into(),
            role: "role".into(),
            seed: 7,
            data_limit: Some(9),
            step_limit: 3,
            function_limits: FunctionLimits::default(),
            jsonata_limits,
        };
        let limits = JsonataLimits { depth: 7, bytes: 1_000 };
        for given in [Some(limits), None] {
            let read = Stored::read(&stored(given).write()).expect("it is read");
            assert_eq!((read.jsonata_limits, read.seed, read.step_limit), (given, 7, 3));
            assert_eq!(read.start("id", Timestamp::from_seconds(0)).jsonata_limits, given);
        }
        let mut earlier = stored(None).write();
        // The absence of limits is one byte.
        earlier.pop();
        let read = Stored::read(&earlier).expect("it is read");
        assert_eq!((read.jsonata_limits, read.step_limit, read.data_limit), (None, 3, Some(9)));
        earlier.pop();
        assert!(Stored::read(&earlier).is_err());
    }
}
