//! Expressions in languages that compile to a function of their own.

#[cfg(feature = "cel")]
use super::cel;
#[cfg(feature = "jq")]
use super::jq;
#[cfg(feature = "asl")]
use super::jsonata::{JsonataExpression, Yields};
use super::{Expr, Fallibility, Type};
use crate::names::NameScope;
use crate::syntax::Text;
use proc_macro2::{Ident, TokenStream};
use std::sync::Arc;

/// A compiled program.
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// CEL.
    #[cfg(feature = "cel")]
    Cel(cel::CelCondition),
    /// jq.
    #[cfg(feature = "jq")]
    Jq(jq::Filter),
    /// JSONata.
    #[cfg(feature = "asl")]
    Jsonata(JsonataExpression),
}

/// The application of a program to an input.
#[derive(Debug, Clone, PartialEq)]
pub struct Apply {
    /// The program. Equal programs share one function.
    pub program: Arc<Program>,
    /// The base of the function's name: `Charge condition`.
    pub name: String,
    /// The input. The constant `null` for a program that takes none.
    pub input: Box<Expr>,
    /// The values of the program's variables, in the program's order.
    pub variables: Vec<Expr>,
    /// The fallibility of a failing program: whether handlers catch its error.
    pub fallibility: Fallibility,
}

/// The text of a program in another language.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramText {
    /// The text around it.
    pub text: Text,
    /// The first byte of the program in the text.
    pub start: usize,
}

/// The calling convention of a program's function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The runtime module of the program's errors and helpers.
    pub module: &'static str,
    /// The type of the result. A fallible function returns it inside a `Result` of `module`.
    pub returns: Type,
    /// `true` if the function returns a `Result`.
    pub fails: bool,
    /// `true` if the function takes its input by value, in order to change it.
    pub takes_ownership: bool,
    /// `true` if the function runs within the evaluation limits.
    pub has_limits: bool,
    /// `true` if the function takes the current time after its variables.
    pub takes_time: bool,
    /// `true` if the function takes the values of its variables, which may be absent, and the
    /// turn, but no input.
    pub takes_turn: bool,
    /// `true` if an engine runs the program, so that no function is generated.
    pub needs_engine: bool,
}

impl Signature {
    /// Returns `true` if an application of the program mentions the turn: as an argument, for the
    /// limits or for the time.
    pub fn mentions_turn(self) -> bool {
        self.takes_turn || self.needs_engine || self.has_limits || self.takes_time
    }
}

/// A program in the form that an engine of the runtime takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineProgram {
    /// The feature of the runtime that enables the engine.
    pub feature: &'static str,
    /// The runtime module of the engine's type of programs.
    pub module: &'static [&'static str],
    /// The name of this type.
    pub type_name: &'static str,
    /// The text of the program.
    pub text: String,
    /// The field that the program belongs to, if faults name it.
    pub field: Option<String>,
    /// The names of the variables, in the engine's notation.
    pub variables: Vec<String>,
    /// The engine function that runs the program and converts its results.
    pub function: &'static str,
}

impl Program {
    /// Returns the text as written in the definition.
    pub fn source(&self) -> &str {
        self.text_and_variables().0
    }

    /// Returns the names of the program's variables.
    pub fn variables(&self) -> &[String] {
        self.text_and_variables().1
    }

    fn text_and_variables(&self) -> (&str, &[String]) {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(ref expression) => (&expression.source, &expression.variables),
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => (&filter.source, &filter.variables),
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => (&expression.source, &expression.variables),
        }
    }

    /// Returns the field that the program belongs to, if faults name it.
    pub fn field(&self) -> Option<&str> {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => None,
            #[cfg(feature = "jq")]
            Program::Jq(_) => None,
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => Some(&expression.field),
        }
    }

    /// Returns `true` if the program takes an input besides its variables. The variables of a
    /// program that takes none may be absent.
    pub fn takes_input(&self) -> bool {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => true,
            #[cfg(feature = "jq")]
            Program::Jq(_) => true,
            #[cfg(feature = "asl")]
            Program::Jsonata(_) => false,
        }
    }

    /// Returns the calling convention of the program's function.
    pub fn signature(&self) -> Signature {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => Signature {
                module: "cel",
                returns: Type::Bool,
                fails: true,
                takes_ownership: false,
                has_limits: false,
                takes_time: false,
                takes_turn: false,
                needs_engine: true,
            },
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => Signature {
                module: "jq",
                returns: if filter.mode == jq::ResultMode::Test { Type::Bool } else { Type::Value },
                fails: filter.properties.fails,
                takes_ownership: filter.properties.takes_ownership,
                has_limits: filter.properties.loops,
                takes_time: filter.properties.now,
                takes_turn: false,
                needs_engine: filter.engine.is_some(),
            },
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => Signature {
                module: "jsonata",
                returns: if expression.yields == Yields::Boolean { Type::Bool } else { Type::Value },
                fails: true,
                takes_ownership: false,
                has_limits: false,
                takes_time: false,
                takes_turn: true,
                needs_engine: !expression.is_translated(),
            },
        }
    }

    /// Returns the number of nodes of the function that the program becomes, after the passes of
    /// the expression core, or zero if an engine or the evaluator runs it.
    pub fn nodes(&self) -> usize {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => 0,
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => filter.size(),
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => expression.size(),
        }
    }

    /// Emits the function under this name, in a module with these constants. Returns `None` if an
    /// engine runs the program.
    #[cfg_attr(
        not(any(feature = "asl", feature = "jq")),
        expect(unused_variables, reason = "all programs run on engines then")
    )]
    pub fn emit(&self, name: &Ident, constants: &Arc<NameScope>) -> Option<TokenStream> {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(_) => None,
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => filter.emit(name, constants),
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => expression.emit(name, constants),
        }
    }

    /// Returns the program in the form that its engine takes.
    pub fn engine_program(&self) -> EngineProgram {
        match *self {
            #[cfg(feature = "cel")]
            Program::Cel(ref expression) => EngineProgram {
                feature: "cel",
                module: &["cel"],
                type_name: "CelProgram",
                text: expression.source.clone(),
                field: None,
                variables: expression.variables.clone(),
                function: "interpret_test",
            },
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => EngineProgram {
                feature: "jq-engine",
                module: &["jq", "engine"],
                type_name: "JqProgram",
                text: filter.engine_text(),
                field: None,
                variables: filter.variables.iter().map(|name| format!("${name}")).collect(),
                function: match filter.mode {
                    jq::ResultMode::Value => "interpret",
                    jq::ResultMode::Test => "interpret_test",
                    jq::ResultMode::All => "interpret_all",
                },
            },
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => EngineProgram {
                feature: "asl",
                module: &["jsonata"],
                type_name: "JsonataField",
                text: expression.source.clone(),
                field: Some(expression.field.clone()),
                variables: expression.variables.clone(),
                function: match expression.yields {
                    Yields::Any => "evaluate",
                    Yields::Array => "evaluate_array",
                    Yields::Items => "evaluate_items",
                    Yields::Boolean => "evaluate_boolean",
                    Yields::Number => "evaluate_number",
                    Yields::Object => "evaluate_object",
                    Yields::String => "evaluate_string",
                },
            },
        }
    }
}

impl Apply {
    /// Returns the fallibility of the application.
    pub fn fallibility(&self) -> Fallibility {
        let signature = self.program.signature();
        if signature.fails || signature.has_limits || signature.needs_engine {
            self.fallibility
        } else {
            Fallibility::Infallible
        }
    }
}
