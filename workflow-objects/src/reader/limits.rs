//! The limits of readers. Each bounds memory, whatever the data says of itself.

/// The largest record in bytes: a row, a line, or an element of an array. Everything streams, so
/// that this bounds what a reader holds. AWS refuses rows over 10 MB.
pub const MAX_RECORD: usize = 16 * 1024 * 1024;

/// The largest number of columns. Every row becomes an object with all of them, even an almost
/// empty row. The widest sheets of spreadsheets have as many.
pub const MAX_HEADERS: usize = 16_384;

/// The largest number of items of a Map, as AWS has it. More are not read.
pub const MAX_ITEMS: u64 = 100_000_000;

/// The largest manifest of an inventory in bytes. It is read as a whole: its schema may stand
/// behind its files. An inventory of a billion objects has about a megabyte.
pub const MAX_MANIFEST: usize = 16 * 1024 * 1024;

/// The largest window of zstd data in bytes, which a frame chooses. The strongest levels of the
/// common tools want 8 MiB, and their options for long distances up to this.
pub const MAX_WINDOW: u64 = 64 * 1024 * 1024;
