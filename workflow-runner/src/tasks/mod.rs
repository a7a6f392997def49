//! Tasks bound by options: to a shell command, to an endpoint, to an OpenWhisk action, to an
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
#[cfg(feature = "callbacks")]
use std::sync::Arc;

#[cfg(unix)]
pub use shell::supervisor::supervise;
#[cfg(feature = "durable")]
use tokio::sync::watch;
use workflow_runtime::fault::names::NO_CALLBACKS;
use workflow_runtime::machine::{Definition, Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::Mocks;
use workflow_runtime::{Callbacks, Fault, TaskContext, Value};

#[cfg(feature = "callbacks")]
use crate::callbacks::{Endpoint, Port};
use crate::cases;
use crate::outcomes::Outcomes;
use crate::progress::clean;

/// The binding of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// A shell command: the input is JSON on standard input, the result is JSON on standard
    /// output.
    Command {
        /// The command, for the shell.
        command: String,
        /// The folder in which it runs; the current folder if empty.
        folder: String,
    },
    /// An HTTP endpoint: the input is posted to it as JSON, and the answer is JSON.
    Http {
        /// The address of the endpoint.
        url: String,
        /// Further headers; `${NAME}` stands for an environment variable.
        headers: Vec<(String, String)>,
    },
    /// The replies in a file of mocks.
    Mock {
        /// The name of the file.
        file: String,
        /// The run of a case file; the first if `None`.
        run: Option<String>,
        /// `true` if the file need not have replies for the task. Without replies, the task fails
        /// when it is invoked.
        optional: bool,
    },
    /// The OpenWhisk action that the definition names. The environment has the address of the
    /// platform.
    OpenWhisk,
    /// The operation of a service that the task is.
    Rest {
        /// The address of the service. Without it, the environment has the address.
        url: Option<String>,
        /// Credentials by the names of security schemes; `${NAME}` stands for an environment
        /// variable.
        credentials: Vec<(String, String)>,
    },
    /// The method of a gRPC service that the task is.
    Rpc {
        /// The address of the service. Without it, the environment has the address.
        address: Option<String>,
        /// The token of calls; `${NAME}` stands for an environment variable.
        token: Option<String>,
        /// `true` if an address `http://…` may be that of another machine.
        plaintext: bool,
    },
    /// The same outcome for every invocation.
    Fixed(Outcome),
}

/// The tasks of a definition with their bindings.
pub struct Bound {
    bindings: BTreeMap<String, Binding>,
    mocks: Mocks,
    outcomes: Outcomes,
    answers: Answers,
    #[cfg(feature = "openwhisk")]
    openwhisk: Option<workflow_connectors::OpenWhisk>,
    /// The connectors, by the names of the bindings.
    #[cfg(feature = "rest")]
    rest: BTreeMap<String, workflow_connectors::Rest>,
    /// The connectors, by the names of the bindings.
    #[cfg(feature = "rpc")]
    rpc: BTreeMap<String, workflow_connectors::Rpc>,
}

/// The source of the outcome of a task that waits for a token. The outcomes of mocks do not depend
/// on it.
#[derive(Clone)]
enum Answers {
    /// No outcome can arrive.
    Nowhere,
    /// The task returns its outcome.
    Task,
    /// The outcome arrives at an endpoint.
    #[cfg(feature = "callbacks")]
    Endpoint(Arc<Endpoint>),
}

