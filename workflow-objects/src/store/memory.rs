//! A bucket in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::{Bytes, BytesMut};
use workflow_runtime::Str;

use super::{
    CHUNK, Download, ObjectInfo, ObjectStore, PAGE, Parts, Pending, StoreError, StoreErrorKind, Stored, Upload, Wanted,
};

/// A bucket in memory. Clones share the objects.
///
/// See the example of [`ObjectStore`].
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Content>>);

#[derive(Default)]
struct Content {
    objects: BTreeMap<Str, Object>,
    /// The number of objects written so far, which makes ETags distinct.
    written: u64,
}

#[derive(Clone)]
struct Object {
    bytes: Bytes,
    etag: Str,
    modified: i64,
}

impl MemoryStore {
    /// Creates an empty bucket.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// Writes an object.
    pub fn insert(&self, key: impl Into<Str>, bytes: impl Into<Bytes>) -> Stored {
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        let mut content = self.content();
        content.written += 1;
        let etag = Str::from(format!("\"{:032x}\"", content.written));
        content.objects.insert(key.into(), Object { bytes, etag: etag.clone(), modified: now() });
        Stored { etag, size }
    }

    /// Removes an object. Returns `true` if there was one.
    pub fn remove(&self, key: &str) -> bool {
        self.content().objects.remove(key).is_some()
    }

    /// Returns the bytes of an object.
    pub fn bytes(&self, key: &str) -> Option<Bytes> {
        self.content().objects.get(key).map(|object| object.bytes.clone())
    }

    /// Returns all keys, in order.
    pub fn keys(&self) -> Vec<Str> {
        self.content().objects.keys().cloned().collect()
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        // No operation leaves the map half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, key: &str, wanted: &Wanted<'_>) -> Result<Download, StoreError> {
        if wanted.version.is_some() {
            return Err(StoreError::new(StoreErrorKind::Other, format!("{key:?} has no versions in memory")));
        }
        let object = self.content().objects.get(key).cloned();
        let missing = || StoreError::new(StoreErrorKind::NotFound, format!("there is no object {key:?}"));
        let object = object.ok_or_else(missing)?;
        if wanted.etag.is_some_and(|etag| etag != object.etag.as_str()) {
            return Err(StoreError::new(StoreErrorKind::Changed, format!("{key:?} was replaced")));
        }
        let size = object.bytes.len();
        let end = wanted.end.map_or(size, |end| usize::try_from(end).map_or(size, |end| end.min(size)));
        let start = usize::try_from(wanted.start).map_or(end, |start| start.min(end));
        Ok(Download { size: size as u64, etag: object.etag, body: Box::new(Slices(object.bytes.slice(start..end))) })
    }
}

/// Returns the seconds since 1970.
fn now() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MemoryStore").field(&self.content().objects.len()).finish()
    }
}

impl ObjectStore for MemoryStore {
    fn get<'a>(&'a self, key: &'a str, wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        Box::pin(async move { self.open(key, &wanted) })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        Box::new(Pages { store: self.clone(), prefix: prefix.into(), after: after.map(Str::from) })
    }

    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        let upload = MemoryUpload { store: self.clone(), key: key.into(), bytes: BytesMut::new() };
        Box::pin(async move { Ok(Box::new(upload) as Box<dyn Upload>) })
    }
}

/// The rest of an object, in slices.
struct Slices(Bytes);

impl Parts<Bytes> for Slices {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        let length = self.0.len().min(CHUNK);
        let chunk = self.0.split_to(length);
        Box::pin(async move { Ok(Some(chunk).filter(|chunk| !chunk.is_empty())) })
    }
}

/// The pages of a listing.
struct Pages {
    store: MemoryStore,
    prefix: Str,
    after: Option<Str>,
}

impl Pages {
    fn page(&mut self) -> Vec<ObjectInfo> {
        let content = self.store.content();
        let from = match &self.after {
            Some(after) if *after >= self.prefix => Bound::Excluded(after.clone()),
            _ => Bound::Included(self.prefix.clone()),
        };
        let found = content.objects.range((from, Bound::Unbounded));
        let found = found.take_while(|(key, _)| key.starts_with(self.prefix.as_str())).take(PAGE);
        let page: Vec<ObjectInfo> = found
            .map(|(key, object)| ObjectInfo {
                key: key.clone(),
                etag: object.etag.clone(),
                modified: object.modified,
                size: object.bytes.len() as u64,
                class: Str::from_static("STANDARD"),
            })
            .collect();
        drop(content);
        if let Some(last) = page.last() {
            self.after = Some(last.key.clone());
        }
        page
    }
}

impl Parts<Vec<ObjectInfo>> for Pages {
    fn next(&mut self) -> Pending<'_, Result<Option<Vec<ObjectInfo>>, StoreError>> {
        let page = self.page();
        Box::pin(async move { Ok(Some(page).filter(|page| !page.is_empty())) })
    }
}

/// An object that is being written. Only its end touches the bucket.
struct MemoryUpload {
    store: MemoryStore,
    key: Str,
    bytes: BytesMut,
}

impl Upload for MemoryUpload {
    fn write(&mut self, bytes: Bytes) -> Pending<'_, Result<(), StoreError>> {
        self.bytes.extend_from_slice(&bytes);
        Box::pin(async { Ok(()) })
    }

    fn finish(self: Box<Self>) -> Pending<'static, Result<Stored, StoreError>> {
        Box::pin(async move { Ok(self.store.insert(self.key, self.bytes.freeze())) })
    }

    fn abort(self: Box<Self>) -> Pending<'static, Result<(), StoreError>> {
        Box::pin(async { Ok(()) })
    }
}
