//! Definitions that are large, deep, broken or hostile. The compiler returns the same bytes every
//! time, and code that grows with the definition. It reports a precise error instead of a panic, a
//! hang or exhausted memory.

mod broken;
mod growth;
mod hostile;
mod sm4c;
