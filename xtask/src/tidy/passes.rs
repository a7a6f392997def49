//! Every pass is listed in `passes/mod.rs` with a description, and is called there.

use super::File;

const FOLDER: &str = "workflow-compiler/src/passes/";

/// Modules of the folder that are not passes.
const HELPERS: &[&str] = &["names", "order", "tests"];

/// Returns the passes that are not listed.
pub fn check(files: &[File]) -> Vec<String> {
    let Some(index) = files.iter().find(|file| file.name == format!("{FOLDER}mod.rs")) else {
        return vec![format!("{FOLDER}mod.rs: is missing")];
    };
    let stems = files.iter().filter_map(|file| file.name.strip_prefix(FOLDER)?.strip_suffix(".rs"));
    let passes = stems.filter(|stem| !stem.contains('/') && *stem != "mod" && !HELPERS.contains(stem));
    passes.flat_map(|pass| check_pass(pass, index)).collect()
}

fn check_pass(pass: &str, index: &File) -> Vec<String> {
    let mut broken = Vec::new();
    let lines: Vec<&str> = index.text.lines().map(str::trim).collect();
    let declared = lines.iter().position(|line| *line == format!("mod {pass};") || *line == format!("pub mod {pass};"));
    let described = declared.is_some_and(|at| at > 0 && lines[at - 1].starts_with("//"));
    if !described {
        broken.push(format!("{}: does not list and describe the pass `{pass}`", index.name));
    }
    if !index.text.contains(&format!("{pass}::")) {
        broken.push(format!("{}: does not call the pass `{pass}`", index.name));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_without_a_description_or_a_call_is_named() {
        let file = |name: &str, text: &str| File { name: format!("{FOLDER}{name}"), text: text.to_owned() };
        let index = file("mod.rs", "// Checks a.\nmod check_a;\nmod check_b;\nmod names;\ncheck_a::check_a();\n");
        let files = [index, file("check_a.rs", ""), file("check_b.rs", ""), file("names.rs", "")];
        let broken = check(&files);
        assert_eq!(broken.len(), 2, "{broken:?}");
        assert!(broken.iter().all(|line| line.contains("check_b")));
    }
}
