//! Contexts for tests that call the method of a task.

use std::sync::Arc;

use crate::clock::SystemClock;
use crate::fault::Fault;
use crate::machine::{CallId, Invocation, Workflow};
use crate::task::TaskContext;
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// Creates the context of the first attempt of a task, for a test that calls the method of the
/// task: `shop.charge_card(charge, task_context::<Order>("ChargeCard")?).await`.
///
/// The id of the execution is `test`, and the task token `test-token`. The clock is that of the
/// system.
///
/// # Errors
///
/// Returns a fault if the definition has no task with this key.
///
/// # Example
///
/// ```
/// use workflow_runtime::testing::task_context;
/// use workflow_runtime::{Fault, TaskContext, Value, Workflow};
///
/// async fn charge_card(charge: Value, cx: TaskContext) -> Result<Value, Fault> {
///     Ok(charge)
/// }
///
/// async fn a_charge_is_made<Order: Workflow>() -> Result<(), Fault> {
///     let receipt = charge_card(Value::Null, task_context::<Order>("ChargeCard")?).await?;
///     assert_eq!(receipt, Value::Null);
///     Ok(())
/// }
/// ```
pub fn task_context<W: Workflow>(key: &str) -> Result<TaskContext, Fault> {
    let definition = W::DEFINITION;
    let Some(task) = definition.tasks.iter().find(|task| task.key == key) else {
        let mut keys: Vec<String> = definition.tasks.iter().map(|task| format!("`{}`", task.key)).collect();
        keys.dedup();
        let cause = format!("`{}` has no task `{key}`: the tasks are {}", definition.name, keys.join(", "));
        return Err(Fault::runtime(cause));
    };
    let call = CallId { visit: 1, ..CallId::default() };
    let mut invocation = Invocation::new(task, Value::Null, 1, call, Timestamp::now());
    invocation.set_token(Str::from_static("test-token"));
    invocation.callback = task.waits_for_token();
    let execution = Str::from_static("test");
    Ok(TaskContext::new(definition, execution, None, Arc::new(invocation), Arc::new(SystemClock)))
}
