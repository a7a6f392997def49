//! What the readers refuse, so that a hostile definition costs bounded time and memory.

/// The largest definition, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// The largest YAML definition, in bytes: the event parser holds a whole flow collection as tokens of a hundred bytes each.
pub const MAX_YAML_BYTES: usize = 4 << 20;
/// The deepest nesting of objects and arrays.
pub const MAX_DEPTH: usize = 128;
/// The largest number of values in one definition; in YAML an anchored value counts once more for its anchor and for
/// every alias of it.
pub const MAX_NODES: usize = 1 << 20;
/// The number of errors after which the rest of a file is not read, and of warnings after which no more are kept.
pub const MAX_ERRORS: usize = 100;
