//! Methods of gRPC services, for every dialect that calls them. The compiler finds them in
//! `.proto` files and descriptor sets, so that generated code contains the descriptors that a call
//! needs.

#[cfg(feature = "rpc")]
mod arguments;
pub mod codes;
#[cfg(any(test, not(feature = "rpc")))]
mod disabled;
#[cfg(feature = "rpc")]
mod json;
#[cfg(feature = "rpc")]
mod lookup;
#[cfg(feature = "rpc")]
mod nesting;
#[cfg(feature = "rpc")]
mod proto;
#[cfg(feature = "rpc")]
mod prune;
#[cfg(feature = "rpc")]
mod shape;

#[cfg(not(feature = "rpc"))]
pub use disabled::MethodIndex;
#[cfg(feature = "rpc")]
pub use lookup::MethodIndex;

use crate::model::TaskShapes;
use crate::model::operation::Rpc;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};

/// The path of a method as written in a definition.
#[derive(Debug, Clone, Copy)]
pub struct MethodPath<'a> {
    /// The `.proto` file or descriptor set.
    pub file: &'a Spanned<String>,
    /// The service name, with its package.
    pub service: &'a Spanned<String>,
    /// The method name.
    pub method: &'a Spanned<String>,
}

/// A resolved method.
#[derive(Debug, Clone)]
pub struct RpcMethod {
    /// The description for generated code.
    pub rpc: Rpc,
    /// The shapes of the requests and of the responses.
    pub shapes: TaskShapes,
    #[cfg(feature = "rpc")]
    request: protox::prost_reflect::MessageDescriptor,
}

/// An argument of a call: a field of the request.
#[derive(Debug, Clone, Copy)]
pub struct RpcArgument<'a> {
    /// The name of the field, in its JSON or its original spelling.
    pub name: &'a Text,
    /// The value, or `None` if it is known only at run time.
    pub value: Option<&'a Node>,
}

/// The statically known parts of a call.
#[derive(Debug, Clone, Copy)]
pub struct RpcCall<'a> {
    /// The arguments.
    pub arguments: &'a [RpcArgument<'a>],
    /// The span for missing arguments.
    pub span: Span,
}

#[cfg(all(test, feature = "rpc"))]
mod tests;
