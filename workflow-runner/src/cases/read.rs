//! The reader of `case.toml`.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use workflow_runtime::testing::Reply;
use workflow_runtime::{CloudEvent, Fault, Object, Value};

use super::{Cases, Expect, ExpectedChild, MapMock, Mock, Run, Sent, maps};
use crate::toml::{Fields, File, Problem};

/// The largest value of `times`.
const MOST_TIMES: i64 = 100_000;

/// Reads a case file. `name` is the name of the file in messages.
pub fn read(name: &str, text: &str) -> Result<Cases, Problem> {
    let file = File { name, text };
    let table = file.table()?;
    let fields = file.fields(table.get_ref(), &["min_coverage", "map", "run"])?;
    let shared = fields.get("map").map_or(Ok(Vec::new()), |shared| maps::read(file, shared))?;
    let min_coverage = fields.get("min_coverage").map(|percent| read_percent(file, percent)).transpose()?;
    let Some(runs) = fields.get("run") else {
        return Err(file.problem(0..0, "the file has no runs: add `[[run]]`"));
    };
    let runs = file.expect_array(runs, "`run`")?;
    let runs = runs.map(|run| read_run(file, run, &shared)).collect::<Result<Vec<Run>, Problem>>()?;
    if runs.is_empty() {
        return Err(file.problem(0..0, "the file has no runs: add `[[run]]`"));
    }
    for (at, run) in runs.iter().enumerate() {
        if let Some(first) = runs[..at].iter().find(|first| first.name == run.name) {
            let message = format!("duplicate name {:?}: the other run is in line {}", run.name, first.line);
            return Err(Problem { place: (run.line, 1), ..file.problem(0..0, message) });
        }
    }
    Ok(Cases { min_coverage, runs })
}

fn read_percent(file: File<'_>, percent: &Spanned<DeValue<'_>>) -> Result<u8, Problem> {
    let number = file.value(percent)?.as_i64().filter(|number| (0..=100).contains(number));
    let number = number.and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| file.problem(percent.span(), "`min_coverage` must be a whole number from 0 to 100"))
}

/// Reads a file of mocked tasks: its table `[tasks]`, or the tasks of the run `run` of a case
/// file. Without `run`, the tasks are those of the first run.
pub fn read_mocks(name: &str, text: &str, run: Option<&str>) -> Result<Vec<Mock>, Problem> {
    let file = File { name, text };
    let table = file.table()?;
    if let (None, Some(tasks)) = (run, table.get_ref().get("tasks")) {
        file.fields(table.get_ref(), &["tasks"])?;
        return read_replies(file, tasks, "`tasks`", "a task");
    }
    let Cases { runs, .. } = read(name, text)?;
    let names: Vec<String> = runs.iter().map(|run| format!("{:?}", run.name)).collect();
    let found = match run {
        Some(wanted) => runs.into_iter().find(|run| run.name == wanted),
        None => runs.into_iter().next(),
    };
    let message = || format!("unknown run: expected one of {}", names.join(", "));
    found.map(|run| run.tasks).ok_or_else(|| file.problem(0..0, message()))
}

const RUN: &[&str] = &[
    "name",
    "input",
    "input_json",
    "settings",
    "correlate",
    "tasks",
    "workflows",
    "map",
    "events",
    "expect",
    "visited",
    "virtual_time",
    "sent",
    "started",
];

