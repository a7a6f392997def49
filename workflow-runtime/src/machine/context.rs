//! The context object, in the shape that AWS Step Functions gives it (recorded on AWS).

use super::core::Core;
use super::frame::{Frame, NONE};
use super::map_run::shown_name;
use crate::value::{Object, Value, object};
use workflow_model::CONTEXT_SETTING;

impl Core {
    /// Returns the context object (`$$`).
    ///
    /// `State.RetryCount` is present in states that can be retried, `Task` in tasks whose outcome
    /// arrives by token, and `Map` in iterations. The setting [`CONTEXT_SETTING`], which only a
    /// test of a single state has, takes its place.
    pub fn context(&mut self) -> Value {
        if let Some(context) = self.header.setting(CONTEXT_SETTING) {
            return context.clone();
        }
        let token = self.awaits_token().then(|| self.token());
        let header = &self.header;
        let identity = header.identity();
        let scope =
            |kind: &str| format!("arn:aws:states:{}:{}:{kind}:{}", identity.region, identity.account, identity.machine);
        let name = match identity.machine.contains('/') {
            // A child of a distributed Map.
            true => shown_name(&header.name),
            false => header.name.clone(),
        };
        let execution = object([
            ("Id", format!("{}:{name}", scope("execution")).into()),
            ("Input", header.input()),
            ("StartTime", header.started.into()),
            ("Name", Value::String(name)),
            ("RoleArn", Value::String(identity.role.clone())),
            ("RedriveCount", Value::from(header.redrives)),
        ]);
        let machine = object([("Id", scope("stateMachine").into()), ("Name", Value::String(identity.machine.clone()))]);
        let mut context = Object::new();
        context.insert("Execution", execution);
        context.insert("StateMachine", machine);
        context.insert("State", self.state_context(self.frames.get(self.at)));
        if let Some(token) = token {
            context.insert("Task", object([("Token", Value::String(token))]));
        }
        if let Some(item) = self.iteration() {
            context.insert("Map", object([("Item", item)]));
        }
        Value::from(context)
    }

    fn state_context(&self, frame: &Frame) -> Value {
        let mut state = Object::new();
        state.insert("Name", Value::from(frame.state));
        state.insert("EnteredTime", Value::from(frame.entered));
        let kind = self.header.definition.state(frame.state).map(|state| state.kind);
        if let Some("Task" | "Parallel" | "Map") = kind {
            state.insert("RetryCount", Value::from(frame.retries));
        }
        Value::from(state)
    }

    fn awaits_token(&self) -> bool {
        let state = self.frames.get(self.at).state;
        let mut tasks = self.header.definition.tasks.iter();
        // Recorded on AWS: a job that is awaited (`.sync`) has a token, too.
        let awaits = |resource: &str| resource.contains(".waitForTaskToken") || resource.contains(".sync");
        tasks.any(|task| task.state == state && awaits(task.resource))
    }

    /// Returns the innermost iteration that the frame is in.
    fn iteration(&self) -> Option<Value> {
        let mut id = self.at;
        while id != NONE {
            let frame = self.frames.get(id);
            if let Some(item) = &frame.item {
                return Some(object([("Index", Value::from(frame.index)), ("Value", item.clone())]));
            }
            id = frame.parent;
        }
        None
    }
}
