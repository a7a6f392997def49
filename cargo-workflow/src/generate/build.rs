//! The build and the run of generated programs.

use crate::failure::Failure;
use crate::output;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A generated program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of the package and of the executable.
    pub package: String,
    /// The folder of the package.
    pub folder: PathBuf,
    /// The folder whose `target` is the target folder of all generated programs.
    pub target: PathBuf,
    /// A lock file that is copied to the package if the package has none.
    pub lock_file: Option<PathBuf>,
}

/// Returns the folder for generated programs: `workflow` in the target folder of the workspace
/// around the current folder, or of the current folder.
pub fn target_folder() -> Result<PathBuf, Failure> {
    let current =
        std::env::current_dir().map_err(|error| Failure::new(format!("cannot tell the current folder: {error}")))?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) if !target.is_empty() => current.join(target),
        _ => {
            let with = |file: &str| current.ancestors().find(|folder| folder.join(file).is_file()).map(Path::to_owned);
            with("Cargo.lock").or_else(|| with("Cargo.toml")).unwrap_or_else(|| current.clone()).join("target")
        }
    };
    Ok(target.join("workflow"))
}

impl Program {
    /// Builds the program, and returns the path of the executable.
    pub fn build(&self, release: bool) -> Result<PathBuf, Failure> {
        let lock = self.folder.join("Cargo.lock");
        if let (false, Some(known)) = (lock.exists(), &self.lock_file) {
            std::fs::copy(known, &lock).map_err(|error| Failure::file("write", &lock, &error))?;
        }
        let target = self.target.join("target");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .arg("build")
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target);
        if release {
            command.arg("--release");
        }
        if std::io::stderr().is_terminal() {
            output::complain(&format!("building {} (the first time takes a while)", self.package));
        } else {
            command.arg("--quiet");
        }
        let built = command
            .status()
            .map_err(|error| Failure::with_help(format!("cannot run cargo: {error}"), "is it on the PATH?"))?;
        if !built.success() {
            let message = format!("the generated program in `{}` could not be built", self.folder.display());
            return Err(Failure::new(message));
        }
        let profile = if release { "release" } else { "debug" };
        Ok(target.join(profile).join(format!("{}{}", self.package, std::env::consts::EXE_SUFFIX)))
    }

    /// Builds the program and runs it in the current folder. The exit status of the program is the
    /// exit status of the command.
    pub fn run(&self, release: bool, arguments: &[OsString]) -> Result<u8, Failure> {
        let program = self.build(release)?;
        let mut command = Command::new(&program);
        command.args(arguments);
        become_it(command).map_err(|error| Failure::file("run", &program, &error))
    }
}

/// Replaces this process by the program, so that signals reach it.
#[cfg(unix)]
fn become_it(mut command: Command) -> std::io::Result<u8> {
    Err(std::os::unix::process::CommandExt::exec(&mut command))
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> std::io::Result<u8> {
    let ended = command.status()?.code();
    Ok(ended.and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::status::REFUSED))
}
