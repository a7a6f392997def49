//! The commands of programs whose executions are kept, and their options.

use std::path::PathBuf;
use std::time::Duration;

use lexopt::Arg::{Long, Short, Value as Plain};
use workflow_runtime::engine::{Filter, MapUpdate, Purge, Signal};
use workflow_runtime::{Fault, Value};

use crate::stores::StoreOptions;

use super::commands::Redrive;
use super::event;
use super::order::Order;
use crate::command_line::{moment, path, setting, string, text};
use crate::engine::Engine;
use crate::executions::{ExecutionReport, Format, HistoryFilter, status};
use crate::input::json_or_text;
use crate::progress::{self, Mode};
use crate::sink;
use crate::{duration, serve, size};

/// A command other than `run`.
pub enum Command {
    Serve(Box<serve::ServeOptions>),
    #[cfg(feature = "restate")]
    ServeRestate(Box<crate::restate::RestateServeOptions>),
    Redrive {
        db: Option<PathBuf>,
        redrive: Redrive,
    },
    Order(Order, Place),
}

/// The place of the executions that an order is about.
pub enum Place {
    Database {
        db: Option<PathBuf>,
        /// The time for which the engine remembers delivered events, for deduplication; `None` is
        /// the engine's default.
        events_known_for: Option<Duration>,
        /// The token of the server, if one has the database.
        token: Option<serve::Token>,
    },
    #[cfg(feature = "restate")]
    Restate { ingress: String },
}

/// The names of the commands other than `run`.
pub const COMMANDS: [&str; 13] = [
    "serve",
    "list",
    "show",
    "history",
    "cancel",
    "redrive",
    "update",
    "succeed",
    "fail",
    "heartbeat",
    "send",
    "publish",
    "purge",
];

/// Returns `true` if the name is one of these commands.
pub fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// Reads the arguments of a command. Returns `None` if they ask for its help.
pub fn read(name: &str, mut arguments: lexopt::Parser) -> Result<Option<Command>, String> {
    let mut parsed = CommandOptions::default();
    while let Some(argument) = arguments.next().map_err(text)? {
        let option = match argument {
            Short('h') | Long("help") => return Ok(None),
            Plain(value) => {
                parsed.values.push(value.into_string().map_err(|_| "an argument is not valid Unicode".to_owned())?);
                continue;
            }
            Long(option) if takes(name, option) => option.to_owned(),
            other => return Err(text(other.unexpected())),
        };
        parsed.take(name, &option, &mut arguments)?;
        parsed.options.push(option);
    }
    match parsed.engine {
        Some(Engine::Memory) => {
            Err(format!("`{name}` does not support `--engine memory`: executions in memory end with their `run`"))
        }
        #[cfg(feature = "restate")]
        Some(Engine::Restate) => {
            crate::engines::restate::must_be_there(name)?;
            parsed.suits_restate(name)?;
            parsed.command(name).map(Some)
        }
        Some(Engine::Sqlite) | None => {
            if let Some(option) = parsed.options.iter().find(|option| OF_RESTATE.contains(&option.as_str())) {
                return Err(format!("`--{option}` needs `--engine restate`"));
            }
            parsed.command(name).map(Some)
        }
    }
}

