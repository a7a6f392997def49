//! Tasks bound from outside: to a shell command, to an endpoint, to an action of OpenWhisk, to an
//! operation of a service, to mocks.

mod command;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "rest")]
mod rest;
#[cfg(feature = "rpc")]
mod rpc;
mod shell;
#[cfg(any(feature = "http", feature = "rest", feature = "rpc"))]
mod variables;

use std::collections::BTreeMap;
use std::path::Path;

#[cfg(unix)]
pub use shell::supervisor::supervise;
#[cfg(feature = "durable")]
use tokio::sync::watch;
use workflow_runtime::machine::{Definition, Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::Mocks;
use workflow_runtime::{Callbacks, Fault, TaskContext, Value};

use crate::cases;

/// What a task is bound to.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// A shell command: JSON in on standard input, JSON out on standard output.
    Command {
        /// The command, for the shell.
        command: String,
        /// The folder it runs in; the current one where empty.
        folder: String,
    },
    /// An endpoint: JSON is posted to it, and it answers with JSON.
    Http {
        /// Its address.
        url: String,
        /// Further headers; `${NAME}` stands for a variable of the environment.
        headers: Vec<(String, String)>,
    },
    /// The replies that a file has for it.
    Mock {
        /// The file.
        file: String,
        /// The run of a case file.
        run: Option<String>,
        /// Whether the file need not have replies for it: then it fails when it is invoked.
        optional: bool,
    },
    /// The action of OpenWhisk that the definition names. The environment tells where the platform
    /// is.
    OpenWhisk,
    /// The operation of a service that the task is.
    Rest {
        /// The address of the service; the environment tells it where there is none here.
        url: Option<String>,
        /// Credentials by the names of security schemes; `${NAME}` stands for a variable of the
        /// environment.
        credentials: Vec<(String, String)>,
    },
    /// The method of a gRPC service that the task is.
    Rpc {
        /// The address of the service; the environment tells it where there is none here.
        address: Option<String>,
        /// A token that it is called with; `${NAME}` stands for a variable of the environment.
        token: Option<String>,
        /// Whether an address `http://…` may be that of another machine.
        plaintext: bool,
    },
    /// Always the same outcome.
    Fixed(Outcome),
}

/// The tasks of a definition with what they are bound to.
pub struct Bound {
    bindings: BTreeMap<String, Binding>,
    mocks: Mocks,
    /// Where outcomes by token go in place of [`Bound::callbacks`], as soon as it is there.
    #[cfg(feature = "durable")]
    engine: Option<watch::Receiver<Option<workflow_sqlite::Engine>>>,
    #[cfg(feature = "openwhisk")]
    openwhisk: Option<workflow_connectors::OpenWhisk>,
    /// By the names of the bindings.
    #[cfg(feature = "rest")]
    rest: BTreeMap<String, workflow_connectors::Rest>,
    /// By the names of the bindings.
    #[cfg(feature = "rpc")]
    rpc: BTreeMap<String, workflow_connectors::Rpc>,
}

