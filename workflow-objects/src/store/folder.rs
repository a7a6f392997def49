//! A bucket that is a folder of files.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use workflow_runtime::Str;

use super::folder_key::{path_of, refusal_of_name};
use super::folder_list::FolderPages;
use super::folder_upload::FolderUpload;
use super::{
    CHUNK, Download, ObjectInfo, ObjectStore, Parts, Pending, StoreError, StoreErrorKind, Stores, Upload, Wanted,
};

/// A bucket that is a folder: the object `a/b.csv` is the file `a/b.csv` in it.
///
/// Objects are written to a temporary file, which is then renamed, so that nobody ever sees half
/// of one. A crash leaves the temporary file in the bucket's folder, where it is no object: its
/// name begins with `.workflow-upload-`. The first upload of a program to a bucket removes those
/// that were not changed for a week.
///
/// Keys that are not plain paths, such as `../a`, are refused ([`StoreErrorKind::Denied`]). So is
/// a listing to which a file belongs that has no such key, such as `a?.csv`, or a name that is not
/// UTF-8: nobody reads a part of a folder without noticing.
///
/// See the example of [`Stores`].
#[derive(Debug, Clone)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// Creates a bucket of a folder. The folder is created when the first object is written.
    pub fn new(folder: impl Into<PathBuf>) -> FolderStore {
        FolderStore { folder: folder.into() }
    }

    /// Creates the bucket `<root>/<bucket>`. The name may come from a definition's data.
    ///
    /// # Errors
    /// The bucket's name is not a plain name.
    pub fn in_root(root: &Path, bucket: &str) -> Result<FolderStore, StoreError> {
        match bucket.contains('/').then_some("it has a slash").or_else(|| refusal_of_name(bucket)) {
            None => Ok(FolderStore::new(root.join(bucket))),
            Some(reason) => {
                let message = format!("the bucket {bucket:?} is not allowed: {reason}");
                Err(StoreError::new(StoreErrorKind::Denied, message))
            }
        }
    }

    /// Returns stores that find each bucket in a folder of its name: `<root>/<bucket>/<key>`.
    pub fn all_in(root: impl Into<PathBuf>) -> Stores {
        let root = root.into();
        Stores::new().with_others(move |bucket| {
            let store = FolderStore::in_root(&root, bucket).ok()?;
            Some(std::sync::Arc::new(store))
        })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl ObjectStore for FolderStore {
    fn get<'a>(&'a self, key: &'a str, wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        Box::pin(async move {
            if wanted.version.is_some() {
                return Err(StoreError::new(StoreErrorKind::Other, format!("{key:?} has no versions in a folder")));
            }
            let path = path_of(&self.folder, key)?;
            let key = Str::from(key);
            let etag = wanted.etag.map(Str::from);
            let (start, end) = (wanted.start, wanted.end);
            blocking(move || open(&path, key, etag, start, end)).await
        })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        Box::new(FolderPages::new(self.folder.clone(), prefix, after))
    }

    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        Box::pin(async move {
            let path = path_of(&self.folder, key)?;
            let (folder, key) = (self.folder.clone(), Str::from(key));
            let upload = blocking(move || FolderUpload::create(&folder, path, key)).await?;
            Ok(Box::new(upload) as Box<dyn Upload>)
        })
    }
}

/// Does work that blocks, on a thread for that if the program runs on tokio.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::runtime::Handle::try_current() {
        Err(_) => work(),
        Ok(runtime) => runtime.spawn_blocking(work).await.unwrap_or_else(|error| {
            Err(StoreError::with_source(StoreErrorKind::Other, "a file operation did not end", error))
        }),
    }
}

/// Returns the ETag of a file: its size and the time of its last change.
pub(super) fn etag_of(metadata: &Metadata) -> Str {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Str::from(format!("\"{:x}-{:x}\"", metadata.len(), changed.unwrap_or_default().as_nanos()))
}

fn open(path: &Path, key: Str, etag: Option<Str>, start: u64, end: Option<u64>) -> Result<Download, StoreError> {
    let failed = |error| StoreError::of_file(error, "read", &key);
    // Before the file is opened: that waits for a writer if it is a pipe.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(StoreError::new(StoreErrorKind::NotFound, format!("{key:?} is not a file")));
    }
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let found = etag_of(&metadata);
    if etag.is_some_and(|etag| etag != found) {
        return Err(StoreError::new(StoreErrorKind::Changed, format!("{key:?} was replaced")));
    }
    let size = metadata.len();
    let end = end.unwrap_or(size).min(size);
    let start = start.min(end);
    file.seek(SeekFrom::Start(start)).map_err(failed)?;
    let state = Reading { file, key, etag: found.clone(), left: end - start };
    Ok(Download { size, etag: found, body: Box::new(FileChunks(Some(state))) })
}

/// The chunks of a file. `None` while a chunk is read, and after an error.
struct FileChunks(Option<Reading>);

struct Reading {
    file: File,
    key: Str,
    etag: Str,
    left: u64,
}

impl Reading {
    /// Reads a chunk. The file must be what it was when it was opened.
    fn chunk(&mut self) -> Result<Option<Bytes>, StoreError> {
        let failed = |error: io::Error| StoreError::of_file(error, "read", &self.key);
        let length = self.left.min(CHUNK as u64);
        if length == 0 {
            return Ok(None);
        }
        // At most `CHUNK`, which is a `usize`.
        let mut bytes = Vec::with_capacity(length as usize);
        let read = (&mut self.file).take(length).read_to_end(&mut bytes).map_err(failed)?;
        let metadata = self.file.metadata().map_err(failed)?;
        if read as u64 != length || etag_of(&metadata) != self.etag {
            let message = format!("{:?} changed while it was read", self.key);
            return Err(StoreError::new(StoreErrorKind::Changed, message));
        }
        self.left -= length;
        Ok(Some(bytes.into()))
    }
}

impl Parts<Bytes> for FileChunks {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        Box::pin(async move {
            let Some(mut reading) = self.0.take() else { return Ok(None) };
            let (reading, chunk) = blocking(move || {
                let chunk = reading.chunk()?;
                Ok((reading, chunk))
            })
            .await?;
            if chunk.is_some() {
                self.0 = Some(reading);
            }
            Ok(chunk)
        })
    }
}
