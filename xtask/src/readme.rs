//! Checks of `README.md`. Its code is that of files which are compiled and tested, its errors are
//! what the compiler prints, and its commands and manifests work.
//!
//! Before every block of code, README names the origin of the block in an HTML comment: see
//! [`Origin`]. A test makes the cheap checks. `cargo xtask readme` runs the commands and builds
//! the programs.

mod blocks;
mod builds;
#[cfg(test)]
mod tests;

use crate::workspace::{read, root, succeed};
use blocks::{Block, Origin, blocks};
use std::process::{Command, Stdio};

/// A command that is another step of `cargo xtask ci` already.
const ELSEWHERE: &str = "cargo test --workspace";

/// Runs the commands and builds the programs.
pub fn run() -> Result<(), String> {
    let text = read(&root().join("README.md"))?;
    let scratch = root().join("target/readme");
    for block in blocks(&text)? {
        match &block.origin {
            Origin::Run => run_commands(&block)?,
            Origin::Output(command) => check_output(&block, command)?,
            Origin::Manifest(name) => builds::check(name, &block.text, &scratch)?,
            Origin::File(_) | Origin::Definition(_) | Origin::Findings | Origin::NotRun => {}
        }
    }
    Ok(())
}

fn run_commands(block: &Block) -> Result<(), String> {
    for line in block.text.lines().filter(|line| *line != ELSEWHERE) {
        println!("$ {line}");
        // The output of the command must not exist yet.
        if let Some((_, made)) = line.split_once(" --out target/") {
            let made = root().join("target").join(made);
            let _nothing_there = std::fs::remove_dir_all(&made).or_else(|_| std::fs::remove_file(&made));
        }
        succeed(shell(line).stdout(Stdio::null()), line)?;
    }
    Ok(())
}

fn check_output(block: &Block, command: &str) -> Result<(), String> {
    let output = shell(command).output().map_err(|error| format!("{command} could not be started: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if printed.contains(&block.text) {
        return Ok(());
    }
    Err(format!("README.md:{}: this is not what `{command}` prints:\n{printed}", block.line))
}

fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(root());
    command
}
