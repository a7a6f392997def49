//! A suite of tests for engines: types that implement [`Engine`] of `workflow-runtime`.
//!
//! The author of an engine writes a function that opens it, and calls [`engine_suite!`]. The macro
//! makes one test of each promise of the interface: a start with a known key starts nothing, a
//! cancelled parent leaves no child running, a full inbox loses no event.
//! For each [`Capability`] that an engine lacks, the suite checks that the engine refuses what
//! needs it.
//!
//! ```
//! use std::path::PathBuf;
//! use std::sync::Arc;
//!
//! use workflow_engine_suite::{Registry, Workflows, engine_suite};
//! use workflow_runtime::engine::Engine;
//! use workflow_runtime::task::Invoke;
//! use workflow_runtime::{MemoryEngine, MemoryEngineBuilder, Workflow};
//!
//! /// The builder of the engine, to which the suite adds its workflows.
//! struct Builder(MemoryEngineBuilder);
//!
//! impl Registry for Builder {
//!     fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
//!         Builder(self.0.workflow::<W>(tasks))
//!     }
//! }
//!
//! /// Opens the engine. An engine with files keeps them in the folder. A test may open the engine
//! /// of a folder again, after the first engine was shut down.
//! async fn open(workflows: Workflows, _folder: PathBuf) -> Arc<dyn Engine> {
//!     let (engine, run) = workflows.register(Builder(MemoryEngine::builder())).0.open();
//!     tokio::spawn(run);
//!     Arc::new(engine)
//! }
//!
//! engine_suite!(open);
//! # fn main() {}
//! ```
//!
//! The suite is a crate of its own, and not a feature of `workflow-runtime`. The macro of the
//! compiler compiles its workflows, and programs that only run workflows need not build the
//! compiler. Its tests need a tokio runtime with several threads.
//!
//! [`Capability`]: workflow_runtime::engine::Capability

mod case;
mod desk;
mod expect;
mod flows;
mod folder;
mod promises;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use desk::Desk;
pub use expect::Violation;
pub use flows::{Registry, Workflows};
pub use promises::{PROMISES, Promise};
use workflow_runtime::engine::Engine;

/// The default time that an engine has for anything that takes no time. It begins again while
/// tasks begin.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The result of checking a promise.
pub(crate) type Verdict = Result<(), Violation>;

/// The future of an opened engine.
#[doc(hidden)]
pub type Opening = Pin<Box<dyn Future<Output = Arc<dyn Engine>> + Send>>;

/// A function that opens the engine under test: an async function of [`Workflows`] and the folder
/// for its files.
///
/// See the example of [`violations`].
pub trait Open: Send + Sync + 'static {
    /// Opens the engine.
    fn open(&self, workflows: Workflows, folder: PathBuf) -> Opening;
}

impl<F, E> Open for F
where
    F: Fn(Workflows, PathBuf) -> E + Send + Sync + 'static,
    E: Future<Output = Arc<dyn Engine>> + Send + 'static,
{
    fn open(&self, workflows: Workflows, folder: PathBuf) -> Opening {
        Box::pin(self(workflows, folder))
    }
}

/// Checks the promise of this name. [`engine_suite!`] calls it.
///
/// # Panics
/// The engine breaks the promise, and it is not listed as broken with a part of the violation's
/// message, or the other way round. Or the list has a name that is no promise.
#[doc(hidden)]
pub fn check(promise: &str, open: impl Open, patience: Duration, broken: &[(&str, &str)]) {
    let is_promise = |name: &str| PROMISES.iter().any(|one| one.name == name);
    if let Some((name, _)) = broken.iter().find(|(name, _)| !is_promise(name)) {
        panic!("no promise has the name that is listed as broken: `{name}`");
    }
    let found = PROMISES.iter().find(|one| one.name == promise);
    let promise = found.expect("the macro lists only promises of the suite");
    let listed = broken.iter().find(|(name, _)| *name == promise.name);
    match (promise.check(Arc::new(open), patience), listed) {
        (Err(violation), None) => panic!("the engine breaks a promise: {violation}"),
        (Err(violation), Some((_, part))) if !violation.to_string().contains(part) => {
            panic!("the engine breaks a promise in another way than is listed, `{part}`: {violation}");
        }
        (Ok(()), Some((name, _))) => panic!("the engine keeps a promise that is listed as broken: `{name}`"),
        (Ok(()), None) | (Err(_), Some(_)) => {}
    }
}

/// The number of promises that [`violations`] checks at the same time.
const AT_ONCE: usize = 8;

/// Checks all promises, several at the same time. Returns the names of those that the engine
/// breaks, each with the violation.
///
/// ```
/// use std::time::Duration;
/// use workflow_engine_suite::{Open, violations};
///
/// fn report(open: impl Open) {
///     for (promise, violation) in violations(open, Duration::from_secs(5)) {
///         println!("{promise}: {violation}");
///     }
/// }
/// ```
pub fn violations(open: impl Open, patience: Duration) -> Vec<(&'static str, Violation)> {
    let open: Arc<dyn Open> = Arc::new(open);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let check = || {
        while let Some(promise) = PROMISES.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(violation) = promise.check(open.clone(), patience) {
                found.lock().unwrap_or_else(PoisonError::into_inner).push((promise.name, violation));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(check);
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(name, _)| PROMISES.iter().position(|promise| promise.name == *name));
    found
}
