//! `run`: generates a program around a definition, and runs it.

use super::answer::port;
use crate::arguments::{Argument, Arguments, quoted};
use crate::bindings::{Bindings, Open};
use crate::failure::Failure;
use crate::generate::{Kind, Origin, program};
use crate::options::{Common, setting};
use crate::source;
use crate::stores::{Needs, Stores};
use std::collections::BTreeMap;
use std::ffi::OsString;
use workflow_compiler::compile;

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut bindings = Bindings::default();
    let mut settings = BTreeMap::new();
    let (mut passed, mut release, mut origin) = (Vec::<OsString>::new(), false, None);
    let mut callback_port = None;
    let mut stores = Stores::default();
    let (mut durable, mut keyed, mut sends, mut quiet) = (false, false, None, false);
    passed.push("run".into());
    while let Some(argument) = arguments.next()? {
        let Argument::Option(name) = &argument else {
            common.take(argument, &mut arguments)?;
            continue;
        };
        match name.as_str() {
            "task" => bindings.bind(&arguments.string()?)?,
            "mock" => bindings.mock_others(&arguments.string()?),
            "openwhisk" => bindings.openwhisk_rest(),
            "rest" | "http" | "rpc" => bindings.operations_rest(name),
            "set" => settings.extend([setting(&arguments.string()?)?]),
            "progress" => {
                let mode = arguments.value()?;
                quiet = mode == "none";
                passed.extend(["--progress".into(), mode]);
            }
            "input" | "history" => passed.extend([format!("--{name}").into(), arguments.value()?]),
            "execution" | "id" => passed.extend(["--id".into(), arguments.value()?]),
            "db" => {
                passed.extend(["--db".into(), arguments.value()?]);
                durable = true;
            }
            "sink" | "sink-token-env" | "sink-token-file" => {
                let value = arguments.value()?;
                let is_nats = ["nats://", "tls://"].iter().any(|scheme| value.to_string_lossy().starts_with(scheme));
                sends = Some(if is_nats { "nats" } else { sends.unwrap_or("events") });
                passed.extend([format!("--{name}").into(), value]);
            }
            "store" => stores.add(&arguments.string()?)?,
            "key" => {
                passed.extend(["--key".into(), arguments.value()?]);
                keyed = true;
            }
            "callback-port" => callback_port = Some(port(name, &arguments.string()?)?),
            "engine" => one_that_runs_here(&arguments.string()?)?,
            "release" => release = true,
            "runtime" => origin = Some(Origin::parse(&arguments.string()?)?),
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let file = common.file("run")?;
    let (compiled, _) = source::accept(file, &common, compile)?;
    let config = common.config(file)?;
    let Some(workflow) = &compiled.workflow else { return Err(Failure::new("the definition was refused")) };
    let tasks: Vec<Open<'_>> = workflow.tasks.iter().map(Open::of).collect();
    let bound = bindings.resolve(&config, &tasks)?;
    let set_options = |settings: BTreeMap<String, String>| {
        settings.into_iter().flat_map(|(name, value)| ["--set".into(), OsString::from(format!("{name}={value}"))])
    };
    let mut all_settings = config.settings()?;
    all_settings.extend(settings);
    let missing = workflow.settings.iter().map(|(_, name)| name).filter(|name| !all_settings.contains_key(*name));
    let missing: Vec<&String> = missing.collect();
    if !missing.is_empty() {
        let help = "set them with `--set NAME=VALUE` or in `[settings]` of `workflow.toml`, or replace them at compile time with `--substitute`";
        return Err(Failure::with_help(format!("settings without a value: {}", quoted(&missing)), help));
    }
    passed.extend(set_options(all_settings));
    passed.extend(["--bindings".into(), bound.json.into()]);
    let origin = origin.unwrap_or_else(Origin::of_this_program);
    let mut features = bound.features;
    features.extend(sends);
    let needs = Needs { distributed_maps: workflow.has_distributed_maps(), parquet: workflow.reads_parquet() };
    stores.pass_on(config.stores()?, needs, &mut features, &mut passed)?;
    features.sort_unstable();
    features.dedup();
    match (workflow.waits_for_tokens(), callback_port) {
        (true, port) => {
            features.push("callbacks");
            let port = port.map_or_else(|| "auto".into(), |port| port.to_string().into());
            passed.extend(["--callback-port".into(), port]);
        }
        (false, Some(port)) => {
            let message = format!("`--callback-port {port}`: no task of the definition waits for a token");
            return Err(Failure::with_help(message, "remove the option"));
        }
        (false, None) => {}
    }
    if durable {
        features.push("durable");
    } else if keyed {
        return Err(Failure::with_help("`--key` needs a database", "add `--db FILE`"));
    }
    program(file, &compiled, Kind::Whole, &origin, &features)?.quietly(quiet).run(release, &passed)
}

/// Checks that an engine can run executions in the process of `run`: in memory, or in a database
/// that `--db` names.
fn one_that_runs_here(engine: &str) -> Result<(), Failure> {
    let (problem, help) = match engine {
        "restate" => (
            "`cargo workflow run` does not support `--engine restate`",
            "create a program with `cargo workflow new`, enable the feature `restate` of its `workflow-runner`, and run `serve --engine restate`",
        ),
        _ => {
            ("unknown option `--engine` of `cargo workflow run`", "use `--db FILE` to keep the execution in a database")
        }
    };
    Err(Failure::with_help(problem, help))
}
