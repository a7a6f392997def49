//! Builds the generated crates. If rustc refuses the code of a definition, only the cases of this
//! definition fail. The definition is found by the file of the error, or else by halving its
//! crate. The other definitions are built without it.

use super::case::{Case, DefinitionId, Goal, Plan};
use super::compile::{All, Compiled, GeneratedProgram};
use super::crates::{self, Group, Module};
use crate::workspace::cargo;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The number of definitions in a crate.
const GROUP: usize = 25;

/// The number of expressions in a crate. An expression is one function.
const GROUP_OF_EXPRESSIONS: usize = 150;

/// The number of crates that are built at the same time.
const JOBS: &str = "2";

/// The result of the build.
pub struct Built {
    /// The crates that were built.
    pub groups: Vec<Group>,
    /// The folder of the programs.
    pub programs: PathBuf,
    /// The definitions whose code rustc refuses, with its messages.
    pub bad: BTreeMap<DefinitionId, String>,
}

/// Builds the definitions that the cases run or build.
pub fn build(folder: &Path, compiled: &All, cases: &[&Case]) -> Result<Built, String> {
    let modules = modules(compiled, cases);
    let is_expression = |id: &&DefinitionId| {
        modules.get(id).is_some_and(|module| matches!(module.code.program, GeneratedProgram::Expression(_)))
    };
    let (expressions, definitions): (Vec<DefinitionId>, Vec<DefinitionId>) = modules.keys().partition(is_expression);
    let named = |name: &'static str, (at, members): (usize, &[DefinitionId])| group(format!("{name}-{at:02}"), members);
    let definitions = definitions.chunks(GROUP).enumerate().map(|chunk| named("group", chunk));
    let expressions = expressions.chunks(GROUP_OF_EXPRESSIONS).enumerate().map(|chunk| named("expressions", chunk));
    let groups = definitions.chain(expressions).collect();
    let programs = folder.join("target/debug");
    let mut built = Built { groups, programs, bad: BTreeMap::new() };
    loop {
        if built.groups.is_empty() {
            return Ok(built);
        }
        crates::write(folder, &built.groups, &modules)?;
        let failures = cargo_build(folder)?;
        if failures.is_empty() {
            return Ok(built);
        }
        let before = built.bad.len() + built.groups.len();
        built.groups = std::mem::take(&mut built.groups)
            .into_iter()
            .flat_map(|group| match failures.get(&group.name) {
                Some(errors) => mend(group, errors, &mut built.bad),
                None => vec![group],
            })
            .collect();
        if built.bad.len() + built.groups.len() == before {
            let messages: Vec<&str> = failures.values().flatten().map(|error| error.text.as_str()).collect();
            return Err(format!("the generated crates do not build:\n{}", messages.join("\n")));
        }
    }
}

fn modules<'a>(compiled: &'a All, cases: &[&Case]) -> BTreeMap<DefinitionId, Module<'a>> {
    let mut modules: BTreeMap<DefinitionId, Module<'a>> = BTreeMap::new();
    for case in cases {
        let Plan::Try(trial) = &case.plan else { continue };
        let Some(Compiled::Accepted(code)) = compiled.get(&trial.definition) else { continue };
        let runs = match trial.goal {
            Goal::Check => continue,
            Goal::Build => false,
            Goal::Run(_) => true,
        };
        modules.entry(trial.definition).or_insert(Module { code, runs: false }).runs |= runs;
    }
    modules
}

fn group(name: String, members: &[DefinitionId]) -> Group {
    Group { name, members: members.to_vec() }
}

/// Splits a crate that did not build: returns it without the definitions that the errors name, or
/// its halves.
fn mend(mut group: Group, errors: &[Error], bad: &mut BTreeMap<DefinitionId, String>) -> Vec<Group> {
    let blamed: BTreeSet<DefinitionId> =
        errors.iter().filter_map(|error| error.definition).filter(|id| group.members.contains(id)).collect();
    for error in errors {
        if let Some(id) = error.definition.filter(|id| blamed.contains(id)) {
            bad.entry(id).or_insert_with(|| error.text.clone());
        }
    }
    if !blamed.is_empty() {
        group.members.retain(|id| !blamed.contains(id));
        return if group.members.is_empty() { Vec::new() } else { vec![group] };
    }
    match &group.members[..] {
        [only] => {
            let text = errors.first().map_or_else(|| "without a message".to_owned(), |error| error.text.clone());
            bad.insert(*only, text);
            Vec::new()
        }
        members => {
            let (left, right) = members.split_at(members.len() / 2);
            vec![self::group(format!("{}a", group.name), left), self::group(format!("{}b", group.name), right)]
        }
    }
}

/// An error of rustc, or of the linker.
struct Error {
    /// The definition in whose module the error is, if a span leads there.
    definition: Option<DefinitionId>,
    text: String,
}

/// Builds the workspace. Returns the errors, by crate.
fn cargo_build(folder: &Path) -> Result<BTreeMap<String, Vec<Error>>, String> {
    let mut command = cargo(["build", "--workspace", "--keep-going", "--message-format", "json", "--jobs", JOBS]);
    command.current_dir(folder.join("workspace")).env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    let mut failures: BTreeMap<String, Vec<Error>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        if message["reason"] == "compiler-message" && message["message"]["level"] == "error" {
            let package = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            failures.entry(package).or_default().push(read_error(&message["message"]));
        }
    }
    match output.status.success() || !failures.is_empty() {
        true => Ok(failures),
        false => Err(format!("cargo build failed:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

fn read_error(message: &Value) -> Error {
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = message["rendered"].as_str().unwrap_or_default().trim_end().to_owned();
    Error { definition: spans.iter().find_map(definition_in), text }
}

/// Returns the definition that a span is in. A span in a macro's expansion counts as the call of
/// the macro.
fn definition_in(span: &Value) -> Option<DefinitionId> {
    let own = span["file_name"].as_str().and_then(crates::definition_of);
    own.or_else(|| span.get("expansion")?.get("span").and_then(definition_in))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(definition: Option<usize>) -> Error {
        Error { definition: definition.map(DefinitionId), text: "wrong".to_owned() }
    }

    fn ids(ids: &[usize]) -> Vec<DefinitionId> {
        ids.iter().copied().map(DefinitionId).collect()
    }

    #[test]
    fn a_definition_that_an_error_names_is_left_out() {
        let mut bad = BTreeMap::new();
        let left = mend(group("g".to_owned(), &ids(&[1, 2, 3])), &[error(Some(2))], &mut bad);
        assert_eq!(left, [group("g".to_owned(), &ids(&[1, 3]))]);
        assert_eq!(bad.into_keys().collect::<Vec<_>>(), ids(&[2]));
    }

    #[test]
    fn a_crate_whose_error_names_nothing_is_halved_down_to_one() {
        let mut bad = BTreeMap::new();
        let halves = mend(group("g".to_owned(), &ids(&[1, 2, 3])), &[error(None)], &mut bad);
        assert_eq!(halves, [group("ga".to_owned(), &ids(&[1])), group("gb".to_owned(), &ids(&[2, 3]))]);
        assert!(bad.is_empty());
        assert!(mend(halves[0].clone(), &[error(None)], &mut bad).is_empty());
        assert_eq!(bad.into_keys().collect::<Vec<_>>(), ids(&[1]));
    }
}
