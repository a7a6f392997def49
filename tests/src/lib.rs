//! The library of the tests of whole definitions: cases in folders, goldens beside them, and the
//! ways to run a case.

pub mod definitions;
pub mod divided;
pub mod errors;
pub mod golden;
mod replay;
pub mod runs;
pub mod shuffled;

use std::path::{Path, PathBuf};

/// Returns the folder of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder of a case, `<dialect>/<name>`.
pub fn case_folder(name: &str) -> PathBuf {
    package().join("cases").join(name)
}
