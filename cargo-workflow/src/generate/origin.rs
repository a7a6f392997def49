//! The source of the runtime crates in the dependencies of generated crates.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use workflow_compiler::escape::toml_string;
use workflow_compiler::hir::Workflow;

/// The source of the runtime crates: a checkout, a Git repository, or a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The root of a checkout.
    Path(PathBuf),
    /// The address of a Git repository.
    Git(String),
    /// A version requirement, for the registry.
    Version(String),
}

impl Origin {
    /// Returns the checkout that this program was built from, if it still exists. Otherwise
    /// returns the version of this program.
    pub fn of_this_program() -> Origin {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|root| is_checkout(root));
        match root {
            Some(root) => Origin::Path(root.to_owned()),
            None => Origin::Version(format!("={}", env!("CARGO_PKG_VERSION"))),
        }
    }

    /// Reads the value of `--runtime`.
    pub fn parse(given: &str) -> Result<Origin, Failure> {
        let version = given.trim_start_matches(['=', '^', '~', '>', '<', ' ']);
        if version.starts_with(|c: char| c.is_ascii_digit()) && !given.contains(['/', '\\']) {
            return Ok(Origin::Version(given.to_owned()));
        }
        if given.contains("://") || given.starts_with("git@") {
            return Ok(Origin::Git(given.to_owned()));
        }
        let folder = Path::new(given);
        let full = folder.canonicalize().map_err(|error| Failure::file("find the folder", folder, &error))?;
        let parent = full.parent().filter(|_| full.ends_with("workflow-runtime"));
        let found = [Some(&*full), parent].into_iter().flatten().find(|root| is_checkout(root));
        found.map(|root| Origin::Path(root.to_owned())).ok_or_else(|| {
            let message = format!("`{given}` has no `workflow-runtime`");
            Failure::with_help(message, "use the folder of a checkout, the address of a repository, or a version")
        })
    }

    /// Returns a line of `[dependencies]`.
    pub fn dependency(&self, name: &str, features: &[&str]) -> String {
        let from = match self {
            Origin::Path(root) => format!("path = {}", toml_string(&root.join(name).to_string_lossy())),
            Origin::Git(address) => format!("git = {}", toml_string(address)),
            Origin::Version(version) => format!("version = {}", toml_string(version)),
        };
        match features {
            [] => format!("{name} = {{ {from} }}\n"),
            features => {
                let features: Vec<String> = features.iter().map(|feature| toml_string(feature)).collect();
                format!("{name} = {{ {from}, features = [{}] }}\n", features.join(", "))
            }
        }
    }

    /// Returns the line of `[dependencies]` for the runtime, with the features that a workflow
    /// needs.
    pub fn runtime(&self, workflow: Option<&Workflow>) -> String {
        let mut features = Vec::new();
        if let Some(workflow) = workflow {
            // The Amazon States Language is a default feature.
            features.extend(Some(workflow.dialect).filter(|dialect| *dialect != "asl"));
            let engine = workflow.scripts.iter().any(|script| script.code.needs_engine());
            features.extend(engine.then_some("javascript"));
            features.extend(workflow.engines());
            features.extend(workflow.has_schemas().then_some("json-schema"));
        }
        self.dependency("workflow-runtime", &features)
    }

    /// Returns the lock file of the checkout. With it, the dependencies that the checkout has
    /// already built are used again.
    pub fn lock_file(&self) -> Option<PathBuf> {
        match self {
            Origin::Path(root) => Some(root.join("Cargo.lock")).filter(|file| file.is_file()),
            Origin::Git(_) | Origin::Version(_) => None,
        }
    }
}

fn is_checkout(root: &Path) -> bool {
    root.join("workflow-runtime").join("Cargo.toml").is_file()
        && root.join("workflow-runner").join("Cargo.toml").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_distinguished() {
        assert_eq!(Origin::parse("0.1.0").ok(), Some(Origin::Version("0.1.0".into())));
        assert_eq!(Origin::parse("=0.1").ok(), Some(Origin::Version("=0.1".into())));
        let address = "https://example.org/workflow.git";
        assert_eq!(Origin::parse(address).ok(), Some(Origin::Git(address.into())));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let expected = root.canonicalize().map(Origin::Path).ok();
        assert_eq!(Origin::parse(&root.to_string_lossy()).ok(), expected);
        assert_eq!(Origin::parse(&root.join("workflow-runtime").to_string_lossy()).ok(), expected);
        assert!(Origin::parse("/no/such/folder").is_err());
        let line = Origin::Path("a \"b\"".into()).dependency("workflow-runner", &["http"]);
        assert!(line.starts_with("workflow-runner = { path = \"a \\\"b\\\""), "{line}");
        assert!(line.ends_with("features = [\"http\"] }\n"), "{line}");
    }
}
