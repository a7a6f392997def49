//! A bucket of a cloud, by the crate `object_store`.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::{Path, PathPart};
use object_store::{GetOptions, GetRange, ObjectMeta};
use workflow_runtime::Str;

use super::answer::shown;
use super::cloud_upload::{CloudUpload, try_upload};
use super::listed_keys::key_of;
use super::{Download, ObjectInfo, ObjectStore, PAGE, Parts, Pending, StoreError, StoreErrorKind, Upload, Wanted};

/// A client of `object_store` that lists in pages.
pub(super) trait Client: object_store::ObjectStore + PaginatedListStore {}

impl<T: object_store::ObjectStore + PaginatedListStore> Client for T {}

/// A bucket of a cloud. Its builders are `S3`, `Gcs` and `Azure`. Its `Debug` output has no
/// credentials.
#[cfg_attr(feature = "s3", doc = "\n\nSee the example of [`S3`](super::S3).")]
#[derive(Clone)]
pub struct CloudStore {
    client: Arc<dyn Client>,
    bucket: Str,
}

impl CloudStore {
    pub(super) fn new(client: impl Client, bucket: Str) -> CloudStore {
        CloudStore { client: Arc::new(client), bucket }
    }

    async fn open(&self, key: &str, wanted: Wanted<'_>) -> Result<Download, StoreError> {
        let path = path_of(key)?;
        let options = |range: Option<GetRange>, head: bool| {
            GetOptions::new().with_if_match(wanted.etag).with_version(wanted.version).with_range(range).with_head(head)
        };
        let range = match (wanted.start, wanted.end) {
            (0, None) => None,
            (start, None) => Some(GetRange::Offset(start)),
            (start, Some(end)) => Some(GetRange::Bounded(start..end.max(start))),
        };
        let part = self.client.get_opts(&path, options(range.clone(), false)).await;
        let result = match part {
            Ok(result) => result,
            // A range without a byte is an error of these servers.
            Err(error) if range.is_some() && kind_of(&error) == StoreErrorKind::Other => {
                let whole = self.client.get_opts(&path, options(None, true)).await;
                let meta = whole.map_err(|error| store_error(error, "read", key))?.meta;
                if wanted.start < meta.size && wanted.end.is_none_or(|end| end > wanted.start) {
                    return Err(store_error(error, "read", key));
                }
                let body = Box::new(Chunks { stream: futures_util::stream::empty().boxed(), key: key.into() });
                return Ok(Download { size: meta.size, etag: etag_of(&meta), body });
            }
            Err(error) => return Err(store_error(error, "read", key)),
        };
        let (size, etag) = (result.meta.size, etag_of(&result.meta));
        Ok(Download { size, etag, body: Box::new(Chunks { stream: result.into_stream(), key: key.into() }) })
    }
}

impl fmt::Debug for CloudStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CloudStore").field(&self.bucket).finish()
    }
}

impl ObjectStore for CloudStore {
    fn get<'a>(&'a self, key: &'a str, wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        Box::pin(self.open(key, wanted))
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        Box::new(Pages {
            client: self.client.clone(),
            bucket: self.bucket.clone(),
            prefix: prefix.to_owned(),
            place: Place::Behind(after.map(str::to_owned)),
        })
    }

    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        Box::pin(async move {
            let upload = CloudUpload::new(self.client.clone(), path_of(key)?, key.into());
            Ok(Box::new(upload) as Box<dyn Upload>)
        })
    }

    fn check_put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { try_upload(&*self.client, &path_of(key)?, key).await })
    }
}

/// Returns the path of a key. The crate's paths are not all keys: without this, `/a` would be `a`.
/// A path that is made of segments keeps the empty ones of `a//b`, but not a first one.
fn path_of(key: &str) -> Result<Path, StoreError> {
    let refused = || StoreError::new(StoreErrorKind::Other, format!("the key {key:?} is not a plain path"));
    let mut path = Path::default();
    for segment in key.split('/') {
        path = path.join(
            PathPart::parse(segment)
                .map_err(|error| StoreError::with_source(StoreErrorKind::Other, refused().to_string(), error))?,
        );
    }
    match path.as_ref() == key && !key.is_empty() {
        true => Ok(path),
        false => Err(refused()),
    }
}

