//! The environment of an evaluation, and its limits.

use crate::machine::{self, Core};
use crate::value::Value;

/// The environment of an evaluation.
pub struct JsonataEnvironment<'a> {
    /// The members of `$states`.
    pub states: States<'a>,
    /// The values of the variables, in the order of the names of the program. One that is absent
    /// is undefined.
    pub values: &'a [Option<Value>],
    /// The instant of the evaluation, in milliseconds since 1970.
    pub now: i64,
    /// The random numbers and UUIDs.
    pub random: &'a mut dyn Random,
    /// The limits.
    pub limits: JsonataLimits,
}

/// The members of `$states`. One that is absent is undefined.
#[derive(Debug, Clone, Copy, Default)]
pub struct States<'a> {
    /// `$states.input`
    pub input: Option<&'a Value>,
    /// `$states.result`
    pub result: Option<&'a Value>,
    /// `$states.errorOutput`
    pub error_output: Option<&'a Value>,
    /// `$states.context`
    pub context: Option<&'a Value>,
}

impl<'a> States<'a> {
    /// Returns the members with their names.
    pub(super) fn members(self) -> [(&'static str, Option<&'a Value>); 4] {
        [("input", self.input), ("result", self.result), ("errorOutput", self.error_output), ("context", self.context)]
    }
}

/// A source of random numbers and UUIDs.
pub trait Random {
    /// Returns 64 random bits.
    fn number(&mut self) -> u64;

    /// Returns a UUID of version 4 in lower case.
    fn uuid(&mut self) -> String;
}

impl Random for Core {
    fn number(&mut self) -> u64 {
        self.random_u64()
    }

    fn uuid(&mut self) -> String {
        Core::uuid(self).into()
    }
}

/// The limits of an evaluation. The defaults are those of AWS where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonataLimits {
    /// The nesting of the evaluation: an operand, a block, a branch and a call are one level
    /// deeper than what they belong to.
    pub depth: usize,
    /// The largest size of one array or text, in bytes. An element of an array has eight.
    pub memory: usize,
    /// The memory that is allocated in all, in bytes.
    pub total_memory: usize,
    /// The steps: evaluations of parts, and elements that functions visit.
    pub steps: u64,
}

impl Default for JsonataLimits {
    fn default() -> JsonataLimits {
        let machine::JsonataLimits { depth, bytes } = machine::JsonataLimits::default();
        let total_memory = 256 << 20;
        JsonataLimits { depth: depth as usize, memory: bytes as usize, total_memory, steps: 10_000_000 }
    }
}
