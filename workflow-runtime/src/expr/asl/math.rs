//! The intrinsic functions `States.MathAdd`, `States.MathRandom` and `States.UUID` (Amazon States
//! Language, Appendix B).

use super::intrinsic::{refused, rounded, truncated};
use crate::fault::Fault;
use crate::machine::Core;
use crate::value::Value;

/// Implements `States.MathAdd`: rounds each number to an integer first, halves upwards. The
/// integers and their sum have 32 bits ([A35](docs/amazon-states-language.md#a35)).
pub fn math_add(left: &Value, right: &Value, call: &'static str) -> Result<Value, Fault> {
    let addend = |value: &Value| i32::try_from(rounded(value, call)?).map_err(|_| refused(call));
    let sum = addend(left)?.checked_add(addend(right)?);
    sum.map(|sum| Value::Int(sum.into())).ok_or_else(|| refused(call))
}

/// Implements `States.MathRandom`: returns a random integer in `start..end`. Fractions are
/// dropped.
pub fn math_random(start: &Value, end: &Value, call: &'static str, core: &mut Core) -> Result<Value, Fault> {
    let (start, span) = range(start, end, call)?;
    Ok(Value::Int(start.wrapping_add(scale(core.random_u64(), span) as i64)))
}

/// Implements `States.MathRandom` with a seed. A seed always yields the same number: that of
/// `java.util.Random`.
pub fn math_random_seeded(start: &Value, end: &Value, seed: &Value, call: &'static str) -> Result<Value, Fault> {
    let (start, span) = range(start, end, call)?;
    let mut generator = Java::new(truncated(seed, call)?);
    let offset = match i32::try_from(span) {
        Ok(span) => u64::from(generator.below(span)),
        Err(_) => scale(generator.next_u64(), span),
    };
    Ok(Value::Int(start.wrapping_add(offset as i64)))
}

/// Implements `States.UUID`: returns a random UUID, version 4.
pub fn uuid(core: &mut Core) -> Value {
    Value::String(core.uuid())
}

/// Returns the first number of the range and its length.
fn range(start: &Value, end: &Value, call: &'static str) -> Result<(i64, u64), Fault> {
    let (start, end) = (truncated(start, call)?, truncated(end, call)?);
    if start >= end {
        return Err(refused(call));
    }
    Ok((start, end.abs_diff(start)))
}

/// Scales 64 random bits to a number below `span`.
fn scale(random: u64, span: u64) -> u64 {
    ((u128::from(random) * u128::from(span)) >> 64) as u64
}

/// The linear congruential generator of `java.util.Random`, whose documentation specifies the
/// algorithm.
struct Java(u64);

impl Java {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    fn new(seed: i64) -> Java {
        Java((seed as u64 ^ Java::MULTIPLIER) & Java::MASK)
    }

    fn next(&mut self, bits: u32) -> u32 {
        self.0 = (self.0.wrapping_mul(Java::MULTIPLIER).wrapping_add(0xB)) & Java::MASK;
        (self.0 >> (48 - bits)) as u32
    }

    fn next_u64(&mut self) -> u64 {
        (u64::from(self.next(32)) << 32) | u64::from(self.next(32))
    }

    /// Returns a number below `bound`, which must be positive.
    fn below(&mut self, bound: i32) -> u32 {
        let bound = bound.unsigned_abs();
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.next(31))) >> 31) as u32;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            // Rejects the last, incomplete run of remainders.
            if bits - value + (bound - 1) < 1 << 31 {
                return value;
            }
        }
    }
}
