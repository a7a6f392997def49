//! Methods of gRPC services: their names and message types.

use crate::{Static, Storage};
use std::fmt;

/// A unary method of a gRPC service: one request, one response.
///
/// See the example of [`Operation`](super::Operation).
#[derive(Clone, PartialEq, Eq)]
pub struct Rpc<S: Storage = Static> {
    /// The service with its package: `acme.Bank`.
    pub service: S::Text,
    /// The method: `Charge`.
    pub method: S::Text,
    /// A `google.protobuf.FileDescriptorSet` with the service, the method, and its message types.
    pub descriptors: S::List<u8>,
}

impl Rpc {
    /// Creates a method, as generated code lists it.
    pub const fn new(service: &'static str, method: &'static str, descriptors: &'static [u8]) -> Rpc {
        Rpc { service, method, descriptors }
    }
}

impl<S: Storage> fmt::Debug for Rpc<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc").field("service", &self.service).field("method", &self.method).finish_non_exhaustive()
    }
}
