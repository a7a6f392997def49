//! `diff`: reports the executions of an old definition that can continue with a new definition.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status};
use std::path::Path;
use workflow_compiler::{Output, check_only};
use workflow_tools::compare::{Verdict, compare};

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut as_json = false;
    let mut denied = Verdict::Breaking;
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "format" => {
                as_json = arguments.one_of("format", &[("text", false), ("json", true)])?;
            }
            Argument::Option(name) if name == "deny" => {
                denied = arguments.one_of("deny", &[("migration", Verdict::Migration)])?;
            }
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let [old, new] = &common.files[..] else {
        return Err(Failure::with_help(
            "`cargo workflow diff` needs two definitions: the old one and the new one",
            "for example: cargo workflow diff order.2025.asl.json order.asl.json",
        ));
    };
    let (new, _) = source::accept(new, &common, check_only)?;
    let old = accept_old(old, &common, &new)?;
    let Some(comparison) = compare(&old, &new) else { return Err(Failure::Reported(status::FAILED)) };
    let shown = if as_json { comparison.to_json_lines() } else { comparison.to_string() };
    output::print(&shown)?;
    Ok(if comparison.verdict() >= denied { status::FAILED } else { 0 })
}

/// Compiles the old definition. The workflow's name is not read from the name of the old file:
/// unless the options name the workflow, it is the name of the new workflow.
fn accept_old(path: &Path, common: &Common, new: &Output) -> Result<Output, Failure> {
    let name = new.workflow.as_ref().map(|workflow| workflow.name.clone());
    let compile = |source, options: &workflow_compiler::Options| {
        let mut options = options.clone();
        options.name = options.name.or(name);
        check_only(source, &options)
    };
    Ok(source::accept(path, common, compile)?.0)
}
