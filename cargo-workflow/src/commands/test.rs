//! `test`: runs the cases beside a definition, or a single state of it.

use crate::arguments::{Argument, Arguments};
use crate::bindings::{Bindings, Open};
use crate::config::Config;
use crate::failure::Failure;
use crate::generate::{Kind, Origin, program};
use crate::options::{Common, setting};
use crate::source;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use workflow_compiler::diagnostics::suggest;
use workflow_compiler::hir::{StepKind, Workflow};
use workflow_compiler::model::ScopeId;
use workflow_compiler::{Options, compile};
use workflow_tools::single_state::{compile_mocked_state, compile_state, has_branches_or_iterations};

#[derive(Default)]
struct Wanted {
    common: Common,
    cases: Option<PathBuf>,
    /// The options for the program that runs the cases.
    passed_on: Vec<OsString>,
    origin: Option<Origin>,
    state: Option<String>,
    trial: Trial,
}

/// The options of the run of a single state.
#[derive(Default)]
struct Trial {
    input: Option<OsString>,
    settings: BTreeMap<String, String>,
    bindings: Bindings,
    result: Option<Json>,
    error: Option<String>,
    cause: Option<String>,
    /// `true` if the outcome is that of the branches or iterations, which do not run.
    whole: bool,
    /// The number of retries before the attempt that is shown.
    retries: Option<u32>,
    /// The items that the reader of a distributed Map finds.
    items: Option<Json>,
    /// The number of items that have failed.
    failures: Option<u32>,
    /// The context object.
    context: Option<Json>,
    /// The first given option that only the run of a single state has, for messages.
    option: Option<String>,
}

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut wanted = Wanted::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(name) => wanted.option(name, &mut arguments)?,
            file => wanted.common.take(file, &mut arguments)?,
        }
    }
    let file = wanted.common.file("test")?.to_owned();
    match &wanted.state {
        Some(state) => try_state(&file, state.clone(), wanted),
        None => match &wanted.trial.option {
            Some(option) => Err(Failure::with_help(format!("`--{option}` needs a single state"), "add `--state NAME`")),
            None => run_cases(&file, wanted),
        },
    }
}

impl Wanted {
    fn option(&mut self, name: String, arguments: &mut Arguments) -> Result<(), Failure> {
        match name.as_str() {
            "cases" => self.cases = Some(arguments.value()?.into()),
            "run" | "min-coverage" | "format" => {
                self.passed_on.extend([format!("--{name}").into(), arguments.value()?]);
            }
            "state" => self.state = Some(arguments.string()?),
            "runtime" => self.origin = Some(Origin::parse(&arguments.string()?)?),
            "input" | "set" | "task" | "result" | "error" | "cause" | "whole" | "retries" | "context" | "items"
            | "failures" => {
                self.trial.option(&name, arguments)?;
                self.trial.option.get_or_insert(name);
            }
            _ => self.common.take(Argument::Option(name), arguments)?,
        }
        Ok(())
    }
}

impl Trial {
    fn option(&mut self, name: &str, arguments: &mut Arguments) -> Result<(), Failure> {
        match name {
            "input" => self.input = Some(arguments.value()?),
            "set" => self.settings.extend([setting(&arguments.string()?)?]),
            "task" => self.bindings.bind(&arguments.string()?)?,
            "result" => self.result = Some(json("result", &arguments.string()?)?),
            "whole" => self.whole = true,
            "retries" => self.retries = Some(count("retries", &arguments.string()?)?),
            "failures" => self.failures = Some(count("failures", &arguments.string()?)?),
            "items" => {
                let items = json("items", &arguments.string()?)?;
                if !items.is_array() && !items.is_object() {
                    return Err(Failure::new(format!("`--items {items}` is neither an array nor an object")));
                }
                self.items = Some(items);
            }
            "context" => {
                let context = json("context", &arguments.string()?)?;
                if !context.is_object() {
                    return Err(Failure::new(format!("`--context {context}` is not an object")));
                }
                self.context = Some(context);
            }
            "error" => self.error = Some(arguments.string()?),
            _ => self.cause = Some(arguments.string()?),
        }
        Ok(())
    }

