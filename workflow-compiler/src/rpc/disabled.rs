//! Stub of gRPC support for a compiler without the feature `rpc`.

#[cfg(not(feature = "rpc"))]
use super::RpcCall;
use super::{MethodPath, RpcMethod};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::rpc::codes::WF1051;

/// An index without methods.
#[derive(Debug, Default)]
pub struct MethodIndex {}

impl MethodIndex {
    /// Warns that methods are not looked up.
    pub fn find(
        &mut self,
        named: MethodPath<'_>,
        _inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<RpcMethod> {
        let message =
            format!("the method `{}` is not checked: the compiler was built without gRPC", named.method.value);
        let help = "enable the feature `rpc`, or allow `WF1051` if the program implements the task";
        diagnostics.push(Diagnostic::new(&WF1051, named.file.span.to(named.method.span), message).help(help));
        None
    }
}

#[cfg(not(feature = "rpc"))]
impl RpcMethod {
    /// Does nothing, because lookup returns no methods.
    pub fn check(&self, _call: RpcCall<'_>, _diagnostics: &mut Diagnostics) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources, Span, Spanned};

    #[test]
    fn that_a_method_is_not_looked_for_is_reported() {
        let mut sources = Sources::default();
        let definition = sources.add(Source::new("flow.json", "bank.proto#acme.Bank/Charge"));
        let part =
            |text: &str, start: usize| Spanned::new(text.to_owned(), Span::new(definition, start, start + text.len()));
        let (file, service, method) = (part("bank.proto", 0), part("acme.Bank", 11), part("Charge", 21));
        let mut inputs = Inputs::new(sources, definition);
        let mut diagnostics = Diagnostics::default();
        let named = MethodPath { file: &file, service: &service, method: &method };
        assert!(MethodIndex {}.find(named, &mut inputs, &mut diagnostics).is_none());
        let reported = diagnostics.finish();
        assert_eq!((reported.len(), reported[0].code.id), (1, "WF1051"));
        assert_eq!(inputs.sources().text(reported[0].span), "bank.proto#acme.Bank/Charge");
        assert_eq!(reported[0].message, "the method `Charge` is not checked: the compiler was built without gRPC");
    }
}
