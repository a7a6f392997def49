//! `check`: reports all diagnostics of definitions.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::{Common, code};
use crate::{output, source, status};
use std::path::PathBuf;
use workflow_compiler::diagnostics::codes::output::WF0651;
use workflow_compiler::diagnostics::{BindingKey, Diagnostic, Severity, json, render};
use workflow_compiler::source::Source;
use workflow_compiler::{Output, check_only};

/// The diagnostics that make the command fail besides errors.
#[derive(Default)]
struct Denied {
    warnings: bool,
    notes: bool,
    codes: Vec<&'static str>,
}

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut denied = Denied::default();
    let mut as_json = false;
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "format" => {
                as_json = arguments.one_of("format", &[("text", false), ("json", true)])?;
            }
            Argument::Option(name) if name == "deny" => match arguments.string()?.as_str() {
                "warnings" => denied.warnings = true,
                "notes" => denied.notes = true,
                value => denied.codes.push(code(value)?.id),
            },
            _ => common.take(argument, &mut arguments)?,
        }
    }
    if common.files.is_empty() {
        common.file("check")?;
    }
    let mut found = Found::default();
    let read = |file: &PathBuf| source::read(file, common.root(file)?.as_deref());
    let sources = common.files.iter().map(read).collect::<Result<Vec<Source>, Failure>>()?;
    let mut outputs = Vec::with_capacity(sources.len());
    for (file, source) in common.files.iter().zip(&sources) {
        let mut options = common.options(file)?;
        // Definitions that are checked together can call each other.
        options.subflows = if sources.len() > 1 { sources.clone() } else { Vec::new() };
        outputs.push(check_only(source.clone(), &options));
    }
    let is_used = |name: &BindingKey| outputs.iter().any(|output| !reports_unused(output, name));
    for output in &outputs {
        for diagnostic in &output.diagnostics {
            // One of the definitions that are checked together has the placeholder.
            if diagnostic.code == &WF0651 && diagnostic.argument.as_ref().is_some_and(is_used) {
                continue;
            }
            found.count(diagnostic, &denied);
            if as_json {
                output::print(&json::line(diagnostic, &output.sources))?;
            } else {
                let rendered = render::render(diagnostic, &output.sources, common.colour.on_stderr());
                output::complain(&rendered);
                output::complain("");
            }
        }
    }
    if !as_json {
        output::complain(&found.summary(common.files.len()));
    }
    Ok(if found.failed { status::FAILED } else { 0 })
}

/// Returns `true` if the definition does not have the placeholder of a substitution.
fn reports_unused(output: &Output, name: &BindingKey) -> bool {
    output.diagnostics.iter().any(|found| found.code == &WF0651 && found.argument.as_ref() == Some(name))
}

#[derive(Default)]
struct Found {
    errors: usize,
    warnings: usize,
    notes: usize,
    failed: bool,
}

impl Found {
    fn count(&mut self, diagnostic: &Diagnostic, denied: &Denied) {
        let (count, refused) = match diagnostic.severity() {
            Severity::Error => (&mut self.errors, true),
            Severity::Warning => (&mut self.warnings, denied.warnings),
            Severity::Note => (&mut self.notes, denied.notes),
        };
        *count += 1;
        self.failed |= refused || denied.codes.contains(&diagnostic.code.id);
    }

    fn summary(&self, files: usize) -> String {
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let parts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| several(*count, what)).collect();
        let summary = if parts.is_empty() { "no problems found".to_owned() } else { parts.join(", ") };
        format!("{} checked: {summary}", several(files, "definition"))
    }
}

fn several(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