impl Bound {
    /// Binds tasks by their keys or by the states that invoke them; states go first. Files of
    /// mocks are read.
    pub fn new(bindings: BTreeMap<String, Binding>, definition: &Definition) -> Result<Bound, String> {
        let mut mocked = BTreeMap::new();
        for (name, binding) in &bindings {
            match binding {
                Binding::Mock { file, run, optional } => {
                    let found = mocks_of(name, file, run.as_deref(), definition)?;
                    if found.is_empty() && !optional {
                        return Err(format!("{} has no replies for `{name}`", shown(file)));
                    }
                    // Two names of one task may lead to the same replies.
                    mocked.extend(found.into_iter().map(|mock| ((file, run, mock.name.clone()), mock)));
                }
                Binding::Http { .. } if cfg!(not(feature = "http")) => {
                    return Err(format!(
                        "`{name}` is bound to an endpoint: turn on the feature `http` of workflow-runner"
                    ));
                }
                Binding::OpenWhisk if cfg!(not(feature = "openwhisk")) => {
                    return Err(format!(
                        "`{name}` is bound to an action of OpenWhisk: turn on the feature `openwhisk` of workflow-runner"
                    ));
                }
                Binding::Rest { .. } if cfg!(not(feature = "rest")) => {
                    return Err(format!(
                        "`{name}` is bound to an operation of a service: turn on the feature `rest` of workflow-runner"
                    ));
                }
                Binding::Rpc { .. } if cfg!(not(feature = "rpc")) => {
                    return Err(format!(
                        "`{name}` is bound to a method of a gRPC service: turn on the feature `rpc` of workflow-runner"
                    ));
                }
                Binding::Http { .. }
                | Binding::OpenWhisk
                | Binding::Rest { .. }
                | Binding::Rpc { .. }
                | Binding::Command { .. }
                | Binding::Fixed(_) => {}
            }
        }
        let mocked: Vec<cases::Mock> = mocked.into_values().collect();
        let mocks = cases::mocks(&mocked, definition);
        #[cfg(feature = "openwhisk")]
        let openwhisk = match bindings.values().any(|binding| *binding == Binding::OpenWhisk) {
            true => Some(openwhisk().map_err(|error| format!("OpenWhisk cannot be called: {error}"))?),
            false => None,
        };
        #[cfg(feature = "rest")]
        let rest = rest::connectors(&bindings, definition)?;
        #[cfg(feature = "rpc")]
        let rpc = rpc::connectors(&bindings, definition)?;
        Ok(Bound {
            bindings,
            mocks,
            #[cfg(feature = "durable")]
            engine: None,
            #[cfg(feature = "openwhisk")]
            openwhisk,
            #[cfg(feature = "rest")]
            rest,
            #[cfg(feature = "rpc")]
            rpc,
        })
    }

    /// Where outcomes of tasks arrive that are told by token.
    pub fn callbacks(&self) -> &Callbacks {
        self.mocks.callbacks()
    }

    /// Lets outcomes by token go to the engine that is sent here.
    #[cfg(feature = "durable")]
    pub fn deliver_to_engine(&mut self) -> watch::Sender<Option<workflow_sqlite::Engine>> {
        let sender = watch::Sender::new(None);
        self.engine = Some(sender.subscribe());
        sender
    }

    /// Whether nothing outside of this program is invoked.
    pub fn is_mocked(&self) -> bool {
        self.bindings.values().all(|binding| matches!(binding, Binding::Mock { .. } | Binding::Fixed(_)))
    }
}

/// The platform that the environment names.
#[cfg(feature = "openwhisk")]
fn openwhisk() -> Result<workflow_connectors::OpenWhisk, workflow_connectors::openwhisk::ConfigError> {
    workflow_connectors::OpenWhisk::from_env()?.build()
}

/// The replies that a file has for a task, by its key or by the states that invoke it.
fn mocks_of(name: &str, file: &str, run: Option<&str>, definition: &Definition) -> Result<Vec<cases::Mock>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let mut mocks = cases::read_mocks(&shown(file), &text, run).map_err(|problem| problem.to_string())?;
    let meant = |task: &&Task| task.key == name || task.state == name;
    mocks.retain(|mock| {
        definition.tasks.iter().filter(meant).any(|task| mock.name == task.key || mock.name == task.state)
    });
    Ok(mocks)
}

