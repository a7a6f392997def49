//! What the readers refuse, so that a hostile definition costs bounded time and memory.

use crate::source::FileId;

/// The largest definition, in bytes. A byte takes up to a few hundred bytes of memory while a definition is checked: this
/// bounds that to about a gigabyte, as the pass `check_size` does for printing.
pub const MAX_BYTES: usize = 4 << 20;
/// The largest file that a definition names, in bytes. Documents of services are larger than definitions, and little of
/// them is used.
pub const MAX_FILE_BYTES: usize = 16 << 20;
/// The largest YAML definition, in bytes: the event parser holds a whole flow collection as tokens of a hundred bytes each.
pub const MAX_YAML_BYTES: usize = 4 << 20;
/// The largest JSON file that is read as this one: the first file of a compilation is the definition.
pub(crate) fn max_bytes(file: FileId) -> usize {
    if file == FileId(0) { MAX_BYTES } else { MAX_FILE_BYTES }
}

/// The deepest nesting of objects and arrays.
pub const MAX_DEPTH: usize = 128;
/// The largest number of values in one definition; in YAML an anchored value counts once more for its anchor and for
/// every alias of it.
pub const MAX_NODES: usize = 1 << 20;
/// The number of errors after which the rest of a file is not read, and of warnings after which no more are kept.
pub const MAX_ERRORS: usize = 100;
