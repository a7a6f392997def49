//! Parser of filters of data ("State information filtering"), with the other names that the
//! draft's own examples use ([R23](docs/serverless-workflow.md#r23)).

use super::super::ast::DataFilter;
use super::{SwParseCx, values};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::fields as codes;
use crate::dialects::object::Object;
use crate::dialects::serverless_workflow::codes as own;
use crate::syntax::{Text, shown};

/// Path of a filter: its name, and its other names.
struct FilterPath {
    name: &'static str,
    other_names: &'static [&'static str],
}

const STATE: [FilterPath; 2] = [
    FilterPath { name: "dataInputPath", other_names: &["inputPath"] },
    FilterPath { name: "dataOutputPath", other_names: &["outputPath", "resultPath"] },
];
const ACTION: [FilterPath; 2] = [
    FilterPath { name: "dataInputPath", other_names: &["inputPath"] },
    FilterPath { name: "dataResultsPath", other_names: &["resultPath", "dataOutputPath", "outputPath"] },
];
const OUTPUT: [FilterPath; 1] =
    [FilterPath { name: "dataOutputPath", other_names: &["dataInputPath", "inputPath", "outputPath", "resultPath"] }];

/// Parses `stateDataFilter`.
pub fn state(members: &Object<'_>, cx: &mut SwParseCx) -> Option<DataFilter> {
    let [input, output] = paths(members, "stateDataFilter", "the filter of a state", &STATE, cx)?;
    Some(DataFilter { input, output })
}

/// Parses `actionDataFilter`: the path of the action's input, and the path into its results.
pub fn action(members: &Object<'_>, cx: &mut SwParseCx) -> Option<[Option<Text>; 2]> {
    paths(members, "actionDataFilter", "the filter of an action", &ACTION, cx)
}

/// Parses `eventDataFilter`.
pub fn event(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Option<Text>> {
    paths(members, "eventDataFilter", "the filter of an event", &OUTPUT, cx).map(|[path]| path)
}

/// Parses `errorDataFilter`.
pub fn error(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Option<Text>> {
    paths(members, "errorDataFilter", "the filter of an error", &OUTPUT, cx).map(|[path]| path)
}

fn paths<const N: usize>(
    members: &Object<'_>,
    name: &str,
    owner: &'static str,
    parts: &[FilterPath; N],
    cx: &mut SwParseCx,
) -> Option<[Option<Text>; N]> {
    let Some(node) = members.get(name) else { return Some([const { None }; N]) };
    let names_of_paths: Vec<&'static str> =
        parts.iter().flat_map(|part| std::iter::once(part.name).chain(part.other_names.iter().copied())).collect();
    let filter = values::members(node, owner, &[], &names_of_paths, cx.diagnostics)?;
    let mut paths = [const { None }; N];
    let mut is_read = true;
    for (part, place) in parts.iter().zip(&mut paths) {
        let names = std::iter::once(part.name).chain(part.other_names.iter().copied());
        let mut written = names.filter(|name| filter.has(name));
        let Some(first) = written.next() else { continue };
        if let (Some(entry), true) = (filter.entry(first), first != part.name) {
            let message = format!("`{first}` of {owner} is read as `{}`", part.name);
            let diagnostic = Diagnostic::new(&own::WF1252, entry.key.span, message);
            cx.push(diagnostic.help(format!("write `{}`", part.name)));
        }
        for other in written {
            let message = format!("`{first}` and `{other}` of {owner} are two names of one path");
            cx.push(
                Diagnostic::new(&codes::WF0405, filter.key_span(other), message)
                    .related(filter.key_span(first), format!("`{first}` is set here"))
                    .help("keep one of the two"),
            );
            is_read = false;
        }
        match values::path(&filter, first, cx) {
            Some(path) => *place = path.map(|path| rooted(path, first, cx)),
            None => is_read = false,
        }
    }
    is_read.then_some(paths)
}

/// Returns the path of a filter, which begins with `$` even where the author left it out.
fn rooted(path: Text, name: &str, cx: &mut SwParseCx) -> Text {
    if path.value.trim_start().starts_with('$') {
        return path;
    }
    let prefix = if path.value.starts_with(['.', '[']) { "$" } else { "$." };
    let rooted = path.prefixed(prefix);
    let message = format!("`{name}` should begin with `$`: it is read as `{}`", shown(&rooted.value));
    cx.warn(path.span, message, format!("write `{}`", shown(&rooted.value)));
    rooted
}
