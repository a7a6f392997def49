//! Tests of the compiler with whole definitions: its code and its diagnostics.

mod builtins;
mod diagnostics;
mod fronts;
mod limits;
