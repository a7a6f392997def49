//! What is said of methods by a compiler that was built without the feature `rpc`.

use super::{Call, Method, Named};
use crate::diagnostics::codes::rpc::W1001;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;

/// Finds no methods.
#[derive(Debug, Default)]
pub struct Methods;

impl Methods {
    /// Tells that the method is not looked for.
    pub fn find(&mut self, named: Named<'_>, _inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<Method> {
        let message =
            format!("the method `{}` is not looked up: the compiler was built without gRPC", named.method.value);
        let help = "turn on the feature `rpc`; or, where the program implements the task, allow `W1001`";
        diagnostics.push(Diagnostic::new(&W1001, named.file.span.to(named.method.span), message).help(help));
        None
    }
}

impl Method {
    /// Says nothing: there is no method.
    pub fn check(&self, _call: Call<'_>, _diagnostics: &mut Diagnostics) {}
}
