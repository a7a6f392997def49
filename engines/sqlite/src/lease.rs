//! One process has a database. The lock is the system's, so that it ends with the process, however that ends.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Error, private};

/// How long a lock is waited for: a process that is being started holds all files of its parent for a moment.
const PATIENCE: Duration = Duration::from_millis(300);

/// Held as long as the database is.
pub struct Lease {
    file: File,
}

impl Lease {
    /// Takes the database, or tells who has it.
    pub fn take(path: &Path) -> Result<Lease, Error> {
        let problem = |error: std::io::Error| Error::Store { path: path.to_owned(), problem: error.to_string() };
        // Every process that can read the file can lock it.
        let file = private::options().read(true).create(true).truncate(false).open(beside(path)).map_err(problem)?;
        let until = Instant::now() + PATIENCE;
        let locked = loop {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PATIENCE / 10),
                locked => break locked,
            }
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                let _ = file.take(200).read_to_string(&mut by);
                let by = match by.trim() {
                    "" => "it has not said which".to_owned(),
                    by => by.to_owned(),
                };
                return Err(Error::InUse { path: path.to_owned(), by });
            }
            Err(TryLockError::Error(error)) => return Err(problem(error)),
        }
        let mut lease = Lease { file };
        lease.note("").map_err(problem)?;
        Ok(lease)
    }

    /// Tells others who has it, and what they should know of that.
    pub fn note(&mut self, what: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "process {}{what}", std::process::id())
    }
}

/// The file whose lock stands for the database: SQLite has locks of its own on that one. It is beside the file that a link
/// leads to.
fn beside(path: &Path) -> PathBuf {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push("-lease");
    path.with_file_name(name)
}
