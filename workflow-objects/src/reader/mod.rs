//! The items of a distributed Map, as a stream that continues at any item.

mod config;
mod content;
mod csv;
mod decode;
mod error;
mod inflate;
mod item;
mod json;
mod json_scan;
mod limits;
mod lines;
mod manifest;
mod object;
mod objects;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_delta;
#[cfg(feature = "parquet")]
mod parquet_page;
#[cfg(feature = "parquet")]
mod parquet_rows;
#[cfg(feature = "parquet")]
mod parquet_schema;
#[cfg(feature = "parquet")]
mod parquet_thread;
#[cfg(feature = "parquet")]
mod parquet_value;
mod pointer;
mod position;
mod source;

pub use config::{
    Delimiter, Headers, InputType, ItemReader, ManifestType, ReaderArguments, ReaderConfig, ReaderResource,
    ReaderSettings, Refusal,
};
pub use error::ReaderError;
pub use item::Item;
pub use limits::{MAX_HEADERS, MAX_ITEMS, MAX_MANIFEST, MAX_RECORD, MAX_WINDOW};
pub use position::{ObjectPosition, Position};
pub use source::ItemSource;
