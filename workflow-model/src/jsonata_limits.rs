//! Limits of the evaluation of JSONata.

/// The limits of one evaluation of an expression in JSONata. The defaults are those of AWS Step
/// Functions. An expression that exceeds a limit fails with `States.QueryEvaluationError`.
///
/// ```
/// # use workflow_model::JsonataLimits;
/// let limits = JsonataLimits { bytes: 100_000, ..JsonataLimits::default() };
/// assert_eq!(limits.depth, 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonataLimits {
    /// The levels of the evaluation: an operand, a block, a branch and a call are one level deeper
    /// than what they belong to. At most [`MAX_DEPTH`](JsonataLimits::MAX_DEPTH), which also
    /// replaces a larger number: more levels could exhaust the stack of a thread.
    pub depth: u32,
    /// The largest size of one array or text, in bytes. An element of an array has eight.
    pub bytes: u64,
}

impl JsonataLimits {
    /// The largest and default depth.
    pub const MAX_DEPTH: u32 = 100;
    /// The default of the bytes.
    const BYTES: u64 = 6_990_256;
}

impl Default for JsonataLimits {
    /// Returns 100 levels and 6,990,256 bytes.
    fn default() -> JsonataLimits {
        JsonataLimits { depth: JsonataLimits::MAX_DEPTH, bytes: JsonataLimits::BYTES }
    }
}
