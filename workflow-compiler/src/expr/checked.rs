//! Expressions that check a value against a JSON Schema.

use super::{Arg, Expr, Function, Type};
use crate::schema::Schema;
use std::sync::Arc;

/// Validates a value and yields it. Handlers can catch the fault.
static CHECK: Function = Function::new("schema::check", Type::Value).catchable();
static CHECK_END: Function = Function::new("schema::check_end", Type::Value).fatal();

impl Schema {
    /// Returns an expression that yields `value` if it is valid, and otherwise fails with a fault
    /// that handlers can catch. `what` names the value in messages: `the input`.
    pub fn check(&self, value: Expr, what: &str) -> Expr {
        self.checked_by(&CHECK, value, what)
    }

    /// Returns an expression like [`Schema::check`], except that handlers cannot catch its fault.
    /// Used for the workflow's output when a nested state terminates the execution.
    pub fn check_end(&self, value: Expr, what: &str) -> Expr {
        self.checked_by(&CHECK_END, value, what)
    }

    fn checked_by(&self, function: &'static Function, value: Expr, what: &str) -> Expr {
        let schema = Arg::Schema(Arc::new(self.clone()));
        Expr::call(function, vec![Arg::Owned(value), schema, Arg::Str(what.into())])
    }
}
