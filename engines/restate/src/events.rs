//! Events that arrive for an execution: sent to it alone, or published to all executions of its service. Each becomes a
//! numbered promise, and the execution takes them one after the other.

use restate_sdk_shared_core::{AttachInvocationTarget, Error, Input, VM, Value as Notified};
use workflow_runtime::{CloudEvent, Timestamp, Value};

use crate::endpoint::Service;
use crate::handlers::{finished, next_of, read_json, resolve};
use crate::link::Link;
use crate::{bus, directory, promises};

/// Takes an event that is sent to one execution.
pub(crate) async fn send(service: &Service, link: &mut Link, key: &str, event: &Value) -> Result<(), Error> {
    let event = match CloudEvent::from_value(event) {
        Ok(event) => event,
        Err(problem) => return link.fail(400, format!("the event is no CloudEvent: {problem}")),
    };
    let definition = service.program.definition;
    if !directory::waits_for(definition, &event) {
        let CloudEvent { kind, source, .. } = &event;
        let subject = event.subject.as_deref().map(|subject| format!(" and the subject `{subject}`"));
        let event = format!("the type `{kind}`, the source `{source}`{}", subject.unwrap_or_default());
        return link.fail(422, format!("`{}` waits for no event that has {event}", definition.name));
    }
    match life(service, link, key).await? {
        Life::Runs => {}
        Life::Unknown => return link.fail(404, format!("there is no execution `{key}`")),
        Life::Ended => return link.fail(409, format!("the execution `{key}` has ended")),
    }
    let mut tried = None;
    loop {
        let number = next_of(link, promises::sent).await?;
        let refused = resolve(link, promises::sent(number), Timestamp::now(), Ok(event.to_value())).await?;
        match refused {
            None => return link.succeed(&Value::Null),
            // Another one came in between: the next number is this one's.
            Some(_) if tried != Some(number) => tried = Some(number),
            Some(problem) => return link.fail(500, format!("the event cannot be kept: {problem}")),
        }
    }
}

/// Takes an event that was published. Its number is in it: so it is taken once, and in the order of the bus.
pub(crate) async fn hear(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let published = read_json(&input.input).unwrap_or_default();
    let number = published.get("number").and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
    let Some((number, event)) = number.zip(published.get("event")) else {
        return link.fail(400, "what is published has a `number` and an `event`");
    };
    match life(service, link, &input.key).await? {
        Life::Runs => drop(resolve(link, promises::published(number), Timestamp::now(), Ok(event.clone())).await?),
        // It was killed, or else it would have said so.
        Life::Unknown | Life::Ended => bus::unsubscribe(service, link, &input.key)?,
    }
    link.succeed(&Value::Null)
}

/// Whether there is an execution.
enum Life {
    Runs,
    Ended,
    Unknown,
}

async fn life(service: &Service, link: &mut Link, key: &str) -> Result<Life, Error> {
    let (name, key) = (service.name.clone(), key.to_owned());
    let execution = AttachInvocationTarget::WorkflowId { name, key, scope: None };
    let output = link.vm.sys_get_invocation_output(execution)?;
    Ok(match finished(link, output).await? {
        Notified::Void => Life::Runs,
        Notified::Failure(failure) if failure.code == 404 => Life::Unknown,
        _ => Life::Ended,
    })
}