/// Returns `true` if a command has an option.
fn takes(command: &str, option: &str) -> bool {
    let options: &[&str] = match command {
        "serve" => &[
            "listen",
            "token-env",
            "token-file",
            "callbacks-authorized",
            "max-body",
            "max-answer",
            "executions-at-once",
            "retain",
            "grace",
            "no-start-on-events",
            "events-known-for",
            "deployed-at",
            "set",
            "ingress",
            "admin",
            "listen-http",
            "address",
            "identity-key",
            "replace",
            "log-format",
        ],
        "list" => &["workflow", "status", "limit", "before", "format"],
        "show" => &["format", "ingress"],
        "history" => &["format", "no-payloads", "state"],
        "cancel" => &["cause", "ingress"],
        "succeed" | "heartbeat" => &["ingress"],
        "redrive" => &["detach", "progress", "ingress"],
        "update" => &["max-concurrency", "tolerated-failures", "tolerated-percentage", "ingress"],
        "fail" => &["error", "cause", "ingress"],
        "purge" => &["older-than", "history"],
        "send" => &["ingress", "events-known-for"],
        "publish" => &["ingress", "events-known-for", "start"],
        _ => &[],
    };
    let of_sink = matches!(command, "serve" | "redrive") && (sink::OPTIONS.contains(&option) || option == "store");
    let of_event = matches!(command, "send" | "publish") && event::OPTIONS.contains(&option);
    let of_server = HAVE_A_SERVER.contains(&command) && ["token-env", "token-file"].contains(&option);
    of_event || of_sink || of_server || ["db", "engine"].contains(&option) || options.contains(&option)
}

/// The commands besides `run` that a server carries out if it has the database.
pub const HAVE_A_SERVER: [&str; 9] =
    ["cancel", "redrive", "update", "succeed", "fail", "heartbeat", "send", "publish", "purge"];

/// The options that only apply to Restate.
const OF_RESTATE: [&str; 7] = ["ingress", "admin", "listen-http", "address", "identity-key", "replace", "start"];

/// The values of the options of all commands.
#[derive(Default)]
struct CommandOptions {
    values: Vec<String>,
    /// The names of the options.
    options: Vec<String>,
    engine: Option<Engine>,
    restate: Restate,
    listen: Option<String>,
    db: Option<PathBuf>,
    serve: serve::ServeOptions,
    filter: Filter,
    shown: HistoryFilter,
    format: Format,
    cause: Option<Value>,
    error: Option<String>,
    detach: bool,
    update: MapUpdate,
    progress: Option<Mode>,
    older_than: Option<Duration>,
    history: bool,
    event: event::EventOptions,
    sink: sink::SinkOptions,
    stores: StoreOptions,
}

/// The values of the options for Restate.
#[derive(Default)]
struct Restate {
    ingress: Option<String>,
    admin: Option<String>,
    /// The address of the HTTP server.
    listen_http: Option<String>,
    address: Option<String>,
    identity_keys: Vec<String>,
    replace: bool,
    /// `true` if a published event starts executions.
    start: bool,
}

