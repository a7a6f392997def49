//! Operations of services described by OpenAPI documents (2.0, 3.0 and 3.1): `FILE#operationId`.
//!
//! The compiler reads documents along with a definition. The description of an operation becomes
//! an [operation](crate::model::Operation), and the arguments of calls are checked against it. The
//! module is independent of dialects: a dialect supplies the operation's name and the arguments.

#[cfg(feature = "openapi")]
mod arguments;
#[cfg(feature = "openapi")]
mod body;
pub mod codes;
#[cfg(any(test, not(feature = "openapi")))]
mod disabled;
#[cfg(feature = "openapi")]
mod documents;
#[cfg(feature = "openapi")]
mod operation;
#[cfg(feature = "openapi")]
mod parameter;
#[cfg(feature = "openapi")]
mod reader;
#[cfg(feature = "openapi")]
mod schema;
#[cfg(feature = "openapi")]
mod security;
#[cfg(feature = "openapi")]
mod services;
#[cfg(feature = "openapi")]
mod shapes;

#[cfg(not(feature = "openapi"))]
pub use disabled::{Documents, name_services};
#[cfg(feature = "openapi")]
pub use documents::Documents;
#[cfg(feature = "openapi")]
pub use services::name_services;

use crate::model::TaskShapes;
use crate::model::operation::Rest;
use crate::source::Span;
use crate::syntax::{Node, Text};

/// An operation as described by its document.
#[derive(Debug, Clone)]
pub struct DescribedOperation {
    /// The request.
    pub rest: Rest,
    /// The shapes of the arguments, as an object, and of the results.
    pub shapes: TaskShapes,
    /// The expectations of arguments that are parameters.
    #[cfg(feature = "openapi")]
    expected: Vec<documents::ExpectedArgument>,
    /// The expectations of the body, if the operation has one.
    #[cfg(feature = "openapi")]
    body: Option<documents::ExpectedBody>,
}

/// An argument of a call.
#[derive(Debug, Clone, Copy)]
pub struct CallArgument<'a> {
    /// The name.
    pub name: &'a Text,
    /// The statically known part of the value.
    pub value: ArgumentValue<'a>,
    /// The span of the value.
    pub span: Span,
}

/// The statically known part of an argument's value.
#[derive(Debug, Clone, Copy)]
pub enum ArgumentValue<'a> {
    /// A constant value.
    Constant(&'a Node),
    /// The type of an expression: `string`, `number`, `boolean`, `array`, `object` or `null`.
    Type(&'static str),
    /// An expression of unknown type.
    Unknown,
}

#[cfg(all(test, feature = "openapi"))]
mod tests;
