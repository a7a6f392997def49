//! The folder of the workspace, and helpers to run commands there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the folder of the workspace.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let parent = package.as_deref().and_then(Path::parent).map(Path::to_owned);
    parent.unwrap_or_else(|| PathBuf::from("."))
}

/// Returns a command that runs `cargo` in the folder of the workspace.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command to its end. The message of a failure contains `name`.
pub fn succeed(command: &mut Command, name: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed: {status}")),
        Err(error) => Err(format!("cannot start {name}: {error}")),
    }
}

/// Arguments that select all packages with all features.
///
/// Commands that select the same packages and features share their dependencies. A package that is
/// selected alone turns on fewer features, and cargo compiles most of its dependencies once more.
/// `.ci/run` selects the same.
pub const WORKSPACE: [&str; 2] = ["--workspace", "--all-features"];

/// Builds the program of a package, which has its name, and returns its path.
pub fn built_program(package: &str, profile: &str) -> Result<PathBuf, String> {
    let mut command = cargo(["build", "--quiet", "--profile", profile, "--message-format", "json"]);
    match profile {
        // The tests of one file turn on the features of the dependencies of tests.
        "dev" => command.args(WORKSPACE).args(["--bin", package, "--test", "programs"]),
        _ => command.args(["--package", package]),
    };
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("{package} does not build: {}\n{messages}", output.status));
    }
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = messages.filter(|message| message["target"]["name"] == package);
    let program = programs.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    program.ok_or_else(|| format!("cargo does not report the path of {package}"))
}

/// Returns the folder into which cargo builds.
pub fn target_folder() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns the cache folder of the programs that `cargo workflow` generates. It is the one of the
/// tests, which have built most crates there.
pub fn programs_cache() -> PathBuf {
    target_folder().join("tmp/generated")
}

/// Returns the target folder of the programs in the cache folder. Other programs outside of the
/// workspace are built there too, because they share most crates. Marks the cache folder, which
/// must not have files before it is marked.
pub fn programs_target() -> Result<PathBuf, String> {
    let programs = programs_cache().join("programs");
    write_if_changed(&programs.join("CACHEDIR.TAG"), "")?;
    Ok(programs.join("target"))
}

/// Reads a file as text.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file unless it has this text already: a newer file would make cargo build again.
pub fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text)).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Returns every file below a folder, in a fixed order, without hidden files and build output.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
