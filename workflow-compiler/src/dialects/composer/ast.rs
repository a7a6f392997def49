//! AST of a composition in OpenWhisk Composer's FSM format (FORMAT.md of composer v0.1.1).
//! `docs/composer.md` describes the operations of states.

use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::sync::Arc;

/// Name of a state with its span.
pub type Name = Spanned<Arc<str>>;

/// Composition.
#[derive(Debug, Clone)]
pub struct Composition {
    /// `Entry`: the first state.
    pub entry: Name,
    /// `Exit`: the only state that may have no `Next`.
    pub exit: Name,
    /// `States`, in source order.
    pub states: Vec<State>,
    /// Span of the node.
    pub span: Span,
}

/// State.
#[derive(Debug, Clone)]
pub struct State {
    /// Name of the state.
    pub name: Name,
    /// Operation of the state.
    pub kind: StateKind,
    /// `Next`; absent in the final state and in a Choice.
    pub next: Option<Name>,
    /// Span of the node.
    pub span: Span,
}

/// Operations of states.
#[derive(Debug, Clone)]
pub enum StateKind {
    /// Passes the parameters on.
    Pass,
    /// Invokes an action by its name.
    Action(Text),
    /// Runs a JavaScript function.
    Function(Text),
    /// Yields a constant.
    Value(Node),
    /// Restores the parameters from the top of the stack, and branches on the current ones.
    Choice {
        /// Target if `value` is true.
        then: Name,
        /// Target otherwise.
        otherwise: Name,
    },
    /// Saves the parameters.
    Push,
    /// Yields `{result, params}`.
    Pop,
    /// Installs a handler of errors.
    Try {
        /// State that handles errors.
        handler: Name,
    },
    /// Removes the handler on top of the stack.
    Catch,
    /// Declares a variable.
    Let {
        /// Name of the variable.
        symbol: Text,
        /// Initial value.
        value: Node,
    },
    /// Removes the variable on top of the stack.
    End,
}

impl StateKind {
    /// Returns the type of the state in FORMAT.md.
    pub fn name(&self) -> &'static str {
        match self {
            StateKind::Pass => "Pass",
            StateKind::Action(_) | StateKind::Function(_) | StateKind::Value(_) => "Task",
            StateKind::Choice { .. } => "Choice",
            StateKind::Push => "Push",
            StateKind::Pop => "Pop",
            StateKind::Try { .. } => "Try",
            StateKind::Catch => "Catch",
            StateKind::Let { .. } => "Let",
            StateKind::End => "End",
        }
    }

    /// Returns `true` if the outcome is always an error object.
    pub fn always_raises(&self) -> bool {
        matches!(self, StateKind::Value(value) if value.get("error").is_some())
    }

    /// Returns `true` if the outcome can be an error object, which leads to the current handler.
    pub fn can_raise(&self) -> bool {
        match self {
            StateKind::Action(_) | StateKind::Function(_) => true,
            _ => self.always_raises(),
        }
    }
}

impl State {
    /// Returns the states that can follow, in the order of the fields.
    pub fn followers(&self) -> Vec<&Name> {
        match &self.kind {
            StateKind::Choice { then, otherwise } => vec![then, otherwise],
            _ => self.next.iter().collect(),
        }
    }
}
