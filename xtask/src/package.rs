//! `cargo xtask package`: the packages that users name, packed as `cargo publish` packs them, and
//! built from what is packed.

use crate::workspace::{cargo, read, root, succeed, target_folder};
use std::path::{Path, PathBuf};

/// The folders of the packages that are published.
pub const PUBLISHED: [&str; 13] = [
    "cargo-workflow",
    "engines/restate",
    "engines/sqlite",
    "engines/suite",
    "workflow-compiler",
    "workflow-connectors",
    "workflow-jsonata",
    "workflow-macros",
    "workflow-model",
    "workflow-objects",
    "workflow-runner",
    "workflow-runtime",
    "workflow-tools",
];

/// Packs all published packages and builds each from its archive: a file that is left out, or a
/// cycle of packages with versions, is an error here and not on the day of a release.
pub fn run() -> Result<(), String> {
    let target = target_folder().join("packages");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let mut command = cargo(["package", "--allow-dirty", "--quiet", "--target-dir"]);
    command.arg(&target);
    for folder in PUBLISHED {
        let manifest = read(&root().join(folder).join("Cargo.toml"))?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let name = name.ok_or_else(|| format!("{folder}: a package without a name"))?;
        forget(name, &target, &home);
        command.args(["--package", name]);
    }
    succeed(&mut command, "cargo package")
}

/// Removes what an earlier run left of a package. Cargo takes the archive of a version to be the
/// same forever, and would build the old sources again.
fn forget(package: &str, target: &Path, home: &Path) {
    // The folders of a registry in a folder have no host in their names.
    let registries = ["src", "cache"].into_iter().flat_map(|kind| entries(&home.join("registry").join(kind), "-"));
    let unpacked = registries.flat_map(|registry| entries(&registry, &format!("{package}-")));
    let built = entries(&target.join("debug/.fingerprint"), &format!("{package}-"));
    for old in unpacked.chain(built) {
        let _ = if old.is_dir() { std::fs::remove_dir_all(old) } else { std::fs::remove_file(old) };
    }
}

/// Returns the entries of a folder whose names begin with a text.
fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    found.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::files;

    #[test]
    fn an_earlier_run_leaves_nothing_of_a_package() {
        let folder = std::env::temp_dir().join(format!("xtask-package-{}", std::process::id()));
        let (target, home) = (folder.join("target"), folder.join("home"));
        let old =
            ["target/debug/.fingerprint/a-12", "home/registry/src/-1f/a-0.1.0", "home/registry/cache/-1f/a-0.1.0"];
        let others =
            ["target/debug/.fingerprint/b-12", "home/registry/src/-1f/b-0.1.0", "home/registry/src/h-1f/a-0.1.0"];
        for path in old.iter().chain(&others) {
            std::fs::create_dir_all(folder.join(path)).expect("a folder");
        }
        forget("a", &target, &home);
        assert!(old.iter().all(|path| !folder.join(path).exists()));
        assert!(others.iter().all(|path| folder.join(path).exists()));
        std::fs::remove_dir_all(folder).expect("it is removed");
    }

    #[test]
    fn published_packages_are_those_without_publish_false() {
        let manifests = files(&root()).into_iter().filter(|file| file.ends_with("Cargo.toml"));
        let published = manifests.filter_map(|file| {
            let text = read(&file).expect("a manifest");
            let is_published = text.contains("\n[package]\n") || text.starts_with("[package]\n");
            let folder = file.parent()?.strip_prefix(root()).ok()?.to_string_lossy().replace('\\', "/");
            (is_published && !text.contains("\npublish = false\n")).then_some(folder)
        });
        let mut published: Vec<String> = published.collect();
        published.sort();
        assert_eq!(published, PUBLISHED);
    }
}
