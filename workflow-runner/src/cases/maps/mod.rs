//! The distributed Maps of a case: the items that they read, and the results that they write.

use toml::Spanned;
use toml::de::DeValue;
use workflow_runtime::Fault;
use workflow_runtime::machine::{Definition, nearest_name};
use workflow_runtime::objects::{ChildOutcome, ChildRecord};
use workflow_runtime::testing::{MapItems, Mocks};

use super::check::{SHOWN, other_number, toml_key};
use super::{ExpectedOutcome, ExpectedResult, MapMock};
use crate::inspect::map_items;
use crate::toml::{Fields, File, Problem};

const MAP: &[&str] = &[
    "items",
    "items_json",
    "source",
    "error",
    "cause",
    "cause_json",
    "written",
    "write_error",
    "write_cause",
    "write_cause_json",
];
const RESULT: &[&str] = &["input", "input_json", "output", "output_json", "error", "cause", "pending"];

/// Reads the table `map`: a table for each distributed Map, by the name of the state.
pub(super) fn read(file: File<'_>, maps: &Spanned<DeValue<'_>>) -> Result<Vec<MapMock>, Problem> {
    let table = file.expect_table(maps, "`map`")?;
    let read = |(key, map): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        let (line, column) = file.problem(key.span(), "").place;
        let what = format!("the Map {}", toml_key(name));
        let fields = file.fields(file.expect_table(map, &what)?, MAP)?;
        let items = read_items(file, &fields, map)?;
        let written = fields.get("written").map(|written| read_results(file, written)).transpose()?;
        let write_fault = read_write_fault(file, &fields, map)?;
        if items.is_none() && written.is_none() && write_fault.is_none() {
            return Err(file.problem(map.span(), "a Map needs `items`, `error`, `written` or `write_error`"));
        }
        let read_fails = fields.get("error").is_some();
        Ok(MapMock { name: name.to_string(), place: (line, column), items, read_fails, write_fault, written })
    };
    table.iter().map(read).collect()
}

fn read_items(
    file: File<'_>,
    fields: &Fields<'_, '_>,
    map: &Spanned<DeValue<'_>>,
) -> Result<Option<MapItems>, Problem> {
    let source = fields.str("source")?;
    let cause = fields.value("cause", "cause_json")?;
    let items = match (fields.value("items", "items_json")?, fields.str("error")?, cause) {
        (Some(items), None, None) => {
            let place = || fields.get("items").or_else(|| fields.get("items_json")).map_or(map.span(), Spanned::span);
            let message = "the items must be an array, or a table of items by their keys";
            map_items(&items).ok_or_else(|| file.problem(place(), message))?
        }
        (None, Some(error), cause) if source.is_none() => MapItems::fault(Fault::from_parts(Some(error.into()), cause)),
        (None, None, None) if source.is_none() => return Ok(None),
        _ => {
            let message = "a reader must be `items = …`, which can have a `source`, or `error = \"Name\"`, which can \
                           have a `cause`";
            return Err(file.problem(map.span(), message));
        }
    };
    Ok(Some(match source {
        Some(source) => items.source(source),
        None => items,
    }))
}

fn read_write_fault(
    file: File<'_>,
    fields: &Fields<'_, '_>,
    map: &Spanned<DeValue<'_>>,
) -> Result<Option<Fault>, Problem> {
    match (fields.str("write_error")?, fields.value("write_cause", "write_cause_json")?) {
        (Some(error), cause) => Ok(Some(Fault::from_parts(Some(error.into()), cause))),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(file.problem(map.span(), "`write_cause` needs `write_error = \"Name\"`")),
    }
}

fn read_results(file: File<'_>, written: &Spanned<DeValue<'_>>) -> Result<Vec<ExpectedResult>, Problem> {
    let read = |result: &Spanned<DeValue<'_>>| {
        let fields = file.fields(file.expect_table(result, "a written result")?, RESULT)?;
        let output = fields.value("output", "output_json")?;
        let outcome = match (output, fields.str("error")?, fields.str("cause")?, fields.flag("pending")?) {
            (Some(output), None, None, false) => ExpectedOutcome::Output(output),
            (None, Some(error), cause, false) => {
                ExpectedOutcome::Error { error: error.to_owned(), cause: cause.map(str::to_owned) }
            }
            (None, None, None, true) => ExpectedOutcome::Pending,
            (None, None, None, false) => ExpectedOutcome::Any,
            _ => {
                let message = "a written result must be `{ output = … }`, `{ error = \"Name\", cause = \"…\" }` or \
                               `{ pending = true }`";
                return Err(file.problem(result.span(), message));
            }
        };
        Ok(ExpectedResult { input: fields.value("input", "input_json")?, outcome })
    };
    file.expect_array(written, "`written`")?.map(read).collect()
}

/// Adds the items of Maps, and the faults of their writers, to mocks.
pub(super) fn mock(maps: &[MapMock], mocks: Mocks) -> Mocks {
    maps.iter().fold(mocks, |mocks, map| {
        let mocks = match &map.items {
            Some(items) => mocks.items(&*map.name, items.clone()),
            None => mocks,
        };
        match &map.write_fault {
            Some(fault) => mocks.write_fault(&*map.name, fault.clone()),
            None => mocks,
        }
    })
}

