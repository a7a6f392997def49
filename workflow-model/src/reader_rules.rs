//! The rules of `ReaderConfig`: which of its fields go together. The compiler and the reader of
//! objects refuse the same settings, with the words of AWS.

use crate::ReaderKind;

/// The input types, in the order of AWS's message.
pub const INPUT_TYPES: &[&str] = &["CSV", "JSON", "JSONL", "PARQUET", "MANIFEST"];
/// The types of manifests.
pub const MANIFEST_TYPES: &[&str] = &["ATHENA_DATA", "S3_INVENTORY"];
/// The transformations of a listing.
pub const TRANSFORMATIONS: &[&str] = &["NONE", "LOAD_AND_FLATTEN"];
/// The places of the names of columns.
pub const CSV_HEADER_LOCATIONS: &[&str] = &["FIRST_ROW", "GIVEN"];
/// The names of the characters between fields.
pub const CSV_DELIMITERS: &[&str] = &["COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"];

/// The fields of a `ReaderConfig` that depend on each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderFields<'a> {
    /// `InputType`
    pub input_type: Option<&'a str>,
    /// `ManifestType`
    pub manifest_type: Option<&'a str>,
    /// `Transformation`
    pub transformation: Option<&'a str>,
    /// `CSVHeaderLocation`
    pub csv_header_location: Option<&'a str>,
    /// `true` if `CSVHeaders` is there.
    pub has_csv_headers: bool,
    /// `CSVDelimiter`
    pub csv_delimiter: Option<&'a str>,
    /// `ItemsPointer`
    pub items_pointer: Option<&'a str>,
}

/// A reason to refuse a field of a `ReaderConfig`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderFault {
    /// The field is required.
    Missing,
    /// The other fields exclude the field.
    Unsupported,
    /// The value of the field is wrong.
    Value,
}

/// A refused field of a `ReaderConfig`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderRefusal {
    /// The field.
    pub field: &'static str,
    /// The reason.
    pub fault: ReaderFault,
    /// The message of AWS.
    pub message: String,
}