    /// Returns the outcome of the task that the options give, in the JSON form of a binding.
    fn outcome(&self) -> Result<Option<Json>, Failure> {
        match (&self.result, &self.error, &self.cause) {
            (Some(_), Some(_), _) => Err(Failure::new("`--result` cannot be used with `--error`")),
            (Some(result), None, None) => Ok(Some(json!({ "ok": result }))),
            (None, Some(error), cause) => Ok(Some(json!({ "error": error, "cause": cause }))),
            (_, None, Some(_)) => Err(Failure::new("`--cause` needs `--error`")),
            (None, None, None) => Ok(None),
        }
    }
}

/// Reads the value of an option that is a number of retries or failures.
fn count(option: &str, text: &str) -> Result<u32, Failure> {
    text.parse().map_err(|_| Failure::new(format!("`--{option} {text}` is not a number of {option}")))
}

/// Reads the value of an option that is JSON.
fn json(option: &str, text: &str) -> Result<Json, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::new(format!("`--{option} {text}` is not JSON: {error}")))
}

fn run_cases(file: &Path, wanted: Wanted) -> Result<u8, Failure> {
    let cases = match wanted.cases {
        Some(cases) => cases,
        None => cases_beside(file)?,
    };
    let (compiled, _) = source::accept(file, &wanted.common, compile)?;
    let origin = wanted.origin.unwrap_or_else(Origin::of_this_program);
    let program = program(file, &compiled, Kind::Whole, &origin, &[])?;
    let mut arguments: Vec<OsString> = vec!["test".into(), cases.into()];
    arguments.extend(wanted.passed_on);
    program.run(false, &arguments)
}

/// Returns the case file of a definition: for `order.asl.json` it is `order.case.toml` or
/// `case.toml` in the same folder.
fn cases_beside(file: &Path) -> Result<PathBuf, Failure> {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stem = name.split('.').next().unwrap_or(&name);
    let own = file.with_file_name(format!("{stem}.case.toml"));
    let shared = file.with_file_name("case.toml");
    if let Some(found) = [&own, &shared].into_iter().find(|file| file.is_file()) {
        return Ok(found.clone());
    }
    let message = format!("found neither `{}` nor `{}`", own.display(), shared.display());
    Err(Failure::with_help(
        message,
        "write one as `cargo workflow help cases` describes, or name another file with `--cases FILE`",
    ))
}

fn try_state(file: &Path, state: String, wanted: Wanted) -> Result<u8, Failure> {
    if wanted.cases.is_some() {
        return Err(Failure::new("`--state` cannot be used with `--cases`"));
    }
    if let Some(option) = wanted.passed_on.first() {
        return Err(Failure::new(format!("`--state` cannot be used with `{}`", option.to_string_lossy())));
    }
    let whole = wanted.trial.whole;
    let compile = |source, options: &Options| {
        let options = Options { inspect: true, ..options.clone() };
        match whole {
            true => compile_mocked_state(source, &options, &state),
            false => compile_state(source, &options, &state),
        }
    };
    let (compiled, _) = source::accept(file, &wanted.common, compile)?;
    let Some(workflow) = &compiled.workflow else { return Err(Failure::new("the definition was refused")) };
    if compiled.tokens.is_none() {
        let authored = workflow.states().filter(|(_, state)| !state.is_synthetic);
        let names = authored.map(|(_, state)| &*state.name.value);
        let help = suggest::did_you_mean(&state, names)
            .unwrap_or_else(|| "use `cargo workflow graph` to show the states".to_owned());
        return Err(Failure::with_help(format!("the definition has no state `{state}`"), help));
    }
    if whole && !has_branches_or_iterations(workflow, &state) {
        return Err(Failure::new(format!("`--whole`: the state `{state}` has no branches or iterations")));
    }
    check_map(&wanted.trial, map_in_state(workflow, &state), &state)?;
    let config = wanted.common.config(file)?;
    let arguments = trial_arguments(wanted.trial, &config, workflow, &state)?;
    let origin = wanted.origin.unwrap_or_else(Origin::of_this_program);
    program(file, &compiled, Kind::State, &origin, &arguments.1)?.run(false, &arguments.0)
}

/// The kind of a Map state.
#[derive(Clone, Copy, PartialEq)]
enum MapKind {
    Inline,
    Distributed { has_reader: bool },
}

