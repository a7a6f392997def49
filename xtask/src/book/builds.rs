//! Builds the programs of README as a user would: outside of the workspace, with the manifests
//! that README shows.

use crate::workspace::{programs_target, read, root, write_if_changed};
use std::path::Path;
use std::process::Command;

/// A program.
struct Program {
    name: &'static str,
    /// The files: the path of each in the package, and the path of its source in the tree.
    files: &'static [(&'static str, &'static str)],
    /// A part of the program's output.
    prints: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "payment",
        files: &[
            ("flows/payment.asl.json", "workflow-runtime/flows/payment.asl.json"),
            ("src/main.rs", "workflow-runtime/examples/payment.rs"),
        ],
        prints: "not paid: NotPaid: there is no money on the card",
    },
    Program {
        name: "thumbnails",
        files: &[
            ("build.rs", "examples/thumbnails/build.rs"),
            ("flows/thumbnails.asl.yaml", "examples/thumbnails/flows/thumbnails.asl.yaml"),
            ("src/lib.rs", "examples/thumbnails/src/lib.rs"),
            ("src/main.rs", "examples/thumbnails/src/main.rs"),
            ("src/studio.rs", "examples/thumbnails/src/studio.rs"),
        ],
        prints: "files seen: 7, left out: [\"notes.txt\",\"torn.jpg\"]",
    },
];

/// The path from which README's manifests take the crates.
const CHECKOUT: &str = "../workflow-compiler/";

/// Builds and runs the program `name` with these dependencies.
pub fn check(name: &str, dependencies: &str, scratch: &Path) -> Result<(), String> {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    let program = program.ok_or_else(|| format!("README shows the manifest of an unknown program, `{name}`"))?;
    println!("building the program `{name}`");
    let folder = scratch.join(name);
    let checkout = format!("{}/", root().display());
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{}\n[workspace]\n",
        dependencies.replace(CHECKOUT, &checkout)
    );
    write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
    for (to, from) in program.files {
        write_if_changed(&folder.join(to), &read(&root().join(from))?)?;
    }
    write_if_changed(&folder.join("Cargo.lock"), &read(&root().join("Cargo.lock"))?)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--target-dir"])
        .arg(programs_target()?)
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && printed.contains(program.prints) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("the program `{name}` of README fails or prints other output:\n{errors}\n{printed}"))
}
