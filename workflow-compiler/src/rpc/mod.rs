//! Methods of gRPC services that definitions name, for every dialect that has them: found in `.proto` files and descriptor sets
//! when a definition is compiled, so that generated code carries all that calling them takes.

#[cfg(feature = "rpc")]
mod arguments;
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
#[cfg(any(test, not(feature = "rpc")))]
mod without;

#[cfg(feature = "rpc")]
pub use lookup::Methods;
#[cfg(not(feature = "rpc"))]
pub use without::Methods;

use crate::hir::operation::Rpc;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::sync::Arc;

/// A method as a definition names it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The `.proto` file or the descriptor set.
    pub file: &'a Spanned<String>,
    /// The service with its package.
    pub service: &'a Spanned<String>,
    /// The method.
    pub method: &'a Spanned<String>,
}

/// A method that was found.
#[derive(Debug, Clone)]
pub struct Method {
    /// What goes into generated code.
    pub rpc: Arc<Rpc>,
    #[cfg(feature = "rpc")]
    request: protox::prost_reflect::MessageDescriptor,
}

/// An argument of a call: a field of the request.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'a> {
    /// The name of the field, in either of its spellings.
    pub name: &'a Text,
    /// Its value; none where it is known only when the call is made.
    pub value: Option<&'a Node>,
}

/// A call of a method, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// All arguments.
    pub arguments: &'a [Argument<'a>],
    /// What is told of where an argument is missing.
    pub span: Span,
}

#[cfg(all(test, feature = "rpc"))]
mod tests;
