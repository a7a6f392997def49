//! Every package forbids `unsafe`, and the dependencies of the libraries are listed here: a new
//! dependency is a change of the design. docs.rs documents the published packages with all
//! features, and shows which feature an item needs.

use super::File;
use crate::package::PUBLISHED;

/// The dependencies that each library may have.
const DEPENDENCIES: &[(&str, &[&str])] = &[
    ("engines/sqlite/Cargo.toml", &["rusqlite", "sha2", "tokio", "workflow-runtime"]),
    ("engines/suite/Cargo.toml", &["tokio", "workflow-runtime"]),
    (
        "engines/restate/Cargo.toml",
        &[
            "fluent-uri",
            "futures-util",
            "h2",
            "hyper",
            "hyper-util",
            "restate-sdk-shared-core",
            "rustls-platform-verifier",
            "tokio",
            "tokio-rustls",
            "workflow-runtime",
        ],
    ),
    (
        "workflow-compiler/Cargo.toml",
        &[
            "cel",
            "jiff",
            "jsonschema",
            "miette",
            "oxc_allocator",
            "oxc_ast",
            "oxc_parser",
            "oxc_semantic",
            "oxc_span",
            "oxc_syntax",
            "percent-encoding",
            "prettyplease",
            "proc-macro2",
            "protox",
            "quote",
            "regex",
            "regex-syntax",
            "saphyr-parser",
            "schemars",
            "serde_json",
            "strsim",
            "syn",
            "typify-impl",
            "unicode-ident",
            "unicode-normalization",
            "unicode-width",
            "workflow-jsonata",
            "workflow-model",
        ],
    ),
    (
        "workflow-connectors/Cargo.toml",
        &[
            "async-nats",
            "base64",
            "hyper-util",
            "percent-encoding",
            "prost-reflect",
            "reqwest",
            "rustls",
            "rustls-platform-verifier",
            "serde",
            "tokio",
            "tonic",
            "tower-service",
            "workflow-runtime",
        ],
    ),
    ("workflow-jsonata/Cargo.toml", &[]),
    ("workflow-macros/Cargo.toml", &["proc-macro2", "quote", "syn", "workflow-compiler"]),
    ("workflow-model/Cargo.toml", &[]),
    (
        "workflow-objects/Cargo.toml",
        &[
            "base64",
            "bytes",
            "flate2",
            "futures-util",
            "jiff",
            "memchr",
            "object_store",
            "parquet",
            "reqwest",
            "rustls",
            "rustls-platform-verifier",
            "ruzstd",
            "serde",
            "snap",
            "tokio",
            "workflow-runtime",
        ],
    ),
    (
        "workflow-runtime/Cargo.toml",
        &[
            "base64",
            "cel",
            "chrono",
            "futures-util",
            "jaq-core",
            "jiff",
            "jsonschema",
            "jsonschema-regex",
            "libm",
            "md-5",
            "percent-encoding",
            "regex",
            "regex-syntax",
            "rquickjs",
            "ryu-js",
            "serde",
            "serde_core",
            "serde_json",
            "sha1",
            "sha2",
            "strsim",
            "tokio",
            "tracing",
            "url",
            "uuid",
            "workflow-macros",
            "workflow-jsonata",
            "workflow-model",
        ],
    ),
    ("workflow-tools/Cargo.toml", &["workflow-compiler"]),
];

/// The attribute of a library by which docs.rs shows the features of items. It has an effect on
/// docs.rs only, which uses a nightly compiler.
const SHOWS_FEATURES: &str = "#![cfg_attr(docsrs, feature(doc_cfg))]";

/// Returns the manifests that do not inherit the lints, the dependencies that are not listed, and
/// the published packages that docs.rs would document in part.
pub fn check(files: &[File]) -> Vec<String> {
    // Packages outside of the workspace have no lints to inherit.
    const SEPARATE: [&str; 3] = ["benchmarks/peers/", "differential/", "fuzz/"];
    let is_separate = |name: &str| SEPARATE.iter().any(|folder| name.starts_with(folder));
    let manifests = files.iter().filter(|file| file.name.ends_with("/Cargo.toml") && !is_separate(&file.name));
    manifests.flat_map(|file| [check_manifest(file), check_documentation(file, files)].concat()).collect()
}

