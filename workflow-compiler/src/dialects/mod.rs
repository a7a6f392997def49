//! The definition languages. Each knows only itself: it reads the spanned tree and lowers to the HIR.

#[cfg(feature = "asl")]
pub mod asl;
mod detect;

pub use detect::detect;
