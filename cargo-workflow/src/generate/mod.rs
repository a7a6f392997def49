//! Generated crates: programs that run a definition, and starter crates.

mod build;
mod cache;
mod names;
mod origin;
mod program;
mod services;
mod starter;
mod types;

pub use cache::empty as empty_cache;
pub use origin::Origin;
pub use program::{Kind, program};
pub use starter::Starter;

use crate::failure::Failure;
use std::path::Path;

/// Writes a file of a generated crate, and creates its folders. A file that already has this text
/// is not written, so that Cargo does not rebuild the crate.
fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let file = folder.join(name);
    if std::fs::read(&file).is_ok_and(|old| old == text.as_ref()) {
        return Ok(());
    }
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).map_err(|error| Failure::file("create the folder", parent, &error))?;
    }
    std::fs::write(&file, text).map_err(|error| Failure::file("write", &file, &error))
}

/// Fills in a template: `{{name}}` becomes the value of `name`.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        text.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        let value = after.find("}}").and_then(|end| values.iter().find(|(name, _)| *name == &after[..end]));
        match value {
            Some((name, value)) => {
                text.push_str(value);
                rest = &after[name.len() + 2..];
            }
            None => {
                text.push_str("{{");
                rest = after;
            }
        }
    }
    text + rest
}