/// Returns a failure for each name that is no distributed Map, for items of a Map that reads none,
/// and for results of a Map that writes none.
pub(super) fn misnamed(maps: &[MapMock], definition: &Definition) -> Vec<String> {
    let problem = |mock: &MapMock| {
        let (name, (line, column)) = (&mock.name, mock.place);
        let place = format!("`map.{}` ({line}:{column})", toml_key(name));
        let of_name: Vec<_> = definition.maps.iter().filter(|map| map.state == name).collect();
        if of_name.is_empty() {
            return Some(format!(
                "{place}: the definition has no distributed Map `{name}`\n= help: {}",
                others(name, definition)
            ));
        }
        if mock.items.is_some() && of_name.iter().all(|map| map.reader.is_none()) {
            let key = if mock.read_fails { "error" } else { "items" };
            return Some(format!(
                "{place}: the Map `{name}` has no `ItemReader`\n= help: remove `{key}`: its items are those of its input"
            ));
        }
        let help = match (&mock.written, &mock.write_fault) {
            _ if of_name.iter().any(|map| map.has_writer) => return None,
            (Some(_), _) => "remove `written`: compare its output with `expect`",
            (None, Some(_)) => "remove `write_error`",
            (None, None) => return None,
        };
        Some(format!(
            "{place}: the Map `{name}` has no results in a store: it has no `Resource` in a `ResultWriter`\n= help: {help}"
        ))
    };
    maps.iter().filter_map(problem).collect()
}

/// Returns the most similar name of a distributed Map, or all names.
fn others(name: &str, definition: &Definition) -> String {
    let names = || definition.maps.iter().map(|map| map.state);
    let list: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    match (nearest_name(name, names()), &list[..]) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "it has no distributed Maps: remove the table".to_owned(),
        (None, _) => format!("its distributed Maps are {}", list.join(", ")),
    }
}

/// Returns a failure for each Map whose reader had no items.
pub(super) fn without_items(mocks: &Mocks) -> Vec<String> {
    let failure = |map: String| {
        let key = toml_key(&map);
        format!("the distributed Map `{map}` has no items\n= help: add `[run.map.{key}]` with `items = […]`")
    };
    mocks.maps_without_items().into_iter().map(failure).collect()
}

/// Returns the differences between the expected results of Maps and those that they have written.
pub(super) fn compare(maps: &[MapMock], written: &[(String, ChildRecord)]) -> Vec<String> {
    let mut failures = Vec::new();
    for map in maps {
        let Some(expected) = &map.written else { continue };
        let name = &map.name;
        let records: Vec<&ChildRecord> =
            written.iter().filter(|(of_map, _)| of_map == name).map(|(_, record)| record).collect();
        for (number, (expected, record)) in (1..).zip(expected.iter().zip(&records)) {
            if let Some(input) = expected.input.as_ref().filter(|input| **input != record.input) {
                let (input, got) = (input.excerpt(SHOWN), record.input.excerpt(SHOWN));
                failures.push(format!("expected the input {input} in result {number} of `{name}`\n     got {got}"));
            }
            if !expected.outcome.accepts(&record.outcome) {
                let (expected, got) = (expected.outcome.show(), show(&record.outcome));
                failures.push(format!("expected {expected} as result {number} of `{name}`\n     got {got}"));
            }
        }
        if expected.len() != records.len() {
            let got = records.iter().map(|record| show(&record.outcome)).collect();
            failures.push(other_number(&format!("results of `{name}`"), expected.len(), got));
        }
    }
    failures
}

impl ExpectedOutcome {
    fn accepts(&self, outcome: &ChildOutcome) -> bool {
        match (self, outcome) {
            (ExpectedOutcome::Any, _) | (ExpectedOutcome::Pending, ChildOutcome::Pending) => true,
            (ExpectedOutcome::Output(expected), ChildOutcome::Succeeded { output }) => expected == output,
            (ExpectedOutcome::Error { error, cause }, ChildOutcome::Failed { error: got, cause: why, .. }) => {
                got.as_deref() == Some(&**error) && cause.as_ref().is_none_or(|cause| why.as_deref() == Some(&**cause))
            }
            _ => false,
        }
    }

    fn show(&self) -> String {
        match self {
            ExpectedOutcome::Any => "anything".to_owned(),
            ExpectedOutcome::Pending => "a child that never started".to_owned(),
            ExpectedOutcome::Output(output) => format!("output {}", output.excerpt(SHOWN)),
            ExpectedOutcome::Error { error, cause: None } => format!("error {error}"),
            ExpectedOutcome::Error { error, cause: Some(cause) } => format!("error {error}: {cause}"),
        }
    }
}

fn show(outcome: &ChildOutcome) -> String {
    match outcome {
        ChildOutcome::Pending => "a child that never started".to_owned(),
        ChildOutcome::Succeeded { output } => format!("output {}", output.excerpt(SHOWN)),
        ChildOutcome::Failed { status, error, cause } => {
            let error = error.as_ref().map_or_else(|| status.to_string(), |error| error.to_string());
            cause.as_ref().map_or_else(|| format!("error {error}"), |cause| format!("error {error}: {cause}"))
        }
    }
}

#[cfg(test)]
mod tests;
