//! A composition of OpenWhisk Composer, compiled: `flows/helpdesk.composer.json`.

use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};

include_workflow!("flows/helpdesk.composer.json");

/// The actions, as methods.
pub struct Desk;

impl helpdesk::Tasks for Desk {
    async fn language_classify(&self, mut ticket: Value, _: TaskContext) -> Result<Value, Fault> {
        let subject = ticket.get("subject").and_then(Value::as_str).unwrap_or_default();
        let labels = match subject {
            "" => return Err(Fault::new("NoText", "there is nothing to read")),
            subject if subject.contains("works") => value!(["outage"]),
            subject if subject.contains("pay") => value!(["billing"]),
            _ => value!([]),
        };
        ticket.as_object_mut().and_then(|members| members.insert("labels", labels));
        Ok(ticket)
    }

    async fn pager_page(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(value!({ "by": "pager", "remark": "at once" }))
    }

    async fn queue_add(&self, ticket: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(value!({ "by": "queue", "remark": ticket.get("remark").cloned().unwrap_or_else(|| "in turn".into()) }))
    }
}
