//! Random numbers: `$random` and `$uuid`.

use super::args::{self, Args};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;

/// The multiplier of the generator of `java.util.Random`.
const MULTIPLIER: u64 = 0x5_DEEC_E66D;
/// The bits of its state.
const MASK: u64 = (1 << 48) - 1;

/// Implements `$random`. With a seed, the number is the first one of `java.util.Random`.
pub(super) fn random(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let number = match args::number(args, 0) {
        // The casts saturate, and cut a fraction.
        Some(seed) => seeded(seed as i64 as u64),
        None => run.random(),
    };
    Ok(Some(convert::number(number)))
}

fn seeded(seed: u64) -> f64 {
    let mut state = (seed ^ MULTIPLIER) & MASK;
    let mut next = |bits: u32| {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        state >> (48 - bits)
    };
    let high = next(26);
    let low = next(27);
    // 53 bits, which a double holds exactly.
    ((high << 27) + low) as f64 / (1_u64 << 53) as f64
}

/// Implements `$uuid`.
pub(super) fn uuid(run: &mut Evaluation, _: Args<'_>) -> Result<Option<Item>> {
    run.charge_bytes(36)?;
    Ok(Some(convert::text(run.uuid())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_yields_the_number_of_java() {
        for (seed, number) in [(0, 0.730967787376657), (7, 0.7306990420600421), (77, 0.7240700207191966)] {
            assert_eq!(seeded(seed), number);
        }
    }
}
