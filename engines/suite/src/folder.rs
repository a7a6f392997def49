//! Temporary folders for the files of engines.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed when the value is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a folder that no other test uses.
    pub fn new() -> std::io::Result<Folder> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("workflow-engine-suite-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The system removes the rest.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}
