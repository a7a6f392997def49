//! Finds the cases and compiles their definitions, in the same way for the build script and for
//! the tests.

use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use workflow_compiler::Files;
use workflow_compiler::source::Source;
use workflow_compiler::{DefaultTimeout, JsonataLimits, Options, Output};

/// A case: a folder with a definition, `case.toml`, and goldens.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name of the folder, which is also that of the workflow. It is unique over all dialects.
    pub name: String,
    /// The name of the folder around it: the dialect.
    pub dialect: String,
    /// The folder.
    pub folder: PathBuf,
    /// The file name of the definition.
    pub definition: String,
}

/// Returns every case below the package `package`, by name.
pub fn cases(package: &Path) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for folder in folders(package)? {
        let dialect = name_of(&folder);
        for folder in list(&folder)? {
            let name = name_of(&folder);
            if !folder.is_dir() || ["errors", "versions"].contains(&&*name) {
                continue;
            }
            if let Some(other) = cases.iter().find(|case| case.name == name) {
                return Err(format!("`{}` and `{dialect}` both have a case `{name}`", other.dialect));
            }
            let names = ["json", "yaml"].map(|format| format!("flow.{dialect}.{format}"));
            let definition = names.iter().find(|file| folder.join(file).is_file()).cloned();
            let missing = || format!("{}: neither {}", folder.display(), names.join(" nor "));
            cases.push(Case { name, dialect: dialect.clone(), definition: definition.ok_or_else(missing)?, folder });
        }
    }
    Ok(cases)
}

/// Two versions of a definition, `cases/<dialect>/versions/<name>.{old,new}.<dialect>.json`, with
/// the golden `<name>.diff` of their comparison.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The common part of their names, which is also the name of the workflow.
    pub name: String,
    /// The dialect.
    pub dialect: String,
    /// The folder.
    pub folder: PathBuf,
}

/// Returns every pair of versions below the package `package`, by dialect and name.
pub fn pairs(package: &Path) -> Result<Vec<Pair>, String> {
    let mut pairs = Vec::new();
    for folder in folders(package)? {
        let (dialect, folder) = (name_of(&folder), folder.join("versions"));
        let files = if folder.is_dir() { list(&folder)? } else { Vec::new() };
        for file in files {
            if let Some(name) = name_of(&file).strip_suffix(&format!(".old.{dialect}.json")) {
                pairs.push(Pair { name: name.to_owned(), dialect: dialect.clone(), folder: folder.clone() });
            }
        }
    }
    Ok(pairs)
}

impl Pair {
    /// Compiles the version `old` or `new`.
    pub fn compile(&self, version: &str) -> Result<Output, String> {
        let file = format!("{}.{version}.{}.json", self.name, self.dialect);
        let source = Source::new(file.clone(), read(&self.folder.join(file))?);
        let source = source.with_files(Files::in_folder(&self.folder));
        let options = Options { name: Some(self.name.clone()), ..Options::default() };
        Ok(workflow_compiler::compile(source, &options))
    }
}

/// Returns the folders of the dialects.
pub fn folders(package: &Path) -> Result<Vec<PathBuf>, String> {
    list(&package.join("cases"))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the entries of a folder, in order.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>();
    if let Ok(paths) = &mut paths {
        paths.sort();
    }
    paths.map_err(|error| format!("{}: {error}", folder.display()))
}

impl Case {
    /// Compiles the definition with the options of `workflow.toml` beside it.
    pub fn compile(&self) -> Result<Output, String> {
        self.compile_with(|_| {})
    }

    /// Compiles the definition with changed options.
    pub fn compile_with(&self, change: impl FnOnce(&mut Options)) -> Result<Output, String> {
        self.compile_text(read(&self.folder.join(&self.definition))?, change)
    }

    /// Returns the file with the definition converted to JSONata, which only cases in JSONPath
    /// have.
    pub fn converted(&self, package: &Path) -> PathBuf {
        package.join("jsonata").join(self.definition.replacen("flow", &self.name, 1))
    }

    /// Compiles another text of the definition with changed options.
    pub fn compile_text(&self, text: String, change: impl FnOnce(&mut Options)) -> Result<Output, String> {
        let source = Source::new(self.definition.clone(), text).with_files(Files::in_folder(&self.folder));
        let mut options = options(&self.folder)?;
        options.name = Some(self.name.clone());
        change(&mut options);
        Ok(workflow_compiler::compile(source, &options))
    }
}

/// Reads the options in the `workflow.toml` of a folder. Without the file, the options are the
/// default.
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
            "jsonata_limits" => {
                let limit = |name: &str| value.get(name).and_then(|value| number(value.get_ref()));
                let depth = limit("depth").ok_or_else(|| wrong("no `depth` of `jsonata_limits`"))?;
                let bytes = limit("bytes").ok_or_else(|| wrong("no `bytes` of `jsonata_limits`"))?;
                options.jsonata_limits = Some(JsonataLimits { depth, bytes: u64::from(bytes) });
            }
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

/// Reads a file as text.
pub fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
