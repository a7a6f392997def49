//! The definition languages. Each knows only itself: it reads the spanned tree and lowers to the HIR.

#[cfg(feature = "asl")]
pub mod asl;
mod detect;

pub use detect::detect;

use crate::Options;
use crate::diagnostics::codes::syntax::{E0130, E0132};
use crate::diagnostics::{Diagnostic, Diagnostics, suggest::did_you_mean};
use crate::hir::Workflow;
use crate::source::Sources;
use crate::syntax::Node;

/// The names that options know the dialects by.
const NAMES: &[&str] = &["asl"];

/// Reads a definition in the dialect that the options name, or else the one that its file and its fields tell. `None`
/// where that failed; why has been reported then.
pub fn read(
    definition: &Node,
    sources: &Sources,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let dialect = match &options.dialect {
        Some(dialect) => dialect.as_str(),
        None => detect(definition, &sources.get(definition.span.file).name, diagnostics)?,
    };
    match dialect {
        #[cfg(feature = "asl")]
        "asl" => asl::read(definition, name, options, diagnostics),
        other => {
            let known = NAMES.contains(&other);
            let message = match known {
                true => format!("the compiler was not built with the dialect `{other}`"),
                false => format!("there is no dialect `{other}`"),
            };
            let help = if known {
                Some(format!("turn on the feature `{other}`"))
            } else {
                did_you_mean(other, NAMES.iter().copied())
            };
            let code = if known { &E0132 } else { &E0130 };
            diagnostics.push(Diagnostic::new(code, definition.span.at_start(), message).maybe_help(help));
            None
        }
    }
}
