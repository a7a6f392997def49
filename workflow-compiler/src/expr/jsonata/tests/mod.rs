//! Tests of translated expressions.

mod emitted;
mod interpreted;
mod limits;
mod refused;

use workflow_runtime::__private::jsonata::Random;

/// A source of random numbers that is the same for every run.
pub(crate) struct Fixed(pub u64);

impl Random for Fixed {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    fn uuid(&mut self) -> String {
        "00000000-0000-4000-8000-000000000000".to_owned()
    }
}

/// Checks that an expression is translated.
#[track_caller]
fn translated(source: &str) {
    if let Err(reason) = super::translate(source, &["states.input", "limit"], false) {
        panic!("{source}: {reason}");
    }
}
