//! Service operations: the part of a definition that an implementation of a task needs to call a
//! service. The address of the service and the credentials are configuration of the program, and
//! not part of a definition.

mod http;
mod rest;
mod rpc;

use super::{Static, Storage};

pub use http::{Http, SecretHeader};
pub use rest::Rest;
#[doc(hidden)]
pub use rest::{Body, Decomposition, Media, Parameter, Piece, Place, Scheme, SchemeKind, Style};
pub use rpc::Rpc;

/// A service operation that a task performs.
///
/// ```
/// use workflow_model::operation::Operation;
///
/// /// Returns the service that a task calls.
/// fn service(operation: &Operation) -> &'static str {
///     match operation {
///         Operation::Rest(operation) => operation.service,
///         Operation::Http(request) => request.start,
///         Operation::Rpc(method) => method.service,
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation<S: Storage = Static> {
    /// An HTTP request that an OpenAPI document describes.
    Rest(Rest<S>),
    /// An HTTP request that the definition states itself.
    Http(Http<S>),
    /// A method of a gRPC service.
    Rpc(Rpc<S>),
}
