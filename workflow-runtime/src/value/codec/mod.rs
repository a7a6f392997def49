//! The binary form of values and of what points of a workflow keep, for snapshots.
//!
//! Compact, and exact: what is loaded equals what was saved, and what was shared is shared again. Numbers are written
//! with as many bytes as they need, seven bits each; text with its length before it.

mod apart;
mod error;
mod impls;
mod reader;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub(crate) use apart::{Apart, Uses};
pub use error::LoadError;
pub use reader::Reader;
pub use writer::Writer;

/// What can be written into a snapshot.
pub trait Save {
    /// Writes it.
    fn save(&self, w: &mut Writer);
}

/// What can be read from a snapshot.
pub trait Load: Sized {
    /// Reads what [`Save::save`] of the same type wrote.
    fn load(r: &mut Reader<'_>) -> Result<Self, LoadError>;
}
