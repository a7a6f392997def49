//! An item of a distributed Map.

use workflow_runtime::{Str, Value};

/// An item of a distributed Map, with what the context object says of it.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The number of the item in the whole data set, from 0: `Map.Item.Index`.
    pub index: u64,
    /// The key, where the data is an object instead of an array: `Map.Item.Key`.
    pub key: Option<Str>,
    /// The value: `Map.Item.Value`.
    pub value: Value,
    /// The origin, such as `s3://bucket/key`: `Map.Item.Source`.
    pub source: Str,
}