impl CommandOptions {
    fn take(&mut self, command: &str, option: &str, arguments: &mut lexopt::Parser) -> Result<(), String> {
        match option {
            option if event::OPTIONS.contains(&option) => self.event.take(option, arguments)?,
            option if sink::OPTIONS.contains(&option) => self.sink.take(option, arguments)?,
            "store" => self.stores.take(arguments)?,
            "db" => self.db = Some(path(arguments)?),
            "engine" => self.engine = Some(Engine::named(&string(arguments)?)?),
            "ingress" => self.restate.ingress = Some(string(arguments)?),
            "admin" => self.restate.admin = Some(string(arguments)?),
            "listen-http" => self.restate.listen_http = Some(string(arguments)?),
            "address" => self.restate.address = Some(string(arguments)?),
            "identity-key" => self.restate.identity_keys.push(string(arguments)?),
            "replace" => self.restate.replace = true,
            "start" => self.restate.start = true,
            "listen" => self.listen = Some(string(arguments)?),
            "token-env" => self.serve.token = Some(serve::from_env(&string(arguments)?)?),
            "callbacks-authorized" => self.serve.callbacks_authorized = true,
            "token-file" => self.serve.token = Some(serve::from_file(&path(arguments)?)?),
            "max-body" | "max-answer" => {
                let value = string(arguments)?;
                let size = size::parse(&value).filter(|size| *size > 0);
                let size =
                    size.ok_or_else(|| format!("invalid `--{option} {value}`: write a size such as `512KB` or `1MB`"))?;
                *if option == "max-body" { &mut self.serve.max_body } else { &mut self.serve.max_answer } = size;
            }
            "no-start-on-events" => self.serve.start_on_events = false,
            "events-known-for" => self.serve.events_known_for = Some(time(option, arguments)?),
            "deployed-at" => self.serve.deployed_at = Some(moment(option, arguments)?),
            "executions-at-once" => self.serve.executions_at_once = Some(number(option, arguments)?),
            "retain" => self.serve.retain = Some(time(option, arguments)?),
            "grace" => self.serve.grace = time(option, arguments)?,
            "log-format" => self.serve.log_format = serve::LogFormat::named(&string(arguments)?)?,
            "set" => {
                let (name, value) = setting(arguments)?;
                self.serve.settings.insert(name, value);
            }
            "workflow" => self.filter.workflow = Some(string(arguments)?),
            "status" => self.filter.status = Some(status(&string(arguments)?)?),
            "limit" => self.filter.limit = number(option, arguments)?,
            "before" => self.filter.before = Some(string(arguments)?),
            "no-payloads" => self.shown.no_payloads = true,
            "state" => self.shown.states.push(string(arguments)?),
            "format" => self.format = Format::named(&string(arguments)?)?,
            // The cause of a cancellation is a text. The cause of a failure is any JSON.
            "cause" if command == "cancel" => self.cause = Some(string(arguments)?.into()),
            "cause" => {
                let cause = json_or_text(&string(arguments)?).map_err(|error| format!("`--cause`: {error}"))?;
                self.cause = Some(cause);
            }
            "error" => self.error = Some(string(arguments)?),
            "detach" => self.detach = true,
            "max-concurrency" => self.update.max_concurrency = Some(amount(option, COUNT, arguments)?),
            "tolerated-failures" => self.update.tolerated_failure_count = Some(amount(option, COUNT, arguments)?),
            "tolerated-percentage" => {
                self.update.tolerated_failure_percentage = Some(amount(option, PERCENTAGE, arguments)?);
            }
            "progress" => self.progress = Some(progress::named(&string(arguments)?)?),
            "older-than" => self.older_than = Some(time(option, arguments)?),
            _ => self.history = true,
        }
        Ok(())
    }

    /// Checks that no option is only for executions in a database.
    #[cfg(feature = "restate")]
    fn suits_restate(&self, name: &str) -> Result<(), String> {
        let has_http = self.restate.listen_http.is_some();
        for option in &self.options {
            let reason = match option.as_str() {
                "token-env"
                | "token-file"
                | "callbacks-authorized"
                | "max-body"
                | "max-answer"
                | "no-start-on-events"
                    if has_http =>
                {
                    continue;
                }
                "db" => "cannot be used with `--engine restate`: the Restate server keeps the executions",
                "token-env" | "token-file" | "callbacks-authorized" => {
                    "cannot be used with `--engine restate`: use `--identity-key` to authenticate the server"
                }
                "max-body" | "max-answer" | "executions-at-once" => {
                    "cannot be used with `--engine restate`: set limits on the Restate server"
                }
                "no-start-on-events" => {
                    "cannot be used with `--engine restate`: an event starts executions only with `publish --start`"
                }
                "events-known-for" if name != "serve" => "must be set for `serve --engine restate`",
                "retain" => "cannot be used with `--engine restate`: set the retention on the Restate server",
                option if name == "redrive" && !matches!(option, "engine" | "ingress") => {
                    "cannot be used with `--engine restate`: the program that serves the workflow runs the execution"
                }
                "cause" if name == "cancel" => {
                    "cannot be used with `--engine restate`: Restate does not record a cause"
                }
                _ => continue,
            };
            return Err(format!("`--{option}` {reason}"));
        }
        Ok(())
    }

    /// Returns `true` if the command is about executions on Restate.
    fn is_on_restate(&self) -> bool {
        #[cfg(feature = "restate")]
        return self.engine == Some(Engine::Restate);
        #[cfg(not(feature = "restate"))]
        false
    }