/// Reads a run. It has the `shared` Maps that it does not have itself.
fn read_run(file: File<'_>, run: &Spanned<DeValue<'_>>, shared: &[MapMock]) -> Result<Run, Problem> {
    let fields = file.fields(file.expect_table(run, "`run`")?, RUN)?;
    let line = file.problem(run.span(), "").place.0;
    let input = match fields.get("input") {
        // A string is JSON text.
        Some(text) if text.get_ref().is_str() => Some(file.json(text, "`input`")?),
        _ => fields.value("input", "input_json")?,
    };
    let visited = |list: &Spanned<DeValue<'_>>| {
        let states = file.expect_array(list, "`visited`")?;
        states.map(|state| file.expect_str(state, "a state").map(str::to_owned)).collect::<Result<Vec<String>, _>>()
    };
    let mut maps = fields.get("map").map_or(Ok(Vec::new()), |maps| maps::read(file, maps))?;
    let others: Vec<MapMock> =
        shared.iter().filter(|map| maps.iter().all(|own| own.name != map.name)).cloned().collect();
    maps.extend(others);
    Ok(Run {
        name: fields.str("name")?.map_or_else(|| format!("line {line}"), str::to_owned),
        line,
        input: input.unwrap_or_else(|| Value::from(Object::new())),
        settings: fields.get("settings").map_or(Ok(Object::new()), |settings| read_settings(file, settings))?,
        correlate: fields.str("correlate")?.map(str::to_owned),
        tasks: fields.get("tasks").map_or(Ok(Vec::new()), |tasks| read_replies(file, tasks, "`tasks`", "a task"))?,
        workflows: fields
            .get("workflows")
            .map_or(Ok(Vec::new()), |workflows| read_replies(file, workflows, "`workflows`", "a workflow"))?,
        maps,
        events: fields.get("events").map_or(Ok(Vec::new()), |events| read_events(file, events))?,
        expect: fields.get("expect").map(|expect| read_expect(file, expect)).transpose()?,
        visited: fields.get("visited").map(visited).transpose()?,
        virtual_time: fields.duration("virtual_time")?,
        sent: fields.get("sent").map(|sent| read_sent(file, sent)).transpose()?,
        started: fields.get("started").map(|started| read_started(file, started)).transpose()?,
    })
}

fn read_settings(file: File<'_>, settings: &Spanned<DeValue<'_>>) -> Result<Object, Problem> {
    file.expect_table(settings, "`settings`")?;
    match file.value(settings)? {
        Value::Object(members) => Ok((*members).clone()),
        _ => Ok(Object::new()),
    }
}

fn read_expect(file: File<'_>, expect: &Spanned<DeValue<'_>>) -> Result<Expect, Problem> {
    let table = file.expect_table(expect, "`expect`")?;
    let known = &["output", "output_json", "error", "fails", "cause", "cause_json"];
    let fields = file.fields(table, known)?;
    let output = fields.value("output", "output_json")?;
    let cause = fields.value("cause", "cause_json")?;
    match (output, fields.str("error")?, fields.flag("fails")?, cause) {
        (Some(output), None, false, None) => Ok(Expect::Output(output)),
        (None, Some(error), false, cause) => Ok(Expect::Error { error: Some(error.to_owned()), cause }),
        (None, None, true, cause) => Ok(Expect::Error { error: None, cause }),
        _ => {
            let message =
                "`expect` must be `{ output = … }`, `{ error = \"Name\", cause = \"…\" }` or `{ fails = true }`";
            Err(file.problem(expect.span(), message))
        }
    }
}

const EVENT: &[&str] = &["after", "name", "subject", "type", "source", "id", "data", "data_json", "attributes"];

fn read_events(file: File<'_>, events: &Spanned<DeValue<'_>>) -> Result<Vec<(Duration, CloudEvent)>, Problem> {
    let events = file.expect_array(events, "`events`")?.enumerate();
    events.map(|(at, event)| read_event(file, event, at + 1)).collect()
}

fn read_event(file: File<'_>, event: &Spanned<DeValue<'_>>, number: usize) -> Result<(Duration, CloudEvent), Problem> {
    let fields = file.fields(file.expect_table(event, "an event")?, EVENT)?;
    let text = |key: &'static str| match fields.str(key)? {
        Some("") => {
            Err(file.problem(fields.get(key).map_or(0..0, Spanned::span), format!("`{key}` must not be empty")))
        }
        text => Ok(text),
    };
    let subject = match (text("name")?, text("subject")?) {
        (Some(_), Some(_)) => {
            return Err(file.problem(event.span(), "`name` and `subject` have the same meaning: remove one of them"));
        }
        (name, subject) => name.or(subject),
    };
    let Some(kind) = text("type")?.or(subject) else {
        return Err(file.problem(event.span(), "an event needs `name` or `type`"));
    };
    let id = text("id")?.map_or_else(|| number.to_string(), str::to_owned);
    let mut read = CloudEvent::new(id, text("source")?.unwrap_or("/case"), kind);
    if let Some(subject) = subject {
        read = read.subject(subject);
    }
    if let Some(data) = fields.value("data", "data_json")? {
        read = read.data(data);
    }
    if let Some(attributes) = fields.get("attributes") {
        for (name, value) in file.expect_table(attributes, "`attributes`")? {
            let (place, name) = (name.span(), &**name.get_ref());
            if EVENT.contains(&name) || ["specversion", "time", "data_base64"].contains(&name) {
                return Err(file.problem(place, format!("`{name}` is not allowed in `attributes`")));
            }
            read = read.extension(name, file.value(value)?);
        }
    }
    Ok((fields.duration("after")?.unwrap_or_default(), read))
}

