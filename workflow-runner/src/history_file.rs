//! File with the history of an execution.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use workflow_runtime::observe::History;

/// A file that keeps its old content until the run is accepted or the first event is written.
#[derive(Clone)]
pub(crate) struct HistoryFile(Arc<(File, AtomicBool)>);

impl HistoryFile {
    /// Opens or creates a file.
    pub(crate) fn open(file: &OsString) -> Result<HistoryFile, String> {
        let opened = File::options().write(true).create(true).truncate(false).open(file);
        let opened = opened.map_err(|error| format!("cannot write {}: {error}", file.to_string_lossy()))?;
        Ok(HistoryFile(Arc::new((opened, AtomicBool::new(false)))))
    }

    /// Removes the old content, unless it is removed already.
    pub(crate) fn begin(&self) -> io::Result<()> {
        let (file, is_begun) = &*self.0;
        // A pipe or a terminal has no length.
        if !is_begun.swap(true, Ordering::Relaxed) && file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        Ok(())
    }

    /// Returns the observer that writes to the file.
    pub(crate) fn observer(&self) -> History<LineWriter<HistoryFile>> {
        History::new(LineWriter::new(self.clone()))
    }
}

impl Write for HistoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        (&self.0.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.0.0).flush()
    }
}