    /// Takes the values without an option, after a check of their number.
    fn operands(&mut self, name: &str) -> Result<std::vec::IntoIter<String>, String> {
        let (engine, usage) = match (name, self.is_on_restate()) {
            ("succeed", true) => (" --engine restate", "ID TOKEN [JSON]"),
            ("fail" | "heartbeat", true) => (" --engine restate", "ID TOKEN"),
            ("serve" | "publish", true) => (" --engine restate", ""),
            (_, true) => (" --engine restate", "ID"),
            ("succeed", false) => ("", "TOKEN [JSON]"),
            ("fail" | "heartbeat", false) => ("", "TOKEN"),
            ("serve" | "list" | "purge" | "publish", false) => ("", ""),
            (_, false) => ("", "ID"),
        };
        let names: Vec<&str> = usage.split_whitespace().collect();
        if let Some(extra) = self.values.get(names.len()) {
            return Err(format!("`{name}{engine}`: unexpected argument `{extra}`"));
        }
        if let Some(needed) = names.get(self.values.len()).filter(|needed| !needed.starts_with('[')) {
            let all = match (name, engine) {
                ("send", " --engine restate") => "ID --type TYPE --source URI",
                (_, "") => needed,
                _ => usage,
            };
            return Err(format!("`{name}` needs {needed}: write `{name}{engine} {all}`"));
        }
        Ok(std::mem::take(&mut self.values).into_iter())
    }

    /// Returns the place of the executions.
    fn place(&mut self) -> Result<Place, String> {
        #[cfg(feature = "restate")]
        if self.is_on_restate() {
            let ingress = crate::engines::restate::ingress(self.restate.ingress.take())?;
            return Ok(Place::Restate { ingress });
        }
        let (db, token) = (self.db.take(), self.serve.token.take());
        Ok(Place::Database { db, events_known_for: self.serve.events_known_for, token })
    }

    fn command(mut self, name: &str) -> Result<Command, String> {
        let mut values = self.operands(name)?;
        if name == "serve" {
            return self.serve();
        }
        let on_restate = self.is_on_restate();
        let mut needed = || values.next().unwrap_or_default();
        if name == "redrive" && !on_restate {
            let (id, progress) = (needed(), self.progress.unwrap_or(Mode::Auto));
            let (detach, sink, token) = (self.detach, self.sink.beside_result(name)?, self.serve.token);
            let objects = self.stores.access()?;
            let of_run = [("--sink", sink.is_some()), ("--store", objects.is_some())];
            if let Some((option, _)) = of_run.into_iter().find(|(_, is_set)| detach && *is_set) {
                return Err(format!("`{option}` cannot be used with `--detach`: add it to the next `run` or `serve`"));
            }
            return Ok(Command::Redrive {
                db: self.db,
                redrive: Redrive { id, detach, progress, sink, objects, token },
            });
        }
        let place = self.place()?;
        let (event, format) = (std::mem::take(&mut self.event), self.format);
        let order = match name {
            "list" => {
                if self.filter.limit == 0 {
                    self.filter.limit = 50;
                }
                Order::Report(ExecutionReport::List { filter: self.filter, format })
            }
            "show" => Order::Report(ExecutionReport::Show { id: needed(), format }),
            "history" => Order::Report(ExecutionReport::History { id: needed(), filter: self.shown, format }),
            "cancel" => {
                let cause = self.cause.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
                Order::Cancel { id: needed(), cause }
            }
            #[cfg(feature = "restate")]
            "redrive" => Order::Redrive { id: needed() },
            "update" => {
                if self.update == MapUpdate::new() {
                    return Err("`update` needs a change: add `--max-concurrency N`, `--tolerated-failures N` or \
                         `--tolerated-percentage P`"
                        .to_owned());
                }
                self.update.check().map_err(|invalid| invalid.to_string())?;
                Order::Update { id: needed(), update: self.update }
            }
            "succeed" | "fail" | "heartbeat" => {
                let execution = on_restate.then(&mut needed);
                let token = needed();
                let signal = match name {
                    "succeed" => Signal::Succeed(output(values.next())?),
                    "fail" => {
                        let error = self.error.ok_or("`fail` needs an error name: add `--error NAME`")?;
                        Signal::Fail(Fault::from_parts(Some(error.into()), self.cause))
                    }
                    _ => Signal::Heartbeat,
                };
                Order::Signal { token, execution, signal }
            }
            "send" => Order::Send { id: needed(), event: event.event(name)? },
            "publish" => Order::Publish { event: event.event(name)?, starts: self.restate.start },
            _ => {
                let older_than = self.older_than.ok_or("`purge` needs an age: add `--older-than 30d`")?;
                Order::Purge { older_than, what: if self.history { Purge::Histories } else { Purge::Executions } }
            }
        };
        Ok(Command::Order(order, place))
    }

