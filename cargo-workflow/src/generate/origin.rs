//! The source of the runtime crates in the dependencies of generated crates.

use crate::failure::Failure;
use std::path::{Component, Path, PathBuf};
use workflow_compiler::escape::{comment, shell_word, toml_string};
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
    pub fn parse(text: &str) -> Result<Origin, Failure> {
        let version = text.trim_start_matches(['=', '^', '~', '>', '<', ' ']);
        if version.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['/', '\\']) {
            return Ok(Origin::Version(text.to_owned()));
        }
        if text.contains("://") || text.starts_with("git@") {
            return Ok(Origin::Git(text.to_owned()));
        }
        let folder = Path::new(text);
        let full = folder.canonicalize().map_err(|error| Failure::file("find the folder", folder, &error))?;
        let parent = full.parent().filter(|_| full.ends_with("workflow-runtime"));
        let found = [Some(&*full), parent].into_iter().flatten().find(|root| is_checkout(root));
        found.map(|root| Origin::Path(root.to_owned())).ok_or_else(|| {
            let message = format!("`workflow-runtime` not found in `{text}`");
            Failure::with_help(message, "use the folder of a checkout, the address of a repository, or a version")
        })
    }

    /// Returns a line of `[dependencies]`.
    pub fn dependency(&self, name: &str, features: &[&str]) -> String {
        let from = match self {
            Origin::Path(root) => {
                let path = root.join(name).to_string_lossy().into_owned();
                // A relative path has slashes on every system.
                let path = if root.is_absolute() { path } else { path.replace('\\', "/") };
                format!("path = {}", toml_string(&path))
            }
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

    /// Returns the origin as a crate in `folder`, an existing folder, names it: the path of a
    /// checkout is relative, so that the crate and the checkout can be moved together.
    pub fn relative_to(&self, folder: &Path) -> Origin {
        let Origin::Path(root) = self else { return self.clone() };
        let relative = (|| relative(&root.canonicalize().ok()?, &folder.canonicalize().ok()?))();
        Origin::Path(relative.unwrap_or_else(|| root.clone()))
    }

    /// Returns the line of `[dependencies]` for the runtime, with these features and those that a
    /// workflow needs.
    pub fn runtime(&self, workflow: Option<&Workflow>, features: &[&'static str]) -> String {
        let mut features = features.to_vec();
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

    /// Returns the paragraph of a README on moving the crate.
    pub fn moved(&self) -> String {
        match self {
            Origin::Path(root) => format!(
                "`Cargo.toml` takes the crates of Workflow Compiler from the checkout `{}`. Move the two folders together, or \
                 replace\n`path` by the `git` address of a repository.",
                comment(&root.display().to_string())
            ),
            Origin::Git(_) | Origin::Version(_) => {
                "The crate has no paths to other folders, so you can move it.".to_owned()
            }
        }
    }

    /// Returns the argument of `docker build` for the checkout, with a space behind it. It is
    /// empty without a checkout.
    pub fn build_context(&self) -> String {
        match self {
            Origin::Path(root) => {
                format!("--build-context workflow-compiler={} ", shell_word(&comment(&root.display().to_string())))
            }
            Origin::Git(_) | Origin::Version(_) => String::new(),
        }
    }

    /// Returns the line of a Dockerfile that copies the checkout.
    pub fn docker_copy(&self) -> String {
        match self {
            // The form of a list takes any path.
            Origin::Path(root) => {
                let copied = serde_json::json!([".", docker_root(root)]);
                format!("COPY --from=workflow-compiler {copied}\n")
            }
            Origin::Git(_) | Origin::Version(_) => String::new(),
        }
    }

    /// Returns the folder of the crate in a Dockerfile. From there, the path to the checkout is
    /// that of the manifest.
    pub fn docker_folder(&self, package: &str) -> String {
        let levels = match self {
            Origin::Path(root) => root.components().filter(|part| *part == Component::ParentDir).count(),
            Origin::Git(_) | Origin::Version(_) => 1,
        };
        let between: String = (1..levels.max(1)).map(|level| format!("/{level}")).collect();
        format!("/build{between}/{package}")
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

/// Returns the folder of the checkout in a Dockerfile.
fn docker_root(root: &Path) -> String {
    if root.is_absolute() {
        return root.display().to_string();
    }
    let names = root.components().filter(|part| matches!(part, Component::Normal(_)));
    let names: String = names.map(|name| format!("/{}", name.as_os_str().display())).collect();
    format!("/build{names}")
}

/// Returns the path from one folder to another. Both are absolute and without `..` and symbolic
/// links. Returns `None` if they have no folder in common.
fn relative(to: &Path, from: &Path) -> Option<PathBuf> {
    let shared = to.components().zip(from.components()).take_while(|(one, other)| one == other).count();
    if !to.components().take(shared).any(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(shared)).collect())
}

fn is_checkout(root: &Path) -> bool {
    root.join("workflow-runtime").join("Cargo.toml").is_file()
        && root.join("workflow-runner").join("Cargo.toml").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_names_a_checkout_by_a_relative_path() {
        for (to, from, expected) in [
            ("/home/a/wf", "/home/a/shop", Some("../wf")),
            ("/home/a/wf", "/home/a/b/c/shop", Some("../../../wf")),
            ("/home/a/wf", "/home/a/wf/target/shop", Some("../..")),
            ("/opt/wf", "/home/a/shop", None),
        ] {
            assert_eq!(relative(Path::new(to), Path::new(from)), expected.map(PathBuf::from), "{to} {from}");
        }
    }

    #[test]
    fn a_dockerfile_has_the_folders_of_the_manifest() {
        for (root, folder, copy) in [
            ("../wf", "/build/shop", "COPY --from=workflow-compiler [\".\",\"/build/wf\"]\n"),
            ("../../../a/wf", "/build/1/2/shop", "COPY --from=workflow-compiler [\".\",\"/build/a/wf\"]\n"),
            ("../..", "/build/1/shop", "COPY --from=workflow-compiler [\".\",\"/build\"]\n"),
            ("/opt/wf", "/build/shop", "COPY --from=workflow-compiler [\".\",\"/opt/wf\"]\n"),
        ] {
            let origin = Origin::Path(root.into());
            assert_eq!((&*origin.docker_folder("shop"), &*origin.docker_copy()), (folder, copy));
        }
        let git = Origin::Git("https://example.org/wf.git".into());
        assert_eq!((&*git.docker_folder("shop"), &*git.docker_copy(), &*git.build_context()), ("/build/shop", "", ""));
    }

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
