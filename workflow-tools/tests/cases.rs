//! Pictures of the cases of the package `tests`: nothing is drawn over anything else.

use std::path::{Path, PathBuf};
use workflow_compiler::{Files, Options, Source, check_only};
use workflow_tools::pictures::measure;

/// The minimum number of pictures. A few cases need options, and are skipped.
const LEAST: usize = 50;

/// Returns the entries of a folder, in order.
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns the definitions, `cases/<dialect>/<name>/flow.<dialect>.<format>`.
fn definitions() -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases");
    let files = list(&cases).into_iter().flat_map(|dialect| list(&dialect)).flat_map(|case| list(&case));
    let is_definition = |file: &PathBuf| {
        let is_text = file.extension().is_some_and(|extension| extension == "json" || extension == "yaml");
        is_text && file.file_name().unwrap_or_default().to_string_lossy().starts_with("flow.")
    };
    files.filter(is_definition).collect()
}

#[test]
fn pictures_have_no_flaws() {
    let mut pictures = 0;
    for file in definitions() {
        let text = std::fs::read_to_string(&file).expect("a definition");
        let (name, folder) = (file.file_name().unwrap_or_default(), file.parent().expect("its folder"));
        let source = Source::new(name.to_string_lossy(), text).with_files(Files::in_folder(folder));
        let Some(workflow) = check_only(source, &Options::default()).workflow else { continue };
        assert_eq!(measure(&workflow), Ok(Vec::new()), "{}", file.display());
        pictures += 1;
    }
    assert!(pictures >= LEAST, "{pictures} pictures");
}
