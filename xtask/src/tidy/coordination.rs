//! The rules of coordination, which all engines share, stay small enough to be read at once.

use super::File;
use super::source::code;

const FOLDER: &str = "workflow-runtime/src/coordination/";
/// The most lines of code in the folder, without comments, blank lines and tests.
const MAX_LINES: usize = 700;

/// Returns a violation if the folder has more lines.
pub fn check(files: &[File]) -> Vec<String> {
    let files = files.iter().filter(|file| file.name.starts_with(FOLDER) && !file.is_test());
    match files.flat_map(code).filter(|(_, line)| !line.trim().is_empty()).count() {
        0 => vec![format!("{FOLDER}: has no code: the rules of coordination belong here")],
        lines if lines > MAX_LINES => {
            vec![format!("{FOLDER}: has {lines} lines of code, at most {MAX_LINES} are allowed")]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_code_count() {
        let file = |name: &str, line: &str, lines: usize| File {
            name: format!("{FOLDER}{name}"),
            text: format!("{line}\n").repeat(lines),
        };
        let least = || file("a.rs", "x();", MAX_LINES);
        assert!(
            check(&[least(), file("b.rs", "// C.", 9), file("b.rs", "", 9), file("tests.rs", "x();", 9)]).is_empty()
        );
        assert_eq!(check(&[least(), file("b.rs", "y();", 1)]).len(), 1);
        assert_eq!(check(&[]).len(), 1);
    }
}
