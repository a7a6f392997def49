//! Operations of services: what a definition says of them beyond the resource of a task, for those that carry them out.

mod http;
mod rest;
mod rpc;

pub use http::{Http, SecretHeader};
pub use rest::{Body, Media, Parameter, Parts, Piece, Place, Rest, Scheme, SchemeKind, Style};
pub use rpc::Rpc;

/// An operation that a task carries out, as the description of its service has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// A request of HTTP that a document describes.
    Rest(Rest),
    /// A request of HTTP that the definition writes out.
    Http(Http),
    /// A method of a gRPC service.
    Rpc(Rpc),
}
