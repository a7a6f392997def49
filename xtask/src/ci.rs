//! `cargo xtask ci`: every check that has to pass before a change is merged. Needs Rust, a C
//! compiler, a Unix shell and curl. The steps that need a Restate server or the external cases
//! report it where these are missing.

use crate::workspace::{WORKSPACE, cargo, files, root, succeed, target_folder};
use crate::{book, conformance, crash, deny, explore, goldens, package, pictures, tidy};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments for the tests that build programs. `cargo test` reports them as ignored.
const BUILDS: [&str; 4] = ["--test", "programs", "--", "--ignored"];
/// Arguments for the tests of a compiler that lacks the features a definition needs, and of
/// programs that lack the features an option needs.
const WITHOUT_FEATURES: [&[&str]; 2] = [
    &[
        "-p",
        "workflow-compiler",
        "--no-default-features",
        "--features",
        "serverless-workflow",
        "--lib",
        "serverless_workflow::tests::refused",
    ],
    &["-p", "workflow-runner", "--features", "durable", "--lib"],
];
/// The folder of the external cases. It may be missing.
const CORPUS: &str = "../shared/corpus";

/// A step: its name, its check, and the folders below the target folder that no later step uses. A
/// step that passes leaves none of them: together they take more disk than many machines have.
type Step = (&'static str, fn() -> Result<(), String>, &'static [&'static str]);

const STEPS: &[Step] = &[
    ("test", test, &["tests/trybuild"]),
    ("format", format, &[]),
    ("clippy", clippy, &[]),
    ("documentation", doc, &["doc"]),
    ("tidy", tidy::run, &[]),
    ("goldens", goldens::run, &[]),
    ("deny", deny::run, &[]),
    ("package", package::run, &["packages"]),
    ("book", book::run, &["book", "tmp/generated", "tutorial"]),
    ("pictures", || pictures::run(&[]), &[]),
    ("differential", differential, &["differential"]),
    ("conformance", conform, &["conformance"]),
    ("explore", || explore::run(&["--depth".to_owned(), explore::SHORT.to_owned()]), &[]),
    ("crash", crash, &[]),
];

/// Runs every step, also after one has failed, and lists the failed steps at the end.
pub fn run() -> Result<(), String> {
    let mut failed = Vec::new();
    let target = target_folder();
    for (name, step, folders) in STEPS {
        println!("\n=== {name}");
        let start = Instant::now();
        let result = step();
        let seconds = start.elapsed().as_secs();
        let gigabytes = size(&target) as f64 / 1e9;
        match result {
            Ok(()) => {
                println!("=== {name}: passed in {seconds} s, the target folder has {gigabytes:.1} GB");
                folders.iter().for_each(|folder| drop(std::fs::remove_dir_all(target.join(folder))));
            }
            Err(message) => {
                println!("{message}\n=== {name}: FAILED after {seconds} s");
                failed.push(*name);
            }
        }
    }
    let total = STEPS.len();
    match failed.is_empty() {
        true => {
            println!("\nci: all {total} steps passed");
            Ok(())
        }
        false => Err(format!("\nci: {} of {total} steps FAILED: {}", failed.len(), failed.join(", "))),
    }
}

/// Returns the size of all files below a folder, in bytes.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Runs all tests, also after some have failed.
fn test() -> Result<(), String> {
    let [compiler, runner] = WITHOUT_FEATURES;
    let runs: [(&[&str], &str); 4] = [
        (&[&["--no-fail-fast"], &WORKSPACE[..]].concat(), "cargo test"),
        (&[&["--no-fail-fast"], &WORKSPACE[..], &BUILDS].concat(), "cargo test of generated programs"),
        (compiler, "cargo test of the compiler with few features"),
        (runner, "cargo test of the runner with few features"),
    ];
    let failed = runs.map(|(arguments, name)| succeed(cargo(["test"]).args(arguments), name));
    let failed: Vec<String> = failed.into_iter().filter_map(Result::err).collect();
    if !failed.is_empty() {
        return Err(failed.join("\n"));
    }
    remove_programs(&target_folder().join("debug/deps"));
    Ok(())
}

/// Compares compiled jq expressions with recorded results of jq, and compiled expressions in
/// JSONata with the evaluator. The tests are workspaces of their own.
fn differential() -> Result<(), String> {
    let test = |workspace: &str, name: &str| {
        let mut tests = cargo(["test", "--manifest-path", workspace]);
        succeed(tests.env("CARGO_TARGET_DIR", target_folder().join("differential")), name)
    };
    test("differential/jq/Cargo.toml", "cargo test of jq expressions")?;
    test("differential/jsonata/compiled/Cargo.toml", "cargo test of expressions in JSONata")
}

/// Removes the programs in a folder of cargo. They take gigabytes, and no step after the tests
/// runs the programs of tests. Cargo links a missing program again.
fn remove_programs(folder: &Path) {
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_program = |path: &PathBuf| path.is_file() && path.extension().is_none();
    paths.filter(is_program).for_each(|path| drop(std::fs::remove_file(path)));
}

/// Kills the process a few times. `cargo xtask crash` does so more often.
fn crash() -> Result<(), String> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    crash::run(&words("--engine sqlite --kills 60 --seed 1"))?;
    crash::run(&words("--engine sqlite --workload map --kills 40 --seed 1"))?;
    let required = std::env::var_os("WORKFLOW_REQUIRE_RESTATE").is_some();
    match restate_testing::find(&root().join("target")) {
        Err(problem) if !required => {
            println!("skipped: no Restate server: {problem}");
            Ok(())
        }
        _ => {
            crash::run(&words("--engine restate --kills 8 --seed 1"))?;
            crash::run(&words("--engine restate --nodes 3 --kills 6 --seed 1"))?;
            crash::run(&words("--engine restate --workload map --nodes 3 --kills 3 --seed 1"))
        }
    }
}

fn format() -> Result<(), String> {
    succeed(&mut cargo(["fmt", "--all", "--check"]), "cargo fmt")
}

fn clippy() -> Result<(), String> {
    let warnings = ["--", "-D", "warnings"];
    let mut command = cargo(["clippy", "--all-targets", "--keep-going"]);
    succeed(command.args(WORKSPACE).args(warnings), "cargo clippy")?;
    // The packages and features of `cargo test --workspace`, the command in the README.
    let mut command = cargo(["clippy", "--workspace", "--all-targets", "--keep-going"]);
    succeed(command.args(warnings), "cargo clippy with default features")?;
    // The examples together, without the features that other packages turn on.
    let manifests = files(&root().join("examples")).into_iter().filter(|file| file.ends_with("Cargo.toml"));
    let names = manifests.filter_map(|file| Some(file.parent()?.file_name()?.to_owned()));
    let packages = names.flat_map(|name| [OsString::from("-p"), name]);
    let mut command = cargo(["clippy"]);
    succeed(command.args(packages).args(warnings), "cargo clippy of the examples")?;
    // The workspace turns on features that a program may lack. The example `order`, which the
    // README runs first, has the last set.
    for features in ["", "asl,macros,memory", "asl,macros,memory,testing"] {
        let runtime = ["clippy", "-p", "workflow-runtime", "--no-default-features", "--features", features];
        succeed(cargo(runtime).args(warnings), "cargo clippy of the runtime with few features")?;
    }
    // The fuzz targets are a workspace of their own, which no other step checks.
    let targets = ["clippy", "--manifest-path", "fuzz/Cargo.toml", "--no-default-features", "--", "-D", "warnings"];
    succeed(&mut cargo(targets), "cargo clippy of the fuzz targets")
}

/// Builds the documentation with all features, as on docs.rs.
fn doc() -> Result<(), String> {
    let mut command = cargo(["doc", "--no-deps", "--keep-going"]);
    succeed(command.args(WORKSPACE).env("RUSTDOCFLAGS", "-D warnings"), "cargo doc")
}

fn conform() -> Result<(), String> {
    let corpus = root().join(CORPUS);
    if !corpus.is_dir() {
        println!("no external cases found: skipped");
        return Ok(());
    }
    conformance::run(&[corpus.display().to_string()])
}
