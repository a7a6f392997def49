//! The results of service integrations, as far as AWS documents their members.

use super::ast::IntegrationPattern;
use super::resource::{action, pattern};
use crate::escape::shown;
use crate::shapes::{Field, RecordShape, Shape, ValueOrigin};
use crate::source::Span;
use std::sync::Arc;

/// The shape of a member.
type Kind = fn() -> Shape;

/// The members that each result of an integration with an HTTP answer can have.
const METADATA: [(&str, Kind); 2] =
    [("SdkHttpMetadata", Shape::any_object), ("SdkResponseMetadata", Shape::any_object)];

/// Returns the members of the result of an action. `is_job` states that the task waits for the job
/// that it starts.
fn members(service: &str, action: &str, is_job: bool) -> Option<&'static [(&'static str, Kind)]> {
    const ANY: Kind = Shape::any;
    const LIST: Kind = || Shape::list(Shape::any());
    const OBJECT: Kind = Shape::any_object;
    const TEXT: Kind = Shape::string;
    const WHOLE: Kind = Shape::integer;
    Some(match (service, action, is_job) {
        ("lambda", "invoke", false) => &[("ExecutedVersion", TEXT), ("Payload", ANY), ("StatusCode", WHOLE)],
        ("dynamodb", "getItem", false) => &[("Item", OBJECT), ("ConsumedCapacity", OBJECT)],
        ("dynamodb", "putItem" | "updateItem" | "deleteItem", false) => {
            &[("Attributes", OBJECT), ("ConsumedCapacity", OBJECT), ("ItemCollectionMetrics", OBJECT)]
        }
        ("sqs", "sendMessage", false) => &[
            ("MessageId", TEXT),
            ("MD5OfMessageBody", TEXT),
            ("MD5OfMessageAttributes", TEXT),
            ("MD5OfMessageSystemAttributes", TEXT),
            ("SequenceNumber", TEXT),
        ],
        ("sns", "publish", false) => &[("MessageId", TEXT), ("SequenceNumber", TEXT)],
        ("events", "putEvents", false) => &[("Entries", LIST), ("FailedEntryCount", WHOLE)],
        ("http", "invoke", false) => {
            &[("Headers", OBJECT), ("ResponseBody", ANY), ("StatusCode", WHOLE), ("StatusText", TEXT)]
        }
        ("bedrock", "invokeModel", false) => &[("Body", ANY), ("ContentType", TEXT)],
        ("states", "startExecution", false) => &[("ExecutionArn", TEXT), ("StartDate", ANY)],
        ("states", "startExecution", true) => &[
            ("ExecutionArn", TEXT),
            ("Input", ANY),
            ("InputDetails", OBJECT),
            ("Name", TEXT),
            ("Output", ANY),
            ("OutputDetails", OBJECT),
            ("StartDate", ANY),
            ("StateMachineArn", TEXT),
            ("Status", TEXT),
            ("StopDate", ANY),
        ],
        ("athena", "startQueryExecution", false) => &[("QueryExecutionId", TEXT)],
        ("athena", "startQueryExecution", true) => &[("QueryExecution", OBJECT)],
        ("athena", "getQueryResults", false) => &[("NextToken", TEXT), ("ResultSet", OBJECT), ("UpdateCount", WHOLE)],
        ("batch", "submitJob", false) => &[("JobArn", TEXT), ("JobId", TEXT), ("JobName", TEXT)],
        ("glue", "startJobRun", false) => &[("JobRunId", TEXT)],
        ("ecs", "runTask", false) => &[("Failures", LIST), ("Tasks", LIST)],
        _ => return None,
    })
}

/// Returns the shape of the result of a task with this resource. Each member may be missing, and
/// members that are not listed can exist. Nothing is known of what a token returns.
pub fn result(resource: &str, span: Span) -> Shape {
    let pattern = pattern(resource);
    let Some((service, action)) = action(resource).filter(|_| pattern != IntegrationPattern::Callback) else {
        return Shape::any();
    };
    let Some(known) = members(&service, &action, pattern == IntegrationPattern::RunJob) else { return Shape::any() };
    let phrase = format!("the result of `{}`, as AWS documents it", shown(&format!("{service}:{action}")));
    let origin = ValueOrigin::new(span, phrase);
    // With its origin, the name of a member of any kind is kept.
    let field = |(name, kind): &(&str, Kind)| {
        (Arc::from(*name), Field { required: false, shape: kind().from_origin(origin.clone()) })
    };
    let fields = known.iter().chain(&METADATA).map(field).collect();
    Shape::object(RecordShape { fields, rest: Shape::any() }).from_origin(origin)
}
