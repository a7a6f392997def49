//! `workflow.toml`, the file with the options of the definitions in its folder. `cargo workflow
//! help toml` documents it.

use crate::failure::Failure;
use crate::options::allowed;
use crate::task_table;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use workflow_compiler::escape::visible;
use workflow_compiler::model::CONTEXT_SETTING;
use workflow_compiler::model::store_address::{StoreKind, store_address};
use workflow_compiler::source::{Source, Sources};
use workflow_compiler::{DefaultTimeout, DescribedValue, Files, JsonataLimits, Options, SchemaBinding, SchemaFolder};

/// The help for messages about the file.
const HELP: &str = "`cargo workflow help toml` describes the file";
/// The name of the file.
const FILE: &str = "workflow.toml";

/// The maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The options of a folder of definitions.
#[derive(Debug, Default)]
pub struct Config {
    /// The folder of the file: paths in it are relative to this folder, and commands run in it.
    folder: PathBuf,
    /// The text of the file, if there is one.
    text: Option<String>,
    written: Written,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    dialect: Option<String>,
    name: Option<String>,
    root: Option<PathBuf>,
    allow: Vec<String>,
    express: bool,
    default_task_timeout: Option<toml::Value>,
    payload_limit: Option<usize>,
    jsonata_limits: Option<WrittenLimits>,
    substitutions: BTreeMap<String, String>,
    schemas: BTreeMap<String, toml::Value>,
    settings: BTreeMap<String, toml::Value>,
    stores: BTreeMap<String, String>,
    tasks: BTreeMap<String, toml::Value>,
}

/// The limits of JSONata.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenLimits {
    depth: Option<u32>,
    bytes: Option<u64>,
}

