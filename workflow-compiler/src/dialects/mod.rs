//! The definition languages. Each knows only itself: it reads the spanned tree and lowers to the HIR.

#[cfg(feature = "asl")]
pub mod asl;
#[cfg(feature = "composer")]
pub mod composer;
mod detect;
#[cfg(any(
    feature = "asl",
    feature = "composer",
    feature = "rpc",
    feature = "serverless-workflow",
    feature = "sm4c",
    feature = "workflow-dsl"
))]
pub(crate) mod fields;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod members;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod names;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod parts;
#[cfg(feature = "serverless-workflow")]
pub mod serverless_workflow;
#[cfg(feature = "sm4c")]
pub mod sm4c;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod timespan;
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
mod values;
#[cfg(feature = "workflow-dsl")]
pub mod workflow_dsl;

pub use detect::detect;
pub(crate) use detect::is_lenient;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// The front end of a dialect: reads, checks and lowers a definition whose workflow is to have this name, and the files that it
/// names. Where it is too broken for that, what is wrong has been reported, apart from transitions that lead nowhere: these
/// can be seen in what is known of the states.
pub type Read = fn(
    definition: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline>;

/// Reads a definition in the dialect that the options name, or else the one that the name of its file and its fields tell.
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
    let read = detect::named(dialect, definition, options, diagnostics).ok_or_else(Outline::default)?;
    read(definition, name, options, inputs, diagnostics)
}
