//! Object stores: the interface, the errors, and the stores of buckets.

#[cfg(any(feature = "cloud", test))]
mod answer;
#[cfg(feature = "azure")]
mod azure;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(feature = "cloud")]
mod cloud_upload;
mod error;
mod folder;
mod folder_key;
mod folder_list;
mod folder_upload;
#[cfg(feature = "gcs")]
mod gcs;
#[cfg(feature = "cloud")]
mod listed_keys;
mod memory;
#[cfg(feature = "s3")]
mod s3;
mod stores;
#[cfg(feature = "cloud")]
mod tls;

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use workflow_runtime::Str;

#[cfg(feature = "azure")]
pub use azure::Azure;
#[cfg(feature = "cloud")]
pub use cloud::CloudStore;
pub use error::{StoreError, StoreErrorKind};
pub use folder::FolderStore;
#[cfg(feature = "gcs")]
pub use gcs::Gcs;
pub use memory::MemoryStore;
#[cfg(feature = "s3")]
pub use s3::S3;
pub use stores::Stores;

/// A future of a store.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The largest piece that the built-in stores hand out at once, in bytes. Large enough that the
/// cost of a call vanishes, and small beside the memory of a program.
pub const CHUNK: usize = 256 * 1024;

/// The largest number of objects in a page of a listing, as S3 has it.
pub const PAGE: usize = 1000;

/// A bucket: objects by key.
///
/// Keys come from definitions and their data, so that a store treats them as hostile. Objects are
/// read in pieces and written in pieces, because they are larger than memory.
///
/// ```
/// use workflow_objects::Bytes;
/// use workflow_objects::store::{MemoryStore, ObjectStore, Wanted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = MemoryStore::new();
/// let mut upload = store.put("a/greeting.txt").await?;
/// upload.write(Bytes::from_static(b"good morning")).await?;
/// assert_eq!(upload.finish().await?.size, 12);
///
/// let wanted = Wanted { start: 5, ..Wanted::default() };
/// let mut download = store.get("a/greeting.txt", wanted).await?;
/// assert_eq!(download.body.next().await?, Some(Bytes::from_static(b"morning")));
///
/// let page = store.list("a/", None).next().await?.ok_or("there is no page")?;
/// assert_eq!(page[0].key.as_str(), "a/greeting.txt");
/// # Ok(())
/// # }
/// ```
pub trait ObjectStore: Send + Sync {
    /// Opens an object, or a part of it.
    ///
    /// # Errors
    /// The object does not exist, may not be read, or is not the wanted one.
    fn get<'a>(&'a self, key: &'a str, wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>>;

    /// Lists the objects whose keys start with a prefix, in the order of their keys' bytes,
    /// beginning behind a key. Errors are those of the pages.
    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>>;

    /// Begins to write an object. It appears under its key when the upload is finished, as a
    /// whole, and replaces the previous object.
    ///
    /// # Errors
    /// The key is not allowed, or the store cannot write.
    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>>;

    /// Tries whether an object can be written under a key, and leaves nothing there. By itself,
    /// this begins an upload and gives it up. A store whose uploads begin later does more.
    ///
    /// # Errors
    /// The key is not allowed, or the store cannot write.
    fn check_put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { self.put(key).await?.abort().await })
    }
}

/// Pieces that arrive one after the other, until there are none or an error.
///
/// See the example of [`ObjectStore`].
pub trait Parts<T>: Send {
    /// Returns the next piece, or `None` at the end.
    ///
    /// # Errors
    /// The store failed. Nothing follows.
    fn next(&mut self) -> Pending<'_, Result<Option<T>, StoreError>>;
}

/// An object that is being written. Dropped before its end, it leaves nothing under its key.
///
/// See the example of [`ObjectStore`].
pub trait Upload: Send {
    /// Adds bytes.
    ///
    /// # Errors
    /// The store failed. The object is not written.
    fn write(&mut self, bytes: Bytes) -> Pending<'_, Result<(), StoreError>>;

    /// Makes the object appear. When this returns, the object survives a crash.
    ///
    /// # Errors
    /// The store failed. The previous object, if any, is still there.
    fn finish(self: Box<Self>) -> Pending<'static, Result<Stored, StoreError>>;

    /// Gives up, and removes what was sent.
    ///
    /// # Errors
    /// The store failed. Nothing appears under the key.
    fn abort(self: Box<Self>) -> Pending<'static, Result<(), StoreError>>;
}

/// The part of an object that is wanted, and its version.
///
/// See the example of [`ObjectStore`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The first byte.
    pub start: u64,
    /// The byte behind the last one, otherwise the end of the object.
    pub end: Option<u64>,
    /// The ETag that the object must have.
    pub etag: Option<&'a str>,
    /// The version of the object, otherwise the newest.
    pub version: Option<&'a str>,
}

/// An object that is being read.
///
/// See the example of [`ObjectStore`].
pub struct Download {
    /// The size of the whole object in bytes.
    pub size: u64,
    /// The ETag, with the quotes that S3 has around it. Empty if the store has none.
    pub etag: Str,
    /// The bytes that were wanted.
    pub body: Box<dyn Parts<Bytes>>,
}

/// An object in a listing.
///
/// See the example of [`ObjectStore`].
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectInfo {
    /// The key.
    pub key: Str,
    /// The ETag, with the quotes that S3 has around it. Empty if the store has none.
    pub etag: Str,
    /// The time of the last change, in seconds since 1970.
    pub modified: i64,
    /// The size in bytes.
    pub size: u64,
    /// The storage class. `STANDARD` where a store does not say.
    pub class: Str,
}

/// An object that was written.
///
/// See the example of [`ObjectStore`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The ETag. Empty if the store has none.
    pub etag: Str,
    /// The size in bytes.
    pub size: u64,
}
