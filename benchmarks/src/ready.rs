//! Tasks that answer at once, and the input of the workflows that invoke them. Nothing here costs
//! more than a benchmark has to: documents are built once.

use std::sync::LazyLock;

use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, object, string, task_future};
use workflow_runtime::Value;

/// The result of the task `Fetch`.
static ORDER: LazyLock<Value> = LazyLock::new(|| {
    let items: Vec<Value> = (0..10).map(|sku| object([("sku", Value::Int(sku)), ("count", Value::Int(2))])).collect();
    object([("id", Value::Int(7)), ("total", Value::Int(4200)), ("kind", string("plain")), ("items", items.into())])
});

/// Tasks that answer at once.
pub struct Ready;

impl Ready {
    /// Returns the future of a task, which is boxed as those of every program are.
    pub fn run<'a>(&self, key: &'static str, input: Value) -> TaskFuture<'a> {
        task_future(async move {
            Ok(match key {
                "Fetch" => ORDER.clone(),
                "Enrich" | "Right" => input,
                "Price" => Value::Int(42),
                _ => Value::Int(input.get("n").and_then(Value::as_i64).unwrap_or(0) + 1),
            })
        })
    }
}

impl Invoke for Ready {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.run(task.key, input)
    }
}

/// Returns the input of the workflows, with 90 KB that they only pass on if `payload` is set.
pub fn input(payload: bool) -> Value {
    let mut input = object([("mode", string("y")), ("order", ORDER.clone())]);
    if payload {
        let rows: Vec<Value> = (0..900)
            .map(|row| {
                object([
                    ("id", Value::Int(row)),
                    ("name", string("a name of some length")),
                    ("price", Value::Float(1.5)),
                    ("tags", string("red, green, blue")),
                ])
            })
            .collect();
        if let Some(members) = input.as_object_mut() {
            members.insert("payload", Value::from(rows));
        }
    }
    input
}
