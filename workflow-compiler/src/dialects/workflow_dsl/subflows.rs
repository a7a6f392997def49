//! The workflows that sub-flows name, as far as their definitions were given to the compiler: of these the header is read.

use super::ast::{ActivityKind, Definition};
use crate::Options;
use crate::compile::workflow_name;
use crate::diagnostics::codes::activities::{E1107, W1104};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::detect;
use crate::dialects::members::member;
use crate::dialects::values::{flag_of, label_of};
use crate::files::Inputs;
use crate::source::{Source, Span, Spanned};
use crate::syntax::{Node, Tree, shown};

/// So many definitions are looked at.
const MOST: usize = 1000;

/// Of so many versions it is told where they are.
const TOLD: usize = 4;

/// A definition that sub-flows can name.
struct Given {
    /// The name of the workflow.
    name: String,
    /// Its header, if it is of this language.
    header: Option<Header>,
}

struct Header {
    id: String,
    /// Where the id is, or the definition begins.
    place: Span,
    version: Option<Spanned<String>>,
    is_child: bool,
    /// Where that is said.
    flag: Option<Span>,
}

/// A sub-flow.
struct Call<'a> {
    id: &'a Spanned<String>,
    version: Option<&'a Spanned<String>>,
}

/// Reports sub-flows of workflows that were given, but cannot be started by others, or have other versions only. One that was not
/// given is looked for when the program registers its workflows.
pub fn check_subflows(
    definition: &Definition,
    own: (&Node, &str),
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) {
    let calls: Vec<Call<'_>> = definition.activities.iter().filter_map(|activity| call(&activity.kind)).collect();
    if calls.is_empty() || options.subflows.is_empty() {
        return;
    }
    let (own, name) = own;
    let file = inputs.sources().get(own.span.file).name.clone();
    let mut given = vec![Given { name: name.to_owned(), header: Some(header(own, name)) }];
    let others = options.subflows.iter().filter(|other| other.name != file).take(MOST);
    given.extend(others.map(|other| read(other, options, inputs)));
    calls.iter().for_each(|call| check(call, &given, diagnostics));
}

/// What is wrong with another definition is told where that is compiled.
fn read(other: &Source, options: &Options, inputs: &mut Inputs) -> Given {
    let (name, tree) = (workflow_name(&other.name), inputs.other(other));
    let dialect = detect(&tree, &other.name, &mut Diagnostics::default()).or(options.dialect.as_deref());
    let header = (dialect == Some("workflow-dsl")).then(|| header(&tree, &name));
    Given { name, header }
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
        is_child: flag.and_then(flag_of).unwrap_or(false),
        flag: flag.map(|flag| flag.span),
    }
}

fn check(call: &Call<'_>, given: &[Given], diagnostics: &mut Diagnostics) {
    let id = &call.id.value;
    // By its name a workflow is found in any version, and first.
    let named = |given: &&Given| call.version.is_none() && given.name == *id;
    let is_callable = |given: &Given| given.header.as_ref().is_none_or(|header| header.is_child);
    let headers = || given.iter().filter_map(|given| given.header.as_ref());
    let of_id: Vec<&Header> = headers().filter(|header| header.id == *id).collect();
    let is_meant = |header: &Header| {
        call.version.is_none_or(|version| header.version.as_ref().is_some_and(|own| own.value == version.value))
    };
    let by_name: Vec<&Given> = given.iter().filter(named).collect();
    let meant: Vec<&Header> = of_id.iter().copied().filter(|header| is_meant(header)).collect();
    if by_name.iter().any(|given| is_callable(given)) || meant.iter().any(|header| header.is_child) {
        return;
    }
    let other = meant.first().copied().or_else(|| by_name.iter().find_map(|given| given.header.as_ref()));
    if let Some(other) = other {
        let message = format!("the sub-flow `{}` is not a child", shown(id));
        let found = Diagnostic::new(&E1107, call.id.span, message);
        diagnostics.push(match other.flag {
            Some(flag) => {
                found.related(flag, "others may not start it").help("write `\"isChild\": true` in its definition")
            }
            None => found
                .related(other.place, "others may start it only if its definition says so")
                .help("add `\"isChild\": true` to its definition"),
        });
        return;
    }
    if let (Some(asked), [_, ..]) = (call.version, &of_id[..]) {
        let message = format!("the sub-flow `{}` has no version {}", shown(id), shown(&asked.value));
        let mut found = Diagnostic::new(&E1107, asked.span, message);
        for other in of_id.iter().take(TOLD) {
            found = match &other.version {
                Some(version) => found.related(version.span, format!("this is version {}", shown(&version.value))),
                None => found.related(other.place, "this one has no version"),
            };
        }
        let known = of_id.iter().filter(|header| header.is_child).filter_map(|header| header.version.as_ref());
        let near = known.map(|version| format!("`{}`", shown(&version.value))).collect::<Vec<_>>().join(" or ");
        let help = match near.is_empty() {
            true => "leave out `version`, or give the definition of that version to the compiler".to_owned(),
            false => format!("write {near}, or leave out `version` for the latest one"),
        };
        diagnostics.push(found.help(help));
        return;
    }
    let known = given.iter().filter(|given| is_callable(given)).flat_map(|given| {
        let id = given.header.as_ref().map(|header| header.id.as_str());
        [Some(given.name.as_str()), id].into_iter().flatten()
    });
    if let Some(near) = nearest(id, known) {
        let message = format!("no definition that was given has the id `{}`", shown(id));
        diagnostics.push(
            Diagnostic::new(&W1104, call.id.span, message)
                .label("it is looked for when the program starts")
                .help(format!("did you mean `{near}`?")),
        );
    }
}

/// What a sub-flow calls.
fn call(kind: &ActivityKind) -> Option<Call<'_>> {
    match kind {
        ActivityKind::SubFlow { workflow, version } => Some(Call { id: workflow, version: version.as_ref() }),
        _ => None,
    }
}
