//! The folder of the user in which all generated programs are built.
//!
//! `programs` in the cache folder has one folder for each program, and the target folder that the
//! programs share. The programs reuse the crates that others have built. Cargo protects the target
//! folder itself. Locks of files protect the rest: [`Cache::open`] shares the whole folder with
//! other commands, [`Cache::program`] takes a program for one command, and [`empty`] waits until
//! no command uses the folder.

use crate::failure::Failure;
use crate::output;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use workflow_compiler::escape::visible;

/// The variable that names the cache folder.
const VARIABLE: &str = "WORKFLOW_CACHE_DIR";
/// The file that marks a cache folder. Backup programs leave out folders with it.
const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &str = "\
Signature: 8a477f597d28d172789f06886806bc55
# Programs that `cargo workflow` has generated and built. `cargo workflow clean` removes them.
";

/// The folder of generated programs. No other command removes it while the value exists.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    _shared: File,
}

impl Cache {
    /// Opens the folder, and creates it if it is missing.
    pub fn open() -> Result<Cache, Failure> {
        let folder = folder()?.join("programs");
        let lock = lock_file(&folder)?;
        wait(&lock, File::try_lock_shared, File::lock_shared, "the removal of the generated programs")
            .map_err(|error| Failure::file("lock", &lock_path(&folder), &error))?;
        make_private(&folder).map_err(|error| Failure::file("create the folder", &folder, &error))?;
        check_private(&folder)?;
        let tag = folder.join(TAG);
        if !tag.exists() {
            let entries = std::fs::read_dir(&folder);
            let mut entries = entries.map_err(|error| Failure::file("read the folder", &folder, &error))?;
            // Another command may have written the tag meanwhile, and made folders after it.
            if entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() != TAG)) && !tag.exists() {
                return Err(not_ours(&folder));
            }
            std::fs::write(&tag, TAG_TEXT).map_err(|error| Failure::file("write", &tag, &error))?;
        }
        Ok(Cache { folder, _shared: lock })
    }

    /// Returns the target folder of all programs.
    pub fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// Takes the folder of a program, and creates it if it is missing. Waits for other commands
    /// that build the program.
    pub fn program(self, package: &str) -> Result<Taken, Failure> {
        let folder = self.folder.join(package);
        make_private(&folder).map_err(|error| Failure::file("create the folder", &folder, &error))?;
        check_private(&folder)?;
        let path = folder.join("lock");
        let lock = open_lock(&path).map_err(|error| Failure::file("write", &path, &error))?;
        wait(&lock, File::try_lock, File::lock, &format!("another build of `{package}`"))
            .map_err(|error| Failure::file("lock", &path, &error))?;
        Ok(Taken { cache: self, folder, _lock: lock })
    }
}

/// The folder of a program. Other commands that need the program wait while the value exists, or
/// until this process has become the program.
#[derive(Debug)]
pub struct Taken {
    pub cache: Cache,
    pub folder: PathBuf,
    _lock: File,
}

/// Removes all generated programs and what was built for them. Returns their folder, or `None` if
/// there is none. Waits until no other command builds a program.
pub fn empty() -> Result<Option<PathBuf>, Failure> {
    let folder = folder()?.join("programs");
    if !folder.exists() {
        return Ok(None);
    }
    let lock = lock_file(&folder)?;
    wait(&lock, File::try_lock, File::lock, "commands that build programs")
        .map_err(|error| Failure::file("lock", &lock_path(&folder), &error))?;
    if !folder.join(TAG).is_file() {
        return Err(not_ours(&folder));
    }
    std::fs::remove_dir_all(&folder).map_err(|error| Failure::file("remove", &folder, &error))?;
    Ok(Some(folder))
}

/// Returns the cache folder that the environment names or the platform has for this program.
fn folder() -> Result<PathBuf, Failure> {
    let current = std::env::current_dir();
    let current = current.map_err(|error| Failure::new(format!("cannot determine the current folder: {error}")))?;
    let found = chosen(&current, |name| std::env::var_os(name), std::env::consts::OS);
    found.ok_or_else(|| {
        let help = format!("set {VARIABLE} to a folder for generated programs");
        Failure::with_help("cannot determine the cache folder: the environment has no home folder", help)
    })
}

/// Returns the cache folder on an operating system. Relative paths of the platform's variables are
/// ignored, as the XDG Base Directory Specification demands.
fn chosen(current: &Path, variable: impl Fn(&str) -> Option<OsString>, system: &str) -> Option<PathBuf> {
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = path(VARIABLE) {
        return Some(current.join(folder));
    }
    let absolute = |name: &str| path(name).filter(|path| path.is_absolute());
    let base = match system {
        "windows" => absolute("LOCALAPPDATA")?,
        "macos" => absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join("Library/Caches")))?,
        _ => absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?,
    };
    Some(base.join("cargo-workflow"))
}

