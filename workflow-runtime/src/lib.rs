//! The thin runtime that workflows compiled to typed state machines run on.
//!
//! A definition becomes a module at build time: by the macro `include_workflow!` (feature `macros`), by a build script, or by
//! the command `cargo workflow`. The module has a trait `Tasks`, which the program implements, and a type that runs
//! executions. For example, this definition in `flows/payment.asl.json`:
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
//! * Running: `Payment::run(&tasks, input)` runs an execution in memory to its end; `Payment::builder()` is a [`Builder`],
//!   which takes a name, a clock, observers, settings, and where outcomes by task token arrive ([`Callbacks`]).
//! * Tasks: a method gets its input, as [`Value`] or as a type of the program, and a [`TaskContext`]; it returns its output or
//!   a [`Fault`], whose name the retriers and catchers of the definition look at. Programs that do not know their tasks when
//!   they are compiled implement [`task::Invoke`].
//! * Services: what a definition says of the operation of a service that a task is, is [`operation`].
//! * Data: a [`Value`] is JSON that is cheap to clone; [`value!`] writes one, and serde converts it.
//! * Events: an execution can wait for a [`CloudEvent`], and send one.
//! * Watching: [`observe::Observer`]s are told what happens, in the words of the definition; [`observe::History`] writes it
//!   as lines of JSON, and `observe::Tracing` (feature `tracing`) reports it to `tracing`.
//! * Testing: the module `testing` (feature `testing`) has mocked tasks and a clock that jumps.
//! * Engines: [`machine`] is what they run: an execution that takes completions and yields commands, and can be saved
//!   between any two of them.
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `asl` | functions of the Amazon States Language (default) |
//! | `cel` | evaluates expressions in CEL, in Serverless Workflow |
//! | `composer` | functions of OpenWhisk Composer, and what its JavaScript is compiled to |
//! | `javascript` | an engine for the JavaScript that is not translated to Rust; needs a C compiler |
//! | `jq` | functions of jq, and what its expressions are compiled to |
//! | `jq-engine` | an engine for the jq that is not translated to Rust |
//! | `json-schema` | data is checked against the JSON Schemas that definitions name |
//! | `schema-types` | the macro makes Rust types of the schemas of inputs and outputs |
//! | `rpc` | the macro looks up methods of gRPC services that definitions name |
//! | `serverless-workflow` | functions of Serverless Workflow, and of SpEL in it |
//! | `sm4c` | functions of State Machines For Cloud, and of its jq |
//! | `workflow-dsl` | functions of the Workflow DSL, and of its jq |
//! | `memory` | runs executions in memory, on tokio (default) |
//! | `regex` | regular expressions in filters of JSONPath (default) |
//! | `macros` | the macro `include_workflow!`, and with it the compiler at build time |
//! | `yaml` | the macro reads YAML definitions, too |
//! | `tracing` | an observer that reports to `tracing` |
//! | `testing` | mocked tasks, a virtual clock, and a runner for tests of workflows |

mod budget;
pub mod clock;
pub mod engine;
pub mod event;
mod expr;
pub mod fault;
pub mod header;
pub mod id;
pub mod machine;
pub mod observe;
pub mod operation;
mod panics;
#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub mod schema;
mod support;
pub mod task;
#[cfg(feature = "testing")]
pub mod testing;
pub mod time;
pub mod value;

#[cfg(feature = "memory")]
pub use engine::memory::{Builder, Callbacks, Hub};
pub use event::CloudEvent;
#[cfg(feature = "composer")]
pub use expr::composer::Variables;
pub use fault::Fault;
pub use machine::{FunctionLimits, Workflow};
pub use task::TaskContext;
pub use time::Timestamp;
pub use value::{Array, Object, Str, TooLarge, Value, ValueError};
#[cfg(feature = "macros")]
pub use workflow_macros::include_workflow;

/// What generated code refers to. Not a public interface: it changes with the compiler, in lockstep.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "memory")]
    pub use crate::engine::memory::{Builder, run, typed_run};
    pub use crate::event::CloudEvent;
    #[cfg(feature = "asl")]
    pub use crate::expr::asl;
    #[cfg(feature = "asl")]
    pub use crate::expr::asl::At;
    #[cfg(feature = "cel")]
    pub use crate::expr::cel;
    #[cfg(feature = "composer")]
    pub use crate::expr::composer;
    #[cfg(feature = "jq")]
    pub use crate::expr::jq;
    #[cfg(feature = "composer")]
    pub use crate::expr::js::{self, Js};
    pub use crate::expr::jsonpath;
    #[cfg(feature = "serverless-workflow")]
    pub use crate::expr::serverless_workflow;
    #[cfg(feature = "sm4c")]
    pub use crate::expr::sm4c;
    #[cfg(feature = "serverless-workflow")]
    pub use crate::expr::spel;
    #[cfg(feature = "workflow-dsl")]
    pub use crate::expr::workflow_dsl;
    pub use crate::fault::Fault;
    pub use crate::machine::{
        Called, Correlation, Definition, EventInfo, Go, Limits, Machine, OnTimeout, Outcome, Point, Retrier, Retries,
        Schedule, StartsOn, StateInfo, Step, Task, Tries, Turn, VERSION_0_1_0, Version, Workflow, count, done, next,
        seconds, terminate, timestamp, wait,
    };
    pub use crate::operation::{self, Operation};
    #[cfg(feature = "json-schema")]
    pub use crate::schema;
    pub use crate::support::{NULL, attempt, correlation, is_object_input, is_true, object_input, string};
    pub use crate::task::{
        Invoke, Read, TaskContext, TaskFuture, Write, read, task_future, typed_task, unknown_task, write,
    };
    pub use crate::time::Timestamp;
    pub use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
    pub use crate::value::{Array, Get, Key, Literal, Object, Str, Value, ValueError, array, object};
    pub use crate::{__definition as definition, __machine as machine};
    #[cfg(feature = "json-schema")]
    pub use serde;
    pub use serde::{Serialize, de::DeserializeOwned};
    pub use std::future::Future;
    pub use std::ops::Deref;
}
