//! Tests of translated expressions.

mod emitted;
mod refused;
