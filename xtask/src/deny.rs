//! `cargo xtask deny`: the rules of `deny.toml` for the dependencies of every workspace, checked
//! by `cargo-deny`.

use crate::workspace::{cargo, root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of `cargo-deny` that this command installs. Another version may read another format
/// of `deny.toml`.
const VERSION: &str = "0.20.2";
/// The manifests of the workspaces.
const WORKSPACES: [&str; 6] = [
    "Cargo.toml",
    "fuzz/Cargo.toml",
    "differential/Cargo.toml",
    "differential/jq/Cargo.toml",
    "differential/jsonata/Cargo.toml",
    "differential/jsonata/compiled/Cargo.toml",
];
/// The folder of the advisory database below the home of cargo, as `cargo deny fetch` names it.
const DATABASE: &str = "advisory-dbs/advisory-db-3157b0e258782691";

/// Checks licences, bans and sources, and known vulnerabilities where the database of advisories
/// is at hand. Cargo resolves the workspaces that have no lock file, and downloads what is
/// missing.
///
/// # Errors
/// The workspaces that break a rule; the details are printed.
pub fn run() -> Result<(), String> {
    let tool = tool()?;
    let is_known = has_database();
    if !is_known {
        println!("advisories: not checked, because the database is missing; download it with `cargo deny fetch`");
    }
    let mut broken = Vec::new();
    for workspace in WORKSPACES {
        println!("{workspace}:");
        let rules = check(&tool, workspace, &["licenses", "bans", "sources"], &[]);
        // `--offline` uses the database as it is. Without it, `cargo-deny` would fetch the
        // database.
        let advisories = !is_known || check(&tool, workspace, &["advisories"], &["--offline"]);
        if !(rules && advisories) {
            broken.push(workspace);
        }
    }
    match broken.is_empty() {
        true => Ok(()),
        false => Err(format!("these workspaces violate deny.toml: {}", broken.join(", "))),
    }
}

/// Returns `true` if a workspace passes these checks.
fn check(tool: &Path, workspace: &str, checks: &[&str], options: &[&str]) -> bool {
    let mut command = Command::new(tool);
    command.current_dir(root()).args(["--log-level", "error", "--config", "deny.toml", "--manifest-path", workspace]);
    command.args(options).args(["check", "--hide-inclusion-graph"]);
    // A workspace does not need every licence, nor every build of C, that another workspace needs.
    command.args(["--allow", "license-not-encountered", "--allow", "license-exception-not-encountered"]);
    command.args(["--allow", "unused-wrapper"]).args(checks);
    succeed(&mut command, "cargo deny").is_ok()
}

/// The program `cargo-deny`, which is built below `target/tools` where it is missing.
fn tool() -> Result<PathBuf, String> {
    let folder = root().join("target/tools");
    let own = folder.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let candidates = [own.clone(), PathBuf::from("cargo-deny")];
    if let Some(tool) = candidates.into_iter().find(|tool| version(tool).as_deref() == Some(VERSION)) {
        return Ok(tool);
    }
    println!("installs cargo-deny {VERSION}");
    // The checks take a second, so that optimising the tool does not pay.
    let mut command =
        cargo(["install", "cargo-deny", "--version", VERSION, "--locked", "--debug", "--no-default-features"]);
    command.arg("--root").arg(&folder).env("CARGO_PROFILE_DEV_DEBUG", "false").env_remove("CARGO_TARGET_DIR");
    succeed(&mut command, "cargo install cargo-deny")?;
    Ok(own)
}

/// The version of a program: the last word of `cargo-deny 0.20.2`.
fn version(tool: &Path) -> Option<String> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().last().map(str::to_owned)
}

/// Returns `true` if the database of advisories has been downloaded.
fn has_database() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.is_some_and(|home| home.join(DATABASE).is_dir())
}
