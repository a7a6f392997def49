//! The report of `fix --to-jsonata`.

use crate::options::Common;
use crate::output;
use workflow_compiler::diagnostics::{Severity, render};
use workflow_compiler::escape::visible;
use workflow_compiler::{Position, Span};
use workflow_tools::to_jsonata::{Conversion, Status};

/// Reports the notes and refusals of a conversion. Returns `true` if a state keeps JSONPath, or if
/// the definition has errors.
pub fn report(name: &str, conversion: &Conversion, state: Option<&str>, common: &Common) -> bool {
    let place = |span: &Span| {
        let Position { line, column, .. } = conversion.sources.position_of(span.file, span.start);
        format!("{line}:{column}")
    };
    for note in &conversion.notes {
        let places: Vec<String> = note.spans.iter().map(place).collect();
        let Some((first, others)) = places.split_first() else { continue };
        let others = if others.is_empty() { String::new() } else { format!(" (also at {})", others.join(", ")) };
        output::complain(&visible(&format!("{name}:{first}: note: {}{others}", note.message)));
    }
    for refusal in &conversion.refused {
        let help = refusal.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let line = format!("`{}` keeps JSONPath: {}{help}", refusal.state, refusal.message);
        output::complain(&visible(&format!("{name}:{}: {line}", place(&refusal.span))));
    }
    if matches!(conversion.status, Status::OriginalHasErrors | Status::ResultHasErrors) {
        for error in conversion.output.diagnostics.iter().filter(|found| found.severity() == Severity::Error) {
            output::complain(&render::render(error, &conversion.output.sources, common.colour.on_stderr()));
            output::complain("");
        }
    }
    let summary = match conversion.status {
        Status::OriginalHasErrors => "left unchanged, because the definition has errors".to_owned(),
        Status::ResultHasErrors => "left unchanged, because the converted definition has these errors".to_owned(),
        Status::SharesText => {
            "left unchanged, because states share a text by an alias and need it in different forms".to_owned()
        }
        Status::OtherDialect => "left unchanged, because only the Amazon States Language has JSONata".to_owned(),
        Status::UnknownState => format!("no state has the name `{}`", state.unwrap_or_default()),
        Status::Converted => match (conversion.converted.len(), conversion.refused.len()) {
            (0, 0) => "nothing to convert".to_owned(),
            (converted, 0) => format!("{} converted to JSONata", states(converted)),
            (converted, 1) => format!("{} converted to JSONata, 1 state keeps JSONPath", states(converted)),
            (converted, kept) => format!("{} converted to JSONata, {kept} states keep JSONPath", states(converted)),
        },
    };
    output::complain(&visible(&format!("{name}: {summary}")));
    conversion.status != Status::Converted || !conversion.refused.is_empty()
}

fn states(count: usize) -> String {
    if count == 1 { "1 state".to_owned() } else { format!("{count} states") }
}