/// Returns the kind of the Map that the state of this name is.
fn map_in_state(workflow: &Workflow, name: &str) -> Option<MapKind> {
    let mut found = None;
    for (_, state) in workflow.states().filter(|(_, state)| !state.is_synthetic && *state.name.value == *name) {
        state.body.walk_steps(&mut |step| match &step.kind {
            StepKind::ForEach(_) => found = Some(MapKind::Inline),
            StepKind::DistributedMap(map) => found = Some(MapKind::Distributed { has_reader: map.reader.is_some() }),
            _ => {}
        });
    }
    found
}

/// Fails if there are options for Maps that have no effect on this state.
fn check_map(trial: &Trial, map: Option<MapKind>, state: &str) -> Result<(), Failure> {
    if trial.items.is_some() && map != Some(MapKind::Distributed { has_reader: true }) {
        let message = format!("`--items`: the state `{state}` is no distributed Map with an `ItemReader`");
        return Err(match map {
            Some(_) => Failure::with_help(message, "its items are those of its input: use `--input`"),
            None => Failure::new(message),
        });
    }
    if trial.items.is_some() && trial.whole && trial.failures.is_none() {
        let message = "`--items` has no effect with `--whole`: the reader does not run";
        return Err(Failure::with_help(message, "add `--failures N`, or remove `--whole`"));
    }
    match (trial.failures, map) {
        (Some(_), None) => Err(Failure::new(format!("`--failures`: the state `{state}` is no Map"))),
        (Some(_), Some(_)) if !trial.whole => {
            Err(Failure::with_help("`--failures` needs a result in place of the iterations", "add `--whole`"))
        }
        _ => Ok(()),
    }
}

fn trial_arguments(
    mut trial: Trial,
    config: &Config,
    workflow: &Workflow,
    state: &str,
) -> Result<(Vec<OsString>, Vec<&'static str>), Failure> {
    match trial.outcome()? {
        Some(outcome) => trial.bindings.fix_others(outcome),
        None if trial.whole && !trial.bindings.binds(config, state)? => {
            return Err(Failure::new("`--whole` needs `--result`, `--error` or `--task`"));
        }
        None => {}
    }
    // Besides the state's own tasks, one task stands for its branches or iterations.
    let inside = if trial.whole { vec![state] } else { states_inside(workflow, state) };
    let tasks = workflow.tasks.iter().filter(|task| inside.contains(&&*task.state));
    let mut tasks: Vec<Open<'_>> = tasks.map(Open::of).collect();
    if trial.whole {
        tasks.push(Open { key: state, state, operation: None });
    }
    let bound = trial.bindings.resolve(config, &tasks)?;
    let mut settings = config.settings()?;
    settings.extend(trial.settings);
    let mut arguments: Vec<OsString> = vec!["inspect".into(), "--bindings".into(), bound.json.into()];
    if let Some(input) = trial.input {
        arguments.extend(["--input".into(), input]);
    }
    if let Some(retries) = trial.retries {
        arguments.extend(["--retries".into(), retries.to_string().into()]);
    }
    if let Some(items) = trial.items {
        arguments.extend(["--items".into(), format!("{state}={items}").into()]);
    }
    if let Some(failures) = trial.failures {
        arguments.extend(["--failures".into(), failures.to_string().into()]);
    }
    if let Some(context) = trial.context {
        arguments.extend(["--context".into(), context.to_string().into()]);
    }
    for (name, value) in settings {
        arguments.extend(["--set".into(), format!("{name}={value}").into()]);
    }
    Ok((arguments, bound.features))
}

/// Returns the name of a state and the names of the states in its branches and iterations.
fn states_inside<'w>(workflow: &'w Workflow, state: &str) -> Vec<&'w str> {
    let mut names: Vec<&str> =
        workflow.states().map(|(_, found)| &*found.name.value).filter(|name| *name == state).collect();
    let mut scopes: Vec<ScopeId> = Vec::new();
    // A scope comes before the scopes nested in it.
    for (at, scope) in workflow.scopes.iter().enumerate() {
        let within = scope.parent.as_ref().is_some_and(|(outer, by)| **by == *state || scopes.contains(outer));
        if within {
            scopes.push(ScopeId(at as u32));
            names.extend(scope.states.iter().map(|state| &*state.name.value));
        }
    }
    names
}
