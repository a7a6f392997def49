//! Checks of `README.md`, of the pages in `docs`, which are a book, and of the READMEs of the
//! examples. Their code is that of files
//! which are compiled and tested, their errors are what the compiler prints, and their commands
//! and manifests work.
//!
//! Before every block of code, a page names the origin of the block in an HTML comment: see
//! [`Origin`]. A test makes the cheap checks. `cargo xtask book` runs the commands, builds the
//! programs and replays the tutorial.

mod blocks;
mod builds;
#[cfg(test)]
mod tests;
mod tutorial;

pub use tutorial::replay as replay_tutorial;

use crate::workspace::{built_program, files, programs_cache, read, root, succeed, target_folder, write_if_changed};
use blocks::{Block, Origin, blocks};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use workflow_compiler::diagnostics::render::render;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, check_only};

/// A command that is another step of `cargo xtask ci` already. It includes the tests of each
/// package.
const ELSEWHERE: &str = "cargo test --workspace";
/// The tests of a package.
const TESTS: &str = "cargo test -p ";
/// The alias of `.cargo/config.toml` that runs the package `cargo-workflow`.
const ALIAS: &str = "cargo workflow ";
/// The example that the README runs first.
const FIRST: &str = "order";
/// Commands whose output is a whole block, which `cargo xtask generate` writes.
const HELP: [&str; 2] = ["cargo workflow help", "cargo run -p approval --features restate -- help"];

/// Returns the names of the pages with checked blocks. `docs/diagnostics.md` is generated from the
/// tables of codes, and tests compile its examples.
fn pages() -> Vec<String> {
    let docs = files(&root().join("docs")).into_iter().filter_map(|file| {
        let name = file.strip_prefix(root()).ok()?.to_string_lossy().replace('\\', "/");
        let is_checked = name.ends_with(".md") && name != "docs/diagnostics.md" && !name.starts_with("docs/adr/");
        is_checked.then_some(name)
    });
    let examples = files(&root().join("examples")).into_iter().filter_map(|file| {
        let name = file.strip_prefix(root()).ok()?.to_string_lossy().replace('\\', "/");
        name.ends_with("/README.md").then_some(name)
    });
    let own = ["README.md", "engines/restate/README.md"].map(str::to_owned);
    own.into_iter().chain(examples).chain(docs).collect()
}

/// Returns the blocks of a page.
fn blocks_of(page: &str) -> Result<Vec<Block>, String> {
    blocks(&read(&root().join(page))?).map_err(|error| format!("{page}: {error}"))
}

