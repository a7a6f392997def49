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
    /// The number of nested levels. Each operand, block, branch and call is one level below the
    /// expression that contains it. More than [`MAX_DEPTH`](JsonataLimits::MAX_DEPTH) could
    /// exhaust the stack of a thread. A number outside of 1 to `MAX_DEPTH` is replaced by the
    /// nearest one.
    pub depth: u32,
    /// The largest size of one array or text, in bytes. An element of an array counts as eight
    /// bytes.
    pub bytes: u64,
}

impl JsonataLimits {
    /// The largest and default depth.
    pub const MAX_DEPTH: u32 = 100;
    /// The default of the bytes.
    const BYTES: u64 = 6_990_256;

    /// Returns the limits that are in effect: their depth is from 1 to
    /// [`MAX_DEPTH`](Self::MAX_DEPTH).
    #[must_use]
    pub fn effective(self) -> JsonataLimits {
        JsonataLimits { depth: self.depth.clamp(1, JsonataLimits::MAX_DEPTH), ..self }
    }
}

impl Default for JsonataLimits {
    /// Returns 100 levels and 6,990,256 bytes.
    fn default() -> JsonataLimits {
        JsonataLimits { depth: JsonataLimits::MAX_DEPTH, bytes: JsonataLimits::BYTES }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_out_of_range_is_replaced_by_the_nearest_one() {
        for (depth, expected) in [(0, 1), (1, 1), (50, 50), (100, 100), (101, 100), (u32::MAX, 100)] {
            let limits = JsonataLimits { depth, bytes: 7 };
            assert_eq!(limits.effective(), JsonataLimits { depth: expected, bytes: 7 });
        }
    }
}
