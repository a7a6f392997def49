//! `types`: prints what is known of the data of a definition.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status};
use workflow_compiler::check_only;
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::diagnostics::suggest::did_you_mean;
use workflow_compiler::passes::infer_shapes;

/// The message for a definition whose analysis is abandoned.
pub const TOO_LARGE: &str = "the definition is too large: its shapes are not inferred";

#[derive(Clone, Copy)]
enum Format {
    Text,
    JsonSchema,
}

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let (mut format, mut state) = (Format::Text, None);
    let formats = [("text", Format::Text), ("json-schema", Format::JsonSchema)];
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "format" => format = arguments.one_of("format", &formats)?,
            Argument::Option(name) if name == "state" => state = Some(arguments.string()?),
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let (checked, _) = source::accept(common.file("types")?, &common, check_only)?;
    let Some(workflow) = checked.workflow else { return Err(Failure::Reported(status::FAILED)) };
    // A selection is a line of its Map.
    let selections = workflow.item_selections();
    let authored = || workflow.states().filter(|(scope, _)| !selections.contains(scope));
    let names = || authored().map(|(_, state)| &*state.name.value);
    if let Some(name) = state.as_deref().filter(|name| !names().any(|known| known == *name)) {
        let message = format!("the definition has no state `{name}`");
        return Err(match did_you_mean(name, names()) {
            Some(help) => Failure::with_help(message, help),
            None => Failure::new(message),
        });
    }
    let Some(shapes) = infer_shapes(&workflow, &mut Diagnostics::default()) else {
        return Err(Failure::new(TOO_LARGE.to_owned()));
    };
    match format {
        Format::Text => output::print(&shapes.print(&workflow, state.as_deref()))?,
        Format::JsonSchema => output::print(&format!("{}\n", shapes.json_schema(&workflow, state.as_deref())))?,
    }
    Ok(0)
}
