//! Manifests, which list the objects with the data.

use workflow_runtime::{Str, Value};

use super::config::{Delimiter, Headers, ReaderConfig};
use super::csv::check_headers;
use super::error::ReaderError;
use super::limits::MAX_MANIFEST;
use super::object::Target;
use crate::store::Stores;

/// The manifest of an S3 inventory.
#[derive(Debug)]
pub(crate) struct Inventory {
    /// The objects with the data.
    pub(crate) files: Vec<Target>,
    /// The settings of their reader: their columns stand in the manifest.
    pub(crate) config: ReaderConfig,
    /// The manifest itself, with its ETag.
    pub(crate) manifest: Target,
}

impl Inventory {
    /// Reads a manifest.
    ///
    /// # Errors
    /// The store failed, or it is no manifest of CSV files.
    pub(crate) async fn read(
        stores: &Stores,
        config: &ReaderConfig,
        mut manifest: Target,
    ) -> Result<Inventory, ReaderError> {
        let name = manifest.name();
        let bad = |what: &str| ReaderError::new(format!("{name} is not the manifest of an S3 inventory: {what}"));
        let (etag, mut body) = manifest.open(stores, 0).await?;
        manifest.etag = etag;
        let mut text = Vec::new();
        while let Some(chunk) = body.next().await.map_err(|error| ReaderError::of_store(&name, error))? {
            if text.len() + chunk.len() > MAX_MANIFEST {
                return Err(bad(&format!("it is longer than {MAX_MANIFEST} bytes")));
            }
            text.extend_from_slice(&chunk);
        }
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        let document = Value::from_json_slice(text).map_err(|error| bad(&error.to_string()))?;
        let member = |key: &str| document.get(key).and_then(Value::as_str);
        if let Some(format) = member("fileFormat").filter(|format| !format.eq_ignore_ascii_case("CSV")) {
            return Err(bad(&format!("the files are {format}, and only CSV can be read")));
        }
        let schema = member("fileSchema").ok_or_else(|| bad("it has no `fileSchema`"))?;
        let columns: Vec<Str> = schema.split(',').map(|column| Str::from(column.trim())).collect();
        check_headers(&columns).map_err(|message| bad(&message))?;
        let bucket = match member("destinationBucket") {
            None => manifest.bucket.clone(),
            Some(bucket) => Str::from(bucket.strip_prefix("arn:aws:s3:::").unwrap_or(bucket)),
        };
        let files = document.get("files").and_then(Value::as_array).ok_or_else(|| bad("it has no `files`"))?;
        let target = |file: &Value| {
            let key = file.get("key").and_then(Value::as_str).ok_or_else(|| bad("a file has no `key`"))?;
            Ok(Target::new(bucket.clone(), Str::from(key)))
        };
        let files = files.iter().map(target).collect::<Result<Vec<Target>, ReaderError>>()?;
        let config = ReaderConfig { headers: Headers::Listed(columns), delimiter: Delimiter::Comma, ..config.clone() };
        Ok(Inventory { files, config, manifest })
    }
}

/// Returns the object that a line of Athena's manifest names.
///
/// # Errors
/// The line is not `s3://bucket/key`.
pub(crate) fn target_of_line(manifest: &str, line: &Value) -> Result<Target, ReaderError> {
    let text = line.as_str().unwrap_or_default();
    let path = text.strip_prefix("s3://").or_else(|| text.strip_prefix("S3://"));
    match path.and_then(|path| path.split_once('/')) {
        Some((bucket, key)) if !bucket.is_empty() && !key.is_empty() => Ok(Target::new(bucket.into(), key.into())),
        _ => {
            let mut shown: String = text.chars().take(200).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            Err(ReaderError::new(format!("{manifest} has a line that is not s3://bucket/key: {shown:?}")))
        }
    }
}
