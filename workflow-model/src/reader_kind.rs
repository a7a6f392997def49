//! Readers of distributed Maps.

/// The kind of reader of a distributed Map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderKind {
    /// Reads the items in an object.
    GetObject,
    /// Lists objects: each is an item.
    ListObjects,
}
