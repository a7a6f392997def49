//! Stub of schema support for a compiler without the feature `json-schema`.

use super::Schema;
use crate::diagnostics::codes::syntax::WF0132;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::syntax::{Text, shown};

/// Reports that schemas cannot be read.
pub fn read(text: &Text, _inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<Schema> {
    let message =
        format!("the schema `{}` cannot be read: the compiler was built without JSON Schema", shown(&text.value));
    let help = "enable the feature `json-schema`";
    diagnostics.push(Diagnostic::new(&WF0132, text.span, message).help(help));
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources, Span};

    #[test]
    fn that_a_schema_is_not_read_is_reported() {
        let mut sources = Sources::default();
        let definition = sources.add(Source::new("flow.json", "order.json"));
        let mut inputs = Inputs::new(sources, definition);
        let mut diagnostics = Diagnostics::default();
        let text = Text::verbatim("order.json", Span::new(definition, 0, 10), 0);
        assert!(read(&text, &mut inputs, &mut diagnostics).is_none());
        let reported = diagnostics.finish();
        assert_eq!((reported.len(), reported[0].code.id), (1, "WF0132"));
        assert_eq!(
            reported[0].message,
            "the schema `order.json` cannot be read: the compiler was built without JSON Schema"
        );
    }
}
