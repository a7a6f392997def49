//! Finds the cases and compiles their definitions, the same way for the build script and for the tests.

use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use workflow_compiler::source::Source;
use workflow_compiler::{DefaultTimeout, Options, Output};

/// The names a definition can have.
const NAMES: [&str; 2] = ["flow.asl.json", "flow.asl.yaml"];

/// A folder with a definition, `case.toml` beside it, and goldens.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name of the folder: that of the workflow, too.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// The file name of the definition.
    pub definition: &'static str,
}

/// Every case below the package `package`, by name.
pub fn cases(package: &Path) -> Result<Vec<Case>, String> {
    let all = package.join("cases/asl");
    let mut cases = Vec::new();
    for folder in list(&all)? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !folder.is_dir() || name == "errors" {
            continue;
        }
        let definition = NAMES.into_iter().find(|file| folder.join(file).is_file());
        let definition = definition.ok_or_else(|| format!("{}: neither {}", folder.display(), NAMES.join(" nor ")))?;
        cases.push(Case { name, folder, definition });
    }
    Ok(cases)
}

/// The entries of a folder, in order.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>();
    if let Ok(paths) = &mut paths {
        paths.sort();
    }
    paths.map_err(|error| format!("{}: {error}", folder.display()))
}

impl Case {
    /// Compiles the definition, as `workflow.toml` beside it says.
    pub fn compile(&self) -> Result<Output, String> {
        self.compile_with(|_| {})
    }

    /// Compiles the definition with other options.
    pub fn compile_with(&self, change: impl FnOnce(&mut Options)) -> Result<Output, String> {
        let source = Source::new(self.definition, read(&self.folder.join(self.definition))?);
        let mut options = options(&self.folder)?;
        options.name = Some(self.name.clone());
        change(&mut options);
        Ok(workflow_compiler::compile(source, &options))
    }
}

/// What `workflow.toml` in a folder sets, where there is one.
pub fn options(folder: &Path) -> Result<Options, String> {
    let mut options = Options::default();
    let file = folder.join("workflow.toml");
    if !file.is_file() {
        return Ok(options);
    }
    let text = read(&file)?;
    let wrong = |what: &str| format!("{}: {what}", file.display());
    let table = DeTable::parse(&text).map_err(|error| wrong(error.message()))?;
    for (key, value) in table.get_ref() {
        let value = value.get_ref();
        match key.get_ref().as_ref() {
            "express" => options.express = value.as_bool().unwrap_or_default(),
            "payload_limit" => options.payload_limit = Some(number(value).ok_or_else(|| wrong("no number of bytes"))?),
            "default_task_timeout" => {
                options.default_task_timeout = number(value).map_or(DefaultTimeout::Unlimited, DefaultTimeout::Seconds);
            }
            "allow" => {
                let codes = value.as_array().ok_or_else(|| wrong("`allow` is a list"))?;
                options.allow.extend(codes.iter().filter_map(|code| code.get_ref().as_str()).map(str::to_owned));
            }
            "substitutions" => {
                for (name, value) in value.as_table().ok_or_else(|| wrong("`substitutions` is a table"))? {
                    let value = value.get_ref().as_str().ok_or_else(|| wrong("a substitution is a string"))?;
                    options.substitutions.insert(name.get_ref().to_string(), value.to_owned());
                }
            }
            other => return Err(wrong(&format!("`{other}` is not known here"))),
        }
    }
    Ok(options)
}

fn number<T: std::str::FromStr>(value: &DeValue<'_>) -> Option<T> {
    value.as_integer()?.as_str().parse().ok()
}

/// The text of a file.
pub fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
