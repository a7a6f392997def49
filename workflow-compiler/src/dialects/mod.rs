//! Front ends of the definition languages. A front end reads the spanned tree and lowers it to the
//! HIR. It knows no other dialect.

#[cfg(feature = "asl")]
pub mod asl;
#[cfg(feature = "composer")]
pub mod composer;
mod detect;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod names;
#[cfg(any(
    feature = "asl",
    feature = "composer",
    feature = "serverless-workflow",
    feature = "sm4c",
    feature = "workflow-dsl"
))]
pub(crate) mod object;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod parts;
#[cfg(feature = "serverless-workflow")]
pub mod serverless_workflow;
#[cfg(feature = "sm4c")]
pub mod sm4c;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod timespan;
#[cfg(feature = "workflow-dsl")]
pub mod workflow_dsl;

// Every compiler explains every code: without its feature, a dialect keeps its table of codes.
#[cfg(not(feature = "asl"))]
pub mod asl {
    pub mod codes;
}
#[cfg(not(feature = "composer"))]
pub mod composer {
    pub mod codes;
}
#[cfg(not(feature = "serverless-workflow"))]
pub mod serverless_workflow {
    pub mod codes;
}
#[cfg(not(feature = "sm4c"))]
pub mod sm4c {
    pub mod codes;
}
#[cfg(not(feature = "workflow-dsl"))]
pub mod workflow_dsl {
    pub mod codes;
}

pub use detect::detect;
pub(crate) use detect::is_lenient;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Front end of a dialect: reads, checks and lowers a definition and the files that it names.
/// `name` becomes the name of the workflow.
///
/// On `Err` the front end has reported all errors except transitions to unknown states. A later
/// pass finds these in the [`Outline`], which lists the states that could be read.
pub type FrontEnd = fn(
    definition: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline>;

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
