//! The options common to all commands that read a definition. They come from `workflow.toml` and
//! from the command line; the command line wins.

use crate::arguments::{Argument, Arguments};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::Colour;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use workflow_compiler::codes;
use workflow_compiler::diagnostics::Code;
use workflow_compiler::model::CONTEXT_SETTING;
use workflow_compiler::{DefaultTimeout, Options};

/// The common options of the command line.
#[derive(Debug, Default)]
pub struct Common {
    /// The files of the definitions; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The mode of coloured output.
    pub colour: Colour,
    config: Option<PathBuf>,
    root: Option<PathBuf>,
    dialect: Option<String>,
    name: Option<String>,
    substitutions: BTreeMap<String, String>,
    allow: Vec<String>,
    express: bool,
    default_task_timeout: Option<DefaultTimeout>,
    payload_limit: Option<usize>,
}

impl Common {
    /// Takes an argument that all these commands have in common. Any other argument is an error.
    pub fn take(&mut self, argument: Argument, arguments: &mut Arguments) -> Result<(), Failure> {
        let name = match &argument {
            Argument::Value(file) => {
                self.files.push(file.into());
                return Ok(());
            }
            Argument::Option(name) => name.as_str(),
        };
        match name {
            "help" => return Err(Failure::Help),
            "dialect" => self.dialect = Some(arguments.string()?),
            "name" => self.name = Some(arguments.string()?),
            "config" => self.config = Some(arguments.value()?.into()),
            "root" => self.root = Some(arguments.value()?.into()),
            "allow" => self.allow.push(allowed(&arguments.string()?)?),
            "express" => self.express = true,
            "payload-limit" => self.payload_limit = Some(number(name, &arguments.string()?, "bytes")?),
            "default-task-timeout" => {
                let seconds = arguments.string()?;
                self.default_task_timeout = Some(match seconds.as_str() {
                    "none" => DefaultTimeout::Unlimited,
                    seconds => DefaultTimeout::Seconds(number(name, seconds, "seconds, or `none`")?),
                });
            }
            "substitute" => {
                let (name, value) = pair("--substitute", &arguments.string()?)?;
                self.substitutions.insert(name, value);
            }
            "color" | "colour" => {
                let known = [("auto", Colour::Auto), ("always", Colour::Always), ("never", Colour::Never)];
                self.colour = arguments.one_of(name, &known)?;
            }
            _ => return Err(arguments.unexpected(&argument)),
        }
        Ok(())
    }

    /// Returns the definition. No definition and more than one are errors.
    pub fn file(&self, command: &str) -> Result<&Path, Failure> {
        match &self.files[..] {
            [file] => Ok(file),
            [] => Err(Failure::with_help(
                format!("`cargo workflow {command}` needs a definition"),
                format!("for example: cargo workflow {command} order.asl.json"),
            )),
            [_, second, ..] => {
                let second = second.display();
                Err(Failure::new(format!(
                    "`cargo workflow {command}` takes one definition: unexpected argument `{second}`"
                )))
            }
        }
    }

    /// Returns the configuration: the file of `--config`, or the `workflow.toml` beside the
    /// definition.
    pub fn config(&self, file: &Path) -> Result<Config, Failure> {
        match &self.config {
            Some(config) => Config::read(config),
            None => Config::beside(file),
        }
    }

    /// Returns the folder of `--root` or of `root` in the configuration: a definition can name
    /// files in it and below. `None` stands for the definition's own folder.
    pub fn root(&self, file: &Path) -> Result<Option<PathBuf>, Failure> {
        match &self.root {
            Some(root) => Ok(Some(root.clone())),
            None => {
                let root = self.config(file)?.root();
                match (&root, &self.config) {
                    // The author of an untrusted definition may have written the `workflow.toml`
                    // beside it, too.
                    (Some(_), None) => Err(Failure::with_help(
                        "`root` is not allowed in a `workflow.toml` that was found in the folder of the definition",
                        "name the folder with `--root FOLDER`, or the file with `--config FILE`",
                    )),
                    _ => Ok(root),
                }
            }
        }
    }

    /// Returns the options of the compiler for a definition.
    pub fn options(&self, file: &Path) -> Result<Options, Failure> {
        let mut options = self.config(file)?.options()?;
        options.dialect = self.dialect.clone().or(options.dialect);
        options.name = self.name.clone().or(options.name);
        options.substitutions.extend(self.substitutions.clone());
        options.shared_substitutions.retain(|name| !self.substitutions.contains_key(name));
        options.allow.extend(self.allow.iter().cloned());
        options.express |= self.express;
        options.default_task_timeout = self.default_task_timeout.unwrap_or(options.default_task_timeout);
        options.payload_limit = self.payload_limit.or(options.payload_limit);
        // Programs are generated with a script engine if the workflow needs one.
        options.engine = Some(true);
        Ok(options)
    }
}

/// Reads the value `NAME=VALUE` of `--set`.
pub fn setting(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = pair("--set", text)?;
    if name == CONTEXT_SETTING {
        return Err(Failure::new(format!("`--set {name}`: no definition has a setting of this name")));
    }
    Ok((name, value))
}

/// Splits `NAME=VALUE`.
pub fn pair(option: &str, text: &str) -> Result<(String, String), Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::with_help(format!("invalid `{option} {text}`"), format!("write `{option} NAME=VALUE`"))),
    }
}

fn number<T: std::str::FromStr>(option: &str, text: &str, what: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::new(format!("`--{option} {text}`: expected a number of {what}")))
}

/// Returns the entry of a diagnostic code, by its id or its name, or by a former one.
pub fn code(text: &str) -> Result<&'static Code, Failure> {
    codes::lookup(text).map_err(|help| Failure::with_help(format!("unknown code `{text}`"), help))
}

/// Returns the id of a diagnostic code. Refuses the code of an error that cannot be allowed.
pub fn allowed(text: &str) -> Result<String, Failure> {
    let code = codes::allowable(text).map_err(|(message, help)| Failure::with_help(message, help))?;
    Ok(code.id.to_owned())
}