fn check_documentation(file: &File, files: &[File]) -> Vec<String> {
    let folder = file.name.trim_end_matches("/Cargo.toml");
    if !PUBLISHED.contains(&folder) {
        return Vec::new();
    }
    let mut broken = Vec::new();
    let missing = |wanted: &str| !section(file, "[package.metadata.docs.rs]").any(|(_, line)| line == wanted);
    if missing("all-features = true") {
        broken.push(format!("{}: lacks `all-features = true` in `[package.metadata.docs.rs]`", file.name));
    }
    let library = files.iter().find(|library| library.name == format!("{folder}/src/lib.rs"));
    if let (Some(library), Some(_)) = (library, section(file, "[features]").next()) {
        let arguments = r#"rustdoc-args = ["--cfg", "docsrs"]"#;
        if missing(arguments) {
            broken.push(format!("{}: lacks `{arguments}` in `[package.metadata.docs.rs]`", file.name));
        }
        if !library.text.lines().any(|line| line == SHOWS_FEATURES) {
            broken.push(format!(
                "{}: lacks `{SHOWS_FEATURES}`: docs.rs would not show the features of items",
                library.name
            ));
        }
    }
    broken
}

fn check_manifest(file: &File) -> Vec<String> {
    let mut broken = Vec::new();
    if !section(file, "[lints]").any(|(_, line)| line == "workspace = true") {
        broken.push(format!("{}: does not inherit the lints: `[lints] workspace = true`", file.name));
    }
    let known = DEPENDENCIES.iter().find(|(name, _)| *name == file.name);
    for (at, line) in section(file, "[dependencies]").filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
        if known.is_some_and(|(_, known)| !known.contains(&name)) {
            broken.push(format!(
                "{}:{at}: depends on `{name}`, which is not in the list of allowed dependencies",
                file.name
            ));
        }
    }
    broken
}

/// Returns the lines of a section, with their numbers.
pub fn section<'a>(file: &'a File, name: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines.skip_while(move |(_, line)| *line != name).skip(1).take_while(|(_, line)| !line.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_dependency_and_missing_lints_are_named() {
        let text = "[package]\nname = \"x\"\n\n[dependencies]\n# Why.\nquote.workspace = true\ntokio = \"1\"\n\n[dev-dependencies]\nserde_json = \"1\"\n";
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let compiler = file("workflow-compiler/Cargo.toml", text);
        assert_eq!(
            check(&[compiler]),
            [
                "workflow-compiler/Cargo.toml: does not inherit the lints: `[lints] workspace = true`",
                "workflow-compiler/Cargo.toml:7: depends on `tokio`, which is not in the list of allowed dependencies",
                "workflow-compiler/Cargo.toml: lacks `all-features = true` in `[package.metadata.docs.rs]`",
            ]
        );
        let other = file("tests/Cargo.toml", &format!("{text}\n[lints]\nworkspace = true\n"));
        assert!(check(&[other]).is_empty());
    }
    #[test]
    fn a_library_that_docs_rs_would_document_in_part_is_named() {
        let manifest = |features: &str, metadata: &str| {
            let text =
                format!("[features]\n{features}\n[package.metadata.docs.rs]\n{metadata}\n[lints]\nworkspace = true\n");
            File { name: "workflow-runner/Cargo.toml".to_owned(), text }
        };
        let library = |text: &str| File { name: "workflow-runner/src/lib.rs".to_owned(), text: text.to_owned() };
        let all = "all-features = true";
        let arguments = "rustdoc-args = [\"--cfg\", \"docsrs\"]";
        let both = format!("{all}\n{arguments}");
        let feature = "default = []";
        assert!(check(&[manifest(feature, &both), library(SHOWS_FEATURES)]).is_empty());
        assert_eq!(
            check(&[manifest(feature, arguments), library(SHOWS_FEATURES)]),
            ["workflow-runner/Cargo.toml: lacks `all-features = true` in `[package.metadata.docs.rs]`"]
        );
        assert_eq!(
            check(&[manifest(feature, all), library("")]),
            [
                "workflow-runner/Cargo.toml: lacks `rustdoc-args = [\"--cfg\", \"docsrs\"]` in `[package.metadata.docs.rs]`",
                "workflow-runner/src/lib.rs: lacks `#![cfg_attr(docsrs, feature(doc_cfg))]`: docs.rs would not show the features of items",
            ]
        );
    }
}
