//! Validation of sub-flows against the definitions that the compiler was given. Only the headers
//! of these definitions are read.

use super::ast::{ActivityKind, Definition};
use crate::Options;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::detect;
use crate::dialects::object::any_case::member;
use crate::dialects::object::lenient::{boolean_of, label_of};
use crate::dialects::workflow_dsl::codes::{WF1107, WF1154};
use crate::files::Inputs;
use crate::source::{Source, Span, Spanned};
use crate::syntax::{Node, Tree, shown};

/// Number of definitions that are read at most.
const MAX_DEFINITIONS: usize = 1000;

/// Number of versions whose spans a diagnostic shows at most.
const MAX_VERSIONS_SHOWN: usize = 4;

/// Definition that a sub-flow can name.
struct KnownDefinition {
    /// Name of the workflow.
    name: String,
    /// Header, if the definition is in the Workflow DSL.
    header: Option<Header>,
}

struct Header {
    id: String,
    /// Span of `id`, or of the start of the definition.
    place: Span,
    version: Option<Spanned<String>>,
    is_child: bool,
    /// Span of `isChild`, if present.
    flag: Option<Span>,
}

/// Sub-flow: the workflow that it calls.
struct SubFlowCall<'a> {
    id: &'a Spanned<String>,
    version: Option<&'a Spanned<String>>,
}

/// Reports sub-flows that name a known workflow which is not a child, or has other versions only.
/// An unknown workflow is no error, because the program may register it. A misspelling of a known
/// one is a warning.
pub fn check_subflows(
    definition: &Definition,
    own: (&Node, &str),
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) {
    let calls: Vec<SubFlowCall<'_>> =
        definition.activities.iter().filter_map(|activity| call(&activity.kind)).collect();
    if calls.is_empty() || options.subflows.is_empty() {
        return;
    }
    let (own, name) = own;
    let file = inputs.sources().get(own.span.file).name.clone();
    let mut definitions = vec![KnownDefinition { name: name.to_owned(), header: Some(header(own, name)) }];
    let others = options.subflows.iter().filter(|other| other.name != file).take(MAX_DEFINITIONS);
    definitions.extend(others.map(|other| read(other, options, inputs)));
    calls.iter().for_each(|call| check(call, &definitions, diagnostics));
}

/// Reads the header of another definition. Its errors are reported when it is compiled itself.
fn read(other: &Source, options: &Options, inputs: &mut Inputs) -> KnownDefinition {
    let (name, tree) = (other.workflow_name(), inputs.other_definition(other));
    let dialect = detect(&tree, &other.name, &mut Diagnostics::default()).or(options.dialect.as_deref());
    let header = (dialect == Some("workflow-dsl")).then(|| header(&tree, &name));
    KnownDefinition { name, header }
}

fn header(definition: &Node, name: &str) -> Header {
    let label = |name| member(definition, name).and_then(label_of);
    let flag = member(definition, "isChild").filter(|flag| flag.tree != Tree::Null);
    let (id, place) = match label("id").filter(|id| !id.value.trim().is_empty()) {
        Some(id) => (id.value, id.span),
        None => (name.to_owned(), definition.span.at_start()),
    };
    Header {
        id,
        place,
        version: label("version"),
        is_child: flag.and_then(boolean_of).unwrap_or(false),
        flag: flag.map(|flag| flag.span),
    }
}

fn check(call: &SubFlowCall<'_>, definitions: &[KnownDefinition], diagnostics: &mut Diagnostics) {
    let id = &call.id.value;
    // A name matches any version, and takes precedence over an id.
    let named = |known: &&KnownDefinition| call.version.is_none() && known.name == *id;
    let is_callable = |known: &KnownDefinition| known.header.as_ref().is_none_or(|header| header.is_child);
    let headers = || definitions.iter().filter_map(|known| known.header.as_ref());
    let of_id: Vec<&Header> = headers().filter(|header| header.id == *id).collect();
    let is_matching = |header: &Header| {
        call.version.is_none_or(|version| header.version.as_ref().is_some_and(|own| own.value == version.value))
    };
    let by_name: Vec<&KnownDefinition> = definitions.iter().filter(named).collect();
    let matching: Vec<&Header> = of_id.iter().copied().filter(|header| is_matching(header)).collect();
    if by_name.iter().any(|known| is_callable(known)) || matching.iter().any(|header| header.is_child) {
        return;
    }
    let other = matching.first().copied().or_else(|| by_name.iter().find_map(|known| known.header.as_ref()));
    if let Some(other) = other {
        let message = format!("the sub-flow `{}` is not a child", shown(id));
        let diagnostic = Diagnostic::new(&WF1107, call.id.span, message);
        diagnostics.push(match other.flag {
            Some(flag) => diagnostic
                .related(flag, "`isChild` is false: other workflows cannot start this workflow")
                .help("write `\"isChild\": true` in its definition"),
            None => diagnostic
                .related(other.place, "the definition has no `isChild`")
                .help("add `\"isChild\": true` to its definition"),
        });
        return;
    }
    if let (Some(wanted_version), [_, ..]) = (call.version, &of_id[..]) {
        let message = format!("the sub-flow `{}` has no version {}", shown(id), shown(&wanted_version.value));
        let mut diagnostic = Diagnostic::new(&WF1107, wanted_version.span, message);
        for other in of_id.iter().take(MAX_VERSIONS_SHOWN) {
            diagnostic = match &other.version {
                Some(version) => diagnostic.related(version.span, format!("this is version {}", shown(&version.value))),
                None => diagnostic.related(other.place, "a definition without a version"),
            };
        }
        let versions = of_id.iter().filter(|header| header.is_child).filter_map(|header| header.version.as_ref());
        let near = versions.map(|version| format!("`{}`", shown(&version.value))).collect::<Vec<_>>().join(" or ");
        let help = match near.is_empty() {
            true => "remove `version`, or pass the definition of that version to the compiler".to_owned(),
            false => format!("write {near}, or remove `version` for the latest one"),
        };
        diagnostics.push(diagnostic.help(help));
        return;
    }
    let names = definitions.iter().filter(|known| is_callable(known)).flat_map(|known| {
        let id = known.header.as_ref().map(|header| header.id.as_str());
        [Some(known.name.as_str()), id].into_iter().flatten()
    });
    if let Some(near) = nearest(id, names) {
        let message = format!("unknown sub-flow `{}`", shown(id));
        diagnostics.push(
            Diagnostic::new(&WF1154, call.id.span, message)
                .label("the engine looks up the sub-flow when the activity starts")
                .help(format!("did you mean `{near}`?")),
        );
    }
}

/// Returns the call of a sub-flow activity.
fn call(kind: &ActivityKind) -> Option<SubFlowCall<'_>> {
    match kind {
        ActivityKind::SubFlow { workflow, version } => Some(SubFlowCall { id: workflow, version: version.as_ref() }),
        _ => None,
    }
}
