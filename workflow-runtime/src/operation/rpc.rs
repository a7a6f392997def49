//! Methods of gRPC services: their names, and what their messages look like. Where they are called, and as whom, is nothing that
//! a definition says.

use std::fmt;

/// A method of a gRPC service that takes one request and gives one answer.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rpc {
    /// The service with its package: `acme.Bank`.
    pub service: &'static str,
    /// The method: `Charge`.
    pub method: &'static str,
    /// A `google.protobuf.FileDescriptorSet` with the service, the method, and the types of its request and answer.
    pub descriptors: &'static [u8],
}

impl Rpc {
    /// A method, as generated code lists it.
    pub const fn new(service: &'static str, method: &'static str, descriptors: &'static [u8]) -> Rpc {
        Rpc { service, method, descriptors }
    }
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc").field("service", &self.service).field("method", &self.method).finish_non_exhaustive()
    }
}
