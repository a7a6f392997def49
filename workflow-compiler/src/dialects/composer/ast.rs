//! A composition as written (FORMAT.md; ruling of section 1.3 of the specification).

use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::sync::Arc;

/// A name of a state, where it is written.
pub type Name = Spanned<Arc<str>>;

/// A composition.
#[derive(Debug, Clone)]
pub struct Composition {
    /// The first state.
    pub entry: Name,
    /// The one state that may lead nowhere.
    pub exit: Name,
    /// The states, in source order.
    pub states: Vec<State>,
    /// The place of the whole.
    pub span: Span,
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// What it does.
    pub kind: Kind,
    /// The state that follows; none in the final state and in a Choice.
    pub next: Option<Name>,
    /// The place of the whole.
    pub span: Span,
}

/// What a state does.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Nothing.
    Pass,
    /// Invokes an action by its name.
    Action(Text),
    /// Runs a JavaScript function.
    Function(Text),
    /// Yields a constant.
    Value(Node),
    /// Goes one of two ways, with the parameters from the top of the stack.
    Choice {
        /// Where `value` is true.
        then: Name,
        /// Where it is not.
        otherwise: Name,
    },
    /// Saves the parameters.
    Push,
    /// Yields `{result, params}`.
    Pop,
    /// From here on, errors lead to the handler.
    Try {
        /// The state that handles them.
        handler: Name,
    },
    /// The handler of the Try on top of the stack is in force no longer.
    Catch,
    /// Declares a variable.
    Let {
        /// Its name.
        symbol: Text,
        /// Its first value.
        value: Node,
    },
    /// The variable on top of the stack is there no longer.
    End,
}

impl Kind {
    /// The kind as FORMAT.md calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Pass => "Pass",
            Kind::Action(_) | Kind::Function(_) | Kind::Value(_) => "Task",
            Kind::Choice { .. } => "Choice",
            Kind::Push => "Push",
            Kind::Pop => "Pop",
            Kind::Try { .. } => "Try",
            Kind::Catch => "Catch",
            Kind::Let { .. } => "Let",
            Kind::End => "End",
        }
    }

    /// Whether its outcome is an error object for certain.
    pub fn always_raises(&self) -> bool {
        matches!(self, Kind::Value(value) if value.get("error").is_some())
    }

    /// Whether its outcome can be an error object, which leads to the handler in force.
    pub fn can_raise(&self) -> bool {
        match self {
            Kind::Action(_) | Kind::Function(_) => true,
            _ => self.always_raises(),
        }
    }
}

impl State {
    /// The states that it names as followers, in the order of the fields.
    pub fn followers(&self) -> Vec<&Name> {
        match &self.kind {
            Kind::Choice { then, otherwise } => vec![then, otherwise],
            _ => self.next.iter().collect(),
        }
    }
}
