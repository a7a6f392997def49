//! The model that the compiler and the runtime of workflows share. The compiler builds it from a
//! definition, and generated code has it as statics.
//!
//! Programs use the types through `workflow-runtime`, whose module `operation` is the module
//! [`operation`] of this crate.

#[doc(hidden)]
pub mod calendar;
mod draft;
mod jsonata_limits;
mod name_hash;
pub mod operation;
mod reader_kind;
#[doc(hidden)]
pub mod reader_rules;
mod retrier;
#[doc(hidden)]
pub mod rfc3339;
mod schedule;
mod single_state;
mod storage;
#[doc(hidden)]
pub mod store_address;
mod workflow_id;

#[doc(hidden)]
pub use draft::Draft;
#[doc(hidden)]
pub use jsonata_limits::JsonataLimits;
#[doc(hidden)]
pub use name_hash::name_hash;
#[doc(hidden)]
pub use reader_kind::ReaderKind;
#[doc(hidden)]
pub use retrier::{ErrorMatch, Jitter, Retrier};
#[doc(hidden)]
pub use schedule::{Active, Schedule};
#[doc(hidden)]
pub use single_state::{CONTEXT_SETTING, MOCKED};
pub use storage::{Owned, Static, Storage};
#[doc(hidden)]
pub use workflow_id::WorkflowId;
