//! The binary format of values and of the data at suspension points, for snapshots.
//!
//! The format is compact and exact: a loaded value equals the saved one, and sharing is preserved.
//! Numbers are written in groups of seven bits, as many as they need, and text with its length
//! before it.

mod error;
mod impls;
mod reader;
mod shared_values;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub use error::LoadError;
pub use reader::Reader;
pub(crate) use shared_values::{Uses, ValueTable};
pub use writer::Writer;

/// Data that can be written into a snapshot.
pub trait Save {
    /// Writes it.
    fn save(&self, w: &mut Writer);
}

/// Data that can be read from a snapshot.
pub trait Load: Sized {
    /// Reads the output of [`Save::save`] of the same type.
    fn load(r: &mut Reader<'_>) -> Result<Self, LoadError>;
}
