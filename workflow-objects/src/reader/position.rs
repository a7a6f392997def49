//! The position of a reader: where to continue behind an item.

use serde::{Deserialize, Serialize};
use workflow_runtime::Str;

/// The position of a reader behind an item. It is small, and can be stored: a reader that is
/// opened at it yields the items that follow.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The number of items before the position, which is the index of the next one.
    pub index: u64,
    /// The key of the last object that a listing has yielded, or whose items are being read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Str>,
    /// The manifest, behind the object that is being read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<ObjectPosition>,
    /// The object that is being read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectPosition>,
}

/// The position in an object, behind a record.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectPosition {
    /// The bucket.
    pub bucket: Str,
    /// The key.
    pub key: Str,
    /// The ETag that the object must still have. Empty if its store has none.
    pub etag: Str,
    /// The number of bytes before the position, uncompressed.
    pub offset: u64,
    /// The number of records before the position.
    pub record: u64,
    /// `true` within an object whose members are the items.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub members: bool,
}
