//! Methods of gRPC services: their names and message types. The service's address and the
//! credentials are configuration of the program, and not part of a definition.

use std::fmt;

/// A unary method of a gRPC service: one request, one response.
///
/// See the example of [`Operation`](super::Operation).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rpc {
    /// The service with its package: `acme.Bank`.
    pub service: &'static str,
    /// The method: `Charge`.
    pub method: &'static str,
    /// A `google.protobuf.FileDescriptorSet` with the service, the method, and its message types.
    pub descriptors: &'static [u8],
}

impl Rpc {
    /// Creates a method, as generated code lists it.
    pub const fn new(service: &'static str, method: &'static str, descriptors: &'static [u8]) -> Rpc {
        Rpc { service, method, descriptors }
    }
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc").field("service", &self.service).field("method", &self.method).finish_non_exhaustive()
    }
}
