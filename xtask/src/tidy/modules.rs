//! Every module has documentation, and is short enough to be read in one sitting.

use super::File;

/// The longest file, in lines.
const LONGEST: usize = 600;

/// Returns the files without module documentation, and the files that are too long.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.is_source()).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let mut broken = Vec::new();
    let first = file.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !first.starts_with("//!") {
        broken.push(format!("{}:1: has no module documentation: add `//!` at the top", file.name));
    }
    let lines = file.text.lines().count();
    if lines > LONGEST {
        broken.push(format!("{}: has {lines} lines; the maximum is {LONGEST}: split it", file.name));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_without_a_purpose_and_a_long_one_are_named() {
        let file = |text: String| File { name: "a/src/b.rs".to_owned(), text };
        let long = format!("//! Long.\n{}", "fn a() {}\n".repeat(LONGEST));
        let broken = check(&[file("fn a() {}\n".to_owned()), file(long), file("\n//! Fine.\n".to_owned())]);
        assert_eq!(broken.len(), 2, "{broken:?}");
    }
}
