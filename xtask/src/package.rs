//! `cargo xtask package`: the packages that users name, packed as `cargo publish` packs them, and
//! built from what is packed.

use crate::workspace::{cargo, read, root, succeed};

/// The folders of the packages that are published.
pub const PUBLISHED: [&str; 9] = [
    "cargo-workflow",
    "engines/restate",
    "engines/sqlite",
    "workflow-compiler",
    "workflow-connectors",
    "workflow-macros",
    "workflow-runner",
    "workflow-runtime",
    "workflow-tools",
];

/// Packs all published packages and builds each from its archive: a file that is left out, or a
/// cycle of packages with versions, is an error here and not on the day of a release.
pub fn run() -> Result<(), String> {
    let mut command = cargo(["package", "--allow-dirty", "--quiet"]);
    for folder in PUBLISHED {
        let manifest = read(&root().join(folder).join("Cargo.toml"))?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        command.args(["--package", name.ok_or_else(|| format!("{folder}: a package without a name"))?]);
    }
    succeed(&mut command, "cargo package")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::files;

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
