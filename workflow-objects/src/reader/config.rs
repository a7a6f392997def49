//! The configuration of a reader. What AWS refuses is refused, with its words.

use workflow_runtime::Str;
use workflow_runtime::machine::ReaderKind;
use workflow_runtime::machine::reader_rules::{ReaderFault, ReaderFields, ReaderRefusal};

use super::error::ReaderError;
use super::limits::MAX_ITEMS;
use super::pointer::Pointer;

/// The resource of a reader.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderResource {
    /// `arn:aws:states:::s3:getObject`
    GetObject,
    /// `arn:aws:states:::s3:listObjectsV2`
    ListObjects,
}

/// The settings of a reader as a definition has them: its resource and `ReaderConfig`.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Default)]
pub struct ReaderSettings {
    /// `InputType`
    pub input_type: Option<String>,
    /// `ManifestType`
    pub manifest_type: Option<String>,
    /// `Transformation`
    pub transformation: Option<String>,
    /// `CSVHeaderLocation`
    pub csv_header_location: Option<String>,
    /// `CSVHeaders`
    pub csv_headers: Option<Vec<String>>,
    /// `CSVDelimiter`
    pub csv_delimiter: Option<String>,
    /// `ItemsPointer`
    pub items_pointer: Option<String>,
}

/// A fault in the settings of a reader.
///
/// ```
/// use workflow_objects::reader::{ReaderConfig, ReaderResource, ReaderSettings};
///
/// let settings = ReaderSettings { input_type: Some("XML".to_owned()), ..Default::default() };
/// let refusals = ReaderConfig::new(ReaderResource::GetObject, &settings).unwrap_err();
/// assert_eq!(refusals[0].field, "InputType");
/// assert!(refusals[0].message.starts_with("Value should be one of the following: [CSV, JSON, "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The field that is at fault. Empty for the whole `ReaderConfig`.
    pub field: &'static str,
    /// AWS's message.
    pub message: String,
}

impl ReaderSettings {
    /// Returns the fields that depend on each other.
    fn fields(&self) -> ReaderFields<'_> {
        ReaderFields {
            input_type: self.input_type.as_deref(),
            manifest_type: self.manifest_type.as_deref(),
            transformation: self.transformation.as_deref(),
            csv_header_location: self.csv_header_location.as_deref(),
            has_csv_headers: self.csv_headers.is_some(),
            csv_delimiter: self.csv_delimiter.as_deref(),
            items_pointer: self.items_pointer.as_deref(),
        }
    }
}

impl From<ReaderRefusal> for Refusal {
    fn from(refusal: ReaderRefusal) -> Refusal {
        let field = if refusal.fault == ReaderFault::Missing { "" } else { refusal.field };
        Refusal { field, message: refusal.message }
    }
}

/// The format of the data.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputType {
    /// Rows of fields.
    Csv,
    /// An array.
    Json,
    /// A value in each line.
    JsonLines,
    /// A table of Apache Parquet.
    Parquet,
}

/// The kind of a manifest, which lists the objects with the data.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManifestType {
    /// The manifest that Athena's `UNLOAD` writes: a line `s3://bucket/key` for each object.
    AthenaData,
    /// The `manifest.json` of an S3 inventory, whose objects are compressed CSV.
    Inventory,
}

/// The names of the columns.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headers {
    /// The first row has them.
    FirstRow,
    /// The definition has them, and the first row is data.
    Listed(Vec<Str>),
}

/// The character between fields.
///
/// ```
/// use workflow_objects::reader::Delimiter;
///
/// assert_eq!(Delimiter::Semicolon.byte(), b';');
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `|`
    Pipe,
    /// `;`
    Semicolon,
    /// A blank.
    Space,
    /// A tab.
    Tab,
}

impl Delimiter {
    /// Returns the character.
    pub fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Pipe => b'|',
            Delimiter::Semicolon => b';',
            Delimiter::Space => b' ',
            Delimiter::Tab => b'\t',
        }
    }
}

