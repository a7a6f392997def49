//! Service operations: the part of a definition that an implementation of a task needs to call a
//! service.

mod http;
mod rest;
mod rpc;

pub use http::{Http, SecretHeader};
pub use rest::{Body, Decomposition, Media, Parameter, Piece, Place, Rest, Scheme, SchemeKind, Style};
pub use rpc::Rpc;

/// A service operation that a task performs.
///
/// ```
/// use workflow_runtime::Task;
/// use workflow_runtime::operation::Operation;
///
/// /// Returns the service that a task calls.
/// fn service(task: &Task) -> Option<&'static str> {
///     match task.operation? {
///         Operation::Rest(operation) => Some(operation.service),
///         Operation::Http(request) => Some(request.start),
///         Operation::Rpc(method) => Some(method.service),
///         _ => None,
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// An HTTP request that an OpenAPI document describes.
    Rest(Rest),
    /// An HTTP request that the definition states itself.
    Http(Http),
    /// A method of a gRPC service.
    Rpc(Rpc),
}
