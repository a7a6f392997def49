//! The configuration of a writer. What AWS refuses is refused, with its words.

use workflow_runtime::objects::Transformation;

use crate::reader::Refusal;

/// The settings of a writer as a definition has them: its `WriterConfig`.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, Default)]
pub struct WriterSettings {
    /// `Transformation`
    pub transformation: Option<String>,
    /// `OutputType`
    pub output_type: Option<String>,
}

/// The format of result files.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputType {
    /// An array.
    Json,
    /// A value in each line.
    JsonLines,
}

/// The checked settings of a writer.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterConfig {
    /// The form of the results.
    pub transformation: Transformation,
    /// The format of result files.
    pub output: OutputType,
}

impl WriterConfig {
    /// Checks the settings of a writer. `stored` is `true` if results are written to an object
    /// store, otherwise they are the Map's result.
    ///
    /// # Errors
    /// All faults, with AWS's messages.
    pub fn new(settings: &WriterSettings, stored: bool) -> Result<WriterConfig, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let mut refuse = |field: &'static str, known: &str| {
            refusals.push(Refusal { field, message: format!("Value should be one of the following: [{known}]") });
        };
        let default = if stored { Transformation::None } else { Transformation::Compact };
        let transformation = settings.transformation.as_deref().map_or(Some(default), Transformation::named);
        if transformation.is_none() {
            refuse("Transformation", "NONE, COMPACT, FLATTEN");
        }
        let output = match settings.output_type.as_deref() {
            None | Some("JSON") => OutputType::Json,
            Some("JSONL") => OutputType::JsonLines,
            Some(_) => {
                refuse("OutputType", "JSON, JSONL");
                OutputType::Json
            }
        };
        match transformation {
            Some(transformation) if refusals.is_empty() => Ok(WriterConfig { transformation, output }),
            _ => Err(refusals),
        }
    }
}
