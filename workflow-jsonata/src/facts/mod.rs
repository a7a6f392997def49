//! The facts of an expression: variables, functions and members of `$states` that it reads.

mod walk;

use std::ops::Range;
use std::sync::Arc;

use crate::ast::Node;
use crate::functions::{VOLATILE, is_function};

/// The members that `$states` may have.
pub const STATES_MEMBERS: &[&str] = &["input", "result", "errorOutput", "context"];

/// The variables, functions and members of `$states` that an expression reads.
///
/// ```
/// use workflow_jsonata::{Facts, parse};
///
/// let facts = Facts::of(&parse("$sum($states.input.prices) * $rate & $label($now())")?);
/// let names: Vec<_> = facts.variables.iter().map(|variable| &*variable.name).collect();
/// assert_eq!(names, ["sum", "rate", "label", "now"]);
/// assert_eq!(facts.states, ["input"]);
/// assert_eq!(&*facts.unknown_functions().next().unwrap().name, "label");
/// assert_eq!(facts.volatile().collect::<Vec<_>>(), ["now"]);
/// # Ok::<(), workflow_jsonata::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The variables and functions that the expression reads or calls and does not bind itself, in
    /// the order of their first use, without `$states`.
    pub variables: Vec<FreeVariable>,
    /// The members of `$states` that are read, all of them if it is read as a whole.
    pub states: Vec<&'static str>,
    /// `true` if `$states` is read as a whole.
    pub reads_whole_states: bool,
    /// The members of `$states.context` that are read. They are all that is read of it, unless
    /// `reads_whole_context` is `true`.
    pub context: Vec<Arc<str>>,
    /// `true` if `$states.context` is read as a whole.
    pub reads_whole_context: bool,
}

/// A variable or function that an expression does not bind itself. See the example of [`Facts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeVariable {
    /// The name, without `$`.
    pub name: Arc<str>,
    /// The place of the first use, in bytes.
    pub at: Range<usize>,
    /// `true` if its value is read: `$name`.
    pub is_read: bool,
    /// `true` if it is the callee of a call: `$name()`, `x ~> $name`.
    pub is_callee: bool,
    /// `true` if the expression may bind the name itself before each use. It does so if a function
    /// uses a variable that is bound after the function.
    pub may_be_bound: bool,
}

impl Facts {
    /// Returns what an expression reads.
    #[must_use]
    pub fn of(expression: &Node) -> Self {
        walk::facts(expression)
    }

    /// Returns the names that are callees only, and are neither functions nor bound by the
    /// expression. Unless they are variables of the workflow, their calls fail with `T1006`.
    pub fn unknown_functions(&self) -> impl Iterator<Item = &FreeVariable> {
        self.variables.iter().filter(|variable| {
            variable.is_callee && !variable.is_read && !variable.may_be_bound && !is_function(&variable.name)
        })
    }

    /// Returns the functions that yield another value for each execution: `now`, `millis`,
    /// `random`, `uuid`, `shuffle`.
    pub fn volatile(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| &*variable.name).filter(|name| VOLATILE.contains(name))
    }
}
