//! Check of a whole workflow for filters that were probably written in the wrong direction.

use super::ast::{Action, ActionKind, Activity, ActivityKind, Definition, Expression, Filter, MappedMember, Templated};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::workflow_dsl::codes::WF1152;
use crate::expr::jq;
use std::collections::BTreeSet;

/// Stand-in for all names, if the whole data are used and their uses are unknown.
const ALL: &str = ".";

/// Warns of input filters that write names which nothing reads, although the names on their left
/// are read.
pub fn check_directions(definition: &Definition, diagnostics: &mut Diagnostics) {
    let mut all = BTreeSet::new();
    for activity in &definition.activities {
        let mut own = BTreeSet::new();
        names_read(activity, &mut own);
        match &activity.filter.input {
            Filter::All => all.extend(own),
            Filter::Map(items, _) => {
                check(items, &own, &format!("the activity `{}`", activity.name.value), diagnostics);
                all.extend(items.iter().filter_map(|item| item.source.as_ref()).map(|name| name.value.clone()));
            }
            Filter::Merge(names, _) => all.extend(names.iter().map(|name| name.value.clone())),
            Filter::Jq(expression) => read(expression, &mut all),
        }
    }
    if let Filter::Map(items, _) = &definition.filter.input {
        check(items, &all, "the workflow", diagnostics);
    }
}

fn check(items: &[MappedMember], read: &BTreeSet<String>, who: &str, diagnostics: &mut Diagnostics) {
    if read.contains(ALL) {
        return;
    }
    let written: BTreeSet<&str> = items.iter().map(|item| item.target.value.as_str()).collect();
    for item in items {
        let (Some(source), target) = (&item.source, &item.target) else { continue };
        if written.contains(source.value.as_str()) || read.contains(&target.value) || !read.contains(&source.value) {
            continue;
        }
        let (from, to) = (&source.value, &target.value);
        diagnostics.push(
            Diagnostic::new(
                &WF1152,
                target.span,
                format!("the filter writes `{to}`, which nothing reads; {who} reads `{from}`"),
            )
            .label("written here")
            .related(source.span, "the name before the colon is read (jq has the opposite order)")
            .help(format!("to read `{to}` and write `{from}`, write `{to}: .{from}`")),
        );
    }
}

/// Collects the names that an activity reads from its data.
fn names_read(activity: &Activity, names: &mut BTreeSet<String>) {
    match &activity.kind {
        ActivityKind::Message { entries, .. } => {
            entries.iter().flat_map(|entry| &entry.actions).for_each(|action| of_action(action, names));
        }
        ActivityKind::Operation { actions } => actions.iter().for_each(|action| of_action(action, names)),
        ActivityKind::Switch { conditions, .. } => {
            conditions.iter().for_each(|condition| read(&condition.condition, names));
        }
        ActivityKind::Inject { .. } => {}
        ActivityKind::SubFlow { .. } => drop(names.insert(ALL.to_owned())),
    }
    match &activity.filter.output {
        Filter::All => {}
        Filter::Map(items, _) => {
            names.extend(items.iter().filter_map(|item| item.source.as_ref()).map(|name| name.value.clone()));
        }
        Filter::Merge(merged, _) => names.extend(merged.iter().map(|name| name.value.clone())),
        Filter::Jq(expression) => read(expression, names),
    }
}

fn of_action(action: &Action, names: &mut BTreeSet<String>) {
    let mut see = |expression: &Expression| read(expression, names);
    match &action.kind {
        ActionKind::Sleep => {}
        ActionKind::Rest(rest) => {
            rest.url.iter().for_each(|piece| piece.expressions(&mut see));
            let values = rest.query.iter().chain(&rest.headers).map(|(_, value)| value).chain(&rest.body);
            values.for_each(|value: &Templated| value.expressions(&mut see));
        }
        ActionKind::Produce { data: Some(data), .. } => data.expressions(&mut see),
        ActionKind::Produce { data: None, .. } => drop(names.insert(ALL.to_owned())),
    }
}

fn read(expression: &Expression, names: &mut BTreeSet<String>) {
    names.extend(jq::members_read(&expression.text.value));
}
