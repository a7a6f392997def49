//! What the readers refuse, so that a hostile definition costs bounded time and memory.

/// The largest definition, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// The deepest nesting of objects and arrays.
pub const MAX_DEPTH: usize = 128;
/// The largest number of values in one definition, aliases of YAML counted as often as they are used.
pub const MAX_NODES: usize = 1 << 20;
