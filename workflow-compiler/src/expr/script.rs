//! Functions that authors write into a definition in a language of their own.

use crate::RustCode;

#[cfg(feature = "composer")]
use super::javascript;

/// Such a function, compiled.
#[derive(Debug, Clone)]
pub enum Script {
    /// JavaScript: translated to Rust, or for an engine.
    #[cfg(feature = "composer")]
    JavaScript(Box<javascript::Script>),
    /// A function of the program that takes its place.
    Rust {
        /// A path or a closure, as written.
        function: RustCode,
        /// The variables in sight.
        variables: Vec<String>,
    },
}

impl Script {
    /// What stands in its place: the text of the definition, or of the program.
    pub fn text(&self) -> String {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.source.clone(),
            Script::Rust { function, .. } => function.to_string(),
        }
    }

    /// Whether the program needs an engine to run it.
    pub fn needs_engine(&self) -> bool {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.engine.is_some(),
            Script::Rust { .. } => false,
        }
    }

    /// Whether it may read the variable of this number before it has written to it.
    pub fn reads(&self, variable: usize) -> bool {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.reads(variable),
            // What a function of the program does is not known.
            Script::Rust { variables, .. } => variable < variables.len(),
        }
    }

    /// The variables around it that it takes, in this order.
    pub fn variables(&self) -> &[String] {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => &script.variables,
            Script::Rust { variables, .. } => variables,
        }
    }
}
