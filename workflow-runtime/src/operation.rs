//! Service operations: the part of a definition that an implementation of a task needs to call a
//! service.

#[doc(hidden)]
pub use workflow_model::operation::{Body, Decomposition, Media, Parameter, Piece, Place, Scheme, SchemeKind, Style};
#[doc(inline)]
pub use workflow_model::operation::{Http, Operation, Rest, Rpc, SecretHeader};
