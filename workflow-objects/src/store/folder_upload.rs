//! An object that is being written to a folder.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use workflow_runtime::Str;

use super::folder::{blocking, etag_of};
use super::folder_key::UPLOAD;
use super::{Pending, StoreError, StoreErrorKind, Stored, Upload};

/// The number of uploads of this program, which makes their names distinct.
static UPLOADS: AtomicU64 = AtomicU64::new(0);

/// An object that is being written: a temporary file, which becomes the object by its new name.
pub(super) struct FolderUpload {
    /// `None` while bytes are written, and after an error.
    file: Option<File>,
    temporary: Temporary,
    path: PathBuf,
    key: Str,
}

/// A file that is removed when this is dropped, unless it got its final name.
struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed is no object: its name says so.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl FolderUpload {
    /// Creates the temporary file, in the bucket's folder: a rename within a file system replaces
    /// a file at once.
    pub(super) fn create(folder: &Path, path: PathBuf, key: Str) -> Result<FolderUpload, StoreError> {
        let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let temporary = folder.join(format!("{UPLOAD}{}-{number}-{nanos}", process::id()));
        let file = fs::create_dir_all(folder)
            .and_then(|()| OpenOptions::new().write(true).create_new(true).open(&temporary))
            .map_err(|error| StoreError::of_file(error, "write", &key))?;
        Ok(FolderUpload { file: Some(file), temporary: Temporary { path: temporary, kept: false }, path, key })
    }

    fn take_file(&mut self) -> Result<File, StoreError> {
        self.file.take().ok_or_else(|| {
            StoreError::new(StoreErrorKind::Other, format!("{:?} was not written: an earlier part failed", self.key))
        })
    }

    /// Gives the file its name, after its bytes are on the disk.
    fn publish(mut self, file: &File) -> io::Result<Stored> {
        file.sync_all()?;
        let metadata = file.metadata()?;
        let parent = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        fs::rename(&self.temporary.path, &self.path)?;
        self.temporary.kept = true;
        // The name is on the disk only when its folder is. Other systems cannot open a folder.
        #[cfg(unix)]
        File::open(parent)?.sync_all()?;
        Ok(Stored { etag: etag_of(&metadata), size: metadata.len() })
    }
}

impl Upload for FolderUpload {
    fn write(&mut self, bytes: Bytes) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let mut file = self.take_file()?;
            let key = self.key.clone();
            let file = blocking(move || match file.write_all(&bytes) {
                Ok(()) => Ok(file),
                Err(error) => Err(StoreError::of_file(error, "write", &key)),
            })
            .await?;
            self.file = Some(file);
            Ok(())
        })
    }

    fn finish(mut self: Box<Self>) -> Pending<'static, Result<Stored, StoreError>> {
        Box::pin(async move {
            let file = self.take_file()?;
            let key = self.key.clone();
            blocking(move || self.publish(&file).map_err(|error| StoreError::of_file(error, "write", &key))).await
        })
    }

    fn abort(self: Box<Self>) -> Pending<'static, Result<(), StoreError>> {
        // Dropping removes the file.
        let removed = move || {
            drop(self);
            Ok(())
        };
        Box::pin(blocking(removed))
    }
}
