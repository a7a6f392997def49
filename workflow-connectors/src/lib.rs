//! Tasks of compiled workflows that are services.
//!
//! A connector implements [`Invoke`](workflow_runtime::task::Invoke), so that all tasks of a workflow can be left to it; and it
//! can be called in the method of a single task. Each is behind a feature, which brings an HTTP client:
//!
//! | feature | |
//! |---|---|
//! | `openwhisk` | `OpenWhisk` invokes actions, those of a composition above all |
//!
//! Without a feature there is nothing here.

#[cfg(feature = "openwhisk")]
mod http;
#[cfg(feature = "openwhisk")]
pub mod openwhisk;

#[cfg(feature = "openwhisk")]
pub use openwhisk::OpenWhisk;
