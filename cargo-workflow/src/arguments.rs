//! The arguments of one command.

use crate::failure::Failure;
use lexopt::ValueExt;
use std::ffi::OsString;
use workflow_compiler::diagnostics::suggest;

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// `--name`, or the long name of a short one.
    Option(String),
    /// Anything else.
    Value(OsString),
}

/// The arguments that are left.
pub struct Arguments {
    parser: lexopt::Parser,
    /// The help of the command, which names its options.
    help: &'static str,
}

impl Arguments {
    /// The arguments of a command with this help.
    pub fn new(parser: lexopt::Parser, help: &'static str) -> Arguments {
        Arguments { parser, help }
    }

    /// The next one. A short option is given its long name.
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

    /// The value of the option that was just read.
    pub fn value(&mut self) -> Result<OsString, Failure> {
        Ok(self.parser.value()?)
    }

    /// The value of the option that was just read, as text.
    pub fn string(&mut self) -> Result<String, Failure> {
        Ok(self.parser.value()?.string()?)
    }

    /// The value of the option that was just read, if it is one of these.
    pub fn one_of<T: Copy>(&mut self, option: &str, known: &[(&str, T)]) -> Result<T, Failure> {
        let given = self.string()?;
        if let Some((_, value)) = known.iter().find(|(name, _)| *name == given) {
            return Ok(*value);
        }
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let message = format!("`--{option} {given}`: there are {}", quoted(&names));
        match suggest::did_you_mean(&given, names) {
            Some(help) => Err(Failure::with_help(message, help)),
            None => Err(Failure::new(message)),
        }
    }

    /// An argument that the command does not know.
    pub fn unexpected(&self, argument: &Argument) -> Failure {
        match argument {
            Argument::Option(name) => self.unknown(&format!("--{name}")),
            Argument::Value(value) => Failure::new(format!("what is `{}`?", value.to_string_lossy())),
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

/// `a`, `b`, `c`: names as messages show them.
pub fn quoted(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}
