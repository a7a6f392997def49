//! Lease: exclusive use of a database by one process. The operating system holds the lock, so that
//! it ends with the process in any case.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Error, private};

/// Longest time to wait for the lock: a process that is being started holds all files of its
/// parent for a moment.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);

/// The text before the address of a server in the file of the lease.
const SERVES: &str = ", which serves ";

/// Lease on a database, held until it is dropped.
pub struct Lease {
    file: File,
}

impl Lease {
    /// Takes the lease. If another process has it, returns [`Error::InUse`] with its description.
    pub fn take(path: &Path) -> Result<Lease, Error> {
        let problem = |error: std::io::Error| Error::Store { path: path.to_owned(), problem: error.to_string() };
        // Every process that can read the file can lock it.
        let file = private::options().read(true).create(true).truncate(false).open(lock_file(path)).map_err(problem)?;
        let until = Instant::now() + LOCK_TIMEOUT;
        let locked = loop {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOCK_TIMEOUT / 10),
                locked => break locked,
            }
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                let _ = file.take(200).read_to_string(&mut by);
                let by = match by.trim() {
                    "" => "unknown process".to_owned(),
                    by => by.to_owned(),
                };
                let address = by.split_once(SERVES).map(|(_, address)| address.to_owned());
                return Err(Error::InUse { path: path.to_owned(), by, address });
            }
            Err(TryLockError::Error(error)) => return Err(problem(error)),
        }
        let mut lease = Lease { file };
        lease.write("").map_err(problem)?;
        Ok(lease)
    }

    /// Writes the address at which the process serves the database.
    pub fn announce(&mut self, address: &str) -> std::io::Result<()> {
        self.write(&format!("{SERVES}{address}"))
    }

    /// Writes which process has the lease, with more text after it.
    fn write(&mut self, more: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "process {}{more}", std::process::id())
    }
}

/// Returns the path of the lease file, next to the database or to the target of a link. SQLite has
/// locks of its own on the database file.
fn lock_file(path: &Path) -> PathBuf {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push("-lease");
    path.with_file_name(name)
}
