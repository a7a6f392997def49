//! `fix`: applies certain fixes to definitions, and writes the text that the compiler reads them
//! as. With `--to-jsonata`, converts them from JSONPath to JSONata.

mod conversion;

use crate::arguments::{Argument, Arguments};
use crate::diff::diff;
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status};
use std::path::Path;
use workflow_compiler::diagnostics::{Severity, fixes, render};
use workflow_compiler::escape::{visible, visible_char};
use workflow_tools::fix::{FixedSource, fix};
use workflow_tools::to_jsonata::to_jsonata;

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut dry = false;
    let mut converts = false;
    let mut state = None;
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "dry-run" => dry = true,
            Argument::Option(name) if name == "to-jsonata" => converts = true,
            Argument::Option(name) if name == "state" && state.is_some() => {
                return Err(Failure::with_help("`--state` is written twice", "run the command once for each name"));
            }
            Argument::Option(name) if name == "state" => state = Some(arguments.string()?),
            _ => common.take(argument, &mut arguments)?,
        }
    }
    if common.files.is_empty() {
        common.file("fix")?;
    }
    if state.is_some() && !converts {
        return Err(Failure::with_help("`--state` is an option of the conversion", "add `--to-jsonata`"));
    }
    let mut failed = false;
    for file in &common.files {
        let source = source::read(file, common.root(file)?.as_deref())?;
        let (name, text) = (source.name.clone(), source.text.clone());
        if converts {
            let converted = to_jsonata(source, &common.options(file)?, state.as_deref());
            write(file, &text, &converted.text, dry)?;
            failed |= conversion::report(&name, &converted, state.as_deref(), &common);
            continue;
        }
        let fixed = fix(source, &common.options(file)?);
        write(file, &text, &fixed.text, dry)?;
        failed |= report(&name, &fixed, dry, &common);
    }
    Ok(if failed { status::FAILED } else { 0 })
}

/// Writes the fixed text. A file is written only if its text has changed; a definition from
/// standard input always goes to standard output. A dry run prints the lines that differ instead.
fn write(file: &Path, original: &str, text: &str, dry: bool) -> Result<(), Failure> {
    if dry {
        let shown = |c| if matches!(c, '\n' | '\t') { c } else { visible_char(c) };
        return output::print(&diff(original, text).chars().map(shown).collect::<String>());
    }
    if file.as_os_str() == "-" {
        return output::print_as_it_is(text);
    }
    if text == original { Ok(()) } else { output::write(Some(file), text) }
}

/// Reports the fixes of a file and its remaining errors. Returns `true` if errors remain.
fn report(name: &str, fixed: &FixedSource, dry: bool, common: &Common) -> bool {
    for change in &fixed.changes {
        let help = change.diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let line = format!("{name}:{}:{}: {}{help}", change.at.line, change.at.column, change.diagnostic.message);
        output::complain(&visible(&line));
    }
    let found = &fixed.output.diagnostics;
    let errors = || found.iter().filter(|found| found.severity() == Severity::Error);
    for error in errors() {
        output::complain(&render::render(error, &fixed.output.sources, common.colour.on_stderr()));
        output::complain("");
    }
    let done = match (fixed.changes.len(), dry) {
        _ if fixed.made_worse => "left unchanged, because the fixes lead to more errors".to_owned(),
        (0, _) => "nothing to fix".to_owned(),
        (count, false) => format!("{} fixed", places(count)),
        (count, true) => format!("{} to fix", places(count)),
    };
    let left = match errors().count() {
        0 => "",
        1 => ", 1 error remains",
        count => &format!(", {count} errors remain"),
    };
    // The number of fixes in one run is limited.
    let again = !fixed.made_worse && found.iter().any(fixes::is_certain);
    let again = if again { "; run the command again for further fixes" } else { "" };
    output::complain(&visible(&format!("{name}: {done}{left}{again}")));
    errors().next().is_some()
}

fn places(count: usize) -> String {
    if count == 1 { "1 place".to_owned() } else { format!("{count} places") }
}
