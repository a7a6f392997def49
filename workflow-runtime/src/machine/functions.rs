//! Limits of the functions that a definition carries.

use std::time::Duration;

use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

pub use workflow_model::JsonataLimits;

/// Limits of one call of a function of a definition, whether the function was translated to Rust
/// or an engine runs it. A call that exceeds a limit ends with an error object.
///
/// ```
/// # use std::time::Duration;
/// # use workflow_runtime::FunctionLimits;
/// let limits = FunctionLimits { time: Duration::from_millis(50), ..FunctionLimits::default() };
/// # assert_eq!(limits.steps, 10_000_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionLimits {
    /// The number of loop iterations and calls of a translated function, or of steps of a JSONata
    /// expression. An engine does not count them.
    pub steps: u64,
    /// The duration of the call.
    pub time: Duration,
    /// Bytes of memory. A translated function and a JSONata expression are limited by an estimate
    /// of all that they allocate, an engine by what it holds at once.
    pub memory: u64,
}

impl Default for FunctionLimits {
    /// Returns ten million steps, one second and 256 MiB.
    fn default() -> FunctionLimits {
        FunctionLimits { steps: 10_000_000, time: Duration::from_secs(1), memory: 256 << 20 }
    }
}

impl Save for FunctionLimits {
    fn save(&self, w: &mut Writer) {
        w.u64(self.steps);
        w.u64(self.time.as_secs());
        w.put(&self.time.subsec_nanos());
        w.u64(self.memory);
    }
}

impl Load for FunctionLimits {
    fn load(r: &mut Reader<'_>) -> Result<FunctionLimits, LoadError> {
        let (steps, seconds, nanos) = (r.u64()?, r.u64()?, r.take::<u32>()?);
        if nanos >= 1_000_000_000 {
            return Err(r.error("the time limit of functions is not a duration"));
        }
        Ok(FunctionLimits { steps, time: Duration::new(seconds, nanos), memory: r.u64()? })
    }
}

impl Save for JsonataLimits {
    fn save(&self, w: &mut Writer) {
        w.put(&self.depth);
        w.u64(self.bytes);
    }
}

impl Load for JsonataLimits {
    fn load(r: &mut Reader<'_>) -> Result<JsonataLimits, LoadError> {
        Ok(JsonataLimits { depth: r.take()?, bytes: r.u64()? })
    }
}
