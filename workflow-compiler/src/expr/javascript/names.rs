//! The identifiers of locals, Let variables and the argument.

use crate::expr::javascript::ir::{JsLocalId, Pattern, Unit};
use crate::expr::javascript::walk;
use crate::names::{NameScope, as_written};
use std::sync::Arc;

/// The identifiers of a function.
pub(super) struct LocalNames {
    /// The identifiers of the locals, by index.
    pub locals: Vec<String>,
    /// The identifiers of the Let variables, in order.
    pub variables: Vec<String>,
    /// The identifier of the parameter.
    pub argument: String,
    /// The local that is the parameter.
    pub argument_is: Option<JsLocalId>,
}

impl LocalNames {
    /// Assigns the identifiers of a function. A local's identifier differs from all others that
    /// are visible in its scope, so that closures and blocks cannot confuse them.
    pub fn of(unit: &Unit, variables: &[String], constants: &Arc<NameScope>) -> LocalNames {
        let mut outermost = NameScope::of_javascript(constants);
        let variables: Vec<String> =
            variables.iter().map(|name| outermost.give_with_underscore(&as_written(name))).collect();
        let mut declared: Vec<Vec<usize>> = vec![Vec::new(); unit.scopes.len()];
        for (at, local) in unit.locals.iter().enumerate() {
            declared[local.scope].push(at);
        }
        let mut locals = vec![String::new(); unit.locals.len()];
        let mut scopes: Vec<Arc<NameScope>> = Vec::with_capacity(unit.scopes.len());
        for (around, declared) in unit.scopes.iter().zip(declared) {
            // Parents precede their children, so that their names are complete.
            let mut scope = match around {
                Some(around) => NameScope::inside(&scopes[*around]),
                None => std::mem::take(&mut outermost),
            };
            for at in declared {
                locals[at] = scope.give_with_underscore(&as_written(&unit.locals[at].name));
            }
            scopes.push(Arc::new(scope));
        }
        let argument_is = argument(unit);
        let argument = match argument_is {
            Some(id) => locals[id.0].clone(),
            None => {
                let declared = beside_argument(unit).into_iter().map(|id| &locals[id.0]);
                let is_taken = declared.chain(&variables).any(|taken| taken == "params");
                (if is_taken { "argument_" } else { "params" }).to_owned()
            }
        };
        LocalNames { locals, variables, argument, argument_is }
    }
}

/// Returns the local that holds the argument from the start: the first parameter if it is a plain
/// name, or else an undeclared `params`. Any other local is declared with
/// the value of the argument.
fn argument(unit: &Unit) -> Option<JsLocalId> {
    let named = match unit.function.params.first() {
        Some(Pattern::Declare(id)) => Some(*id),
        _ => None,
    };
    let is_plain = |id: &JsLocalId| {
        let local = &unit.locals[id.0];
        !local.is_shared() && !local.hoisted
    };
    named.filter(is_plain).or_else(|| unit.params.filter(|_| named.is_none()).filter(is_plain))
}

/// Returns the locals that are declared where the argument is read.
fn beside_argument(unit: &Unit) -> Vec<JsLocalId> {
    let function = &unit.function;
    let patterns = function.params.iter().chain(&function.rest).flat_map(walk::bound_by);
    patterns.chain(function.body.declares.iter().copied()).chain(unit.params).collect()
}
