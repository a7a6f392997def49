//! The limits of shapes. What exceeds one becomes a larger set, which is known in less detail.

/// The most literals of one kind. More are all values of the kind.
pub(super) const MAX_LITERALS: usize = 16;

/// The longest literal string in bytes. A longer one is all strings.
pub(super) const MAX_LITERAL: usize = 256;

/// The most members of an object. Of an object with more nothing is known.
pub(super) const MAX_FIELDS: usize = 256;

/// The most elements of an array that are known one by one.
pub(super) const MAX_PREFIX: usize = 32;

/// The most shapes whose union is computed. That of more is all values.
pub(super) const MAX_UNION: usize = 1024;

/// The depth of shapes inside each other. A deeper one is all values.
pub(super) const MAX_DEPTH: usize = 24;

/// The most shapes inside a shape. Larger ones are all values.
pub(super) const MAX_SIZE: usize = 4096;