/// Runs the commands, builds the programs and replays the tutorial. Continues after a failure.
pub fn run() -> Result<(), String> {
    let scratch = target_folder().join("book");
    let (mut outputs, mut done) = (BTreeMap::new(), BTreeSet::new());
    // A page has a command that removes what the tests have built in the cache folder.
    let mut problems: Vec<String> = tutorial::replay().err().into_iter().collect();
    for page in pages() {
        for block in blocks_of(&page)? {
            problems.extend(run_block(&page, &block, &mut outputs, &mut done, &scratch).err());
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Checks a block of a page.
fn run_block(
    page: &str,
    block: &Block,
    outputs: &mut BTreeMap<String, String>,
    done: &mut BTreeSet<String>,
    scratch: &Path,
) -> Result<(), String> {
    match &block.origin {
        Origin::Run => run_commands(block, done),
        Origin::Output(command) => {
            if !outputs.contains_key(command) {
                outputs.insert(command.clone(), output_of(command)?);
            }
            check_output(page, block, command, &outputs[command])
        }
        Origin::Manifest(name) => builds::check(name, &block.text, scratch),
        Origin::File(_) | Origin::Definition(_) | Origin::Findings | Origin::NotRun => Ok(()),
        Origin::TutorialFile(_) | Origin::TutorialRun(_) | Origin::TutorialPrints => Ok(()),
    }
}

/// Returns the diagnostics of a definition, as a terminal shows them.
fn findings(name: &str, text: &str) -> String {
    let output = check_only(Source::new(name, text), &Options::default());
    let shown = output.diagnostics.iter().map(|found| render(found, &output.sources, false).trim_end().to_owned());
    shown.collect::<Vec<_>>().join("\n\n")
}

/// Writes the help texts and the diagnostics into the pages that show them.
pub fn write_outputs() -> Result<(), String> {
    for page in pages() {
        let mut text = read(&root().join(&page))?;
        let blocks = blocks_of(&page)?;
        for (at, block) in blocks.iter().enumerate() {
            let (comment, new) = match (&block.origin, at.checked_sub(1).map(|at| &blocks[at])) {
                (Origin::Output(command), _) if HELP.iter().any(|help| command.starts_with(help)) => {
                    let new = output_of(command)?;
                    if new.is_empty() {
                        return Err(format!("{page}:{}: `{command}` prints nothing", block.line));
                    }
                    (format!("<!-- output of: {command} -->"), new)
                }
                (Origin::Findings, Some(Block { origin: Origin::Definition(name), text, .. })) => {
                    ("<!-- what check says -->".to_owned(), findings(name, text) + "\n")
                }
                _ => continue,
            };
            let old = format!("{comment}\n```text\n{}```", block.text);
            text = text.replace(&old, &format!("{comment}\n```text\n{new}```"));
        }
        write_if_changed(&root().join(&page), &text)?;
    }
    Ok(())
}

fn run_commands(block: &Block, done: &mut BTreeSet<String>) -> Result<(), String> {
    for line in block.text.lines().filter(|line| *line != ELSEWHERE && !line.starts_with(TESTS)) {
        if !done.insert(line.to_owned()) {
            continue;
        }
        println!("$ {line}");
        // The output of the command must not exist yet.
        if let Some((_, made)) = line.split_once(" --out target/") {
            let made = root().join("target").join(made);
            let _nothing_there = std::fs::remove_dir_all(&made).or_else(|_| std::fs::remove_file(&made));
        }
        succeed(shell(line)?.stdout(Stdio::null()), line)?;
    }
    Ok(())
}

/// Runs a command, and returns its standard output.
fn output_of(command: &str) -> Result<String, String> {
    println!("$ {command}");
    let output = shell(command)?.output().map_err(|error| format!("cannot start {command}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn check_output(page: &str, block: &Block, command: &str, printed: &str) -> Result<(), String> {
    if printed.contains(&block.text) {
        return Ok(());
    }
    Err(format!("{page}:{}: the output of `{command}` differs:\n{printed}", block.line))
}

/// Returns the command of a line of a page. It runs the program that the tests use, which has all
/// features: to build each example alone would take minutes.
fn shell(line: &str) -> Result<Command, String> {
    let mut command = Command::new("sh");
    match program(line) {
        Some((program, arguments)) => {
            command.env("PROGRAM", built_program(program, "dev")?);
            command.args(["-c", &format!("\"$PROGRAM\" {arguments}")]);
        }
        None => drop(command.args(["-c", line])),
    }
    command.current_dir(root());
    command.env("WORKFLOW_CACHE_DIR", programs_cache());
    Ok(command)
}

/// Returns the program that a line has cargo build, and the program's arguments. The README's
/// first example is built as the line says, and so is an example with features, which change its
/// help.
fn program(line: &str) -> Option<(&str, &str)> {
    if let Some(arguments) = line.strip_prefix(ALIAS) {
        return Some(("cargo-workflow", arguments));
    }
    let line = line.strip_prefix("cargo run -p ")?;
    let (options, arguments) = line.split_once(" -- ").unwrap_or((line, ""));
    let options: Vec<&str> = options.split(' ').collect();
    match options[..] {
        [FIRST, ..] => None,
        [_, "--bin", program] => Some((program, arguments)),
        [program] => Some((program, arguments)),
        _ => None,
    }
}
