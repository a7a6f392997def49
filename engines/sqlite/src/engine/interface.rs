//! The interface that all engines have in common.

use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use workflow_runtime::CloudEvent;
use workflow_runtime::engine::{
    Capabilities, Capability, Counts, Description, EngineError, EngineFuture, Filter, HistoryPage, MapUpdate,
    Publication, Purge, Reached, Signal, StartRequest, StartTime, Started, Summary, TaskToken, WaitsAt,
};
use workflow_runtime::machine::{Definition, Outcome};

use super::{Engine, Execution};
use crate::{Error, executions, view};

/// Size of an input in bytes of JSON above which its check and its hash would delay other tasks of
/// the same thread.
const LARGE: u64 = 64 << 10;

impl Engine {
    /// Reads from the database on a thread on which reading may block.
    async fn reading<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Engine) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, EngineError> {
        let engine = self.clone();
        match spawn_blocking(move || read(&engine)).await {
            Ok(found) => found.map_err(EngineError::from),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The tokio runtime is about to end.
                Err(_) => Err(EngineError::Stopped),
            },
        }
    }

    /// Returns the execution of this id.
    async fn found(&self, id: &str) -> Result<Execution, EngineError> {
        let id = id.to_owned();
        self.reading(move |engine| engine.execution(&id)).await
    }

    async fn submit(&self, request: StartRequest) -> Result<Execution, Error> {
        let mut submit = self.start_named(&request.workflow, request.input)?.settings(request.settings);
        if let Some(id) = request.id {
            submit = submit.id(id);
        }
        if let Some(key) = request.key {
            submit = submit.key(key);
        }
        if let Some(correlation) = request.correlation {
            submit = submit.correlate(correlation);
        }
        submit = match request.time {
            StartTime::After(delay) => submit.after(delay),
            StartTime::At(time) => submit.at(time),
            _ => submit,
        };
        submit.submit().await
    }
}

impl workflow_runtime::engine::Engine for Engine {
    fn capabilities(&self) -> Capabilities {
        let all = Capabilities::all("sqlite");
        match &self.shared.settings.measures {
            Some(_) => all,
            None => all.without(Capability::Counts, "open it with `Builder::measures`"),
        }
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        let current = |name| self.shared.registry.current(name).map(|one| one.program.definition);
        self.shared.registry.names().into_iter().filter_map(current).collect()
    }

    fn start(&self, request: StartRequest) -> EngineFuture<'_, Started> {
        Box::pin(async move {
            let execution = match request.input.json_len(LARGE) {
                Ok(_) => self.submit(request).await?,
                Err(_) => {
                    let runtime = Handle::current();
                    self.reading(move |engine| runtime.block_on(engine.submit(request))).await?
                }
            };
            Ok(Started::new(execution.id(), execution.is_new()))
        })
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move { Ok(self.found(id).await?.result().await?) })
    }

    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        Box::pin(async move { Ok(self.found(id).await?.cancel(cause).await?) })
    }

    fn redrive<'a>(&'a self, id: &'a str) -> EngineFuture<'a, ()> {
        Box::pin(async move { Ok(self.found(id).await?.redrive().await?) })
    }

    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        Box::pin(async move { Ok(self.found(id).await?.update_map(update).await?) })
    }

    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let token = task.token.to_owned();
            if let Some(id) = task.execution {
                let (token, of) = (token.clone(), id.to_owned());
                let is_its_own =
                    self.reading(move |engine| engine.shared.store.read(|c| executions::is_token_of(c, &token, &of)));
                if !is_its_own.await? {
                    let (status, execution) = (self.summary(id).await?.0.status, id.to_owned());
                    return Err(match status.is_over() {
                        true => EngineError::NotNow { execution, status, asked: "signalled" },
                        false => EngineError::UnknownToken { execution: Some(execution) },
                    });
                }
            }
            match signal {
                Signal::Succeed(output) => Ok(self.succeed(&token, output).await?),
                Signal::Fail(fault) => Ok(self.fail(&token, fault).await?),
                Signal::Heartbeat => self.reading(move |engine| engine.heartbeat(&token)).await,
                _ => self.reading(move |engine| engine.check_token(&token)).await,
            }
        })
    }

    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        Box::pin(async move { Ok(self.found(id).await?.send_all(events).await?) })
    }

    fn publish(&self, publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        Box::pin(async move {
            Ok(match &publication.starts {
                Some(settings) => self.publish_and_start(publication.events, settings).await?,
                None => self.publish_all(publication.events).await?,
            })
        })
    }

    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        let filter = filter.clone();
        Box::pin(self.reading(move |engine| {
            if let Some(before) = &filter.before {
                engine.execution(before)?;
            }
            engine.list(&filter)
        }))
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        let id = id.to_owned();
        Box::pin(self.reading(move |engine| engine.execution(&id)?.summary()))
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        let id = id.to_owned();
        Box::pin(self.reading(move |engine| engine.execution(&id)?.describe()))
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        let id = id.to_owned();
        Box::pin(self.reading(move |engine| {
            let waiting = engine.shared.store.read(|c| view::waiting_of(c, &id))?;
            waiting.ok_or(Error::UnknownExecution(id))
        }))
    }

    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        let (id, bytes) = (id.to_owned(), bytes.min(view::PAGE_BYTES));
        Box::pin(self.reading(move |engine| engine.execution(&id)?.history_after(after, limit, bytes)))
    }

    fn purge(&self, older_than: Duration, what: Purge) -> EngineFuture<'_, usize> {
        Box::pin(async move {
            Ok(match what {
                Purge::Histories => self.purge_history(older_than).await?,
                _ => Engine::purge(self, older_than).await?,
            })
        })
    }

    fn counts(&self) -> EngineFuture<'_, Counts> {
        match self.shared.settings.measures.clone() {
            Some(measures) => Box::pin(self.reading(move |_| measures.read())),
            None => self.capabilities().refusal(Capability::Counts),
        }
    }

    fn without_tokens(&self, text: String) -> EngineFuture<'_, String> {
        Box::pin(self.reading(move |engine| engine.without_tokens(text)))
    }

    fn problem(&self) -> Option<EngineError> {
        Engine::problem(self).map(EngineError::from)
    }

    fn announce(&self, address: &str) {
        Engine::announce(self, address);
    }

    fn shut_down(&self, grace: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(Engine::shut_down(self, grace))
    }
}
