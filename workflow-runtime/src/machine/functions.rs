//! What functions of a definition may use up.

use std::time::Duration;

use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

/// What one call of a function of a definition may use up: of one that was translated, and of one that an engine runs.
/// Beyond it, the call ends with an error object.
///
/// ```
/// # use std::time::Duration;
/// # use workflow_runtime::FunctionLimits;
/// let limits = FunctionLimits { time: Duration::from_millis(50), ..FunctionLimits::default() };
/// # assert_eq!(limits.steps, 10_000_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionLimits {
    /// How many turns of loops and calls it may make. An engine does not count them.
    pub steps: u64,
    /// How long it may take.
    pub time: Duration,
    /// How many bytes it may make, by an estimate; with an engine, how many it may hold at once.
    pub memory: u64,
}

impl Default for FunctionLimits {
    /// Ten million steps, a second, 256 MiB.
    fn default() -> FunctionLimits {
        FunctionLimits { steps: 10_000_000, time: Duration::from_secs(1), memory: 256 << 20 }
    }
}

impl FunctionLimits {
    /// As an execution keeps them: most have the default, and do not each need room for it.
    pub(super) fn kept(self) -> Option<Box<FunctionLimits>> {
        (self != FunctionLimits::default()).then(|| Box::new(self))
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
            return Err(r.error("the time of functions is no time"));
        }
        Ok(FunctionLimits { steps, time: Duration::new(seconds, nanos), memory: r.u64()? })
    }
}
