//! The options that select the engine and the place of executions.

use std::path::PathBuf;

use crate::command_line::Kind;

/// The place of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Where {
    /// The default of the program.
    Default,
    /// In memory only.
    Memory,
    /// In the database with this path.
    Database(PathBuf),
    /// On the Restate server with this ingress address.
    #[cfg(feature = "restate")]
    Restate(String),
}

/// The engines that `--engine` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Memory,
    #[cfg(feature = "restate")]
    Restate,
}

impl Engine {
    /// Returns the engine of this name. Engines that are not built in are an error.
    pub fn named(name: &str) -> Result<Engine, String> {
        match name {
            "sqlite" => Ok(Engine::Sqlite),
            "memory" => Ok(Engine::Memory),
            #[cfg(feature = "restate")]
            "restate" => Ok(Engine::Restate),
            #[cfg(not(feature = "restate"))]
            "restate" => Err(
                "this program was built without `--engine restate`: enable the feature `restate` of `workflow-runner` \
                 in Cargo.toml, `features = [\"durable\", \"restate\"]`"
                    .to_owned(),
            ),
            _ => Err(format!("`--engine {name}`: expected one of `sqlite`, `memory`, `restate`")),
        }
    }
}

/// The options of `run` that select the place of its execution.
#[derive(Default)]
pub(crate) struct EngineOptions {
    pub engine: Option<Engine>,
    pub db: Option<PathBuf>,
    pub memory: bool,
    pub ingress: Option<String>,
}

impl EngineOptions {
    /// Returns the place that the options select in a program of this kind. Contradictory options
    /// are errors.
    pub fn decide(self, kind: Kind) -> Result<Where, String> {
        let refused = |reason: &str| Err(reason.to_owned());
        if self.memory && self.db.is_some() {
            return refused("`--memory` cannot be used with `--db`");
        }
        match self.engine {
            #[cfg(feature = "restate")]
            Some(Engine::Restate) => return self.on_restate(kind),
            _ if self.ingress.is_some() => return refused("`--ingress` needs `--engine restate`"),
            Some(Engine::Memory) if self.db.is_some() => {
                return refused("`--db` cannot be used with `--engine memory`");
            }
            Some(Engine::Sqlite) if self.memory => {
                return refused("`--memory` cannot be used with `--engine sqlite`");
            }
            Some(Engine::Sqlite) if !kind.can_keep() => return refused(IN_MEMORY),
            Some(Engine::Sqlite) if kind == Kind::Bound && self.db.is_none() => {
                return refused("`--engine sqlite` needs a database: add `--db FILE`");
            }
            _ => {}
        }
        Ok(match self.db {
            Some(db) => Where::Database(db),
            None if self.memory || self.engine == Some(Engine::Memory) => Where::Memory,
            None => Where::Default,
        })
    }

    #[cfg(feature = "restate")]
    fn on_restate(self, kind: Kind) -> Result<Where, String> {
        let reason = match kind {
            Kind::Durable if self.db.is_some() => {
                "`--db` cannot be used with `--engine restate`: the Restate server keeps the executions"
            }
            Kind::Durable if self.memory => {
                "`--memory` cannot be used with `--engine restate`: the Restate server keeps the executions"
            }
            Kind::Durable => return crate::engines::restate::ingress(self.ingress).map(Where::Restate),
            Kind::InMemory => IN_MEMORY,
            Kind::Bound => {
                "`--engine restate` needs a program that serves the tasks, because tasks that options bind exist only during `run`: \
                 create one with `cargo workflow new`"
            }
        };
        Err(reason.to_owned())
    }
}

const IN_MEMORY: &str =
    "this program keeps executions only in memory: use `workflow_runner::Durable` for other engines";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_together_is_refused() {
        let db = || Some(PathBuf::from("x.db"));
        let engine = Engine::named("memory").ok();
        let decide =
            |options: EngineOptions| options.decide(Kind::Bound).map_err(|reason| reason.chars().take(8).collect());
        let both = EngineOptions { db: db(), memory: true, ..EngineOptions::default() };
        assert_eq!(decide(both), Err::<Where, String>("`--memor".to_owned()));
        assert_eq!(decide(EngineOptions { engine, db: db(), ..EngineOptions::default() }), Err("`--db` c".to_owned()));
        let ingress = Some("http://127.0.0.1:8080".to_owned());
        assert_eq!(decide(EngineOptions { engine, ingress, ..EngineOptions::default() }), Err("`--ingre".to_owned()));
        assert_eq!(decide(EngineOptions { engine, ..EngineOptions::default() }), Ok(Where::Memory));
        assert_eq!(decide(EngineOptions { db: db(), ..EngineOptions::default() }), Ok(Where::Database("x.db".into())));
        assert!(Engine::named("mysql").is_err_and(|error| error.contains("expected one of `sqlite`")));
    }

    #[cfg(not(feature = "restate"))]
    #[test]
    fn an_engine_that_is_not_built_in_says_how_it_is() {
        assert!(Engine::named("restate").is_err_and(|error| error.contains("the feature `restate`")));
    }

    #[cfg(feature = "restate")]
    #[test]
    fn restate_keeps_executions_itself() {
        let options = |db: Option<PathBuf>, ingress: Option<&str>| EngineOptions {
            engine: Some(Engine::Restate),
            db,
            memory: false,
            ingress: ingress.map(str::to_owned),
        };
        let default = Where::Restate("http://127.0.0.1:8080".to_owned());
        assert_eq!(options(None, None).decide(Kind::Durable), Ok(default));
        assert!(
            options(Some("x.db".into()), None).decide(Kind::Durable).is_err_and(|error| error.starts_with("`--db`"))
        );
        assert_eq!(options(None, Some("https://a")).decide(Kind::Durable).is_ok(), cfg!(feature = "restate-tls"));
        assert!(options(None, None).decide(Kind::InMemory).is_err());
        assert!(options(None, None).decide(Kind::Bound).is_err());
    }
}
