//! Front ends of the definition languages. A front end reads the spanned tree and lowers it to the
//! HIR. It knows no other dialect.

#[cfg(feature = "asl")]
pub mod asl;
#[cfg(feature = "_test-dialect")]
pub mod baton;
#[cfg(feature = "_shared-front-end")]
pub mod body;
#[cfg(feature = "composer")]
pub mod composer;
mod detect;
mod dialect;
#[cfg(feature = "_shared-front-end")]
pub mod names;
pub mod object;
#[cfg(feature = "serverless-workflow")]
pub mod serverless_workflow;
#[cfg(feature = "sm4c")]
pub mod sm4c;
#[cfg(feature = "_shared-front-end")]
pub mod timespan;
#[cfg(feature = "workflow-dsl")]
pub mod workflow_dsl;

// Every compiler explains every code, and detects every dialect: without its feature, a dialect
// keeps its table of codes and its marks.
#[cfg(not(feature = "asl"))]
pub mod asl {
    pub mod codes;
    pub mod dialect;
}
#[cfg(not(feature = "composer"))]
pub mod composer {
    pub mod codes;
    pub mod dialect;
}
#[cfg(not(feature = "serverless-workflow"))]
pub mod serverless_workflow {
    pub mod codes;
    pub mod dialect;
}
#[cfg(not(feature = "sm4c"))]
pub mod sm4c {
    pub mod codes;
    pub mod dialect;
}
#[cfg(not(feature = "workflow-dsl"))]
pub mod workflow_dsl {
    pub mod codes;
    pub mod dialect;
}

pub use detect::detect;
pub(crate) use detect::is_lenient;
pub use dialect::{Dialect, FrontEnd};

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// The dialects. Detection, options, codes and front ends come from this list.
pub static DIALECTS: &[&Dialect] = &[
    &asl::dialect::DIALECT,
    &composer::dialect::DIALECT,
    &serverless_workflow::dialect::DIALECT,
    &sm4c::dialect::DIALECT,
    &workflow_dsl::dialect::DIALECT,
    #[cfg(feature = "_test-dialect")]
    &baton::dialect::DIALECT,
];

/// Iterates over the dialects that messages and documents list.
pub fn published() -> impl Iterator<Item = &'static Dialect> + Clone {
    DIALECTS.iter().copied().filter(|dialect| dialect.is_published)
}

/// Reads a definition in the dialect that the options name. Without the option, the file name and
/// the fields of the definition decide (`detect`).
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let dialect = match &options.dialect {
        Some(dialect) => dialect,
        None => {
            let file = &inputs.sources().get(definition.span.file).name;
            detect(definition, file, diagnostics).ok_or_else(Outline::default)?
        }
    };
    let front_end = detect::front_end(dialect, definition, options, diagnostics).ok_or_else(Outline::default)?;
    front_end(definition, name, options, inputs, diagnostics)
}