impl Config {
    /// Reads the configuration beside a definition; without a file, the configuration is empty. A
    /// symbolic link out of the folder is an error: the file comes with the definition, and may
    /// not name another file of the machine.
    pub fn beside(definition: &Path) -> Result<Config, Failure> {
        if definition.as_os_str() == "-" {
            return Ok(Config::default());
        }
        let file = definition.with_file_name(FILE);
        if !file.is_file() {
            return Ok(Config::default());
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let real = |path: &Path| std::fs::canonicalize(path).map_err(|error| Failure::file("read", path, &error));
        if !real(&file)?.starts_with(real(folder)?) {
            let shown = visible(&file.to_string_lossy()).into_owned();
            let message = format!("`{shown}` is a symbolic link that leads out of its folder");
            return Err(Failure::with_help(message, "name the file with `--config FILE`"));
        }
        Config::read(&file)
    }

    /// Reads the configuration in a file.
    pub fn read(file: &Path) -> Result<Config, Failure> {
        let mut text = String::new();
        let read = std::fs::File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
        read.map_err(|error| Failure::file("read", file, &error))?;
        if text.len() as u64 > MAX_BYTES {
            let shown = visible(&file.to_string_lossy()).into_owned();
            return Err(Failure::new(format!("`{shown}` is longer than {MAX_BYTES} bytes")));
        }
        let written = toml::from_str(&text)
            .map_err(|error| Failure::new(format!("in `{}`:\n{}", file.display(), error.to_string().trim_end())))?;
        task_table::check(&text).map_err(|error| {
            let mut sources = Sources::default();
            let id = sources.add(Source::new(file.display().to_string(), &*text));
            let place = sources.position_of(id, u32::try_from(error.at.start).unwrap_or(u32::MAX));
            let place = format!("{}:{}:{}", file.display(), place.line, place.column);
            Failure::with_help(format!("in `{place}`: {}", error.message), HELP)
        })?;
        let folder = file.parent().map_or_else(PathBuf::new, Path::to_owned);
        let config = Config { folder, text: Some(text), written };
        if config.written.settings.contains_key(CONTEXT_SETTING) {
            return Err(config.wrong(&format!("no definition has a setting `{CONTEXT_SETTING}`")));
        }
        Ok(config)
    }

    /// Returns the text of the file, if there is one.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the folder that `root` names: definitions can name files in it and below. `None`
    /// stands for the definition's own folder.
    pub fn root(&self) -> Option<PathBuf> {
        self.written.root.as_ref().map(|root| self.folder.join(root))
    }

    /// Returns the options of the compiler.
    pub fn options(&self) -> Result<Options, Failure> {
        let written = &self.written;
        let default_task_timeout = match &written.default_task_timeout {
            None => DefaultTimeout::Dialect,
            Some(toml::Value::String(none)) if none == "none" => DefaultTimeout::Unlimited,
            Some(toml::Value::Integer(seconds)) if u32::try_from(*seconds).is_ok() => {
                DefaultTimeout::Seconds(u32::try_from(*seconds).unwrap_or(u32::MAX))
            }
            Some(_) => return Err(self.wrong("`default_task_timeout` must be a number of seconds or \"none\"")),
        };
        Ok(Options {
            dialect: written.dialect.clone(),
            name: written.name.clone(),
            substitutions: written.substitutions.clone(),
            shared_substitutions: written.substitutions.keys().cloned().collect(),
            allow: written.allow.iter().map(|code| allowed(code)).collect::<Result<Vec<String>, Failure>>()?,
            express: written.express,
            default_task_timeout,
            payload_limit: written.payload_limit,
            schemas: self.schemas()?,
            schema_folder: self.schema_folder(),
            jsonata_limits: written.jsonata_limits.map(|limits| self.jsonata_limits(limits)).transpose()?,
            ..Options::default()
        })
    }

    /// Returns the schemas of the workflow, which are strings, and of tasks, which are in tables.
    fn schemas(&self) -> Result<Vec<SchemaBinding>, Failure> {
        let mut bound = Vec::new();
        let mut bind = |task: Option<&String>, key: &str, file: &toml::Value| {
            let value = [DescribedValue::Input, DescribedValue::Output].into_iter().find(|value| value.name() == key);
            let (Some(value), Some(file)) = (value, file.as_str()) else { return false };
            bound.push(SchemaBinding { task: task.cloned(), value, file: file.to_owned(), is_shared: true });
            true
        };
        for (key, written) in &self.written.schemas {
            let is_bound = match written {
                toml::Value::Table(of_task) => {
                    !of_task.is_empty() && of_task.iter().all(|(value, file)| bind(Some(key), value, file))
                }
                file => bind(None, key, file),
            };
            if !is_bound {
                let expected = "write `input = \"FILE\"` and `output = \"FILE\"` for the workflow, \
                                and `TASK = { input = \"FILE\", output = \"FILE\" }` for a task";
                return Err(self.wrong(&format!("`{key}` of `[schemas]` names no schema: {expected}")));
            }
        }
        // Those of the workflow come first.
        bound.sort_by(|left, right| (&left.task, left.value).cmp(&(&right.task, right.value)));
        Ok(bound)
    }

    fn schema_folder(&self) -> SchemaFolder {
        let folder = self.folder.display().to_string();
        let name = if folder.is_empty() { folder } else { format!("{folder}/") };
        SchemaFolder { name, files: Files::in_folder(&self.folder) }
    }

    fn jsonata_limits(&self, written: WrittenLimits) -> Result<JsonataLimits, Failure> {
        let WrittenLimits { depth, bytes } = written;
        if depth.is_some_and(|depth| !(1..=JsonataLimits::MAX_DEPTH).contains(&depth)) {
            let most = JsonataLimits::MAX_DEPTH;
            return Err(self.wrong(&format!("`depth` of `jsonata_limits` must be a number from 1 to {most}")));
        }
        let others = JsonataLimits::default();
        Ok(JsonataLimits { depth: depth.unwrap_or(others.depth), bytes: bytes.unwrap_or(others.bytes) })
    }

    /// Returns the bindings of tasks, in the form that generated programs take: the form of
    /// [`target`].
    pub fn tasks(&self) -> Result<BTreeMap<String, Json>, Failure> {
        let bind = |(name, written): (&String, &toml::Value)| Ok((name.clone(), self.binding(written)?));
        self.written.tasks.iter().map(bind).collect()
    }

    /// Returns the values of settings as JSON texts.
    pub fn settings(&self) -> Result<BTreeMap<String, String>, Failure> {
        let json = |(name, value): (&String, &toml::Value)| Ok((name.clone(), to_json(value)?.to_string()));
        self.written.settings.iter().map(json).collect()
    }

    /// Returns the addresses of buckets. The path of a folder is relative to the file.
    pub fn stores(&self) -> Result<BTreeMap<String, String>, Failure> {
        let address = |(bucket, address): (&String, &String)| {
            // An option has the bucket before the first `=`.
            if bucket.is_empty() || bucket.contains('=') {
                return Err(self.wrong(&format!("`[stores]`: the bucket `{bucket}` is not a name")));
            }
            let (kind, name) = store_address(bucket, address).map_err(|message| self.wrong(&message))?;
            let address = match kind {
                StoreKind::Folder => format!("folder:{}", self.folder.join(name).display()),
                StoreKind::S3 | StoreKind::Gcs | StoreKind::Azure => address.clone(),
            };
            Ok((bucket.clone(), address))
        };
        self.written.stores.iter().map(address).collect()
    }

    /// Returns the binding of a task. [`task_table`] has checked its form before.
    fn binding(&self, written: &toml::Value) -> Result<Json, Failure> {
        if let toml::Value::String(text) = written {
            return Ok(target(text, &self.folder));
        }
        let mut binding = to_json(written)?;
        if let Some(mock) = binding.get("mock").and_then(Json::as_str) {
            binding["mock"] = path(&self.folder, mock);
        }
        if binding.get("command").is_some() {
            binding["folder"] = path(&self.folder, "");
        }
        Ok(binding)
    }

    fn wrong(&self, message: &str) -> Failure {
        Failure::with_help(format!("in `{}`: {message}", self.folder.join(FILE).display()), HELP)
    }
}

/// Returns the binding that the text after `--task NAME=` stands for: the address of an endpoint,
/// a file of mocks, or a shell command that runs in `folder`.
pub fn target(text: &str, folder: &Path) -> Json {
    if text.starts_with("http://") || text.starts_with("https://") {
        return json!({ "http": text });
    }
    match text.strip_prefix("mock:") {
        Some(mocks) => match mocks.split_once('#') {
            Some((file, run)) => json!({ "mock": path(folder, file), "run": run }),
            None => json!({ "mock": path(folder, mocks) }),
        },
        None => json!({ "command": text, "folder": path(folder, "") }),
    }
}

fn path(folder: &Path, file: &str) -> Json {
    let joined = if file.is_empty() { folder.to_owned() } else { folder.join(file) };
    Json::String(joined.to_string_lossy().into_owned())
}

fn to_json(value: &toml::Value) -> Result<Json, Failure> {
    Ok(match value {
        toml::Value::Datetime(time) => Json::String(time.to_string()),
        toml::Value::Array(items) => items.iter().map(to_json).collect::<Result<Json, Failure>>()?,
        toml::Value::Table(members) => {
            let member = |(key, value): (&String, &toml::Value)| Ok((key.clone(), to_json(value)?));
            Json::Object(members.iter().map(member).collect::<Result<serde_json::Map<String, Json>, Failure>>()?)
        }
        other => serde_json::to_value(other).map_err(|error| Failure::new(error.to_string()))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_checked_when_the_file_is_read() {
        let stores = |text: &str| {
            let written = toml::from_str(&format!("[stores]\n{text}")).expect("a file");
            Config { folder: "flows".into(), text: None, written }.stores()
        };
        let message = |text: &str| match stores(text) {
            Ok(_) => String::new(),
            Err(Failure::Message { message, .. }) => message,
            Err(_) => panic!("a failure without a message"),
        };
        let kept = stores("a = 'folder:data'\nb = 's3://real'").unwrap_or_default();
        assert_eq!(kept["a"], format!("folder:{}", Path::new("flows").join("data").display()));
        assert_eq!(kept["b"], "s3://real");
        for (text, expected) in [
            ("'c=d' = 'folder:x'", "`[stores]`: the bucket `c=d` is not a name"),
            ("'' = 'folder:x'", "`[stores]`: the bucket `` is not a name"),
            ("b = 'folder:'", "the bucket `b` has no valid address: `folder:`: write `folder:PATH`"),
            ("b = 'data'", "the bucket `b` has no valid address: `data`: write `folder:PATH`"),
        ] {
            assert!(message(text).contains(expected), "{text}: {}", message(text));
        }
    }
}
