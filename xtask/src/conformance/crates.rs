//! Writes the crates of the generated modules. They are a separate workspace below `target/`, so
//! that the project's own build does not include them.

use super::case::DefinitionId;
use super::compile::{GeneratedModule, GeneratedProgram};
use crate::workspace::{root, write_if_changed};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A crate: definitions that are built together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name of the package.
    pub name: String,
    /// The definitions in the crate.
    pub members: Vec<DefinitionId>,
}

/// A module of a crate.
pub struct Module<'a> {
    /// The generated code.
    pub code: &'a GeneratedModule,
    /// `true` if a case runs the program.
    pub runs: bool,
}

/// Returns the name of a definition's module, which the runner uses, and which is the stem of its
/// file.
pub fn module_name(id: DefinitionId) -> String {
    format!("d{:04}", id.0)
}

/// Returns the definition whose module a file holds.
pub fn definition_of(file: &str) -> Option<DefinitionId> {
    let stem = Path::new(file).file_name()?.to_str()?.strip_suffix(".rs")?;
    stem.strip_prefix('d')?.parse().ok().map(DefinitionId)
}

/// Writes the workspace of these crates, and removes crates that are not among them.
pub fn write(folder: &Path, groups: &[Group], modules: &BTreeMap<DefinitionId, Module<'_>>) -> Result<(), String> {
    let sources = folder.join("workspace");
    remove_others(&sources, groups);
    write_if_changed(&sources.join("Cargo.toml"), &workspace_manifest(groups))?;
    for group in groups {
        let package = sources.join(&group.name);
        write_if_changed(&package.join("Cargo.toml"), &package_manifest(&group.name))?;
        write_if_changed(&package.join("src/main.rs"), &main(group, modules))?;
        for id in &group.members {
            if let Some(module) = modules.get(id) {
                write_if_changed(&package.join("src").join(format!("{}.rs", module_name(*id))), &module.code.code)?;
            }
        }
    }
    // The lock file of the project pins the tested versions.
    let lock = sources.join("Cargo.lock");
    if !lock.exists() {
        write_if_changed(&lock, &crate::workspace::read(&root().join("Cargo.lock"))?)?;
    }
    Ok(())
}

fn remove_others(sources: &Path, groups: &[Group]) {
    let folders = std::fs::read_dir(sources).into_iter().flatten().flatten().map(|entry| entry.path());
    for folder in folders.filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !groups.iter().any(|group| group.name == name) {
            // A folder that cannot be removed does no harm: it is not a member of the workspace.
            let _ = std::fs::remove_dir_all(&folder);
        }
    }
}

/// Returns the manifest of the workspace. Its profile makes the build fast, because each module
/// runs once. The official tests of JSONata take minutes in a runtime without optimization.
fn workspace_manifest(groups: &[Group]) -> String {
    let members: Vec<String> = groups.iter().map(|group| format!("{:?}", group.name)).collect();
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.dev]\nopt-level = 0\ndebug = 0\nincremental = false\n\n\
         [profile.dev.package.workflow-runtime]\nopt-level = 1\n",
        members.join(", ")
    )
}

fn package_manifest(name: &str) -> String {
    let path = |folder: &str| toml_string(&root().join(folder));
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
         conformance-runner = {{ path = {} }}\nworkflow-runtime = {{ path = {}, features = [\"javascript\", \"testing\"] }}\n",
        path("xtask/runner"),
        path("workflow-runtime"),
    )
}

fn toml_string(path: &Path) -> String {
    let path: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("{:?}", path.display().to_string())
}

fn main(group: &Group, modules: &BTreeMap<DefinitionId, Module<'_>>) -> String {
    let mut declared = String::new();
    let mut table = String::new();
    for id in &group.members {
        let name = module_name(*id);
        let _ = writeln!(declared, "mod {name};");
        if let Some(module) = modules.get(id).filter(|module| module.runs) {
            let _ = match &module.code.program {
                GeneratedProgram::Workflow(path) => {
                    writeln!(table, "        ({name:?}, conformance_runner::program::<{name}::{path}>()),")
                }
                GeneratedProgram::Expression(_) => {
                    writeln!(table, "        ({name:?}, conformance_runner::Program::Expression(&{name}::EXPRESSION)),")
                }
            };
        }
    }
    format!("{declared}\nfn main() {{\n    conformance_runner::main(&[\n{table}    ]);\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_leads_back_to_its_definition() {
        let id = DefinitionId(17);
        assert_eq!(definition_of(&format!("group-01/src/{}.rs", module_name(id))), Some(id));
        assert_eq!(definition_of("group-01/src/main.rs"), None);
    }
}
