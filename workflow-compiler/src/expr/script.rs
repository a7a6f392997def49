//! User-written functions within a definition.

use crate::RustCode;

#[cfg(feature = "composer")]
use super::javascript;

/// A compiled function.
#[derive(Debug, Clone)]
pub enum Script {
    /// JavaScript, translated to Rust or run by an engine.
    #[cfg(feature = "composer")]
    JavaScript(Box<javascript::JsScript>),
    /// A Rust function of the program that replaces the authored function.
    Rust {
        /// A path or a closure, as written in the program.
        function: RustCode,
        /// The variables in scope.
        variables: Vec<String>,
    },
}

impl Script {
    /// Returns the source text: that of the definition, or that of the replacing Rust function.
    pub fn text(&self) -> String {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.source.clone(),
            Script::Rust { function, .. } => function.to_string(),
        }
    }

    /// Returns the number of nodes of the function that the script becomes.
    pub fn nodes(&self) -> usize {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.nodes(),
            Script::Rust { .. } => 1,
        }
    }

    /// Returns `true` if an engine has to run the function.
    pub fn needs_engine(&self) -> bool {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.engine.is_some(),
            Script::Rust { .. } => false,
        }
    }

    /// Returns `true` if the function may read the variable at this index before writing to it.
    pub fn reads(&self, variable: usize) -> bool {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => script.reads(variable),
            // A Rust function may read every variable in scope.
            Script::Rust { variables, .. } => variable < variables.len(),
        }
    }

    /// Returns the captured variables, in parameter order.
    pub fn variables(&self) -> &[String] {
        match self {
            #[cfg(feature = "composer")]
            Script::JavaScript(script) => &script.variables,
            Script::Rust { variables, .. } => variables,
        }
    }
}
