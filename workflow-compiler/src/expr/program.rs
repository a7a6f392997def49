//! Expressions that are programs in a language of their own, which become functions.

#[cfg(feature = "cel")]
use super::cel;
#[cfg(feature = "jq")]
use super::jq;
use super::{Expr, Fails, Type};
use crate::passes::names::Scope;
use proc_macro2::{Ident, TokenStream};
use std::sync::Arc;

/// Such a program, compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// CEL.
    #[cfg(feature = "cel")]
    Cel(cel::Expression),
    /// jq.
    #[cfg(feature = "jq")]
    Jq(jq::Filter),
}

/// The application of a program to an input.
#[derive(Debug, Clone, PartialEq)]
pub struct Apply {
    /// The program. Equal ones become one function.
    pub program: Arc<Program>,
    /// What the function is called after: `Charge condition`.
    pub name: String,
    /// The input.
    pub input: Box<Expr>,
    /// The values of the program's variables, in its order.
    pub variables: Vec<Expr>,
    /// What becomes of an error of the program.
    pub fails: Fails,
}

/// How the function of a program is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The module of the runtime that its errors and helpers are in.
    pub module: &'static str,
    /// What it returns; in a `Result` of that module if it fails.
    pub returns: Type,
    /// Whether it fails.
    pub fails: bool,
    /// Whether it takes its input as a `Value`, to change it.
    pub takes: bool,
    /// Whether it is run within the limits of functions.
    pub limits: bool,
    /// Whether it takes the time after its variables.
    pub time: bool,
    /// Whether an engine runs it, so that there is no function.
    pub engine: bool,
}

/// A program as an engine of the runtime is given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForEngine {
    /// The feature of the runtime that the engine is behind.
    pub feature: &'static str,
    /// The module of the runtime that its type `Program` is in.
    pub module: &'static [&'static str],
    /// The text.
    pub text: String,
    /// The names of its variables, as the engine writes them.
    pub variables: Vec<String>,
    /// The function that makes of what it yields what is wanted.
    pub function: &'static str,
}

impl Program {
    /// The text as it was written.
    pub fn source(&self) -> &str {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(ref expression) => &expression.source,
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => &filter.source,
        }
    }

    /// The names of its variables.
    pub fn variables(&self) -> &[String] {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(ref expression) => &expression.variables,
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => &filter.variables,
        }
    }

    /// How its function is called.
    pub fn signature(&self) -> Signature {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => Signature {
                module: "cel",
                returns: Type::Bool,
                fails: true,
                takes: false,
                limits: false,
                time: false,
                engine: true,
            },
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => Signature {
                module: "jq",
                returns: if filter.mode == jq::Mode::Test { Type::Bool } else { Type::Value },
                fails: filter.facts.fails,
                takes: filter.facts.takes,
                limits: filter.facts.loops,
                time: filter.facts.now,
                engine: filter.engine.is_some(),
            },
        }
    }

    /// Its function, by this name, in a module with these constants; none where an engine runs it.
    #[cfg_attr(not(feature = "jq"), expect(unused_variables, reason = "there are no programs then"))]
    pub fn emit(&self, name: &Ident, constants: &Arc<Scope>) -> Option<TokenStream> {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => None,
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => filter.emit(name, constants),
        }
    }

    /// What an engine is given, where one runs it.
    pub fn for_engine(&self) -> ForEngine {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(ref expression) => ForEngine {
                feature: "cel",
                module: &["cel"],
                text: expression.source.clone(),
                variables: expression.variables.clone(),
                function: "interpret_test",
            },
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => ForEngine {
                feature: "jq-engine",
                module: &["jq", "engine"],
                text: filter.engine_text(),
                variables: filter.variables.iter().map(|name| format!("${name}")).collect(),
                function: match filter.mode {
                    jq::Mode::Value => "interpret",
                    jq::Mode::Test => "interpret_test",
                    jq::Mode::All => "interpret_all",
                },
            },
        }
    }
}

impl Apply {
    /// Whether it can end in a fault, and in which.
    pub fn fails(&self) -> Fails {
        let signature = self.program.signature();
        if signature.fails || signature.limits || signature.engine { self.fails } else { Fails::Never }
    }
}
