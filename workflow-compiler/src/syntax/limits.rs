//! Limits of the readers, which bound the time and memory that a hostile definition costs.

use crate::source::{FileId, MAX_FILE_BYTES};

/// The maximum size of a definition, in bytes. Checking takes up to a few hundred bytes of memory
/// for each byte of a definition, so that this limit bounds the memory to about a gigabyte. The
/// pass `check_size` does the same for printing.
pub const MAX_BYTES: usize = 4 << 20;
/// The maximum size of a YAML definition, in bytes. The event parser holds a whole flow collection
/// as tokens of a hundred bytes each.
pub const MAX_YAML_BYTES: usize = 4 << 20;

/// Returns the maximum size of a JSON file. The first file of a compilation is the definition.
pub(crate) fn max_bytes(file: FileId) -> usize {
    if file == FileId(0) { MAX_BYTES } else { MAX_FILE_BYTES }
}

/// The maximum nesting depth of objects and arrays.
pub const MAX_DEPTH: usize = 128;
/// The maximum number of values in a definition. In YAML an anchored value counts once more for
/// its anchor and for every alias of it.
pub const MAX_NODES: usize = 1 << 20;
