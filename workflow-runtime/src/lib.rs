//! The runtime of workflows that are compiled to typed state machines.
//!
//! A definition becomes a module at build time, by the macro `include_workflow!` (feature
//! `macros`), by a build script, or by the command `cargo workflow`. The module has a trait
//! `Tasks`, which the program implements, and a type that runs executions. For example, this
//! definition in `flows/payment.asl.json`:
//!
//! ```json
#![doc = include_str!("../flows/payment.asl.json")]
//! ```
//!
//! and this program:
//!
#![cfg_attr(all(feature = "asl", feature = "macros", feature = "memory"), doc = "```")]
#![cfg_attr(not(all(feature = "asl", feature = "macros", feature = "memory")), doc = "```ignore")]
#![doc = include_str!("../examples/payment.rs")]
//! ```
//!
//! # Where to look
//! * Imports: [`prelude`] has the items that most programs use.
//! * Running: `Payment::run(&tasks, input)` runs an execution in memory to its end.
//!   `Payment::builder(&tasks)` is a [`Builder`], which sets the name, the clock, the observers,
//!   the settings, and the source of outcomes by task token ([`Callbacks`]).
//! * Tasks: a method receives its input, as [`Value`] or as a type of the program, and a
//!   [`TaskContext`]. It returns its output or a [`Fault`], whose name the retriers and catchers of
//!   the definition match. [`OrFault`] turns any error of the program into one, so that `?` works.
//!   Programs that only know their tasks at run time implement [`task::Invoke`].
//! * Services: [`operation`] describes the service operations that tasks perform.
//! * Data: a [`Value`] is JSON that is cheap to clone. [`value!`] writes one, and serde converts
//!   it.
//! * Events: an execution can wait for a [`CloudEvent`], and publish one.
//! * Types: [`Shape`] lets rustc check the paths of a definition into the types of a program.
//! * Observation: an [`observe::Observer`] receives the events of an execution in authored terms.
//!   [`observe::History`] writes them as lines of JSON, and `observe::Tracing` (feature `tracing`)
//!   reports them to `tracing`.
//! * Engines: [`engine::Engine`] is the interface of engines that keep executions.
//! * Testing: the module `testing` (feature `testing`) has mocked tasks and a virtual clock.
//! * Stability: this page shows the public interface. Engines and generated code use modules that
//!   are hidden here, and that any version can change.
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `asl` | functions of the Amazon States Language, and JSONata (default) |
//! | `cel` | expressions in CEL, for Serverless Workflow |
//! | `composer` | functions of OpenWhisk Composer and of its translated JavaScript |
//! | `javascript` | an engine for JavaScript that is not translated to Rust; needs a C compiler |
//! | `jq` | functions of jq |
//! | `jq-engine` | an engine for jq that is not translated to Rust |
//! | `json-schema` | validation of data against the JSON Schemas of definitions |
//! | `schema-types` | Rust types for the schemas of inputs and outputs, by the macro |
//! | `openapi` | operations of the OpenAPI documents of definitions, looked up by the macro |
//! | `rpc` | methods of the gRPC services of definitions, looked up by the macro |
//! | `serverless-workflow` | functions of Serverless Workflow and of its SpEL |
//! | `sm4c` | functions of State Machines For Cloud and of its jq |
//! | `workflow-dsl` | functions of the Workflow DSL and of its jq |
//! | `memory` | an engine that runs executions in memory, on tokio (default) |
//! | `regex` | regular expressions in filters of JSONPath (default) |
//! | `macros` | the macros `include_workflow!` and `Shape`, and with them the compiler at build time |
//! | `yaml` | YAML definitions for the macro |
//! | `chrono`, `jiff`, `url`, `uuid` | [`Shape`] for types of these crates |
//! | `tracing` | an observer that reports to `tracing` |
//! | `testing` | mocked tasks, a virtual clock, and a runner for tests of workflows |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod budget;
pub mod clock;
#[doc(hidden)]
pub mod coordination;
pub mod engine;
pub mod event;
mod expr;
pub mod fault;
mod growth;
#[doc(hidden)]
pub mod header;
pub mod id;
#[doc(hidden)]
pub mod machine;
#[doc(hidden)]
pub mod objects;
pub mod observe;
pub mod operation;
mod panics;
#[cfg(any(feature = "regex", feature = "json-schema"))]
mod pattern_cost;
#[cfg(feature = "testing")]
mod polling;
#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub mod schema;
mod shape;
mod support;
pub mod task;
#[cfg(feature = "testing")]
pub mod testing;
pub mod time;
#[doc(hidden)]
pub mod uri;
pub mod value;