fn shown(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

impl Invoke for Bound {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let binding = self.bindings.get(task.state).or_else(|| self.bindings.get(task.key));
        match binding {
            Some(Binding::Mock { .. }) => {
                let outcome = self.mocks.outcome(task, input, cx.clone());
                Box::pin(async move {
                    match outcome.await {
                        Some(outcome) => self.deliver(outcome, &cx).await,
                        None if cx.awaits_callback() => Ok(Value::Null),
                        None => std::future::pending().await,
                    }
                })
            }
            Some(Binding::Fixed(outcome)) => Box::pin(async move { self.deliver(outcome.clone(), &cx).await }),
            Some(Binding::Command { command, folder }) => {
                let run = command::run(command, folder, input, cx.clone());
                Box::pin(async move { self.deliver(run.await, &cx).await })
            }
            #[cfg(feature = "http")]
            Some(Binding::Http { url, headers }) => {
                let run = http::post(url, headers, input, cx.clone());
                Box::pin(async move { self.deliver(run.await, &cx).await })
            }
            #[cfg(feature = "openwhisk")]
            Some(Binding::OpenWhisk) => match &self.openwhisk {
                Some(openwhisk) => openwhisk.invoke(task, input, cx),
                None => unbound(task),
            },
            #[cfg(feature = "rest")]
            Some(Binding::Rest { .. }) => match self.rest.get(task.state).or_else(|| self.rest.get(task.key)) {
                Some(rest) => rest.invoke(task, input, cx),
                None => unbound(task),
            },
            #[cfg(feature = "rpc")]
            Some(Binding::Rpc { .. }) => match self.rpc.get(task.state).or_else(|| self.rpc.get(task.key)) {
                Some(rpc) => rpc.invoke(task, input, cx),
                None => unbound(task),
            },
            _ => unbound(task),
        }
    }
}

/// The tasks that a binding of this name is for: one of a state goes before one of the key.
#[cfg(any(feature = "rest", feature = "rpc"))]
fn tasks_of<'d>(name: &str, bindings: &BTreeMap<String, Binding>, definition: &'d Definition) -> Vec<&'d Task> {
    let meant = |task: &&Task| task.state == name || (task.key == name && !bindings.contains_key(task.state));
    definition.tasks.iter().filter(meant).collect()
}

/// The run of a task that is bound to nothing.
fn unbound<'a>(task: &'static Task) -> TaskFuture<'a> {
    let (key, state) = (task.key, task.state);
    let cause = format!("the task `{key}` of the state `{state}` is bound to nothing: bind it with `--task '{key}=…'`");
    Box::pin(std::future::ready(Err(Fault::runtime(cause))))
}

impl Bound {
    /// The outcome of a task that is to be told by token is told at once.
    async fn deliver(&self, outcome: Outcome, cx: &TaskContext) -> Outcome {
        match (outcome, cx.token()) {
            (Ok(output), Some(token)) if cx.awaits_callback() => {
                self.succeed(token, output).await;
                Ok(Value::Null)
            }
            (outcome, _) => outcome,
        }
    }

    /// A task that was given up meanwhile has no token any more, and needs none.
    async fn succeed(&self, token: &str, output: Value) {
        #[cfg(feature = "durable")]
        if let Some(engine) = &self.engine {
            let opened = engine.clone().wait_for(Option::is_some).await.ok().and_then(|engine| engine.clone());
            if let Some(engine) = opened {
                let _given_up = engine.succeed(token, output).await;
            }
            return;
        }
        let _given_up = self.callbacks().succeed(token, output);
    }
}

/// What a task tells of its error by itself: `{"Error": "Name", "Cause": …}`, in small letters
/// too.
fn told_fault(text: &str) -> Option<Fault> {
    let told = Value::from_json(text.trim()).ok()?;
    let member = |name: &str, small: &str| told.get(name).or_else(|| told.get(small)).cloned();
    let error = member("Error", "error").filter(|error| error.as_str().is_some())?;
    Some(Fault::from_parts(Some(error), member("Cause", "cause")))
}

/// The JSON that a task answers with; nothing is null.
fn answer(text: &str, who: &str) -> Outcome {
    match text.trim() {
        "" => Ok(Value::Null),
        json => Value::from_json(json)
            .map_err(|error| Fault::new("States.TaskFailed", format!("the answer of {who} is not JSON: {error}"))),
    }
}
