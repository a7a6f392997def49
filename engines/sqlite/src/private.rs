//! Files that only their owner reads: a database holds the tokens of tasks, and inputs and outputs
//! of executions.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Result};
use std::path::Path;

/// Returns options to write a file. On Unix a file that they create has mode 0600. One that exists
/// keeps its mode.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates an empty file, where a link leads if it is one, unless it exists. SQLite takes an empty
/// file as a new database, and gives its log (`-wal`), its index (`-shm`) and its journal the mode
/// of the database.
pub fn create(path: &Path) -> Result<()> {
    match std::fs::metadata(path) {
        // It is not opened: closing it would end the locks that this process has on it (POSIX).
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            options().create(true).truncate(false).open(path).map(drop)
        }
        Err(error) => Err(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn links_are_followed_and_modes_of_existing_files_kept() {
        let folder = std::env::temp_dir().join(format!("workflow-private-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mode = |name: &str| std::fs::metadata(folder.join(name)).expect("a file").permissions().mode() & 0o777;
        std::os::unix::fs::symlink(folder.join("target"), folder.join("link")).expect("a link");
        create(&folder.join("link")).expect("a file");
        assert_eq!(mode("target"), 0o600);
        std::fs::write(folder.join("shared"), "text").expect("a file");
        std::fs::set_permissions(folder.join("shared"), std::fs::Permissions::from_mode(0o640)).expect("a mode");
        create(&folder.join("shared")).expect("a file");
        assert_eq!((mode("shared"), std::fs::read(folder.join("shared")).ok().as_deref()), (0o640, Some(&b"text"[..])));
        let _ = std::fs::remove_dir_all(&folder);
    }
}