    /// Returns the command `serve`.
    fn serve(mut self) -> Result<Command, String> {
        self.serve.sink = self.sink.sink()?;
        self.serve.objects = self.stores.access()?;
        #[cfg(feature = "restate")]
        if self.engine == Some(Engine::Restate) {
            let options = crate::restate::RestateServeOptions {
                ingress: crate::engines::restate::ingress(self.restate.ingress)?,
                admin: crate::engines::restate::admin(self.restate.admin)?,
                listen: self.listen,
                listen_http: self.restate.listen_http,
                address: self.restate.address,
                identity_keys: self.restate.identity_keys,
                replace: self.restate.replace,
                serve: self.serve,
            };
            return Ok(Command::ServeRestate(Box::new(options)));
        }
        self.serve.db = self.db;
        if let Some(listen) = self.listen {
            self.serve.listen = listen;
        }
        Ok(Command::Serve(Box::new(self.serve)))
    }
}

/// The values of options that are expected.
const COUNT: &str = "a whole number from 0";
const PERCENTAGE: &str = "a number from 0 to 100";

/// Reads a number that may be 0.
fn amount<T: std::str::FromStr>(option: &str, kind: &str, arguments: &mut lexopt::Parser) -> Result<T, String> {
    let value = string(arguments)?;
    value.parse().map_err(|_| format!("`--{option} {value}`: expected {kind}"))
}

/// Reads the output of a task from an argument. The default is null.
fn output(json: Option<String>) -> Result<Value, String> {
    let json = json.as_deref().unwrap_or("null");
    Value::from_json_strict(json).map_err(|error| format!("the output is not JSON: {error}"))
}

fn time(option: &str, arguments: &mut lexopt::Parser) -> Result<Duration, String> {
    let value = string(arguments)?;
    duration::parse(&value)
        .ok_or_else(|| format!("invalid `--{option} {value}`: write a duration such as `30s`, `5m`, `2h` or `7d`"))
}

fn number<T: std::str::FromStr + PartialOrd + From<u8>>(
    option: &str,
    arguments: &mut lexopt::Parser,
) -> Result<T, String> {
    let value = string(arguments)?;
    let number = value.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| format!("`--{option} {value}`: expected a positive number"))
}

#[cfg(all(test, feature = "stores"))]
mod tests {
    use super::*;

    #[test]
    fn stores_are_refused_where_no_map_runs() {
        let refusal = |arguments: &[&str]| {
            let parser = lexopt::Parser::from_args(&arguments[1..]);
            read(arguments[0], parser).err()
        };
        assert_eq!(refusal(&["redrive", "one", "--store", "orders=folder:a"]), None);
        assert_eq!(refusal(&["serve", "--store", "orders=folder:a"]), None);
        let expected = "`--store` cannot be used with `--detach`: add it to the next `run` or `serve`";
        let found = refusal(&["redrive", "one", "--detach", "--store", "orders=folder:a"]);
        assert_eq!(found.as_deref(), Some(expected));
        #[cfg(feature = "restate")]
        {
            assert_eq!(refusal(&["serve", "--engine", "restate", "--store", "orders=folder:a"]), None);
            let found = refusal(&["cancel", "one", "--engine", "restate", "--store", "orders=folder:a"]);
            assert_eq!(found.as_deref(), Some("invalid option '--store'"));
        }
    }
}
