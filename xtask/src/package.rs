//! `cargo xtask package`: the packages that users name, packed as `cargo publish` packs them, and
//! checked from what is packed.

use crate::workspace::{cargo, read, root, succeed, target_folder, write_if_changed};
use std::process::Command;

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

/// Packs all published packages, unpacks the archives into a workspace and checks it: a file that
/// is left out, or a cycle of packages with versions, is an error here and not on the day of a
/// release. The packages are checked together, with all features. `cargo package` would check each
/// alone with its default features, which takes minutes.
pub fn run() -> Result<(), String> {
    let target = target_folder().join("packages");
    let mut pack = cargo(["package", "--no-verify", "--allow-dirty", "--quiet", "--target-dir"]);
    pack.arg(&target);
    let (mut members, mut patches) = (Vec::new(), String::new());
    for folder in PUBLISHED {
        let (name, version) = name_and_version(folder)?;
        pack.args(["--package", &name]);
        patches += &format!("{name} = {{ path = \"{name}-{version}\" }}\n");
        members.push(format!("{name}-{version}"));
    }
    succeed(&mut pack, "cargo package")?;
    let workspace = target.join("workspace");
    // An old archive may have had a file that the new one lacks.
    let _nothing_there = std::fs::remove_dir_all(&workspace);
    for member in &members {
        let archive = target.join("package").join(format!("{member}.crate"));
        std::fs::create_dir_all(&workspace).map_err(|error| format!("{}: {error}", workspace.display()))?;
        // All archives give their files one old time, and cargo compiles only newer files again.
        succeed(Command::new("tar").arg("-xmzf").arg(archive).arg("-C").arg(&workspace), "tar")?;
    }
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[patch.crates-io]\n{patches}");
    write_if_changed(&workspace.join("Cargo.toml"), &manifest)?;
    write_if_changed(&workspace.join("Cargo.lock"), &read(&root().join("Cargo.lock"))?)?;
    let mut check = cargo(["check", "--workspace", "--all-features", "--target-dir"]);
    check.arg(target_folder()).current_dir(&workspace);
    succeed(&mut check, "cargo check of what is packed")
}

/// Returns the name and the version of the package in a folder.
fn name_and_version(folder: &str) -> Result<(String, String), String> {
    let text = |folder: &str| read(&root().join(folder).join("Cargo.toml"));
    let value = |manifest: &str, key: &str| {
        let line = manifest.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
        line.map(str::to_owned)
    };
    let name = value(&text(folder)?, "name").ok_or_else(|| format!("{folder}: a package without a name"))?;
    // The packages have the version of the workspace.
    let version = value(&text("")?, "version").ok_or_else(|| "the workspace has no version".to_owned())?;
    Ok((name, version))
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
