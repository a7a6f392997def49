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
        let file = create_folders(folder)
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
        create_folders(parent)?;
        fs::rename(&self.temporary.path, &self.path)?;
        self.temporary.kept = true;
        sync_folder(parent)?;
        Ok(Stored { etag: etag_of(&metadata), size: metadata.len() })
    }
}

/// Creates a folder and those above it. Their names are on the disk afterwards.
fn create_folders(folder: &Path) -> io::Result<()> {
    let changed = folders_above_new_ones(folder);
    fs::create_dir_all(folder)?;
    changed.iter().try_for_each(|above| sync_folder(above))
}

/// Returns the folders in which a folder and those above it are to be created.
fn folders_above_new_ones(folder: &Path) -> Vec<PathBuf> {
    let new = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    new.filter_map(Path::parent).map(Path::to_path_buf).collect()
}

/// Waits until the names in a folder are on the disk. Other systems cannot open a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_all_new_folders_are_synced() {
        let root = std::env::temp_dir().join(format!("workflow-objects-folders-{}", process::id()));
        fs::create_dir_all(&root).expect("the folder is created");
        let deepest = root.join("a/b/c");
        assert_eq!(folders_above_new_ones(&deepest), [root.join("a/b"), root.join("a"), root.clone()]);
        create_folders(&deepest).expect("the folders are created");
        assert!(deepest.is_dir());
        assert!(folders_above_new_ones(&deepest).is_empty());
        assert_eq!(folders_above_new_ones(Path::new("a-new-folder/b")), [Path::new("a-new-folder"), Path::new("")]);
        fs::remove_dir_all(root).expect("the folder is removed");
    }
}
