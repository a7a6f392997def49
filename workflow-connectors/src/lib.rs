//! Connectors: tasks of compiled workflows that are services.
//!
//! A connector implements [`Invoke`](workflow_runtime::task::Invoke), so it can carry out all
//! tasks of a workflow. It can also be called in the method of a single task. Each connector has a
//! feature, which brings its client:
//!
//! | feature | |
//! |---|---|
//! | `openwhisk` | `OpenWhisk` invokes actions, in particular those of a composition |
//! | `rest` | `Rest` sends the requests that OpenAPI documents describe (functions of SM4C), and requests written out in definitions |
//! | `rpc` | `Rpc` calls methods of gRPC services: functions of SM4C |
//! | `events` | `HttpSink` sends published events as CloudEvents over HTTP; `StdoutSink` writes them to standard output |
//! | `nats` | `NatsSink` stores published events in a stream of NATS JetStream |
//!
//! Without a feature the crate is empty. The following is a complete program around a composition,
//! `flows/receipt.composer.json`, whose actions are on a platform that the environment names:
//!
#![cfg_attr(feature = "openwhisk", doc = "```no_run")]
#![cfg_attr(not(feature = "openwhisk"), doc = "```ignore")]
//! use workflow_connectors::OpenWhisk;
//! use workflow_runtime::prelude::*;
//!
//! include_workflow!("flows/receipt.composer.json");
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let openwhisk = OpenWhisk::from_env()?.build()?;
//!     let execution = Builder::<receipt::Receipt>::new().tasks(&openwhisk);
//!     let output = execution.run(value!({ "amount": 25 })).await?;
//!     println!("{output}");
//!     Ok(())
//! }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest", feature = "rpc"))]
mod config;
#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest"))]
mod http;
#[cfg(feature = "openwhisk")]
pub mod openwhisk;
#[cfg(feature = "rest")]
pub mod rest;
#[cfg(feature = "rpc")]
pub mod rpc;
#[cfg(feature = "events")]
pub mod sink;
#[cfg(any(feature = "events", feature = "rest", feature = "rpc"))]
mod ssrf;
#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest", feature = "rpc"))]
mod tls;

#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest", feature = "rpc"))]
pub use config::ConfigError;
#[cfg(feature = "openwhisk")]
pub use openwhisk::OpenWhisk;
#[cfg(feature = "rest")]
pub use rest::Rest;
#[cfg(feature = "rpc")]
pub use rpc::Rpc;
#[cfg(feature = "events")]
pub use sink::http::HttpSink;
#[cfg(feature = "nats")]
pub use sink::nats::NatsSink;
#[cfg(feature = "events")]
pub use sink::stdout::StdoutSink;
