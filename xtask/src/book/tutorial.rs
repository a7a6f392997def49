//! The replay of `docs/tutorial.md`: does what a reader of the page does, and compares what the
//! commands print with the page.
//!
//! Three kinds of blocks are replayed. Paths of files count from the shell's current folder.
//!
//! * `tutorial file: PATH`: the contents of the file.
//! * `tutorial run`: commands, one per line; a `\` at the end continues a line. Each succeeds,
//!   unless the comment is `tutorial run: exit status N`: then the last command ends with N.
//! * `tutorial prints`: everything that the commands of the run block before print. The line `...`
//!   stands for any lines, and `…` in a line for any text. The messages of cargo about its own
//!   progress are left out.
//!
//! The replay needs a Unix shell, curl and a C compiler.

mod prints;
mod shell;

use super::blocks::{Block, Origin, blocks};
use crate::workspace::{built_program, programs_cache, programs_target, read, root, target_folder};
use prints::{fits, without_cargo};
use shell::Shell;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PAGE: &str = "docs/tutorial.md";
/// The name of the checkout beside the reader's folder.
const CHECKOUT: &str = "workflow-compiler";
/// The port in the page. The replay uses a free one.
const PORT: &str = "8080";
/// The time for one command, or for the output of a command in the background. It includes builds.
const WITHIN: Duration = Duration::from_secs(15 * 60);

/// Replays the page.
pub fn replay() -> Result<(), String> {
    let began = Instant::now();
    let steps = steps(&read(&root().join(PAGE))?)?;
    let environment = environment()?;
    let folder = folder();
    make_anew(&folder)?;
    let mut shell = Shell::start(&folder, &environment)?;
    let port = restate_testing::free_ports::<1>()[0].to_string();
    for step in &steps {
        step.replay(&mut shell, &port).map_err(|problem| format!("{PAGE}:{}: {problem}", step.line))?;
    }
    drop(shell);
    println!("the tutorial took {} s", began.elapsed().as_secs());
    // A folder that cannot be removed is replaced by the next replay.
    let _left = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// A part of the page that is replayed.
struct Step {
    line: usize,
    action: Action,
}

enum Action {
    /// The file with this path has this text.
    Write(String, String),
    Run {
        commands: Vec<String>,
        /// The exit status of the last command.
        status: i32,
        /// The text that the commands print, if the page shows it.
        prints: Option<String>,
    },
}

/// Returns the steps of a page.
fn steps(page: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for Block { line, origin, text } in blocks(page)? {
        let action = match origin {
            Origin::TutorialFile(path) => Action::Write(path, text),
            Origin::TutorialRun(status) => Action::Run { commands: commands(&text), status, prints: None },
            Origin::TutorialPrints => match steps.last_mut().map(|step| &mut step.action) {
                Some(Action::Run { prints: prints @ None, .. }) => {
                    *prints = Some(text);
                    continue;
                }
                _ => return Err(format!("line {line}: no commands before it print this")),
            },
            _ => continue,
        };
        steps.push(Step { line, action });
    }
    Ok(steps)
}

/// Returns the commands of a block.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut begun = String::new();
    for line in text.lines() {
        begun.push_str(line);
        if line.ends_with('\\') {
            begun.push('\n');
        } else if !begun.is_empty() {
            commands.push(std::mem::take(&mut begun));
        }
    }
    if !begun.is_empty() {
        commands.push(begun);
    }
    commands
}

impl Step {
    fn replay(&self, shell: &mut Shell, port: &str) -> Result<(), String> {
        match &self.action {
            Action::Write(path, text) => {
                let file = shell.folder.join(path);
                let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
                let written = made.and_then(|()| std::fs::write(&file, text.replace(PORT, port)));
                written.map_err(|error| format!("cannot write {}: {error}", file.display()))
            }
            Action::Run { commands, status, prints } => {
                let mut printed = String::new();
                for (at, command) in commands.iter().enumerate() {
                    let status = if at + 1 == commands.len() { *status } else { 0 };
                    println!("$ {command}");
                    let began = Instant::now();
                    printed.push_str(&shell.run(&command.replace(PORT, port), status, WITHIN)?);
                    println!("  {:.1} s", began.elapsed().as_secs_f64());
                }
                let Some(expected) = prints.as_ref().map(|text| text.replace(PORT, port)) else { return Ok(()) };
                // A command in the background prints when it likes.
                let waits = commands.last().is_some_and(|command| command.ends_with('&'));
                let until = Instant::now() + if waits { WITHIN } else { Duration::ZERO };
                while !fits(&expected, &without_cargo(&printed)) {
                    match shell.more(until)? {
                        Some(more) => printed.push_str(&more),
                        None => {
                            return Err(format!("the commands do not print this, but:\n{}", without_cargo(&printed)));
                        }
                    }
                }
                Ok(())
            }
        }
    }
}

/// Makes an empty folder with the checkout in it.
fn make_anew(folder: &Path) -> Result<(), String> {
    let _not_there = std::fs::remove_dir_all(folder);
    let made = std::fs::create_dir_all(folder).and_then(|()| link(&root(), &folder.join(CHECKOUT)));
    made.map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

#[cfg(unix)]
fn link(to: &Path, from: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, from)
}

#[cfg(not(unix))]
fn link(_to: &Path, _from: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("the tutorial needs a Unix shell"))
}

/// Returns the folder of the replay. It is outside of the checkout, whose `.cargo/config.toml` has
/// an alias `cargo workflow` that would hide the installed program. It is the same every time, so
/// that programs that name it are not built again.
fn folder() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    root().hash(&mut hasher);
    std::env::temp_dir().join(format!("workflow-tutorial-{:016x}", hasher.finish()))
}

/// Returns the variables of the reader's environment: the path with the installed program, and a
/// folder of builds that the next replay uses again.
fn environment() -> Result<[(&'static str, OsString); 4], String> {
    let programs = target_folder().join("tutorial");
    let failed = |error: std::io::Error| format!("cannot install `cargo workflow`: {error}");
    std::fs::create_dir_all(&programs).map_err(failed)?;
    std::fs::copy(built_program("cargo-workflow", "dev")?, programs.join("cargo-workflow")).map_err(failed)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [programs].into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|error| format!("the PATH cannot be changed: {error}"))?;
    Ok([
        ("PATH", path),
        ("CARGO_TARGET_DIR", programs_target()?.into()),
        ("WORKFLOW_CACHE_DIR", programs_cache().into()),
        ("CARGO_TERM_COLOR", "never".into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tutorial_can_be_replayed() {
        let steps = steps(&read(&root().join(PAGE)).expect("the page")).expect("steps");
        let is_compared = |step: &&Step| matches!(&step.action, Action::Run { prints: Some(_), .. });
        assert!(steps.iter().filter(is_compared).count() > 10);
    }

    #[test]
    fn commands_continue_behind_a_backslash() {
        assert_eq!(commands("a b\\\n  c\n\nd &\n"), ["a b\\\n  c", "d &"]);
        assert_eq!(commands("a \\\n"), ["a \\\n"]);
    }

    #[test]
    fn output_without_commands_is_an_error() {
        let page = "<!-- tutorial prints -->\n```text\na\n```\n";
        assert_eq!(steps(page).err().as_deref(), Some("line 2: no commands before it print this"));
        let page = "<!-- tutorial run: exit status 1 -->\n```sh\nfalse\n```\n";
        let steps = steps(page).expect("a step");
        assert!(matches!(&steps[0].action, Action::Run { status: 1, prints: None, .. }));
    }
}
