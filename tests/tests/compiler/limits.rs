//! What the compiler makes of definitions that are large, deep, broken or meant to harm: the same
//! bytes every time, code that grows with the definition, and a precise refusal in place of a
//! panic, a hang or an exhausted machine.

mod broken;
mod growth;
mod hostile;
mod sm4c;
