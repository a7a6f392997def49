//! The records of one object in any format.

use workflow_runtime::Str;

use super::config::{InputType, ReaderConfig};
use super::decode::Record;
use super::error::ReaderError;
use super::object::{ObjectReader, Target, decoder_of};
#[cfg(feature = "parquet")]
use super::parquet::ParquetReader;
use super::position::ObjectPosition;
use crate::store::Stores;

/// A reader of the records of one object.
pub(crate) enum Content {
    /// Text.
    Text(Box<ObjectReader>),
    /// A table of Parquet.
    #[cfg(feature = "parquet")]
    Table(Box<ParquetReader>),
}

impl Content {
    /// Opens an object at its beginning.
    ///
    /// # Errors
    /// The store failed, or the format is not part of this program.
    pub(crate) async fn open(
        stores: &Stores,
        config: &ReaderConfig,
        input: InputType,
        target: Target,
    ) -> Result<Content, ReaderError> {
        match input {
            #[cfg(feature = "parquet")]
            InputType::Parquet => Ok(Content::Table(Box::new(ParquetReader::open(stores, target, 0).await?))),
            #[cfg(not(feature = "parquet"))]
            InputType::Parquet => Err(without_parquet(&target.name())),
            _ => {
                let reader = ObjectReader::open(stores, target, decoder_of(config, input)).await?;
                Ok(Content::Text(Box::new(reader)))
            }
        }
    }

    /// Opens an object behind a record.
    ///
    /// # Errors
    /// As [`Content::open`], and if the object is another one by now.
    pub(crate) async fn open_at(
        stores: &Stores,
        config: &ReaderConfig,
        input: InputType,
        version: Option<Str>,
        position: &ObjectPosition,
    ) -> Result<Content, ReaderError> {
        match input {
            #[cfg(feature = "parquet")]
            InputType::Parquet => {
                let target = Target::of_position(version, position);
                Ok(Content::Table(Box::new(ParquetReader::open(stores, target, position.record).await?)))
            }
            #[cfg(not(feature = "parquet"))]
            InputType::Parquet => Err(without_parquet(&Target::of_position(version, position).name())),
            _ => {
                let reader = ObjectReader::open_at(stores, config, input, version, position).await?;
                Ok(Content::Text(Box::new(reader)))
            }
        }
    }

    /// Returns the next record.
    ///
    /// # Errors
    /// The store failed, or the data is bad.
    pub(crate) async fn next(&mut self) -> Result<Option<Record>, ReaderError> {
        match self {
            Content::Text(reader) => reader.next().await,
            #[cfg(feature = "parquet")]
            Content::Table(reader) => reader.next().await,
        }
    }

    /// Returns the name of the object.
    pub(crate) fn name(&self) -> &Str {
        match self {
            Content::Text(reader) => reader.name(),
            #[cfg(feature = "parquet")]
            Content::Table(reader) => reader.name(),
        }
    }

    /// Returns the position behind the last record.
    pub(crate) fn position(&self) -> ObjectPosition {
        match self {
            Content::Text(reader) => reader.position(),
            #[cfg(feature = "parquet")]
            Content::Table(reader) => reader.position(),
        }
    }
}

#[cfg(not(feature = "parquet"))]
fn without_parquet(name: &str) -> ReaderError {
    ReaderError::new(format!(
        "{name} cannot be read: enable the feature `parquet` of `workflow-objects` or `workflow-runner` in Cargo.toml"
    ))
}
