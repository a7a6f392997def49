//! `cargo xtask bless`: accepts what the tests produce as the golden files.

use crate::workspace::{cargo, succeed};

/// Runs the tests and lets them rewrite the golden files. Review the difference before you commit
/// it.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut command = cargo(["test", "--workspace"]);
    command.args(arguments).env("BLESS", "1").env("INSTA_UPDATE", "always").env("TRYBUILD", "overwrite");
    succeed(&mut command, "cargo test")
}
