//! Tasks that answer with the stubs of a case.

use crate::functions::Calls;
use crate::plan::{Plan, Reply, Stub};
use crate::record::Record;
use crate::{actions, members};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskContext, TaskFuture};
use workflow_runtime::value::object;
use workflow_runtime::{Callbacks, Fault, Hub, Timestamp, Value, testing};

/// The stubs of a run.
pub struct Stubs {
    plan: Arc<Plan>,
    functions: BTreeMap<String, Calls>,
    hub: Hub,
    used: Mutex<Vec<bool>>,
    record: Record,
    callbacks: Callbacks,
}

impl Stubs {
    /// Returns the stubs of a plan. None is used yet.
    pub fn new(plan: Arc<Plan>, record: Record, callbacks: Callbacks, hub: Hub) -> Stubs {
        let used = Mutex::new(vec![false; plan.stubs.len()]);
        let functions = plan.functions.iter().map(|(name, function)| (name.clone(), Calls::of(function))).collect();
        Stubs { plan, functions, hub, used, record, callbacks }
    }

    /// Takes the stub for a call of this state: the first for this input, or else the first that
    /// is left.
    fn take(&self, state: &str, input: &Value) -> Option<usize> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let stubs = &self.plan.stubs;
        let of_state = |at: &usize| !used[*at] && stubs[*at].state == state;
        let exact = (0..stubs.len()).filter(of_state).find(|at| stubs[*at].request.as_ref() == Some(input));
        let taken = exact.or_else(|| (0..stubs.len()).find(of_state));
        if let Some(at) = taken {
            used[at] = true;
        }
        taken
    }
}

impl Invoke for Stubs {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let taken = self.take(task.state, &input);
        let seconds = |until: Option<Timestamp>| until.map(|until| until.since(cx.now()).as_secs_f64());
        let call = members([
            ("state", task.state.into()),
            ("task", task.key.into()),
            ("resource", task.resource.into()),
            ("at", cx.now().since(self.plan.start).as_secs_f64().into()),
            ("input", input),
            ("credentials", cx.credentials().cloned().unwrap_or_default()),
            ("timeout", seconds(cx.deadline()).into()),
            ("heartbeat", seconds(cx.heartbeat_deadline()).into()),
            ("stub", taken.map(|at| at as i64).into()),
        ]);
        let input = call.get("input").cloned().unwrap_or_default();
        let action = match (self.plan.actions, self.plan.answers_with_request) {
            (true, _) => Some(actions::answer(task.key, &input)),
            (false, true) => Some(Ok(answer_with_request(task.resource, &input))),
            (false, false) => None,
        };
        self.record.call(call.into());
        let named = self.functions.get(task.resource).or_else(|| self.functions.get(task.key));
        let function = named.map(|function| function.call(&input, &self.hub));
        let (delay, answer) = function.map_or((Duration::ZERO, action), |(delay, outcome)| (delay, Some(outcome)));
        let reply = match taken {
            _ if let Some(answer) = answer => answer.map_or_else(Reply::Fault, Reply::Ok),
            Some(at) => reply(&self.plan.stubs[at], &input),
            None => Reply::Fault(Fault::runtime(format!("the case has no answer for this call of `{}`", task.state))),
        };
        Box::pin(async move {
            if !delay.is_zero() {
                cx.sleep(delay).await;
            }
            match (reply, cx.token()) {
                (Reply::Ok(output), Some(token)) if cx.awaits_callback() => {
                    // An abandoned task needs no outcome.
                    let _abandoned = self.callbacks.succeed(token, output);
                    Ok(Value::Null)
                }
                (Reply::Fault(fault), Some(token)) if cx.awaits_callback() => {
                    let _abandoned = self.callbacks.fail(token, fault);
                    Ok(Value::Null)
                }
                (Reply::Never, Some(_)) if cx.awaits_callback() => Ok(Value::Null),
                (Reply::Ok(output), _) => Ok(output),
                (Reply::Fault(fault), _) => Err(fault),
                (Reply::Never, _) => std::future::pending().await,
            }
        })
    }
}

/// Returns the answer of a stub. A Map that does not tolerate its failures fails.
fn reply(stub: &Stub, input: &Value) -> Reply {
    let (Reply::Ok(_), Some(failed)) = (&stub.reply, stub.failed_items) else { return stub.reply.clone() };
    testing::map_failures(input, failed, stub.items).map_or_else(Reply::Fault, |()| stub.reply.clone())
}

/// Returns the answer of a task that answers with its request. The integration `lambda:invoke`
/// wraps it.
fn answer_with_request(resource: &str, request: &Value) -> Value {
    match resource.ends_with(":lambda:invoke") {
        true => object([("Payload", request.get("Payload").cloned().unwrap_or_default())]),
        false => request.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    #[test]
    fn a_request_comes_back_as_it_is_or_as_a_payload() {
        let request = value!({"FunctionName": "f", "Payload": {"a": 1}});
        assert_eq!(answer_with_request("arn:aws:lambda:us-east-1:1:function:f", &request), request);
        let invoked = answer_with_request("arn:aws:states:::lambda:invoke", &request);
        assert_eq!(invoked, value!({"Payload": {"a": 1}}));
    }

    #[test]
    fn a_map_fails_if_it_does_not_tolerate_its_failures() {
        let stub = |failed_items, items| Stub {
            state: "A".to_owned(),
            request: None,
            reply: Reply::Ok(Value::Null),
            failed_items: Some(failed_items),
            items,
        };
        let error = |stub: &Stub, settings: Value| match reply(stub, &settings) {
            Reply::Fault(fault) => fault.error().unwrap_or_default().to_owned(),
            Reply::Ok(_) | Reply::Never => String::new(),
        };
        let limited = || value!({ "tolerated_percentage": 50 });
        assert_eq!(error(&stub(2, Some(3)), limited()), "States.ExceedToleratedFailureThreshold");
        assert_eq!(error(&stub(2, Some(4)), limited()), "");
        assert_eq!(error(&stub(2, None), limited()), "States.Runtime");
    }

    #[test]
    fn a_call_takes_the_stub_for_its_input_or_else_the_next_of_its_state() {
        let stub = |state: &str, request: i64| Stub {
            state: state.to_owned(),
            request: Some(request.into()),
            reply: Reply::Never,
            failed_items: None,
            items: None,
        };
        let mut plan = Plan::read(&Value::Null).unwrap_or_else(|message| panic!("{message}"));
        plan.stubs = vec![stub("A", 1), stub("B", 1), stub("A", 2), stub("A", 3)];
        let stubs = Stubs::new(Arc::new(plan), Record::default(), Callbacks::new(), Hub::new());
        let calls = [("A", 3, Some(3)), ("A", 9, Some(0)), ("A", 9, Some(2)), ("A", 1, None), ("B", 9, Some(1))];
        for (state, input, taken) in calls {
            assert_eq!(stubs.take(state, &Value::Int(input)), taken, "{state} with {input}");
        }
    }
}
