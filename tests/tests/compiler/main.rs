//! What the compiler makes of definitions, and what it says of them.

mod builtins;
mod diagnostics;
mod fronts;
mod limits;
