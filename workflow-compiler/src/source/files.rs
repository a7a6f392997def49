//! The files that a definition can name: a function that reads them.

use super::{MAX_FILE_BYTES, RelativePath};
use crate::escape::visible;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Message for a symbolic link that leads out of the root.
pub(crate) const LEADS_OUTSIDE: &str = "is a symbolic link that leads out of the root";
/// Message for a path at which there is nothing.
pub(crate) const DOES_NOT_EXIST: &str = "does not exist";

/// Function that reads the file at a path relative to the folder of the definition. Its error
/// completes a sentence that begins with the path: `does not exist`.
type ReadFile = dyn Fn(&RelativePath) -> Result<Vec<u8>, String> + Send + Sync;

/// The files that a definition can name. The default is none.
///
/// ```no_run
/// use workflow_compiler::{Files, Options, Source, compile};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("flows/order.sw.json")?;
/// let source = Source::from_bytes("order.sw.json", bytes)?;
/// let source = source.with_files(Files::below(".", "flows")?);
/// let output = compile(source, &Options::default());
/// for input in &output.inputs {
///     println!("cargo::rerun-if-changed=flows/{}", input.path.as_str());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Files {
    read: Option<Arc<ReadFile>>,
    /// The number of levels from the folder of the definition up to the root.
    levels: usize,
}

impl Files {
    /// Creates files that `read` reads in the folder of the definition and below. An error of
    /// `read` completes a sentence that begins with the path: `does not exist` without a file.
    pub fn new(read: impl Fn(&RelativePath) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Files {
        Files { read: Some(Arc::new(read)), levels: 0 }
    }

    /// Reads a file. Returns `None` if no files can be named.
    pub(crate) fn read(&self, path: &RelativePath) -> Option<Result<Vec<u8>, String>> {
        self.read.as_ref().map(|read| read(path))
    }

    /// Returns the number of levels from the folder of the definition up to the root.
    pub(crate) fn levels(&self) -> usize {
        self.levels
    }

    /// Sets the root `levels` folders up. Paths may begin with as many `..`.
    pub fn with_levels_up(self, levels: usize) -> Files {
        Files { levels, ..self }
    }

    /// Creates files of the file system in the folder of the definition and below. Symbolic links
    /// may not leave the folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Files {
        let folder = real(folder.into());
        Files::new(move |path| {
            let folder = folder.as_ref().map_err(unreadable)?;
            read(folder, folder, path)
        })
    }

    /// Creates files of the file system below a root, which contains the folder of the definition.
    /// Symbolic links may not leave the root.
    pub fn below(root: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Result<Files, NotARoot> {
        let (root, folder) = (root.into(), folder.into());
        let refused = |problem: String| NotARoot { root: root.clone(), problem };
        let real_root = real(root.clone()).map_err(|error| refused(unreadable(&error)))?;
        let real_folder = real(folder).map_err(|error| {
            refused(format!("cannot be used: the folder of the definition cannot be read: {error}"))
        })?;
        let Ok(below) = real_folder.strip_prefix(&real_root) else {
            return Err(refused("does not contain the folder of the definition".to_owned()));
        };
        let levels = below.components().count();
        Ok(Files::new(move |path| read(&real_root, &real_folder, path)).with_levels_up(levels))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.read.is_some() { "Files(…)" } else { "Files" })
    }
}

/// The error for a root that does not contain the definition or cannot be read.
///
/// See the example of [`Files`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotARoot {
    root: PathBuf,
    problem: String,
}

impl fmt::Display for NotARoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the root `{}` {}", visible(&self.root.to_string_lossy()), self.problem)
    }
}

impl std::error::Error for NotARoot {}

/// Returns the canonical path of a folder, without symbolic links.
fn real(folder: PathBuf) -> std::io::Result<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    std::fs::canonicalize(folder)
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => DOES_NOT_EXIST.to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Reads a file in a folder, if the file is below the root. Both folders are canonical.
fn read(root: &Path, folder: &Path, path: &RelativePath) -> Result<Vec<u8>, String> {
    let message = |error: std::io::Error| unreadable(&error);
    let file = std::fs::canonicalize(folder.join(path.as_str())).map_err(message)?;
    if !file.starts_with(root) {
        return Err(LEADS_OUTSIDE.to_owned());
    }
    // A pipe or device may have no end.
    if !std::fs::metadata(&file).map_err(message)?.is_file() {
        return Err("is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(message)?;
    Ok(bytes)
}
