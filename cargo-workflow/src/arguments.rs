//! Reader of the arguments of one command.

use crate::failure::Failure;
use lexopt::ValueExt;
use std::ffi::OsString;
use workflow_compiler::diagnostics::suggest;

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// An option, by its long name without the dashes.
    Option(String),
    /// An argument that is not an option.
    Value(OsString),
}

/// The arguments of a command that have not been read yet.
pub struct Arguments {
    parser: lexopt::Parser,
    /// The help text of the command. It lists the options, and suggestions for misspelled options
    /// come from it.
    help: &'static str,
}

impl Arguments {
    /// Reads the arguments of the command that has this help text.
    pub fn new(parser: lexopt::Parser, help: &'static str) -> Arguments {
        Arguments { parser, help }
    }

    /// Returns the next argument; `None` at the end. Short options become their long names.
    pub fn next(&mut self) -> Result<Option<Argument>, Failure> {
        Ok(match self.parser.next()? {
            None => None,
            Some(lexopt::Arg::Long(name)) => Some(Argument::Option(name.to_owned())),
            Some(lexopt::Arg::Value(value)) => Some(Argument::Value(value)),
            Some(lexopt::Arg::Short(letter)) => match letter {
                'h' => Some(Argument::Option("help".to_owned())),
                'o' => Some(Argument::Option("out".to_owned())),
                'i' => Some(Argument::Option("input".to_owned())),
                other => return Err(self.unknown(&format!("-{other}"))),
            },
        })
    }

    /// Reads the value of the option that was just read.
    pub fn value(&mut self) -> Result<OsString, Failure> {
        Ok(self.parser.value()?)
    }

    /// Reads the value of the option that was just read, which must be valid Unicode.
    pub fn string(&mut self) -> Result<String, Failure> {
        Ok(self.parser.value()?.string()?)
    }

    /// Reads the value of the option that was just read, and looks it up in `known`. Any other
    /// value is an error that lists the known ones.
    pub fn one_of<T: Copy>(&mut self, option: &str, known: &[(&str, T)]) -> Result<T, Failure> {
        let value = self.string()?;
        if let Some((_, value)) = known.iter().find(|(name, _)| *name == value) {
            return Ok(*value);
        }
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let message = format!("`--{option} {value}`: expected one of {}", quoted(&names));
        match suggest::did_you_mean(&value, names) {
            Some(help) => Err(Failure::with_help(message, help)),
            None => Err(Failure::new(message)),
        }
    }

    /// Returns the failure for an argument that the command does not know.
    pub fn unexpected(&self, argument: &Argument) -> Failure {
        match argument {
            Argument::Option(name) => self.unknown(&format!("--{name}")),
            Argument::Value(value) => Failure::new(format!("unexpected argument `{}`", value.to_string_lossy())),
        }
    }

    fn unknown(&self, option: &str) -> Failure {
        let words = self.help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let known = words.filter(|word| word.starts_with("--") && word.len() > 2);
        let help = suggest::did_you_mean(option, known);
        let help = help.unwrap_or_else(|| "`--help` lists the options".to_owned());
        Failure::with_help(format!("unknown option `{option}`"), help)
    }
}

/// Returns names as messages show them: `` `a`, `b`, `c` ``.
pub fn quoted(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}
