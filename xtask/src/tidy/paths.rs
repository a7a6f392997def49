//! No file names a path of the machine it was written on.

use super::File;
use crate::workspace::root;

/// Returns the files that name the folder around the project, or the user's.
pub fn check(files: &[File]) -> Vec<String> {
    let home = std::env::var("HOME").ok();
    let around = root().canonicalize().ok().and_then(|root| root.parent()?.to_str().map(str::to_owned));
    let folders: Vec<String> = [home, around].into_iter().flatten().filter(|folder| folder.len() > 2).collect();
    let prefixes: Vec<String> = folders.iter().map(|folder| format!("{folder}/")).collect();
    let lines = files.iter().flat_map(|file| file.text.lines().enumerate().map(move |(at, line)| (file, at + 1, line)));
    let named = lines.filter(|(.., line)| prefixes.iter().any(|prefix| line.contains(prefix.as_str())));
    named.map(|(file, at, _)| format!("{}:{at}: names a path of this machine", file.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_around_the_project_is_not_named() {
        let around = root().canonicalize().expect("the project is somewhere");
        let around = around.parent().expect("it is in a folder").display().to_string();
        let file = |text: String| File { name: "a.md".to_owned(), text };
        let broken = check(&[file(format!("see {around}/notes\n")), file("see ../notes\n".to_owned())]);
        assert_eq!(broken, ["a.md:1: names a path of this machine"]);
    }
}
