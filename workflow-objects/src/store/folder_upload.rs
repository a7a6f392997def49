//! An object that is being written to a folder.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use workflow_runtime::Str;

use super::folder::{blocking, etag_of};
use super::folder_key::UPLOAD;
use super::{Pending, StoreError, StoreErrorKind, Stored, Upload};

/// The number of uploads of this program, which makes their names distinct.
static UPLOADS: AtomicU64 = AtomicU64::new(0);

/// The age of a file that is no longer being written, since its last change. Nobody can see
/// whether its program still runs: that may be on another machine.
const LEFT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The folders in which this program has removed what others left.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The most folders that are remembered: names of buckets come from data.
const MAX_SWEPT: usize = 1000;

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
            // A file that cannot be removed is no object: its name says so.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl FolderUpload {
    /// Creates the temporary file, in the bucket's folder: a rename within a file system replaces
    /// a file at once. Removes those that were left there.
    pub(super) fn create(folder: &Path, path: PathBuf, key: Str) -> Result<FolderUpload, StoreError> {
        if let Some(obstacle) = obstacle(folder, &path) {
            let message = format!("cannot write {key:?}: {obstacle}");
            return Err(StoreError::new(StoreErrorKind::Other, message));
        }
        sweep_once(folder);
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

/// Returns the reason why a path in a folder cannot become a file.
fn obstacle(folder: &Path, path: &Path) -> Option<String> {
    let is = |path: &Path, test: fn(&fs::Metadata) -> bool| fs::metadata(path).is_ok_and(|metadata| test(&metadata));
    if is(path, fs::Metadata::is_dir) {
        return Some("there is a folder of this name".to_owned());
    }
    let above = path.ancestors().skip(1).take_while(|above| *above != folder);
    let file = above.chain([folder]).find(|above| is(above, |metadata| !metadata.is_dir()))?;
    let name = file.strip_prefix(folder).ok().filter(|name| !name.as_os_str().is_empty()).unwrap_or(file);
    Some(format!("{name:?} is a file, and no folder"))
}

/// Removes the files in a folder that were left by uploads, at the first call for it.
fn sweep_once(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.contains(folder) {
        return;
    }
    if swept.len() == MAX_SWEPT {
        swept.clear();
    }
    swept.insert(folder.to_path_buf());
    drop(swept);
    // A folder that does not exist has none. What cannot be removed does no harm.
    fs::read_dir(folder).into_iter().flatten().flatten().filter(is_left).for_each(|entry| {
        let _ = fs::remove_file(entry.path());
    });
}

/// Returns `true` for a file of an upload that is no longer being written.
fn is_left(entry: &DirEntry) -> bool {
    let is_upload = entry.file_name().to_string_lossy().starts_with(UPLOAD);
    let changed = || entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|metadata| metadata.modified().ok());
    is_upload && changed().and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > LEFT)
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
    fn uploads_that_were_left_are_removed_after_a_week() {
        let root = std::env::temp_dir().join(format!("workflow-objects-left-{}", process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("the folder is created");
        let day = Duration::from_secs(24 * 60 * 60);
        let file = |name: &str, days: u32| {
            let file = File::create(root.join(name)).expect("the file is created");
            file.set_modified(SystemTime::now() - days * day).expect("the time is set");
        };
        file(".workflow-upload-1-0-1", 8);
        file(".workflow-upload-1-1-1", 6);
        file("an-object", 8);
        let names = || {
            let entries = fs::read_dir(&root).expect("the folder is there");
            let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        for _ in 0..2 {
            let upload = FolderUpload::create(&root, root.join("a"), "a".into()).expect("it begins");
            assert_eq!(names().len(), 3);
            drop(upload);
            assert_eq!(names(), [".workflow-upload-1-1-1", "an-object"]);
        }
        fs::remove_dir_all(root).expect("the folder is removed");
    }

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
