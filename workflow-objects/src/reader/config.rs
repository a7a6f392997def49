//! The configuration of a reader. What AWS refuses is refused, with its words.

use workflow_runtime::Str;

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

/// A table of the values of a field, in the order in which AWS's message lists them.
type Names<T> = [(&'static str, T)];

const INPUT_TYPES: &Names<Option<InputType>> = &[
    ("CSV", Some(InputType::Csv)),
    ("JSON", Some(InputType::Json)),
    ("JSONL", Some(InputType::JsonLines)),
    ("PARQUET", Some(InputType::Parquet)),
    ("MANIFEST", None),
];
const MANIFEST_TYPES: &Names<ManifestType> =
    &[("ATHENA_DATA", ManifestType::AthenaData), ("S3_INVENTORY", ManifestType::Inventory)];
const TRANSFORMATIONS: &Names<bool> = &[("NONE", false), ("LOAD_AND_FLATTEN", true)];
const LOCATIONS: &Names<bool> = &[("FIRST_ROW", true), ("GIVEN", false)];
const DELIMITERS: &Names<Delimiter> = &[
    ("COMMA", Delimiter::Comma),
    ("PIPE", Delimiter::Pipe),
    ("SEMICOLON", Delimiter::Semicolon),
    ("SPACE", Delimiter::Space),
    ("TAB", Delimiter::Tab),
];

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<Refusal>);

impl Faults {
    fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.0.push(Refusal { field, message: message.into() });
    }

    /// Looks up a value, or adds a fault.
    fn choose<T: Copy>(&mut self, field: &'static str, names: &Names<T>, text: Option<&String>) -> Option<T> {
        let text = text?;
        let found = names.iter().find(|(name, _)| name == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            self.add(field, format!("Value should be one of the following: [{}]", known.join(", ")));
        }
        found
    }

    /// Adds a fault if a field is there that does not belong to the others.
    fn unsupported(&mut self, field: &'static str, present: bool) {
        if present {
            self.add(field, format!("Field '{field}' is not supported"));
        }
    }
}

impl ReaderConfig {
    /// Checks the settings of a reader.
    ///
    /// # Errors
    /// All faults, with AWS's messages.
    pub fn new(resource: ReaderResource, settings: &ReaderSettings) -> Result<ReaderConfig, Vec<Refusal>> {
        let mut faults = Faults::default();
        let named = faults.choose("InputType", INPUT_TYPES, settings.input_type.as_ref());
        let manifest = faults.choose("ManifestType", MANIFEST_TYPES, settings.manifest_type.as_ref());
        let flatten = faults.choose("Transformation", TRANSFORMATIONS, settings.transformation.as_ref());
        let (input, manifest) = match resource {
            ReaderResource::GetObject => {
                faults.unsupported("Transformation", settings.transformation.is_some());
                object_types(&mut faults, settings, named, manifest)
            }
            ReaderResource::ListObjects => {
                faults.unsupported("ManifestType", settings.manifest_type.is_some());
                (listing_type(&mut faults, settings, named, flatten), None)
            }
        };
        let headers = headers(&mut faults, settings, input, manifest);
        let delimiter = faults.choose("CSVDelimiter", DELIMITERS, settings.csv_delimiter.as_ref());
        let pointer = pointer(&mut faults, settings, input);
        match faults.0.is_empty() {
            false => Err(faults.0),
            true => Ok(ReaderConfig {
                resource,
                input,
                manifest,
                headers,
                delimiter: delimiter.unwrap_or(Delimiter::Comma),
                pointer,
            }),
        }
    }
}

/// Checks the types of a single object. The outer `None` of `named` is a missing or wrong type,
/// the inner one is `MANIFEST`.
fn object_types(
    faults: &mut Faults,
    settings: &ReaderSettings,
    named: Option<Option<InputType>>,
    manifest: Option<ManifestType>,
) -> (Option<InputType>, Option<ManifestType>) {
    match (named, manifest) {
        // The objects of an inventory are CSV.
        (None | Some(None | Some(InputType::Csv)), Some(ManifestType::Inventory)) => {
            (Some(InputType::Csv), Some(ManifestType::Inventory))
        }
        (Some(None), None) => (Some(InputType::Csv), Some(ManifestType::Inventory)),
        (Some(Some(InputType::Csv | InputType::JsonLines | InputType::Parquet)), Some(ManifestType::AthenaData)) => {
            (named.flatten(), manifest)
        }
        (Some(_), Some(_)) => {
            faults.unsupported("ManifestType", true);
            (named.flatten(), None)
        }
        (Some(_), None) => (named.flatten(), None),
        (None, _) => {
            if settings.input_type.is_none() {
                faults.add("", "The field 'InputType' is required");
            }
            (None, None)
        }
    }
}

/// Checks the type of the objects of a listing, which only their loading needs.
fn listing_type(
    faults: &mut Faults,
    settings: &ReaderSettings,
    named: Option<Option<InputType>>,
    flatten: Option<bool>,
) -> Option<InputType> {
    match (flatten, named) {
        (Some(true), None) => {
            if settings.input_type.is_none() {
                faults.add("", "The field 'InputType' is required");
            }
            None
        }
        (Some(true), Some(None)) => {
            faults.add("InputType", "Value should be one of the following: [CSV, JSON, JSONL, PARQUET]");
            None
        }
        (Some(true), Some(input)) => input,
        _ => {
            faults.unsupported("InputType", settings.input_type.is_some());
            None
        }
    }
}

fn headers(
    faults: &mut Faults,
    settings: &ReaderSettings,
    input: Option<InputType>,
    manifest: Option<ManifestType>,
) -> Headers {
    let own_columns = manifest == Some(ManifestType::Inventory);
    if input != Some(InputType::Csv) || own_columns {
        faults.unsupported("CSVHeaderLocation", settings.csv_header_location.is_some());
        faults.unsupported("CSVHeaders", settings.csv_headers.is_some());
        faults.unsupported("CSVDelimiter", settings.csv_delimiter.is_some());
        return Headers::FirstRow;
    }
    let listed = || settings.csv_headers.iter().flatten().map(Str::from).collect();
    match faults.choose("CSVHeaderLocation", LOCATIONS, settings.csv_header_location.as_ref()) {
        Some(true) => faults.unsupported("CSVHeaders", settings.csv_headers.is_some()),
        Some(false) if settings.csv_headers.is_none() => {
            faults.add("", "These fields are required: [CSVHeaders]");
        }
        Some(false) => return Headers::Listed(listed()),
        None if settings.csv_header_location.is_none() => {
            faults.add("", "These fields are required: [CSVHeaderLocation]");
        }
        None => {}
    }
    Headers::FirstRow
}

fn pointer(faults: &mut Faults, settings: &ReaderSettings, input: Option<InputType>) -> Pointer {
    let Some(text) = &settings.items_pointer else { return Pointer::default() };
    if input != Some(InputType::Json) {
        faults.unsupported("ItemsPointer", true);
        return Pointer::default();
    }
    Pointer::parse(text).unwrap_or_else(|message| {
        faults.add("ItemsPointer", message);
        Pointer::default()
    })
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
    /// What AWS refuses when the Map starts, with its words.
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
