//! A test's own folder, and `cargo-workflow` run in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The exit status and the output of a command.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub out: String,
    /// Standard error, without the reports of builds.
    pub err: String,
}

/// The folder of one test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// Creates an empty folder.
    pub fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("the old folder goes");
        }
        std::fs::create_dir_all(&folder).expect("the folder is made");
        Folder(folder)
    }

    /// Adds a file, with the folders of its path.
    pub fn with(self, name: &str, text: &str) -> Folder {
        let file = self.0.join(name);
        std::fs::create_dir_all(file.parent().expect("it is in the folder")).expect("the folder is made");
        std::fs::write(file, text).expect("the file is written");
        self
    }

    /// Returns the text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    /// Runs `cargo-workflow` in the folder.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
        command.args(arguments);
        self.execute(command)
    }

    /// Runs a command in the folder. All programs are built in one cache folder.
    pub fn execute(&self, mut command: Command) -> Done {
        command
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .env("CARGO_TARGET_DIR", target())
            .env("WORKFLOW_CACHE_DIR", cache())
            .env_remove("NO_COLOR")
            .env("NO_PROXY", "127.0.0.1");
        let output = command.output().expect("it runs");
        let err = String::from_utf8(output.stderr).expect("text");
        let err: Vec<&str> = err.split_inclusive('\n').filter(|line| !line.starts_with("building ")).collect();
        Done {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("text"),
            err: err.concat(),
        }
    }
}

/// Returns the cache folder of generated programs.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated")
}

/// Returns the target folder of the programs in the cache folder. Marks the cache folder, because
/// a test may build a crate there before a command has generated a program.
pub fn target() -> PathBuf {
    let programs = cache().join("programs");
    std::fs::create_dir_all(&programs).expect("the folder is made");
    std::fs::write(programs.join("CACHEDIR.TAG"), "").expect("the file is written");
    programs.join("target")
}