fn kind_of(error: &object_store::Error) -> StoreErrorKind {
    use object_store::Error;
    match error {
        Error::NotFound { .. } => StoreErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => StoreErrorKind::Denied,
        Error::Precondition { .. } => StoreErrorKind::Changed,
        // The crate does not classify the errors of listings, and hides their types.
        _ => match status_of(&error.to_string()) {
            Some("404") => StoreErrorKind::NotFound,
            Some("401" | "403") => StoreErrorKind::Denied,
            _ => StoreErrorKind::Other,
        },
    }
}

/// Returns the status of the server's answer in the text of an error.
fn status_of(text: &str) -> Option<&str> {
    text.split_once("non-2xx status code: ")?.1.get(..3)
}

/// Returns the error of an operation. The error of the crate has the whole answer of the server.
pub(super) fn store_error(error: object_store::Error, what: &str, key: &str) -> StoreError {
    StoreError::with_source(kind_of(&error), format!("cannot {what} {key:?}"), shown(&error))
}

fn etag_of(meta: &ObjectMeta) -> Str {
    meta.e_tag.as_deref().map(Str::from).unwrap_or_default()
}

/// The chunks of an object.
struct Chunks {
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    key: Str,
}

impl Parts<Bytes> for Chunks {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        Box::pin(async move {
            let chunk = self.stream.next().await.transpose();
            chunk.map_err(|error| store_error(error, "read", &self.key))
        })
    }
}

/// The pages of a listing.
struct Pages {
    client: Arc<dyn Client>,
    bucket: Str,
    prefix: String,
    place: Place,
}

enum Place {
    /// Before the first page, behind a key.
    Behind(Option<String>),
    /// Behind a page, with what the server calls the next one.
    Token(String),
    End,
}

impl Pages {
    async fn page(&mut self) -> Result<Option<Vec<ObjectInfo>>, StoreError> {
        let behind = match &self.place {
            Place::Behind(after) => after.clone(),
            Place::Token(_) | Place::End => None,
        };
        let (offset, page_token) = match std::mem::replace(&mut self.place, Place::End) {
            Place::Behind(after) => (after, None),
            Place::Token(token) => (None, Some(token)),
            Place::End => return Ok(None),
        };
        let options = PaginatedListOptions { offset, page_token, max_keys: Some(PAGE), ..Default::default() };
        let prefix = Some(self.prefix.as_str()).filter(|prefix| !prefix.is_empty());
        let page = self.client.list_paginated(prefix, options).await;
        let page = page.map_err(|error| store_error(error, "list", &self.bucket))?;
        if let Some(token) = page.page_token {
            self.place = Place::Token(token);
        }
        let mut objects = Vec::with_capacity(page.result.objects.len());
        for meta in &page.result.objects {
            let object = info(meta)?;
            // Azure begins at the key, and not behind it.
            if behind.as_deref() != Some(object.key.as_str()) {
                objects.push(object);
            }
        }
        Ok(Some(objects))
    }
}

fn info(meta: &ObjectMeta) -> Result<ObjectInfo, StoreError> {
    Ok(ObjectInfo {
        key: Str::from(key_of(meta.location.as_ref())?),
        etag: etag_of(meta),
        modified: meta.last_modified.timestamp(),
        size: meta.size,
        class: Str::from_static("STANDARD"),
    })
}

impl Parts<Vec<ObjectInfo>> for Pages {
    fn next(&mut self) -> Pending<'_, Result<Option<Vec<ObjectInfo>>, StoreError>> {
        Box::pin(self.page())
    }
}