/// Opens the lock of a folder. The lock is beside the folder, which may be removed.
fn lock_file(folder: &Path) -> Result<File, Failure> {
    let path = lock_path(folder);
    if let Some(parent) = path.parent() {
        make_private(parent).map_err(|error| Failure::file("create the folder", parent, &error))?;
    }
    open_lock(&path).map_err(|error| Failure::file("write", &path, &error))
}

/// Opens a lock file, and creates it if it is missing. Follows no symbolic link, and leaves an
/// existing file as it is: the folder may belong to somebody else.
fn open_lock(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    options.open(path)
}

fn lock_path(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// Takes a lock. Reports the wait if there is one. File systems without locks are used unlocked.
fn wait(
    file: &File,
    attempt: impl Fn(&File) -> Result<(), TryLockError>,
    lock: impl Fn(&File) -> std::io::Result<()>,
    holder: &str,
) -> std::io::Result<()> {
    let result = match attempt(file) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            output::complain(&format!("waiting for {holder}"));
            lock(file)
        }
        Err(TryLockError::Error(error)) => Err(error),
    };
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::Unsupported => Ok(()),
        result => result,
    }
}

/// Creates a folder that only its user can read, with the folders around it.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Refuses a folder in which users outside its group can put programs, which this user would run.
#[cfg(unix)]
fn check_private(folder: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    const WRITABLE_BY_OTHERS: u32 = 0o002;
    let found = std::fs::metadata(folder).map_err(|error| Failure::file("read the folder", folder, &error))?;
    let problem = match found.uid() == rustix::process::geteuid().as_raw() {
        false => "belongs to another user",
        true if found.mode() & WRITABLE_BY_OTHERS != 0 => "can be written by other users",
        true => return Ok(()),
    };
    let message = format!("the folder of generated programs `{}` {problem}", visible(&folder.to_string_lossy()));
    Err(Failure::with_help(message, format!("remove it, or set {VARIABLE} to a folder of your own")))
}

#[cfg(not(unix))]
fn check_private(_folder: &Path) -> Result<(), Failure> {
    Ok(())
}

fn not_ours(folder: &Path) -> Failure {
    let message = format!("`{}` is not a folder of generated programs", visible(&folder.to_string_lossy()));
    Failure::with_help(message, format!("set {VARIABLE} to an empty folder, or to one that does not exist"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_folder_follows_the_platform() {
        let at = |system: &str, variables: &[(&str, &str)]| {
            let value =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
            chosen(Path::new("/here"), value, system).map(|path| path.to_string_lossy().into_owned())
        };
        let expected = |path: &str| Some(path.to_owned());
        assert_eq!(at("linux", &[("HOME", "/home/ada")]), expected("/home/ada/.cache/cargo-workflow"));
        let xdg = [("HOME", "/home/ada"), ("XDG_CACHE_HOME", "/fast")];
        assert_eq!(at("linux", &xdg), expected("/fast/cargo-workflow"));
        let relative = [("HOME", "/home/ada"), ("XDG_CACHE_HOME", "fast")];
        assert_eq!(at("linux", &relative), expected("/home/ada/.cache/cargo-workflow"));
        assert_eq!(at("macos", &[("HOME", "/Users/ada")]), expected("/Users/ada/Library/Caches/cargo-workflow"));
        assert_eq!(at("windows", &[("LOCALAPPDATA", "/local")]), expected("/local/cargo-workflow"));
        assert_eq!(at("linux", &[("WORKFLOW_CACHE_DIR", "/own"), ("HOME", "/home/ada")]), expected("/own"));
        assert_eq!(at("linux", &[("WORKFLOW_CACHE_DIR", "own")]), expected("/here/own"));
        assert_eq!(at("linux", &[("WORKFLOW_CACHE_DIR", ""), ("HOME", "/h")]), expected("/h/.cache/cargo-workflow"));
        assert_eq!(at("linux", &[]), None);
        assert_eq!(at("windows", &[("HOME", "/home/ada")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("cargo-workflow-cache-{}", std::process::id()));
        let (programs, target) = (folder.join("programs"), folder.join("target"));
        make_private(&programs).expect("a folder");
        assert!(check_private(&programs).is_ok());
        std::fs::set_permissions(&programs, PermissionsExt::from_mode(0o777)).expect("a mode");
        let Err(Failure::Message { message, .. }) = check_private(&programs) else { panic!("it is accepted") };
        assert!(message.ends_with("can be written by other users"), "{message}");
        std::fs::write(&target, "kept").expect("a file");
        symlink(&target, folder.join("programs.lock")).expect("a link");
        assert!(lock_file(&programs).is_err());
        // A lock is not emptied.
        std::fs::write(programs.join("lock"), "kept").expect("a file");
        assert!(open_lock(&programs.join("lock")).is_ok());
        for kept in [target, programs.join("lock")] {
            assert_eq!(std::fs::read_to_string(kept).expect("a text"), "kept");
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
