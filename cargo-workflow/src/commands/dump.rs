//! `dump`: prints the compiler's representation of a definition after a pass.

use super::types::TOO_LARGE;
use crate::arguments::{Argument, Arguments};
use crate::diff::diff;
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status, tree};
use workflow_compiler::diagnostics::{Diagnostics, Severity, render};
use workflow_compiler::passes::{MACHINE_PASSES, infer_shapes};
use workflow_compiler::{check_only, machines, read_tree};

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut pass = None;
    let mut differences = false;
    let known: Vec<(&str, &str)> =
        ["tree", "hir", "infer_shapes"].iter().chain(MACHINE_PASSES).map(|name| (*name, *name)).collect();
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "pass" => pass = Some(arguments.one_of("pass", &known)?),
            Argument::Option(name) if name == "diff" => differences = true,
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let file = common.file("dump")?;
    if pass == Some("tree") {
        return dump_tree(file, &common);
    }
    let (checked, _) = source::accept(file, &common, check_only)?;
    let Some(workflow) = checked.workflow else { return Err(Failure::Reported(status::FAILED)) };
    let mut dumps = vec![("hir".to_owned(), workflow.to_string())];
    match infer_shapes(&workflow, &mut Diagnostics::default()) {
        Some(shapes) => dumps.push(("infer_shapes".to_owned(), shapes.print(&workflow, None))),
        None if pass == Some("infer_shapes") => return Err(Failure::new(TOO_LARGE.to_owned())),
        None => dumps.push(("infer_shapes".to_owned(), format!("{TOO_LARGE}\n"))),
    }
    dumps.extend(machines(&workflow).into_iter().map(|(name, machine)| (name, machine.to_string())));
    let shown = |name: &str| pass.is_none_or(|pass| pass == name);
    for (at, (name, text)) in dumps.iter().enumerate().filter(|(_, (name, _))| shown(name)) {
        let heading = if pass.is_none() { format!("== {name} ==\n") } else { String::new() };
        // The HIR, the shapes and the machine are different languages, so differences are shown
        // between machines only.
        let before = at.checked_sub(1).filter(|before| *before > 1).map(|before| &dumps[before].1);
        let text = match (differences, before) {
            (false, _) => text.clone(),
            (true, Some(before)) => diff(before, text),
            (true, None) => continue,
        };
        output::print(&format!("{heading}{text}\n"))?;
    }
    Ok(0)
}

/// Prints the syntax tree, which exists also for a definition that a later stage refuses.
fn dump_tree(file: &std::path::Path, common: &Common) -> Result<u8, Failure> {
    let (tree, sources, found) = read_tree(source::read(file, common.root(file)?.as_deref())?, &common.options(file)?);
    output::print(&tree::show(&tree, &sources))?;
    for diagnostic in &found {
        output::complain(&render::render(diagnostic, &sources, common.colour.on_stderr()));
    }
    let refused = found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    Ok(if refused { status::FAILED } else { 0 })
}
