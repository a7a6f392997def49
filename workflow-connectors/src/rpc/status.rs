//! Faults of failed calls.

use std::error::Error;

use tonic::{Code, ConnectError, Status, TimeoutExpired};
use workflow_runtime::Fault;
use workflow_runtime::fault::with_sources;

/// Largest number of characters of a service's message in a cause.
const MAX_MESSAGE: usize = 1000;

/// Returns the fault of a failed call. `most_bytes` is the limit of messages. `hide` removes
/// secrets from messages of the service.
pub(super) fn fault(status: &Status, method: &str, most_bytes: usize, hide: impl Fn(&str) -> String) -> Fault {
    let named = |name: &str, what: String| Fault::new(format!("Grpc.{name}"), format!("`{method}`: {what}"));
    let message: String = hide(status.message()).chars().take(MAX_MESSAGE).collect();
    if let Some(beneath) = status.source() {
        let mut chain: Vec<&(dyn Error + 'static)> = Vec::new();
        let mut next = Some(beneath);
        while let Some(error) = next {
            chain.push(error);
            next = error.source();
        }
        if chain.iter().any(|error| error.is::<TimeoutExpired>()) {
            return Fault::timeout();
        }
        if let Some(error) = chain.iter().find_map(|error| error.downcast_ref::<ConnectError>()) {
            return named("Unreachable", format!("cannot connect: {}", hide(&with_sources(error))));
        }
        return named(
            "Disconnected",
            format!("the connection was lost, and the call may have been processed: {}", hide(&with_sources(beneath))),
        );
    }
    // The client's own errors look like the service's, except that a service does not send this
    // limit.
    if status.code() == Code::OutOfRange && message.ends_with(&format!("the limit is: {most_bytes} bytes")) {
        return named("InvalidAnswer", format!("the response is larger than {most_bytes} bytes"));
    }
    let name = name(status.code());
    match message.is_empty() {
        true => named(name, format!("the service responded with status {}", status.code() as i32)),
        false => Fault::new(format!("Grpc.{name}"), message),
    }
}

/// Returns the name of a status: that of the gRPC specification in camel case.
fn name(code: Code) -> &'static str {
    match code {
        // There is no response, although the status is OK.
        Code::Ok => "InvalidAnswer",
        Code::Cancelled => "Cancelled",
        Code::Unknown => "Unknown",
        Code::InvalidArgument => "InvalidArgument",
        Code::DeadlineExceeded => "DeadlineExceeded",
        Code::NotFound => "NotFound",
        Code::AlreadyExists => "AlreadyExists",
        Code::PermissionDenied => "PermissionDenied",
        Code::ResourceExhausted => "ResourceExhausted",
        Code::FailedPrecondition => "FailedPrecondition",
        Code::Aborted => "Aborted",
        Code::OutOfRange => "OutOfRange",
        Code::Unimplemented => "Unimplemented",
        Code::Internal => "Internal",
        Code::Unavailable => "Unavailable",
        Code::DataLoss => "DataLoss",
        Code::Unauthenticated => "Unauthenticated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_name() {
        let names: Vec<&str> = (1..=16).map(|code| name(Code::from_i32(code))).collect();
        let expected = "Cancelled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted \
                        FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated";
        assert_eq!(names.join(" "), expected);
        // Unknown numbers are `UNKNOWN`.
        assert_eq!(name(Code::from_i32(99)), "Unknown");
    }

    #[test]
    fn what_a_service_says_is_the_cause() {
        let hide = |text: &str| text.replace("secret", "…");
        let found = fault(&Status::new(Code::NotFound, "no account for secret"), "a.B/C", 100, hide);
        assert_eq!(
            (found.error(), found.cause().and_then(|cause| cause.as_str())),
            (Some("Grpc.NotFound"), Some("no account for …"))
        );
        let found = fault(&Status::new(Code::Internal, ""), "a.B/C", 100, hide);
        assert_eq!(
            found.cause().and_then(|cause| cause.as_str()),
            Some("`a.B/C`: the service responded with status 13")
        );
        let found = fault(&Status::new(Code::Internal, "x".repeat(5000)), "a.B/C", 100, hide);
        assert_eq!(found.cause().and_then(|cause| cause.as_str()).map(str::len), Some(MAX_MESSAGE));
        let of_the_service = "Error, decoded message length too large: found 90 bytes, the limit is: 50 bytes";
        let found = fault(&Status::new(Code::OutOfRange, of_the_service), "a.B/C", 100, hide);
        assert_eq!(found.error(), Some("Grpc.OutOfRange"));
        // A service cannot choose a name that the runtime reserves.
        assert!(!fault(&Status::new(Code::Internal, "States.Runtime"), "a.B/C", 100, hide).is_uncatchable());
    }
}