impl Bound {
    /// Binds tasks by their keys or by the states that invoke them; states go first. Reads files
    /// of mocks.
    pub fn new(bindings: BTreeMap<String, Binding>, definition: &Definition) -> Result<Bound, String> {
        let mut mocked = BTreeMap::new();
        for (name, binding) in &bindings {
            match binding {
                Binding::Mock { file, run, optional } => {
                    let found = mocks_of(name, file, run.as_deref(), definition)?;
                    if found.is_empty() && !optional {
                        return Err(format!("{} has no replies for `{name}`", shown(file)));
                    }
                    // Two names of one task may have the same replies.
                    mocked.extend(found.into_iter().map(|mock| ((file, run, mock.name.clone()), mock)));
                }
                Binding::Http { .. } if cfg!(not(feature = "http")) => {
                    return Err(format!(
                        "`{name}` is bound to an endpoint: enable the feature `http` of workflow-runner"
                    ));
                }
                Binding::OpenWhisk if cfg!(not(feature = "openwhisk")) => {
                    return Err(format!(
                        "`{name}` is bound to an OpenWhisk action: enable the feature `openwhisk` of workflow-runner"
                    ));
                }
                Binding::Rest { .. } if cfg!(not(feature = "rest")) => {
                    return Err(format!(
                        "`{name}` is bound to an operation of a service: enable the feature `rest` of workflow-runner"
                    ));
                }
                Binding::Rpc { .. } if cfg!(not(feature = "rpc")) => {
                    return Err(format!(
                        "`{name}` is bound to a method of a gRPC service: enable the feature `rpc` of workflow-runner"
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
            true => Some(openwhisk().map_err(|error| format!("cannot call OpenWhisk: {error}"))?),
            false => None,
        };
        #[cfg(feature = "rest")]
        let rest = rest::connectors(&bindings, definition)?;
        #[cfg(feature = "rpc")]
        let rpc = rpc::connectors(&bindings, definition)?;
        Ok(Bound {
            bindings,
            outcomes: Outcomes::new(mocks.callbacks().clone()),
            answers: Answers::Nowhere,
            mocks,
            #[cfg(feature = "openwhisk")]
            openwhisk,
            #[cfg(feature = "rest")]
            rest,
            #[cfg(feature = "rpc")]
            rpc,
        })
    }

    /// Returns the receiver of outcomes by token.
    pub fn callbacks(&self) -> &Callbacks {
        self.outcomes.callbacks()
    }

    /// Returns a channel for the engine. Outcomes by token go to the engine that is sent there.
    #[cfg(feature = "durable")]
    pub fn deliver_to_engine(&mut self) -> watch::Sender<Option<Arc<dyn workflow_runtime::engine::Engine>>> {
        self.outcomes.deliver_to_engine()
    }

    /// Makes the output of each task that waits for a token its outcome.
    pub fn answer_at_once(&mut self) {
        self.answers = Answers::Task;
    }

    /// Receives the outcomes of tasks that wait for a token at a port of this machine.
    #[cfg(feature = "callbacks")]
    pub fn listen(&mut self, port: Port) -> Result<Arc<Endpoint>, String> {
        let endpoint = Arc::new(Endpoint::open(port, self.outcomes.clone())?);
        self.answers = Answers::Endpoint(endpoint.clone());
        Ok(endpoint)
    }

    /// Returns `true` if all tasks are mocked, so that nothing outside this program is invoked.
    pub fn is_mocked(&self) -> bool {
        self.bindings.values().all(|binding| matches!(binding, Binding::Mock { .. } | Binding::Fixed(_)))
    }
}

/// Returns a connector to the platform that the environment names.
#[cfg(feature = "openwhisk")]
fn openwhisk() -> Result<workflow_connectors::OpenWhisk, workflow_connectors::openwhisk::ConfigError> {
    workflow_connectors::OpenWhisk::from_env()?.build()
}

/// Reads the replies of a file for a task, which `name` gives by its key or by a state that
/// invokes it.
fn mocks_of(name: &str, file: &str, run: Option<&str>, definition: &Definition) -> Result<Vec<cases::Mock>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let mut mocks = cases::read_mocks(&shown(file), &text, run).map_err(|problem| problem.to_string())?;
    let meant = |task: &&Task| task.key == name || task.state == name;
    mocks.retain(|mock| {
        definition.tasks.iter().copied().filter(meant).any(|task| mock.name == task.key || mock.name == task.state)
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
                return Box::pin(async move {
                    match outcome.await {
                        Some(outcome) => self.deliver(outcome, &cx).await,
                        None if cx.awaits_callback() => Ok(self.hand_over(&cx)),
                        None => std::future::pending().await,
                    }
                });
            }
            Some(Binding::Fixed(outcome)) => {
                return Box::pin(async move { self.deliver(outcome.clone(), &cx).await });
            }
            _ => {}
        }
        if let (true, Answers::Nowhere) = (cx.awaits_callback(), &self.answers) {
            return Box::pin(std::future::ready(Err(Fault::new(NO_CALLBACKS, NOWHERE).uncatchable())));
        }
        let run = self.run(binding, task, input, cx.clone());
        Box::pin(async move {
            match (run.await, &self.answers) {
                (Ok(_), answers) if cx.awaits_callback() && !matches!(answers, Answers::Task) => {
                    Ok(self.hand_over(&cx))
                }
                (outcome, Answers::Task) => self.deliver(outcome, &cx).await,
                (outcome, _) => outcome,
            }
        })
    }
}

/// The most characters of an answer that a message shows.
const MOST_SHOWN: usize = 200;

/// The cause of a token that cannot be answered.
const NOWHERE: &str = "the task waits for an outcome by token: add `--callback-port PORT`, with which the program receives one. It \
    needs the feature `callbacks` of workflow-runner";

impl Bound {
    /// Invokes a task outside of this program.
    fn run<'a>(
        &'a self,
        binding: Option<&'a Binding>,
        task: &'static Task,
        input: Value,
        cx: TaskContext,
    ) -> TaskFuture<'a> {
        match binding {
            Some(Binding::Command { command, folder }) => {
                let callback = self.callback_url(&cx);
                Box::pin(command::run(command, folder, callback, input, cx))
            }
            #[cfg(feature = "http")]
            Some(Binding::Http { url, headers }) => {
                let callback = self.callback_url(&cx);
                Box::pin(http::post(url, headers, callback, input, cx))
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

    /// Returns the address for the answers of a task that waits for its token.
    fn callback_url(&self, cx: &TaskContext) -> Option<String> {
        #[cfg(feature = "callbacks")]
        if let (true, Some(token), Answers::Endpoint(endpoint)) = (cx.awaits_callback(), cx.token(), &self.answers) {
            return Some(endpoint.url(token));
        }
        let _no_address = cx;
        None
    }

    /// Announces that a task waits for its token, and returns null for its invocation.
    fn hand_over(&self, cx: &TaskContext) -> Value {
        #[cfg(feature = "callbacks")]
        if let (Some(token), Answers::Endpoint(endpoint)) = (cx.token(), &self.answers) {
            endpoint.announce(cx.task().state, token);
        }
        let _never_answered = cx;
        Value::Null
    }
}

/// Returns the tasks that a binding of this name is for. A binding of a state goes before a
/// binding of the key.
#[cfg(any(feature = "rest", feature = "rpc"))]
fn tasks_of<'d>(name: &str, bindings: &BTreeMap<String, Binding>, definition: &'d Definition) -> Vec<&'d Task> {
    let meant = |task: &&Task| task.state == name || (task.key == name && !bindings.contains_key(task.state));
    definition.tasks.iter().copied().filter(meant).collect()
}

/// Returns the failure of a task without a binding.
fn unbound<'a>(task: &'static Task) -> TaskFuture<'a> {
    let (key, state) = (task.key, task.state);
    let cause = format!("the task `{key}` of the state `{state}` has no binding: add `--task '{key}=…'`");
    Box::pin(std::future::ready(Err(Fault::runtime(cause))))
}

