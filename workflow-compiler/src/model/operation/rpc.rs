//! Methods of gRPC services.

use crate::fnv::Fnv;
use std::fmt;

/// A unary gRPC method.
#[derive(Clone, PartialEq, Eq)]
pub struct Rpc {
    /// The service with its package.
    pub service: String,
    /// The method.
    pub method: String,
    /// A serialized descriptor set with the descriptors that the method needs, and no others.
    pub descriptors: Vec<u8>,
}

impl fmt::Display for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hash = Fnv::default();
        hash.write(&self.descriptors);
        write!(f, "{}/{} of {:016x}", self.service, self.method, hash.finish())
    }
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rpc({self})")
    }
}
