//! The interface between distributed Maps and object stores: items are read and results are
//! written through the trait [`Objects`]. The crate `workflow-objects` implements it.

mod arguments;
mod chunk;
mod fields;
mod open;
mod record;
mod transformation;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

pub use arguments::{result_key, text_argument};
pub use chunk::ItemChunk;
pub use fields::{ReadItems, WriteResults};
pub use open::OpenItems;
pub use record::{ChildOutcome, ChildRecord};
pub use transformation::Transformation;

use crate::fault::{Fault, names};
use crate::value::Value;

/// A future of an object store.
pub type ObjectFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The object stores of a program, as distributed Maps use them.
pub trait Objects: Send + Sync {
    /// Opens the items of a request, behind its position.
    ///
    /// # Errors
    /// `States.ItemReaderFailed`: the arguments are wrong, or the store failed.
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>>;

    /// Writes results into complete files and, if these are the last ones, the manifest. Writing
    /// the same results again replaces the same files. The first request of a run has no results,
    /// and shows that results can be written there.
    ///
    /// Returns the state of the writer, for the next request.
    ///
    /// # Errors
    /// `States.ResultWriterFailed`: the arguments are wrong, or the store failed.
    fn write<'a>(&'a self, request: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>>;
}

/// The items that are being read.
pub trait ItemStream: Send {
    /// Returns the next items: at most `count`, and about `bytes` of JSON text. The answer depends
    /// only on the data, the position and the limits. All calls have the same limits, so that a
    /// stream can read ahead.
    ///
    /// A run that is stored within a chunk reads it again from the last of its
    /// [marks](ItemChunk::marks), and skips the items behind that which it has taken. So where
    /// data can vanish, such as the objects of a listing, a mark is before each part that can.
    ///
    /// # Errors
    /// `States.ItemReaderFailed`: the store failed, or the data is bad.
    fn next(&mut self, count: u32, bytes: u64) -> ObjectFuture<'_, Result<ItemChunk, Fault>>;
}

/// Object stores that executions share. A clone refers to the same stores.
#[derive(Clone)]
pub struct ObjectAccess(Arc<Box<dyn Objects>>);

impl ObjectAccess {
    /// Returns access to these stores.
    pub fn new(objects: impl Objects + 'static) -> ObjectAccess {
        ObjectAccess(Arc::new(Box::new(objects)))
    }

    /// Returns the stores.
    pub fn objects(&self) -> &dyn Objects {
        &**self.0
    }
}

impl Objects for ObjectAccess {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        self.objects().open(request)
    }

    fn write<'a>(&'a self, request: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        self.objects().write(request)
    }
}

impl fmt::Debug for ObjectAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectAccess")
    }
}

/// Returns the fault of a Map whose items cannot be read because the program has no stores.
pub fn no_reader(request: &ReadItems) -> Fault {
    let bucket = bucket(&request.arguments);
    Fault::named(names::ITEM_READER_FAILED, no_store(bucket))
}

/// Returns the fault of a Map whose results cannot be written because the program has no stores.
pub fn no_writer(request: &WriteResults) -> Fault {
    let bucket = bucket(&request.arguments);
    Fault::named(names::RESULT_WRITER_FAILED, no_store(bucket))
}

fn bucket(arguments: &Value) -> &str {
    arguments.get("Bucket").and_then(Value::as_str).unwrap_or_default()
}

fn no_store(bucket: &str) -> String {
    format!(
        "the program has no object stores, and needs one for the bucket {bucket:?}: add it to the table [stores] of \
         workflow.toml, by --store, or by Builder::objects or Service::objects"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::ReaderKind;
    use crate::value;

    #[test]
    fn a_program_without_stores_learns_where_to_add_them() {
        let arguments = value!({ "Bucket": "rows", "Key": "a.csv" });
        let request = ReadItems::new(ReaderKind::GetObject, arguments, Value::Null, 1, 1);
        let expected = "the program has no object stores, and needs one for the bucket \"rows\": add it to the table \
                        [stores] of workflow.toml, by --store, or by Builder::objects or Service::objects";
        assert_eq!(no_reader(&request).cause().and_then(Value::as_str), Some(expected));
    }
}
