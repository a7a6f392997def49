//! The interface of engines, as far as it only reads. A view blocks the thread of the caller for
//! the time of a read.

use std::future::ready;
use std::pin::Pin;
use std::time::Duration;

use workflow_runtime::engine::{
    Capabilities, Capability, Description, Engine, EngineError, EngineFuture, Filter, HistoryPage, Summary, WaitsAt,
};
use workflow_runtime::machine::{Definition, Outcome};

use super::{PAGE_BYTES, View, waiting_of};
use crate::Error;

/// Time after which a view looks again if an execution has ended.
const PAUSE: Duration = Duration::from_millis(250);

/// Hint for what a view cannot do.
const INSTEAD: &str = "open the database with an engine";

/// Returns a result that is there already.
fn read<'a, T: Send + 'a>(found: Result<T, Error>) -> EngineFuture<'a, T> {
    Box::pin(ready(found.map_err(EngineError::from)))
}

impl Engine for View {
    fn capabilities(&self) -> Capabilities {
        let all = Capabilities::all("view of sqlite");
        let missing = [
            Capability::Changes,
            Capability::Redrives,
            Capability::MapUpdates,
            Capability::Purges,
            Capability::Counts,
            Capability::Workers,
        ];
        missing.into_iter().fold(all, |all, missing| all.without(missing, INSTEAD))
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        Vec::new()
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move {
            loop {
                let (summary, outcome) = self.summary(id).await?;
                match outcome {
                    Some(outcome) if summary.status.is_over() => return Ok(outcome),
                    _ => tokio::time::sleep(PAUSE).await,
                }
            }
        })
    }

    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        let known = filter.before.as_ref().map_or(Ok(()), |before| {
            let number = self.read(|c| super::number(c, before))?;
            number.map(drop).ok_or_else(|| Error::UnknownExecution(before.clone()))
        });
        read(known.and_then(|()| View::list(self, filter)))
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        let found = self.read(|c| super::outcome(c, id));
        read(found.and_then(|found| found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))))
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        read(View::describe(self, id))
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        let found = self.read(|c| waiting_of(c, id));
        read(found.and_then(|found| found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))))
    }

    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        read(self.page(id, after, limit, bytes.min(PAGE_BYTES)))
    }

    fn shut_down(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(ready(()))
    }
}
