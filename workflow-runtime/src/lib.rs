//! The thin runtime that workflows compiled to typed state machines run on.

pub mod clock;
pub mod engine;
mod expr;
pub mod fault;
pub mod machine;
pub mod observe;
mod support;
pub mod task;
#[cfg(feature = "testing")]
pub mod testing;
pub mod time;
pub mod value;

#[cfg(feature = "memory")]
pub use engine::memory::{Builder, Callbacks};
pub use fault::Fault;
pub use machine::Workflow;
pub use task::TaskContext;
pub use time::Timestamp;
pub use value::{Array, Object, Str, Value, ValueError};
#[cfg(feature = "macros")]
pub use workflow_macros::include_workflow;

/// What generated code refers to. Not a public interface: it changes with the compiler, in lockstep.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "memory")]
    pub use crate::engine::memory::{Builder, run, typed_run};
    #[cfg(feature = "asl")]
    pub use crate::expr::asl;
    #[cfg(feature = "asl")]
    pub use crate::expr::asl::At;
    pub use crate::expr::jsonpath;
    pub use crate::fault::Fault;
    pub use crate::machine::{
        Definition, Go, Limits, Machine, Outcome, Point, Retrier, Retries, StateInfo, Step, Task, Turn, VERSION_0_1_0,
        Version, Workflow, count, done, next, seconds, timestamp, wait,
    };
    pub use crate::support::{NULL, attempt, is_true, string};
    pub use crate::task::{Invoke, TaskContext, TaskFuture, task_future, typed_task, unknown_task};
    pub use crate::time::Timestamp;
    pub use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
    pub use crate::value::{Array, Get, Key, Literal, Object, Str, Value, ValueError, array, object};
    pub use crate::{__definition as definition, __machine as machine};
    pub use std::future::Future;
}