/// The checked settings of a reader.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderConfig {
    pub(super) resource: ReaderResource,
    pub(super) input: Option<InputType>,
    pub(super) manifest: Option<ManifestType>,
    pub(super) headers: Headers,
    pub(super) delimiter: Delimiter,
    pub(super) pointer: Pointer,
}

/// A table of the values of a field.
type Names<T> = [(&'static str, T)];

const INPUT_TYPES: &Names<InputType> = &[
    ("CSV", InputType::Csv),
    ("JSON", InputType::Json),
    ("JSONL", InputType::JsonLines),
    ("PARQUET", InputType::Parquet),
];
const DELIMITERS: &Names<Delimiter> = &[
    ("COMMA", Delimiter::Comma),
    ("PIPE", Delimiter::Pipe),
    ("SEMICOLON", Delimiter::Semicolon),
    ("SPACE", Delimiter::Space),
    ("TAB", Delimiter::Tab),
];

/// Returns what a name stands for.
fn named<T: Copy>(names: &Names<T>, text: Option<&str>) -> Option<T> {
    let text = text?;
    names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

impl ReaderConfig {
    /// Checks the settings of a reader.
    ///
    /// # Errors
    /// All faults, with AWS's messages.
    pub fn new(resource: ReaderResource, settings: &ReaderSettings) -> Result<ReaderConfig, Vec<Refusal>> {
        let kind = match resource {
            ReaderResource::GetObject => ReaderKind::GetObject,
            ReaderResource::ListObjects => ReaderKind::ListObjects,
        };
        let fields = settings.fields();
        let refusals = fields.refusals(kind);
        if !refusals.is_empty() {
            return Err(refusals.into_iter().map(Refusal::from).collect());
        }
        let pointer = Pointer::parse(settings.items_pointer.as_deref().unwrap_or_default())
            .map_err(|message| vec![Refusal { field: "ItemsPointer", message }])?;
        let manifest = match fields.manifest_type {
            _ if fields.is_inventory(kind) => Some(ManifestType::Inventory),
            Some(_) => Some(ManifestType::AthenaData),
            None => None,
        };
        let headers = match (fields.csv_header_location, &settings.csv_headers) {
            (Some("GIVEN"), Some(headers)) => Headers::Listed(headers.iter().map(Str::from).collect()),
            _ => Headers::FirstRow,
        };
        Ok(ReaderConfig {
            resource,
            input: named(INPUT_TYPES, fields.data_type(kind)),
            manifest,
            headers,
            delimiter: named(DELIMITERS, fields.csv_delimiter).unwrap_or(Delimiter::Comma),
            pointer,
        })
    }
}

/// The arguments of a reader, with the values that they have in this execution.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReaderArguments {
    /// `Bucket`
    pub bucket: Str,
    /// `Key`, of a single object.
    pub key: Str,
    /// `VersionId`, of a single object.
    pub version: Option<Str>,
    /// `Prefix`, of a listing.
    pub prefix: Str,
}

/// A reader: its settings, its arguments, and the number of items.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemReader {
    pub(super) config: ReaderConfig,
    pub(super) arguments: ReaderArguments,
    pub(super) max_items: u64,
}

impl ItemReader {
    /// Creates a reader. A `max_items` of 0 means all.
    ///
    /// # Errors
    /// The settings that AWS refuses when the Map starts, with its words.
    pub fn new(
        config: ReaderConfig,
        arguments: ReaderArguments,
        max_items: Option<i64>,
    ) -> Result<ItemReader, ReaderError> {
        let max_items = match max_items.map(u64::try_from) {
            None | Some(Ok(0)) => MAX_ITEMS,
            Some(Ok(max)) => max.min(MAX_ITEMS),
            Some(Err(_)) => return Err(ReaderError::new("field MaxItems must be positive")),
        };
        if config.input == Some(InputType::Parquet) && arguments.version.is_some() {
            return Err(ReaderError::new("S3 Version ID selection is not currently supported for PARQUET files"));
        }
        if let Headers::Listed(headers) = &config.headers {
            super::csv::check_headers(headers).map_err(ReaderError::new)?;
        }
        Ok(ItemReader { config, arguments, max_items })
    }
}