impl ReaderFields<'_> {
    /// Returns the refused fields for a kind of reader.
    pub fn refusals(&self, kind: ReaderKind) -> Vec<ReaderRefusal> {
        let mut refused = Vec::new();
        one_of(&mut refused, "InputType", INPUT_TYPES, self.input_type);
        one_of(&mut refused, "ManifestType", MANIFEST_TYPES, self.manifest_type);
        one_of(&mut refused, "Transformation", TRANSFORMATIONS, self.transformation);
        match kind {
            ReaderKind::GetObject => self.check_object(&mut refused),
            ReaderKind::ListObjects => self.check_listing(&mut refused),
        }
        let input = self.data_type(kind);
        self.check_csv(input == Some("CSV") && !self.is_inventory(kind), &mut refused);
        match self.items_pointer {
            Some(_) if input != Some("JSON") => unsupported(&mut refused, "ItemsPointer", true),
            Some(text) if !text.is_empty() && !text.starts_with('/') => {
                let message = format!("Invalid input: JSON Pointer expression must start with '/': \"{text}\"");
                refused.push(ReaderRefusal { field: "ItemsPointer", fault: ReaderFault::Value, message });
            }
            _ => {}
        }
        refused
    }

    /// Returns `true` if the items are those of an S3 inventory.
    pub fn is_inventory(&self, kind: ReaderKind) -> bool {
        kind == ReaderKind::GetObject
            && match self.input_type {
                Some("MANIFEST") => self.manifest_type != Some("ATHENA_DATA"),
                None | Some("CSV") => self.manifest_type == Some("S3_INVENTORY"),
                Some(_) => false,
            }
    }

    /// Returns `true` if the first row of each object is taken for the names of the columns, but
    /// is data.
    pub fn loses_rows(&self, kind: ReaderKind) -> bool {
        kind == ReaderKind::GetObject
            && self.manifest_type == Some("ATHENA_DATA")
            && self.input_type == Some("CSV")
            && self.csv_header_location == Some("FIRST_ROW")
    }

    /// Returns the input type of the data: of the object, or of the objects that a manifest or a
    /// listing names. `None` for a listing whose objects are not read.
    pub fn data_type(&self, kind: ReaderKind) -> Option<&str> {
        match kind {
            // The objects of an inventory are CSV.
            ReaderKind::GetObject if self.is_inventory(kind) => Some("CSV"),
            ReaderKind::ListObjects if self.transformation != Some("LOAD_AND_FLATTEN") => None,
            _ => self.input_type.filter(|input| *input != "MANIFEST"),
        }
    }

    /// Checks the types of a single object.
    fn check_object(&self, refused: &mut Vec<ReaderRefusal>) {
        unsupported(refused, "Transformation", self.transformation.is_some());
        match (self.input_type, self.manifest_type) {
            (_, Some("S3_INVENTORY")) if self.is_inventory(ReaderKind::GetObject) => {}
            (None, _) => missing(refused, "InputType", "The field 'InputType' is required"),
            (Some("CSV" | "JSONL" | "PARQUET"), Some("ATHENA_DATA")) => {}
            (Some(_), Some(manifest)) => {
                unsupported(refused, "ManifestType", MANIFEST_TYPES.contains(&manifest));
            }
            (Some(_), None) => {}
        }
    }

    /// Checks the type of the objects of a listing, which only their loading needs.
    fn check_listing(&self, refused: &mut Vec<ReaderRefusal>) {
        unsupported(refused, "ManifestType", self.manifest_type.is_some());
        match (self.transformation, self.input_type) {
            (Some("LOAD_AND_FLATTEN"), None) => missing(refused, "InputType", "The field 'InputType' is required"),
            (Some("LOAD_AND_FLATTEN"), Some("MANIFEST")) => {
                one_of(refused, "InputType", &["CSV", "JSON", "JSONL", "PARQUET"], self.input_type);
            }
            (Some("LOAD_AND_FLATTEN"), Some(_)) => {}
            (_, input) => unsupported(refused, "InputType", input.is_some()),
        }
    }

    /// Checks the fields of CSV, which only rows without columns of their own have.
    fn check_csv(&self, is_csv: bool, refused: &mut Vec<ReaderRefusal>) {
        if !is_csv {
            unsupported(refused, "CSVHeaderLocation", self.csv_header_location.is_some());
            unsupported(refused, "CSVHeaders", self.has_csv_headers);
            unsupported(refused, "CSVDelimiter", self.csv_delimiter.is_some());
            return;
        }
        one_of(refused, "CSVHeaderLocation", CSV_HEADER_LOCATIONS, self.csv_header_location);
        match self.csv_header_location {
            Some("FIRST_ROW") => unsupported(refused, "CSVHeaders", self.has_csv_headers),
            Some("GIVEN") if !self.has_csv_headers => {
                missing(refused, "CSVHeaders", "These fields are required: [CSVHeaders]");
            }
            None => missing(refused, "CSVHeaderLocation", "These fields are required: [CSVHeaderLocation]"),
            Some(_) => {}
        }
        one_of(refused, "CSVDelimiter", CSV_DELIMITERS, self.csv_delimiter);
    }
}

/// Refuses a value that is not among `words`.
fn one_of(refused: &mut Vec<ReaderRefusal>, field: &'static str, words: &[&str], value: Option<&str>) {
    if value.is_some_and(|value| !words.contains(&value)) {
        let message = format!("Value should be one of the following: [{}]", words.join(", "));
        refused.push(ReaderRefusal { field, fault: ReaderFault::Value, message });
    }
}

/// Refuses a field that the others exclude.
fn unsupported(refused: &mut Vec<ReaderRefusal>, field: &'static str, is_present: bool) {
    if is_present {
        let message = format!("Field '{field}' is not supported");
        refused.push(ReaderRefusal { field, fault: ReaderFault::Unsupported, message });
    }
}

/// Reports a field that is absent.
fn missing(refused: &mut Vec<ReaderRefusal>, field: &'static str, message: &str) {
    refused.push(ReaderRefusal { field, fault: ReaderFault::Missing, message: message.to_owned() });
}
