//! The definition languages. Each knows only itself: it reads the spanned tree and lowers to the HIR.

#[cfg(feature = "asl")]
pub mod asl;
#[cfg(feature = "composer")]
pub mod composer;
mod detect;
#[cfg(feature = "composer")]
mod fields;

pub use detect::detect;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::Workflow;
use crate::syntax::Node;

/// The front end of a dialect: reads, checks and lowers a definition whose workflow is to have this name. `None` where it is
/// too broken to go on; what is wrong has been reported then.
pub type Read = fn(definition: &Node, name: &str, options: &Options, diagnostics: &mut Diagnostics) -> Option<Workflow>;

/// Reads a definition in the dialect that the options name, or else the one that `file` and its fields tell.
pub fn read(
    definition: &Node,
    file: &str,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let dialect = match &options.dialect {
        Some(dialect) => dialect,
        None => detect(definition, file, diagnostics)?,
    };
    let read = detect::named(dialect, definition, diagnostics)?;
    read(definition, name, options, diagnostics)
}
