//! What tasks are bound to: by options, by `workflow.toml`, by a file of mocks.

use crate::arguments::quoted;
use crate::config::{Config, target};
use crate::failure::Failure;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;
use workflow_compiler::diagnostics::suggest;

/// The bindings of the command line.
#[derive(Debug, Default)]
pub struct Bindings {
    tasks: BTreeMap<String, Json>,
    /// What all tasks are bound to that the command line binds to nothing else.
    others: Option<Json>,
    /// Whether tasks that are bound to nothing are actions of OpenWhisk.
    openwhisk: bool,
    /// Whether tasks that are bound to nothing are operations of services.
    rest: bool,
}

/// The bindings as a generated program takes them.
pub struct Bound {
    /// Its option.
    pub json: String,
    /// The features of the runner that they need.
    pub features: Vec<&'static str>,
}

impl Bindings {
    /// `NAME=TARGET`.
    pub fn bind(&mut self, text: &str) -> Result<(), Failure> {
        match text.split_once('=') {
            Some((name, to)) if !name.is_empty() && !to.is_empty() => {
                self.tasks.insert(name.to_owned(), target(to, Path::new("")));
                Ok(())
            }
            _ => Err(Failure::with_help(
                format!("`--task {text}` does not bind a task"),
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

    /// Binds every task that nothing else binds to the action of OpenWhisk that it names.
    pub fn openwhisk_rest(&mut self) {
        self.openwhisk = true;
    }

    /// Binds every task that nothing else binds to the operation of a service that it is.
    pub fn operations_rest(&mut self) {
        self.rest = true;
    }

    /// Binds every task that has no `--task` to one outcome.
    pub fn fix_others(&mut self, outcome: Json) {
        self.others = Some(outcome);
    }

    /// Binds every task, given by key and state, or tells which are left.
    pub fn resolve(self, config: &Config, tasks: &[(&str, &str)]) -> Result<Bound, Failure> {
        let known = |name: &str| tasks.iter().any(|(key, state)| *key == name || *state == name);
        let unknown = self.tasks.keys().find(|name| !known(name));
        if let Some(name) = unknown {
            let names = tasks.iter().flat_map(|(key, state)| [*key, *state]);
            let help = suggest::did_you_mean(name, names).unwrap_or_else(|| match tasks {
                [] => "the definition has no tasks".to_owned(),
                _ => format!("there are {}", keys(tasks)),
            });
            return Err(Failure::with_help(format!("the definition has no task `{name}`"), help));
        }
        // A file may serve several definitions: names that this one does not have are left out.
        let mut bound: BTreeMap<String, Json> = match &self.others {
            None => config.tasks()?.into_iter().filter(|(name, _)| known(name)).collect(),
            Some(others) => tasks.iter().map(|(key, _)| ((*key).to_owned(), others.clone())).collect(),
        };
        bound.extend(self.tasks);
        let open = |(key, state): &(&str, &str)| !bound.contains_key(*key) && !bound.contains_key(*state);
        let mut open: Vec<(&str, &str)> = tasks.iter().copied().filter(open).collect();
        if self.rest {
            bound.extend(open.drain(..).map(|(key, _)| (key.to_owned(), json!({ "rest": true }))));
        }
        let openwhisk = self.openwhisk && !open.is_empty();
        if openwhisk {
            bound.extend(open.drain(..).map(|(key, _)| (key.to_owned(), json!({ "openwhisk": true }))));
        }
        if let [(first, _), ..] = open[..] {
            let example = format!("for example `--task '{first}=./task.sh'`, or `--mock case.toml` for all");
            return Err(Failure::with_help(format!("these tasks are bound to nothing: {}", keys(&open)), example));
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
        if bound.values().any(|binding| binding.get("rest").is_some()) {
            features.push("rest");
        }
        Ok(Bound { json: Json::Object(bound.into_iter().collect::<Map<String, Json>>()).to_string(), features })
    }
}

fn keys(tasks: &[(&str, &str)]) -> String {
    let mut keys: Vec<&str> = tasks.iter().map(|(key, _)| *key).collect();
    let mut seen = std::collections::BTreeSet::new();
    keys.retain(|key| seen.insert(*key));
    quoted(&keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_have_the_tasks_that_nothing_else_is_bound_to() {
        let tasks = [("shop/pay", "pay"), ("print", "print_receipt"), ("log", "log")];
        let mut bindings = Bindings::default();
        bindings.openwhisk_rest();
        assert!(bindings.bind("shop/pay=./pay.sh").is_ok() && bindings.bind("log=http://localhost/").is_ok());
        let bound = bindings.resolve(&Config::default(), &tasks).expect("all are bound");
        let json: Json = serde_json::from_str(&bound.json).expect("JSON");
        assert_eq!(json["print"], json!({ "openwhisk": true }));
        assert!(json["shop/pay"].get("command").is_some() && json["log"].get("http").is_some());
        assert_eq!(bound.features, ["http", "openwhisk"]);

        let mut bindings = Bindings::default();
        bindings.operations_rest();
        assert!(bindings.bind("log=./log.sh").is_ok());
        let bound = bindings.resolve(&Config::default(), &tasks).expect("all are bound");
        let json: Json = serde_json::from_str(&bound.json).expect("JSON");
        assert_eq!(json["print"], json!({ "rest": true }));
        assert_eq!(bound.features, ["rest"]);

        let mut bindings = Bindings::default();
        bindings.openwhisk_rest();
        assert!(bindings.bind("pay=./pay.sh").is_ok());
        let bound = bindings.resolve(&Config::default(), &tasks[..1]).expect("all are bound");
        assert!(bound.features.is_empty(), "nothing is left for it");
    }
}
