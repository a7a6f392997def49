//! Definitions compiled for the benchmarks, and the same logic written by hand.

pub mod by_hand;
pub mod calibration;
mod members;
pub mod plain;
pub mod ready;

use std::task::Poll;

use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Value, value};

/// The generated code of the definitions.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/ten.rs"));
    include!(concat!(env!("OUT_DIR"), "/linear.rs"));
    include!(concat!(env!("OUT_DIR"), "/pure.rs"));
    include!(concat!(env!("OUT_DIR"), "/chain.rs"));
    include!(concat!(env!("OUT_DIR"), "/each.rs"));
    include!(concat!(env!("OUT_DIR"), "/rounds.rs"));
}

/// The generated code of the distributed Maps.
#[cfg(feature = "maps")]
pub mod maps {
    include!(concat!(env!("OUT_DIR"), "/batches.rs"));
    include!(concat!(env!("OUT_DIR"), "/charges.rs"));
}

/// The generated code of the compositions.
#[cfg(feature = "javascript")]
pub mod compositions {
    include!(concat!(env!("OUT_DIR"), "/countdown.rs"));
    include!(concat!(env!("OUT_DIR"), "/increment.rs"));
    include!(concat!(env!("OUT_DIR"), "/increment_on_engine.rs"));
    include!(concat!(env!("OUT_DIR"), "/predicate.rs"));
    include!(concat!(env!("OUT_DIR"), "/predicate_on_engine.rs"));
}

/// The generated code of the jq expressions, with their sources.
#[cfg(feature = "jq")]
#[allow(clippy::needless_pass_by_value, missing_docs)]
pub mod filters {
    use workflow_runtime::__private::{self as rt, Value, jq};

    include!(concat!(env!("OUT_DIR"), "/filters.rs"));

    /// Names and expressions, separated by a tab.
    pub const SOURCES: &str = include_str!("../flows/filters.tsv");
}

/// The generated code of the expressions in JSONata, with their sources.
#[cfg(feature = "jsonata")]
#[allow(missing_docs, unused_imports)]
pub mod expressions {
    use workflow_runtime::__private::{self as rt, Value, jsonata};

    include!(concat!(env!("OUT_DIR"), "/expressions.rs"));

    /// Names and expressions, separated by a tab.
    pub const SOURCES: &str = include_str!("../flows/expressions.tsv");
}

/// Tasks that yield once, so that as many as possible are in progress, and then answer.
pub struct Turns;

impl Invoke for Turns {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        task_future(async move {
            let mut waited = false;
            std::future::poll_fn(|cx| match std::mem::replace(&mut waited, true) {
                true => Poll::Ready(()),
                false => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
            })
            .await;
            Ok(input)
        })
    }
}

/// Returns `count` items to iterate over.
pub fn items(count: i64) -> Value {
    value!({ "items": (0..count).map(Value::from).collect::<Vec<Value>>() })
}