fn read_sent(file: File<'_>, sent: &Spanned<DeValue<'_>>) -> Result<Vec<Sent>, Problem> {
    let known = &["name", "subject", "type", "source", "data", "data_json", "attributes"];
    let read = |event: &Spanned<DeValue<'_>>| {
        let fields = file.fields(file.expect_table(event, "an event")?, known)?;
        if let (Some(_), Some(_)) = (fields.get("name"), fields.get("subject")) {
            return Err(file.problem(event.span(), "`name` and `subject` have the same meaning: remove one of them"));
        }
        let mut attributes = Vec::new();
        for (key, attribute) in [("name", "subject"), ("subject", "subject"), ("type", "type"), ("source", "source")] {
            attributes.extend(fields.str(key)?.map(|text| (attribute.to_owned(), text.into())));
        }
        if let Some(others) = fields.get("attributes") {
            for (name, value) in file.expect_table(others, "`attributes`")? {
                attributes.push((name.get_ref().to_string(), file.value(value)?));
            }
        }
        Ok(Sent { attributes, data: fields.value("data", "data_json")? })
    };
    file.expect_array(sent, "`sent`")?.map(read).collect()
}

fn read_started(file: File<'_>, started: &Spanned<DeValue<'_>>) -> Result<Vec<ExpectedChild>, Problem> {
    let read = |start: &Spanned<DeValue<'_>>| {
        let fields = file.fields(file.expect_table(start, "a start")?, &["workflow", "input", "input_json"])?;
        let Some(workflow) = fields.str("workflow")? else {
            return Err(file.problem(start.span(), "a start needs `workflow`"));
        };
        Ok(ExpectedChild { workflow: workflow.to_owned(), input: fields.value("input", "input_json")? })
    };
    file.expect_array(started, "`started`")?.map(read).collect()
}

fn read_replies(file: File<'_>, mocked: &Spanned<DeValue<'_>>, key: &str, what: &str) -> Result<Vec<Mock>, Problem> {
    let table: &DeTable<'_> = file.expect_table(mocked, key)?;
    let mut mocks = Vec::with_capacity(table.len());
    for (key, replies) in table.iter() {
        let line = file.problem(key.span(), "").place.0;
        let what = format!("the replies of {what}");
        let list = file.expect_array(replies, &what)?;
        let mut read = Vec::new();
        for reply in list {
            read_reply(file, reply, &mut read)?;
        }
        mocks.push(Mock { name: key.get_ref().to_string(), line, replies: read });
    }
    Ok(mocks)
}

const REPLY: &[&str] = &["ok", "ok_json", "error", "cause", "cause_json", "never", "after", "to", "to_json", "times"];

fn read_reply(file: File<'_>, reply: &Spanned<DeValue<'_>>, replies: &mut Vec<Reply>) -> Result<(), Problem> {
    let fields = file.fields(file.expect_table(reply, "a reply")?, REPLY)?;
    let cause = fields.value("cause", "cause_json")?;
    let mut read = match (fields.value("ok", "ok_json")?, fields.str("error")?, fields.flag("never")?, cause) {
        (Some(output), None, false, None) => Reply::ok(output),
        (None, Some(error), false, cause) => Reply::fault(Fault::from_parts(Some(error.into()), cause)),
        (None, None, true, None) => Reply::never(),
        _ => {
            let message = "a reply must be `{ ok = … }`, `{ error = \"Name\", cause = \"…\" }` or `{ never = true }`";
            return Err(file.problem(reply.span(), message));
        }
    };
    if let Some(delay) = fields.duration("after")? {
        read = read.after(delay);
    }
    if let Some(input) = fields.value("to", "to_json")? {
        read = read.to(input);
    }
    let times = read_times(file, &fields)?;
    replies.extend(std::iter::repeat_n(read, times));
    Ok(())
}

fn read_times(file: File<'_>, fields: &Fields<'_, '_>) -> Result<usize, Problem> {
    let Some(times) = fields.get("times") else { return Ok(1) };
    let number = file.value(times)?.as_i64().filter(|number| (0..=MOST_TIMES).contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| file.problem(times.span(), format!("`times` must be an integer from 0 to {MOST_TIMES}")))
}
