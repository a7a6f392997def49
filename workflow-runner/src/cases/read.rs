//! Reads `case.toml`.

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use workflow_runtime::testing::Reply;
use workflow_runtime::{Fault, Object, Value};

use super::{Expect, Mock, Run};
use crate::toml::{Fields, File, Problem};

/// The largest number of replies that `times` can stand for.
const MOST_TIMES: i64 = 100_000;

/// Reads the runs of a file; `name` is shown in messages.
pub fn read(name: &str, text: &str) -> Result<Vec<Run>, Problem> {
    let file = File { name, text };
    let table = file.table()?;
    let fields = file.fields(table.get_ref(), &["run"])?;
    let Some(runs) = fields.get("run") else {
        return Err(file.problem(0..0, "there are no runs: write `[[run]]`"));
    };
    let runs =
        file.expect_array(runs, "`run`")?.map(|run| read_run(file, run)).collect::<Result<Vec<Run>, Problem>>()?;
    for (at, run) in runs.iter().enumerate() {
        if let Some(first) = runs[..at].iter().find(|first| first.name == run.name) {
            let message = format!("two runs have the name {:?}: the other is in line {}", run.name, first.line);
            return Err(Problem { place: (run.line, 1), ..file.problem(0..0, message) });
        }
    }
    Ok(runs)
}

/// Reads a file of mocked tasks: a table `[tasks]`, or the tasks of the run `run` of a case file (the first, if none is
/// named).
pub fn read_mocks(name: &str, text: &str, run: Option<&str>) -> Result<Vec<Mock>, Problem> {
    let file = File { name, text };
    let table = file.table()?;
    if let (None, Some(tasks)) = (run, table.get_ref().get("tasks")) {
        file.fields(table.get_ref(), &["tasks"])?;
        return read_tasks(file, tasks);
    }
    let runs = read(name, text)?;
    let names: Vec<String> = runs.iter().map(|run| format!("{:?}", run.name)).collect();
    let found = match run {
        Some(wanted) => runs.into_iter().find(|run| run.name == wanted),
        None => runs.into_iter().next(),
    };
    let message = || format!("there is no such run: there are {}", names.join(", "));
    found.map(|run| run.tasks).ok_or_else(|| file.problem(0..0, message()))
}

const RUN: &[&str] = &["name", "input", "input_json", "settings", "tasks", "expect", "visited", "virtual_time"];

fn read_run(file: File<'_>, run: &Spanned<DeValue<'_>>) -> Result<Run, Problem> {
    let fields = file.fields(file.expect_table(run, "`run`")?, RUN)?;
    let line = file.problem(run.span(), "").place.0;
    let input = match fields.get("input") {
        // A string is the JSON text of the input.
        Some(text) if text.get_ref().is_str() => Some(file.json(text, "`input`")?),
        _ => fields.value("input", "input_json")?,
    };
    let visited = |list: &Spanned<DeValue<'_>>| {
        let states = file.expect_array(list, "`visited`")?;
        states.map(|state| file.expect_str(state, "a state").map(str::to_owned)).collect::<Result<Vec<String>, _>>()
    };
    Ok(Run {
        name: fields.str("name")?.map_or_else(|| format!("line {line}"), str::to_owned),
        line,
        input: input.unwrap_or_else(|| Value::from(Object::new())),
        settings: fields.get("settings").map_or(Ok(Object::new()), |settings| read_settings(file, settings))?,
        tasks: fields.get("tasks").map_or(Ok(Vec::new()), |tasks| read_tasks(file, tasks))?,
        expect: fields.get("expect").map(|expect| read_expect(file, expect)).transpose()?,
        visited: fields.get("visited").map(visited).transpose()?,
        virtual_time: fields.duration("virtual_time")?,
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
    let known = &["output", "output_json", "error", "cause", "cause_json"];
    let fields = file.fields(table, known)?;
    let output = fields.value("output", "output_json")?;
    let cause = fields.value("cause", "cause_json")?;
    match (output, fields.str("error")?, cause) {
        (Some(output), None, None) => Ok(Expect::Output(output)),
        (None, Some(error), cause) => Ok(Expect::Error { error: error.to_owned(), cause }),
        _ => Err(file.problem(expect.span(), "`expect` is `{ output = … }`, or `{ error = \"Name\", cause = \"…\" }`")),
    }
}

fn read_tasks(file: File<'_>, tasks: &Spanned<DeValue<'_>>) -> Result<Vec<Mock>, Problem> {
    let table: &DeTable<'_> = file.expect_table(tasks, "`tasks`")?;
    let mut mocks = Vec::with_capacity(table.len());
    for (key, replies) in table.iter() {
        let line = file.problem(key.span(), "").place.0;
        let list = file.expect_array(replies, "the replies of a task")?;
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
            let message = "a reply is `{ ok = … }`, `{ error = \"Name\", cause = \"…\" }` or `{ never = true }`";
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
    number.ok_or_else(|| file.problem(times.span(), format!("`times` is a whole number from 0 to {MOST_TIMES}")))
}
