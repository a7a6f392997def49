//! Tests of translated expressions.

mod emitted;
mod interpreted;
mod limits;
mod refused;

/// Checks that an expression is translated.
#[track_caller]
fn translated(source: &str) {
    if let Err(reason) = super::translate(source, &["states.input", "limit"], false) {
        panic!("{source}: {reason}");
    }
}