impl Bound {
    /// Delivers the output of a task that completes by token at once, and returns null for its
    /// invocation.
    async fn deliver(&self, outcome: Outcome, cx: &TaskContext) -> Outcome {
        match (outcome, cx.token()) {
            (Ok(output), Some(token)) if cx.awaits_callback() => {
                // The token of a task that was abandoned in the meantime is unknown.
                let _abandoned = self.outcomes.deliver(token, Ok(output)).await;
                Ok(Value::Null)
            }
            (outcome, _) => outcome,
        }
    }
}

/// Reads a fault from the text of a task: `{"Error": "Name", "Cause": …}`, or with lower-case
/// keys.
fn read_fault(text: &str) -> Option<Fault> {
    let value = Value::from_json(text.trim()).ok()?;
    let member = |name: &str, small: &str| value.get(name).or_else(|| value.get(small)).cloned();
    let error = member("Error", "error").filter(|error| error.as_str().is_some())?;
    Some(Fault::from_parts(Some(error), member("Cause", "cause")))
}

/// Reads the JSON answer of a task. An empty answer is null.
fn answer(text: &str, who: &str) -> Outcome {
    match text.trim() {
        "" => Ok(Value::Null),
        json => Value::from_json(json).map_err(|error| {
            let shown = clean(json, MOST_SHOWN);
            Fault::new("States.TaskFailed", format!("the response of {who} is not JSON: {error}: `{shown}`"))
        }),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use workflow_runtime::{Workflow, include_workflow, testing};

    use super::*;

    include_workflow!("tests/flows/refund.asl.json");
    use refund::Refund;

    #[test]
    fn a_token_that_cannot_be_answered_is_no_error_of_the_task() {
        let bound = Bound::new(BTreeMap::new(), Refund::DEFINITION).expect("no bindings");
        let key = "sqs:sendMessage";
        let task = Refund::DEFINITION.tasks.iter().find(|task| task.key == key).expect("a task");
        let cx = testing::task_context::<Refund>(key).expect("a task");
        let outcome = bound.invoke(task, Value::Null, cx).now_or_never().expect("it fails at once");
        let fault = outcome.expect_err("nobody can answer");
        assert_eq!(fault.error(), Some(NO_CALLBACKS));
        // A catcher of `States.ALL` must not take the program's mistake for one of the task.
        assert!(fault.is_uncatchable() && !fault.is(&["States.ALL", NO_CALLBACKS]));
    }

    #[test]
    fn an_answer_that_is_not_json_is_shown() {
        let cause = |text: &str| answer(text, "`x`").expect_err("it is not JSON").to_string();
        let cause_of = |text: &str, shown: &str| {
            let cause = cause(text);
            assert!(cause.starts_with("States.TaskFailed: the response of `x` is not JSON: "), "{cause}");
            assert!(cause.ends_with(&format!(": `{shown}`")), "{cause}");
        };
        cause_of("done:\n\u{1b}[2J7\n", "done: \u{fffd}[2J7");
        cause_of(&"x".repeat(10_000), &format!("{}…", "x".repeat(199)));
        assert_eq!(answer(" \n", "`x`").ok(), Some(Value::Null));
    }
}