#[cfg(feature = "memory")]
pub use engine::memory::{Builder, Callbacks, Hub, MemoryEngine, MemoryEngineBuilder, UnknownToken};
#[cfg(feature = "memory")]
pub use engine::turns::Workers;
pub use event::{CloudEvent, EventSink};
#[cfg(feature = "composer")]
pub use expr::composer::Variables;
pub use fault::{Fault, OrFault};
#[doc(hidden)]
pub use machine::Definition;
pub use machine::{FunctionLimits, JsonataLimits, Outcome, Task, Workflow};
pub use shape::{Shape, TypeShape};
pub use task::TaskContext;
pub use time::Timestamp;
pub use value::{Array, Object, Str, TooLarge, Value, ValueError};
#[cfg(feature = "macros")]
pub use workflow_macros::{Shape, include_workflow};

/// The items that most programs use: `use workflow_runtime::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "macros")]
    pub use crate::include_workflow;
    pub use crate::value::Get;
    #[cfg(feature = "memory")]
    pub use crate::{Builder, Callbacks};
    pub use crate::{CloudEvent, Fault, OrFault, TaskContext, Timestamp, Value, Workflow, value};
}

/// Items that generated code refers to. Not a public interface: it changes in lockstep with the
/// compiler.
#[doc(hidden)]
pub mod __private {
    pub use crate::__suspension_points as suspension_points;
    #[cfg(feature = "memory")]
    pub use crate::engine::memory::{Builder, IntoInput};
    pub use crate::event::CloudEvent;
    #[cfg(feature = "asl")]
    pub use crate::expr::asl;
    #[cfg(feature = "asl")]
    pub use crate::expr::asl::At;
    #[cfg(feature = "cel")]
    pub use crate::expr::cel;
    #[cfg(feature = "composer")]
    pub use crate::expr::composer;
    #[cfg(feature = "composer")]
    pub use crate::expr::js::{self, Js};
    #[cfg(feature = "asl")]
    pub use crate::expr::jsonata;
    pub use crate::expr::jsonpath;
    #[cfg(feature = "serverless-workflow")]
    pub use crate::expr::serverless_workflow;
    #[cfg(feature = "sm4c")]
    pub use crate::expr::sm4c;
    #[cfg(feature = "serverless-workflow")]
    pub use crate::expr::spel;
    #[cfg(feature = "workflow-dsl")]
    pub use crate::expr::workflow_dsl;
    #[cfg(feature = "jq")]
    pub use crate::expr::{deadline, jq};
    pub use crate::fault::{ErrorMatch, Fault};
    pub use crate::machine::{
        BlockRetries, Correlation, Definition, DistributedMap, EventInfo, FrameAction, JsonataLimits, Limits, Machine,
        OnTimeout, Outcome, ReaderKind, Retrier, Retries, Schedule, StartsOn, StateInfo, SuspensionPoint, Task, Turn,
        TurnResult, Workflow, WorkflowId, count, done, next, seconds, terminate, timestamp, wait,
    };
    pub use crate::operation::{self, Operation};
    #[cfg(feature = "json-schema")]
    pub use crate::schema;
    pub use crate::shape::{PathRule, PathUse, ShapeOf, TypeShape, UnknownShape, check_paths};
    pub use crate::support::{NULL, attempt, correlation, is_object_input, is_true, object_input, string};
    pub use crate::task::{
        Invoke, Read, TaskContext, TaskFuture, Write, read, task_future, typed_task, unknown_task, write,
    };
    pub use crate::time::Timestamp;
    pub use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
    pub use crate::value::{Array, Get, Key, Literal, Object, Str, Value, ValueError, array, object};
    #[cfg(feature = "json-schema")]
    pub use serde;
    pub use serde_core::{Serialize, de::DeserializeOwned};
    pub use std::future::Future;
    pub use std::ops::Deref;
}

/// The examples of the README, as tests.
#[cfg(all(doctest, feature = "asl", feature = "macros", feature = "memory"))]
#[doc = include_str!("../README.md")]
struct Readme;
