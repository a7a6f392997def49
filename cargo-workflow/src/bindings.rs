//! Bindings of tasks: by options, by `workflow.toml`, by a file of mocks.

use crate::arguments::quoted;
use crate::config::{Config, target};
use crate::failure::Failure;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use workflow_compiler::diagnostics::suggest;
use workflow_compiler::model::{Operation, Task};

/// The bindings of the command line.
#[derive(Debug, Default)]
pub struct Bindings {
    tasks: BTreeMap<String, Json>,
    /// The binding of every task that has no `--task`.
    others: Option<Json>,
    /// `true` if tasks without a binding are invoked as OpenWhisk actions.
    openwhisk: bool,
    /// The kinds of service operations to call if they have no other binding, by the names of the
    /// kinds' options.
    operations: BTreeSet<&'static str>,
}

/// A kind of service operations.
struct Kind {
    /// The option that binds them.
    option: &'static str,
    /// The key of the binding in the JSON of the bindings.
    way: &'static str,
    /// A sentence on the effect of the option.
    help: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { option: "rest", way: "rest", help: "use `--rest` to send requests to the services in the environment" },
    Kind {
        option: "http",
        way: "rest",
        help: "use `--http` to send requests to the addresses that the environment allows",
    },
    Kind { option: "rpc", way: "rpc", help: "use `--rpc` to call methods of the services in the environment" },
];

impl Kind {
    fn of(operation: &Operation) -> &'static Kind {
        match operation {
            Operation::Rest(_) => &KINDS[0],
            Operation::Http(_) => &KINDS[1],
            Operation::Rpc(_) => &KINDS[2],
        }
    }
}

/// A task that needs a binding.
#[derive(Debug, Clone, Copy)]
pub struct Open<'a> {
    pub key: &'a str,
    pub state: &'a str,
    /// The operation, if the task is an operation of a service.
    pub operation: Option<&'a Operation>,
}

impl<'a> Open<'a> {
    /// Returns the view of a definition's task.
    pub fn of(task: &'a Task) -> Open<'a> {
        Open { key: &task.key, state: &task.state, operation: task.operation.as_deref() }
    }
}

/// The bindings in the form that a generated program takes.
pub struct Bound {
    /// The value of the program's option `--bindings`.
    pub json: String,
    /// The features of `workflow-runner` that the bindings need.
    pub features: Vec<&'static str>,
}

impl Bindings {
    /// Binds a task by the text `NAME=TARGET` of `--task`.
    pub fn bind(&mut self, text: &str) -> Result<(), Failure> {
        match text.split_once('=') {
            Some((name, to)) if !name.is_empty() && !to.is_empty() => {
                self.tasks.insert(name.to_owned(), target(to, Path::new("")));
                Ok(())
            }
            _ => Err(Failure::with_help(
                format!("invalid binding `--task {text}`"),
                "write `--task 'NAME=COMMAND'`, `NAME=https://…` or `NAME=mock:FILE`",
            )),
        }
    }

    /// Binds every task that has no `--task` to the mocks of `FILE` or `FILE#RUN`.
    pub fn mock_others(&mut self, file: &str) {
        let mut mocks = target(&format!("mock:{file}"), Path::new(""));
        mocks["optional"] = Json::Bool(true);
        self.others = Some(mocks);
    }

    /// Binds every task without another binding to the OpenWhisk action that it names.
    pub fn openwhisk_rest(&mut self) {
        self.openwhisk = true;
    }

    /// Binds every task without another binding to its service operation. `option` is the kind of
    /// operations: `rest`, `http` or `rpc`.
    pub fn operations_rest(&mut self, option: &str) {
        self.operations.extend(KINDS.iter().map(|kind| kind.option).filter(|known| *known == option));
    }

    /// Binds every task that has no `--task` to this outcome.
    pub fn fix_others(&mut self, outcome: Json) {
        self.others = Some(outcome);
    }

    /// Returns `true` if the options or `workflow.toml` bind the task of this name.
    pub fn binds(&self, config: &Config, name: &str) -> Result<bool, Failure> {
        Ok(self.tasks.contains_key(name) || config.tasks()?.contains_key(name))
    }

