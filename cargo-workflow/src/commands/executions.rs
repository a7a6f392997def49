//! `executions`: shows the executions in a database.

use crate::arguments::Arguments;
use crate::failure::Failure;

#[cfg(not(feature = "durable"))]
pub fn run(_: Arguments) -> Result<u8, Failure> {
    Err(Failure::with_help(
        "this build of `cargo workflow` does not support execution databases",
        "build `cargo workflow` with the feature `durable`",
    ))
}

#[cfg(feature = "durable")]
pub fn run(arguments: Arguments) -> Result<u8, Failure> {
    look::run(arguments)
}

#[cfg(feature = "durable")]
mod look {
    use crate::arguments::{Argument, Arguments};
    use crate::failure::Failure;
    use crate::output;
    use std::path::Path;
    use workflow_compiler::diagnostics::suggest;
    use workflow_runner::database::report_on;
    use workflow_runner::executions::{ExecutionReport, Filter, Format, HistoryFilter, status};

    const USES: &str = "write `cargo workflow executions list DB`, `show DB ID` or `history DB ID`";

    pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
        let mut values = Vec::new();
        let (mut filter, mut format) = (Filter::all().limit(50), Format::Text);
        let mut shown = HistoryFilter::default();
        // Options with the subcommands that they are for.
        let mut special = Vec::new();
        while let Some(argument) = arguments.next()? {
            let name = match &argument {
                Argument::Value(value) => {
                    values.push(value.clone());
                    continue;
                }
                Argument::Option(name) => name.clone(),
            };
            if ["workflow", "status", "limit", "before"].contains(&name.as_str()) {
                special.push((name.clone(), "list"));
            }
            if ["no-payloads", "state"].contains(&name.as_str()) {
                special.push((name.clone(), "history"));
            }
            match name.as_str() {
                "help" => return Err(Failure::Help),
                "workflow" => filter = filter.workflow(arguments.string()?),
                "status" => filter = filter.status(status(&arguments.string()?).map_err(Failure::new)?),
                "before" => filter = filter.before(arguments.string()?),
                "limit" => {
                    let value = arguments.string()?;
                    let limit = value.parse().ok().filter(|limit| *limit > 0);
                    let limit =
                        limit.ok_or_else(|| Failure::new(format!("`--limit {value}`: expected a positive number")));
                    filter = filter.limit(limit?);
                }
                "no-payloads" => shown.no_payloads = true,
                "state" => shown.states.push(arguments.string()?),
                "format" => {
                    format = arguments.one_of("format", &[("text", Format::Text), ("json", Format::Json)])?;
                }
                _ => return Err(arguments.unexpected(&argument)),
            }
        }
        let what = values.first().map(|what| what.to_string_lossy().into_owned()).unwrap_or_default();
        if !["list", "show", "history"].contains(&what.as_str()) {
            let help = suggest::did_you_mean(&what, ["list", "show", "history"]).unwrap_or_else(|| USES.to_owned());
            return Err(match what.as_str() {
                "" => Failure::with_help("`cargo workflow executions` needs a subcommand", USES),
                name => Failure::with_help(format!("unknown subcommand `{name}` of `cargo workflow executions`"), help),
            });
        }
        if let Some((option, of)) = special.into_iter().find(|(_, of)| what != *of) {
            return Err(Failure::new(format!("`--{option}` is only valid for `executions {of}`")));
        }
        let id = |id: &std::ffi::OsString| id.to_string_lossy().into_owned();
        let (db, report) = match (what.as_str(), &values[1..]) {
            ("list", [db]) => (db, ExecutionReport::List { filter, format }),
            ("show", [db, one]) => (db, ExecutionReport::Show { id: id(one), format }),
            ("history", [db, one]) => (db, ExecutionReport::History { id: id(one), filter: shown, format }),
            _ => {
                return Err(Failure::with_help(
                    format!("wrong arguments for `cargo workflow executions {what}`"),
                    USES,
                ));
            }
        };
        output::print(&report_on(Path::new(db), &report).map_err(Failure::new)?)?;
        Ok(0)
    }
}
