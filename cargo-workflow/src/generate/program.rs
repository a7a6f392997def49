//! Programs that run or test a definition. Their tasks are bound by options.

use super::build::Program;
use super::cache::Cache;
use super::origin::Origin;
use super::{names, write};
use crate::commands::formatted;
use crate::failure::Failure;
use std::path::Path;
use workflow_compiler::Output;
use workflow_compiler::escape::toml_string;
use workflow_compiler::fnv::Fnv;
use workflow_compiler::names::{snake_case, type_name};

/// The purpose of a program. Programs of different kinds do not overwrite each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program for the whole definition.
    Whole,
    /// A program for one state of the definition.
    State,
}

/// Writes the program of a compiled definition to the cache folder, and returns it unbuilt.
pub fn program(
    definition: &Path,
    compiled: &Output,
    kind: Kind,
    origin: &Origin,
    features: &[&str],
) -> Result<Program, Failure> {
    let workflow = compiled.workflow.as_ref();
    let name = workflow.map_or("workflow", |workflow| &workflow.name);
    let package = format!("{}-{}", names::package(name), fingerprint(definition, kind));
    let taken = Cache::open()?.program(&package)?;
    let folder = &taken.folder;
    let dependencies = origin.dependency("workflow-runner", features) + &origin.runtime(workflow, &[]);
    let manifest = format!(
        "\
[package]
name = {}
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dependencies]
{dependencies}
# Quicker builds; backtraces keep their lines.
[profile.dev]
debug = \"line-tables-only\"

[profile.dev.package.\"*\"]
debug = false

[workspace]
",
        toml_string(&package)
    );
    let main = format!(
        "\
mod generated;

fn main() -> std::process::ExitCode {{
    workflow_runner::bound_main::<generated::{}::{}>()
}}
",
        snake_case(name),
        type_name(name)
    );
    write(folder, "Cargo.toml", &manifest)?;
    write(folder, "src/main.rs", &main)?;
    write(folder, "src/generated.rs", &formatted(compiled)?)?;
    Ok(Program { package, taken, lock_file: origin.lock_file(), quiet: false })
}

/// Returns a hash of the definition's path and the kind. It distinguishes definitions of the same
/// name.
fn fingerprint(definition: &Path, kind: Kind) -> String {
    let full = definition.canonicalize().unwrap_or_else(|_| definition.to_owned());
    let mut hash = Fnv::new();
    hash.write(full.to_string_lossy().as_bytes());
    hash.write(if kind == Kind::State { b"state" } else { b"whole" });
    format!("{:08x}", hash.finish() as u32)
}