    /// Resolves the binding of every task. Tasks without a binding and names of unknown tasks are
    /// errors.
    pub fn resolve(self, config: &Config, tasks: &[Open<'_>]) -> Result<Bound, Failure> {
        let known = |name: &str| tasks.iter().any(|task| task.key == name || task.state == name);
        let unknown = self.tasks.keys().find(|name| !known(name));
        if let Some(name) = unknown {
            let names = tasks.iter().flat_map(|task| [task.key, task.state]);
            let help = suggest::did_you_mean(name, names).unwrap_or_else(|| match tasks {
                [] => "the definition has no tasks".to_owned(),
                _ => format!("the tasks are {}", keys(tasks)),
            });
            return Err(Failure::with_help(format!("the definition has no task `{name}`"), help));
        }
        // A `workflow.toml` may serve several definitions: its names that this definition does not
        // have are ignored.
        let mut bound: BTreeMap<String, Json> = match &self.others {
            None => config.tasks()?.into_iter().filter(|(name, _)| known(name)).collect(),
            Some(others) => tasks.iter().map(|task| (task.key.to_owned(), others.clone())).collect(),
        };
        bound.extend(self.tasks);
        let open = |task: &Open<'_>| !bound.contains_key(task.key) && !bound.contains_key(task.state);
        let mut open: Vec<Open<'_>> = tasks.iter().copied().filter(open).collect();
        for task in std::mem::take(&mut open) {
            match task.operation.map(Kind::of).filter(|kind| self.operations.contains(kind.option)) {
                Some(kind) => _ = bound.insert(task.key.to_owned(), json!({ kind.way: true })),
                None => open.push(task),
            }
        }
        let openwhisk = self.openwhisk && !open.is_empty();
        if openwhisk {
            bound.extend(open.drain(..).map(|task| (task.key.to_owned(), json!({ "openwhisk": true }))));
        }
        if let [first, ..] = open[..] {
            let help = match first.operation {
                Some(operation) => Kind::of(operation).help.to_owned(),
                None => format!("use `--task '{}=./task.sh'`, or `--mock case.toml` for all tasks", first.key),
            };
            return Err(Failure::with_help(format!("no binding for {}", keys(&open)), help));
        }
        let urls: Vec<&str> = bound.values().filter_map(|binding| binding.get("http").and_then(Json::as_str)).collect();
        let mut features = match urls.iter().any(|url| url.starts_with("https")) {
            true => vec!["https"],
            false if !urls.is_empty() => vec!["http"],
            false => Vec::new(),
        };
        if openwhisk {
            features.push("openwhisk");
        }
        for way in ["rest", "rpc"] {
            features.extend(bound.values().any(|binding| binding.get(way).is_some()).then_some(way));
        }
        Ok(Bound { json: Json::Object(bound.into_iter().collect::<Map<String, Json>>()).to_string(), features })
    }
}

fn keys(tasks: &[Open<'_>]) -> String {
    let mut keys: Vec<&str> = tasks.iter().map(|task| task.key).collect();
    let mut seen = BTreeSet::new();
    keys.retain(|key| seen.insert(*key));
    quoted(&keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_compiler::model::operation::{Http, Rest, Rpc};

    fn task(key: &'static str, state: &'static str) -> Open<'static> {
        Open { key, state, operation: None }
    }

    #[test]
    fn services_have_the_tasks_that_nothing_else_is_bound_to() {
        let tasks = [task("shop/pay", "pay"), task("print", "print_receipt"), task("log", "log")];
        let mut bindings = Bindings::default();
        bindings.openwhisk_rest();
        assert!(bindings.bind("shop/pay=./pay.sh").is_ok() && bindings.bind("log=http://localhost/").is_ok());
        let bound = bindings.resolve(&Config::default(), &tasks).expect("all are bound");
        let json: Json = serde_json::from_str(&bound.json).expect("JSON");
        assert_eq!(json["print"], json!({ "openwhisk": true }));
        assert!(json["shop/pay"].get("command").is_some() && json["log"].get("http").is_some());
        assert_eq!(bound.features, ["http", "openwhisk"]);

        let mut bindings = Bindings::default();
        bindings.openwhisk_rest();
        assert!(bindings.bind("pay=./pay.sh").is_ok());
        let bound = bindings.resolve(&Config::default(), &tasks[..1]).expect("all are bound");
        assert!(bound.features.is_empty(), "nothing is left for it");
    }

    #[test]
    fn operations_are_bound_to_services_of_their_kind() {
        let rest = Operation::Rest(Rest {
            service: "bank".to_owned(),
            document: "bank.json".to_owned(),
            id: "charge".to_owned(),
            method: "POST".to_owned(),
            path: Vec::new(),
            parameters: Vec::new(),
            body: None,
            server: None,
            security: Vec::new(),
        });
        let rpc = Rpc { service: "acme.Bank".to_owned(), method: "Charge".to_owned(), descriptors: Vec::new() };
        let rpc = Operation::Rpc(rpc);
        let (method, start) = ("GET".to_owned(), "https://api.example.com/".to_owned());
        let http = Operation::Http(Http { method, start, goes_on: true, secrets: Vec::new() });
        let tasks = [
            Open { operation: Some(&rest), ..task("charge", "Charging") },
            Open { operation: Some(&http), ..task("order", "Ordering") },
            Open { operation: Some(&rpc), ..task("book", "Booking") },
            task("log", "log"),
        ];
        let resolved = |options: &[&str]| {
            let mut bindings = Bindings::default();
            options.iter().for_each(|option| bindings.operations_rest(option));
            let log = bindings.bind("log=./log.sh");
            assert!(log.is_ok());
            bindings.resolve(&Config::default(), &tasks)
        };
        let bound = resolved(&["rest", "http", "rpc"]).expect("all are bound");
        let json: Json = serde_json::from_str(&bound.json).expect("JSON");
        let (rest, rpc) = (json!({ "rest": true }), json!({ "rpc": true }));
        assert_eq!([&json["charge"], &json["order"], &json["book"]], [&rest, &rest, &rpc]);
        assert_eq!(bound.features, ["rest", "rpc"]);
        for (options, key, help) in [
            (["rest", "http"], "book", "`--rpc` to call"),
            (["http", "rpc"], "charge", "`--rest` to send"),
            (["rest", "rpc"], "order", "`--http` to send"),
        ] {
            let message = resolved(&options).err().map(|failure| format!("{failure:?}")).expect("one is left");
            assert!(message.contains(&format!("no binding for `{key}`")) && message.contains(help), "{message}");
        }
    }
}
