//! Filters of data ("State information filtering"), with the names that the text's own examples use (ruling R23).

use super::super::ast::DataFilter;
use super::{Cx, values};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::{fields as codes, serverless_workflow as own};
use crate::dialects::members::Members;
use crate::syntax::Text;

/// A path of a filter: its name, and others that it is known by.
struct Part {
    name: &'static str,
    twins: &'static [&'static str],
}

const STATE: [Part; 2] = [
    Part { name: "dataInputPath", twins: &["inputPath"] },
    Part { name: "dataOutputPath", twins: &["outputPath", "resultPath"] },
];
const ACTION: [Part; 2] = [
    Part { name: "dataInputPath", twins: &["inputPath"] },
    Part { name: "dataResultsPath", twins: &["resultPath", "dataOutputPath", "outputPath"] },
];
const OUTPUT: [Part; 1] =
    [Part { name: "dataOutputPath", twins: &["dataInputPath", "inputPath", "outputPath", "resultPath"] }];

/// `stateDataFilter`.
pub fn state(members: &Members<'_>, cx: &mut Cx) -> Option<DataFilter> {
    let [input, output] = paths(members, "stateDataFilter", "the filter of a state", &STATE, cx)?;
    Some(DataFilter { input, output })
}

/// `actionDataFilter`: what of the data the action sees, and what of its results is merged.
pub fn action(members: &Members<'_>, cx: &mut Cx) -> Option<[Option<Text>; 2]> {
    paths(members, "actionDataFilter", "the filter of an action", &ACTION, cx)
}

/// `eventDataFilter`.
pub fn event(members: &Members<'_>, cx: &mut Cx) -> Option<Option<Text>> {
    paths(members, "eventDataFilter", "the filter of an event", &OUTPUT, cx).map(|[path]| path)
}

/// `errorDataFilter`.
pub fn error(members: &Members<'_>, cx: &mut Cx) -> Option<Option<Text>> {
    paths(members, "errorDataFilter", "the filter of an error", &OUTPUT, cx).map(|[path]| path)
}

fn paths<const N: usize>(
    members: &Members<'_>,
    name: &str,
    owner: &'static str,
    parts: &[Part; N],
    cx: &mut Cx,
) -> Option<[Option<Text>; N]> {
    let Some(node) = members.get(name) else { return Some([const { None }; N]) };
    let known: Vec<&'static str> =
        parts.iter().flat_map(|part| std::iter::once(part.name).chain(part.twins.iter().copied())).collect();
    let filter = values::members(node, owner, &[], &known, cx.diagnostics)?;
    let mut found = [const { None }; N];
    let mut is_read = true;
    for (part, place) in parts.iter().zip(&mut found) {
        let names = std::iter::once(part.name).chain(part.twins.iter().copied());
        let mut written = names.filter(|name| filter.has(name));
        let Some(first) = written.next() else { continue };
        if let (Some(entry), true) = (filter.entry(first), first != part.name) {
            let message = format!("`{first}` of {owner} is read as `{}`", part.name);
            let found = Diagnostic::new(&own::W1202, entry.key.span, message);
            cx.push(found.help(format!("write `{}`", part.name)));
        }
        for other in written {
            let message = format!("`{first}` and `{other}` of {owner} are the same");
            cx.push(
                Diagnostic::new(&codes::E0405, filter.key_span(other), message)
                    .related(filter.key_span(first), "the other one is here")
                    .help("keep one of the two"),
            );
            is_read = false;
        }
        match values::path(&filter, first, cx) {
            Some(path) => *place = path,
            None => is_read = false,
        }
    }
    is_read.then_some(found)
}
